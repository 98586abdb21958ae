"""From the blocks of a page to what comes of them: rules checked, data validated, commands and Python run.

A page has one folder, in which its files stand and its commands run, one block after the other. Left out:
blocks that are only shown.
"""

from __future__ import annotations

import doctest
import re
import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from ddob_rules.cli import main
from ddob_rules.reports.diagnostics import Diagnostic
from ddob_rules.examples import run_examples
from ddob_rules.loading import load_game, load_ruleset
from tests.docs.pages import Block, blocks_of
from tests.rules import check_text

#: A fragment is not a whole game, so it need not use all that it declares.
_UNUSED = {"W0201", "W0203"}
_PROMPT = "$ ddob"


# ---------------------------------------------------------------- rules and data


def preludes_of(page: Path) -> dict[str, str]:
    """The rulesets that blocks of a page build on, by name."""
    return {block.names["prelude"]: block.text for block in blocks_of(page) if "prelude" in block.names}


def findings(block: Block, preludes: dict[str, str]) -> list[str]:
    """The codes and messages of what is wrong with a rules block."""
    if "fragment" in block.names:
        base = preludes[block.names["fragment"]]
        problems = check_text(base + "\n" + block.text).problems
        return told(problem for problem in problems if problem.code not in _UNUSED)
    if "overlay" in block.names:
        return told(check_text(preludes[block.names["overlay"]], block.text).problems)
    return told(check_text(block.text).problems)


def told(problems: Iterable[Diagnostic]) -> list[str]:
    found = []
    for problem in problems:
        line = f" (line {problem.spans[0].span.line})" if problem.spans else ""
        found.append(f"{problem.code}{line}: {problem.message}")
    return found


def write_page(page: Path, folder: Path) -> None:
    """Writes the rulesets of a page, and its whole scenarios beside them."""
    for name, text in preludes_of(page).items():
        place = folder / name
        (place / "scenarios").mkdir(parents=True)
        (place / f"{name}.rules").write_text(text, encoding="utf-8")
    for block in blocks_of(page):
        if block.language == "yaml" and "scenario" in block.words:
            write_scenario(block.text, folder)


def write_scenario(text: str, folder: Path) -> Path:
    keys: dict[str, str] = dict(re.findall(r"^(scenario|ruleset): *(\S+)", text, re.MULTILINE))
    path: Path = folder / keys["ruleset"] / "scenarios" / f"{keys['scenario']}.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def example_failures(block: Block, folder: Path) -> list[str]:
    """Runs the examples of a fragment or an overlay; the current folder has the page's rulesets."""
    name = block.names.get("fragment") or block.names["overlay"]
    if "fragment" in block.names:
        path = folder / name / f"{name}.rules"
        path.write_text(path.read_text(encoding="utf-8") + "\n" + block.text, encoding="utf-8")
    else:
        found = re.search(r"^ruleset (\w+)", block.text, re.MULTILINE)
        assert found is not None, block.place
        name = found.group(1)
        (folder / name).mkdir()
        (folder / name / f"{name}.rules").write_text(block.text, encoding="utf-8")
    loaded = load_ruleset(name)
    assert loaded.checked is not None and loaded.checked.program is not None, told(loaded.problems)
    report = run_examples(loaded.checked)
    assert report.outcomes, "no example was run"
    return [line for outcome in report.outcomes for line in told(outcome.problems)]


def scenario_findings(block: Block, folder: Path) -> list[str]:
    text = block.text
    if "fragment" in block.names:
        text = f"scenario: fragment\nruleset: {block.names['fragment']}\n{text}"
    return told(load_game(str(write_scenario(text, folder))).problems)


# ---------------------------------------------------------------- files, commands, Python


class PageRun:
    """Runs the blocks of a page that leave something behind; the folder must be the current one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.names: dict[str, Any] = {}

    def run(self, block: Block) -> list[str]:
        """What went otherwise than the page says."""
        match block.language:
            case "console":
                return [
                    f"{command}\n--- the page says\n{said}\n--- it prints\n{printed}"
                    for command, said, printed in self.commands(block)
                    if not same_output(said, printed)
                ]
            case "python":
                return self._python(block)
            case "diff":
                return self._edit(block)
            case _ if "file" in block.names:
                path = self.folder / block.names["file"]
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(block.text, encoding="utf-8")
        return []

    def commands(self, block: Block) -> list[tuple[str, str, str]]:
        """Each command of a console block, with what the page says that it prints and what it prints."""
        found = []
        for part in re.split(r"^(?=\$ )", block.text, flags=re.MULTILINE):
            if not part:
                continue
            command, _, said = part.partition("\n")
            assert command.startswith(_PROMPT), f"{block.place}: `{command}` is not a ddob command"
            typed = "".join(line[2:] + "\n" for line in said.split("\n") if line.startswith("> "))
            arguments = shlex.split(command.removeprefix(_PROMPT))
            runner = CliRunner(env={"COLUMNS": "100", "LINES": "40"})  # the same page on any terminal
            result = runner.invoke(main, arguments, input=typed, prog_name="ddob", terminal_width=80)
            assert result.exit_code in (0, 1), result.output
            found.append((command, said, self._plain(result.output)))
        return found

    def _plain(self, text: str) -> str:
        """Without what is not the same everywhere: where the folder is, how long it took, hashes of rules."""
        text = text.replace(f"{self.folder.resolve()}/", "").replace(f"{self.folder}/", "")
        text = re.sub(r"\b[0-9a-f]{12,64}\b", "...", text)
        # So is the folder that the shipped rulesets are in.
        text = re.sub(r"^\(rulesets/ is .*\)$", "(rulesets/ is ...)", text, flags=re.MULTILINE)
        return re.sub(r", \d+\.\d s\b", "", text)

    def _edit(self, block: Block) -> list[str]:
        """Lines with `-` are what stands there, those with `+` take their place; others help to find it."""
        path = self.folder / block.names["file"]
        text = path.read_text(encoding="utf-8")
        lines = block.text.rstrip("\n").split("\n")
        old = "".join(line[1:] + "\n" for line in lines if not line.startswith("+"))
        new = "".join(line[1:] + "\n" for line in lines if not line.startswith("-"))
        if text.count(old) != 1:
            return [f"{block.place}: what it changes is not in {path.name} once"]
        path.write_text(text.replace(old, new), encoding="utf-8")
        return []

    def _python(self, block: Block) -> list[str]:
        flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
        test = doctest.DocTestParser().get_doctest(
            block.text, self.names, block.place, str(block.page), block.line
        )
        if not test.examples:
            exec(compile(block.text, block.place, "exec"), self.names)
            return []
        said: list[str] = []
        doctest.DocTestRunner(verbose=False, optionflags=flags).run(test, out=said.append, clear_globs=False)
        self.names.update(test.globs)
        return ["".join(said)] if said else []


def same_output(said: str, printed: str) -> bool:
    """Whether a page tells the truth; a line of three dots stands for any number of lines."""
    parts = [re.escape(part) for part in re.split(r"^\.\.\.$", _stripped(said), flags=re.MULTILINE)]
    return re.fullmatch(r".*?".join(parts), _stripped(printed), re.DOTALL) is not None


def _stripped(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip("\n").split("\n"))


def updated(page: Path, folder: Path) -> str:
    """The page with what its commands really print; blocks with left-out lines stay as they are."""
    text = page.read_text(encoding="utf-8")
    run = PageRun(folder)
    for block in blocks_of(page):
        if block.language != "console" or "\n...\n" in block.text:
            run.run(block)
            continue
        printed = "".join(f"{command}\n{_stripped(out)}\n" for command, _, out in run.commands(block))
        text = text.replace(f"```console\n{block.text}```", f"```console\n{printed}```", 1)
    return text
