"""From procedures that may ask to blocks: runs of plain statements between which a game can stop.

A pass over the typed form. What a question needs to remember (what is left to choose, which thing of a loop
comes next) becomes locals of the frame, so that the whole of a game's position is data, and engines have
nothing to know of loops and questions but a handful of ways out of a block.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from interpreter import ir
from interpreter.ir.walk import parts, rewritten, substitute
from interpreter.passes.analysis import Analysis, asks
from interpreter.passes.budget import is_dear
from interpreter.passes.lowered import (
    Act,
    Actions,
    Block,
    Cases,
    Enter,
    Entry,
    Exit,
    Jump,
    Question,
    Reasons,
    Return,
    Slot,
    Switch,
    TakeAction,
    Things,
    Wait,
)
from interpreter.passes.procedures import CHECK_VICTORY

MAIN = "main"
_ONE = ir.Const(value=1, type=ir.NUMBER)
_ZERO = ir.Const(value=0, type=ir.NUMBER)
_YES = ir.Const(value=True, type=ir.FLAG)
#: What a question gives where there is nothing to choose.
_NOTHING = -1


@dataclass(eq=False, slots=True)
class _Open:
    """A block that is being filled."""

    procedure: str
    body: list[ir.Statement] = field(default_factory=list)
    exit: Exit | None = None
    site: ir.Site = ir.NOWHERE

    @property
    def block(self) -> Block:
        return Block(
            procedure=self.procedure, body=tuple(self.body), exit=self.exit or Return(), site=self.site
        )


@dataclass(eq=False, slots=True)
class Cut:
    """All blocks of a program, numbered, and its questions."""

    program: ir.Program
    analysis: Analysis
    touching: bool  # in coverage runs: questions say that they were reached
    reasons: Reasons = ()  # those that were set apart
    open: list[_Open] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)

    def finish(self) -> tuple[tuple[Block, ...], tuple[Entry, ...]]:
        """The blocks, and where procedures begin, without those that only lead to another."""
        ends = {number: self._end_of(number) for number in range(len(self.open))}
        blocks = _renumbered([one.block for one in self.open], ends)
        entered = {entry.block for entry in self.entries}
        ways = Counter(target for block in blocks for target in _targets(block))
        reached = [number for number in range(len(blocks)) if ways[number] or number in entered]
        gone: set[int] = set()
        for number in reached:
            while number not in gone and isinstance(way := blocks[number].exit, Jump):
                to = way.block
                if to == number or ways[to] != 1 or to in entered:
                    break
                # A block that one other goes on in, and only by jumping there, becomes the end of that one.
                body = (*blocks[number].body, *blocks[to].body)
                blocks[number] = replace(blocks[to], body=body)
                gone.add(to)
        left = [number for number in reached if number not in gone]
        numbers = {old: new for new, old in enumerate(left)}
        entries = [replace(entry, block=numbers[entry.block]) for entry in self.entries]
        return tuple(_renumbered([blocks[number] for number in left], numbers)), tuple(entries)

    def _end_of(self, number: int) -> int:
        """Where one comes to in the end, from a block in which nothing happens."""
        seen: set[int] = set()
        while number not in seen and not self.open[number].body:
            seen.add(number)
            way = self.open[number].exit
            if not isinstance(way, Jump):
                break
            number = way.block
        return number


def _renumbered(blocks: list[Block], numbers: Mapping[int, int]) -> list[Block]:
    """The blocks, going on in others by their new numbers."""

    def change(part: object) -> object:
        match part:
            case ir.JumpIf() | Jump():
                return replace(part, block=numbers[part.block])
            case Enter() | Act() | TakeAction():
                return replace(part, then=numbers[part.then])
            case Switch():
                return replace(part, blocks=tuple(numbers[block] for block in part.blocks))
            case Wait():
                none = None if part.none is None else numbers[part.none]
                return replace(part, then=numbers[part.then], none=none)
            case _:
                return part

    return [rewritten(block, change) for block in blocks]


def _targets(block: Block) -> Iterator[int]:
    """The numbers of the blocks that it can go on in."""
    yield from (part.block for part in parts(block.body) if isinstance(part, ir.JumpIf))
    match block.exit:
        case Jump(block=number) | Enter(then=number) | Act(then=number) | TakeAction(then=number):
            yield number
        case Switch(blocks=numbers):
            yield from numbers
        case Wait(then=then, none=none):
            yield then
            yield from () if none is None else (none,)


def cut(
    program: ir.Program,
    analysis: Analysis,
    procedures: Iterable[ir.Procedure],
    reasons: Reasons = (),
    touching: bool = False,
) -> Cut:
    """Cuts the procedures that may ask, and the game itself: set-up, then turn after turn."""
    result = Cut(program, analysis, touching, reasons)
    for procedure in procedures:
        if procedure.name in analysis.asking:
            _Cutter(result, procedure).run()
    game = ir.Procedure(name=MAIN, parameters=(), body=(), site=ir.NOWHERE, role="game")
    _Cutter(result, game).run_game()
    return result


class _Cutter:
    """Cuts one procedure into blocks."""

    def __init__(self, result: Cut, procedure: ir.Procedure) -> None:
        self.result = result
        self.program = result.program
        self.procedure = procedure
        self.slots: dict[str, ir.Type] = {p.name: p.type for p in procedure.parameters}
        self.made = 0
        self.at_once: tuple[str, ...] = ()  # as a question has it
        self.here = self.reserve()
        self.first = self.here

    # ------------------------------------------------------------ building

    def run(self) -> None:
        self._declare(self.procedure.body)
        self._touch(self.procedure.site)
        self.statements(self.procedure.body)
        self._close(Return())
        self._enlist()

    def run_game(self) -> None:
        """Sets up, then plays turn after turn until the game ends."""
        self.statements((ir.Perform(name="setup", arguments=(), site=ir.NOWHERE),))
        head = self.reserve()
        self._jump(head)
        self.open(head)
        self.add(ir.NextTurn(site=ir.NOWHERE))
        self.statements((ir.Perform(name="turn", arguments=(), site=ir.NOWHERE),))
        self._jump(head)
        self._enlist()

    def _enlist(self) -> None:
        slots = tuple(Slot(name=name, type=kind) for name, kind in self.slots.items())
        self.result.entries.append(Entry(procedure=self.procedure.name, block=self.first, slots=slots))

    def _declare(self, body: tuple[ir.Statement, ...]) -> None:
        """Locals that a statement makes get their slots before anything else does."""
        for s in body:
            match s:
                case ir.Let():
                    self._slot(s.name, s.value.type)
                case ir.Choose():
                    self._slot(s.target, s.gives)
                case ir.DrawFrom() | ir.Roll() | ir.RandomPick() | ir.PickBy():
                    self._slot(s.target, s.type)
                case ir.If():
                    self._declare(s.then)
                    self._declare(s.otherwise)
                case ir.ForEach():
                    self._slot(s.variable, s.variable_type)
                    self._declare(s.body)
                case ir.Repeat():
                    self._declare(s.body)
                case ir.Menu():
                    for case in s.cases:
                        self._declare(case.body)

    def _slot(self, name: str, kind: ir.Type) -> ir.Local:
        return ir.Local(name=name, type=self.slots.setdefault(name, kind))

    def own(self, hint: str, kind: ir.Type = ir.NUMBER) -> ir.Local:
        """A local that no author can name."""
        self.made += 1
        return self._slot(f" {hint}{self.made}", kind)

    def reserve(self) -> int:
        self.result.open.append(_Open(self.procedure.name))
        return len(self.result.open) - 1

    def open(self, number: int) -> None:
        site = self.result.open[self.here].site
        self.here = number
        self.result.open[number].site = site

    def add(self, *statements: ir.Statement) -> None:
        self.result.open[self.here].body.extend(statements)

    def keep(self, local: ir.Local, value: ir.Expression) -> None:
        self.add(ir.SetLocal(name=local.name, value=value, site=self.site))

    def jump_if(self, condition: ir.Expression, block: int) -> None:
        self.add(ir.JumpIf(condition=condition, block=block, site=self.site))

    def _close(self, way: Exit) -> None:
        self.result.open[self.here].exit = way

    def _jump(self, block: int) -> None:
        self._close(Jump(block=block))

    @property
    def site(self) -> ir.Site:
        return self.result.open[self.here].site

    # ------------------------------------------------------------ statements

    def statements(self, body: tuple[ir.Statement, ...]) -> None:
        for s in body:
            if asks(s, self.result.analysis):
                self.result.open[self.here].site = s.site
                self._asking(s)
            else:
                self.add(s)

    def _touch(self, site: ir.Site) -> None:
        if self.result.touching and site.rule:
            self.add(ir.Touch(site=site))

    def _asking(self, s: ir.Statement) -> None:
        if not isinstance(s, (ir.If, ir.ForEach, ir.Repeat)):
            self._touch(s.site)
        match s:
            case ir.If():
                self._if(s)
            case ir.ForEach():
                self._for_each(s)
            case ir.Repeat():
                self._repeat(s)
            case ir.Perform():
                self._enter(s)
            case ir.Choose():
                self._choose(s)
            case ir.Menu():
                self._menu(s)
            case ir.Offer():
                self._offer(s)
            case ir.PickBy():
                self._pick_by(s)
            case ir.Take():
                self._take(s)
            case _:
                raise AssertionError(type(s))

    def _if(self, s: ir.If) -> None:
        otherwise, after = (self.reserve() if s.otherwise else None), self.reserve()
        self.jump_if(_not(s.condition), after if otherwise is None else otherwise)
        self.statements(s.then)
        self._jump(after)
        if otherwise is not None:
            self.open(otherwise)
            self.statements(s.otherwise)
            self._jump(after)
        self.open(after)

    def _for_each(self, s: ir.ForEach) -> None:
        items, position = self.own("items", ir.list_of(s.variable_type)), self.own("next")
        variable = self._slot(s.variable, s.variable_type)
        self.keep(items, _gathered(s.variable, s.source, s.where, s.keys, is_dear(s.body)))
        self.keep(position, _ZERO)
        head, after = self.reserve(), self.reserve()
        self._jump(head)
        self.open(head)
        self.jump_if(_binary(">=", position, _size(items)), after)
        self.keep(position, _binary("+", position, _ONE))
        self.keep(
            variable, ir.Builtin(name="item", arguments=(items, position), type=s.variable_type, site=s.site)
        )
        around = self.at_once
        if _is_sealed(s):
            self.at_once = (items.name, position.name)
        self.statements(s.body)
        self.at_once = around
        self._jump(head)
        self.open(after)

    def _repeat(self, s: ir.Repeat) -> None:
        left = self.own("left")
        self.keep(left, ir.Builtin(name="bounded", arguments=(s.times,), type=ir.NUMBER, site=s.site))
        head, after = self.reserve(), self.reserve()
        self._jump(head)
        self.open(head)
        self.jump_if(_binary("<=", left, _ZERO), after)
        if s.condition is not None:
            self.jump_if(_not(s.condition), after)
        self.add(ir.Spend(steps=1, site=s.site))
        self.keep(left, _binary("-", left, _ONE))
        self.statements(s.body)
        self._jump(head)
        self.open(after)

    def _enter(self, s: ir.Perform) -> None:
        after = self.reserve()
        self.add(ir.Spend(steps=1, site=s.site))
        self._close(Enter(procedure=s.name, arguments=s.arguments, clears=s.gives is not None, then=after))
        self.open(after)

    # ------------------------------------------------------------ questions

    def _ask(
        self,
        sort: str,
        kind: ir.Type,
        prompt: ir.Expression | None,
        site: ir.Site,
        labels: tuple[ir.Expression, ...] = (),
        group: str = "",
        bounds: tuple[ir.Expression, ...] = (),
    ) -> int:
        silent = isinstance(prompt, ir.Const) and prompt.value == ""
        self.result.questions.append(
            Question(
                sort=sort,
                type=kind,
                procedure=self.procedure.name,
                prompt=None if silent else prompt,
                labels=labels,
                group=group,
                site=site,
                bounds=bounds,
                at_once=self.at_once,
            )  # fmt: skip
        )
        return len(self.result.questions) - 1

    def _give_reasons(self, ask: int, s: ir.Choose, chosen: ir.Expression | None = None) -> None:
        """What is said of things that a question does not offer stays with it."""
        if s.apart >= 0:
            question = self.result.questions[ask]
            reasons = self.result.reasons[s.apart]
            self.result.questions[ask] = replace(
                question, reasons=reasons, variable=s.variable, chosen=chosen
            )

    def _choose(self, s: ir.Choose) -> None:
        target = self._slot(s.target, s.gives)
        if s.amount == "number":
            assert s.low is not None and s.high is not None
            numbers = ir.Builtin(name="numbers", arguments=(s.low, s.high), type=ir.list_of(ir.NUMBER))
            self._question(s, target, numbers, "number")
        elif s.amount == "yes":
            answers = (_YES, ir.Const(value=False, type=ir.FLAG))
            both = ir.Builtin(name="number_list", arguments=answers, type=ir.list_of(ir.FLAG))
            self._question(s, target, both, "yes")
        elif s.amount in ("some", "order"):
            self._choose_some(s, target)
        else:
            assert s.source is not None
            self._question(s, target, _gathered(s.variable, s.source, s.where), "one")

    def _question(self, s: ir.Choose, target: ir.Local, items: ir.Expression, sort: str) -> None:
        """One thing; nothing, if there is nothing to choose."""
        optional = s.amount == "one or none"
        ask = self._ask(sort, s.type, s.prompt, s.site)
        self._give_reasons(ask, s)
        then, after = self.reserve(), self.reserve()
        self.keep(target, _ZERO if sort == "number" else ir.Const(value=_NOTHING, type=s.type))
        options = Things(items=items, done=_YES if optional else None)
        self._close(Wait(ask=ask, player=s.player, options=options, then=then, none=after))
        self.open(then)
        if optional:
            self.jump_if(ir.Declined(actions=False), after)
        self.keep(target, ir.Answered(type=s.type))
        self._jump(after)
        self.open(after)

    def _choose_some(self, s: ir.Choose, target: ir.Local) -> None:
        """One at a time, with `done` once enough are chosen."""
        assert s.source is not None
        ordered, listed = s.amount == "order", s.gives.tag == "list"
        rest, low, high = self.own("rest", ir.list_of(s.type)), self.own("low"), self.own("high")
        ask = self._ask("order" if ordered else "some", s.type, s.prompt, s.site, bounds=(low, high))
        thing = ir.Local(name=s.variable, type=s.type)
        self._give_reasons(ask, s, ir.Binary(operator="in", left=thing, right=target, type=ir.FLAG))
        who = self.own("who", ir.PLAYER)
        self.keep(rest, _gathered(s.variable, s.source, s.where))
        empty = ir.Builtin(name="number_list", arguments=(), type=s.gives) if listed else None
        self.keep(target, empty or ir.MakeSet(items=(), type=s.gives))
        self.keep(who, s.player)
        self.keep(high, _size(rest) if s.high is None or ordered else _library("highest_of", _ZERO, s.high))
        least = _size(rest) if ordered else (s.low or _ZERO)
        self.keep(low, _library("lowest_of", least, _size(rest)))
        head, then, after = self.reserve(), self.reserve(), self.reserve()
        self._jump(head)
        self.open(head)
        self.jump_if(_binary("<=", high, _ZERO), after)
        done = _binary("<=", low, _ZERO)

        def with_one_more(thing: ir.Expression) -> ir.Expression:
            one: ir.Expression = (
                ir.Builtin(name="number_list", arguments=(thing,), type=s.gives)
                if listed
                else ir.MakeSet(items=(thing,), type=s.gives)
            )
            return ir.Binary(operator="union", left=target, right=one, type=s.gives)

        more = with_one_more(thing)
        fits = substitute(s.such_that, s.target, more) if s.such_that is not None else None
        items = _gathered(s.variable, rest, fits) if fits is not None else rest
        self._close(Wait(ask=ask, player=who, options=Things(items=items, done=done), then=then, none=after))
        self.open(then)
        self.jump_if(ir.Declined(actions=False), after)
        answer = ir.Answered(type=s.type)
        self.keep(target, with_one_more(answer))
        self.keep(rest, ir.Without(items=rest, thing=answer, type=rest.type))
        self.keep(low, _binary("-", low, _ONE))
        self.keep(high, _binary("-", high, _ONE))
        self._jump(head)
        self.open(after)

    def _menu(self, s: ir.Menu) -> None:
        ask = self._ask("menu", ir.NOTHING, s.prompt, s.site, tuple(case.label for case in s.cases))
        bodies = [self.reserve() for _ in s.cases]
        then, after = self.reserve(), self.reserve()
        options = Cases(conditions=tuple(case.condition for case in s.cases))
        self._close(Wait(ask=ask, player=s.player, options=options, then=then, none=after))
        self.open(then)
        # One more than there are lines: nothing is done for a player whom the scenario leaves out.
        self._close(Switch(blocks=(*bodies, after)))
        for number, case in zip(bodies, s.cases, strict=True):
            self.open(number)
            self.statements(case.body)
            self._jump(after)
        self.open(after)

    def _offer(self, s: ir.Offer) -> None:
        """Offers actions until done, or as many as the rules say; one action is one turn of a loop."""
        ask = self._ask("offer", ir.EFFECT, None, s.site, group=s.group)
        if isinstance(s.player, ir.Local) and s.player.name in self.slots:
            who = s.player
        else:
            who = self.own("who", ir.PLAYER)
            self.keep(who, s.player)
        single = isinstance(s.count, ir.Const) and s.count.value == 1
        left = None
        if s.count is not None and not single:
            left = self.own("left")
            self.keep(left, s.count)
        leaves = _phases_may_end(self.program)
        if leaves:
            self.add(ir.Stay(site=s.site))
        head, then, done, after = self.reserve(), self.reserve(), self.reserve(), self.reserve()
        self._jump(head)
        self.open(head)
        if left is not None:
            self.jump_if(_binary("<=", left, _ZERO), after)
        actions = Actions(
            group=s.group, passing="always" if s.optional else "never" if s.count is None else "alone"
        )
        self._close(Wait(ask=ask, player=who, options=actions, then=then, none=after))
        self.open(then)
        self.jump_if(ir.Declined(actions=True), after)
        self._close(Act(group=s.group, player=who, then=done))
        self.open(done)
        self._check_victory(s.site)
        if left is not None:
            self.keep(left, _binary("-", left, _ONE))
        if leaves and not single:
            self.jump_if(ir.Leaving(), after)
        self._jump(after if single else head)
        self.open(after)
        if leaves:
            self.add(ir.Stay(site=s.site))

    def _check_victory(self, site: ir.Site) -> None:
        if self.program.victories:
            self.add(ir.Perform(name=CHECK_VICTORY, arguments=(), site=site))

    def _pick_by(self, s: ir.PickBy) -> None:
        """A priority whose ties a player decides: asks only while more than one thing is equally good."""
        priority = next(p for p in self.program.priorities if p.name == s.priority)
        things = ir.list_of(priority.type)
        target = self._slot(s.target, s.type)
        chosen, rest, left = self.own("chosen", things), self.own("rest", things), self.own("left")
        arguments = [self.own(f"argument{n}", argument.type) for n, argument in enumerate(s.arguments)]
        for local, argument in zip(arguments, s.arguments, strict=True):
            self.keep(local, argument)
        self.keep(rest, _gathered(s.variable, s.source, s.where))
        self.keep(chosen, ir.Builtin(name="number_list", arguments=(), type=things))
        self.keep(left, s.count or _ONE)
        head, then, after = self.reserve(), self.reserve(), self.reserve()
        self._jump(head)
        self.open(head)
        self.jump_if(_binary("<=", left, _ZERO), after)
        self.jump_if(_binary("=", _size(rest), _ZERO), after)
        assert priority.player is not None
        player, prompt = priority.player, priority.prompt
        for parameter, local in zip(priority.parameters, arguments, strict=True):
            player, prompt = (substitute(text, parameter.name, local) for text in (player, prompt))
        ask = self._ask("tie", priority.type, prompt, priority.site)
        first = ir.Foremost(priority=s.priority, arguments=tuple(arguments), items=rest, type=things)
        options = Things(items=first, done=None)
        self._close(Wait(ask=ask, player=player, options=options, then=then, unless_alone=True))
        self.open(then)
        answer = ir.Answered(type=priority.type)
        added = ir.Builtin(name="number_list", arguments=(answer,), type=things)
        self.keep(chosen, ir.Binary(operator="union", left=chosen, right=added, type=things))
        self.keep(rest, ir.Without(items=rest, thing=answer, type=things))
        self.keep(left, _binary("-", left, _ONE))
        self._jump(head)
        self.open(after)
        one = ir.Builtin(name="first_of", arguments=(chosen,), type=priority.type)
        self.keep(target, chosen if s.count is not None else one)

    def _take(self, s: ir.Take) -> None:
        """In an example: an action taken as if it had been offered; the machine checks that it is legal."""
        number = next(i for i, action in enumerate(self.program.actions) if action.name == s.action)
        after = self.reserve()
        self._close(
            TakeAction(action=number, player=s.player, arguments=s.arguments, then=after, site=s.site)
        )
        self.open(after)
        self._check_victory(s.site)


def _phases_may_end(program: ir.Program) -> bool:
    inside = parts((program.actions, program.procedures))
    return any(isinstance(part, ir.Leave) and part.what == "phase" for part in inside)


def _gathered(
    variable: str,
    source: ir.Expression,
    where: ir.Expression | None,
    keys: tuple[tuple[ir.Expression, bool], ...] = (),
    dear: bool = False,
) -> ir.Gathered:
    element = source.type.element
    assert element is not None
    kind = ir.list_of(element)
    return ir.Gathered(variable=variable, source=source, where=where, keys=keys, dear=dear, type=kind)


def _binary(operator: ir.Operator, left: ir.Expression, right: ir.Expression) -> ir.Expression:
    kind = ir.NUMBER if operator in ("+", "-") else ir.FLAG
    return ir.Binary(operator=operator, left=left, right=right, type=kind)


def _is_sealed(loop: ir.ForEach) -> bool:
    """Whether the loop asks several at once: what they answer is sealed."""
    changes = (part for part in parts(loop.body) if isinstance(part, ir.SetAttribute))
    return any(change.attribute.startswith(ir.SEALED) for change in changes)


def _not(condition: ir.Expression) -> ir.Expression:
    return ir.Unary(operator="not", operand=condition, type=ir.FLAG)


def _size(items: ir.Expression) -> ir.Expression:
    return _library("size", items)


def _library(name: str, *arguments: ir.Expression) -> ir.Expression:
    return ir.Builtin(name=name, arguments=arguments, type=ir.NUMBER)
