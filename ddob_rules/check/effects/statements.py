"""From effect trees to typed statements: what is done, in what order, and who is asked or offered something.

Left out: what changes things, with the triggers that watch it (`changes`), and the questions themselves.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeGuard, assert_never

from ddob_rules.check.effects.assigning import assigning, read_assignment
from ddob_rules.check.effects.changes import Block, Changes, for_all
from ddob_rules.check.effects.endings import Endings
from ddob_rules.check.effects.questions import Land, Questions, question_of
from ddob_rules.check.effects.sealed import check_sealed, revealed, sealed_loop
from ddob_rules.check.knowing import with_known_names
from ddob_rules.check.scope import (
    WRONG,
    Here,
    Scope,
    Signature,
    locals_of,
)
from ddob_rules.check.type_names import type_of
from ddob_rules.check.values.expressions import Expressions
from ddob_rules.check.values.written import shown
from ddob_rules.syntax.nodes import Leaf, Node
from ddob_rules.syntax.nodes import effects as nodes
from ddob_rules.syntax.nodes.expressions import (
    Attribute,
    AttributeFor,
    Base,
    Call,
    Expression,
    Name,
    Negation,
)
from interpreter import ir
from interpreter.ir.walk import parts


class Statements:
    def __init__(self, here: Here, scope: Scope, actor: ir.Expression | None = None) -> None:
        self.here = here
        self.scope = scope
        self.words = here.vocabulary
        self.actor = actor  # who chooses when a rule does not say

    @property
    def values(self) -> Expressions:
        return Expressions(self.here, self.scope)

    @property
    def changes(self) -> Changes:
        return Changes(self.here, self.scope)

    def block(self, block: nodes.Block, scope: Scope | None = None) -> tuple[ir.Statement, ...]:
        """The effects of a block, in a scope of their own."""
        inner = Statements(self.here, scope or self.scope.inner(), self.actor)
        return tuple(built for statement in block.statements for built in inner.one(statement))

    def one(self, place: nodes.Statement) -> Block:
        """The statements that one effect becomes."""
        site = self.here.site(place)
        match place:
            case nodes.Let():
                return self._let(place)
            case nodes.Set():
                return self._set(place)
            case nodes.Increase():
                return self.changes.change(place.target, "+", place.amount, place)
            case nodes.Decrease():
                return self.changes.change(place.target, "-", place.amount, place)
            case nodes.Flip():
                return self.changes.flip(place)
            case nodes.FlipFace():
                return self.changes.flip_face(place)
            case nodes.Mark() | nodes.Unmark():
                return self.changes.mark(place)
            case nodes.Put():
                return self.changes.put(place)
            case nodes.Remove():
                return self.changes.remove(place)
            case nodes.AddTo():
                return self.changes.join(place, "union")
            case nodes.RemoveFrom():
                return self.changes.join(place, "minus")
            case nodes.Shuffle():
                return [ir.Shuffle(pile=self.values.of(place.pile, ir.Type("pile")), site=site)]
            case nodes.RollPieces():
                return self.changes.roll_pieces(place)
            case nodes.Perform():
                return self.perform(place.call, place)
            case (
                nodes.Wins() | nodes.NobodyWins() | nodes.EveryoneWins() | nodes.Loses()
                | nodes.EveryoneLoses() | nodes.Rank()
            ):  # fmt: skip
                return Endings(self.here, self.scope).of(place)
            case nodes.Takes() | nodes.TakesAll() | nodes.MayTake() | nodes.MayTakeUpTo():
                return self._offer(place)
            case nodes.Say():
                return [ir.Say(text=self.values.text(place.text), site=site)]
            case nodes.Refuse():
                return [ir.Refuse(text=self.values.text(place.text), site=site)]
            case nodes.Todo():
                self.here.error("W0202", place, text=place.text.text)
                return [ir.Todo(text=place.text.text[1:-1], site=site)]
            case nodes.Give():
                return self._give(place)
            case nodes.DiceShow():  # in an example: what the next dice show
                shows = [self.values.of(face) for face in place.faces.values]
                return [ir.Answer(value=value, site=site, roll=True) for value in shows]
            case nodes.Stop():
                return [ir.Leave(what="procedure", site=site)]
            case nodes.EndPhase():
                return [ir.Leave(what="phase", site=site)]
            case nodes.IfStatement():
                return self._if(place.condition, place.block, place.otherwise, site)
            case nodes.ForEach():
                return self._for_each_or(place)
            case nodes.Assign():
                return self._assignment(place)
            case nodes.Repeat():
                return [self._repeat(place)]
            case nodes.Menu():
                return [self._menu(place)]
            case (
                nodes.ChooseThen() | nodes.ChooseEach() | nodes.ChooseWhether() | nodes.PickThen()
                | nodes.PickRandomThen() | nodes.DrawThen()
            ):  # fmt: skip
                return self._ask_then(place)
            case nodes.Answer():
                return [ir.Answer(value=self.values.of(place.value), site=site)]
            case nodes.Take():
                return self._take(place)
            case nodes.Play():
                return []  # examples look for it themselves
            case nodes.RunPhase():
                return self._run_phase(place)
            case nodes.RunTurn():
                return [ir.Perform(name="turn", arguments=(), site=site)]
            case _:
                assert_never(place)

    def _set(self, place: nodes.Set) -> Block:
        target, ask = place.target, place.value
        if not isinstance(target, (Name, Attribute, AttributeFor)):
            self.here.error("E0205", target, text=shown(target))
            return []
        kind = self.changes.target_type(target)
        if self._worked_out(ask):
            return self.changes.assign(target, self.values.of(ask, kind if kind != WRONG else None), place)
        before, answer = self._answered(ask, kind)
        return [*before, *self.changes.assign(target, answer, place)]

    # ------------------------------------------------------------ calling

    def perform(self, item: Expression, place: Node) -> Block:
        """A call as an effect."""
        site = self.here.site(place)
        if isinstance(item, Base):
            base = self.here.base
            doing = base is not None and (base.sort in ("procedure", "action") or base.type == ir.EFFECT)
            if base is None or not doing:
                self.here.error("E0214", item)
                return []
            before = f"table {base.name}" if base.sort == "table" else base.name
            called = ir.Perform(name=before, arguments=locals_of(base.parameters), site=site)
            return self._and_forget(called, base.type)
        name, arguments = called_with(item)
        if name is None:
            self.here.error("E0213", item, text=shown(item))
            return []
        inside = name.text
        signature = self.words.procedures.get(name.text)
        table = self.words.functions.get(name.text)
        if table is not None and table.sort == "table" and table.type == ir.EFFECT:
            signature, inside = table, f"table {name.text}"
        if signature is None:
            if table is not None or name.text in self.words.variables or name.text in self.scope.names:
                self.here.error("E0213", name, text=name.text)
            else:
                effects = [known.name for known in self.words.functions.values() if known.type == ir.EFFECT]
                self.here.unknown(name.text, name, [*self.words.procedures, *effects])
            return []
        self.words.use(name, signature.type)
        values = self.values.arguments(signature, arguments, name)
        if values is None:
            return []
        return self._and_forget(ir.Perform(name=inside, arguments=values, site=site), signature.type)

    def _and_forget(self, call: ir.Perform, kind: ir.Type) -> Block:
        """A call as an effect; a result that nobody reads must not be taken for another one."""
        if kind == ir.EFFECT:
            return [call]
        return [call, ir.Let(name=self.scope.fresh("unread"), value=given(kind), site=call.site)]

    def _offer(self, place: nodes.Takes | nodes.TakesAll | nodes.MayTake | nodes.MayTakeUpTo) -> Block:
        player = self.values.of(place.player, ir.PLAYER)
        count: ir.Expression | None = None
        if isinstance(place, (nodes.Takes, nodes.MayTakeUpTo)):
            count = self.values.number(place.number)
        group = place.phase.text if place.phase is not None else self.here.phase
        if not group:
            self.here.error("E0408", place)
            return []
        self.words.groups[group] = (place.phase or place).span
        optional = isinstance(place, (nodes.MayTake, nodes.MayTakeUpTo))
        site = self.here.site(place)
        return [ir.Offer(player=player, group=group, count=count, optional=optional, site=site)]

    def _take(self, place: nodes.Take) -> Block:
        name, arguments = called_with(place.action)
        signature = self.words.actions.get(name.text) if name is not None else None
        if name is None or signature is None:
            self.here.unknown(shown(place.action), place.action, list(self.words.actions))
            return []
        self.words.note(name, "action")
        values = self.values.arguments(signature, arguments, name)
        player: ir.Expression = ir.Const(value=-1, type=ir.PLAYER)
        if place.player is not None:
            player = self.values.of(place.player, ir.PLAYER)
        if values is None:
            return []
        return [ir.Take(action=name.text, player=player, arguments=values, site=self.here.site(place))]

    def _run_phase(self, place: nodes.RunPhase) -> Block:
        name = place.name
        parameters = self.words.phases.get(name.text)
        if parameters is None:
            self.here.unknown(name.text, name, list(self.words.phases))
            return []
        if name.text in self.words.called_phases:
            return self._run_called(place, parameters)
        given = () if place.player is None else (place.player,)
        if place.arguments is not None:
            given = (*place.arguments.values, *given)
        if len(parameters) != len(given):
            self.here.error("E0203", name, name=name.text, needed=len(parameters), given=len(given))
            return []
        arguments = tuple(self.values.of(one, p.type) for one, p in zip(given, parameters, strict=True))
        return [ir.Perform(name=f"phase {name.text}", arguments=arguments, site=self.here.site(place))]

    def _run_called(self, place: nodes.RunPhase, parameters: tuple[ir.Parameter, ...]) -> Block:
        """A phase that rules run, with what is in its brackets."""
        name = place.name
        given = place.arguments.values if place.arguments is not None else ()
        if place.player is not None:
            given = (*given, place.player)
        signature = Signature("procedure", name.text, parameters, ir.EFFECT, name.span)
        arguments = self.values.arguments(signature, given, name)
        if arguments is None:
            return []
        self.words.used.add(f"phase {name.text}")
        return [ir.Perform(name=f"run phase {name.text}", arguments=arguments, site=self.here.site(place))]

    # ------------------------------------------------------------ flow

    def _if(
        self,
        condition: Expression,
        block: nodes.Block,
        rest: tuple[nodes.Otherwise, ...],
        site: ir.Site,
    ) -> Block:
        otherwise: tuple[ir.Statement, ...] = ()
        match rest[:1]:
            case (nodes.OtherwiseIf() as first,):
                there = self.here.site(first)
                below = Statements(self.here, self._given(condition, False, *rest), self.actor)
                otherwise = tuple(below._if(first.condition, first.block, rest[1:], there))
            case (nodes.OtherwiseAll() as first,):
                otherwise = self.block(first.block, self._given(condition, False, first.block))
                for late in rest[1:]:
                    self.here.error("E0409", late)
        before, test = self._test(condition)
        then = self.block(block, self._given(condition, True, block))
        return [*before, ir.If(condition=test, then=then, otherwise=otherwise, site=site)]

    def _given(self, condition: Expression, holds: bool, *bodies: Node) -> Scope:
        """The scope of what is done only if a condition holds, or only if it does not."""
        return with_known_names(self.scope, self.values.known(condition, holds), *bodies)

    def _test(self, condition: Expression) -> tuple[Block, ir.Expression]:
        """A condition; one that is the result of a procedure, or that it is not so, is asked for first."""
        asked = condition.part if isinstance(condition, Negation) else condition
        if not self._performed(asked):
            return [], self.values.flag(condition)
        before, result = self._answered(asked, ir.FLAG)
        if asked is condition:
            return before, result
        return before, ir.Unary(operator="not", operand=result, type=ir.FLAG)

    def _for_each_or(self, place: nodes.ForEach) -> Block:
        """A loop, and what is done instead if there is nothing to go through."""
        loop: Block = [self._for_each(place)] if place.at_once is None else self._at_once(place)
        first = loop[0] if loop else None
        if place.otherwise is None:
            return loop
        otherwise = self._else(place.otherwise)
        if not isinstance(first, ir.ForEach):
            return []  # it was told why
        return [_unless_empty(first, tuple(loop), otherwise)]

    def _at_once(self, place: nodes.ForEach) -> Block:
        """All choose before anything that they choose is there to be seen."""
        inner = Statements(replace(self.here, sealed=True), self.scope, self.actor)
        known = len(self.words.problems)
        loop = inner._for_each(place)
        if not check_sealed(self.here, place) or len(self.words.problems) > known:
            return []
        if any(isinstance(part, ir.Perform) for part in parts(loop.body)):
            self.here.error("E0345", place, name=place.name.text)
            return []
        if loop.variable_type.tag not in ("piece", "space", "enum"):
            self.here.error("E0346", place.collection, text=shown(place.collection))
            return []
        thing = ir.Local(name=loop.variable, type=loop.variable_type)
        reveal: Block = []
        for name, value in revealed(self.here, loop):
            leaf = Leaf("NAME", name, place.name.span)
            now = self.values.get(thing, leaf)
            change = self.changes.assign_attribute(thing, leaf, value, place, place)
            differs = ir.Binary(operator="!=", left=now, right=value, type=ir.FLAG)
            reveal.append(
                ir.If(condition=differs, then=tuple(change), otherwise=(), site=self.here.site(place))
            )
        return [*sealed_loop(self.here, loop), replace(loop, body=tuple(reveal))]

    def _for_each(self, place: nodes.ForEach) -> ir.ForEach:
        source, element = self.values.collection(place.collection)
        scope = self.scope.inner()
        inside = scope.add(place.name.text, element)
        inner = Expressions(self.here, scope)
        where = inner.flag(place.condition) if place.condition is not None else None
        keys: list[tuple[ir.Expression, bool]] = []
        for item in place.ordering.keys if place.ordering is not None else ():
            key = inner.of(item.value)
            if key.type.tag not in ("number", "enum", "nothing"):
                self.here.error("E0202", item, text=shown(item), actual=str(key.type), wanted="number")
            keys.append((key, isinstance(item, nodes.Descending)))
        return ir.ForEach(
            variable=inside, variable_type=element, source=source, where=where, keys=tuple(keys),
            body=self.block(place.block, self._where(inner, place)), site=self.here.site(place),
        )  # fmt: skip

    def _where(self, values: Expressions, place: nodes.ForEach) -> Scope:
        """The scope of a loop's body: what is asked of each thing in the loop is known there."""
        if place.condition is None:
            return values.scope
        return with_known_names(values.scope, values.known(place.condition), place.block)

    def _assignment(self, place: nodes.Assign) -> Block:
        found = read_assignment(self.here, self.scope, place)
        if found is None:
            return []
        return assigning(found, self.block(place.block, found.inside))

    def _repeat(self, place: nodes.Repeat) -> ir.Repeat:
        return ir.Repeat(
            times=self.values.number(place.times),
            condition=self.values.flag(place.condition) if place.condition is not None else None,
            body=self.block(place.block),
            site=self.here.site(place),
        )

    def _menu(self, place: nodes.Menu) -> ir.Menu:
        cases = tuple(
            ir.MenuCase(
                label=self.values.text(case.text),
                condition=self.values.flag(case.condition) if case.condition is not None else None,
                body=self.block(case.block),
                site=self.here.site(case),
            )
            for case in place.cases
        )
        return ir.Menu(
            player=self._questions.player(place.player, place),
            prompt=self._questions.prompt(place.text),
            cases=cases,
            site=self.here.site(place),
        )

    def _ask_then(self, place: nodes.AskThen) -> Block:
        """Asks for one thing, then acts on it; otherwise if there is none, or none is chosen."""
        match place:
            case nodes.ChooseEach():
                return self._act_on_each(place)
            case nodes.PickThen(number=number) | nodes.PickRandomThen(number=number) if number is not None:
                return self._act_on_each(place)
            case nodes.DrawThen(number=number) if number is not None:
                return self._act_on_each(place)
        asked, scope, found = self._questions.then(place)
        otherwise = self._else(place.otherwise)
        body = self.block(place.block, scope)
        return [*asked, ir.If(condition=found, then=body, otherwise=otherwise, site=self.here.site(place))]

    def _else(self, place: nodes.ElseBlock | None) -> tuple[ir.Statement, ...]:
        """What is done if there was nothing to ask for: a block, or the next thing to ask for."""
        match place:
            case None:
                return ()
            case nodes.OtherwiseAll(block=block):
                return self.block(block)
            case nodes.OtherwiseThen(statement=statement):
                return tuple(Statements(self.here, self.scope.inner(), self.actor).one(statement))

    def _act_on_each(
        self, place: nodes.ChooseEach | nodes.PickThen | nodes.PickRandomThen | nodes.DrawThen
    ) -> Block:
        """Asks for several things, then acts on each; otherwise if there is none."""
        before, chosen = self._answered(question_of(place))
        otherwise = self._else(place.otherwise)
        scope = self.scope.inner()
        element = chosen.type.element or WRONG
        each = ir.Local(name=scope.add(place.name.text, element), type=element)
        loop = for_all(each, chosen, self.block(place.block, scope), self.here.site(place))
        return [*before, _unless_empty(loop, (loop,), otherwise) if otherwise else loop]

    # ------------------------------------------------------------ asking

    @property
    def _questions(self) -> Questions:
        return Questions(self.here, self.scope, self.actor)

    def _let(self, place: nodes.Let) -> Block:
        author, ask = place.name.text, place.value
        kind = type_of(self.here, place.type) if place.type is not None else None
        if self._worked_out(ask):
            value = self.values.of(ask, kind)
            name = self.scope.add(author, kind or value.type)
            return [ir.Let(name=name, value=value, site=self.here.site(place))]

        def land(found: ir.Type) -> str:
            self.values.expect(found, kind or found, ask)
            return self.scope.add(author, kind or found)

        return self._ask(ask, land)

    def _worked_out(self, ask: nodes.Ask) -> TypeGuard[Expression]:
        """Whether this is a value as it stands: it asks nobody, and nothing is carried out for it."""
        return not isinstance(ask, (nodes.Question, nodes.RunPhase)) and not self._performed(ask)

    def _performed(self, ask: Expression) -> bool:
        """Whether this is a call of a procedure, which is carried out for its result."""
        if isinstance(ask, Base):
            return self.here.base is not None and self.here.base.sort == "procedure"
        name, _ = called_with(ask)
        return name is not None and name.text not in self.scope.names and name.text in self.words.procedures

    def _answered(self, ask: nodes.Ask, kind: ir.Type | None = None) -> tuple[Block, ir.Local]:
        """What asks, and a local of ours that holds the answer."""
        name = self.scope.fresh("answer")
        answers: list[ir.Type] = []

        def land(found: ir.Type) -> str:
            if kind is not None:
                self.values.expect(found, kind, ask)
            answers.append(kind or found)
            return name

        before = self._ask(ask, land)
        return before, ir.Local(name=name, type=answers[0])

    def _ask(self, ask: nodes.Ask, land: Land) -> Block:
        if isinstance(ask, nodes.Question):
            return self._questions.ask(ask, land)
        called = self._run_phase(ask) if isinstance(ask, nodes.RunPhase) else self.perform(ask, ask)
        call = called[0] if called else None
        kind = self._result_type(ask)
        if not isinstance(call, ir.Perform) or kind is None:
            land(WRONG)
            return []
        return [replace(call, gives=kind), ir.Let(name=land(kind), value=given(kind), site=call.site)]

    def _result_type(self, item: Expression | nodes.RunPhase) -> ir.Type | None:
        """What the procedure that is called gives, or the phase; None after a mistake."""
        if isinstance(item, nodes.RunPhase):
            if item.name.text in self.words.phases and item.name.text not in self.words.phase_results:
                self.here.error("E0414", item, text=shown(item))
            return self.words.phase_results.get(item.name.text)
        base = self.here.base if isinstance(item, Base) else None
        name, _ = called_with(item)
        signature = base or (self.words.procedures.get(name.text) if name is not None else None)
        if signature is None:
            return None
        if signature.type == ir.EFFECT:
            self.here.error("E0414", item, text=shown(item))
            return None
        return signature.type

    def _give(self, place: nodes.Give) -> Block:
        if self.here.result in (None, ir.EFFECT):
            self.here.error("E0413", place)
            return []
        site, ask = self.here.site(place), place.value
        if self._worked_out(ask):
            return [ir.Give(value=self.values.of(ask, self.here.result), site=site)]
        before, answer = self._answered(ask, self.here.result)
        return [*before, ir.Give(value=answer, site=site)]


def called_with(item: Expression) -> tuple[Leaf | None, tuple[Expression, ...]]:
    """The name and the arguments of a call; no name if it is something else."""
    match item:
        case Call(name=name, arguments=arguments):
            return name, arguments.values if arguments is not None else ()
        case Name(name=name):
            return name, ()
        case _:
            return None, ()


def _unless_empty(
    loop: ir.ForEach, then: tuple[ir.Statement, ...], otherwise: tuple[ir.Statement, ...]
) -> ir.If:
    """What is done if the loop has something to go through, and what if not."""
    found = ir.Quantify(
        gather="some", variable=loop.variable, variable_type=loop.variable_type, source=loop.source,
        where=loop.where, body=None, type=ir.FLAG, site=loop.site,
    )  # fmt: skip
    return ir.If(condition=found, then=then, otherwise=otherwise, site=loop.site)


def given(kind: ir.Type) -> ir.Expression:
    """The result of the procedure that was just called."""
    return ir.Builtin(name="given", arguments=(), type=kind)
