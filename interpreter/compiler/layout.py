"""How a game's values are laid out: the lists and variables of a state, which are fixed, who may see what."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter import ir
from interpreter.ir.walk import parts
from interpreter.passes.analysis import column, identifier


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One attribute: the name of its list, whose it is and what it holds."""

    name: str
    owner: str  # piece, space, edge, enum
    enum: str
    attribute: str
    type: ir.Type
    kinds: tuple[str, ...]
    fixed: bool
    seen: tuple[tuple[str, int], ...]  # kind -> index of its rule of visibility


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    columns: tuple[str, ...]  # the lists of a state
    variables: tuple[str, ...]
    attributes: tuple[Column, ...]
    starts: tuple[tuple[str, ir.Expression], ...]  # "kind attribute" or variable -> start value
    visibility: tuple[ir.Visibility, ...]
    kind_seen: tuple[tuple[str, int], ...]
    pile_seen: tuple[tuple[str, int], ...]
    variable_seen: tuple[tuple[str, int], ...]
    constants: tuple[
        tuple[str, tuple[tuple[str, ir.Expression], ...]], ...
    ]  # fixed by the rules, by enum value

    @property
    def faced(self) -> dict[str, int]:
        """The kinds of pieces that have a hidden side, and the rule by which it is seen."""
        rules = (seen for entry in self.attributes for seen in entry.seen)
        return {kind: rule for kind, rule in rules if self.visibility[rule].faced}


#: What a state has besides its lists and variables. Not copied: what is only there between an answer and the
#: next question.
_SCALARS = (
    "turn", "rng", "phase", "result", "player", "ask", "options", "leaving", "fuel", "script", "happened",
    "past", "count",
)  # fmt: skip


def copy_lines(program: ir.Program, layout: Layout, memories: list[str], sets: list[str]) -> list[str]:
    """The method that copies a state: lists that can change are copied, everything else is shared."""
    owners = {kind.owner for kind in program.kinds}
    needed = {"at": {"piece", "card"}, "inside": {"piece", "card"}, "order": {"pile"}}
    copied = [name for name in layout.columns if name not in needed or needed[name] & owners]
    shared = [name for name in layout.columns if name not in copied]
    lines = ["def copy(self):", "    S = GameState()"]
    lines += [f"    S.{name} = [*self.{name}]" for name in copied]
    rules = (program.procedures, program.actions, program.tables, program.victories)
    if any(isinstance(part, ir.Builtin) and part.name == "given" for part in parts(rules)):
        shared.append("given")
    lines += [f"    S.{name} = self.{name}" for name in (*shared, *layout.variables, *memories, *_SCALARS)]
    lines += [f"    S.{name} = self.{name} and [*self.{name}]" for name in sets]
    return [
        *lines,
        "    stack = self.stack",
        "    S.stack = [[*stack[0]]] if len(stack) == 1 else [[*frame] for frame in stack]",
        "    return S",
    ]


def layout_of(program: ir.Program) -> Layout:
    seen: list[ir.Visibility] = []

    def rule(visibility: ir.Visibility) -> int:
        seen.append(visibility)
        return len(seen) - 1

    found: dict[str, Column] = {}
    starts: list[tuple[str, ir.Expression]] = []
    constants = []
    kind_seen: list[tuple[str, int]] = []
    pile_seen: list[tuple[str, int]] = []
    for kind in program.kinds:
        if kind.seen is not None:
            (pile_seen if kind.owner == "pile" else kind_seen).append((kind.name, rule(kind.seen)))
        owner = "piece" if kind.owner == "card" else kind.owner
        enum = kind.name if owner == "enum" else ""
        for attribute in kind.attributes:
            name = column(owner, attribute.name, enum)
            before = found.get(name)
            sight = ((kind.name, rule(attribute.seen)),) if attribute.seen is not None else ()
            found[name] = Column(
                name=name, owner=owner, enum=enum, attribute=attribute.name, type=attribute.type,
                kinds=(*(before.kinds if before else ()), kind.name), fixed=attribute.start is None,
                seen=(*(before.seen if before else ()), *sight),
            )  # fmt: skip
            if attribute.start is not None:
                starts.append((f"{kind.name} {attribute.name}", attribute.start))
            if attribute.constants:
                constants.append((name, attribute.constants))
    variable_seen = []
    for variable in program.variables:
        if variable.start is not None:
            starts.append((f"variable {variable.name}", variable.start))
        if variable.seen is not None:
            variable_seen.append((variable.name, rule(variable.seen)))
    changing = [entry.name for entry in found.values() if not entry.fixed]
    return Layout(
        columns=(*changing, "at", "inside", "order"),
        variables=tuple(identifier("v", variable.name) for variable in program.variables),
        attributes=tuple(found.values()),
        starts=tuple(starts),
        visibility=tuple(seen),
        kind_seen=tuple(kind_seen),
        pile_seen=tuple(pile_seen),
        variable_seen=tuple(variable_seen),
        constants=tuple(constants),
    )
