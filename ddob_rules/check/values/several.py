"""Sets and lists, and what is asked of several things: written out, built by a condition, counted."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from ddob_rules.check.scope import MISTAKE, WRONG, joined
from ddob_rules.check.values.written import in_brackets, shown
from ddob_rules.syntax.nodes import Node
from ddob_rules.syntax.nodes import expressions as nodes
from interpreter import ir

if TYPE_CHECKING:
    from ddob_rules.check.values.expressions import Expressions

_FOLDS: dict[str, ir.Gather] = {"sum": "sum", "most": "most", "least": "least"}
_Quantifier = nodes.Some | nodes.NotAny | nodes.Universal | nodes.Count | nodes.Fold | nodes.Extreme
_Binding = tuple["Expressions", str, ir.Expression, ir.Type, ir.Expression | None]


class Several:
    def __init__(self, values: Expressions) -> None:
        self.values = values
        self.here = values.here

    def list_literal(self, place: nodes.ListLiteral, wanted: ir.Type | None) -> ir.Expression:
        element = wanted.element if wanted is not None and wanted.tag == "list" else None
        values: list[ir.Expression] = []
        for item in in_brackets(place.arguments):
            value = self.values.build(item, element)
            merged = value.type if element is None else joined(element, value.type)
            if merged is None:
                self.here.error("E0202", item, text=shown(item), actual=str(value.type), wanted=str(element))
                return MISTAKE
            element = merged
            values.append(value)
        if element == WRONG:
            return MISTAKE
        kind = ir.list_of(element or ir.NOTHING)
        return ir.Builtin(name="number_list", arguments=tuple(values), type=kind)

    def set_literal(self, place: nodes.SetLiteral, wanted: ir.Type | None) -> ir.Expression:
        values = []
        kind = wanted.element if wanted is not None and wanted.tag == "set" else None
        for item in in_brackets(place.arguments):
            value = self.values.build(item, kind)
            merged = value.type if kind is None else joined(kind, value.type)
            if value.type == ir.NOTHING:
                merged = None  # it would be left out without a word
            if merged is None or merged.tag not in ("enum", "piece", "space", "edge", "nothing", "number"):
                wanted_text = "number, value, piece or space" if kind is None else str(kind)
                actual = str(value.type)
                self.here.error("E0202", item, text=shown(item), actual=actual, wanted=wanted_text)
                return MISTAKE
            kind = merged
            values.append(value)
        if kind == WRONG:
            return MISTAKE
        if kind == ir.NUMBER:
            return ir.Builtin(name="number_list", arguments=tuple(values), type=ir.list_of(ir.NUMBER))
        if kind is None:
            return ir.MakeSet(items=(), type=ir.set_of(ir.NOTHING))
        return ir.MakeSet(items=tuple(values), type=ir.set_of(kind))

    def set_builder(
        self, place: nodes.SetBuilder | nodes.SetMap, value: nodes.Expression | None
    ) -> ir.Expression:
        bound = self._bound(place)
        inner, inside, source, element, _ = bound
        local = ir.Local(name=inside, type=element)
        body = inner.build(value, None) if value is not None else local
        if body.type == WRONG or element == WRONG:
            return MISTAKE
        kind = ir.set_of(body.type)
        if body.type.tag in ("number", "flag", "text") or source.type.tag == "list":
            kind = ir.list_of(body.type)
        gather: ir.Gather = "set" if kind.tag == "set" else "list"
        return self._gathered(bound, gather, body, kind, place)

    def the_one(self, place: nodes.TheOne) -> ir.Expression:
        """The only one of them, the first of several, or nothing."""
        bound = self._bound(place.binding)
        _, inside, source, element, where = bound
        if element == WRONG:
            return MISTAKE
        if where is not None:
            kind = ir.list_of(element) if source.type.tag == "list" else ir.set_of(element)
            gather: ir.Gather = "list" if kind.tag == "list" else "set"
            source = self._gathered(bound, gather, ir.Local(name=inside, type=element), kind, place)
        return ir.Builtin(name="first_of", arguments=(source,), type=element, site=self.here.site(place))

    def _bound(self, place: nodes.Binding | nodes.SetBuilder | nodes.SetMap) -> _Binding:
        """`u in S where C`: the inner scope, the variable's name inside, source, element type, condition."""
        source, element = self.values.collection(place.collection)
        inner = self.values.inside()
        inside = inner.scope.add("it" if isinstance(place, nodes.Unbound) else place.name.text, element)
        if place.condition is None:
            return inner, inside, source, element, None
        return inner.given(place.condition), inside, source, element, inner.flag(place.condition)

    def quantifier(self, place: _Quantifier) -> ir.Expression:
        bound = self._bound(place.binding)
        inner, _, _, element, _ = bound
        gather: ir.Gather
        body: ir.Expression | None = None
        kind = ir.FLAG
        match place:
            case nodes.Some():
                self._closed(place.binding.condition)
                gather = "some"
            case nodes.NotAny():
                self._closed(place.binding.condition)
                gather = "no"
            case nodes.Universal():
                self._closed(place.condition)
                gather, body = "every", inner.flag(place.condition)
            case nodes.Count():
                gather, kind = "count", ir.NUMBER
            case nodes.Fold():
                gather = _FOLDS[place.how.text]
                body, kind = inner.number(place.value), ir.NUMBER
            case nodes.Extreme():
                gather = "highest" if place.which.text.endswith("highest") else "lowest"
                body, kind = inner.number(place.measure), element
            case _:
                assert_never(place)
        if element == WRONG:
            return MISTAKE
        return self._gathered(bound, gather, body, kind, place)

    def _gathered(
        self, bound: _Binding, gather: ir.Gather, body: ir.Expression | None, kind: ir.Type, place: Node
    ) -> ir.Quantify:
        _, inside, source, element, where = bound
        return ir.Quantify(
            gather=gather, variable=inside, variable_type=element, source=source, where=where, body=body,
            type=kind, site=self.here.site(place),
        )  # fmt: skip

    def _closed(self, condition: nodes.Expression | None) -> None:
        """An `or` behind `where` or `has` could be meant for the whole: brackets must say how far it goes."""
        if isinstance(condition, nodes.Disjunction):
            self.here.error("E0273", condition, text=shown(condition))
