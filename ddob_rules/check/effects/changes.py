"""What changes things: attributes and variables, places, faces and dice, with the triggers that watch them.

A change that a trigger watches is made inside the trigger's tests: instead of it, before it, after it. Left
out: questions, whose answers somebody else asks for and hands over as values.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ddob_rules.check.scope import (
    FACE_UP,
    MISTAKE,
    WRONG,
    Here,
    Scope,
    Vocabulary,
    Watch,
    attribute_space,
)
from ddob_rules.check.values.expressions import Expressions
from ddob_rules.check.values.ranges import within
from ddob_rules.check.values.written import shown
from ddob_rules.syntax.nodes import Leaf, Node, Tree
from ddob_rules.syntax.nodes import effects as nodes
from ddob_rules.syntax.nodes.expressions import (
    Attribute,
    AttributeFor,
    Expression,
    ListLiteral,
    Name,
    SetLiteral,
)
from interpreter import ir

Block = list[ir.Statement]
#: What can be changed.
Target = Name | Attribute | AttributeFor


class Changes:
    def __init__(self, here: Here, scope: Scope) -> None:
        self.here = here
        self.scope = scope
        self.words = here.vocabulary
        self.values = Expressions(here, scope)

    def target_type(self, target: Target) -> ir.Type:
        if isinstance(target, (Attribute, AttributeFor)):
            return self.values.of(target).type
        name = target.name.text
        if name in self.scope.names:
            return self.scope.names[name][1]
        if name in self.words.parts:
            return self.words.parts[name].type
        return self.words.variables[name].type if name in self.words.variables else WRONG

    def assign(self, target: Target, value: ir.Expression, place: Node) -> Block:
        if isinstance(target, Attribute):
            return self.assign_attribute(self.values.owner(target), target.name, value, target, place)
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

    def assign_attribute(
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
        subject = self.values.owner(target)
        key = self.values.key_of(subject, target)
        if key.type.tag != "enum" or WRONG in (subject.type, value.type):
            return []
        values = self.words.enums[key.type.names[0]].values
        if isinstance(key, ir.Const) and isinstance(key.value, int) and key.value >= 0:
            name = self.values.of_key(target, values[key.value])
            return self.assign_attribute(subject, name, value, target, place)
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
            then = tuple(self.assign_attribute(who, self.values.of_key(target, text), new, target, place))
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
        return self.assign(target, value, place)

    def join(self, place: nodes.AddTo | nodes.RemoveFrom, operator: ir.Operator) -> Block:
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
        return self.assign(target, value, place)

    def flip(self, place: nodes.Flip) -> Block:
        target = place.target
        if not isinstance(target, (Name, Attribute, AttributeFor)):
            self.here.error("E0205", target, text=shown(target))
            return []
        before = self.values.flag(target)
        if before.type == WRONG:
            return []
        return self.assign(target, ir.Unary(operator="not", operand=before, type=ir.FLAG), place)

    def flip_face(self, place: nodes.FlipFace) -> Block:
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
            return self.assign_attribute(what, name, up, place.things, place)
        each = ir.Local(name=self.scope.fresh("each"), type=element)
        body = tuple(self.assign_attribute(each, name, up, place.things, place))
        return [for_all(each, what, body, self.here.site(place))]

    def roll_pieces(self, place: nodes.RollPieces) -> Block:
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
        return [for_all(each, what, found, site)]

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
                *self.assign_attribute(
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

    def _one_or_all(self, item: Expression) -> ir.Expression:
        found = self.values.build(item, self.values.meant_as(item))
        if found.type == WRONG:
            return MISTAKE
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
        return [for_all(each, what, tuple(self._move_one(each, where, bottom, site)), site)]

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

    def mark(self, place: nodes.Mark | nodes.Unmark) -> Block:
        value = ir.Const(value=isinstance(place, nodes.Mark), type=ir.FLAG)
        return self.assign_attribute(self.values.of(place.target), place.name, value, place.name, place)

    def put(self, place: nodes.Put) -> Block:
        what = self._one_or_all(place.things)
        where = self.values.of(place.place, ir.Type("space"))
        return self._move(what, where, place.where_to.word.text, place)

    def remove(self, place: nodes.Remove) -> Block:
        nowhere = ir.Const(value=-1, type=ir.Type("space"))
        return self._move(self._one_or_all(place.things), nowhere, "", place)


def for_all(
    each: ir.Local, source: ir.Expression, body: tuple[ir.Statement, ...], site: ir.Site
) -> ir.ForEach:
    return ir.ForEach(
        variable=each.name, variable_type=each.type, source=source, where=None, keys=(), body=body, site=site,
    )  # fmt: skip


def _collected(one: ir.Expression, kind: ir.Type) -> ir.Expression:
    """A set or list with one thing in it."""
    if kind.tag == "list":
        return ir.Builtin(name="number_list", arguments=(one,), type=kind)
    return ir.MakeSet(items=(one,), type=kind)


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
