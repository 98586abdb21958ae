"""From typed expressions to Python source.

An expression becomes lines that prepare it (loops, mostly) and a Python expression for its value. Small
definitions are written in place; definitions that depend on nothing that changes become look-ups in tables
that the game fills once.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import assert_never

from interpreter import ir
from interpreter.passes.analysis import Analysis, column, identifier
from interpreter.passes.budget import constant_set, is_counted, is_dear
from interpreter.passes.lowered import Lowered
from interpreter.passes.rows import SHORT_ROW


@dataclass(eq=False, slots=True)
class Writer:
    """Lines of source, with the place in the rules that each comes from."""

    lines: list[str] = field(default_factory=list)
    sites: list[ir.Site] = field(default_factory=list)
    site: ir.Site = ir.NOWHERE
    depth: int = 0

    def line(self, text: str) -> None:
        self.lines.append("    " * self.depth + text)
        self.sites.append(self.site)

    def take(self, other: Writer) -> None:
        self.lines.extend(other.lines)
        self.sites.extend(other.sites)


@dataclass(eq=False, slots=True)
class Settings:
    journal: bool
    cover: bool


@dataclass(eq=False, slots=True)
class Shared:
    """What all functions of a program have in common while they are written."""

    lowered: Lowered
    settings: Settings
    definitions: dict[str, ir.Definition] = field(default_factory=dict)
    tables: dict[str, ir.Table] = field(default_factory=dict)
    refs: dict[tuple[str, str], str] = field(default_factory=dict)  # (tag, id) -> constant name
    having: set[str] = field(default_factory=set)  # fixed columns that are looked up by value
    kept: dict[str, tuple[str, ...]] = field(default_factory=dict)  # changing columns that are
    readers: dict[str, list[str]] = field(default_factory=dict)  # column -> who remembers what it read there
    lines: set[int] = field(default_factory=set)  # lengths of the straight rows that rules look at
    short: set[str] = field(default_factory=set)  # enums: loops over them are short
    endings: dict[tuple[ir.Site, ir.Expression], int] = field(default_factory=dict)
    sites: list[ir.Site] = field(default_factory=list)  # of journal entries and coverage
    site_numbers: dict[ir.Site, int] = field(default_factory=dict)
    types: dict[ir.Type, int] = field(default_factory=dict)  # of values that are shown to people

    @property
    def program(self) -> ir.Program:
        return self.lowered.program

    @property
    def analysis(self) -> Analysis:
        return self.lowered.analysis

    def number(self, site: ir.Site) -> int:
        known = self.site_numbers.get(site)
        if known is None:
            known = self.site_numbers[site] = len(self.sites)
            self.sites.append(site)
        return known

    def type_constant(self, kind: ir.Type) -> str:
        """The name under which generated code finds a type."""
        return f"TYPE_{self.types.setdefault(kind, len(self.types))}"


class Emitter:
    """Writes expressions inside one function. `names` maps locals of the rules to Python ones."""

    def __init__(self, shared: Shared, writer: Writer, names: dict[str, str], counter: list[int]) -> None:
        self.shared = shared
        self.writer = writer
        self.names = names
        self.counter = counter

    # ------------------------------------------------------------ small things

    def fresh(self, hint: str = "t") -> str:
        self.counter[0] += 1
        return identifier(f"x{self.counter[0]}", hint)

    def inner(self, **names: str) -> Emitter:
        return Emitter(self.shared, self.writer, {**self.names, **names}, self.counter)

    def aside(self, expression: ir.Expression) -> tuple[Writer, str]:
        """The lines that an expression needs, one level deeper, and its text; nothing is written yet."""
        writer = Writer(depth=self.writer.depth + 1, site=self.writer.site)
        text = Emitter(self.shared, writer, dict(self.names), self.counter).expr(expression)
        return writer, text

    def simple(self, expression: ir.Expression) -> str | None:
        """The Python expression, if no lines are needed before it."""
        writer, text = self.aside(expression)
        return text if not writer.lines else None

    def _branch(self, name: str, writer: Writer, text: str) -> None:
        """Puts lines written aside here, and their value into `name`."""
        self.writer.take(writer)
        self.writer.depth += 1
        self.line(f"{name} = {text}")
        self.writer.depth -= 1

    def line(self, text: str) -> None:
        self.writer.line(text)

    # ------------------------------------------------------------ expressions

    def expr(self, e: ir.Expression) -> str:
        match e:
            case ir.Const():
                return quoted(e.value)
            case ir.Ref():
                return self._ref(e)
            case ir.Local():
                return self.names[e.name]
            case ir.Global():
                return self._global(e)
            case ir.Get():
                return self._get(e)
            case ir.Extent():
                return identifier("M", e.kind)
            case ir.Binary():
                return self._binary(e)
            case ir.Unary():
                operand = self.expr(e.operand)
                return f"(not {operand})" if e.operator == "not" else f"(-{operand})"
            case ir.Between():
                return self._between(e)
            case ir.Conditional():
                return self._conditional(e)
            case ir.MakeSet():
                return self._make_set(e)
            case ir.Call():
                return self._call(e)
            case ir.Builtin():
                return self._builtin(e)
            case ir.Quantify():
                return self._quantify(e)
            case ir.Along():
                return self._collect_along(e)
            case ir.Reach():
                return self._reach(e)
            case ir.Sight():
                return self._sight(e)
            case ir.Matching():
                return self._matching(e)
            case ir.Format():
                return self._format(e)
            case ir.Given():
                return identifier("G", e.name)
            case ir.Having():
                name = column(e.owner, e.attribute, e.enum)
                self.shared.having.add(name)
                return f"K_{name}[{self.expr(e.value)}]"
            case ir.Kept():
                return f"{sets_of(column(e.owner, e.attribute))}[{self.expr(e.value)}]"
            case ir.Static():
                return f"Z_{e.number}"
            case ir.ContentsNear():
                table = "NEIGHBOURS_LIST" if e.distance is None else f"WITHIN_{e.distance}"
                return f"around(S.inside, {table}[{self.expr(e.place)}])"
            case ir.ContentsOf():
                return f"inside_of(S.inside, {self.expr(e.places)}, {self.expr(e.pieces)})"
            case ir.ContentsWhere():
                row = self.table_access(e.definition, e.arguments)
                return f"inside_where(S.inside, {row}, {self.expr(e.pieces)})"
            case ir.Single():
                return f"single({self.expr(e.thing)})"
            case ir.Members():
                return f"list_mask({self.expr(e.items)})"
            case ir.Best():
                return f"BEST_{e.number}({self.expr(e.group)})"
            case ir.Gathered():
                return f"tuple({self.gathered(e)})"
            case ir.Foremost():
                arguments = "".join(f"{self.expr(argument)}, " for argument in e.arguments)
                return f"{identifier('best', e.priority)}(S, {arguments}{self.expr(e.items)})"
            case ir.Without():
                return f"without({self.expr(e.items)}, {self.expr(e.thing)})"
            case ir.Answered():
                return "S.answer"
            case ir.Declined():
                return "(not S.answer)" if e.actions else "(S.answer == DONE)"
            case ir.Leaving():
                return "S.leaving"
            case _:
                assert_never(e)

    def _ref(self, e: ir.Ref) -> str:
        key = (e.type.tag, e.id)
        return self.shared.refs.setdefault(key, f"REF_{len(self.shared.refs)}")

    def _global(self, e: ir.Global) -> str:
        if e.builtin:
            return "S.turn" if e.name == "turn" else identifier("O", e.name)
        return "S." + identifier("v", e.name)

    def _get(self, e: ir.Get) -> str:
        name = column(e.owner, e.attribute, e.enum)
        subject = self.expr(e.subject)
        return f"F_{name}[{subject}]" if e.fixed else f"S.{name}[{subject}]"

    def atom(self, e: ir.Expression, hint: str = "t") -> str:
        """A Python name or literal for the value, so that it can be used more than once."""
        text = self.expr(e)
        if text.isidentifier() or text.lstrip("-").isdigit():
            return text
        name = self.fresh(hint)
        self.line(f"{name} = {text}")
        return name

    def _binary(self, e: ir.Binary) -> str:
        if e.operator in ("and", "or"):
            return self._short_circuit(e)
        left = self.expr(e.left)
        mark = len(self.writer.lines)
        right = self.expr(e.right)
        if len(self.writer.lines) > mark and not (left.isidentifier() or left.lstrip("-").isdigit()):
            left = self._hold(left, mark)
        match e.operator:
            case "=":
                return f"({left} == {right})"
            case "in":
                if e.right.type.tag == "list":
                    return f"({left} in {right})"
                return self._member(left, right)
            case "union" if e.type.tag == "list":
                return f"counted(S, {left} + {right})"
            case "union":
                return f"({left} | {right})"
            case "minus":
                return f"({left} & ~{right})"
            case "both":
                return f"({left} & {right})"
            case "down":
                return f"({left} // {right})"
            case "up":
                return f"(-(-{left} // {right}))"
            case "near":
                return f"((2 * {left} + {right}) // (2 * {right}))"
            case _:
                return f"({left} {e.operator} {right})"

    def _hold(self, text: str, mark: int) -> str:
        """Computes the left side before the lines that the right side needed."""
        name = self.fresh()
        self.writer.lines.insert(mark, "    " * self.writer.depth + f"{name} = {text}")
        self.writer.sites.insert(mark, self.writer.site)
        return name

    def _member(self, element: str, group: str) -> str:
        if element.isdigit():
            return f"({group} >> {element} & 1 == 1)"
        if element.isidentifier():
            return f"({element} >= 0 and {group} >> {element} & 1 == 1)"
        name = self.fresh()
        return f"(({name} := {element}) >= 0 and {group} >> {name} & 1 == 1)"

    def _short_circuit(self, e: ir.Binary) -> str:
        left = self.expr(e.left)
        writer, right = self.aside(e.right)
        if not writer.lines:
            return f"({left} {e.operator} {right})"
        name = self.fresh()
        self.line(f"{name} = {left}")
        self.line(f"if {name}:" if e.operator == "and" else f"if not {name}:")
        self._branch(name, writer, right)
        return name

    def _between(self, e: ir.Between) -> str:
        subject = self.expr(e.subject)
        low = self.expr(e.low) if e.low is not None else None
        high = self.expr(e.high) if e.high is not None else None
        if low is not None and high is not None:
            return f"({low} <= {subject} <= {high})"
        return f"({subject} >= {low})" if low is not None else f"({subject} <= {high})"

    def _conditional(self, e: ir.Conditional) -> str:
        condition = self.expr(e.condition)
        then_writer, then = self.aside(e.then)
        other_writer, otherwise = self.aside(e.otherwise)
        if not then_writer.lines and not other_writer.lines:
            return f"({then} if {condition} else {otherwise})"
        name = self.fresh()
        self.line(f"if {condition}:")
        self._branch(name, then_writer, then)
        self.line("else:")
        self._branch(name, other_writer, otherwise)
        return name

    def _make_set(self, e: ir.MakeSet) -> str:
        mask = constant_set(e)
        if mask is not None:
            return str(mask)
        bits = [f"bit({self.expr(item)})" for item in e.items]
        return f"({' | '.join(bits)})"

    # ------------------------------------------------------------ calls

    def _call(self, e: ir.Call) -> str:
        definition = self.shared.definitions.get(e.name)
        analysis = self.shared.analysis
        if definition is not None and not self.shared.settings.cover:
            if e.name in analysis.tabled:
                return self.table_access(e.name, e.arguments)
            if e.name in analysis.inlined:
                return self._inline(definition, e)
        arguments = ", ".join(["S", *(self.expr(argument) for argument in e.arguments)])
        prefix = "d" if definition is not None else "t"
        return f"{identifier(prefix, e.name)}({arguments})"

    def table_access(self, name: str, arguments: tuple[ir.Expression, ...], prefix: str = "T") -> str:
        return identifier(prefix, name) + "".join(f"[{self.expr(argument)}]" for argument in arguments)

    def _inline(self, definition: ir.Definition, e: ir.Call) -> str:
        names = {}
        for parameter, argument in zip(definition.parameters, e.arguments, strict=True):
            names[parameter.name] = self.atom(argument, parameter.name)
        return Emitter(self.shared, self.writer, names, self.counter).expr(definition.body)

    def _builtin(self, e: ir.Builtin) -> str:
        if e.name == "pile_of":
            kind = e.arguments[0]
            assert isinstance(kind, ir.Const)
            return f"{identifier('PILE', str(kind.value))}[{self.expr(e.arguments[1])}]"
        values = [self.expr(argument) for argument in e.arguments]
        match e.name:
            case "place_of":
                return f"S.at[{values[0]}]"
            case "contents":
                return f"S.inside[{values[0]}]"
            case "given":
                return "S.given"
            case "neighbours":
                return f"{_NEAR[_one_kind(e.type)]}[{values[0]}]"
            case "adjacent":
                return self._member(values[0], f"NEIGHBOURS[{values[1]}]")
            case "next_space":
                return f"STEP[{values[1]}][{values[0]}]"
            case "opposite":
                return f"OPPOSITE[{values[0]}]"
            case "row_of" | "column_of":
                return f"{e.name.upper()}[{values[0]}]"
            case "edge_between":
                return f"edge_of({values[0]}, {values[1]})"
            case "size":
                return (
                    f"len({values[0]})" if e.arguments[0].type.tag == "list" else f"({values[0]}).bit_count()"
                )
            case "lowest_of" | "highest_of":
                return (
                    f"{'min' if e.name == 'lowest_of' else 'max'}({', '.join(values)})"
                    if len(values) > 1
                    else values[0]
                )
            case "absolute":
                return f"abs({values[0]})"
            case "numbers":
                return f"counted(S, numbers({values[0]}, {values[1]}))"
            case "number_list":
                return f"({', '.join(values)},)" if values else "()"
            case "next_player":
                return f"NEXT_PLAYER[{values[0]}]"
            case "last_turn":
                return "LAST_TURN"
            case "directions":
                return "DIRECTIONS"
            case "game_over":
                return "(S.result is not None)"
            case "winners":
                return "winners(S)"
            case "lines_through" if values[1].isdigit() and int(values[1]) <= SHORT_ROW:
                self.shared.lines.add(int(values[1]))
                sets = e.type.element is not None and e.type.element.tag == "set"
                return f"{'LINE_SETS' if sets else 'LINES'}_{values[1]}[{values[0]}]"
            case "item":
                base = 0 if e.arguments[1].type.tag == "enum" else 1
                missing = {"number": "0", "flag": "False", "text": "''", "set": "0", "list": "()"}.get(
                    e.type.tag, "-1"
                )
                items = f"bits({values[0]})" if e.arguments[0].type.tag == "set" else values[0]
                return f"item({items}, {values[1]} - {base}, {missing})"
            case "first_of":
                return f"first_of({values[0]})"
            case "top":
                return f"top(S, {values[0]})"
            case "name_of":
                return self.shown(e.arguments[0])
            case "spaces_within" | "ring" | "line_between":
                return self._of_kinds(f"{e.name}(S, {', '.join(values)})", e.type)
            case "lines_through":
                return f"lines_through(S, {', '.join(values)})"
            case _:
                return f"{e.name}({', '.join(values)})"

    def _of_kinds(self, text: str, kind: ir.Type) -> str:
        """Boards may be joined; of the spaces found, those of the kinds that the type says."""
        names = kind.element.names if kind.element is not None else ()
        if kind.tag != "set" or not names:
            return text
        return f"({text} & ({' | '.join(identifier('M', name) for name in names)}))"

    def _format(self, e: ir.Format) -> str:
        pieces = [quoted(part) if isinstance(part, str) else self.shown(part) for part in e.parts]
        if all(piece[0] in "'\"" for piece in pieces):
            return f"({' '.join(pieces)})"  # literals side by side are one
        return f"written(S, ({', '.join(pieces)},))"

    def shown(self, e: ir.Expression) -> str:
        """Python for the text that a person sees for a value."""
        value = self.expr(e)
        if e.type.tag == "number":
            return quoted(value) if value.isdigit() else f"str({value})"
        return f"shown({value}, {self.shared.type_constant(e.type)})"

    # ------------------------------------------------------------ loops

    def loop(self, variable: str, source: ir.Expression, inside: object = ()) -> tuple[str, Emitter]:
        """Opens a loop over a collection; what follows is written inside. Call `close` for what is behind.

        `inside` is what the loop does with each thing: from that follows whether its steps are counted.
        """
        name = self.fresh(variable)
        inner = self.inner(**{variable: name})
        if isinstance(source, ir.Along):
            start, direction = self.expr(source.start), self.expr(source.direction)
            steps = self.fresh("step")
            self.line(f"{steps} = STEP[{direction}]")
            self.line(f"{name} = {steps}[{start}]")
            self.line(f"while {name} >= 0:")
            self.writer.depth += 1
            if is_dear((source.condition, inside)):
                self.line("spend(S)")
            test = self.inner(**{source.variable: name}).expr(source.condition)
            self.line(f"if not {test}:")
            self.writer.depth += 1
            self.line("break")
            self.writer.depth -= 1
            return f"{name} = {steps}[{name}]", inner
        self.line(f"for {name} in {self.iterable(source, inside)}:")
        self.writer.depth += 1
        return "", inner

    def close(self, ending: str) -> None:
        if ending:
            self.line(ending)
        self.writer.depth -= 1

    def iterable(self, source: ir.Expression, inside: object = ()) -> str:
        """Python for something to loop over, in index order; its steps are counted as `budget` says."""
        text = self._in_order(source)
        return f"counted(S, {text})" if is_counted(source, is_dear(inside), self.shared.short) else text

    def _in_order(self, source: ir.Expression) -> str:
        if isinstance(source, ir.Extent):
            return identifier("R", source.kind)
        mask = constant_set(source)
        if mask is not None:
            return quoted(tuple(index for index in range(mask.bit_length()) if mask >> index & 1))
        if isinstance(source, ir.Builtin) and source.name == "neighbours":
            return f"{_NEAR[_one_kind(source.type)]}_LIST[{self.expr(source.arguments[0])}]"
        if isinstance(source, ir.Static):
            return f"ZL_{source.number}"
        if (
            isinstance(source, ir.Call)
            and source.name in self.shared.analysis.tabled
            and not self.shared.settings.cover
        ):
            prefix = "L" if source.type.tag == "set" else "T"
            return self.table_access(source.name, source.arguments, prefix)
        text = self.expr(source)
        return text if source.type.tag == "list" else f"bits({text})"

    def gathered(self, e: ir.Gathered) -> str:
        """Python for something to loop over: the things that meet the condition, found before it begins."""
        along = isinstance(e.source, ir.Along)
        dear = ir.Call(name="", arguments=(), type=ir.FLAG) if e.dear else ()  # stands for what is dear
        if e.where is None and not e.keys and not along:
            return self.iterable(e.source, dear)
        name = self.fresh(e.variable)
        test = self.inner(**{e.variable: name}).simple(e.where) if e.where is not None else None
        if test is not None and not e.keys and not along:
            through = self.iterable(e.source, (e.where, dear))
            if ":=" in through:  # Python does not take names given inside there
                through = self.hold(through)
            return self.hold(f"[{name} for {name} in {through} if {test}]", "items")
        items = self.hold("[]", "items")
        ending, inner = self.loop(e.variable, e.source, (e.where, e.keys, dear))
        depth = self.writer.depth
        if e.where is not None:
            self.line(f"if {inner.expr(e.where)}:")
            self.writer.depth += 1
        variable = inner.names[e.variable]
        keys = [f"-{inner.expr(key)}" if highest else inner.expr(key) for key, highest in e.keys]
        entry = f"({', '.join([*keys, variable])})" if keys else variable
        self.line(f"{items}.append({entry})")
        self.writer.depth = depth
        self.close(ending)
        return f"[item[-1] for item in sorted({items})]" if keys else items

    def hold(self, text: str, hint: str = "held") -> str:
        name = self.fresh(hint)
        self.line(f"{name} = {text}")
        return name

    def _quantify(self, e: ir.Quantify) -> str:
        source, where = e.source, e.where
        if e.gather == "count" and where is None and e.body is None and not isinstance(source, ir.Along):
            text = self.expr(source)
            return f"len({text})" if source.type.tag == "list" else f"({text}).bit_count()"
        if e.gather in ("some", "no") and where is None and not isinstance(source, ir.Along):
            text = self.expr(source)
            return f"bool({text})" if e.gather == "some" else f"(not {text})"
        result = self.fresh("found" if e.gather in ("some", "no") else e.gather)
        start = {
            "some": "False",
            "no": "True",
            "every": "True",
            "list": "[]",
            "most": "None",
            "least": "None",
        }
        self.line(f"{result} = {start.get(e.gather, '-1' if e.gather in ('highest', 'lowest') else '0')}")
        best = ""
        if e.gather in ("highest", "lowest"):
            best = self.fresh("best")
            self.line(f"{best} = None")
        if e.gather in ("some", "no") and self._is_plain_every(where):
            assert isinstance(where, ir.Quantify)
            return self._some_every(e, source, where, result)
        ending, inner = self.loop(e.variable, source, (where, e.body))
        depth = self.writer.depth
        if where is not None:
            self.line(f"if {inner.expr(where)}:")
            self.writer.depth += 1
        self._gather(e, inner, result, best)
        self.writer.depth = depth
        self.close(ending)
        if e.gather == "most":
            return f"({result} or 0)"
        if e.gather == "least":
            return f"({result} if {result} is not None else FAR)"
        return f"tuple({result})" if e.gather == "list" else result

    def _is_plain_every(self, where: ir.Expression | None) -> bool:
        return (
            isinstance(where, ir.Quantify)
            and where.gather == "every"
            and where.where is None
            and not isinstance(where.source, ir.Along)
        )

    def _some_every(self, e: ir.Quantify, source: ir.Expression, where: ir.Quantify, result: str) -> str:
        """`some row in rows where every cell in row has ...`: a loop in a loop that breaks off early."""
        ending, inner = self.loop(e.variable, source, where)
        depth = self.writer.depth
        _, innermost = inner.loop(where.variable, where.source, where.body)
        assert where.body is not None
        self.line(f"if not {innermost.expr(where.body)}:")
        self.line("    break")
        self.writer.depth = depth
        self.line("else:")
        self.line(f"    {result} = {e.gather == 'some'}")
        self.line("    break")
        self.close(ending)
        return result

    def _gather(self, e: ir.Quantify, inner: Emitter, result: str, best: str) -> None:
        variable = inner.names[e.variable]
        if e.gather in ("some", "no"):
            self.line(f"{result} = {e.gather == 'some'}")
            self.line("break")
            return
        if e.gather == "count":
            self.line(f"{result} += 1")
            return
        assert e.body is not None
        value = inner.expr(e.body)
        match e.gather:
            case "every":
                self.line(f"if not {value}:")
                self.line(f"    {result} = False")
                self.line("    break")
            case "sum":
                self.line(f"{result} += {value}")
            case "most" | "least":
                held = self.fresh()
                self.line(f"{held} = {value}")
                self.line(f"if {result} is None or {held} {'>' if e.gather == 'most' else '<'} {result}:")
                self.line(f"    {result} = {held}")
            case "set":
                self.line(
                    f"{result} |= bit({value})"
                    if not value.isidentifier() or value != variable
                    else f"{result} |= 1 << {value}"
                )
            case "list":
                self.line(f"{result}.append({value})")
            case _:
                held = self.fresh()
                self.line(f"{held} = {value}")
                self.line(f"if {best} is None or {held} {'>' if e.gather == 'highest' else '<'} {best}:")
                self.line(f"    {best} = {held}")
                self.line(f"    {result} = {variable}")

    def _collect_along(self, e: ir.Along) -> str:
        result = self.fresh("along")
        self.line(f"{result} = []")
        ending, inner = self.loop(e.variable, e)
        self.line(f"{result}.append({inner.names[e.variable]})")
        self.close(ending)
        return f"tuple({result})"

    # ------------------------------------------------------------ searches: conditions become inner functions

    def _function(self, parameters: list[str], body: ir.Expression) -> str:
        name = self.fresh("test")
        python = {parameter: self.fresh(parameter) for parameter in parameters}
        self.line(f"def {name}({', '.join(python.values())}):")
        self.writer.depth += 1
        inner = self.inner(**python)
        self.line(f"return {inner.expr(body)}")
        self.writer.depth -= 1
        return name

    def _reach(self, e: ir.Reach) -> str:
        start = self.fresh("start")
        several = e.start.type.tag == "set"
        self.line(f"{start} = {self.iterable(e.start) if several else f'single({self.expr(e.start)})'}")
        limit = self.expr(e.limit) if e.limit is not None else "None"
        goal = self.expr(e.goal) if e.goal is not None else "None"
        stop = self._function([e.step_to], e.stop) if e.stop is not None else "None"
        goal += f", {' | '.join(identifier('M', name) for name in e.kinds)}" if e.kinds else ""
        listed = e.type.tag == "list"
        if e.within is not None:
            within = self.expr(e.within)
            halts = f", {self.expr(e.halts)}" if e.halts is not None else ""
            return self._of_kinds(f"reach_within(S, {start}, {within}, X_{e.steps}, {limit}{halts})", e.type)
        if e.cost is None and not listed:
            assert e.condition is not None
            test = self._function([e.step_from, e.step_to], e.condition)
            return self._of_kinds(f"reach_by_steps(S, {start}, {test}, {limit}, {stop}, {goal})", e.type)
        cost = self._function([e.step_from, e.step_to], ir.price_of_step(e))
        if listed:
            return f"way_by_cost(S, {start}, {cost}, {limit}, {stop}, {goal})"
        return self._of_kinds(f"reach_by_cost(S, {start}, {cost}, {limit}, {stop}, {goal})", e.type)

    def _sight(self, e: ir.Sight) -> str:
        start, end = self.atom(e.start), self.atom(e.end)
        return f"sight(S, {start}, {end}, {self._function([e.variable], e.blocks)})"

    def _matching(self, e: ir.Matching) -> str:
        left, right = self.atom(e.left_source, "left"), self.atom(e.right_source, "right")
        test = self._function([e.left, e.right], e.condition)
        capacity = self._function([e.left], e.capacity) if e.capacity is not None else "None"
        near = f", {self._function([e.left], e.near)}" if e.near is not None else ""
        return f"match_size(S, {left}, {right}, {test}, {capacity}{near})"


Literal = bool | int | str | tuple["Literal", ...]


def quoted(value: Literal) -> str:
    """Python for a value of the rules. Whatever an author's text says, it gets into code by this alone."""
    match value:
        case bool() | int():
            return repr(value)
        case str():
            return repr(str(value))
        case tuple():
            return f"({''.join(f'{quoted(item)}, ' for item in value)})"
        case _:
            raise AssertionError(type(value))


def comment(text: str) -> str:
    """A line of Python that does nothing, whatever the text."""
    return f"# {quoted(text)[1:-1]}"


#: The tables of neighbours: all of them, and those of the same kind.
_NEAR = {False: "NEIGHBOURS", True: "NEAR"}


def _one_kind(kind: ir.Type) -> bool:
    return kind.element is not None and len(kind.element.names) == 1


def slot(name: str) -> str:
    """The name of a state's sets for a column."""
    return f"w_{name}"


def sets_of(name: str) -> str:
    """Python for a state's sets for a column, which are made when they are first asked for."""
    return f"(S.{slot(name)} or keep_{name}(S))"
