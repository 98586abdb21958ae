"""From blocks to Python functions, between which a game can stop.

A procedure that may ask has a frame on the state's own stack: a list of the next block's number and the
locals. Each block runs to its way out and says in the frame where to go on. So the whole of a game's position
is data.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from interpreter import ir
from interpreter.compiler.effects import Effects, function_name
from interpreter.compiler.emit import Emitter, Shared, Writer
from interpreter.compiler.offers import write_options
from interpreter.passes.analysis import identifier
from interpreter.passes.lowered import (
    Act,
    Actions,
    Block,
    Cases,
    Enter,
    Entry,
    Jump,
    Question,
    Return,
    Switch,
    TakeAction,
    Things,
    Wait,
)

#: Answers that choose nothing: among numbers that stand for things, and among actions.
DONE = ("done",)
PASS: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A question: where it stands in the rules, what answers it takes, and the functions for its texts."""

    sort: str  # one, some, number, order, yes, menu, offer, tie
    type: ir.Type  # of the answers; an effect for cases and actions
    prompt: str  # name of a function of state and frame, or ""
    labels: tuple[str, ...]  # menu: functions for the labels
    group: str
    site: ir.Site
    bounds: tuple[str, ...] = ()  # some, order: functions for how many more must be and may be chosen
    #: Functions of state, frame and thing: why it is not offered, each with the rules it cites; "" if it does
    #: not apply. `chosen` is one for whether it has been chosen already.
    reasons: tuple[tuple[str, tuple[str, ...], ir.Site], ...] = ()
    chosen: str = ""
    #: Where in the frame of what all are asked at once are those who are asked, and how many were come to.
    at_once: tuple[int, ...] = ()


def slots_of(entry: Entry) -> dict[str, str]:
    """The places of a procedure's locals in its frame, behind the number of the block."""
    return {slot.name: f"f[{number}]" for number, slot in enumerate(entry.slots, 1)}


def write_question(shared: Shared, number: int, question: Question, entry: Entry) -> tuple[Ask, list[Writer]]:
    """What the game knows of a question, and functions for its texts, which are made when somebody looks."""
    writers: list[Writer] = []

    def function(text: ir.Expression | None, what: str) -> str:
        if text is None:
            return ""
        name = f"ask{number}_{what}"
        writer = Writer(site=question.site)
        writer.line(f"def {name}(S, f):")
        writer.depth = 1
        writer.line(f"return {Emitter(shared, writer, slots_of(entry), [0]).expr(text)}")
        writers.append(writer)
        return name

    def of_thing(value: ir.Expression, condition: ir.Expression | None, what: str, site: ir.Site) -> str:
        name = f"ask{number}_{what}"
        writer = Writer(site=site)
        names = {**slots_of(entry), question.variable: "it"}
        writer.line(f"def {name}(S, f, it):")
        writer.depth = 1
        if condition is not None:
            writer.line(f"if not {Emitter(shared, writer, names, [0]).expr(condition)}:")
            writer.line('    return ""')
        writer.line(f"return {Emitter(shared, writer, names, [0]).expr(value)}")
        writers.append(writer)
        return name

    ask = Ask(
        sort=question.sort,
        type=ir.EFFECT if question.sort in ("menu", "offer") else question.type,
        prompt=function(question.prompt, "prompt"),
        labels=tuple(function(label, f"label{n}") for n, label in enumerate(question.labels)),
        group=question.group,
        site=question.site,
        bounds=tuple(function(bound, f"bound{n}") for n, bound in enumerate(question.bounds)),
        reasons=tuple(
            (of_thing(one.text, one.condition, f"reason{n}", one.site), one.rules, one.site)
            for n, one in enumerate(question.reasons)
        ),
        chosen=of_thing(question.chosen, None, "chosen", question.site) if question.chosen else "",
        at_once=tuple(1 + [slot.name for slot in entry.slots].index(name) for name in question.at_once),
    )
    return ask, writers


def block_name(number: int, block: Block) -> str:
    return identifier(f"b{number}", block.procedure)


def write_block(shared: Shared, number: int, block: Block, entry: Entry) -> Writer:
    """The function of a block."""
    writer = Writer(site=block.site)
    writer.line(f"def {block_name(number, block)}(S, f):")
    writer.depth = 1
    _BlockWriter(shared, writer, slots_of(entry), [0]).write(block)
    return writer


class _BlockWriter(Effects):
    """Statements inside a block: locals live in the frame, and leaving the procedure takes the frame off."""

    def write(self, block: Block) -> None:
        for statement in block.body:
            if isinstance(statement, ir.JumpIf):
                self.writer.site = statement.site
                self.line(f"if {self.values.expr(statement.condition)}:")
                self._go(statement.block, 1)
            else:
                self.statement(statement)
        self.writer.site = block.site
        way = block.exit
        match way:
            case Jump():
                self._go(way.block)
            case Return():
                self.leave()
            case Enter():
                self._enter(way)
            case Switch():
                self.line(f"f[0] = ({', '.join(map(str, way.blocks))},)[S.answer]")
                self.line("return")
            case Act():
                self._act(way)
            case TakeAction():
                values = "".join(f"{self.values.expr(argument)}, " for argument in way.arguments)
                player = self.values.expr(way.player)
                self.line(f"f[0] = {way.then}")
                self.line(f"take(S, {player}, ({way.action}, {values}), {self.shared.number(way.site)})")
                self.line("return")
            case Wait():
                self._wait(way)
            case _:
                assert_never(way)

    def leave(self) -> None:
        self.line("S.stack.pop()")
        self.line("return")

    def _go(self, block: int, deeper: int = 0) -> None:
        """Goes on in another block."""
        self.line("    " * deeper + f"f[0] = {block}")
        self.line("    " * deeper + "return")

    def _enter(self, way: Enter) -> None:
        values = "".join(f", {self.values.expr(argument)}" for argument in way.arguments)
        if way.clears:
            self.line("S.given = None")
        self.line(f"f[0] = {way.then}")
        self.line(f"S.stack.append(enter({identifier('ENTRY', way.procedure)}{values}))")
        self.line("return")

    def _wait(self, way: Wait) -> None:
        player = self.values.expr(way.player)
        match way.options:
            case Things():
                options = self._things(way, way.options)
            case Cases():
                options = self._cases(way.options)
                self._unless(f"not {options}", way.none)
            case Actions():
                options = self._actions(way, way.options, player)
        self.line(f"S.player = {player}")
        self.line(f"S.options = {options}")
        self.line(f"S.ask = {way.ask}")
        self.line(f"f[0] = {way.then}")
        self.line("return True")

    def _unless(self, test: str, block: int | None) -> None:
        if block is not None:
            self.line(f"if {test}:")
            self._go(block, 1)

    def _things(self, way: Wait, options: Things) -> str:
        items = self.values.hold(self.values.expr(options.items), "options")
        self._unless(f"not {items}", way.none)
        if way.unless_alone:
            self.line(f"if len({items}) == 1:")
            self.line(f"    S.answer = {items}[0]")
            self._go(way.then, 1)
        match options.done:
            case None:
                return f"list({items})"
            case ir.Const():
                return f"[*{items}, DONE]"
            case done:
                return f"[*{items}, DONE] if {self.values.expr(done)} else list({items})"

    def _cases(self, options: Cases) -> str:
        found = self.values.hold("[]", "options")
        for number, condition in enumerate(options.conditions):
            if condition is None:
                self.line(f"{found}.append({number})")
            else:
                self.line(f"if {self.values.expr(condition)}:")
                self.line(f"    {found}.append({number})")
        return found

    def _actions(self, way: Wait, options: Actions, player: str) -> str:
        self.line("o = []")
        self.line(f"{identifier('offer', options.group)}(S, {player}, o)")
        match options.passing:
            case "always":
                self.line("o.append(PASS)")
            case "never":
                self._unless("not o", way.none)
            case "alone":
                self.line("if not o:")
                self.line("    o.append(PASS)")
        return "o"

    def _act(self, way: Act) -> None:
        """Does the action chosen: at once where it cannot ask, else in a frame of its own."""
        who = self.values.expr(way.player)
        actions = [(n, a) for n, a in enumerate(self.shared.program.actions) if way.group in a.groups]
        asking = any(f"action {a.name}" in self.shared.analysis.asking for _, a in actions)
        if asking or len(actions) > 3 or self.shared.settings.journal:
            self.line(f"f[0] = {way.then}")
            self.line(f"act(S, {who}, S.answer)")
            self.line("return")
            return
        for position, (number, action) in enumerate(actions):
            arguments = "".join(f", S.answer[{index + 1}]" for index in range(len(action.parameters)))
            call = f"{function_name(f'action {action.name}')}(S, {who}{arguments})"
            if len(actions) == 1:
                self.line(call)
            else:
                last = position == len(actions) - 1
                self.line("else:" if last else f"{'elif' if position else 'if'} S.answer[0] == {number}:")
                self.line(f"    {call}")
        self._go(way.then)


def write_offer(shared: Shared, group: str) -> Writer:
    """The function that lists the actions of a group."""
    writer = Writer()
    writer.line(f"def {identifier('offer', group)}(S, actor, o):")
    writer.depth = 1
    for listing in dict(shared.lowered.listings)[group]:
        writer.site = listing.site
        write_options(shared, writer, listing, "actor")
    writer.line("return")
    return writer
