"""From statements with questions to plain functions that answer them by chance: the edition for playouts.

A playout of uniformly random choices needs no place to stop, so procedures that may ask become ordinary
functions and their locals ordinary locals. The rules are the same, written by the same emitters; only
questions differ. States that come out of it are finished games: the way to them is not kept.
"""

from __future__ import annotations

import re

from interpreter import ir
from interpreter.analysis import asks, identifier, parts
from interpreter.effects import Effects
from interpreter.emit import Shared, Writer
from interpreter.held import hold_sets
from interpreter.offers import write_options
from interpreter.standing import keep_moves, standing

#: How an answer is picked; `toss` gives a number from 0 up to 1.
_PICK = "{items}[int(toss() * len({items}))]"


#: Procedures with at most so many parts stand where they are called.
_SHORT = 30


def direct_name(procedure: str) -> str:
    return f"q_{identifier(procedure)}"


class Direct(Effects):
    """Writes statements inside one function of the playout edition."""

    own = False  # whether the function holds the count of choices, the turn and the phase itself
    whole = False  # whether the function is the whole game, so that leaving it ends the game

    def statement(self, s: ir.Statement) -> None:
        if not asks(s, self.shared.analysis):
            self._unasked(s)
            return
        self.writer.site = s.site
        match s:
            case ir.If() | ir.ForEach() | ir.Repeat():
                super().statement(s)  # their blocks come back here
            case ir.Perform():
                self.no_result(s)
                self.line(f"{direct_name(s.name)}({self._direct_arguments(s.arguments)})")
            case ir.Apply():
                self.line(f"{direct_name(s.table)}({self._direct_arguments(s.arguments)})")
            case ir.Choose():
                self._choose(s)
            case ir.Menu():
                self._menu(s)
            case ir.Offer():
                self._offer(s)
            case ir.PickBy():
                self._pick_tied(s)
            case _:
                raise AssertionError(type(s))

    def _unasked(self, s: ir.Statement) -> None:
        self.writer.site = s.site
        match s:
            case ir.EndGame() if self.whole:
                winners, text = self.values.expr(s.winners), self.values.expr(s.text)
                self.line(f"S.result = ({winners}, {text}, {self.shared.number(s.site)})")
                self.line("return")
            case ir.EnterPhase() if self.own:
                self.line(f"phase = {s.phase!r}")
            case ir.Perform() if self.whole and s.gives is None and self._fits(s):
                self._in_place(s)
            case _:
                super().statement(s)

    def _fits(self, s: ir.Perform) -> bool:
        """Whether a procedure is short, and always gone through to its end."""
        found = next((p for p in self.shared.program.procedures if p.name == s.name), None)
        if found is None or s.name.startswith("phase "):
            return False
        inside = list(parts(found.body))
        return len(inside) <= _SHORT and not any(
            isinstance(part, (ir.Leave, ir.Give, ir.SetLocal)) for part in inside
        )

    def _in_place(self, s: ir.Perform) -> None:
        """The statements of a procedure instead of its call."""
        procedure = next(p for p in self.shared.program.procedures if p.name == s.name)
        names = {}
        for parameter, argument in zip(procedure.parameters, s.arguments, strict=True):
            value = self.values.expr(argument)
            names[parameter.name] = value if value.isidentifier() else self._items(value, parameter.name)
        self.counter[0] += 1
        inner = self._inside(names, f"{s.name}_{self.counter[0]}_")
        inner.certain.update(name for name in names.values() if name in self.certain)
        inner.block(procedure.body)

    def _inside(self, names: dict[str, str], prefix: str) -> Direct:
        """Writes what has locals of its own into the same function."""
        inner = Direct(self.shared, self.writer, names, self.counter)
        inner.prefix, inner.own, inner.whole = prefix, self.own, self.whole
        return inner

    def _direct_arguments(self, arguments: tuple[ir.Expression, ...]) -> str:
        return ", ".join(["S", "toss", *(self.values.expr(argument) for argument in arguments)])

    def _count(self, asked: str = "") -> None:
        """Counts a question; with `asked`, only if that holds: an empty choice is no question."""
        depth = self.writer.depth
        if asked:
            self.line(f"if {asked}:")
            self.writer.depth += 1
        count = "count" if self.own else "S.count"
        self.line(f"{count} += 1")
        self.line(f"if {count} > CHOICE_LIMIT:")
        self.line("    too_many_choices()")
        self.writer.depth = depth

    def _items(self, text: str, hint: str = "options") -> str:
        name = self.values.fresh(hint)
        self.line(f"{name} = {text}")
        return name

    def _choose(self, s: ir.Choose) -> None:
        target = self.place(s.target)
        if s.amount in ("number", "yes"):
            assert s.amount == "yes" or (s.low is not None and s.high is not None)
            text = "(True, False)"
            if s.low is not None and s.high is not None:
                text = f"numbers({self.values.expr(s.low)}, {self.values.expr(s.high)})"
            items = self._items(text)
            self._count(items)
            self.line(f"{target} = {_PICK.format(items=items)} if {items} else 0")
            return
        assert s.source is not None
        items = self._items(self.filtered(s.variable, s.source, s.where))
        if s.amount in ("some", "order"):
            self._choose_some(s, target, items)
            return
        nothing = ""
        if s.amount == "one or none":
            self.line(f"if {items}:")
            self.line(f"    {items}.append(DONE)")
            nothing = f"\n{target} = {target} if {target} != DONE else -1"
        self._count(items)
        self.line(f"{target} = {_PICK.format(items=items)} if {items} else -1")
        if nothing:
            self.line(nothing.strip())

    def _choose_some(self, s: ir.Choose, target: str, items: str) -> None:
        ordered = s.amount == "order"
        high = f"len({items})"
        low = f"len({items})" if ordered else "0"
        if s.high is not None:
            high = self.values.expr(s.high)
        if s.low is not None and not ordered:
            low = self.values.expr(s.low)
        left, needed = self._items(high, "high"), self._items(low, "low")
        self.line(f"{target} = {'()' if ordered else '0'}")
        self.line(f"while {left} > 0 and {items}:")
        self.writer.depth += 1
        chosen = self.values.fresh("chosen")
        self.line(f"{chosen} = int(toss() * (len({items}) + ({needed} <= 0)))")
        self._count()
        self.line(f"if {chosen} == len({items}):")
        self.line("    break")
        self.line(f"{chosen} = {items}.pop({chosen})")
        self.line(f"{target} = (*{target}, {chosen})" if ordered else f"{target} |= 1 << {chosen}")
        self.line(f"{left} -= 1")
        self.line(f"{needed} -= 1")
        self.writer.depth -= 1

    def _menu(self, s: ir.Menu) -> None:
        items = self._items("[]")
        for number, case in enumerate(s.cases):
            if case.condition is None:
                self.line(f"{items}.append({number})")
            else:
                self.line(f"if {self.values.expr(case.condition)}:")
                self.line(f"    {items}.append({number})")
        answer = self._items(f"{_PICK.format(items=items)} if {items} else -1", "answer")
        self._count(items)
        for number, case in enumerate(s.cases):
            self.line(f"if {answer} == {number}:")
            self.writer.depth += 1
            self.block(case.body)
            self.writer.depth -= 1

    def _offer(self, s: ir.Offer) -> None:
        who = self.values.expr(s.player)
        if not who.isidentifier():
            who = self._items(who, "who")
        single = isinstance(s.count, ir.Const) and s.count.value == 1
        leaves = any(
            isinstance(p, ir.Leave) and p.what == "phase"
            for p in parts((self.shared.program.actions, self.shared.program.procedures))
        )
        if leaves:
            self.line("S.leaving = False")
        depth = self.writer.depth
        if single:
            self._one_action(s, who, False)
        else:
            times = f"for _ in range({self.values.expr(s.count)}):" if s.count is not None else "while True:"
            self.line(times)
            self.writer.depth += 1
            self._one_action(s, who, True)
            if leaves:
                self.line("if S.leaving:")
                self.line("    break")
        self.writer.depth = depth
        if leaves:
            self.line("S.leaving = False")

    def _one_action(self, s: ir.Offer, who: str, looping: bool) -> None:
        """Lists the options, picks one, does it. In a loop, passing leaves it."""
        actions = [(n, a) for n, a in enumerate(self.shared.program.actions) if s.group in a.groups]
        self.line("o = []")
        aside = Writer(depth=self.writer.depth, site=s.site)
        alone = len(actions) == 1 and not s.optional
        for number, action in actions:
            write_options(self.shared, aside, number, action, who, bare=alone)
        lists = ("o += [", "o.append")
        listing = [number for number, line in enumerate(aside.lines) if line.lstrip().startswith(lists)]
        first = "    " * self.writer.depth + "o += ["
        if len(listing) == 1 and aside.lines[listing[0]].startswith(first):
            self.writer.lines.pop()  # the list is made at once
            self.writer.sites.pop()
            made = aside.lines[listing[0]].replace("o += [", "o = [", 1)
            aside.lines[listing[0]] = re.sub(r"= \[(\w+) for \1 in ((?:(?! if | for ).)+)\]$", r"= \2", made)
            if self.own and alone and (found := standing(self.shared, actions[0][1])) is not None:
                self.shared.standing[actions[0][0]] = (found, aside.lines[listing[0]].lstrip(), who)
        self.writer.take(aside)
        if s.optional:
            self.line("o.append(PASS)")
        self._count("" if s.optional or s.count is not None else "o")
        if looping:
            self.line("if not o:")
            self.line("    break")
        else:
            self.line("if o:")
            self.writer.depth += 1
        unpacked = alone and len(actions[0][1].parameters) > 0 and not _can_be_left(actions[0][1])
        if not unpacked:
            self.line(f"a = {_PICK.format(items='o')}")
        if s.optional:
            self.line("if not a:")
            self.line("    break" if looping else "    pass")
            if not looping:
                self.line("else:")
                self.writer.depth += 1
        self._do(actions, who, alone)
        if self.shared.program.victories:
            self.line("check_victory(S)")

    def _do(self, actions: list[tuple[int, ir.Action]], who: str, alone: bool) -> None:
        for position, (number, action) in enumerate(actions):
            last = position == len(actions) - 1
            if len(actions) > 1:
                self.line("else:" if last else f"{'if' if position == 0 else 'elif'} a[0] == {number}:")
                self.writer.depth += 1
            self._action(action, who, alone)
            if len(actions) > 1:
                self.writer.depth -= 1

    def _action(self, action: ir.Action, who: str, alone: bool) -> None:
        """The effects of an action, in place where it cannot be left half-way, else by its function."""
        name = f"action {action.name}"
        if _can_be_left(action):
            arguments = "".join(f", {argument}" for argument in _chosen(action, alone))
            if name in self.shared.analysis.asking:
                self.line(f"{direct_name(name)}(S, toss, {who}{arguments})")
            else:
                self.line(f"p_{identifier(name)}(S, {who}{arguments})")
            return
        chosen = [self.values.fresh(parameter.name) for parameter in action.parameters]
        inner = self._inside({action.actor: who}, f"{action.name}_{self.counter[0]}_")
        if alone and chosen:
            self.line(f"{', '.join(chosen)} = {_PICK.format(items='o')}")
        for parameter, name, value in zip(action.parameters, chosen, _chosen(action, alone), strict=True):
            if not alone:
                self.line(f"{name} = {value}")
            inner.kept[parameter.name] = name
            inner.certain.add(name)
        inner.block(action.body)

    prefix = ""

    def place(self, name: str) -> str:
        if name not in self.kept:
            self.kept[name] = identifier(f"l_{self.prefix}{name}")
        return self.kept[name]

    def _pick_tied(self, s: ir.PickBy) -> None:
        """The best by a priority; among equals any."""
        arguments = [self._items(self.values.expr(argument), "argument") for argument in s.arguments]
        rest = self._items(f"list({self.filtered(s.variable, s.source, s.where)})", "rest")
        chosen = self._items("[]", "chosen")
        left = self._items(self.values.expr(s.count) if s.count is not None else "1", "left")
        best = self.values.fresh("best")
        self.line(f"while {left} > 0 and {rest}:")
        self.writer.depth += 1
        self.line(f"{best} = best_{identifier(s.priority)}({', '.join(['S', *arguments, rest])})")
        self._count(f"len({best}) > 1")
        self.line(f"{best} = {_PICK.format(items=best)}")
        self.line(f"{chosen}.append({best})")
        self.line(f"{rest}.remove({best})")
        self.line(f"{left} -= 1")
        self.writer.depth -= 1
        target = self.place(s.target)
        self.line(
            f"{target} = tuple({chosen})"
            if s.count is not None
            else f"{target} = {chosen}[0] if {chosen} else -1"
        )


def _can_be_left(action: ir.Action) -> bool:
    return any(isinstance(part, (ir.Leave, ir.Give)) for part in parts(action.body))


def _chosen(action: ir.Action, alone: bool) -> list[str]:
    """Python for the arguments of the option that was picked."""
    if alone and len(action.parameters) == 1:
        return ["a"]
    return [f"a[{index + (0 if alone else 1)}]" for index in range(len(action.parameters))]


def direct_function(shared: Shared, procedure: ir.Procedure) -> Writer:
    """A procedure that may ask, as a plain function of the playout edition."""
    names = {parameter.name: identifier(f"l_{parameter.name}") for parameter in procedure.parameters}
    writer = Writer(site=procedure.site)
    writer.line(f"def {direct_name(procedure.name)}({', '.join(['S', 'toss', *names.values()])}):")
    writer.depth = 1
    Direct(shared, writer, names, [0]).block(procedure.body)
    return writer


def playout_function(shared: Shared, setup: ir.Procedure, turn: ir.Procedure) -> Writer:
    """The whole game in one function. It ends by returning, or by the exception that ends every game."""
    writer = Writer()
    writer.line("def playout(S, toss):")
    writer.depth = 1
    direct = Direct(shared, writer, {}, [0])
    direct.whole = True
    if setup.body:
        direct.statement(ir.Perform(name="setup", arguments=(), site=setup.site))
    if _apart(shared, turn):
        _own_turns(direct, turn)
        return writer
    writer.line("while True:")
    writer.depth += 1
    writer.line("next_turn(S)")
    direct.forget({"turn"})
    direct.block(turn.body)
    return writer


def _apart(shared: Shared, turn: ir.Procedure) -> bool:
    """Whether no other function asks anything or reads the turn: then this one can hold both by itself."""
    program = shared.program
    inside = [turn.body, *(action.body for action in program.actions)]
    called = any(
        (isinstance(part, ir.Perform) and part.name in shared.analysis.asking)
        or (isinstance(part, ir.Apply) and part.table in shared.analysis.asking)
        or isinstance(part, ir.Take)
        for part in parts(tuple(inside))
    )
    left = any(_can_be_left(action) for action in program.actions)
    reads = any(
        isinstance(part, ir.Global) and part.builtin and part.name == "turn"
        for part in parts(
            (
                program.definitions, program.tables, program.procedures, program.actions, program.priorities,
                program.victories,
            )
        )
    )  # fmt: skip
    enters = any(isinstance(part, ir.EnterPhase) for part in parts(tuple(a.body for a in program.actions)))
    return not (called or left or reads or enters)


def _own_turns(direct: Direct, turn: ir.Procedure) -> None:
    """Turn after turn, up to the last one or as many as there are steps."""
    direct.own = True
    writer = direct.writer
    start = len(writer.lines)
    writer.line("count, turn, phase = S.count, S.turn, S.phase")
    writer.line("try:")
    writer.depth += 1
    writer.line("for turn in range(turn + 1, (LAST_TURN or STEP_LIMIT) + 1):")
    writer.depth += 1
    direct.block(turn.body)
    writer.depth -= 1
    writer.line("if not LAST_TURN:")
    writer.line("    counted(S, range(STEP_LIMIT + 1))")
    writer.line("S.result = (0, '', -1)")
    writer.depth -= 1
    writer.line("finally:")
    writer.line("    S.count, S.turn, S.phase = count, turn, phase")
    hold_sets(writer, start)
    keep_moves(direct.shared, writer, start)
