"""From the pages in docs/ to their fenced blocks, and from the product to what is generated on pages.

What a block is for stands after its language: `rules prelude=NAME` (a whole ruleset that later blocks of the
page build on), `rules fragment=NAME` (more rules of it), `rules overlay=NAME` (a ruleset on top of it),
`rules wrong=CODE`, `rules file=PATH`, `yaml scenario`, `yaml fragment=NAME`, `yaml file=PATH`,
`diff file=PATH` (an edit of that file), `console` and `python`. Running them is the business of `running`.
"""

from __future__ import annotations

from collections.abc import Callable
import re
from dataclasses import dataclass, field
from pathlib import Path

import yaml
import click
from click.testing import CliRunner

from ddob_rules.check.values.builtins import BUILTINS, Builtin
from ddob_rules.cli import main
from ddob_rules.resources import grammar_file
from interpreter import ir
from tests.house import house_table

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
#: The languages of fenced blocks; `text`, `sh` and `json` are only shown.
LANGUAGES = {"rules", "yaml", "diff", "console", "python", "text", "sh", "json"}
_FENCE = re.compile(r"^```(.*)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A fenced block; `line` is that of its first line of text."""

    page: Path
    line: int
    language: str
    words: tuple[str, ...]
    names: dict[str, str] = field(default_factory=dict)
    text: str

    @property
    def place(self) -> str:
        return f"{self.page.name}:{self.line}"


def all_pages() -> list[Path]:
    return [page for page in (ROOT / "README.md", *sorted(DOCS.glob("*.md"))) if page.is_file()]


def blocks_of(page: Path) -> list[Block]:
    """The fenced blocks of a page, in order."""
    found: list[Block] = []
    start, info, lines = 0, "", []
    for number, line in enumerate(page.read_text(encoding="utf-8").split("\n"), start=1):
        fence = _FENCE.match(line)
        if fence is None:
            lines.append(line)
        elif start == 0:
            start, info, lines = number + 1, fence.group(1).strip(), []
        else:
            language, *words = info.split() or [""]
            names = dict(word.split("=", 1) for word in words if "=" in word)
            text = "\n".join(lines) + "\n"
            found.append(
                Block(page=page, line=start, language=language, words=tuple(words), names=names, text=text)
            )
            start = 0
    return found


def prose_of(page: Path) -> str:
    """The page without its fenced blocks."""
    return re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)


def anchors_of(page: Path) -> set[str]:
    """What a link can point to: headings in lower case, blanks as hyphens, signs left out."""
    headings = re.findall(r"^#+ (.*)$", prose_of(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


# ---------------------------------------------------------------- generated parts


def generated_pages() -> dict[Path, Callable[[], str]]:
    """Every page that is generated, or has generated parts, and what makes it as it must be."""
    return {
        DOCS / "commands.md": commands_page,
        DOCS / "errors" / "README.md": error_index,
        DOCS / "language.md": _language_page,
        DOCS / "how-it-runs.md": _running_page,
    }


def _language_page() -> str:
    text = _filled((DOCS / "language.md").read_text(encoding="utf-8"), "library", library_table())
    return _filled(text, "words", word_table())


def _running_page() -> str:
    return _filled((DOCS / "how-it-runs.md").read_text(encoding="utf-8"), "house", house_table())


def _filled(text: str, part: str, content: str) -> str:
    before, rest = text.split(f"<!-- {part} -->\n", 1)
    _, after = rest.split(f"<!-- /{part} -->", 1)
    return f"{before}<!-- {part} -->\n{content}<!-- /{part} -->{after}"


def commands_page() -> str:
    """The help of every command, as `ddob COMMAND --help` prints it on a terminal of 80 columns."""
    parts = [
        "# Commands",
        "Everything `ddob` can do. The same texts appear when you type `ddob COMMAND --help`. Exit codes:\n"
        "0 all is well, 1 something was found (an error in the rules, a failed example, a replay that\n"
        "differs), 2 the command itself was not understood, 130 you interrupted it.",
    ]
    for name in ("", *main.list_commands(click.Context(main))):
        arguments = [name, "--help"] if name else ["--help"]
        result = CliRunner().invoke(main, arguments, terminal_width=80, prog_name="ddob")
        parts.append(f"## ddob {name}".rstrip() + f"\n\n```text\n{result.output.rstrip()}\n```")
    return "\n\n".join(parts) + "\n"


_CHAPTERS = {
    "00": "Files and encoding",
    "01": "Syntax and layout",
    "02": "Names and types",
    "03": "Tables",
    "04": "Sequence, actions, priorities",
    "05": "Overlays",
    "06": "Scenario data",
    "07": "Running and saves",
}


def error_index() -> str:
    """All codes of the catalogue, by chapter, with the titles of their pages."""
    catalogue = yaml.safe_load(grammar_file("messages.yaml").read_text(encoding="utf-8"))
    titles = {code: entry["title"]["en"] for code, entry in catalogue.items() if isinstance(entry, dict)}
    parts = [
        "# All findings, by code",
        "Each finding of `ddob` has a code and a page. `ddob explain E0201` shows the same page at the\n"
        "terminal. Codes with E are errors: the rules cannot be played until they are mended. Codes\n"
        "with W are warnings.",
    ]
    for number, chapter in _CHAPTERS.items():
        codes = sorted((code for code in titles if code[1:3] == number), key=lambda code: (code[0], code))
        if codes:
            lines = [f"- [{code}]({code}.md): {titles[code]}" for code in codes]
            parts.append(f"## {chapter}\n\n" + "\n".join(lines))
    return "\n\n".join(parts) + "\n"


def library_table() -> str:
    """What every ruleset may call, from the checker's own list."""
    lines = ["| Call | Gives | What it is |", "| --- | --- | --- |"]
    for name, builtin in BUILTINS.items():
        lines.append(f"| `{name}{_parameters(builtin)}` | {_result(builtin)} | {builtin.explanation} |")
    return "\n".join(lines) + "\n"


def _parameters(builtin: Builtin) -> str:
    if not builtin.parameters:
        return ""
    names = [str(kind) if isinstance(kind, ir.Type) else kind for kind in builtin.parameters]
    return f"({', '.join(names)}{', ...' if builtin.more else ''})"


def _result(builtin: Builtin) -> str:
    if builtin.like is not None and builtin.like_element:
        return "one of its things"
    return str(builtin.result)


def word_table() -> str:
    """The keywords of English and French side by side, and the names of the library."""
    english, french = (
        yaml.safe_load(grammar_file(f"keywords/{language}.yaml").read_text(encoding="utf-8"))
        for language in ("en", "fr")
    )
    pairs: dict[str, list[str]] = {}
    for terminal, words in english["keywords"].items():
        for own, other in zip(words, french["keywords"][terminal], strict=True):
            known = pairs.setdefault(own, [])
            if other not in known:
                known.append(other)
    for name, other in french["names"].items():
        known = pairs.setdefault(name, [])
        if other not in known:
            known.append(other)
    lines = ["| English | French |", "| --- | --- |"]
    lines.extend(f"| `{own}` | {', '.join(f'`{other}`' for other in pairs[own])} |" for own in sorted(pairs))
    return "\n".join(lines) + "\n"
