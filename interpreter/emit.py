"""From typed expressions to Python source.

An expression becomes lines that prepare it (loops, mostly) and a Python expression for its value. Small
definitions are written in place; definitions that depend on nothing that changes become look-ups in tables
that the game fills once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Any

from interpreter import ir
from interpreter.analysis import Analysis, column, expression_facts, identifier, parts
from interpreter.kept import Kept, narrowed_by_values, slot
from interpreter.narrowing import conjunction, conjuncts, implied, mentions, narrowed, near_only

#: Stands before the name of a column until a function is finished; then the column is read from the state, or
#: once at the top.
COLUMN = "\0"

#: Definitions with at most this many parts are written where they are called.
_INLINE = 14
#: Rows of at most so many spaces are looked at all at once.
_LONGEST_ROW = 8


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

    def finished(self) -> Writer:
        """The function with its columns: those read in a loop or repeatedly are fetched once at the top."""
        return _with_columns(self)

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

    program: ir.Program
    analysis: Analysis
    settings: Settings
    definitions: dict[str, ir.Definition] = field(default_factory=dict)
    tables: dict[str, ir.Table] = field(default_factory=dict)
    bodies: dict[str, object] = field(default_factory=dict)  # of definitions and tables
    writes: dict[str, set[str]] = field(default_factory=dict)  # procedure -> what it may change
    only_pieces: str = ""  # the set of all pieces, if they are all of one kind
    refs: dict[tuple[str, str], str] = field(default_factory=dict)  # (tag, id) -> constant name
    statics: dict[tuple[str, str, ir.Expression], int] = field(
        default_factory=dict
    )  # tests that nothing changes
    having: set[str] = field(default_factory=set)  # fixed columns that are looked up by value
    kept: Kept = field(default_factory=dict)  # changing columns that are
    bests: dict[tuple[str, str, ir.Expression], int] = field(
        default_factory=dict
    )  # keys that nothing changes, by which the best of a set is found
    lines: set[int] = field(default_factory=set)  # lengths of the straight rows that rules look at
    rows: set[int] = field(default_factory=set)  # of those, the ones whose spaces are looked at all at once
    standing: dict[int, Any] = field(
        default_factory=dict
    )  # actions whose options a playout may keep: their number -> what is known of them
    stood: bool = False  # whether it does
    sites: list[ir.Site] = field(default_factory=list)  # of journal entries and coverage
    site_numbers: dict[ir.Site, int] = field(default_factory=dict)

    def number(self, site: ir.Site) -> int:
        known = self.site_numbers.get(site)
        if known is None:
            known = self.site_numbers[site] = len(self.sites)
            self.sites.append(site)
        return known


_COLUMN_NAME = re.compile(COLUMN + r"(\w+)")
_LOOP = re.compile(r"\s*(for|while) |\bfor\b.*\bin\b")


def _with_columns(writer: Writer) -> Writer:
    counts: dict[str, int] = {}
    looping: int | None = None
    for line in writer.lines:
        depth = len(line) - len(line.lstrip())
        if looping is not None and depth <= looping:
            looping = None
        weight = 2 if looping is not None or _LOOP.search(line) else 1
        for name in _COLUMN_NAME.findall(line):
            counts[name] = counts.get(name, 0) + weight
        if looping is None and line.lstrip().startswith(("for ", "while ")):
            looping = depth
    if not counts:
        return writer
    kept = {name for name, count in counts.items() if count > 1}
    result = Writer()

    def text(found: re.Match[str]) -> str:
        name = found.group(1)
        if name in kept:
            return f"c_{name}"
        return f"({_fetched(name)})" if name.startswith("w_") else f"S.{name}"

    for number, (line, site) in enumerate(zip(writer.lines, writer.sites, strict=True)):
        result.lines.append(_COLUMN_NAME.sub(text, line))
        result.sites.append(site)
        if number == 0:
            for name in sorted(kept):
                result.lines.append(f"    c_{name} = {_fetched(name)}")
                result.sites.append(site)
    return result


def _fetched(name: str) -> str:
    """Python for a list of the state; sets by value are made when they are first asked for."""
    return f"S.{name} or keep_{name[2:]}(S)" if name.startswith("w_") else f"S.{name}"


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
        return f"{identifier(hint).strip('_') or 't'}_{self.counter[0]}"

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
                return repr(e.value)
            case ir.Ref():
                return self._ref(e)
            case ir.Local():
                return self.names[e.name]
            case ir.Global():
                return self._global(e)
            case ir.Get():
                return self._get(e)
            case ir.Extent():
                return identifier(f"M_{e.kind}")
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

    def _ref(self, e: ir.Ref) -> str:
        key = (e.type.tag, e.id)
        return self.shared.refs.setdefault(key, f"REF_{len(self.shared.refs)}")

    def _global(self, e: ir.Global) -> str:
        if e.builtin:
            return "S.turn" if e.name == "turn" else identifier(f"O_{e.name}")
        return "S." + identifier(f"v_{e.name}")

    def _get(self, e: ir.Get) -> str:
        name = column(e.owner, e.attribute, e.enum)
        subject = self.expr(e.subject)
        return f"F_{name}[{subject}]" if e.fixed else f"{COLUMN}{name}[{subject}]"

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
            case "=" if right == "0" and left.endswith(".bit_count()"):
                return f"(not {left.removesuffix('.bit_count()')})"
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
                if right == self.shared.only_pieces and ("inside[" in left or left.startswith("K_p_")):
                    return left  # there is but one kind of piece
                return f"({left} & {right})"
            case "*":
                if isinstance(e.left, ir.Const) or isinstance(e.right, ir.Const):
                    return f"({left} * {right})"
                return f"times({left}, {right})"
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

    def constant_mask(self, e: ir.Expression) -> int | None:
        if isinstance(e, ir.MakeSet) and all(
            isinstance(i, ir.Const) and isinstance(i.value, int) for i in e.items
        ):
            return sum({1 << int(i.value) for i in e.items if isinstance(i, ir.Const) and int(i.value) >= 0})
        if isinstance(e, ir.Const) and e.type.tag == "set":
            return int(e.value)
        return None

    def _make_set(self, e: ir.MakeSet) -> str:
        mask = self.constant_mask(e)
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
                return self.table_access(e)
            if e.name not in analysis.remembered and _small(definition):
                return self._inline(definition, e)
        arguments = ", ".join(["S", *(self.expr(argument) for argument in e.arguments)])
        prefix = "d" if definition is not None else "t"
        return f"{prefix}_{identifier(e.name)}({arguments})"

    def table_access(self, e: ir.Call, prefix: str = "T") -> str:
        return f"{prefix}_{identifier(e.name)}" + "".join(
            f"[{self.expr(argument)}]" for argument in e.arguments
        )

    def _inline(self, definition: ir.Definition, e: ir.Call) -> str:
        names = {}
        for parameter, argument in zip(definition.parameters, e.arguments, strict=True):
            names[parameter.name] = self.atom(argument, parameter.name)
        return Emitter(self.shared, self.writer, names, self.counter).expr(definition.body)

    def _builtin(self, e: ir.Builtin) -> str:
        if e.name == "pile_of":
            kind = e.arguments[0]
            assert isinstance(kind, ir.Const)
            return f"{identifier(f'PILE_{kind.value}')}[{self.expr(e.arguments[1])}]"
        if e.name == "contents_where":
            row, source = e.arguments
            assert isinstance(row, ir.Call)
            return f"inside_where({COLUMN}inside, {self.table_access(row)}, {self.expr(source)})"
        values = [self.expr(argument) for argument in e.arguments]
        match e.name:
            case "place_of":
                return f"{COLUMN}at[{values[0]}]"
            case "contents":
                return f"{COLUMN}inside[{values[0]}]"
            case "contents_of":
                return f"inside_of({COLUMN}inside, {values[0]}, {values[1]})"
            case "contents_near":
                return f"around({COLUMN}inside, NEIGHBOURS_LIST[{values[0]}])"
            case "contents_within":
                return f"around({COLUMN}inside, WITHIN_{values[1]}[{values[0]}])"
            case "given":
                return "S.given"
            case "static":
                return f"Z_{values[0]}"
            case "having":
                name = e.arguments[0]
                assert isinstance(name, ir.Const)
                self.shared.having.add(str(name.value))
                return f"K_{name.value}[{values[1]}]"
            case "kept":
                name = e.arguments[0]
                assert isinstance(name, ir.Const)
                return f"{COLUMN}{slot(str(name.value))}[{values[1]}]"
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
                    f"len({values[0]})" if e.arguments[0].type.tag == "list" else f"{values[0]}.bit_count()"
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
            case "lines_through" if values[1].isdigit():
                self.shared.lines.add(int(values[1]))
                return f"LINES_{values[1]}[{values[0]}]"
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
                return self._of_kinds(f"{e.name}({', '.join(values)})", e.type)
            case _:
                return f"{e.name}({', '.join(values)})"

    def _of_kinds(self, text: str, kind: ir.Type) -> str:
        """Boards may be joined; of the spaces found, those of the kinds that the type says."""
        names = kind.element.names if kind.element is not None else ()
        if kind.tag != "set" or not names:
            return text
        return f"({text} & ({' | '.join(identifier(f'M_{name}') for name in names)}))"

    def _format(self, e: ir.Format) -> str:
        pieces = [repr(part) if isinstance(part, str) else self.shown(part) for part in e.parts]
        if all(piece[0] in "'\"" for piece in pieces):
            return f"({' '.join(pieces)})"  # literals side by side are one
        return f"''.join(({', '.join(pieces)},))"

    def shown(self, e: ir.Expression) -> str:
        """Python for the text that a person sees for a value."""
        value = self.expr(e)
        if e.type.tag == "number":
            return repr(value) if value.isdigit() else f"str({value})"
        return f"shown({value}, {type_key(e.type)!r})"

    # ------------------------------------------------------------ loops

    def loop(self, variable: str, source: ir.Expression) -> tuple[str, Emitter]:
        """Opens a loop over a collection; what follows is written inside. Call `close` for what is behind."""
        name = self.fresh(variable)
        inner = self.inner(**{variable: name})
        if isinstance(source, ir.Along):
            start, direction = self.expr(source.start), self.expr(source.direction)
            steps = self.fresh("step")
            self.line(f"{steps} = STEP[{direction}]")
            self.line(f"{name} = {steps}[{start}]")
            self.line(f"while {name} >= 0:")
            self.writer.depth += 1
            test = self.inner(**{source.variable: name}).expr(source.condition)
            self.line(f"if not {test}:")
            self.writer.depth += 1
            self.line("break")
            self.writer.depth -= 1
            return f"{name} = {steps}[{name}]", inner
        self.line(f"for {name} in {self.iterable(source)}:")
        self.writer.depth += 1
        return "", inner

    def close(self, ending: str) -> None:
        if ending:
            self.line(ending)
        self.writer.depth -= 1

    def iterable(self, source: ir.Expression) -> str:
        """Python for something to loop over, in index order."""
        if isinstance(source, ir.Extent):
            return identifier(f"R_{source.kind}")
        mask = self.constant_mask(source)
        if mask is not None:
            return repr(tuple(index for index in range(mask.bit_length()) if mask >> index & 1))
        if isinstance(source, ir.Builtin) and source.name == "neighbours":
            return f"{_NEAR[_one_kind(source.type)]}_LIST[{self.expr(source.arguments[0])}]"
        if isinstance(source, ir.Builtin) and source.name == "static":
            return f"ZL_{self.expr(source.arguments[0])}"
        if isinstance(source, ir.Builtin) and source.name == "single":
            return f"single({self.expr(source.arguments[0])})"
        if (
            isinstance(source, ir.Call)
            and source.name in self.shared.analysis.tabled
            and not self.shared.settings.cover
        ):
            return self.table_access(source, "L" if source.type.tag == "set" else "T")
        text = self.expr(source)
        if source.type.tag != "list":
            return f"bits({text})"
        element = source.type.element
        return f"counted(S, {text})" if element is not None and element.tag in ("number", "text") else text

    def narrowed(
        self, variable: str, source: ir.Expression, where: ir.Expression | None
    ) -> tuple[ir.Expression, ir.Expression | None]:
        """A smaller collection to go through, and the conditions that are left to test."""
        smaller, rest = self._narrowed(variable, source, where)
        if not isinstance(source, ir.Extent):
            return smaller, rest  # a few things are more cheaply tested one by one
        return narrowed_by_values(variable, smaller, rest, self.shared.kept)

    def _narrowed(
        self, variable: str, source: ir.Expression, where: ir.Expression | None
    ) -> tuple[ir.Expression, ir.Expression | None]:
        """As `narrowed`; besides, tests that nothing in play can change are made once for a whole kind."""
        smaller, rest = narrowed(variable, source, where)
        if self.shared.settings.cover or not isinstance(smaller, ir.Extent):
            return smaller, rest
        near = self._near(variable, smaller, rest)
        if near is not smaller:
            return near, rest
        element = smaller.type.element
        if element is None or element.tag not in ("piece", "space"):
            return smaller, rest
        fixed = [term for term in conjuncts(rest) if self._unchanging(term, variable)]
        test = conjunction(fixed)
        if test is None:
            return smaller, rest
        key = (smaller.kind, variable, test)
        number = self.shared.statics.setdefault(key, len(self.shared.statics))
        chosen = ir.Builtin(
            name="static", arguments=(ir.Const(value=number, type=ir.NUMBER),), type=smaller.type
        )
        return chosen, conjunction([term for term in conjuncts(rest) if term not in fixed])

    def _near(self, variable: str, source: ir.Extent, where: ir.Expression | None) -> ir.Expression:
        """Only the pieces near enough, where a definition among the conditions says how near that is."""
        element = source.type.element
        if element is None or element.tag != "piece":
            return source
        known = self.shared.definitions
        terms = conjuncts(where)
        terms += [part for term in terms for part in implied(term, known)]
        # What is asked before its turn must not fail.
        early = (ir.Call, ir.Binary)
        safe = [term for term in terms if not (isinstance(term, early) and self._arguments_may_fail(term))]
        return near_only(variable, source, safe, self.shared.analysis.tabled)

    def _arguments_may_fail(self, term: ir.Call | ir.Binary) -> bool:
        asked = term.arguments if isinstance(term, ir.Call) else (term.left, term.right)
        return self.may_fail(asked)

    def _unchanging(self, term: ir.Expression, variable: str) -> bool:
        inner = {part.name for part in parts(term) if isinstance(part, ir.Local)}
        bound = {part.variable for part in parts(term) if isinstance(part, (ir.Quantify, ir.Along))}
        return inner - bound == {variable} and not reads_of(term, self.shared) and not self.may_fail(term)

    def may_fail(self, item: object) -> bool:
        """Whether working something out before anybody asks could fail: a division, a table without a row."""
        for part in parts(item):
            match part:
                case ir.Binary(operator="down" | "up" | "near" | "*"):
                    if not isinstance(part.right, ir.Const) or part.right.value == 0:
                        return True
                case ir.Builtin(name="numbers"):
                    return True
                case ir.Call():
                    table = self.shared.tables.get(part.name)
                    if (table is not None and table.policy != "collect") or self.may_fail(
                        self.shared.bodies[part.name]
                    ):
                        return True
        return False

    def _as_set(self, e: ir.Quantify) -> ir.Expression | None:
        """The set of what meets the conditions, if sets can answer them all."""
        smaller, rest = self._narrowed(e.variable, e.source, e.where)
        smaller, rest = narrowed_by_values(e.variable, smaller, rest, self.shared.kept)
        return smaller if rest is None and smaller.type.tag == "set" else None

    def _without_exception(self, e: ir.Quantify) -> ir.Quantify:
        """`every ... has` as `no ... where not`, if that is a question about sets."""
        if e.gather != "every" or e.body is None:
            return e
        failing = ir.Unary(operator="not", operand=e.body, type=ir.FLAG)
        turned = replace(e, gather="no", where=conjunction([*conjuncts(e.where), failing]), body=None)
        return turned if self._as_set(turned) is not None else e

    def _best_of_set(self, e: ir.Quantify) -> str | None:
        """The best of a set by a key that nothing changes: worked out once for each set."""
        if e.gather not in ("highest", "lowest") or e.body is None or self.shared.settings.cover:
            return None
        group = self._as_set(e) if self._unchanging(e.body, e.variable) else None
        if group is None:
            return None
        number = self.shared.bests.setdefault((e.gather, e.variable, e.body), len(self.shared.bests))
        return f"BEST_{number}({self.expr(group)})"

    def _quantify(self, e: ir.Quantify) -> str:
        best_of_set = self._best_of_set(e)
        if best_of_set is not None:
            return best_of_set
        e = self._without_exception(e)
        source, where = self.narrowed(e.variable, e.source, e.where)
        if e.gather in ("some", "no", "count") and e.body is None and where is not None:
            group = self._as_set(e)
            source, where = (group, None) if group is not None else (source, where)
        if e.gather == "count" and where is None and e.body is None and not isinstance(source, ir.Along):
            text = self.expr(source)
            return f"len({text})" if source.type.tag == "list" else f"{text}.bit_count()"
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
        nested = self._nested(e)
        if e.gather in ("some", "no") and self._is_plain_every(where):
            assert isinstance(where, ir.Quantify)
            return self._some_every(e, source, where, result)
        ending, inner = self.loop(e.variable, source)
        depth = self.writer.depth
        if nested:
            self.line("spend(S)")
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
        nested = self._nested(e)
        if not nested and self._some_row(e, source, where, result):
            return result
        ending, inner = self.loop(e.variable, source)
        depth = self.writer.depth
        if nested:
            self.line("spend(S)")
        _, innermost = inner.loop(where.variable, where.source)
        assert where.body is not None
        self.line(f"if not {innermost.expr(where.body)}:")
        self.line("    break")
        self.writer.depth = depth
        self.line("else:")
        self.line(f"    {result} = {e.gather == 'some'}")
        self.line("    break")
        self.close(ending)
        return result

    def _some_row(self, e: ir.Quantify, source: ir.Expression, where: ir.Quantify, result: str) -> bool:
        """Straight rows of a known length, all their spaces at once."""
        assert where.body is not None
        rows = isinstance(source, ir.Builtin) and source.name == "lines_through"
        within = isinstance(where.source, ir.Local) and where.source.name == e.variable
        if not rows or not within or mentions(where.body, e.variable):
            return False
        found = re.match(r"LINES_(\d+)\[", through := self.expr(source))
        if found is None or int(found[1]) > _LONGEST_ROW:
            return False
        spaces = [self.fresh(where.variable) for _ in range(int(found[1]))]
        tests = [self.inner(**{where.variable: space}).simple(where.body) for space in spaces]
        if any(test is None or ":=" in test for test in tests):
            return False
        self.shared.rows.add(int(found[1]))
        self.line(f"for {', '.join(spaces)} in {through.replace('LINES_', 'ROWS_', 1)}:")
        self.line(f"    if {' and '.join(test for test in tests if test is not None)}:")
        self.line(f"        {result} = {e.gather == 'some'}")
        self.line("        break")
        return True

    def _nested(self, e: ir.Quantify) -> bool:
        """Loops in loops over whole kinds use up the budget of steps; single ones are too short to matter."""
        return (
            any(isinstance(part, (ir.Quantify, ir.Call)) for part in parts((e.where, e.body)))
            and cost_of(e, self.shared) >= 2
        )

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
        if e.cost is not None:
            price = e.cost
            if e.condition is not None:
                never = ir.Const(value=-1, type=ir.NUMBER)
                price = ir.Conditional(condition=e.condition, then=price, otherwise=never, type=ir.NUMBER)
            cost = self._function([e.step_from, e.step_to], price)
            return self._of_kinds(f"reach_by_cost(S, {start}, {cost}, {limit}, {stop}, {goal})", e.type)
        assert e.condition is not None
        test = self._function([e.step_from, e.step_to], e.condition)
        return self._of_kinds(f"reach_by_steps(S, {start}, {test}, {limit}, {stop}, {goal})", e.type)

    def _sight(self, e: ir.Sight) -> str:
        start, end = self.atom(e.start), self.atom(e.end)
        return f"sight({start}, {end}, {self._function([e.variable], e.blocks)})"

    def _matching(self, e: ir.Matching) -> str:
        left, right = self.atom(e.left_source, "left"), self.atom(e.right_source, "right")
        test = self._function([e.left, e.right], e.condition)
        capacity = self._function([e.left], e.capacity) if e.capacity is not None else "None"
        near = self._near_each(e)
        return f"match_size(S, {left}, {right}, {test}, {capacity}{near})"

    def _near_each(self, e: ir.Matching) -> str:
        """A function to the few on the right that one on the left can be matched with, if that is known."""
        if self.shared.settings.cover or not isinstance(e.right_source, ir.Extent):
            return ""
        near = self._near(e.right, e.right_source, e.condition)
        return f", {self._function([e.left], near)}" if near is not e.right_source else ""


def type_key(kind: ir.Type) -> str:
    """How the game knows what names to show for values of a type."""
    if kind.tag in ("set", "list") and kind.element is not None:
        return f"{kind.tag} {type_key(kind.element)}"
    return f"enum {kind.names[0]}" if kind.tag == "enum" else kind.tag


def _small(definition: ir.Definition) -> bool:
    count = 0
    for part in parts(definition.body):
        count += 1
        if count > _INLINE or isinstance(part, (ir.Reach, ir.Matching, ir.Sight)):
            return False
    return True


#: The tables of neighbours: all of them, and those of the same kind.
_NEAR = {False: "NEIGHBOURS", True: "NEAR"}


def _one_kind(kind: ir.Type) -> bool:
    return kind.element is not None and len(kind.element.names) == 1 and kind.element.names != ("any",)


def reads_of(item: object, shared: Shared) -> set[str]:
    return expression_facts(item, shared.bodies, shared.analysis).reads


def cost_of(item: object, shared: Shared) -> int:
    return expression_facts(item, shared.bodies, shared.analysis).cost
