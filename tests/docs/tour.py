"""The tour of the README, taken as it says: what its commands print before and after the rule is changed.

The tour edits a shipped file, so that it is taken in a copy. The page shows what is printed in blocks of `text` that begin like
the output of `ddob simulate`; `scripts/docs` writes these blocks anew.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from click.testing import CliRunner

from ddob_rules.cli import main
from ddob_rules.resources import rulesets_folder
from tests.docs.pages import ROOT

README = ROOT / "README.md"
_FIRE = Path("rulesets/ddob/06-fire.rules")
_COMMAND = re.compile(r"^ddob (simulate first-waves .*)$", re.MULTILINE)
_TABLE = re.compile(r"(?<=^```text\n)first-waves: .*?(?=^```$)", re.MULTILINE | re.DOTALL)
_EDITED = re.compile(r"(?<=^```text\n)  define hit_limit\(.*\n(?=```$)", re.MULTILINE)


def pack(folder: Path) -> None:
    """Two copies of the game, as the reader has them: one to change in `here`, and one to compare with beside it."""
    shutil.copytree(rulesets_folder() / "ddob", folder / "ddob-before")
    shutil.copytree(rulesets_folder() / "ddob", folder / "here/rulesets/ddob")


def change_the_rule() -> None:
    """Puts the line of the README in the place of the one that it names; the current folder is `here`."""
    (edited,) = _EDITED.findall(README.read_text(encoding="utf-8"))
    lines = _FIRE.read_text(encoding="utf-8").split("\n")
    place = next(n for n, line in enumerate(lines) if line.startswith("  define hit_limit("))
    lines[place] = edited.rstrip("\n")
    _FIRE.write_text("\n".join(lines), encoding="utf-8")


def ddob(*words: str) -> str:
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    return result.output


def tables_printed() -> list[str]:
    """What `simulate` prints before and after the change, without the time it took; the current folder is `here`."""
    before, after = _COMMAND.findall(README.read_text(encoding="utf-8"))
    printed = [ddob(*before.split())]
    change_the_rule()
    printed.append(ddob(*after.split()))
    return [re.sub(r", \d+\.\d s\b", "", text) for text in printed]


def with_tables(text: str, tables: list[str]) -> str:
    """The README with these tables in the place of its own."""
    assert len(_TABLE.findall(text)) == len(tables)
    left = iter(tables)
    return _TABLE.sub(lambda _: "\n".join(line.rstrip() for line in next(left).split("\n")), text)
