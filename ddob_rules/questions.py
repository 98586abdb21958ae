"""From what rules ask for to typed statements: choices, random picks, picks by a priority, draws and rolls.

Where the answer goes is the caller's business; it says so with a function from the answer's type to a
local.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ddob_rules.expressions import Expressions
from ddob_rules.scope import MISTAKE, WRONG, Here, Scope
from ddob_rules.tree import Item, Leaf, Node, leaf, node
from interpreter import ir

#: Takes the type of an answer and gives the local that it is left in.
Land = Callable[[ir.Type], str]

#: The questions, and where each has the collection that it is about.
_COLLECTION = {
    "choose_one": 0, "choose_exactly": 1, "choose_up_to": 1, "choose_several": 0, "choose_order": 0,
    "pick_random": 1, "pick_by": 3,
}  # fmt: skip
ASKS = frozenset({*_COLLECTION, "choose_number", "choose_yes", "draw", "roll_one", "roll_many", "result_of"})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Over:
    """The collection that a question is about, with the local that stands for each of its things."""

    variable: str = ""
    source: ir.Expression | None = None
    where: ir.Expression | None = None
    element: ir.Type


class Questions:
    def __init__(self, here: Here, scope: Scope, actor: ir.Expression | None) -> None:
        self.here = here
        self.scope = scope
        self.words = here.vocabulary
        self.values = Expressions(here, scope)
        self.actor = actor  # who chooses when a rule does not say

    def player(self, item: Item, place: Node) -> ir.Expression:
        """The player that a rule names, or the only one it can mean."""
        if item is not None:
            return self.values.of(item, ir.PLAYER)
        if self.actor is not None:
            return self.actor
        if len(self.words.players) == 1:
            return ir.Const(value=0, type=ir.PLAYER)
        humans = [index for index, player in enumerate(self.words.players) if not player.automated]
        if len(humans) == 1:
            return ir.Const(value=humans[0], type=ir.PLAYER)
        self.here.error("E0410", place)
        return MISTAKE

    def prompt(self, item: Item) -> ir.Expression:
        return self.values.text(leaf(item)) if item is not None else ir.Const(value="", type=ir.TEXT)

    def ask(self, ask: Node, land: Land, own_name: str) -> list[ir.Statement]:
        """The statements of a question; inside it, `own_name` stands for what can be the answer."""
        match ask.kind:
            case "draw":
                return self._draw(ask, land)
            case "roll_one" | "roll_many":
                return self._roll(ask, land)
            case "choose_number":
                low, high = self.values.number(ask.items[0]), self.values.number(ask.items[1])
                over = _Over(element=ir.NUMBER)
                return [self._choose(ask, ask.items[2], land(ir.NUMBER), "number", over, low, high)]
            case "choose_yes":
                over = _Over(element=ir.FLAG)
                return [self._choose(ask, ask.items[0], land(ir.FLAG), "yes", over)]
            case _:
                return self._about(ask, land, own_name)

    def _draw(self, ask: Node, land: Land) -> list[ir.Statement]:
        pile = self.values.of(ask.items[1], ir.Type("pile"))
        element = WRONG if pile.type == WRONG else ir.Type("piece", self.values.pile_kinds(pile.type))
        count = self.values.number(ask.items[0]) if ask.items[0] is not None else None
        found = element if count is None else ir.list_of(element)
        return [ir.DrawFrom(target=land(found), pile=pile, count=count, type=found, site=self.here.site(ask))]

    def _roll(self, ask: Node, land: Land) -> list[ir.Statement]:
        name = leaf(ask.items[-1])
        dice = self.words.dice.get(name.text)
        if dice is None:
            self.here.unknown(name.text, name, list(self.words.dice))
            land(WRONG)
            return []
        self.words.used.add(name.text)
        count = self.values.number(ask.items[0]) if ask.kind == "roll_many" else None
        found = dice.type if count is None else ir.list_of(dice.type)
        return [
            ir.Roll(target=land(found), dice=name.text, count=count, type=found, site=self.here.site(ask))
        ]

    def _about(self, ask: Node, land: Land, own_name: str) -> list[ir.Statement]:
        """The questions about a collection: choose from it, pick from it."""
        items = ask.items
        over = self._over(node(items[_COLLECTION[ask.kind]]), own_name)
        many = ir.set_of(over.element) if over.element != WRONG else WRONG
        zero = ir.Const(value=0, type=ir.NUMBER)
        match ask.kind:
            case "choose_one":
                amount: ir.Amount = "one or none" if items[1] is not None else "one"
                return [self._choose(ask, items[2], land(over.element), amount, over)]
            case "choose_exactly" | "choose_up_to":
                high = self.values.number(items[0])
                low = high if ask.kind == "choose_exactly" else zero
                return [self._choose(ask, items[2], land(many), "some", over, low, high)]
            case "choose_several":
                return [self._choose(ask, items[1], land(many), "some", over, zero)]
            case "choose_order":
                order = ir.list_of(over.element) if over.element != WRONG else WRONG
                return [self._choose(ask, items[1], land(order), "order", over)]
            case "pick_random":
                return self._pick_random(ask, land, over, many)
            case _:
                return self._pick_by(ask, land, over)

    def _over(self, binding: Node, own_name: str) -> _Over:
        source, element = self.values.collection(binding.items[-2])
        scope = self.scope.inner()
        if binding.kind == "bound":
            inside = scope.add(leaf(binding.items[0]).text, element)
        else:
            inside = scope.add("it", element)
            scope.names[own_name] = (inside, element)
        where_item = binding.items[-1]
        where = Expressions(self.here, scope).flag(where_item) if where_item is not None else None
        return _Over(variable=inside, source=source, where=where, element=element)

    def _pick_random(self, ask: Node, land: Land, over: _Over, many: ir.Type) -> list[ir.Statement]:
        assert over.source is not None
        count = self.values.number(ask.items[0]) if ask.items[0] is not None else None
        found = over.element if count is None else many
        return [
            ir.RandomPick(
                target=land(found), variable=over.variable, source=over.source, where=over.where, count=count,
                type=found, site=self.here.site(ask),
            )
        ]  # fmt: skip

    def _pick_by(self, ask: Node, land: Land, over: _Over) -> list[ir.Statement]:
        assert over.source is not None
        count_item, name_item, arguments_item, _ = ask.items
        name = leaf(name_item)
        count = self.values.number(count_item) if count_item is not None else None
        found = over.element if count is None or over.element == WRONG else ir.list_of(over.element)
        target = land(found)
        values = self._priority_arguments(name, arguments_item, over, ask)
        if values is None:
            return []
        return [
            ir.PickBy(
                target=target, priority=name.text, arguments=values, variable=over.variable,
                source=over.source, where=over.where, count=count, type=found, site=self.here.site(ask),
            )
        ]  # fmt: skip

    def _priority_arguments(
        self, name: Leaf, item: Item, over: _Over, ask: Node
    ) -> tuple[ir.Expression, ...] | None:
        signature = self.words.priorities.get(name.text)
        if signature is None:
            self.here.unknown(name.text, name, list(self.words.priorities))
            return None
        self.words.used.add(name.text)
        self.values.expect(over.element, signature.type, node(ask.items[_COLLECTION["pick_by"]]))
        arguments = node(item).items if item is not None else ()
        return self.values.arguments(signature, arguments, name)

    def _choose(
        self,
        ask: Node,
        by: Item,
        target: str,
        amount: ir.Amount,
        over: _Over,
        low: ir.Expression | None = None,
        high: ir.Expression | None = None,
    ) -> ir.Choose:
        player, prompt = node(by).items if by is not None else (None, None)
        return ir.Choose(
            target=target, amount=amount, variable=over.variable, source=over.source,
            where=over.where, low=low, high=high, player=self.player(player, ask), prompt=self.prompt(prompt),
            type=over.element, site=self.here.site(ask),
        )  # fmt: skip
