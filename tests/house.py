"""What imports what: the folders of both packages in their order, and the imports of running code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

#: The rooms of each package. A room imports earlier ones only, and the first package nothing of the second.
STAGES = {
    "interpreter": (
        "ir", "failures", "geometry", "passes", "compiler", "telling", "machine", "wasm", "records",
        "campaigns", "players", "table", "trials",
    ),
    "ddob_rules": (
        "resources", "cache_folder", "pages", "reports", "syntax", "stack", "check", "index", "library",
        "scenarios", "translations", "loading", "campaigns", "examples", "odds", "recording", "compare",
        "book", "cli", "serve", "lsp", "command",
    ),
}  # fmt: skip
#: What ties a package together stands outside of the order.
DOORS = ("__init__", "__main__")


def rooms() -> list[str]:
    """All rooms, in their order."""
    return [f"{package}.{room}" for package, names in STAGES.items() for room in names]


@cache
def imports() -> dict[str, set[str]]:
    """The rooms that each room imports when its code runs; imports for type checkers do not count."""
    found: dict[str, set[str]] = {}
    for package in STAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            room = _room(path.relative_to(ROOT).with_suffix("").parts)
            if room.split(".")[1] not in DOORS:
                found.setdefault(room, set()).update(_imported(path) - {room})
    return found


def house_table() -> str:
    """For the docs: each room with the first sentence of its docstring and what it imports."""
    lines = ["| Room | What it is | Imports |", "| --- | --- | --- |"]
    known = imports()
    for room in rooms():
        inside = sorted(known[room], key=rooms().index)
        shown = ", ".join(f"`{name.removeprefix(room.split('.')[0] + '.')}`" for name in inside) or "-"
        lines.append(f"| `{room.replace('.', '/')}` | {_sentence(room)} | {shown} |")
    return "\n".join(lines) + "\n"


def _sentence(room: str) -> str:
    path = ROOT / room.replace(".", "/")
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    docstring = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return docstring.split("\n\n")[0].replace("\n", " ")


def _imported(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {room for node in _running(tree) for room in _targets(node)}


def _running(node: ast.AST) -> Iterator[ast.ImportFrom]:
    if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
        return
    if isinstance(node, ast.ImportFrom):
        yield node
    for child in ast.iter_child_nodes(node):
        yield from _running(child)


def _targets(node: ast.ImportFrom) -> Iterator[str]:
    parts = (node.module or "").split(".")
    if parts[0] not in STAGES:
        return
    if len(parts) > 1:
        yield _room(tuple(parts))
        return
    for alias in node.names:
        if alias.name in STAGES[parts[0]]:
            yield f"{parts[0]}.{alias.name}"


def _room(parts: tuple[str, ...]) -> str:
    return ".".join(parts[:2])
