"""What is asked of the board: edges, lines of sight, and searches along ways."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ddob_rules.check.scope import MISTAKE, WRONG, Signature, Way
from ddob_rules.check.values.searches import meets, search
from ddob_rules.check.values.written import in_brackets, shown
from ddob_rules.reports.spelling import did_you_mean
from ddob_rules.syntax.nodes import Leaf, Node
from ddob_rules.syntax.nodes import expressions as nodes
from interpreter import ir

if TYPE_CHECKING:
    from ddob_rules.check.values.expressions import Expressions


class OnBoard:
    def __init__(self, values: Expressions) -> None:
        self.values = values
        self.here = values.here

    def edge(self, place: nodes.EdgeBetween) -> ir.Expression:
        first, second = (self.values.of(item, ir.Type("space")) for item in (place.one, place.other))
        kinds = tuple(kind.name for kind in self.values.words.kinds.values() if kind.owner == "edge")
        if not kinds:
            self.here.error("E0229", place)
            return MISTAKE
        return ir.Builtin(name="edge_between", arguments=(first, second), type=ir.Type("edge", kinds))

    def along(self, place: nodes.Along) -> ir.Expression:
        start = self.values.of(place.start, ir.Type("space"))
        direction = self.values.of(place.direction, ir.DIRECTION)
        inner = self.values.inside()
        kind = start.type if start.type.tag == "space" else ir.Type("space")
        inside = inner.scope.add(place.name.text, kind)
        condition = inner.flag(place.condition)
        return ir.Along(
            start=start,
            direction=direction,
            variable=inside,
            condition=condition,
            type=ir.list_of(kind),
            site=self.here.site(place),
        )

    def search(self, name: Leaf, arguments: Sequence[nodes.Expression], place: Node) -> ir.Expression:
        """`reach(way, from)`, `price(way, from, to)`, `path(way, from, to)`, `joined(way, from, to)`."""
        asked, start = self._way(arguments[0]), self._spaces(arguments[1])
        if asked is None or start.type == WRONG:
            return MISTAKE
        way, values = asked
        here, there = (ir.Local(name=self.values.scope.fresh(end), type=way.over) for end in ("from", "to"))
        site = self.here.site(place)
        found = search(way, values, start, here, there, site)
        if name.text == "reach":
            return found
        several = name.text == "joined"
        goal = self._spaces(arguments[2]) if several else self.values.of(arguments[2], ir.Type("space"))
        if goal.type == WRONG:
            return MISTAKE
        if several:
            return meets(goal, found, site)
        return replace(found, goal=goal, type=ir.NUMBER if name.text == "price" else ir.list_of(way.over))

    def _way(self, place: nodes.Expression) -> tuple[Way, tuple[ir.Expression, ...]] | None:
        """A way with what it depends on, as `walking(p)`."""
        name = place.name if isinstance(place, (nodes.Call, nodes.Name)) else None
        ways = self.here.vocabulary.ways
        way = ways.get(name.text) if name is not None else None
        if name is None or way is None:
            advice = did_you_mean(name.text, list(ways), self.here.rule.language) if name else ""
            self.here.error("E0383", place, text=shown(place), help=advice or None)
            return None
        self.values.words.use(name)
        given = in_brackets(place.arguments) if isinstance(place, nodes.Call) else ()
        signature = Signature("define", way.name, way.parameters, ir.FLAG, way.span)
        values = self.values.arguments(signature, given, name)
        return None if values is None else (way, values)

    def _spaces(self, place: nodes.Expression) -> ir.Expression:
        """A space, or each of several."""
        one = ir.Type("space")
        found = self.values.build(place, one)
        wanted = ir.set_of(one) if found.type.tag == "set" else one
        return found if self.values.expect(found.type, wanted, place) else MISTAKE

    def sight(self, place: nodes.Sight) -> ir.Expression:
        start, end = (self.values.of(one, ir.Type("space")) for one in (place.start, place.goal))
        inner = self.values.inside()
        kind = start.type if start.type.tag == "space" else ir.Type("space")
        inside = inner.scope.add(place.name.text, kind)
        blocks = inner.flag(place.condition)
        return ir.Sight(start=start, end=end, variable=inside, blocks=blocks, site=self.here.site(place))
