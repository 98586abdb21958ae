"""From what rules ask for to typed statements: choices, random picks, picks by a priority, draws and rolls.

Where the answer goes is the caller's business; it says so with a function from the answer's type to a
local.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import assert_never

from ddob_rules.check.editions import both, negated
from ddob_rules.check.scope import MISTAKE, WRONG, Here, Scope
from ddob_rules.check.values.expressions import Expressions
from ddob_rules.check.values.needs import listed
from ddob_rules.syntax.nodes import Leaf, Node
from ddob_rules.syntax.nodes import effects as nodes
from ddob_rules.syntax.nodes.expressions import Binding, Bound, Expression, Unbound
from interpreter import ir
from interpreter.ir.walk import parts

#: Takes the type of an answer and gives the local that it is left in.
Land = Callable[[ir.Type], str]

#: The questions about a collection.
_About = nodes.ChooseOne | nodes.ChooseSome | nodes.ChooseOrder | nodes.PickRandom | nodes.PickBy
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
        match ask:
            case nodes.ChooseOne():
                amount: ir.Amount = "one or none" if ask.or_none is not None else "one"
                asked = self._choose(ask, ask.by_whom, land(over.element), amount, over)
                return [replace(asked, reasons=self._reasons(ask.refusals, ask.binding, over))]
            case nodes.ChooseSome():
                low, high = self._bounds(ask.how_many)
                asked = self._choose(ask, ask.by_whom, land(many), "some", over, low, high)
                asked = replace(asked, such_that=self._such_that(ask.such_that, asked.target))
                return [replace(asked, reasons=self._reasons(ask.refusals, ask.binding, over))]
            case nodes.ChooseOrder():
                order = ir.list_of(over.element) if over.element != WRONG else WRONG
                return [self._choose(ask, ask.by_whom, land(order), "order", over)]
            case nodes.PickRandom():
                return self._pick_random(ask, land, over, many)
            case nodes.PickBy():
                return self._pick_by(ask, land, over)
            case _:
                assert_never(ask)

    def _such_that(self, place: Expression | None, target: str) -> ir.Expression | None:
        """A condition on all that is chosen, by the name that the answer is given."""
        if place is None:
            return None
        condition = self.values.flag(place)
        named = any(isinstance(part, ir.Local) and part.name == target for part in parts(condition))
        if condition.type != WRONG and not named:
            self.here.error("E0388", place)
        return condition

    def _reasons(self, refusals: nodes.Refusals, binding: Binding, over: _Over) -> tuple[ir.Reason, ...]:
        """Why a thing is not offered, by its name in the question, and beside the name of the answer."""
        scope = self.scope.inner()
        scope.names[_name_of(binding)] = (over.variable, over.element)
        values = Expressions(self.here, scope)
        return tuple(reason for line in refusals.lines for reason in self._reason(values, line))

    def _reason(self, values: Expressions, line: nodes.RefusalLine) -> Iterator[ir.Reason]:
        if isinstance(line, nodes.RefusalBy):
            yield from self._first_that_fails(values, line)
            return
        refs = line.reason.refs
        yield ir.Reason(
            text=values.text(line.reason.text),
            condition=values.flag(line.condition) if line.condition is not None else None,
            rules=tuple(number.text for number in refs.numbers) if refs is not None else (self.here.rule.id,),
            site=self.here.site(line),
        )

    def _first_that_fails(self, values: Expressions, line: nodes.RefusalBy) -> Iterator[ir.Reason]:
        """A reason for each line of a definition, told where those before it hold."""
        before = values.flag(line.condition) if line.condition is not None else None
        asked, found = values.flag(line.definition), listed(values, line.definition)
        if found is None and asked.type != WRONG:
            self.here.error("E0255", line.definition)
        for one in found or ():
            told = one.condition
            if told.reason is not None:
                fails = both(before, negated(told.test))
                yield ir.Reason(text=told.reason, condition=fails, rules=told.rules, site=told.site)
            before = both(before, told.test)

    def _bounds(self, how_many: nodes.HowMany) -> tuple[ir.Expression, ir.Expression | None]:
        """How many things are chosen: at least, and at most if there is a limit."""
        zero = ir.Const(value=0, type=ir.NUMBER)
        match how_many:
            case nodes.JustSoMany(number=number):
                exactly = self.values.number(number)
                return exactly, exactly
            case nodes.UpToSoMany(number=number):
                return zero, self.values.number(number)
            case nodes.SoManyTo(low=low, high=high):
                return self.values.number(low), self.values.number(high)
            case nodes.AtLeastSoMany(number=number):
                return self.values.number(number), None
            case nodes.AnyNumber():
                return zero, None
            case _:
                assert_never(how_many)

    def then(self, place: nodes.AskThen) -> tuple[list[ir.Statement], Scope, ir.Expression]:
        """One thing to act on: the question, the scope in which it has its name, and whether there is one."""
        scope = self.scope.inner()
        if isinstance(place, nodes.ChooseWhether):
            answer = ir.Local(name=scope.fresh("answer"), type=ir.FLAG)
            return self.ask(question_of(place), lambda _: answer.name), scope, answer
        name = place.name
        inside = scope.add(name.text, WRONG)

        def land(found: ir.Type) -> str:
            scope.names[name.text] = (inside, found)
            return inside

        asked = self.ask(question_of(place), land)
        kind = scope.names[name.text][1]
        if kind.tag not in ("enum", "piece", "space", "edge", "nothing"):
            self.here.error("E0202", name, text=name.text, actual=str(kind), wanted="piece, space or value")
        nothing = ir.Const(value=-1, type=ir.NOTHING)
        found = ir.Binary(operator="!=", left=ir.Local(name=inside, type=kind), right=nothing, type=ir.FLAG)
        return asked, scope, found

    def _over(self, binding: Binding) -> _Over:
        source, element = self.values.collection(binding.collection)
        scope = self.scope.inner()
        inside = scope.add(_name_of(binding), element)
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


def _name_of(binding: Binding) -> str:
    """What a thing is called in what is said of it."""
    return "it" if isinstance(binding, Unbound) else binding.name.text


def question_of(place: nodes.AskThen) -> Asked:
    """The question by itself, without what is done with its answer."""
    match place:
        case nodes.ChooseWhether(by_whom=by_whom):
            return nodes.ChooseYes(by_whom, span=place.span)
        case nodes.DrawThen(number=number, pile=pile):
            return nodes.Draw(number, pile, span=place.span)
    binding = Bound(place.name, place.collection, place.condition, span=place.span)
    match place:
        case nodes.ChooseThen(or_none=or_none, by_whom=by_whom, refusals=refusals):
            return nodes.ChooseOne(binding, or_none, by_whom, refusals, span=place.span)
        case nodes.ChooseEach(how_many=how_many, by_whom=by_whom, refusals=refusals):
            return nodes.ChooseSome(how_many, binding, None, by_whom, refusals, span=place.span)
        case nodes.PickThen(number=number, priority=priority, arguments=arguments):
            return nodes.PickBy(number, priority, arguments, binding, span=place.span)
        case nodes.PickRandomThen(number=number):
            return nodes.PickRandom(number, binding, span=place.span)
        case _:
            assert_never(place)
