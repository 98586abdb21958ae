"""From the name of a data file to its path, in a checkout or in an installed package.

An installed package carries the files in folders beside this module (`_grammar`, `_rulesets`, `_errors`);
a checkout has them at its top level. Callers open what they asked for; only tables of
the grammar folder and the name of the default scenario are read here.
"""

from __future__ import annotations

import os.path
import re
from pathlib import Path
from typing import Any

import yaml

_PACKAGE = Path(__file__).resolve().parent
_CHECKOUT = _PACKAGE.parent

# A code ends up in a file name, so nothing but a letter and four digits may pass.
_CODE = re.compile(r"[EW][0-9]{4}")


def grammar_file(name: str) -> Path:
    """The path of a file of the grammar folder: grammars, word lists, messages, base schemas."""
    return _folder("_grammar", "grammar") / name


def grammar_table(name: str) -> Any:
    """What a YAML file of the grammar folder holds, read by the quick reader if that is there."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return yaml.load(grammar_file(name).read_text(encoding="utf-8"), Loader=loader)


def rulesets_folder() -> Path:
    """The folder that holds one folder for each shipped ruleset."""
    return _folder("_rulesets", "rulesets")


def default_scenario() -> str:
    """The name of the scenario that is played when nobody says which: a choice of the shipped rulesets."""
    return (rulesets_folder() / "default.txt").read_text(encoding="utf-8").strip()


def error_page(code: str, language: str = "en") -> Path | None:
    """The page that explains a diagnostic's code, in `language` if there is one, else in English."""
    if not _CODE.fullmatch(code):
        return None
    folder = _folder("_errors", "docs/errors")
    pages = [folder / f"{code}.md"]
    if re.fullmatch(r"[a-z]{2,3}", language):
        pages.insert(0, folder / f"{code}.{language}.md")
    return next((page for page in pages if page.is_file()), None)


def shown_path(path: Path) -> str:
    """The path as people want to read it: from the current folder, or from the folder of shipped rulesets."""
    whole = path.resolve()
    for base in (Path.cwd().resolve(), rulesets_folder().resolve().parent):
        if base in whole.parents:
            shown = whole.relative_to(base).as_posix()
            return shown.replace("_rulesets/", "rulesets/", 1)
    return str(path)


def is_inside(path: Path, folder: Path) -> bool:
    """Whether a path ends in a folder or below it, links followed."""
    return Path(os.path.realpath(folder)) in Path(os.path.realpath(path)).parents


def inside(folder: Path, pattern: str, root: Path) -> list[Path]:
    """The files of a folder, in order; none that a link leads out of `root`."""
    at_home = is_inside(folder / "file", root)
    found = sorted(folder.glob(pattern))
    return [path for path in found if (is_inside(path, root) if path.is_symlink() else at_home)]


def _folder(installed: str, checkout: str) -> Path:
    beside = _PACKAGE / installed
    return beside if beside.is_dir() else _CHECKOUT / checkout
