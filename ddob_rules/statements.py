"""From effect trees to typed statements, with triggers put in where the change that they watch is made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ddob_rules.expressions import Expressions, shown
from ddob_rules.questions import ASKS, Land, Questions
from ddob_rules.scope import MISTAKE, WRONG, Here, Scope, Vocabulary, Watch, attribute_space, locals_of
from ddob_rules.tree import Item, Leaf, Node, Tree, leaf, node, tree
from ddob_rules.type_names import type_of
from interpreter import ir

Block = list[ir.Statement]


class Statements:
    def __init__(self, here: Here, scope: Scope, actor: ir.Expression | None = None) -> None:
        self.here = here
        self.scope = scope
        self.words = here.vocabulary
        self.actor = actor  # who chooses when a rule does not say

    @property
    def values(self) -> Expressions:
        return Expressions(self.here, self.scope)

    def block(self, item: Item, scope: Scope | None = None) -> tuple[ir.Statement, ...]:
        """The effects of a block, in a scope of their own."""
        inner = Statements(self.here, scope or self.scope.inner(), self.actor)
        result: Block = []
        for entry in node(item).items:
            result.extend(inner.one(node(entry)))
        return tuple(result)

    def one(self, place: Node) -> Block:
        """The statements that one effect becomes."""
        items = place.items
        site = self.here.site(place)
        match place.kind:
            case "let":
                return self._let(place)
            case "set":
                return self._set(tree(items[0]), tree(items[1]), place)
            case "increase" | "decrease":
                return self._change(place)
            case "flip":
                return self._flip(place)
            case "mark" | "unmark":
                subject = self.values.of(items[0])
                return self._assign_attribute(
                    subject, leaf(items[1]), ir.Const(value=place.kind == "mark", type=ir.FLAG), place
                )
            case "put":
                return self._put(place)
            case "remove":
                return self._move(
                    self._one_or_all(tree(items[0])), ir.Const(value=-1, type=ir.Type("space")), False, place
                )
            case "shuffle":
                return [ir.Shuffle(pile=self.values.of(items[0], ir.Type("pile")), site=site)]
            case "perform":
                return self._perform(tree(items[0]), place)
            case "wins" | "nobody_wins":
                return self._wins(place)
            case "takes" | "takes_all" | "may_take" | "may_take_up_to":
                return self._offer(place)
            case "say":
                return [ir.Say(text=self.values.text(leaf(items[0])), site=site)]
            case "refuse":
                return [ir.Refuse(text=self.values.text(leaf(items[0])), site=site)]
            case "todo":
                self.here.error("W0202", place, text=leaf(items[0]).text)
                return [ir.Todo(text=leaf(items[0]).text[1:-1], site=site)]
            case "give":
                return self._give(tree(items[0]), place)
            case "dice_show":
                return self._dice_show(place)
            case "stop":
                return [ir.Leave(what="procedure", site=site)]
            case "end_phase":
                return [ir.Leave(what="phase", site=site)]
            case "if_statement":
                return [self._if(items, place)]
            case "for_each":
                return [self._for_each(place)]
            case "repeat":
                return [self._repeat(place)]
            case "menu":
                return [self._menu(place)]
            case "answer":
                return [ir.Answer(value=self.values.of(items[0]), site=site)]
            case "take":
                return self._take(place)
            case "play":
                return []  # examples look for it themselves
            case "run_phase":
                return self._run_phase(place)
            case "run_turn":
                return [ir.Perform(name="turn", arguments=(), site=self.here.site(place))]
            case _:
                raise AssertionError(place.kind)

    # ------------------------------------------------------------ changing things

    def _set(self, target: Tree, ask: Tree, place: Node) -> Block:
        if not isinstance(target, Node) or target.kind not in ("name", "attribute"):
            self.here.error("E0205", target, text=shown(target))
            return []
        kind = self._target_type(target)
        if isinstance(ask, Node) and ask.kind in ASKS:
            name = self.scope.fresh("answer")

            def land(found: ir.Type) -> str:
                self.values.expect(found, kind, ask)
                return name

            before = self._ask(ask, land, name)
            return [*before, *self._assign(target, ir.Local(name=name, type=kind), place)]
        return self._assign(target, self.values.of(ask, kind if kind != WRONG else None), place)

    def _target_type(self, target: Node) -> ir.Type:
        if target.kind == "name":
            name = leaf(target.items[0]).text
            if name in self.scope.names:
                return self.scope.names[name][1]
            if name in self.words.variables:
                return self.words.variables[name].type
            return WRONG
        return self.values.of(target).type

    def _assign(self, target: Node, value: ir.Expression, place: Node) -> Block:
        if target.kind == "attribute":
            subject = self.values.of(target.items[0])
            return self._assign_attribute(subject, leaf(target.items[1]), value, place)
        name = leaf(target.items[0])
        site = self.here.site(place)
        if name.text in self.scope.names:
            return [ir.SetLocal(name=self.scope.names[name.text][0], value=value, site=site)]
        if name.text in self.words.variables:
            self.words.used.add(f"set {name.text}")
            return [ir.SetGlobal(name=name.text, value=value, site=site)]
        if name.text in self.words.functions or name.text in self.words.options:
            self.here.error("E0205", name, text=name.text)
        else:
            self.here.unknown(name.text, name, [*self.scope.names, *self.words.variables])
        return []

    def _assign_attribute(
        self, subject: ir.Expression, name: Leaf, value: ir.Expression, place: Node
    ) -> Block:
        found = self.values.get(subject, name)
        if WRONG in (found.type, value.type):
            return []
        if not isinstance(found, ir.Get) or found.fixed:
            self._fixed(name, tree(place.items[0]), place)
            return []
        if place.kind in ("mark", "unmark") and found.type != ir.FLAG:
            self.here.error("E0202", name, text=name.text, actual=str(found.type), wanted="flag")
            return []
        space = attribute_space(subject.type)
        watches = self.words.watches.get((space or "", name.text), [])
        watches = [watch for watch in watches if _watches(watch, subject.type)]
        site = self.here.site(place)

        def change(of: ir.Expression, to: ir.Expression) -> ir.Statement:
            return ir.SetAttribute(
                owner=found.owner, attribute=name.text, subject=of, value=to, site=site, enum=found.enum
            )

        if not watches:
            return [change(subject, value)]
        return self._watched(watches, subject, value, found, change, site)

    def _fixed(self, name: Leaf, target: Tree, place: Node) -> None:
        if place.kind in ("mark", "unmark"):
            target = name
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
        known = len(self.words.problems)
        if watch.becomes is not None:
            value = Expressions(Here(watch.rule, self.words), scope).of(watch.becomes, new.type)
            tests.append(ir.Binary(operator="=", left=new, right=value, type=ir.FLAG))
        tests.extend(in_force(self.words, watch, scope))
        del self.words.problems[known:]
        condition = tests[0]
        for test in tests[1:]:
            condition = ir.Binary(operator="and", left=condition, right=test, type=ir.FLAG)
        call = ir.Perform(name=watch.procedure, arguments=(subject,), site=site)
        return ir.If(condition=condition, then=(call,), otherwise=(), site=site)

    def _change(self, place: Node) -> Block:
        target, amount = place.items
        if not isinstance(target, Node) or target.kind not in ("name", "attribute"):
            self.here.error("E0205", tree(target), text=shown(tree(target)))
            return []
        before = self.values.number(target)
        by = self.values.number(amount)
        if before.type == WRONG:
            return []
        sign: ir.Operator = "+" if place.kind == "increase" else "-"
        value = ir.Binary(operator=sign, left=before, right=by, type=ir.NUMBER, site=self.here.site(place))
        return self._assign(target, value, place)

    def _flip(self, place: Node) -> Block:
        target = tree(place.items[0])
        if not isinstance(target, Node) or target.kind not in ("name", "attribute"):
            self.here.error("E0205", target, text=shown(target))
            return []
        before = self.values.flag(target)
        if before.type == WRONG:
            return []
        return self._assign(target, ir.Unary(operator="not", operand=before, type=ir.FLAG), place)

    def _one_or_all(self, item: Tree) -> ir.Expression:
        found = self.values.of(item)
        if found.type.tag in ("piece", "nothing") or (
            found.type.tag in ("set", "list")
            and found.type.element is not None
            and found.type.element.tag == "piece"
        ):
            return found
        if found.type.tag == "pile":
            return self.values.collection(item)[0]
        self.here.error("E0202", item, text=shown(item), actual=str(found.type), wanted="piece")
        return MISTAKE

    def _put(self, place: Node) -> Block:
        what = self._one_or_all(tree(place.items[0]))
        where = self.values.of(place.items[2], ir.Type("space"))
        bottom = leaf(node(place.items[1]).items[0]).text == "under"
        return self._move(what, where, bottom, place)

    def _move(self, what: ir.Expression, where: ir.Expression, bottom: bool, place: Node) -> Block:
        site = self.here.site(place)
        if WRONG in (what.type, where.type):
            return []
        if what.type.tag in ("set", "list"):
            assert what.type.element is not None
            each = self.scope.fresh("each")
            body = self._move_one(ir.Local(name=each, type=what.type.element), where, bottom, site)
            return [
                ir.ForEach(
                    variable=each,
                    variable_type=what.type.element,
                    source=what,
                    where=None,
                    keys=(),
                    body=tuple(body),
                    site=site,
                )
            ]
        return self._move_one(what, where, bottom, site)

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

    def _perform(self, item: Tree, place: Node) -> Block:
        site = self.here.site(place)
        if isinstance(item, Node) and item.kind == "base":
            base = self.here.base
            doing = base is not None and (base.sort in ("procedure", "action") or base.type == ir.EFFECT)
            if base is None or not doing:
                self.here.error("E0214", item)
                return []
            before = f"table {base.name}" if base.sort == "table" else base.name
            called = ir.Perform(name=before, arguments=locals_of(base.parameters), site=site)
            return self._and_forget(called, base.type)
        name, arguments_item = self._called(item)
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
        self.words.used.add(name.text)
        values = self.values.arguments(signature, arguments_item, name)
        if values is None:
            return []
        return self._and_forget(ir.Perform(name=inside, arguments=values, site=site), signature.type)

    def _and_forget(self, call: ir.Perform, kind: ir.Type) -> Block:
        """A call as an effect; a result that nobody reads must not be taken for another one."""
        if kind == ir.EFFECT:
            return [call]
        return [call, ir.Let(name=self.scope.fresh("unread"), value=given(kind), site=call.site)]

    def _called(self, item: Tree) -> tuple[Leaf | None, tuple[Item, ...]]:
        if isinstance(item, Node) and item.kind == "call":
            return leaf(item.items[0]), node(item.items[1]).items if item.items[1] is not None else ()
        if isinstance(item, Node) and item.kind == "name":
            return leaf(item.items[0]), ()
        return None, ()

    def _wins(self, place: Node) -> Block:
        site = self.here.site(place)
        if place.kind == "nobody_wins":
            winners: ir.Expression = ir.Const(value=0, type=ir.set_of(ir.PLAYER))
            text = place.items[0]
        else:
            found = self.values.of(place.items[0])
            text = place.items[1]
            if found.type == ir.PLAYER:
                winners = ir.MakeSet(items=(found,), type=ir.set_of(ir.PLAYER))
            elif found.type == ir.set_of(ir.PLAYER):
                winners = found
            else:
                if found.type != WRONG:
                    self.here.error(
                        "E0202",
                        tree(place.items[0]),
                        text=shown(tree(place.items[0])),
                        actual=str(found.type),
                        wanted="player",
                    )
                return []
        said = self.values.text(leaf(text)) if text is not None else ir.Const(value="", type=ir.TEXT)
        return [ir.EndGame(winners=winners, text=said, site=site)]

    def _offer(self, place: Node) -> Block:
        player = self.values.of(place.items[0], ir.PLAYER)
        count: ir.Expression | None = None
        if place.kind not in ("may_take", "takes_all"):
            count = self.values.number(place.items[1])
        group_item = place.items[-1]
        group = leaf(group_item).text if group_item is not None else self.here.phase
        if not group:
            self.here.error("E0408", place)
            return []
        self.words.groups[group] = group_item.span if isinstance(group_item, Leaf) else place.span
        return [
            ir.Offer(
                player=player,
                group=group,
                count=count,
                optional=not place.kind.startswith("takes"),
                site=self.here.site(place),
            )
        ]

    def _take(self, place: Node) -> Block:
        name, arguments_item = self._called(tree(place.items[0]))
        signature = self.words.actions.get(name.text) if name is not None else None
        if name is None or signature is None:
            self.here.unknown(shown(tree(place.items[0])), tree(place.items[0]), list(self.words.actions))
            return []
        values = self.values.arguments(signature, arguments_item, name)
        player = (
            self.values.of(place.items[1], ir.PLAYER)
            if place.items[1] is not None
            else ir.Const(value=-1, type=ir.PLAYER)
        )
        if values is None:
            return []
        return [ir.Take(action=name.text, player=player, arguments=values, site=self.here.site(place))]

    def _run_phase(self, place: Node) -> Block:
        name = leaf(place.items[0])
        parameters = self.words.phases.get(name.text)
        if parameters is None:
            self.here.unknown(name.text, name, list(self.words.phases))
            return []
        if len(parameters) != (place.items[1] is not None):
            self.here.error(
                "E0203", name, name=name.text, needed=len(parameters), given=int(place.items[1] is not None)
            )
            return []
        arguments = tuple(self.values.of(place.items[1], parameter.type) for parameter in parameters)
        return [ir.Perform(name=f"phase {name.text}", arguments=arguments, site=self.here.site(place))]

    # ------------------------------------------------------------ flow

    def _if(self, items: tuple[Item, ...], place: Node) -> ir.If:
        condition, then, *rest = items
        otherwise: tuple[ir.Statement, ...] = ()
        if rest:
            first = node(rest[0])
            if first.kind == "otherwise_if":
                otherwise = (self._if((*first.items, *rest[1:]), first),)
            else:
                otherwise = self.block(first.items[0])
                for late in rest[1:]:
                    self.here.error("E0409", tree(late))
        return ir.If(
            condition=self.values.flag(condition),
            then=self.block(then),
            otherwise=otherwise,
            site=self.here.site(place),
        )

    def _for_each(self, place: Node) -> ir.ForEach:
        name, source_item, where_item, ordering, body_item = place.items
        source, element = self.values.collection(source_item)
        scope = self.scope.inner()
        inside = scope.add(leaf(name).text, element)
        inner = Expressions(self.here, scope)
        where = inner.flag(where_item) if where_item is not None else None
        keys: list[tuple[ir.Expression, bool]] = []
        for item in node(ordering).items if ordering is not None else ():
            key = inner.of(node(item).items[0])
            if key.type.tag not in ("number", "enum", "nothing"):
                self.here.error(
                    "E0202", node(item), text=shown(node(item)), actual=str(key.type), wanted="number"
                )
            keys.append((key, node(item).kind == "descending"))
        return ir.ForEach(
            variable=inside, variable_type=element, source=source, where=where, keys=tuple(keys),
            body=self.block(body_item, scope), site=self.here.site(place),
        )  # fmt: skip

    def _repeat(self, place: Node) -> ir.Repeat:
        times, condition, body = place.items[-3:]
        return ir.Repeat(
            times=self.values.number(times),
            condition=self.values.flag(condition) if condition is not None else None,
            body=self.block(body),
            site=self.here.site(place),
        )

    def _menu(self, place: Node) -> ir.Menu:
        player_item, prompt_item, *cases = place.items
        built = []
        for case in cases:
            label, condition, body = node(case).items
            built.append(
                ir.MenuCase(
                    label=self.values.text(leaf(label)),
                    condition=self.values.flag(condition) if condition is not None else None,
                    body=self.block(body),
                    site=self.here.site(node(case)),
                )
            )
        return ir.Menu(
            player=self._questions.player(player_item, place),
            prompt=self._questions.prompt(prompt_item),
            cases=tuple(built),
            site=self.here.site(place),
        )

    # ------------------------------------------------------------ asking

    @property
    def _questions(self) -> Questions:
        return Questions(self.here, self.scope, self.actor)

    def _let(self, place: Node) -> Block:
        name, kind_item, ask_item = place.items
        author, ask = leaf(name).text, tree(ask_item)
        kind = type_of(self.here, kind_item) if kind_item is not None else None
        if isinstance(ask, Node) and ask.kind in ASKS:

            def land(found: ir.Type) -> str:
                self.values.expect(found, kind or found, ask)
                return self.scope.add(author, kind or found)

            return self._ask(ask, land, author)
        value = self.values.of(ask, kind)
        return [
            ir.Let(name=self.scope.add(author, kind or value.type), value=value, site=self.here.site(place))
        ]

    def _ask(self, ask: Node, land: Land, own_name: str) -> Block:
        if ask.kind != "result_of":
            return self._questions.ask(ask, land, own_name)
        called = self._perform(tree(ask.items[0]), ask)
        call = called[0] if called else None
        kind = self._result_type(tree(ask.items[0]))
        if not isinstance(call, ir.Perform) or kind is None:
            land(WRONG)
            return []
        return [replace(call, gives=kind), ir.Let(name=land(kind), value=given(kind), site=call.site)]

    def _result_type(self, item: Tree) -> ir.Type | None:
        """What the procedure that is called gives; None after a mistake."""
        base = self.here.base if isinstance(item, Node) and item.kind == "base" else None
        name, _ = self._called(item)
        signature = base or (self.words.procedures.get(name.text) if name is not None else None)
        if signature is None:
            return None
        if signature.type == ir.EFFECT:
            self.here.error("E0414", item, text=shown(item))
            return None
        return signature.type

    def _give(self, item: Tree, place: Node) -> Block:
        if self.here.result in (None, ir.EFFECT):
            self.here.error("E0413", place)
            return []
        return [ir.Give(value=self.values.of(item, self.here.result), site=self.here.site(place))]

    def _dice_show(self, place: Node) -> Block:
        """In an example: what the next dice show."""
        site = self.here.site(place)
        values = [self.values.of(item) for item in node(place.items[0]).items]
        return [ir.Answer(value=value, site=site, roll=True) for value in values]


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


def in_force(words: Vocabulary, watch: Watch, scope: Scope) -> list[ir.Expression]:
    """The tests of a trigger's own condition and of the amendments that switch it on or off."""
    tests: list[ir.Expression] = []
    if watch.condition is not None:
        tests.append(Expressions(Here(watch.rule, words), scope).flag(watch.condition))
    for held in watch.in_force:
        test = Expressions(Here(held.rule, words), scope).flag(held.condition)
        tests.append(test if held.wanted else ir.Unary(operator="not", operand=test, type=ir.FLAG))
    return tests
