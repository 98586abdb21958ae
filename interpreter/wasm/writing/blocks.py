"""From blocks to functions between which a game can stop.

Each block is a function of its frame. It goes on by a tail call: in another block, in the first block of a
procedure that it enters, or, when its procedure is left, where the frame below says. So one call plays on
until a question (1) or the end (2).
"""

from __future__ import annotations

from contextlib import ExitStack

from interpreter import ir
from interpreter.passes import lowered as low
from interpreter.passes.budget import is_dear
from interpreter.wasm.frames import Frame
from interpreter.wasm.runtime import core as runtime
from interpreter.wasm.shapes import Span, value_type
from interpreter.wasm.writing import words
from interpreter.wasm.writing.context import Context
from interpreter.wasm.writing.effects import Effects, Target
from interpreter.wasm.writing.searches import Searches
from interpreter.wasm.writing.values import DONE, PASS, Operand, Place, converted
from interpreter.wasm.writing.wat import Function, add, comment, get, i32, i64, safe

#: What a function of a block gives.
ASKED, OVER = 1, 2


class Framed(Effects):
    """Statements inside a block: locals live in the frame."""

    def __init__(self, context: Context, f: Function, frame: Frame, site: ir.Site) -> None:
        super().__init__(context, f, {}, site)
        for slot in frame.slots:
            target = Target(slot.type, address=add(get("f"), slot.offset))
            self.targets[slot.name] = target
            self.names[slot.name] = target.operand(context)

    def statement(self, s: ir.Statement) -> None:
        if isinstance(s, ir.JumpIf):
            self.site = s.site
            with self.f.when(self.values.flag(s.condition)):
                self.jump(s.block)
        else:
            super().statement(s)

    def jump(self, block: int) -> None:
        found = self.context.lowered.blocks[block]
        if not found.body and isinstance(found.exit, low.Return):
            self.leave()
            return
        self.f.line(";; restore")
        self.f.line(f"(return_call $b{block} (local.get $f))")

    def leave(self) -> None:
        self.f.line(";; restore")
        self.f.line("(return_call $return (local.get $f))")

    def leave_over(self) -> None:
        self.f.leave(i32(OVER))

    # ------------------------------------------------------------ ways out

    def exit(self, out: low.Exit) -> None:
        match out:
            case low.Jump():
                self.jump(out.block)
            case low.Return():
                self.leave()
            case low.Enter():
                frame = self.context.frames[out.procedure]
                if out.clears:
                    self.f.line("(global.set $gave (i32.const 0))")
                given = self._passed(frame, out.arguments)
                self.enter(frame, given, out.then)
            case low.Switch():
                self._switch(out)
            case low.Act():
                self._act(out)
            case low.Wait():
                self._wait(out)
            case low.TakeAction():
                self.f.line("(unreachable)")  # only examples do this

    def _passed(
        self, frame: Frame, arguments: tuple[ir.Expression, ...]
    ) -> list[tuple[Target, ir.Expression]]:
        return [
            (Target(slot.type, address=add(get("entered"), slot.offset)), argument)
            for slot, argument in zip(frame.slots, arguments, strict=False)
        ]

    def enter(self, frame: Frame, given: list[tuple[Target, ir.Expression]], then: int) -> None:
        """Goes on in the first block of another procedure."""
        self.push(frame, then)
        for target, argument in given:
            self.assign(target, argument)
        self.f.line(";; restore")
        self.f.line(f"(return_call $b{frame.block} (local.get $entered))")

    def push(self, frame: Frame, then: int) -> None:
        """A frame on top of this one, without values yet; its procedure is left for the block `then`."""
        f, layout = self.f, self.context.layout
        f.locals["entered"] = "i32"
        f.set("entered", f"(i32.load {i32(layout.free)})")
        with f.when(f"(i32.gt_u {get('entered')} {i32(layout.options - frame.size)})"):
            f.line(f"(call $fail {i32(runtime.MEMORY)} (i32.const 0))")
        f.line(f"(i32.store {get('f')} {i32(then)})")
        f.line(f"(i32.store {get('entered')} {i32(frame.block)})")
        f.line(f"(i32.store offset=4 {get('entered')} {get('f')})")
        f.line(f"(i32.store {i32(layout.top)} {get('entered')})")
        f.line(f"(i32.store {i32(layout.free)} {add(get('entered'), frame.size)})")
        for offset in frame.empty:
            f.line(f"(i64.store offset={offset} {get('entered')} (i64.const -1))")

    def _switch(self, out: low.Switch) -> None:
        answer = self.f.held(f"(i32.wrap_i64 {self._answer()})", "i32", "answer")
        for number, block in enumerate(out.blocks[:-1]):
            with self.f.when(f"(i32.eq {answer} {i32(number)})"):
                self.jump(block)
        self.jump(out.blocks[-1])

    def _answer(self, word: int = 0) -> str:
        return f"(i64.load offset={8 * word} (i32.load {i32(self.context.layout.answer)}))"

    def _act(self, out: low.Act) -> None:
        """Does the action chosen: at once where it cannot ask, else in a frame of its own."""
        f = self.f
        player = f.held(self.values.thing(out.player), "i32", "player")
        record = f.held(f"(i32.load {i32(self.context.layout.answer)})", "i32", "record")
        chosen = f.held(f"(i32.wrap_i64 (i64.load {record}))", "i32", "chosen")
        for number, action in enumerate(self.context.lowered.program.actions):
            if out.group not in action.groups:
                continue
            with f.when(f"(i32.eq {chosen} {i32(number)})"):
                name = f"action {action.name}"
                frame = self.context.frames.get(name)
                words_of = [
                    converted(f"(i64.load offset={8 + 8 * n} {record})", "i64", value_type(p.type))
                    for n, p in enumerate(action.parameters)
                ]
                if frame is None:
                    call = f"(call $p_{safe(name)} {' '.join([player, *words_of])})"
                    self.call_ending(call, name in self.context.ending)
                    self.jump(out.then)
                    continue
                self.push(frame, out.then)
                for slot, text in zip(frame.slots, [player, *words_of], strict=False):
                    self.keep(Target(slot.type, address=add(get("entered"), slot.offset)), text)
                f.line(";; restore")
                f.line(f"(return_call $b{frame.block} (local.get $entered))")
        f.line("(unreachable)")

    # ------------------------------------------------------------ questions

    def _wait(self, out: low.Wait) -> None:
        f, layout = self.f, self.context.layout
        question = self.context.lowered.questions[out.ask]
        offered = f"(i32.load {i32(layout.offered)})"
        player = f.held(self.values.thing(out.player), "i32", "player")
        f.line(f"(i32.store {i32(layout.offered)} (i32.const 0))")
        match out.options:
            case low.Things():
                self._things(out)
            case low.Cases():
                for number, condition in enumerate(out.options.conditions):
                    if condition is None:
                        f.line(f"(call $offer {i64(number)})")
                    else:
                        with f.when(self.values.flag(condition)):
                            f.line(f"(call $offer {i64(number)})")
            case low.Actions():
                if not self.context.game.absent:  # whose actions are listed is only known once they are
                    with f.when("(global.get $brief)"):
                        f.leave(i32(ASKED))
                f.line(f"(call $list_{safe(out.options.group)} {player})")
                stride = self.context.strides[out.ask]
                passing = f"(i64.store (call $new_option {i32(stride)}) {i64(PASS)})"
                if out.options.passing == "always":
                    f.line(passing)
                elif out.options.passing == "alone":
                    f.line(f"(if (i32.eqz {offered}) (then {passing}))")
        if out.none is not None:
            with f.when(f"(i32.eqz {offered})"):
                self.jump(out.none)
        if out.unless_alone:
            with f.when(f"(i32.eq {offered} (i32.const 1))"):
                f.line(f"(i32.store {i32(layout.answer)} {i32(layout.options)})")
                self.jump(out.then)
        absent = self.context.game.present ^ (1 << len(self.context.game.players)) - 1
        if absent:
            with f.when(words.fixed(absent, Span(0, 1)).has(player)):
                self._pass_over(question, out.then)
        f.line(f"(i32.store {i32(layout.player)} {player})")
        f.line(f"(i32.store {i32(layout.ask)} {i32(out.ask)})")
        f.line(f"(i32.store (local.get $f) {i32(out.then)})")
        f.leave(i32(ASKED))

    def _things(self, out: low.Wait) -> None:
        f = self.f
        assert isinstance(out.options, low.Things)
        things = out.options
        assert things.items.type.element is not None
        with self.values.loop(" option", things.items, counted=False) as turn:
            place = turn.values.names[" option"]
            assert isinstance(place, Place)
            f.line(f"(call $offer {converted(place.text, place.kind, 'i64')})")
        if things.done is None:
            return
        offered = f"(i32.load {i32(self.context.layout.offered)})"
        with f.when(f"(i32.and (i32.ne {offered} (i32.const 0)) {self.values.flag(things.done)})"):
            f.line(f"(call $offer {i64(DONE)})")

    def _pass_over(self, question: low.Question, then: int) -> None:
        """Somebody who does not take part is not asked; the answer is what comes closest to none."""
        f, layout = self.f, self.context.layout
        nothing = {
            "offer": PASS, "some": DONE, "one": -1, "yes": 0, "menu": len(question.labels),
        }.get(question.sort)  # fmt: skip
        f.line(f"(i32.store {i32(layout.answer)} {i32(layout.options)})")
        if nothing is not None:
            f.line(f"(i64.store {i32(layout.options)} {i64(nothing)})")
        for place, value in ((layout.offered, 0), (layout.player, -1), (layout.ask, -1)):
            f.line(f"(i32.store {i32(place)} {i32(value)})")
        self.jump(then)


def write_block(context: Context, number: int, block: low.Block) -> None:
    site = block.site
    f = Function(name=f"b{number}", parameters=[("f", "i32")], result="i32", rule=site.rule)
    f.comment = comment(f"{block.procedure}, rule {site.rule}, {site.file}:{site.line}")
    framed = Framed(context, f, context.frames[block.procedure], site)
    framed.block(block.body)
    framed.site = site
    framed.exit(block.exit)
    context.module.add(f)


def write_procedure(context: Context, procedure: ir.Procedure) -> None:
    """A procedure that cannot ask: a function; a number says whether it has ended the game."""
    from interpreter.wasm.writing.definitions import begin

    f, values = begin(context, f"p_{safe(procedure.name)}", procedure.parameters, None, procedure.site)
    ends = procedure.name in context.ending
    f.result = "i32" if ends else None
    calls = context.lowered.analysis.branching.get(procedure.name)
    if calls is not None:
        values.spend(i64(calls))
    effects = Effects(context, f, dict(values.names), procedure.site)
    for parameter in procedure.parameters:  # a parameter may be given another value
        operand = values.names[parameter.name]
        effects.targets[parameter.name] = _target_of(parameter, operand)
    effects.block(procedure.body)
    f.leave(i32(0) if ends else "")
    context.module.add(f)


def _target_of(parameter: ir.Parameter, operand: Operand) -> Target:
    if isinstance(operand, Place):
        return Target(parameter.type, local=operand.text.removeprefix("(local.get $").removesuffix(")"))
    if operand.address:
        return Target(parameter.type, address=operand.address)
    word = operand.word(operand.span.low) if operand.span.words else "(local.get $none)"
    return Target(parameter.type, local=word.removeprefix("(local.get $").removesuffix(")"))


def write_listing(context: Context, group: str, listings: tuple[low.Listing, ...], stride: int) -> None:
    """A function that lists every legal use of the actions of a group by a player, who has no options yet."""
    f = Function(name=f"list_{safe(group)}", parameters=[("actor", "i32")])
    layout = context.layout
    option, count = f.fresh("i32", "option"), f.fresh("i32", "count")
    f.set(option, i32(layout.options))
    for listing in listings:
        names: dict[str, Operand] = {listing.actor: Place(get("actor"), "i32")}
        values = Searches(context, f, names, listing.site)
        with ExitStack() as inside:
            for test in listing.tests:
                inside.enter_context(f.when(values.flag(test)))
            for number, loop in enumerate(listing.loops):
                dear = number < len(listing.loops) - 1 or is_dear(loop.tests)
                turn = inside.enter_context(values.loop(loop.parameter.name, loop.source, dear))
                assert isinstance(turn.values, Searches)
                values = turn.values
                for test in loop.tests:
                    inside.enter_context(f.when(values.flag(test)))
            with f.when(f"(i32.ge_u {get(option)} {i32(layout.options_end)})"):
                f.line(f"(call $fail {i32(runtime.MEMORY)} (i32.const 0))")
            f.line(f"(i64.store {get(option)} {i64(listing.action)})")
            for number, loop in enumerate(listing.loops):
                place = values.names[loop.parameter.name]
                assert isinstance(place, Place)
                value = converted(place.text, place.kind, "i64")
                f.line(f"(i64.store offset={8 + 8 * number} {get(option)} {value})")
            f.set(option, add(get(option), stride))
            f.set(count, add(get(count), 1))
    f.line(f"(i32.store {i32(layout.offered)} {get(count)})")
    f.leave()
    context.module.add(f)
