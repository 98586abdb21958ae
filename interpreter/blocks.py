"""From statements with questions to blocks: plain functions between which a game can stop.

A procedure that may ask gets a frame on the state's own stack: a list of the next block's number and the
locals. Each block runs to the next question or call and says in the frame where to go on. So the whole of a
game's position is data.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from interpreter import ir
from interpreter.analysis import asks, identifier, parts
from interpreter.effects import Effects
from interpreter.emit import Shared, Writer, type_key
from interpreter.offers import write_options


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A question: where it stands in the rules, what answers it takes, and the functions for its texts."""

    sort: str  # one, some, number, order, yes, menu, offer, tie
    type: str
    prompt: str  # name of a function of state and frame, or ""
    labels: tuple[str, ...]  # menu: functions for the labels
    group: str
    site: ir.Site


@dataclass(eq=False, slots=True)
class Blocks:
    """All blocks of a program, numbered, and its questions."""

    shared: Shared
    functions: list[Writer] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    texts: list[Writer] = field(default_factory=list)  # functions for prompts and labels
    asks: list[Ask] = field(default_factory=list)
    entry: dict[str, int] = field(default_factory=dict)  # procedure -> its first block
    waiting: list[tuple[Writer, int, str]] = field(
        default_factory=list
    )  # calls of procedures not written yet
    frames: dict[int, tuple[tuple[str, str], ...]] = field(
        default_factory=dict
    )  # block -> (slot's local, type key)


#: A line that says where to go on; `thread` turns it into lines.
GOTO = "\1goto "
# How many lines a block may grow to by taking in others, and how short one must be to be written repeatedly.
_LONGEST = 160
_SHORT = 40
_SHORTEST = 6
_MANY = 60
# Offers of at most this many lines are written in place.
_FEW = 6


def thread(functions: list[Writer]) -> list[Writer]:
    """Puts the lines of blocks where they are gone to, so that few steps are left between two questions."""
    counts: dict[int, int] = {}
    for writer in functions:
        for line in writer.lines:
            if GOTO in line:
                target = int(line.split(GOTO)[1])
                counts[target] = counts.get(target, 0) + 1
    # In a large program copies would make the code many times as long; only the smallest blocks are copied.
    short = _SHORT if len(functions) < _MANY else _SHORTEST
    return [_threaded(number, functions, counts, short) for number in range(len(functions))]


_NEXT = re.compile(r"f\[0\] = (\d+|\([\d, ]+\))")


def reachable(functions: list[Writer], entries: Iterable[int]) -> set[int]:
    """The blocks that can still be gone to after threading."""
    found: set[int] = set()
    waiting = list(entries)
    while waiting:
        number = waiting.pop()
        if number in found:
            continue
        found.add(number)
        for line in functions[number].lines:
            for target in _NEXT.findall(line):
                waiting.extend(int(digits) for digits in re.findall(r"\d+", target))
    return found


def _threaded(number: int, functions: list[Writer], counts: dict[int, int], short: int) -> Writer:
    result = Writer()
    result.lines.append(functions[number].lines[0])
    result.sites.append(functions[number].sites[0])

    def expand(block: int, depth: int, path: tuple[int, ...]) -> None:
        writer = functions[block]
        for line, site in zip(writer.lines[1:], writer.sites[1:], strict=True):
            if GOTO not in line:
                result.lines.append("    " * depth + line)
                result.sites.append(site)
                continue
            before, target_text = line.split(GOTO)
            target = int(target_text)
            size = len(functions[target].lines)
            fits = len(result.lines) + size < _LONGEST and (counts[target] == 1 or size <= short)
            if target not in path and fits and len(path) < 12:
                expand(target, depth + len(before) // 4 - 1, (*path, target))
                continue
            for text in (f"f[0] = {target}", "return"):
                result.lines.append("    " * depth + before + text)
                result.sites.append(site)

    expand(number, 0, (number,))
    return result


class Cutter:
    """Cuts one procedure into blocks."""

    def __init__(
        self, blocks: Blocks, name: str, parameters: tuple[ir.Parameter, ...], body: tuple[ir.Statement, ...]
    ) -> None:
        self.blocks = blocks
        self.shared = blocks.shared
        self.name = name
        self.body = body
        self.slots: dict[str, str] = {}
        self.slot_types: list[tuple[str, str]] = []
        self.counter = [0]
        self.numbers: list[int] = []
        for parameter in parameters:
            self.slot(parameter.name, parameter.type)
        self.writer = Writer()

    def slot(self, name: str, kind: ir.Type | None = None) -> str:
        """The place of a local in the frame."""
        if name not in self.slots:
            self.slots[name] = f"f[{len(self.slots) + 1}]"
            self.slot_types.append((name, type_key(kind) if kind is not None else "number"))
        return self.slots[name]

    def own(self, hint: str, kind: ir.Type = ir.NUMBER) -> str:
        self.counter[0] += 1
        return self.slot(f" {hint}{self.counter[0]}", kind)

    # ------------------------------------------------------------ building

    def cut(self) -> None:
        first = self.start()
        self.blocks.entry[self.name] = first
        self._declare(self.body)
        self.statements(self.body)
        self.finish()
        for number in self.numbers:
            self.blocks.frames[number] = tuple(self.slot_types)

    def _declare(self, body: tuple[ir.Statement, ...]) -> None:
        """Locals that a statement makes get their slots before the code is written."""
        for s in body:
            match s:
                case ir.Let():
                    self.slot(s.name, s.value.type)
                case ir.Choose():
                    kind = {"some": ir.set_of(s.type), "order": ir.list_of(s.type)}.get(s.amount, s.type)
                    self.slot(s.target, kind)
                case ir.DrawFrom() | ir.Roll() | ir.RandomPick() | ir.PickBy():
                    self.slot(s.target, s.type)
                case ir.If():
                    self._declare(s.then)
                    self._declare(s.otherwise)
                case ir.ForEach():
                    self.slot(s.variable, s.variable_type)
                    self._declare(s.body)
                case ir.Repeat():
                    self._declare(s.body)
                case ir.Menu():
                    for case in s.cases:
                        self._declare(case.body)

    def start(self) -> int:
        """Opens a new block and returns its number."""
        number = self.reserve()
        self.open(number)
        return number

    def reserve(self) -> int:
        number = len(self.blocks.functions)
        self.numbers.append(number)
        self.blocks.functions.append(Writer())
        self.blocks.names.append(f"b{number}_{identifier(self.name)}")
        return number

    def open(self, number: int) -> None:
        site = self.writer.site
        self.writer = self.blocks.functions[number]
        self.writer.site = site
        self.writer.line(f"def {self.blocks.names[number]}(S, f):")
        self.writer.depth = 1

    def line(self, text: str) -> None:
        self.writer.line(text)

    @property
    def effects(self) -> _Framed:
        return _Framed(self)

    def goto(self, number: int, deeper: int = 0) -> None:
        """Goes on in another block; the threading pass may put its lines here instead."""
        self.line("    " * deeper + f"{GOTO}{number}")

    def finish(self) -> None:
        """Leaves the procedure."""
        self.line("S.stack.pop()")
        self.line("return")

    # ------------------------------------------------------------ statements

    def statements(self, body: tuple[ir.Statement, ...]) -> None:
        for s in body:
            if asks(s, self.shared.analysis):
                self.asking(s)
            else:
                self.effects.statement(s)

    def asking(self, s: ir.Statement) -> None:
        self.writer.site = s.site
        self.effects.cover(s)
        match s:
            case ir.If():
                self._if(s)
            case ir.ForEach():
                self._for_each(s)
            case ir.Repeat():
                self._repeat(s)
            case ir.Perform():
                self.effects.no_result(s)
                self._call(s.name, s.arguments)
            case ir.Apply():
                self._call(s.table, s.arguments)
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
        then, otherwise, after = self.reserve(), self.reserve(), self.reserve()
        self.line(f"if {self.effects.values.expr(s.condition)}:")
        self.goto(then, 1)
        self.goto(otherwise)
        for number, body in ((then, s.then), (otherwise, s.otherwise)):
            self.open(number)
            self.statements(body)
            self.goto(after)
        self.open(after)

    def _for_each(self, s: ir.ForEach) -> None:
        items, position = self.own("items", ir.list_of(s.variable_type)), self.own("next")
        variable = self.slot(s.variable, s.variable_type)
        collection = self.effects.collection(s)
        self.line(f"{items} = tuple({collection})")
        self.line(f"{position} = 0")
        head, after = self.reserve(), self.reserve()
        self.goto(head)
        self.open(head)
        self.line(f"if {position} >= len({items}):")
        self.goto(after, 1)
        self.line("spend(S)")
        self.line(f"{variable} = {items}[{position}]")
        self.line(f"{position} += 1")
        self.statements(s.body)
        self.goto(head)
        self.open(after)

    def _repeat(self, s: ir.Repeat) -> None:
        left = self.own("left")
        self.line(f"{left} = bounded({self.effects.values.expr(s.times)})")
        head, after = self.reserve(), self.reserve()
        self.goto(head)
        self.open(head)
        condition = f"{left} <= 0"
        if s.condition is not None:
            condition += f" or not {self.effects.values.expr(s.condition)}"
        self.line(f"if {condition}:")
        self.goto(after, 1)
        self.line("spend(S)")
        self.line(f"{left} -= 1")
        self.statements(s.body)
        self.goto(head)
        self.open(after)

    def _call(self, name: str, arguments: tuple[ir.Expression, ...]) -> None:
        values = [self.effects.values.expr(argument) for argument in arguments]
        after = self.reserve()
        self.line(f"f[0] = {after}")
        self.line(
            f"S.stack.append(enter({self._entry(name)}, {', '.join(values)}))"
            if values
            else f"S.stack.append(enter({self._entry(name)}))"
        )
        self.line("return")
        self.open(after)

    def _entry(self, name: str) -> str:
        return identifier(f"ENTRY_{name}")

    # ------------------------------------------------------------ questions

    def _text(self, text: ir.Expression, what: str) -> str:
        """A function for a text that is only made when somebody looks."""
        if isinstance(text, ir.Const) and text.value == "":
            return ""
        name = f"{what}_{len(self.blocks.texts)}"
        writer = Writer(site=self.writer.site)
        writer.line(f"def {name}(S, f):")
        writer.depth = 1
        value = Effects(self.shared, writer, dict(self.slots), self.counter).values.expr(text)
        writer.line(f"return {value}")
        self.blocks.texts.append(writer)
        return name

    def _ask(
        self,
        sort: str,
        kind: str,
        prompt: ir.Expression | None,
        site: ir.Site,
        labels: tuple[str, ...] = (),
        group: str = "",
    ) -> int:
        function = self._text(prompt, "prompt") if prompt is not None else ""
        self.blocks.asks.append(
            Ask(sort=sort, type=kind, prompt=function, labels=labels, group=group, site=site)
        )
        return len(self.blocks.asks) - 1

    def _wait(self, ask: int, player: str, options: str, after: int) -> None:
        self.line(f"S.player = {player}")
        self.line(f"S.options = {options}")
        self.line(f"S.ask = {ask}")
        self.line(f"f[0] = {after}")
        self.line("return True")
        self.open(after)

    def _choose(self, s: ir.Choose) -> None:
        target = self.slot(s.target)
        player = self.effects.values.expr(s.player)
        if s.amount == "number":
            assert s.low is not None and s.high is not None
            low, high = self.effects.values.expr(s.low), self.effects.values.expr(s.high)
            self._question(s, target, player, f"list(numbers({low}, {high}))", "number")
            return
        if s.amount == "yes":
            self._question(s, target, player, "[True, False]", "yes")
            return
        assert s.source is not None
        if s.amount in ("some", "order"):
            self._choose_some(s, target, player)
            return
        options = self.effects.filtered(s.variable, s.source, s.where)
        if s.amount == "one or none":
            held = self.effects.values.fresh("options")
            self.line(f"{held} = {options}")
            options = f"[*{held}, DONE] if {held} else []"
        self._question(s, target, player, options, "one")

    def _question(self, s: ir.Choose, target: str, player: str, options: str, sort: str) -> None:
        ask = self._ask(sort, type_key(s.type), s.prompt, s.site)
        held = self.effects.values.fresh("options")
        self.line(f"{held} = {options}")
        answered, after = self.reserve(), self.reserve()
        self.line(f"if not {held}:")
        self.line(f"    {target} = {'0' if sort == 'number' else '-1'}")
        self.goto(after, 1)
        self._wait(ask, player, held, answered)
        self.line(
            f"{target} = S.answer if S.answer != DONE else -1"
            if s.amount == "one or none"
            else f"{target} = S.answer"
        )
        self.goto(after)
        self.open(after)

    def _choose_some(self, s: ir.Choose, target: str, player: str) -> None:
        """One at a time, with `done` once enough are chosen."""
        assert s.source is not None
        ordered = s.amount == "order"
        ask = self._ask("order" if ordered else "some", type_key(s.type), s.prompt, s.site)
        rest, low, high, who = (
            self.own("rest", ir.list_of(s.type)),
            self.own("low"),
            self.own("high"),
            self.own("who", ir.PLAYER),
        )
        options = self.effects.filtered(s.variable, s.source, s.where)
        self.line(f"{rest} = tuple({options})")
        self.line(f"{target} = {'()' if ordered else '0'}")
        self.line(f"{who} = {player}")
        values = self.effects.values
        if ordered:
            self.line(f"{low} = {high} = len({rest})")
        else:
            self.line(
                f"{high} = {f'max(0, {values.expr(s.high)})' if s.high is not None else f'len({rest})'}"
            )
            self.line(f"{low} = min({values.expr(s.low) if s.low is not None else '0'}, len({rest}))")
        head, answered, after = self.reserve(), self.reserve(), self.reserve()
        self.goto(head)
        self.open(head)
        self.line(f"if {high} <= 0 or not {rest}:")
        self.goto(after, 1)
        self._wait(ask, who, f"[*{rest}, DONE] if {low} <= 0 else list({rest})", answered)
        self.line("if S.answer == DONE:")
        self.goto(after, 1)
        if ordered:
            self.line(f"{target} = (*{target}, S.answer)")
        else:
            self.line(f"{target} |= 1 << S.answer")
        self.line(f"{rest} = without({rest}, S.answer)")
        self.line(f"{low} -= 1")
        self.line(f"{high} -= 1")
        self.goto(head)
        self.open(after)

    def _menu(self, s: ir.Menu) -> None:
        labels = tuple(self._text(case.label, "label") for case in s.cases)
        ask = self._ask("menu", "menu", s.prompt, s.site, labels)
        options = self.effects.values.fresh("options")
        self.line(f"{options} = []")
        for number, case in enumerate(s.cases):
            if case.condition is None:
                self.line(f"{options}.append({number})")
            else:
                self.line(f"if {self.effects.values.expr(case.condition)}:")
                self.line(f"    {options}.append({number})")
        bodies = [self.reserve() for _ in s.cases]
        answered, after = self.reserve(), self.reserve()
        self.line(f"if not {options}:")
        self.goto(after, 1)
        self._wait(ask, self.effects.values.expr(s.player), options, answered)
        self.line(f"f[0] = ({', '.join(str(number) for number in bodies)},)[S.answer]")
        self.line("return")
        for number, case in zip(bodies, s.cases, strict=True):
            self.open(number)
            self.statements(case.body)
            self.goto(after)
        self.open(after)

    def _offer(self, s: ir.Offer) -> None:
        """Offers actions until done, or as many as the rules say; one action is one turn of a loop."""
        ask = self._ask("offer", "action", None, s.site, group=s.group)
        if isinstance(s.player, ir.Local) and s.player.name in self.slots:
            who = self.slots[s.player.name]
        else:
            who = self.own("who", ir.PLAYER)
            self.line(f"{who} = {self.effects.values.expr(s.player)}")
        single = isinstance(s.count, ir.Const) and s.count.value == 1
        left = ""
        if s.count is not None and not single:
            left = self.own("left")
            self.line(f"{left} = {self.effects.values.expr(s.count)}")
        leaves = any(
            isinstance(part, ir.Leave) and part.what == "phase"
            for part in parts((self.shared.program.actions, self.shared.program.procedures))
        )
        if leaves:
            self.line("S.leaving = False")
        head, answered, done, after = self.reserve(), self.reserve(), self.reserve(), self.reserve()
        if not single:
            self.goto(head)
            self.open(head)
        if left:
            self.line(f"if {left} <= 0:")
            self.goto(after, 1)
        self.line("o = []")
        self._list_options(s.group, who)
        if s.optional:
            self.line("o.append(PASS)")
        elif s.count is None:
            self.line("if not o:")
            self.goto(after, 1)
        else:
            self.line("if not o:")
            self.line("    o.append(PASS)")
        self._wait(ask, who, "o", answered)
        self.line("a = S.answer")
        self.line("if not a:")
        self.goto(after, 1)
        self._act(s.group, who, done)
        self.open(done)
        if self.shared.program.victories:
            self.line("check_victory(S)")
        if left:
            self.line(f"{left} -= 1")
        if single:
            if leaves:
                self.line("S.leaving = False")
            self.goto(after)
        else:
            if leaves:
                self.line("if S.leaving:")
                self.line("    S.leaving = False")
                self.goto(after, 1)
            self.goto(head)
        self.open(after)
        if single:
            self._drop_empty(head)

    def _list_options(self, group: str, who: str) -> None:
        """Lists the options here if that takes few lines, else by the group's function."""
        writer = Writer(depth=self.writer.depth, site=self.writer.site)
        for number, action in enumerate(self.shared.program.actions):
            if group in action.groups:
                write_options(self.shared, writer, number, action, "who")
        if len(writer.lines) > _FEW:
            self.line(f"offer_{identifier(group)}(S, {who}, o)")
            return
        if any(re.search(r"\bwho\b", line) for line in writer.lines):
            self.line(f"who = {who}")
        self.writer.take(writer)

    def _act(self, group: str, who: str, done: int) -> None:
        """Does the action chosen: at once where it cannot ask, else in a frame of its own."""
        actions = [
            (n, action) for n, action in enumerate(self.shared.program.actions) if group in action.groups
        ]
        plain = [(n, a) for n, a in actions if f"action {a.name}" not in self.shared.analysis.asking]
        if len(plain) < len(actions) or len(actions) > 3 or self.shared.settings.journal:
            self.line(f"f[0] = {done}")
            self.line(f"act(S, {who}, a)")
            self.line("return")
            return
        for position, (number, action) in enumerate(plain):
            arguments = "".join(f", a[{index + 1}]" for index in range(len(action.parameters)))
            call = f"p_{identifier(f'action {action.name}')}(S, {who}{arguments})"
            if position < len(plain) - 1:
                self.line(f"{'if' if position == 0 else 'elif'} a[0] == {number}:")
                self.line(f"    {call}")
            elif position:
                self.line("else:")
                self.line(f"    {call}")
            else:
                self.line(call)
        self.goto(done)

    def _drop_empty(self, number: int) -> None:
        """A reserved block that nothing leads to still needs a body."""
        writer = self.blocks.functions[number]
        if not writer.lines:
            writer.line(f"def {self.blocks.names[number]}(S, f):")
            writer.line("    raise AssertionError")

    def _pick_by(self, s: ir.PickBy) -> None:
        """A priority whose ties a player decides: asks only while more than one thing is equally good."""
        priority = next(p for p in self.shared.program.priorities if p.name == s.priority)
        target = self.slot(s.target, s.type)
        things = ir.list_of(priority.type)
        chosen, rest, left, best = (
            self.own("chosen", things),
            self.own("rest", things),
            self.own("left"),
            self.own("best", things),
        )
        arguments = [
            self.own(f"argument{number}", argument.type) for number, argument in enumerate(s.arguments)
        ]
        for slot, argument in zip(arguments, s.arguments, strict=True):
            self.line(f"{slot} = {self.effects.values.expr(argument)}")
        items = self.effects.filtered(s.variable, s.source, s.where)
        self.line(f"{rest} = tuple({items})")
        self.line(f"{chosen} = ()")
        self.line(f"{left} = {self.effects.values.expr(s.count) if s.count is not None else '1'}")
        head, answered, after = self.reserve(), self.reserve(), self.reserve()
        self.goto(head)
        self.open(head)
        self.line(f"if {left} <= 0 or not {rest}:")
        self.goto(after, 1)
        call = ", ".join(["S", *arguments, rest])
        self.line(f"{best} = best_{identifier(s.priority)}({call})")
        self.line(f"if len({best}) == 1:")
        self.line(f"    S.answer = {best}[0]")
        self.goto(answered, 1)
        names = {
            **self.slots,
            **{p.name: slot for p, slot in zip(priority.parameters, arguments, strict=True)},
        }
        assert priority.player is not None
        player = Effects(self.shared, self.writer, names, self.counter).values.expr(priority.player)
        before = self.slots
        self.slots = names
        ask = self._ask("tie", type_key(priority.type), priority.prompt, priority.site)
        self.slots = before
        self._wait(ask, player, f"list({best})", answered)
        self.line(f"{chosen} = (*{chosen}, S.answer)")
        self.line(f"{rest} = without({rest}, S.answer)")
        self.line(f"{left} -= 1")
        self.goto(head)
        self.open(after)
        self.line(
            f"{target} = {chosen}" if s.count is not None else f"{target} = {chosen}[0] if {chosen} else -1"
        )

    def _take(self, s: ir.Take) -> None:
        """In an example: an action taken as if it had been offered; the machine checks that it is legal."""
        number = next(i for i, action in enumerate(self.shared.program.actions) if action.name == s.action)
        values = [self.effects.values.expr(argument) for argument in s.arguments]
        after = self.reserve()
        self.line(f"f[0] = {after}")
        player = self.effects.values.expr(s.player)
        self.line(f"take(S, {player}, ({', '.join([str(number), *values])},), {self.shared.number(s.site)})")
        self.line("return")
        self.open(after)
        if self.shared.program.victories:
            self.line("check_victory(S)")


class _Framed(Effects):
    """Statements inside a block: locals live in the frame, and leaving the procedure takes the frame off."""

    def __init__(self, cutter: Cutter) -> None:
        super().__init__(cutter.shared, cutter.writer, dict(cutter.slots), cutter.counter)
        self.cutter = cutter

    def place(self, name: str) -> str:
        if name not in self.kept:
            self.kept[name] = self.cutter.slot(name)
        return self.kept[name]

    def leave(self) -> None:
        self.line("S.stack.pop()")
        self.line("return")
