"""From statements without questions to Python source: the body of a plain function.

The journal's lines are written only for the edition of the code that keeps one, so that the other pays
nothing for it.
"""

from __future__ import annotations

from interpreter import ir
from interpreter.analysis import column, identifier, parts, writes
from interpreter.emit import COLUMN, Emitter, Shared, Writer, reads_of, type_key
from interpreter.kept import slot
from interpreter.narrowing import mentions

#: What a value of a type is when there is none; numbers inside for everything else are -1.
EMPTY = {"number": "0", "flag": "False", "text": "''", "set": "0", "list": "()"}


class Effects:
    """Writes statements inside one function. `kept` maps locals to places (a name, or a frame's slot)."""

    def __init__(self, shared: Shared, writer: Writer, kept: dict[str, str], counter: list[int]) -> None:
        self.shared = shared
        self.writer = writer
        self.kept = kept
        self.counter = counter
        self.certain: set[str] = set()  # Python names that are never nothing

    @property
    def values(self) -> Emitter:
        return Emitter(self.shared, self.writer, self.kept, self.counter)

    def line(self, text: str) -> None:
        self.writer.line(text)

    def place(self, name: str) -> str:
        """Where a local lives; a new one is a Python local unless a frame has a slot for it."""
        if name not in self.kept:
            self.kept[name] = identifier(f"l_{name}")
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
                value = self.stored(s.value)
                self.line(f"{self.place(s.name)} = {value}")
            case ir.SetGlobal():
                self._set_global(s)
            case ir.SetAttribute():
                self._set_attribute(s)
            case ir.Put():
                self._put(s)
            case ir.Shuffle():
                self.line(f"shuffle(S, {self.values.expr(s.pile)})")
                self.forget({"at"})
                self._note(s.site, "'shuffled'", "-1", "None", "None")
            case ir.If():
                self._if(s)
            case ir.ForEach():
                self._for_each(s)
            case ir.Repeat():
                self._repeat(s)
            case ir.Perform():
                self.no_result(s)
                self.line(f"{function_name(s.name)}({self._arguments(s.arguments)})")
            case ir.Apply():
                self.line(f"t_{identifier(s.table)}({self._arguments(s.arguments)})")
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
                    self._note(s.site, "'say'", "-1", "None", self.values.expr(s.text))
            case ir.Refuse():
                self.line(f"refuse({self.shared.number(s.site)}, {self.values.expr(s.text)})")
            case ir.Todo():
                if self.shared.settings.journal:
                    self._note(s.site, "'todo'", "-1", "None", repr(s.text))
            case ir.Give():
                self.line(f"S.given = {self.values.expr(s.value)}")
                self.leave()
            case ir.Leave():
                if s.what == "phase":
                    self.line("S.leaving = True")
                self.leave()
            case ir.EndGame():
                winners, text = self.values.expr(s.winners), self.values.expr(s.text)
                self._note(s.site, "'over'", "-1", "None", winners)
                self.line(f"end_game(S, {winners}, {text}, {self.shared.number(s.site)})")
            case ir.EnterPhase():
                self.line(f"S.phase = {s.phase!r}")
                each = [f"({type_key(value.type)!r}, {self.values.expr(value)})" for value in s.each]
                index = f"({', '.join(each)},)" if each else "-1"
                self._note(s.site, "'phase'", index, "None", repr(s.phase))
            case ir.CheckVictory():
                if self.shared.program.victories:
                    self.line("check_victory(S)")
            case ir.Touch():
                self.line(f"COVER.add({self.shared.number(s.site)})")
            case ir.Answer():
                value = self.values.expr(s.value)
                key = "roll" if s.roll else type_key(s.value.type)
                self.line(f"S.script = (*S.script, ({value}, {key!r}))")
            case _:
                raise AssertionError(type(s))

    def cover(self, s: ir.Statement) -> None:
        """In coverage runs: says that an effect was reached; of a branch or loop, what is in it says so."""
        inside = isinstance(s, (ir.If, ir.ForEach, ir.Repeat, ir.Touch))
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

    def stored(self, value: ir.Expression) -> str:
        """Python for a value that is kept; added to itself, it must not grow without end."""
        text = self.values.expr(value)
        return f"limited({text})" if value.type == ir.NUMBER and _may_grow(value) else text

    def _note(self, site: ir.Site, what: str, index: str, old: str, new: str) -> None:
        if self.shared.settings.journal:
            self.line(
                f"S.happened = (({self.shared.number(site)}, {what}, {index}, {old}, {new}), S.happened)"
            )

    def forget(self, changed: set[str]) -> None:
        """Drops what was remembered of definitions that read what has changed."""
        names = self._forgotten(changed)
        if names:
            self.line(" = ".join(f"S.m_{identifier(name)}" for name in names) + " = None")

    def _forgotten(self, changed: set[str]) -> list[str]:
        return sorted(name for name, reads in self.shared.analysis.remembered.items() if reads & changed)

    def _unless_same(self, old: str, value: str, name: str, *, told: bool) -> str:
        """Opens a test that a value is new, where an old one spares something; gives the value's text."""
        if not told and not self._forgotten({name}):
            return value
        if not (value.isidentifier() or value.lstrip("-").isdigit()):
            value = self._held(value)
        self.line(f"if {old} != {value}:")
        self.writer.depth += 1
        return value

    def _set_global(self, s: ir.SetGlobal) -> None:
        name = identifier(f"v_{s.name}")
        told = self.shared.settings.journal and not _ours(s.name)
        depth = self.writer.depth
        value = self._unless_same(f"S.{name}", self.stored(s.value), name, told=told)
        if told:
            self._note(s.site, repr(f"variable {s.name}"), "-1", f"S.{name}", value)
        self.line(f"S.{name} = {value}")
        self.forget({name})
        self.writer.depth = depth

    def _set_attribute(self, s: ir.SetAttribute) -> None:
        name = column(s.owner, s.attribute, s.enum)
        subject = self.values.expr(s.subject)
        if not subject.isidentifier():
            held = self.values.fresh("who")
            self.line(f"{held} = {subject}")
            subject = held
        value = self.stored(s.value)
        depth = self.writer.depth
        if subject not in self.certain:
            self.line(f"if {subject} >= 0:")
            self.writer.depth += 1
        told = self.shared.settings.journal and not _ours(s.attribute)
        old = f"{COLUMN}{name}[{subject}]"
        value = self._unless_same(old, value, name, told=told)
        if told:
            self._note(s.site, repr(_change_key(s)), subject, old, value)
        if name in self.shared.kept:
            if not (value.isidentifier() or value.lstrip("-").isdigit()):
                value = self._held(value)
            self.line(f"{COLUMN}{slot(name)}[{old}] ^= 1 << {subject}")
            self.line(f"{COLUMN}{slot(name)}[{value}] ^= 1 << {subject}")
        self.line(f"{old} = {value}")
        self.forget({name})
        self.writer.depth = depth

    def _put(self, s: ir.Put) -> None:
        piece, place = self.values.expr(s.piece), self.values.expr(s.place)
        if self.shared.settings.journal:
            held, new = self.values.fresh("piece"), self.values.fresh("place")
            self.line(f"{held} = {piece}")
            self.line(f"{new} = {place}")
            self._note(s.site, "'place'", held, f"{COLUMN}at[{held}]", new)
            piece, place = held, new
        if piece in self.certain and not any(kind.owner == "pile" for kind in self.shared.program.kinds):
            # Without piles a move is three assignments; nowhere is the last element.
            spot = place if place.isidentifier() or place == "-1" else self.values.fresh("place")
            if spot != place:
                self.line(f"{spot} = {place}")
            self.line(f"{COLUMN}inside[{COLUMN}at[{piece}]] ^= 1 << {piece}")
            self.line(f"{COLUMN}at[{piece}] = {spot}")
            self.line(f"{COLUMN}inside[{spot}] |= 1 << {piece}")
        else:
            self.line(f"put(S, {piece}, {place}, {s.bottom})")
        self.forget({"at"})

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

    def collection(self, s: ir.ForEach) -> str:
        """Python for the things a loop goes through, all found before it begins."""
        source, where = self.values.narrowed(s.variable, s.source, s.where)
        if where is None and not s.keys and not isinstance(source, ir.Along):
            return self.values.iterable(source)
        items = self.values.fresh("items")
        self.line(f"{items} = []")
        ending, inner = self.values.loop(s.variable, source)
        depth = self.writer.depth
        if where is not None:
            self.line(f"if {inner.expr(where)}:")
            self.writer.depth += 1
        variable = inner.names[s.variable]
        if s.keys:
            keys = [(inner.expr(key), highest) for key, highest in s.keys]
            order = ", ".join(f"-{key}" if highest else key for key, highest in keys)
            self.line(f"{items}.append(({order}, {variable}))")
        else:
            self.line(f"{items}.append({variable})")
        self.writer.depth = depth
        self.values.close(ending)
        if s.keys:
            self.line(f"{items} = [item[-1] for item in sorted({items})]")
        return items

    def _for_each(self, s: ir.ForEach) -> None:
        source, where = self.values.narrowed(s.variable, s.source, s.where)
        changed = writes(s.body, self.shared.writes)
        locals_set = {part.name for part in parts(s.body) if isinstance(part, ir.SetLocal)}
        if (
            not s.keys
            and not isinstance(source, ir.Along)
            and where is not None
            and not changed & reads_of((where,), self.shared)
            and not any(mentions(where, name) for name in locals_set)
        ):
            # Nothing in the body can change whether a later one meets the condition: one pass is enough.
            ending, inner = self.values.loop(s.variable, source)
            variable = inner.names[s.variable]
            self.line(f"if not {inner.expr(where)}:")
            self.line("    continue")
            self._loop_body(s, variable, ending)
            return
        items = self.collection(s)
        variable = self.values.fresh(s.variable)
        self.line(f"for {variable} in {items}:")
        self.writer.depth += 1
        self._loop_body(s, variable, "")

    def _loop_body(self, s: ir.ForEach, variable: str, ending: str) -> None:
        self.kept[s.variable] = variable
        self.certain.add(variable)
        if _worth_counting(s):
            self.line("spend(S)")
        self.block(s.body)
        self.values.close(ending)

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
        site = self.shared.number(s.site)
        if s.count is None:
            self.line(f"{target} = draw(S, {pile}, {site})")
        else:
            self.line(f"{target} = draw_many(S, {pile}, {self.values.expr(s.count)}, {site})")
        self.forget({"at"})

    def _roll(self, s: ir.Roll) -> None:
        target = self.place(s.target)
        dice = identifier(f"DICE_{s.dice}")
        if s.count is None:
            self.line(f"{target} = roll(S, {dice})")
        else:
            self.line(f"{target} = roll_many(S, {dice}, {self.values.expr(s.count)})")
        self._note(s.site, repr(f"roll {s.dice}"), "-1", "None", target)

    def _held(self, text: str) -> str:
        name = self.values.fresh("held")
        self.line(f"{name} = {text}")
        return name

    def filtered(self, variable: str, source: ir.Expression, where: ir.Expression | None) -> str:
        """Python for a list of the things that meet the condition."""
        smaller, rest = self.values.narrowed(variable, source, where)
        if rest is None and not isinstance(smaller, ir.Along):
            items = self.values.iterable(smaller)
            return f"list({items})"
        items = self.values.fresh("items")
        name = self.values.fresh(variable)
        aside = self.values.inner(**{variable: name})
        test = aside.simple(rest) if rest is not None and not isinstance(smaller, ir.Along) else None
        if test is not None:
            through = self.values.iterable(smaller)
            if ":=" in through:  # Python does not take names given inside there
                through = self._held(through)
            self.line(f"{items} = [{name} for {name} in {through} if {test}]")
            return items
        self.line(f"{items} = []")
        ending, inner = self.values.loop(variable, smaller)
        depth = self.writer.depth
        if rest is not None:
            self.line(f"if {inner.expr(rest)}:")
            self.writer.depth += 1
        self.line(f"{items}.append({inner.names[variable]})")
        self.writer.depth = depth
        self.values.close(ending)
        return items

    def _random_pick(self, s: ir.RandomPick) -> None:
        items = self.filtered(s.variable, s.source, s.where)
        target = self.place(s.target)
        if s.count is None:
            self.line(f"{target} = random_pick(S, {items})")
        else:
            self.line(f"{target} = random_picks(S, {items}, {self.values.expr(s.count)})")

    def _pick_by(self, s: ir.PickBy) -> None:
        """A priority whose ties no player decides."""
        items = self.filtered(s.variable, s.source, s.where)
        given = ", ".join(["S", *(self.values.expr(argument) for argument in s.arguments), items])
        ranked = f"rank_{identifier(s.priority)}({given})"
        target = self.place(s.target)
        if s.count is None:
            self.line(f"{target} = first_of({ranked})")
        else:
            self.line(f"{target} = tuple({ranked}[:max(0, {self.values.expr(s.count)})])")


def _worth_counting(s: ir.ForEach) -> bool:
    """Loops inside loops use up the budget of steps; a single one, or over an enum, is too short."""
    if s.variable_type.tag in ("enum", "flag"):
        return False
    return any(
        isinstance(part, (ir.ForEach, ir.Repeat, ir.Perform, ir.Apply, ir.Quantify, ir.Call))
        for part in parts(s.body)
    )


def _may_grow(value: ir.Expression) -> bool:
    """Whether a number can be larger by more than a little than the numbers it is made of."""
    match value:
        case ir.Binary(operator="+" | "-"):
            return (
                not (_is_small(value.left) or _is_small(value.right))
                or _may_grow(value.left)
                or _may_grow(value.right)
            )
        case ir.Binary(operator="*"):
            return True
        case ir.Call() | ir.Quantify(gather="sum"):
            return True
        case ir.Conditional():
            return _may_grow(value.then) or _may_grow(value.otherwise)
        case ir.Unary():
            return _may_grow(value.operand)
        case ir.Builtin(arguments=arguments):
            return any(_may_grow(argument) for argument in arguments if argument.type == ir.NUMBER)
        case ir.Quantify(body=body) if body is not None:
            return _may_grow(body)
        case _:
            return False


def _is_small(value: ir.Expression) -> bool:
    return (
        isinstance(value, ir.Const)
        or (isinstance(value, ir.Get) and value.fixed)
        or (isinstance(value, ir.Quantify) and value.gather == "count")
    )


def _change_key(s: ir.SetAttribute) -> str:
    return f"{s.owner} {s.attribute}" if not s.enum else f"enum {s.enum} {s.attribute}"


def _ours(name: str) -> bool:
    """Counters that the compiler keeps for limits are no news for the journal."""
    return " " in name


def function_name(procedure: str) -> str:
    return f"p_{identifier(procedure)}"
