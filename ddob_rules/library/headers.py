"""From scenario files to their headers: what a list of scenarios shows, and what finds the rules.

A scenario takes over from the one it is based on what its own head does not say. Where that other file lies
is left to `library`, and whether a head makes sense to the schema.
"""

from __future__ import annotations

import os.path
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from ddob_rules.library.yamldoc import (
    Entry,
    MappingNode,
    Node,
    ScalarNode,
    SequenceNode,
    items_of,
    read_yaml,
    text_of,
)
from ddob_rules.reports.diagnostics import Diagnostic
from ddob_rules.resources import is_inside, rulesets_folder
from ddob_rules.syntax.source import Source, read_source

# More files than are shipped.
_REMEMBERED = 200
# What holds for a scenario if only the one it is based on says it; names and texts are each one's own.
_TAKEN_OVER = ("ruleset", "options", "overlays", "turns", "players", "rules")


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioHeader:
    """What a list of scenarios shows, and what is needed to find the ruleset."""

    name: str
    title: str
    ruleset: str
    options: tuple[str, ...]
    overlays: tuple[str, ...]
    path: Path
    rules: Path | None = None
    """The rules file that the scenario brings, if it names one and the file exists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioFile:
    """A file as it was read; it has no `root` if it is no mapping, or could not be read."""

    path: Path
    source: Source | None
    node: Node | None
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def shown(self) -> str:
        return self.source.path if self.source is not None else str(self.path)

    @property
    def root(self) -> MappingNode | None:
        return self.node if isinstance(self.node, MappingNode) else None

    @property
    def base(self) -> ScalarNode | None:
        """The name or path of the scenario that this one is based on."""
        node = self.root.get("based_on") if self.root is not None else None
        return node if isinstance(node, ScalarNode) and node.text else None


def read_scenario_file(path: Path, shown: str | None = None, *, language: str = "en") -> ScenarioFile:
    source, diagnostics = read_source(path, shown, language=language)
    node: Node | None = None
    if source is not None:
        node, more = _tree(source, language)
        diagnostics = [*diagnostics, *more]
    return ScenarioFile(path=path, source=source, node=node, diagnostics=tuple(diagnostics))


@lru_cache(maxsize=_REMEMBERED)
def _tree(source: Source, language: str) -> tuple[Node | None, tuple[Diagnostic, ...]]:
    """Whoever lists scenarios, or looks for one by its name, reads them all again and again."""
    node, problems = read_yaml(source, language=language)
    return node, tuple(problems)


def whole_head(roots: Sequence[MappingNode]) -> MappingNode:
    """The first of the trees, with the keys of the head that only those after it give."""
    entries = dict(roots[0].entries)
    for root in roots[1:]:
        for key in _TAKEN_OVER:
            if key in root.entries:
                entries.setdefault(key, root.entries[key])
        if "turns" in root.entries:
            own = entries["turns"]
            entries["turns"] = replace(own, value=_turns(own.value, root.entries["turns"].value))
    return MappingNode(span=roots[0].span, entries=entries)


def _turns(own: Node, base: Node) -> Node:
    """The turns of a scenario: of the first and the last, the base gives what the scenario does not."""
    ends = {**_ends(base), **_ends(own)}
    return MappingNode(span=own.span, entries=ends) if ends else own


def _ends(turns: Node) -> dict[str, Entry]:
    match turns:
        case MappingNode():
            return turns.entries
        case ScalarNode():
            return {"last": Entry(key=turns, value=turns)}
        case SequenceNode():
            return {}  # a mistake that the schema tells


def header_of(files: Sequence[ScenarioFile]) -> ScenarioHeader | None:
    """The header of the first file, which is based on the second, and so on; None if it is no scenario."""
    roots = [file.root for file in files if file.root is not None]
    if not roots or roots[0] is not files[0].root:
        return None
    head = whole_head(roots)
    name, ruleset = text_of(head.get("scenario")), text_of(head.get("ruleset"))
    if not name or not (ruleset or files[0].base):
        return None
    return ScenarioHeader(
        name=name,
        title=text_of(head.get("title")) or name,
        ruleset=ruleset,
        options=texts(head.get("options")),
        overlays=texts(head.get("overlays")),
        path=files[0].path,
        rules=_rules(files),
    )


def _rules(files: Sequence[ScenarioFile]) -> Path | None:
    for file in files:
        if file.root is not None and "rules" in file.root.entries:
            # The path is as seen from the file that says it.
            return resolve_near(file.path, text_of(file.root.get("rules")))
    return None


def texts(node: Node | None) -> tuple[str, ...]:
    """The texts of a list."""
    return tuple(item.text for item in items_of(node) if isinstance(item, ScalarNode))


def resolve_near(origin: Path, name: str) -> Path | None:
    """The file that a file names; None if there is none, or it leads out of what may be read from there."""
    return None if leads_out(origin, name) else resolve_file(origin.parent, name)


def leads_out(origin: Path, name: str) -> bool:
    """Whether a path that a file names ends outside the folders that may be read from it, links followed.

    A scenario from somebody else must not make us read, and show lines of, whatever this user can read. Nor
    is it told whether such a file exists.
    """
    try:
        wanted = Path(os.path.realpath(origin.parent / name))
    except (OSError, ValueError):
        return False  # a name that no file system can hold: no file
    return not any(is_inside(wanted / "any", folder) for folder in _readable_from(origin))


def _readable_from(origin: Path) -> Iterator[Path]:
    """The file's own folder, that of the ruleset it lies in, the data beside it, and the shipped rulesets."""
    own = Path(os.path.abspath(origin)).parent
    yield origin.parent
    yield own.parent / "data"
    # Data may lie in folders of its own, however deep below the nearest `data`.
    below = [folder for folder in (own, *own.parents) if folder.name == "data"]
    for above in (own.parent, *(folder.parent for folder in below[:1])):
        if any(above.glob("*.rules")):
            yield above
    yield rulesets_folder()


def resolve_file(folder: Path, name: str) -> Path | None:
    """The file that a name means, seen from a folder; None if there is none."""
    try:
        path = Path(os.path.realpath(folder / name))
        return path if path.is_file() else None
    except (OSError, ValueError):
        # Names that no file system can hold.
        return None
