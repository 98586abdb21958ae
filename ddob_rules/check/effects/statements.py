"""From effect trees to typed statements, with triggers put in where the change that they watch is made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeGuard, assert_never

from ddob_rules.check.effects.assigning import assigning, read_assignment
from ddob_rules.check.effects.endings import Endings
from ddob_rules.check.effects.questions import Land, Questions, question_of
from ddob_rules.check.effects.sealed import check_sealed, revealed, sealed_loop
from ddob_rules.check.scope import (
    FACE_UP,
    MISTAKE,
    WRONG,
    Here,
    Scope,
    Signature,
    Vocabulary,
    Watch,
    attribute_space,
    locals_of,
)
from ddob_rules.check.type_names import type_of
from ddob_rules.check.values.expressions import Expressions, shown
from ddob_rules.check.values.ranges import within
from ddob_rules.syntax.nodes import Leaf, Node, Tree
from ddob_rules.syntax.nodes import effects as nodes
from ddob_rules.syntax.nodes.expressions import (
    Attribute,
    AttributeFor,
    Base,
    Call,
    Expression,
    ListLiteral,
    Name,
    Negation,
    SetLiteral,
)
from interpreter import ir
from interpreter.ir.walk import parts

Block = list[ir.Statement]
#: What can be changed.
Target = Name | Attribute | AttributeFor


class Statements:
    def __init__(self, here: Here, scope: Scope, actor: ir.Expression | None = None) -> None:
        self.here = here
        self.scope = scope
        self.words = here.vocabulary
        self.actor = actor  # who chooses when a rule does not say

    @property
    def values(self) -> Expressions:
        return Expressions(self.here, self.scope)

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
                return self.change(place.target, "+", place.amount, place)
            case nodes.Decrease():
                return self.change(place.target, "-", place.amount, place)
            case nodes.Flip():
                return self._flip(place)
            case nodes.FlipFace():
                return self._flip_face(place)
            case nodes.Mark() | nodes.Unmark():
                value = ir.Const(value=isinstance(place, nodes.Mark), type=ir.FLAG)
                return self._assign_attribute(
                    self.values.of(place.target), place.name, value, place.name, place
                )
            case nodes.Put():
                what = self._one_or_all(place.things)
                where = self.values.of(place.place, ir.Type("space"))
                return self._move(what, where, place.where_to.word.text, place)
            case nodes.Remove():
                nowhere = ir.Const(value=-1, type=ir.Type("space"))
                return self._move(self._one_or_all(place.things), nowhere, "", place)
            case nodes.AddTo():
                return self._join(place, "union")
            case nodes.RemoveFrom():
                return self._join(place, "minus")
            case nodes.Shuffle():
                return [ir.Shuffle(pile=self.values.of(place.pile, ir.Type("pile")), site=site)]
            case nodes.RollPieces():
                return self._roll_pieces(place)
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

    # ------------------------------------------------------------ changing things

    def _set(self, place: nodes.Set) -> Block:
        target, ask = place.target, place.value
        if not isinstance(target, (Name, Attribute, AttributeFor)):
            self.here.error("E0205", target, text=shown(target))
            return []
        kind = self._target_type(target)
        if self._worked_out(ask):
            return self._assign(target, self.values.of(ask, kind if kind != WRONG else None), place)
        before, answer = self._answered(ask, kind)
        return [*before, *self._assign(target, answer, place)]

    def _target_type(self, target: Target) -> ir.Type:
        if isinstance(target, (Attribute, AttributeFor)):
            return self.values.of(target).type
        name = target.name.text
        if name in self.scope.names:
            return self.scope.names[name][1]
        if name in self.words.parts:
            return self.words.parts[name].type
        return self.words.variables[name].type if name in self.words.variables else WRONG

    def _assign(self, target: Target, value: ir.Expression, place: Node) -> Block:
        if isinstance(target, Attribute):
            return self._assign_attribute(self.values.of(target.owner), target.name, value, target, place)
        if isinstance(target, AttributeFor):
            return self._assign_for(target, value, place)
        name = target.name
        site = self.here.site(place)
        if name.text in self.scope.names:
            inside, kind = self.scope.names[name.text]
            self.words.note(name, "local", inside, kind)
            return [ir.SetLocal(name=inside, value=value, site=site)]
        if name.text in self.words.variables:
            self.words.used.add(f"set {name.text}")
            self.words.note(name, "name", type=self.words.variables[name.text].type)
            value = within(self.words.variables[name.text].bounds, value)
            return [ir.SetGlobal(name=name.text, value=value, site=site)]
        if name.text in self.words.parts:
            self.words.used.add(f"set {name.text}")
            return [ir.SetGlobal(name=self.words.parts[name.text].variable, value=value, site=site)]
        if name.text in self.words.functions or name.text in self.words.options:
            self.here.error("E0205", name, text=name.text)
        else:
            self.here.unknown(name.text, name, [*self.scope.names, *self.words.variables, *self.words.parts])
        return []

    def _assign_attribute(
        self, subject: ir.Expression, name: Leaf, value: ir.Expression, target: Tree, place: Node
    ) -> Block:
        found = self.values.get(subject, name)
        if WRONG in (found.type, value.type):
            return []
        if not isinstance(found, ir.Get) or found.fixed:
            self._fixed(name, target)
            return []
        if isinstance(place, (nodes.Mark, nodes.Unmark)) and found.type != ir.FLAG:
            self.here.error("E0202", name, text=name.text, actual=str(found.type), wanted="flag")
            return []
        space = attribute_space(subject.type)
        value = within(self.words.attributes[space or "", name.text].bounds, value)
        watches = self.words.watches.get((space or "", name.text), [])
        watches = [watch for watch in watches if _watches(watch, subject.type) and not self.here.sealed]
        site = self.here.site(place)

        def change(of: ir.Expression, to: ir.Expression) -> ir.Statement:
            return ir.SetAttribute(
                owner=found.owner, attribute=name.text, subject=of, value=to, site=site, enum=found.enum
            )

        if not watches:
            return [change(subject, value)]
        return self._watched(watches, subject, value, found, change, site)

    def _assign_for(self, target: AttributeFor, value: ir.Expression, place: Node) -> Block:
        """`set u.stores(r) to 3`: which of them it is may only be known when it happens."""
        subject = self.values.of(target.owner)
        key = self.values.key_of(subject, target)
        if key.type.tag != "enum" or WRONG in (subject.type, value.type):
            return []
        values = self.words.enums[key.type.names[0]].values
        if isinstance(key, ir.Const) and isinstance(key.value, int) and key.value >= 0:
            name = self.values.of_key(target, values[key.value])
            return self._assign_attribute(subject, name, value, target, place)
        site = self.here.site(place)
        kept = [
            ir.Local(name=self.scope.fresh(name), type=item.type)
            for name, item in (("who", subject), ("key", key), ("new", value))
        ]
        who, which, new = kept
        chosen: Block = []
        for index, text in reversed(list(enumerate(values))):
            right = ir.Const(value=index, type=key.type)
            meant = ir.Binary(operator="=", left=which, right=right, type=ir.FLAG)
            then = tuple(self._assign_attribute(who, self.values.of_key(target, text), new, target, place))
            if not then:
                return []  # it was told of the last one
            chosen = [ir.If(condition=meant, then=then, otherwise=tuple(chosen), site=site)]
        lets = [
            ir.Let(name=local.name, value=item, site=site)
            for local, item in zip(kept, (subject, key, value), strict=True)
        ]
        return [*lets, *chosen]

    def _fixed(self, name: Leaf, target: Tree) -> None:
        advice = None
        if name.text == "at":
            french = self.here.rule.language == "fr"
            advice = "déplacez une pièce avec `placer`" if french else "move a piece with `put`"
        self.here.error("E0205", target, text=shown(target), help=advice)

    def _watched(
        self,
        watches: list[Watch],
        subject: ir.Expression,
        value: ir.Expression,
        found: ir.Get | ir.Builtin,
        change: Callable[[ir.Expression, ir.Expression], ir.Statement],
        site: ir.Site,
    ) -> Block:
        """A change with triggers: instead of it, before it, after it."""
        who = ir.Local(name=self.scope.fresh("who"), type=subject.type)
        new = ir.Local(name=self.scope.fresh("new"), type=found.type)
        old = ir.Local(name=self.scope.fresh("old"), type=found.type)
        result: Block = [
            ir.Let(name=who.name, value=subject, site=site),
            ir.Let(name=new.name, value=value, site=site),
            ir.Let(name=old.name, value=_with_subject(found, who), site=site),
        ]
        differs = ir.Binary(operator="!=", left=old, right=new, type=ir.FLAG)
        fired = [(watch.timing, self._answer(watch, who, new, differs, site)) for watch in watches]
        body: Block = [statement for timing, statement in fired if timing == "before"]
        body.append(change(who, new))
        body.extend(statement for timing, statement in fired if timing == "after")
        for timing, statement in fired:
            if timing == "instead of":
                body = [replace(statement, otherwise=tuple(body))]
        return [*result, *body]

    def _answer(
        self, watch: Watch, subject: ir.Local, new: ir.Local, differs: ir.Expression, site: ir.Site
    ) -> ir.If:
        scope = Scope(taken=self.scope.taken)
        parameter = watch.parameters[0]
        scope.names[parameter.name] = (subject.name, subject.type)
        tests: list[ir.Expression] = []
        if parameter.type.names and not (
            subject.type.names and set(subject.type.names) <= set(parameter.type.names)
        ):
            tests.append(_of_kind(subject, parameter.type))
        tests.append(differs)
        # What a trigger says was checked where it stands; here it is only put in place.
        if watch.becomes is not None:
            there = Here(watch.rule, self.words, quiet=True)
            value = Expressions(there, scope).of(watch.becomes, new.type)
            tests.append(ir.Binary(operator="=", left=new, right=value, type=ir.FLAG))
        tests.extend(in_force(self.words, watch, scope, quiet=True))
        condition = tests[0]
        for test in tests[1:]:
            condition = ir.Binary(operator="and", left=condition, right=test, type=ir.FLAG)
        call = ir.Perform(name=watch.procedure, arguments=(subject,), site=site)
        return ir.If(condition=condition, then=(call,), otherwise=(), site=site)

    def change(self, target: Expression, sign: ir.Operator, amount: Expression, place: Node) -> Block:
        """What adds an amount to the target, or takes it away."""
        if not isinstance(target, (Name, Attribute, AttributeFor)):
            self.here.error("E0205", target, text=shown(target))
            return []
        before = self.values.number(target)
        by = self.values.number(amount)
        if before.type == WRONG:
            return []
        value = ir.Binary(operator=sign, left=before, right=by, type=ir.NUMBER, site=self.here.site(place))
        return self._assign(target, value, place)

    def _join(self, place: nodes.AddTo | nodes.RemoveFrom, operator: ir.Operator) -> Block:
        """What puts a thing, or several, into a set or a list that is kept, or takes it out of a set."""
        target = place.target
        if not isinstance(target, (Name, Attribute, AttributeFor)):
            self.here.error("E0205", target, text=shown(target))
            return []
        before = self.values.of(target)
        element = before.type.element
        if before.type == WRONG or element is None or (before.type.tag == "list" and operator == "minus"):
            if before.type != WRONG:
                self.here.error("E0253", target, text=shown(target), actual=str(before.type))
            return []
        several = isinstance(place.things, (SetLiteral, ListLiteral))
        found = self.values.near(place.things, before.type if several else element)
        if found.type.tag not in ("set", "list"):
            if not self.values.expect(found.type, element, place.things):
                return []
            found = _collected(found, before.type)
        elif not self.values.expect(found.type, before.type, place.things):
            return []
        value = ir.Binary(operator=operator, left=before, right=found, type=before.type)
        return self._assign(target, value, place)

    def _flip(self, place: nodes.Flip) -> Block:
        target = place.target
        if not isinstance(target, (Name, Attribute, AttributeFor)):
            self.here.error("E0205", target, text=shown(target))
            return []
        before = self.values.flag(target)
        if before.type == WRONG:
            return []
        return self._assign(target, ir.Unary(operator="not", operand=before, type=ir.FLAG), place)

    def _flip_face(self, place: nodes.FlipFace) -> Block:
        """`flip g face up`: one piece, or each of several, if all that it can be have a hidden side."""
        what = self._one_or_all(place.things)
        element = what.type.element if what.type.tag in ("set", "list") else what.type
        if WRONG in (what.type, element) or element is None or what.type.tag == "nothing":
            return []
        pieces = [kind.name for kind in self.words.kinds.values() if kind.owner in ("piece", "card")]
        plain = [name for name in element.names or pieces if name not in self.words.faced]
        if plain:
            self.here.error("E0237", place.things, text=shown(place.things), kind=plain[0])
            return []
        face = place.side.side
        up = ir.Const(value=face.terminal == "FACE_UP", type=ir.FLAG)
        name = replace(face, text=FACE_UP)
        if element is what.type:
            return self._assign_attribute(what, name, up, place.things, place)
        each = ir.Local(name=self.scope.fresh("each"), type=element)
        body = tuple(self._assign_attribute(each, name, up, place.things, place))
        return [self._for_all(each, what, body, self.here.site(place))]

    def _roll_pieces(self, place: nodes.RollPieces) -> Block:
        """`roll free_dice(u)`: each piece that is a die is rolled, and shows what came up."""
        things = place.things
        if isinstance(things, Name) and things.name.text in self.words.dice:
            self.here.error("E0344", things, name=things.name.text)
            return []
        what = self._one_or_all(things)
        element = what.type.element if what.type.tag in ("set", "list") else what.type
        if WRONG in (what.type, element) or element is None or what.type.tag == "nothing":
            return []
        pieces = [kind.name for kind in self.words.kinds.values() if kind.owner in ("piece", "card")]
        kinds = element.names or tuple(pieces)
        for name in kinds:
            faces = self.words.faces.get(name, [])
            if len(faces) != 1:
                self.here.error("E0343", things, text=shown(things), kind=name, count=len(faces))
                return []
        each = ir.Local(name=self.scope.fresh("die"), type=element)
        found = tuple(self._roll_piece(each, kinds, place))
        site = self.here.site(place)
        if element is what.type:
            return [ir.Let(name=each.name, value=what, site=site), *found]
        return [self._for_all(each, what, found, site)]

    def _roll_piece(self, die: ir.Local, kinds: tuple[str, ...], place: nodes.RollPieces) -> Block:
        site = self.here.site(place)
        result: Block = []
        for name in reversed(kinds):
            ((attribute, dice),) = self.words.faces[name]
            self.words.used.add(dice)
            kind = self.words.dice[dice].type
            one = ir.Local(name=die.name, type=ir.Type("piece", (name,)))
            rolled = ir.Local(name=self.scope.fresh("rolled"), type=kind)
            own: Block = [
                ir.Roll(
                    target=rolled.name, dice=dice, count=None, type=kind, site=site, piece=one,
                    attribute=attribute,
                ),
                *self._assign_attribute(
                    one, Leaf("NAME", attribute, place.things.span), rolled, place.things, place
                ),
            ]  # fmt: skip
            if len(kinds) == 1:
                there = ir.Const(value=-1, type=ir.NOTHING)
                test: ir.Expression = ir.Binary(operator="!=", left=die, right=there, type=ir.FLAG)
            else:
                test = _of_kind(die, ir.Type("piece", (name,)))
            result = [ir.If(condition=test, then=tuple(own), otherwise=tuple(result), site=site)]
        return result

    def _for_all(
        self, each: ir.Local, source: ir.Expression, body: tuple[ir.Statement, ...], site: ir.Site
    ) -> ir.ForEach:
        return ir.ForEach(
            variable=each.name, variable_type=each.type, source=source, where=None, keys=(), body=body,
            site=site,
        )  # fmt: skip

    def _one_or_all(self, item: Expression) -> ir.Expression:
        found = self.values.of(item)
        if found.type.tag in ("piece", "nothing") or (
            found.type.tag in ("set", "list")
            and found.type.element is not None
            and found.type.element.tag == "piece"
        ):
            self.values.placed(found.type.element or found.type, item)
            return found
        if found.type.tag == "pile":
            return self.values.collection(item)[0]
        self.here.error("E0202", item, text=shown(item), actual=str(found.type), wanted="piece")
        return MISTAKE

    def _move(self, what: ir.Expression, where: ir.Expression, side: str, place: Node) -> Block:
        site, bottom = self.here.site(place), side == "under"
        if WRONG in (what.type, where.type):
            return []
        if what.type.tag not in ("set", "list"):
            return self._move_one(what, where, bottom, site)
        assert what.type.element is not None
        each = ir.Local(name=self.scope.fresh("each"), type=what.type.element)
        return [self._for_all(each, what, tuple(self._move_one(each, where, bottom, site)), site)]

    def _move_one(self, what: ir.Expression, where: ir.Expression, bottom: bool, site: ir.Site) -> Block:
        watches = [
            watch for watch in self.words.watches.get(("piece", "at"), []) if _watches(watch, what.type)
        ]
        if not watches:
            return [ir.Put(piece=what, place=where, bottom=bottom, site=site)]
        found = ir.Builtin(name="place_of", arguments=(what,), type=ir.Type("space"))

        def change(of: ir.Expression, to: ir.Expression) -> ir.Statement:
            return ir.Put(piece=of, place=to, bottom=bottom, site=site)

        return self._watched(watches, what, where, found, change, site)

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
                otherwise = tuple(self._if(first.condition, first.block, rest[1:], there))
            case (nodes.OtherwiseAll() as first,):
                otherwise = self.block(first.block)
                for late in rest[1:]:
                    self.here.error("E0409", late)
        before, test = self._test(condition)
        return [*before, ir.If(condition=test, then=self.block(block), otherwise=otherwise, site=site)]

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
            change = self._assign_attribute(thing, leaf, value, place, place)
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
            body=self.block(place.block, scope), site=self.here.site(place),
        )  # fmt: skip

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
        loop = self._for_all(each, chosen, self.block(place.block, scope), self.here.site(place))
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


def _collected(one: ir.Expression, kind: ir.Type) -> ir.Expression:
    """A set or list with one thing in it."""
    if kind.tag == "list":
        return ir.Builtin(name="number_list", arguments=(one,), type=kind)
    return ir.MakeSet(items=(one,), type=kind)


def given(kind: ir.Type) -> ir.Expression:
    """The result of the procedure that was just called."""
    return ir.Builtin(name="given", arguments=(), type=kind)


def _watches(watch: Watch, subject: ir.Type) -> bool:
    kinds = watch.parameters[0].type.names if watch.parameters else ()
    return not kinds or not subject.names or bool(set(kinds) & set(subject.names))


def _of_kind(subject: ir.Local, wanted: ir.Type) -> ir.Expression:
    """Whether the subject is of one of the kinds."""
    tests = [
        ir.Binary(
            operator="in", left=subject, right=ir.Extent(kind=name, type=ir.set_of(wanted)), type=ir.FLAG
        )
        for name in wanted.names
    ]
    result: ir.Expression = tests[0]
    for test in tests[1:]:
        result = ir.Binary(operator="or", left=result, right=test, type=ir.FLAG)
    return result


def _with_subject(found: ir.Get | ir.Builtin, subject: ir.Expression) -> ir.Expression:
    if isinstance(found, ir.Builtin):
        return replace(found, arguments=(subject,))
    return replace(found, subject=subject)


def in_force(words: Vocabulary, watch: Watch, scope: Scope, quiet: bool = False) -> list[ir.Expression]:
    """The tests of a trigger's own condition and of the amendments that switch it on or off."""
    tests: list[ir.Expression] = []
    if watch.condition is not None:
        tests.append(Expressions(Here(watch.rule, words, quiet=quiet), scope).flag(watch.condition))
    for held in watch.in_force:
        test = Expressions(Here(held.rule, words, quiet=quiet), scope).flag(held.condition)
        tests.append(test if held.wanted else ir.Unary(operator="not", operand=test, type=ir.FLAG))
    return tests
