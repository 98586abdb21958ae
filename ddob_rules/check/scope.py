"""What names mean: the vocabulary of a ruleset, the signatures of what can be called, the locals in sight.

Later stages ask here and report here. Nothing is computed from rules at this point; the tables are filled
by `vocabulary` and `behaviour`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from ddob_rules.reports.diagnostics import Diagnostic, Label, report
from ddob_rules.reports.spelling import did_you_mean
from ddob_rules.stack.book import RuleBlock
from ddob_rules.stack.overlay import Entry
from ddob_rules.syntax.habits import habit_of_name
from ddob_rules.syntax.mending import report_habit
from ddob_rules.syntax.nodes import Leaf, Tree
from ddob_rules.syntax.nodes.expressions import Expression
from ddob_rules.syntax.source import Span
from interpreter import ir

#: Stands in for an expression that could not be understood; it fits everything, so one mistake stays one.
WRONG = ir.Type("nothing", ("wrong",))
MISTAKE = ir.Const(value=-1, type=WRONG)

DIRECTIONS = ("n", "ne", "e", "se", "s", "sw", "w", "nw")
#: What a piece has by itself if something of it is on its hidden side: whether that side is up.
FACE_UP = "face_up"
#: The largest number that is written in rules.
LARGEST = 10**12


@dataclass(frozen=True, slots=True)
class Signature:
    """Something that takes arguments: a definition, a table, a procedure, a pile for each player, ..."""

    sort: Literal["define", "value", "table", "procedure", "action", "priority", "pile"]
    name: str
    parameters: tuple[ir.Parameter, ...]
    type: ir.Type
    span: Span


#: Where the meaning of a word is looked for: what rules declare under a name, or one of the smaller lists.
Space = Literal["name", "action", "attribute", "value", "phase", "option", "rule", "local", "library", "id"]


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a word at one place stands for. `of` says whose attribute or value it is."""

    space: Space
    name: str
    of: str = ""
    type: ir.Type | None = None


@dataclass(frozen=True, slots=True)
class Held:
    """A condition that an amending rule states, and whether it must hold or must not."""

    condition: Expression
    rule: RuleBlock
    wanted: bool = True


@dataclass(frozen=True, slots=True)
class Watch:
    """A trigger, as one rule states it: what it watches, when it is in force, and the procedure that runs."""

    procedure: str
    timing: str  # before, after, instead of
    parameters: tuple[ir.Parameter, ...]
    becomes: Expression | None
    condition: Expression | None
    rule: RuleBlock
    in_force: tuple[Held, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a phase that rules run: kept in a variable, with a start value for each time it is run."""

    phase: str
    name: Leaf
    type: ir.Type
    value: Expression
    rule: RuleBlock

    @property
    def variable(self) -> str:
        return of_phase(self.name.text, self.phase)


@dataclass(frozen=True, slots=True)
class Way:
    """How one may go over the board: what it depends on, the spaces it leads over, the sorts of its lines."""

    name: str
    parameters: tuple[ir.Parameter, ...]
    over: ir.Type
    parts: frozenset[str]  # of allows, costs, limit, stops
    span: Span

    def seen_by(self, part: str, steps: Sequence[ir.Parameter]) -> tuple[ir.Parameter, ...]:
        """What a line of that sort can see of a step: both ends, the far end, or nothing."""
        return {"limit": (), "stops": tuple(steps[1:])}.get(part, tuple(steps))


def in_progress(phase: str) -> str:
    """The variable that says whether a phase is in progress, if somebody asks."""
    return f"during {phase}"


def of_phase(name: str, phase: str) -> str:
    """The variable that keeps a part or a parameter of a phase that rules run."""
    return f"{name} of phase {phase}"


@dataclass(eq=False, slots=True)
class Scope:
    """Locals: the author's name, the name inside (unique in its procedure) and the type."""

    names: dict[str, tuple[str, ir.Type]] = field(default_factory=dict)
    taken: dict[str, int] = field(default_factory=dict)
    phase: dict[str, ir.Global] = field(
        default_factory=dict
    )  # variables of the phase that an action is offered in
    known: dict[str, ir.Type] = field(default_factory=dict)  # what conditions tell of things, as written

    def inner(self) -> Scope:
        return Scope(dict(self.names), self.taken, self.phase, dict(self.known))

    def add(self, name: str, kind: ir.Type) -> str:
        self.known = {path: told for path, told in self.known.items() if path.partition(".")[0] != name}
        count = self.taken.get(name, 0)
        inside = name if count == 0 else f"{name}_{count + 1}"
        while inside in self.taken:  # an author may have written it
            count += 1
            inside = f"{name}_{count + 1}"
        self.taken[inside] = 1
        self.taken[name] = count + 1
        self.names[name] = (inside, kind)
        return inside

    def fresh(self, name: str) -> str:
        """A local of ours, under a name no author can write."""
        count = self.taken.get(f"_{name}", 0)
        self.taken[f"_{name}"] = count + 1
        return f"_{name}{count + 1}"


@dataclass(frozen=True, slots=True)
class Renewal:
    """What is done by itself whenever a phase begins or, if `at_end`, ends; without a phase, each turn."""

    phase: Leaf | None
    rule: RuleBlock
    effect: ir.Statement
    at_end: bool = field(default=False, kw_only=True)


@dataclass(eq=False, slots=True)
class Kept:
    """What bodies keep beside the words of authors: counters of limits, values that are fixed for a phase."""

    variables: dict[str, ir.Variable] = field(default_factory=dict)
    attributes: dict[str, dict[str, ir.Attribute]] = field(default_factory=dict)  # of each kind or enum

    def on(self, holder: str, attribute: ir.Attribute) -> None:
        self.attributes.setdefault(holder, {}).setdefault(attribute.name, attribute)


@dataclass(eq=False, slots=True)
class Vocabulary:
    """All words are there before a body is read; what bodies use, keep and get wrong is gathered here too."""

    language: str = "en"
    players: list[ir.Player] = field(default_factory=list)
    fewest: int = 0  # how many of them play at least; 0: all of them
    enums: dict[str, ir.Enum] = field(default_factory=dict)
    kinds: dict[str, ir.Kind] = field(default_factory=dict)
    attributes: dict[tuple[str, str], ir.Attribute] = field(default_factory=dict)
    #: The kinds that have an attribute.
    holders: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    #: The enums for each value of which an attribute has a value of its own.
    families: dict[tuple[str, str], str] = field(default_factory=dict)
    #: The kinds with a hidden side.
    faced: set[str] = field(default_factory=set)
    variables: dict[str, ir.Variable] = field(default_factory=dict)
    dice: dict[str, ir.Dice] = field(default_factory=dict)
    #: The kinds of pieces that are dice: the attributes that show a face, and of which dice.
    faces: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    options: dict[str, ir.Option] = field(default_factory=dict)
    functions: dict[str, Signature] = field(default_factory=dict)
    needs: dict[str, Entry] = field(default_factory=dict)  # definitions that list what must hold, or did
    ways: dict[str, Way] = field(default_factory=dict)
    procedures: dict[str, Signature] = field(default_factory=dict)
    actions: dict[str, Signature] = field(default_factory=dict)
    priorities: dict[str, Signature] = field(default_factory=dict)
    phases: dict[str, tuple[ir.Parameter, ...]] = field(default_factory=dict)
    #: The phases that rules run, with their parameters; and, of those and the phases in them, which is run.
    called_phases: dict[str, tuple[ir.Parameter, ...]] = field(default_factory=dict)
    inside_called: dict[str, str] = field(default_factory=dict)
    phase_results: dict[str, ir.Type] = field(default_factory=dict)  # what such a phase gives, if it does
    parts: dict[str, Part] = field(default_factory=dict)
    removed_phases: set[str] = field(default_factory=set)
    groups: dict[str, Span] = field(default_factory=dict)  # action groups offered somewhere
    places: dict[str, Span] = field(default_factory=dict)  # where a name was declared
    watches: dict[tuple[str, str], list[Watch]] = field(default_factory=dict)
    renewals: list[Renewal] = field(default_factory=list)
    phase_variables: dict[str, ir.Type] = field(default_factory=dict)  # those that somebody looks at
    #: The columns of charts with conditional edits: under which conditions which hidden attribute holds.
    chart_variants: dict[tuple[str, str], list[tuple[tuple[Held, ...], str]]] = field(default_factory=dict)
    ids: dict[str, ir.Type] | None = None  # ids of a scenario, when one is known (examples)
    used: set[str] = field(default_factory=set)
    meanings: dict[Span, Meaning] | None = None  # of the words at their places, if somebody wants to know
    shifted: set[str] = field(default_factory=set)  # enums along which a rule moves by a number
    kept: Kept = field(default_factory=Kept)
    problems: list[Diagnostic] = field(default_factory=list)

    def use(self, word: Leaf, kind: ir.Type | None = None) -> None:
        """Something that rules declare is used here."""
        self.used.add(word.text)
        self.note(word, "name", type=kind)

    def note(self, word: Leaf, space: Space, of: str = "", type: ir.Type | None = None) -> None:
        """What a word stands for where it stands."""
        if self.meanings is not None:
            self.meanings[word.span] = Meaning(space, word.text, of, type)

    def enum_of(self, value: str) -> list[str]:
        return [enum.name for enum in self.enums.values() if value in enum.values]

    def value_names(self) -> Iterable[str]:
        return (value for enum in self.enums.values() for value in enum.values)


@dataclass(eq=False, slots=True)
class Here:
    """Where elaboration stands: the rule, and what `base` means in it."""

    rule: RuleBlock
    vocabulary: Vocabulary
    base: Signature | None = None
    phase: str = ""
    result: ir.Type | None = None  # what the procedure gives
    quiet: bool = False  # what is wrong is reported where it stands, and here it is only looked at
    sealed: bool = False  # changes are not yet made, so no trigger sees them

    def site(self, place: Tree | Span) -> ir.Site:
        span = place if isinstance(place, Span) else place.span
        return ir.Site(self.rule.id, span.source.path, span.line, span.column, self.rule.ruleset)

    def number(self, number: Leaf) -> int:
        """A number as it is written; one that is too large is reported."""
        if len(number.text) > len(str(LARGEST)) or int(number.text) > LARGEST:
            self.error("E0216", number, limit=LARGEST)
            return LARGEST
        return int(number.text)

    def error(
        self, code: str, place: Tree | Span, *others: Label, help: str | None = None, **arguments: object
    ) -> None:
        span = place if isinstance(place, Span) else place.span
        rule = self.rule
        found = report(
            code, span, *others, language=rule.language, notes=(), rule=rule.id, help=help, **arguments
        )
        self.tell([found])

    def habit(self, place: Tree | Span) -> bool:
        """Whether a name that nobody knows is one of other languages, which is then told."""
        span = place if isinstance(place, Span) else place.span
        found = habit_of_name(span.source.text, span.start, span.end, self.rule.language)
        if found is not None:
            self.tell([report_habit(span.source, found, self.rule.language, self.rule.id)])
        return found is not None

    def tell(self, problems: Iterable[Diagnostic]) -> None:
        if not self.quiet:
            self.vocabulary.problems.extend(problems)

    def unknown(self, name: str, place: Tree | Span, known: Sequence[str]) -> None:
        if self.habit(place):
            return
        # Names with blanks are ours, such as the counter of a limit; no author can write them.
        spelt = [word for word in known if " " not in word]
        self.error("E0201", place, name=name, help=did_you_mean(name, spelt, self.rule.language) or None)


_EMPTY: dict[str, int | bool | str] = {"number": 0, "flag": False, "text": "", "set": 0}


def empty(kind: ir.Type) -> ir.Expression:
    """The value of that type that says nothing."""
    if kind.tag == "list":
        return ir.Builtin(name="number_list", arguments=(), type=kind)
    return ir.Const(value=_EMPTY.get(kind.tag, -1), type=kind)


def scope_of(parameters: Sequence[ir.Parameter]) -> Scope:
    scope = Scope()
    for parameter in parameters:
        scope.add(parameter.name, parameter.type)
    return scope


def renamed_scope(declared: Sequence[ir.Parameter], own: Sequence[ir.Parameter]) -> Scope:
    """The parameters under the names of an amending rule; inside they keep those of the rule it amends."""
    scope = scope_of(declared)
    scope.names.clear()
    for parameter, alias in zip(declared, own, strict=True):
        scope.names[alias.name] = (parameter.name, parameter.type)
    return scope


def locals_of(parameters: Sequence[ir.Parameter]) -> tuple[ir.Expression, ...]:
    return tuple(ir.Local(name=parameter.name, type=parameter.type) for parameter in parameters)


def fits(actual: ir.Type, wanted: ir.Type) -> bool:
    """Whether a value of one type can stand where the other is wanted."""
    if WRONG in (actual, wanted) or actual == wanted:
        return True
    if actual.tag == "nothing":
        return wanted.tag in ("enum", "piece", "space", "edge", "pile", "text")
    if {actual.tag, wanted.tag} == {"space", "pile"}:
        return not actual.names or not wanted.names or actual.tag == "pile"
    if actual.tag != wanted.tag:
        return False
    if actual.tag in ("set", "list"):
        assert actual.element is not None and wanted.element is not None
        return actual.element.tag == "nothing" or fits(actual.element, wanted.element)
    if actual.tag in ("piece", "space", "edge", "pile"):
        return not wanted.names or not actual.names or set(actual.names) <= set(wanted.names)
    return False


def joined(first: ir.Type, second: ir.Type) -> ir.Type | None:
    """The type that covers both, if there is one."""
    if fits(first, second) and (second != WRONG or first == WRONG):
        return second if first.tag not in ("set", "list") or second.element != ir.NOTHING else first
    if fits(second, first):
        return first
    if first.tag == second.tag and first.tag in ("piece", "space"):
        return ir.Type(first.tag, tuple(dict.fromkeys((*first.names, *second.names))))
    if first.tag == second.tag == "set" and first.element and second.element:
        element = joined(first.element, second.element)
        return ir.set_of(element) if element is not None else None
    return None


def attribute_space(kind: ir.Type) -> str | None:
    """Attributes are kept for all pieces together, all spaces together, and each enum by itself."""
    match kind.tag:
        case "piece" | "space" | "edge":
            return kind.tag
        case "pile":
            return "space"
        case "enum":
            return f"enum {kind.names[0]}"
        case _:
            return None
