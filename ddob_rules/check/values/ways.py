"""Ways: from `way walking(p: piece) over space from x to y` to definitions of what a step may be and costs.

Each line of a way becomes a definition that no author can name: whether a step is allowed, what it costs, how
much may be spent, where movement ends. `reach`, `price`, `path` and `joined` are searches that ask them. What
`way NAME also` adds follows the versions: conditions restrict, costs are added, one more place stops.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal, assert_never

from ddob_rules.check.editions import chain_names, either, own_parameters
from ddob_rules.check.scope import Here, Scope, Signature, Vocabulary, Way, locals_of, scope_of
from ddob_rules.check.type_names import parameters_of, type_of
from ddob_rules.check.values.expressions import Expressions
from ddob_rules.stack.overlay import Entry, Version
from ddob_rules.syntax.nodes import rules as nodes
from ddob_rules.syntax.nodes.expressions import Expression
from interpreter import ir

Part = Literal["allows", "costs", "limit", "stops"]

_ONE = ir.Const(value=1, type=ir.NUMBER)
_YES = ir.Const(value=True, type=ir.FLAG)
_NO = ir.Const(value=False, type=ir.FLAG)
#: What a version means that has no such line, where another version has one.
_SILENT: dict[Part, ir.Expression] = {
    "allows": _YES, "costs": _ONE, "limit": ir.Const(value=ir.FAR, type=ir.NUMBER), "stops": _NO,
}  # fmt: skip


def collect_way(words: Vocabulary, entry: Entry) -> None:
    """The signature of a way, and which sorts of lines it has in any version."""
    declared = entry.base.read(nodes.Way)
    here = Here(entry.base.rule, words)
    words.places[entry.name] = entry.base.span
    over = type_of(here, declared.over)
    if over.tag != "space":
        here.error("E0380", declared.over, name=entry.name, type=over)
        over = ir.Type("space")
    parameters = parameters_of(here, declared.parameters)
    parts = {part_of(item) for version in (*entry.versions, *entry.edits) for item in _items(version)}
    words.ways[entry.name] = Way(entry.name, parameters, over, frozenset(parts), entry.base.span)


def part_of(item: nodes.WayItem) -> Part:
    match item:
        case nodes.WayWhen():
            return "allows"
        case nodes.WayCost():
            return "costs"
        case nodes.WayLimit():
            return "limit"
        case nodes.WayStop():
            return "stops"
        case _:
            assert_never(item)


def _items(version: Version) -> tuple[nodes.WayItem, ...]:
    declared = version.declaration.node if version.declaration is not None else None
    return declared.body.items if isinstance(declared, (nodes.Way, nodes.WayAlso)) else ()


def build_way(words: Vocabulary, entry: Entry) -> list[ir.Definition]:
    """A chain of versions for each sort of line, the one in force last."""
    way = words.ways[entry.name]
    _check_once(words, entry)
    return [made for part in _SILENT if part in way.parts for made in _Chain(words, entry, way, part).build()]


def _check_once(words: Vocabulary, entry: Entry) -> None:
    """Of costs and limits there is one in a way; conditions and places to stop may be several."""
    for version in (*entry.versions, *entry.edits):
        seen: dict[Part, nodes.WayItem] = {}
        for item in _items(version):
            part = part_of(item)
            if part in ("costs", "limit") and part in seen:
                Here(version.rule, words).error("E0381", item, name=entry.name)
            seen[part] = item


@dataclass(eq=False, slots=True)
class _Chain:
    words: Vocabulary
    entry: Entry
    way: Way
    part: Part

    def build(self) -> list[ir.Definition]:
        made: list[ir.Definition] = []
        for name, version in zip(chain_names(self.entry), self.entry.versions, strict=True):
            assert version.declaration is not None
            here = Here(version.rule, self.words)
            parameters = self._parameters(here, version)
            scope = scope_of(parameters)
            if made:
                here.base = Signature("define", made[-1].name, parameters, self._type, version.rule.span)
            body = self._joined(here, scope, _items(version), _SILENT[self.part])
            if here.base is not None and version.condition is not None:
                before = ir.Call(name=made[-1].name, arguments=locals_of(parameters), type=self._type)
                test = Expressions(here, scope).flag(version.condition)
                body = ir.Conditional(condition=test, then=body, otherwise=before, type=self._type)
            made.append(self._definition(f"{name} {self.part}", parameters, body, here, version))
        return [*made[:-1], self._with_additions(made[-1])]

    @property
    def _type(self) -> ir.Type:
        return ir.FLAG if self.part in ("allows", "stops") else ir.NUMBER

    def _definition(
        self,
        name: str,
        parameters: tuple[ir.Parameter, ...],
        body: ir.Expression,
        here: Here,
        version: Version,
    ) -> ir.Definition:
        own = next((item for item in _items(version) if part_of(item) == self.part), None)
        place = own.span if own is not None else version.rule.span
        return ir.Definition(
            name=name, parameters=parameters, type=self._type, body=body, site=here.site(place)
        )

    def _parameters(self, here: Here, version: Version) -> tuple[ir.Parameter, ...]:
        """Those of the way under the names of this version, and what the line can see of a step."""
        assert version.declaration is not None
        declared = version.declaration.read(nodes.Way)
        signature = Signature("define", self.way.name, self.way.parameters, self._type, self.way.span)
        own = own_parameters(here, signature, version, declared.parameters)
        names = (declared.here.text, declared.there.text)
        steps = [ir.Parameter(name=name, type=self.way.over) for name in names]
        return (*own, *self.way.seen_by(self.part, steps))

    def _joined(
        self, here: Here, scope: Scope, items: Iterable[nodes.WayItem], silent: ir.Expression
    ) -> ir.Expression:
        """All lines of this sort as one value; without any, what is usual."""
        values = Expressions(here, scope)
        found = [self._value(values, item) for item in items if part_of(item) == self.part]
        if not found:
            return silent
        result = found[0]
        for more in found[1:]:
            result = _both(result, more) if self.part == "allows" else either(result, more)
        return result

    def _value(self, values: Expressions, item: nodes.WayItem) -> ir.Expression:
        match item:
            case nodes.WayWhen(condition=condition) | nodes.WayStop(condition=condition):
                return values.flag(condition)
            case nodes.WayCost(cost=number) | nodes.WayLimit(limit=number):
                return values.number(number)
            case _:
                assert_never(item)

    def _with_additions(self, last: ir.Definition) -> ir.Definition:
        body = last.body
        scope = scope_of(last.parameters)
        for edit in self.entry.edits:
            here = Here(edit.rule, self.words)
            for item in _items(edit):
                if part_of(item) != self.part:
                    continue
                if self.part == "limit":
                    here.error("E0382", item, name=self.way.name)
                    continue
                more = self._value(Expressions(here, scope), item)
                body = self._added(here, scope, body, more, edit.condition)
        return ir.Definition(
            name=last.name, parameters=last.parameters, type=last.type, body=body, site=last.site
        )

    def _added(
        self, here: Here, scope: Scope, body: ir.Expression, more: ir.Expression, held: Expression | None
    ) -> ir.Expression:
        """What a rule adds, as long as its condition holds."""
        join, nothing = _JOINED[self.part]
        if held is not None:
            test = Expressions(here, scope).flag(held)
            more = ir.Conditional(condition=test, then=more, otherwise=nothing, type=self._type)
        return join(body, more)


def _both(first: ir.Expression, second: ir.Expression) -> ir.Expression:
    return ir.Binary(operator="and", left=first, right=second, type=ir.FLAG)


def _sum(first: ir.Expression, second: ir.Expression) -> ir.Expression:
    return ir.Binary(operator="+", left=first, right=second, type=ir.NUMBER)


_Join = Callable[[ir.Expression, ir.Expression], ir.Expression]
#: How what is added joins what is there, and what adds nothing.
_JOINED: dict[Part, tuple[_Join, ir.Expression]] = {
    "allows": (_both, _YES), "costs": (_sum, ir.Const(value=0, type=ir.NUMBER)), "stops": (either, _NO),
}  # fmt: skip
