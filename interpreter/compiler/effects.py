"""From statements without questions to Python source: the body of a plain function.

The journal's lines are written only for the edition of the code that keeps one, so that the other pays
nothing for it.
"""

from __future__ import annotations

from interpreter import ir
from interpreter.compiler.emit import Emitter, Shared, Writer, quoted, sets_of
from interpreter.passes.analysis import column, identifier
from interpreter.passes.budget import is_dear
from interpreter.passes.causes import CAUSE
from interpreter.passes.endings import values_in

#: What a value of a type is when there is none; numbers inside for everything else are -1.
EMPTY = {"number": "0", "flag": "False", "text": "''", "set": "0", "list": "()"}


class Effects:
    """Writes statements inside one function. `kept` maps locals to places (a name, or a frame's slot)."""

    def __init__(self, shared: Shared, writer: Writer, kept: dict[str, str], counter: list[int]) -> None:
        self.shared = shared
        self.writer = writer
        self.kept = kept
        self.counter = counter

    @property
    def values(self) -> Emitter:
        return Emitter(self.shared, self.writer, self.kept, self.counter)

    def line(self, text: str) -> None:
        self.writer.line(text)

    def place(self, name: str) -> str:
        """Where a local lives; a new one is a Python local unless a frame has a slot for it."""
        if name not in self.kept:
            self.kept[name] = identifier("l", name)
        return self.kept[name]

    def block(self, statements: tuple[ir.Statement, ...]) -> None:
        before = len(self.writer.lines)
        for statement in statements:
            self.statement(statement)
        if len(self.writer.lines) == before:
            self.line("pass")

    def statement(self, s: ir.Statement) -> None:
        self.writer.site = s.site
        self.cover(s)
        match s:
            case ir.Let(value=ir.Builtin(name="given")):
                self._read_result(s)
            case ir.Let() | ir.SetLocal():
                value = self.values.expr(s.value)
                self.line(f"{self.place(s.name)} = {value}")
            case ir.SetGlobal():
                self._set_global(s)
            case ir.SetAttribute():
                self._set_attribute(s)
            case ir.Put():
                self._put(s)
            case ir.Shuffle():
                self.line(f"shuffle(S, {self.values.expr(s.pile)})")
                self.forget("at")
                self._note("Shuffled", s.site)
            case ir.If():
                self._if(s)
            case ir.ForEach():
                self._for_each(s)
            case ir.Repeat():
                self._repeat(s)
            case ir.Perform():
                self.no_result(s)
                self.line(f"{function_name(s.name)}({self._arguments(s.arguments)})")
            case ir.DrawFrom():
                self._draw(s)
            case ir.Roll():
                self._roll(s)
            case ir.RandomPick():
                self._random_pick(s)
            case ir.PickBy():
                self._pick_by(s)
            case ir.Say():
                if self.shared.settings.journal:
                    self._note("Said", s.site, self.values.expr(s.text))
            case ir.Refuse():
                self.line(f"refuse({self.shared.number(s.site)}, {self.values.expr(s.text)})")
            case ir.Todo():
                if self.shared.settings.journal:
                    self._note("Unwritten", s.site, quoted(s.text))
            case ir.Give():
                self.line(f"S.given = {self.values.expr(s.value)}")
                self.leave()
            case ir.Leave():
                if s.what == "phase":
                    self.line("S.leaving = True")
                self.leave()
            case ir.EndGame():
                winners = self.values.expr(s.winners)
                values = "".join(f"{self.values.expr(value)}, " for value in values_in(s.text))
                self._note("Ended", s.site, winners, str(s.lost))
                self.line(f"end_game(S, {winners}, {self.shared.endings[s.site, s.text]}, ({values}))")
            case ir.EnterPhase():
                self.line(f"S.phase = {quoted(s.phase)}")
                each = [f"({self.shared.type_constant(e.type)}, {self.values.expr(e)}), " for e in s.each]
                self._note("PhaseBegan", s.site, quoted(s.phase), f"({''.join(each)})")
            case ir.Spend():
                self.line("spend(S)" if s.steps == 1 else f"spend(S, {s.steps})")
            case ir.NextTurn():
                self.line("next_turn(S)")
                self.forget("turn")
            case ir.Stay():
                self.line("S.leaving = False")
            case ir.Touch():
                self.line(f"COVER.add({self.shared.number(s.site)})")
            case ir.Answer():
                value = self.values.expr(s.value)
                kind = self.shared.type_constant(s.value.type)
                self.line(f"S.script = (*S.script, ({value}, {kind}, {s.roll}))")
            case _:
                raise AssertionError(type(s))

    def cover(self, s: ir.Statement) -> None:
        """In coverage runs: says that an effect was reached; of a branch or loop, what is in it says so."""
        inside = isinstance(s, (ir.If, ir.ForEach, ir.Repeat, ir.Touch, ir.JumpIf))
        if self.shared.settings.cover and s.site.rule and not inside:
            self.line(f"COVER.add({self.shared.number(s.site)})")

    def no_result(self, s: ir.Perform) -> None:
        """A procedure that gives nothing leaves nothing behind, not an older result."""
        if s.gives is not None:
            self.line("S.given = None")

    def _read_result(self, s: ir.Let) -> None:
        """The result of the procedure that was just left; once read it is gone, and no question waits."""
        target = self.place(s.name)
        self.line(f"{target} = S.given if S.given is not None else {EMPTY.get(s.value.type.tag, '-1')}")
        self.line("S.given = None")

    def leave(self) -> None:
        self.line("return")

    def _arguments(self, arguments: tuple[ir.Expression, ...]) -> str:
        return ", ".join(["S", *(self.values.expr(argument) for argument in arguments)])

    # ------------------------------------------------------------ changes

    def _note(self, fact: str, site: ir.Site, *fields: str) -> None:
        """Puts a fact (a class of `telling.facts`, by its name) and its fields into the journal."""
        if self.shared.settings.journal:
            self.line(f"S.happened = (({', '.join([fact, self.cited(site), *fields])}), S.happened)")

    def cited(self, site: ir.Site) -> str:
        """Python for the number of the place that an effect cites: where it stands, or who had it done."""
        return f"CAUSES[{self.kept[CAUSE]}]" if CAUSE in self.kept else str(self.shared.number(site))

    def forget(self, column: str) -> None:
        """Drops what was remembered of definitions that read a column."""
        if column in self.shared.readers:
            self.line(f"forget_{column}(S)")

    def _unless_same(self, old: str, value: str, name: str, *, told: bool) -> str:
        """Opens a test that a value is new, where an old one spares something; gives the value's text."""
        if not told and name not in self.shared.readers:
            return value
        if not (value.isidentifier() or value.lstrip("-").isdigit()):
            value = self.values.hold(value)
        self.line(f"if {old} != {value}:")
        self.writer.depth += 1
        return value

    def _set_global(self, s: ir.SetGlobal) -> None:
        name = identifier("v", s.name)
        told = self.shared.settings.journal and not _ours(s.name)
        depth = self.writer.depth
        value = self._unless_same(f"S.{name}", self.values.expr(s.value), name, told=told)
        if told:
            self._note("VariableChanged", s.site, quoted(s.name), f"S.{name}", value)
        self.line(f"S.{name} = {value}")
        self.forget(name)
        self.writer.depth = depth

    def _set_attribute(self, s: ir.SetAttribute) -> None:
        name = column(s.owner, s.attribute, s.enum)
        subject = self.values.expr(s.subject)
        if not subject.isidentifier():
            held = self.values.fresh("who")
            self.line(f"{held} = {subject}")
            subject = held
        value = self.values.expr(s.value)
        depth = self.writer.depth
        self.line(f"if {subject} >= 0:")
        self.writer.depth += 1
        told = self.shared.settings.journal and not _ours(s.attribute)
        old = f"S.{name}[{subject}]"
        value = self._unless_same(old, value, name, told=told)
        if told:
            self._note("Changed", s.site, quoted(name), subject, old, value)
        if name in self.shared.kept:
            if not (value.isidentifier() or value.lstrip("-").isdigit()):
                value = self.values.hold(value)
            self.line(f"{sets_of(name)}[{old}] ^= 1 << {subject}")
            self.line(f"{sets_of(name)}[{value}] ^= 1 << {subject}")
        self.line(f"{old} = {value}")
        self.forget(name)
        self.writer.depth = depth

    def _put(self, s: ir.Put) -> None:
        piece, place = self.values.expr(s.piece), self.values.expr(s.place)
        if self.shared.settings.journal:
            held, new = self.values.fresh("piece"), self.values.fresh("place")
            self.line(f"{held} = {piece}")
            self.line(f"{new} = {place}")
            self._note("Moved", s.site, held, f"S.at[{held}]", new)
            piece, place = held, new
        self.line(f"put(S, {piece}, {place}, {s.bottom})")
        self.forget("at")

    # ------------------------------------------------------------ flow

    def _if(self, s: ir.If) -> None:
        self.line(f"if {self.values.expr(s.condition)}:")
        self.writer.depth += 1
        self.block(s.then)
        self.writer.depth -= 1
        if s.otherwise:
            self.line("else:")
            self.writer.depth += 1
            self.block(s.otherwise)
            self.writer.depth -= 1

    def _for_each(self, s: ir.ForEach) -> None:
        """All that is gone through is found before anything is done."""
        items = self._gathered(s.variable, s.source, s.where, s.keys, is_dear(s.body))
        variable = self.values.fresh(s.variable)
        self.line(f"for {variable} in {items}:")
        self.writer.depth += 1
        before = self.kept.get(s.variable)
        self.kept[s.variable] = variable
        self.block(s.body)
        self.writer.depth -= 1
        del self.kept[s.variable]
        if before is not None:
            self.kept[s.variable] = before

    def _repeat(self, s: ir.Repeat) -> None:
        self.line(f"for _ in range(bounded({self.values.expr(s.times)})):")
        self.writer.depth += 1
        self.line("spend(S)")
        if s.condition is not None:
            self.line(f"if not {self.values.expr(s.condition)}:")
            self.line("    break")
        self.block(s.body)
        self.writer.depth -= 1

    # ------------------------------------------------------------ chance

    def _draw(self, s: ir.DrawFrom) -> None:
        pile = self.values.expr(s.pile)
        target = self.place(s.target)
        site = self.cited(s.site)
        if s.count is None:
            self.line(f"{target} = draw(S, {pile}, {site})")
        else:
            self.line(f"{target} = draw_many(S, {pile}, {self.values.expr(s.count)}, {site})")
        self.forget("at")

    def _roll(self, s: ir.Roll) -> None:
        target = self.place(s.target)
        dice = identifier("DICE", s.dice)
        if s.count is None:
            self.line(f"{target} = roll(S, {dice})")
        else:
            self.line(f"{target} = roll_many(S, {dice}, {self.values.expr(s.count)})")
        title = self.values.expr(s.title) if s.title is not None else quoted("")
        piece = self.values.expr(s.piece) if s.piece is not None else "-1"
        shown = quoted(column("piece", s.attribute) if s.attribute else "")
        self._note("Rolled", s.site, quoted(s.dice), target, title, piece, shown)

    def _gathered(
        self,
        variable: str,
        source: ir.Expression,
        where: ir.Expression | None,
        keys: tuple[tuple[ir.Expression, bool], ...] = (),
        dear: bool = False,
    ) -> str:
        kind = ir.Type("list", (), source.type.element)
        return self.values.gathered(
            ir.Gathered(variable=variable, source=source, where=where, keys=keys, dear=dear, type=kind)
        )

    def _random_pick(self, s: ir.RandomPick) -> None:
        items = f"tuple({self._gathered(s.variable, s.source, s.where)})"
        target = self.place(s.target)
        if s.count is None:
            self.line(f"{target} = random_pick(S, {items})")
        else:
            picks = "random_picks" if s.type.tag == "set" else "random_list"
            self.line(f"{target} = {picks}(S, {items}, {self.values.expr(s.count)})")

    def _pick_by(self, s: ir.PickBy) -> None:
        """A priority whose ties no player decides."""
        items = f"tuple({self._gathered(s.variable, s.source, s.where)})"
        given = ", ".join(["S", *(self.values.expr(argument) for argument in s.arguments), items])
        ranked = f"{identifier('rank', s.priority)}({given})"
        target = self.place(s.target)
        if s.count is None:
            self.line(f"{target} = first_of({ranked})")
        else:
            self.line(f"{target} = tuple({ranked}[:max(0, {self.values.expr(s.count)})])")


def _ours(name: str) -> bool:
    """Counters that the compiler keeps for limits are no news for the journal."""
    return " " in name


def function_name(procedure: str) -> str:
    return identifier("p", procedure)
