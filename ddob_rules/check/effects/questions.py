"""From what rules ask for to typed statements: choices, random picks, picks by a priority, draws and rolls.

Where the answer goes is the caller's business; it says so with a function from the answer's type to a
local.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import assert_never

from ddob_rules.check.scope import MISTAKE, WRONG, Here, Scope
from ddob_rules.check.values.expressions import Expressions
from ddob_rules.syntax.nodes import Leaf, Node
from ddob_rules.syntax.nodes import effects as nodes
from ddob_rules.syntax.nodes.expressions import Binding, Expression, Unbound
from interpreter import ir

#: Takes the type of an answer and gives the local that it is left in.
Land = Callable[[ir.Type], str]

#: The questions about a collection.
_About = (
    nodes.ChooseOne
    | nodes.ChooseExactly
    | nodes.ChooseUpTo
    | nodes.ChooseBetween
    | nodes.ChooseAtLeast
    | nodes.ChooseSeveral
    | nodes.ChooseOrder
    | nodes.PickRandom
    | nodes.PickBy
)
#: Those that read as an expression of their own; calls of procedures are the business of `statements`.
Asked = _About | nodes.ChooseNumber | nodes.ChooseYes | nodes.Draw | nodes.RollOne | nodes.RollMany


@dataclass(frozen=True, slots=True, kw_only=True)
class _Over:
    """The collection that a question is about, with the local that stands for each of its things."""

    variable: str = ""
    source: ir.Expression | None = None
    where: ir.Expression | None = None
    element: ir.Type

    @property
    def listed(self) -> bool:
        return self.source is not None and self.source.type.tag == "list"


class Questions:
    def __init__(self, here: Here, scope: Scope, actor: ir.Expression | None) -> None:
        self.here = here
        self.scope = scope
        self.words = here.vocabulary
        self.values = Expressions(here, scope)
        self.actor = actor  # who chooses when a rule does not say

    def player(self, stated: Expression | None, place: Node) -> ir.Expression:
        """The player that a rule names, or the only one it can mean."""
        if stated is not None:
            return self.values.of(stated, ir.PLAYER)
        if self.actor is not None:
            return self.actor
        if len(self.words.players) == 1:
            return ir.Const(value=0, type=ir.PLAYER)
        humans = [index for index, player in enumerate(self.words.players) if not player.automated]
        if len(humans) == 1:
            return ir.Const(value=humans[0], type=ir.PLAYER)
        self.here.error("E0410", place)
        return MISTAKE

    def prompt(self, text: Leaf | None) -> ir.Expression:
        return self.values.text(text) if text is not None else ir.Const(value="", type=ir.TEXT)

    def ask(self, ask: Asked, land: Land) -> list[ir.Statement]:
        """The statements of a question."""
        match ask:
            case nodes.Draw():
                return self._draw(ask, land)
            case nodes.RollOne():
                return self._roll(ask, None, land)
            case nodes.RollMany():
                return self._roll(ask, ask.number, land)
            case nodes.ChooseNumber():
                low, high = self.values.number(ask.low), self.values.number(ask.high)
                over = _Over(element=ir.NUMBER)
                return [self._choose(ask, ask.by_whom, land(ir.NUMBER), "number", over, low, high)]
            case nodes.ChooseYes():
                over = _Over(element=ir.FLAG)
                return [self._choose(ask, ask.by_whom, land(ir.FLAG), "yes", over)]
            case _:
                return self._about(ask, land)

    def _number(self, place: Expression | None) -> ir.Expression | None:
        return self.values.number(place) if place is not None else None

    def _draw(self, ask: nodes.Draw, land: Land) -> list[ir.Statement]:
        pile = self.values.of(ask.pile, ir.Type("pile"))
        element = WRONG if pile.type == WRONG else ir.Type("piece", self.values.pile_kinds(pile.type))
        count = self._number(ask.number)
        found = element if count is None else ir.list_of(element)
        return [ir.DrawFrom(target=land(found), pile=pile, count=count, type=found, site=self.here.site(ask))]

    def _roll(
        self, ask: nodes.RollOne | nodes.RollMany, number: Expression | None, land: Land
    ) -> list[ir.Statement]:
        name = ask.dice
        dice = self.words.dice.get(name.text)
        if dice is None:
            self.here.unknown(name.text, name, list(self.words.dice))
            land(WRONG)
            return []
        self.words.use(name, dice.type)
        count = self._number(number)
        found = dice.type if count is None else ir.list_of(dice.type)
        return [
            ir.Roll(
                target=land(found), dice=name.text, count=count, type=found, site=self.here.site(ask),
                title=self.values.text(ask.title) if ask.title is not None else None,
            )
        ]  # fmt: skip

    def _about(self, ask: _About, land: Land) -> list[ir.Statement]:
        """The questions about a collection: choose from it, pick from it."""
        over = self._over(ask.binding)
        # A list may have a thing twice, and so may what is chosen from it.
        many = ir.list_of(over.element) if over.listed else ir.set_of(over.element)
        many = many if over.element != WRONG else WRONG
        zero = ir.Const(value=0, type=ir.NUMBER)
        match ask:
            case nodes.ChooseOne():
                amount: ir.Amount = "one or none" if ask.or_none is not None else "one"
                return [self._choose(ask, ask.by_whom, land(over.element), amount, over)]
            case nodes.ChooseExactly():
                high = self.values.number(ask.number)
                return [self._choose(ask, ask.by_whom, land(many), "some", over, high, high)]
            case nodes.ChooseUpTo():
                high = self.values.number(ask.number)
                return [self._choose(ask, ask.by_whom, land(many), "some", over, zero, high)]
            case nodes.ChooseBetween():
                low, high = self.values.number(ask.low), self.values.number(ask.high)
                return [self._choose(ask, ask.by_whom, land(many), "some", over, low, high)]
            case nodes.ChooseAtLeast():
                low = self.values.number(ask.number)
                return [self._choose(ask, ask.by_whom, land(many), "some", over, low)]
            case nodes.ChooseSeveral():
                return [self._choose(ask, ask.by_whom, land(many), "some", over, zero)]
            case nodes.ChooseOrder():
                order = ir.list_of(over.element) if over.element != WRONG else WRONG
                return [self._choose(ask, ask.by_whom, land(order), "order", over)]
            case nodes.PickRandom():
                return self._pick_random(ask, land, over, many)
            case nodes.PickBy():
                return self._pick_by(ask, land, over)
            case _:
                assert_never(ask)

    def one(self, place: nodes.ChooseThen) -> tuple[ir.Choose, Scope, ir.Expression]:
        """One thing to act on: the question, the scope in which it has its name, and whether there is one."""
        source, element = self.values.collection(place.collection)
        scope = self.scope.inner()
        chosen = ir.Local(name=scope.add(place.name.text, element), type=element)
        over = self._where(place, source, element)
        if over.element.tag not in ("enum", "piece", "space", "edge", "nothing"):
            wanted = "piece, space or value"
            self.values.here.error(
                "E0202", place.name, text=place.name.text, actual=str(over.element), wanted=wanted
            )
        amount: ir.Amount = "one or none" if place.or_none is not None else "one"
        nothing = ir.Const(value=-1, type=ir.NOTHING)
        found = ir.Binary(operator="!=", left=chosen, right=nothing, type=ir.FLAG)
        return self._choose(place, place.by_whom, chosen.name, amount, over), scope, found

    def _over(self, binding: Binding) -> _Over:
        return self._where(binding, *self.values.collection(binding.collection))

    def _where(self, binding: Binding | nodes.ChooseThen, source: ir.Expression, element: ir.Type) -> _Over:
        scope = self.scope.inner()
        inside = scope.add("it" if isinstance(binding, Unbound) else binding.name.text, element)
        where = (
            Expressions(self.here, scope).flag(binding.condition) if binding.condition is not None else None
        )
        return _Over(variable=inside, source=source, where=where, element=element)

    def _pick_random(
        self, ask: nodes.PickRandom, land: Land, over: _Over, many: ir.Type
    ) -> list[ir.Statement]:
        assert over.source is not None
        count = self._number(ask.number)
        found = over.element if count is None else many
        return [
            ir.RandomPick(
                target=land(found), variable=over.variable, source=over.source, where=over.where, count=count,
                type=found, site=self.here.site(ask),
            )
        ]  # fmt: skip

    def _pick_by(self, ask: nodes.PickBy, land: Land, over: _Over) -> list[ir.Statement]:
        assert over.source is not None
        count = self._number(ask.number)
        found = over.element if count is None or over.element == WRONG else ir.list_of(over.element)
        target = land(found)
        values = self._priority_arguments(ask, over)
        if values is None:
            return []
        return [
            ir.PickBy(
                target=target, priority=ask.priority.text, arguments=values, variable=over.variable,
                source=over.source, where=over.where, count=count, type=found, site=self.here.site(ask),
            )
        ]  # fmt: skip

    def _priority_arguments(self, ask: nodes.PickBy, over: _Over) -> tuple[ir.Expression, ...] | None:
        name = ask.priority
        signature = self.words.priorities.get(name.text)
        if signature is None:
            self.here.unknown(name.text, name, list(self.words.priorities))
            return None
        self.words.use(name, signature.type)
        self.values.expect(over.element, signature.type, ask.binding)
        arguments = ask.arguments.values if ask.arguments is not None else ()
        return self.values.arguments(signature, arguments, name)

    def _choose(
        self,
        ask: Node,
        by: nodes.ByWhom,
        target: str,
        amount: ir.Amount,
        over: _Over,
        low: ir.Expression | None = None,
        high: ir.Expression | None = None,
    ) -> ir.Choose:
        return ir.Choose(
            target=target, amount=amount, variable=over.variable, source=over.source,
            where=over.where, low=low, high=high, player=self.player(by.player, ask),
            prompt=self.prompt(by.text), type=over.element, site=self.here.site(ask),
        )  # fmt: skip
