"""Examples: the worked examples of a rulebook, run against the rules.

An example becomes procedures (given, when) and definitions (what is expected), compiled together with the
ruleset, so that it can say everything that rules can. Coverage comes from the same run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, assert_never

from ddob_rules.check.effects.statements import Statements, called_with
from ddob_rules.check.program import Checked
from ddob_rules.check.review.idle import doubtful_examples
from ddob_rules.check.scope import WRONG, Here, Scope, Vocabulary
from ddob_rules.check.values.expressions import Expressions
from ddob_rules.check.values.fixing import fixes
from ddob_rules.check.values.needs import why_not
from ddob_rules.check.values.written import shown
from ddob_rules.library.finding import find_ruleset, find_scenario, ruleset_entries, scenarios
from ddob_rules.loading import load_game
from ddob_rules.reports.diagnostics import Diagnostic, Label, report
from ddob_rules.reports.spelling import did_you_mean
from ddob_rules.scenarios.reading import load_scenario, read_header
from ddob_rules.stack.book import Book, Declaration, ExampleBlock, RuleBlock, normal, text_of
from ddob_rules.stack.removals import explained
from ddob_rules.syntax.nodes import Leaf, Node
from ddob_rules.syntax.nodes import rules as nodes
from ddob_rules.syntax.nodes.effects import Play, Statement
from ddob_rules.syntax.nodes.expressions import Conjunction, Expression, Negation
from ddob_rules.syntax.source import Span
from interpreter import ir
from interpreter.compiler.compile import Code, compile_program
from interpreter.failures import RuleFailure
from interpreter.ir.seats import count_option
from interpreter.ir.walk import parts
from interpreter.machine import randomness
from interpreter.machine.game import Game
from interpreter.machine.randomness import Source
from interpreter.machine.scenario import Scenario
from interpreter.machine.scripted import NoAnswer, forget, play_script, run_procedure, set_up
from interpreter.machine.state import State
from interpreter.passes.analysis import column, identifier
from interpreter.telling.facts import Changed, Moved
from interpreter.telling.journal import entry_of

# Notes a problem: its code, its place, and what its message needs.
Wrong = Callable[..., None]

Cell = tuple[str, int]  # a column and an index; variables have index -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """One `expect` line: the name of its definition, or what it asks of the offers."""

    sort: Literal["holds", "nothing else", "offered", "not offered"]
    place: Node
    text: str = ""  # what is expected, as it is written
    name: str = ""
    sides: tuple[str, str] = ("", "")  # definitions of both sides of a comparison, to show them
    action: str = ""
    arguments: tuple[str, ...] = ()  # their definitions
    reason: str = ""
    why: str = ""  # the definition of the reason why something is not so
    mentions: tuple[tuple[str, str], ...] = ()  # column and the definition of the index
    player: str = ""  # the definition of who it is offered to, if it says so
    halves: tuple[Expectation, ...] = ()  # of `a and b`, each by itself


@dataclass(frozen=True, slots=True)
class Step:
    """`given` or `when`: the procedure that it becomes."""

    name: str
    given: bool
    place: Node


@dataclass(eq=False, slots=True)
class Prepared:
    """An example, understood: its scenario and the parts of the program that it becomes."""

    title: str
    rules: tuple[str, ...]
    scenario: str
    turn: int | None
    options: tuple[str, ...]
    seed: int
    script: list[Step | Expectation] = field(default_factory=list)  # in the order of the lines
    place: Span | None = None
    named: Span | None = None  # where the scenario is named, if it is
    language: str = "en"
    number: int = 0
    plays: bool = False  # goes through the sequence of play from the start
    changed: Declaration | None = None  # where an overlay says that it is not to hold any more
    foreign: frozenset[str] = frozenset()  # columns that only overlays above its ruleset know

    @property
    def expectations(self) -> list[Expectation]:
        return [line for line in self.script if isinstance(line, Expectation)]


@dataclass(frozen=True, slots=True)
class Outcome:
    title: str
    rules: tuple[str, ...]
    file: str
    line: int
    problems: tuple[Diagnostic, ...]

    @property
    def passed(self) -> bool:
        return not any(problem.severity == "error" for problem in self.problems)


@dataclass(eq=False, slots=True)
class Coverage:
    """Which places of the rules the examples touched."""

    touched: set[ir.Site] = field(default_factory=set)
    known: set[ir.Site] = field(default_factory=set)

    def by_rule(self) -> dict[str, tuple[int, int]]:
        """Rule -> places touched, places in all."""
        result: dict[str, tuple[int, int]] = {}
        for site in self.known:
            hit, total = result.get(site.rule, (0, 0))
            result[site.rule] = (hit + (site in self.touched), total + 1)
        return result

    def untouched(self) -> list[ir.Site]:
        return sorted(self.known - self.touched, key=lambda site: (site.file, site.line, site.column))


@dataclass(eq=False, slots=True)
class Report:
    outcomes: list[Outcome] = field(default_factory=list)
    coverage: Coverage = field(default_factory=Coverage)
    problems: list[Diagnostic] = field(default_factory=list)


def run_examples(
    checked: Checked,
    overlays: tuple[str, ...] = (),
    *,
    cover: bool = False,
    only: str = "",
    everything: bool = False,
    brought: bool = False,
) -> Report:
    """Runs the examples of a ruleset; with `everything`, those of what it is stacked on too.

    `brought` says that the last book is the rules file that a scenario brings.
    """
    ready = prepare_examples(
        checked, overlays, cover=cover, only=only, everything=everything, brought=brought
    )
    result = Report(outcomes=ready.refused)
    for book in ready.books:
        result.problems.extend(doubtful_examples(book))
    built: dict[tuple[str, tuple[str, ...]], Game] = {}
    for _, example in ready.prepared:
        game = ready.shared(built, example)
        result.outcomes.append(_outcome(example, _run(game, example)))
    if cover:
        files = {source.path for book in ready.books for source in book.files}
        _cover(result.coverage, ready.code, built, files)
    return result


#: The games that examples of one scenario share.
_Built = dict[tuple[str, tuple[str, ...]], Game]


@dataclass(frozen=True, slots=True)
class Ready:
    """Examples that can be run, compiled together with the rules, and what came of those that cannot."""

    prepared: list[tuple[ExampleBlock, Prepared]]
    refused: list[Outcome]
    program: ir.Program  # with the parts that the examples become
    code: Code
    scenarios: dict[str, Scenario]
    books: list[Book]
    texts: Mapping[str, str] = field(default_factory=dict)

    def game(self, example: Prepared, chance: Source = randomness) -> Game:
        return Game(
            self.program, self.scenarios[example.scenario], self.code,
            options=example.options, texts=self.texts, chance=chance,
        )  # fmt: skip

    def shared(self, built: _Built, example: Prepared) -> Game:
        """The game of an example; examples of one scenario share one."""
        key = (example.scenario, example.options)
        if key not in built:
            built[key] = self.game(example)
        return built[key]


def prepare_examples(
    checked: Checked,
    overlays: tuple[str, ...] = (),
    *,
    cover: bool = False,
    only: str = "",
    everything: bool = False,
    brought: bool = False,
    journal: bool = False,
    texts: Mapping[str, str] | None = None,
) -> Ready:
    """Understands the examples of a ruleset, and compiles them with it.

    With `journal`, so that a position can be looked at, in the language of the `texts`.
    """
    program = checked.program
    assert program is not None
    found: dict[str, tuple[Scenario | None, list[Diagnostic]]] = {}
    ids: dict[str, dict[str, ir.Type]] = {}
    refused: list[Outcome] = []
    prepared: list[tuple[ExampleBlock, Prepared]] = []
    parts_of: list[ir.Procedure] = []
    definitions: list[ir.Definition] = []
    number = 0
    books = checked.books if everything or overlays else checked.books[-1:]
    for book in books:
        for block in book.examples:
            if only and only not in block.title:
                continue
            number += 1
            example = _header(book, block, number)
            example.changed = checked.merged.changed_examples.get(block.title)
            if example.changed is not None and example.changed.rule.ruleset == book.name:
                example.changed = None
            example.foreign = _foreign(program, checked.books, book)
            if example.scenario not in found:
                found[example.scenario] = _scenario_of(checked, example.scenario, overlays, brought)
            scenario, wrong = found[example.scenario]
            if scenario is None:
                # That there is none of this name is said once.
                other = [problem for problem in wrong if problem.code != "E0640"]
                refused.append(_outcome(example, [_not_playable(example), *other]))
                continue
            known = ids[example.scenario] = ids.get(example.scenario) or _ids(scenario)
            made = len(parts_of), len(definitions)
            problems = _understand(checked, book, block, example, known, parts_of, definitions)
            if any(problem.severity == "error" for problem in problems):
                del parts_of[made[0] :], definitions[made[1] :]
                refused.append(_outcome(example, problems))
                continue
            prepared.append((block, example))
    parts_of.append(_fixing(checked.words))
    augmented = replace(
        program, procedures=(*program.procedures, *parts_of), definitions=(*program.definitions, *definitions)
    )
    code = compile_program(augmented, journal=journal, cover=cover)
    scenarios = {name: scenario for name, (scenario, _) in found.items() if scenario is not None}
    return Ready(prepared, refused, augmented, code, scenarios, list(books), texts or {})


def arranged(
    checked: Checked,
    overlays: tuple[str, ...] = (),
    *,
    brought: bool = False,
    texts: Mapping[str, str] | None = None,
) -> Iterator[tuple[ExampleBlock, State]]:
    """The examples of a whole stack that an overlay leaves standing, each in the position that it gives."""
    ready = prepare_examples(checked, overlays, everything=True, brought=brought, journal=True, texts=texts)
    built: _Built = {}
    for block, example in ready.prepared:
        try:
            if example.changed is None and not example.plays:
                yield block, _arranged(ready.shared(built, example), example)
        except (RuleFailure, NoAnswer):
            continue  # that is for `ddob test` to tell


def _arranged(game: Game, example: Prepared) -> State:
    state = _position(game, example.seed)
    if example.turn is not None:
        state.turn = example.turn
        forget(state)
    for line in example.script:
        if isinstance(line, Step) and line.given:
            run_procedure(game, state, line.name)
    return state


def example_problems(checked: Checked, scenario_of: Callable[[str], Scenario | None]) -> list[Diagnostic]:
    """What is wrong with the examples of a ruleset, as far as that can be told without running them."""
    book = checked.books[-1]
    found: list[Diagnostic] = []
    known: dict[str, dict[str, ir.Type] | None] = {}
    for number, block in enumerate(book.examples, start=1):
        example = _header(book, block, number)
        assert example.place is not None
        if example.scenario not in known:
            scenario = scenario_of(example.scenario)
            known[example.scenario] = _ids(scenario) if scenario is not None else None
        ids = known[example.scenario]
        if ids is None:
            found.append(_not_playable(example))
        else:
            found.extend(_understand(checked, book, block, example, ids, [], []))
    return [*found, *doubtful_examples(book)]


def _cover(
    coverage: Coverage, code: Code, games: dict[tuple[str, tuple[str, ...]], Game], files: set[str]
) -> None:
    coverage.known = {
        site for site in code.sites if site.file in files and not site.rule.startswith("example")
    }
    for game in games.values():
        coverage.touched |= {code.sites[number] for number in game.covered}
    coverage.touched &= coverage.known


def _foreign(program: ir.Program, books: list[Book], book: Book) -> frozenset[str]:
    """The columns and variables that only the rulesets above a book declare.

    What an example says of "nothing else" cannot be about words that its author did not have.
    """
    above = {other.name for other in books[books.index(book) + 1 :]}
    columns = {
        column(kind.owner, attribute.name, kind.name if kind.owner == "enum" else "")
        for kind in program.kinds
        for attribute in kind.attributes
        if attribute.site.ruleset in above
    }
    variables = {identifier("v", each.name) for each in program.variables if each.site.ruleset in above}
    return frozenset(columns | variables)


def _outcome(example: Prepared, problems: list[Diagnostic]) -> Outcome:
    assert example.place is not None
    if example.changed is not None:
        problems = _changed_as_meant(example, example.changed, problems)
    return Outcome(
        example.title, example.rules, example.place.source.path, example.place.line, tuple(problems)
    )


def _changed_as_meant(example: Prepared, said: Declaration, problems: list[Diagnostic]) -> list[Diagnostic]:
    """An example that an overlay removes is run all the same, and must not hold."""
    if any(problem.severity == "error" for problem in problems):
        return []
    rule = said.rule
    return [report("E0732", said.span, language=rule.language, rule=rule.id, title=example.title)]


def _scenario_of(
    checked: Checked, name: str, overlays: tuple[str, ...], brought: bool
) -> tuple[Scenario | None, list[Diagnostic]]:
    """The scenario's data under the rules being tested, so that a variant can use its base's scenarios."""
    entry = find_scenario(name)
    header = read_header(entry.path) if entry is not None else None
    if entry is not None and header is not None and not (header.overlays or header.rules or brought):
        return load_scenario(entry.path, lambda *_: (checked.program, []))
    # The rules that a scenario brings are no ruleset that another could be played under.
    ruleset = None if brought else _word(checked.books[-1])
    found = load_game(name, overlays=overlays, ruleset=ruleset, journal=False)
    return found.scenario, found.problems


def _word(book: Book) -> str:
    """What leads to a ruleset: its name, or its folder where the name leads elsewhere or nowhere."""
    found = find_ruleset(book.name)
    near = found is not None and found.folder.resolve() == book.folder.resolve()
    beside = (entry for entry in ruleset_entries(book.folder, False) if entry.name == book.name)
    return book.name if near else next((entry.word for entry in beside), str(book.folder))


# ---------------------------------------------------------------- understanding


def _not_playable(example: Prepared) -> Diagnostic:
    """At the name of the scenario, with the one that was probably meant."""
    place = example.named or example.place
    assert place is not None
    named, language = example.scenario, example.language
    known = [entry.name for entry in scenarios()] if find_scenario(named) is None else []
    advice = did_you_mean(named, known, language) if example.named is not None else ""
    return report("E0721", place, language=language, scenario=named, help=advice or None)


def _header(book: Book, block: ExampleBlock, number: int) -> Prepared:
    scenario, turn, seed = book.name, None, 0
    named: Span | None = None
    options: tuple[str, ...] = ()
    for place in block.node.parts:
        if isinstance(place, nodes.Given):
            name, named = place.scenario, place.scenario.span
            scenario = text_of(name) if name.terminal == "STRING" else normal(name.text)
            turn = int(place.turn.text[:9]) if place.turn is not None else None
            options = tuple(option.text for option in _options(place))
            if place.players is not None:
                options = (*options, count_option(int(place.players.text[:3])))
            seed = int(place.seed.text[:18]) if place.seed is not None else 0
    return Prepared(
        title=block.title, rules=tuple(rule.text for rule in block.rules), scenario=scenario, turn=turn,
        options=options, seed=seed, place=block.node.span, named=named, language=block.language,
        number=number,
    )  # fmt: skip


def _ids(scenario: Scenario) -> dict[str, ir.Type]:
    found: dict[str, ir.Type] = {space.id: ir.Type("space", (space.kind,)) for space in scenario.spaces}
    found.update({piece.id: ir.Type("piece", (piece.kind,)) for piece in scenario.pieces})
    return found


def _understand(
    checked: Checked, book: Book, block: ExampleBlock, example: Prepared, ids: dict[str, ir.Type],
    procedures: list[ir.Procedure], definitions: list[ir.Definition],
) -> list[Diagnostic]:  # fmt: skip
    """Turns the lines of an example into procedures and definitions; returns what is wrong with them.

    `ids`: those of the scenario.
    """
    assert checked.program is not None
    words = replace(checked.words, problems=[], ids=ids)
    rule = RuleBlock(
        f"example {example.number}", block.title, "", book.name, block.language, block.node.span, None
    )
    here = Here(rule, words)
    begun: nodes.Given | None = None
    for place in block.node.parts:
        match place:
            case nodes.Given():
                if begun is not None:
                    here.error("E0389", place, Label(begun.scenario.span))
                begun = place
                _check_options(here, place)
                if place.body.block is not None:
                    _step(here, place, place.body.block.statements, example, procedures)
            case nodes.ExampleWhen():
                _step(here, place, place.block.statements, example, procedures)
            case nodes.ExampleWhenLine():
                _step(here, place, (place.statement,), example, procedures)
            case _:
                example.script.append(_expectation(here, place, definitions))
    return explained(words.problems, checked.merged)


def _options(given: nodes.Given) -> tuple[Leaf, ...]:
    return given.options.names if given.options is not None else ()


def _check_options(here: Here, given: nodes.Given) -> None:
    known = here.vocabulary.options
    for name in _options(given):
        if name.text not in known:
            here.unknown(name.text, name, list(known))
    if given.players is not None:
        people = sum(not player.automated for player in here.vocabulary.players)
        fewest, count = here.vocabulary.fewest or people, int(given.players.text[:3])
        if not here.vocabulary.fewest or not fewest <= count <= people:
            wanted = f"{fewest}" if fewest == people else f"{fewest}-{people}"
            here.error("E0661", given.players, count=count, range=wanted)


def _step(
    here: Here, place: Node, effects: tuple[Statement, ...], example: Prepared, procedures: list[ir.Procedure]
) -> None:
    example.plays = example.plays or any(isinstance(part, Play) for part in place.walk())
    statements = Statements(here, Scope())
    built = tuple(statement for effect in effects for statement in statements.one(effect))
    name = f"example {example.number} step {len(example.script)}"
    given = isinstance(place, nodes.Given)
    role: ir.Role = "arrangement" if given else "example"
    procedures.append(ir.Procedure(name=name, parameters=(), body=built, site=here.site(place), role=role))
    example.script.append(Step(name, given, place))


#: The procedure that works out what is fixed at the start of phases, for a position outside of them.
_FIXING = "example fixing"


def _fixing(words: Vocabulary) -> ir.Procedure:
    renewed = [renewal.effect for renewal in words.renewals if fixes(renewal.effect)]
    return ir.Procedure(name=_FIXING, parameters=(), body=tuple(renewed), site=ir.NOWHERE, role="arrangement")


def _define(here: Here, value: ir.Expression, definitions: list[ir.Definition]) -> str:
    name = f"{here.rule.id} value {len(definitions)}"
    definitions.append(
        ir.Definition(name=name, parameters=(), type=value.type, body=value, site=here.site(here.rule.span))
    )
    return name


_Expected = nodes.Expect | nodes.ExpectNothingElse | nodes.ExpectOffered | nodes.ExpectNotOffered


def _expectation(here: Here, place: _Expected, definitions: list[ir.Definition]) -> Expectation:
    match place:
        case nodes.Expect():
            return _holds(here, place, definitions)
        case nodes.ExpectNothingElse():
            return Expectation(sort="nothing else", place=place)
        case nodes.ExpectOffered():
            return _offered(here, place, definitions)
        case nodes.ExpectNotOffered():
            found = _offered(here, place, definitions)
            return replace(found, sort="not offered", reason=text_of(place.because))
        case _:
            assert_never(place)


def _holds(here: Here, place: nodes.Expect, definitions: list[ir.Definition]) -> Expectation:
    found = _condition(here, place.condition, definitions)
    if isinstance(place.condition, Conjunction):
        quiet = replace(here, quiet=True)  # what is wrong with a half is told with the whole
        halves = tuple(_condition(quiet, half, definitions) for half in place.condition.parts)
        found = replace(found, halves=halves)
    if place.because is None:
        return found
    if not isinstance(place.condition, Negation):
        here.error("E0256", place.because)
        return found
    values, denied = Expressions(replace(here, quiet=True), Scope()), place.condition.part
    why = why_not(values, denied)
    if why is None:
        if values.flag(denied).type != WRONG:  # which is told with the condition
            here.error("E0255", denied)
        return found
    return replace(found, reason=text_of(place.because), why=_define(here, why, definitions))


def _condition(here: Here, place: Expression, definitions: list[ir.Definition]) -> Expectation:
    test = Expressions(here, Scope()).flag(place)
    sides = ("", "")
    if isinstance(test, ir.Binary) and test.operator not in ("and", "or"):
        sides = (_define(here, test.left, definitions), _define(here, test.right, definitions))
    mentions = tuple(_mentions(here, test, definitions))
    name = _define(here, test, definitions)
    return Expectation(
        sort="holds", place=place, text=shown(place), name=name, sides=sides, mentions=mentions
    )


def _offered(
    here: Here, place: nodes.ExpectOffered | nodes.ExpectNotOffered, definitions: list[ir.Definition]
) -> Expectation:
    values, text = Expressions(here, Scope()), shown(place.call)
    name, written = called_with(place.call)
    signature = here.vocabulary.actions.get(name.text) if name is not None else None
    action, player = "", ""
    arguments: tuple[str, ...] = ()
    if name is None or signature is None:
        here.unknown(name.text if name is not None else text, name or place.call, [*here.vocabulary.actions])
    else:
        found = values.arguments(signature, written, name)
        action, arguments = name.text, tuple(_define(here, value, definitions) for value in found or ())
    if place.player is not None:
        player = _define(here, values.of(place.player, ir.PLAYER), definitions)
    return Expectation(
        sort="offered", place=place, text=text, action=action, arguments=arguments, player=player
    )


def _mentions(here: Here, test: ir.Expression, definitions: list[ir.Definition]) -> list[tuple[str, str]]:
    """The cells that an expectation looks at: they may have changed."""
    found = []
    for part in parts(test):
        match part:
            case ir.Get(fixed=False) if not any(isinstance(inner, ir.Local) for inner in parts(part.subject)):
                found.append(
                    (column(part.owner, part.attribute, part.enum), _define(here, part.subject, definitions))
                )
            case ir.Global(builtin=False):
                found.append((identifier("v", part.name), ""))
            case ir.Builtin(name="place_of", arguments=(subject,)) if not any(
                isinstance(inner, ir.Local) for inner in parts(subject)
            ):
                found.append(("at", _define(here, subject, definitions)))
    return found


# ---------------------------------------------------------------- running


def _run(game: Game, example: Prepared) -> list[Diagnostic]:
    problems: list[Diagnostic] = []

    note = "dans l'exemple « {} »" if example.language == "fr" else 'in the example "{}"'

    def wrong(code: str, place: Span, **arguments: Any) -> None:
        problems.append(
            report(
                code, place, language=example.language, rule=", ".join(example.rules),
                notes=[note.format(example.title)], **arguments,
            )
        )  # fmt: skip

    assert example.place is not None
    try:
        state = opening_of(game, example)
    except RuleFailure as failure:
        wrong("E0722", example.place, text=str(failure))
        return problems
    before = state.copy()
    begun = False
    for line in example.script:
        if not begun and not (isinstance(line, Step) and line.given):
            begun = True
            fix(game, example, state)
            before = state.copy()
        game.refuel(state)
        if isinstance(line, Expectation):
            try:
                expect(game, example, line, before, state, wrong)
            except RuleFailure as failure:
                wrong("E0722", line.place.span, text=str(failure))
        elif not _carried_out(game, example, line, state, wrong):
            return problems
    return problems


def opening_of(game: Game, example: Prepared, seed: int | None = None) -> State:
    """Where an example begins, before its first line."""
    chosen = example.seed if seed is None else seed
    state = game.start(chosen) if example.plays else _position(game, chosen)
    if example.turn is not None:
        state.turn = example.turn
        forget(state)
    return state


def _position(game: Game, seed: int) -> State:
    """Where an example begins. The way there is no part of it, so it covers nothing."""
    covered = game.covered
    before = set(covered)
    state = set_up(game, seed)
    covered &= before
    return state


def fix(game: Game, example: Prepared, state: State) -> None:
    """What is fixed at the start of a phase is worked out for the position that is given."""
    if example.plays or state.result is not None:
        return
    covered = game.covered
    before = set(covered)
    run_procedure(game, state, _FIXING)
    covered &= before


def _carried_out(game: Game, example: Prepared, step: Step, state: State, wrong: Wrong) -> bool:
    """Does what a step says; false if it cannot be done, and the example is over."""
    place = step.place.span
    try:
        run_procedure(game, state, step.name)
        if example.plays:
            play_script(game, state)
    except RuleFailure as failure:
        if failure.code == "E0719":  # that is the example's own mistake
            wrong("E0719", place, **failure.arguments)
        else:
            wrong("E0722", place, text=str(failure))
        return False
    except NoAnswer as missing:
        options = ", ".join(missing.options[:12]) + (", …" if len(missing.options) > 12 else "")
        told = {"player": missing.player, "prompt": missing.prompt, "asked": missing.site.rule}
        code = "E0723" if missing.given is None else "E0724"
        wrong(code, place, options=options, given=missing.given or "", **told)
        return False
    if state.script:
        unused = ", ".join(game.names.shown(value, kind) for value, kind, _ in state.script)
        wrong("E0725", place, unused=unused)
        state.script = ()
    return True


def _value(game: Game, state: State, name: str) -> object:
    return game.evaluate(state, name)


def _type(game: Game, name: str) -> ir.Type:
    return next(d.type for d in game.program.definitions if d.name == name)


def expect(
    game: Game, example: Prepared, expectation: Expectation, before: State, state: State, wrong: Wrong
) -> None:
    text, place = expectation.text, expectation.place.span
    if expectation.sort == "holds":
        if not _value(game, state, expectation.name):
            failed = [half for half in expectation.halves if not _value(game, state, half.name)]
            for half in failed or [expectation]:
                _tell_failed(game, half, state, wrong)
        elif expectation.why:
            told = str(_value(game, state, expectation.why))
            if expectation.reason not in told:
                wrong("E0731", place, expected=expectation.reason, reason=told)
        return
    if expectation.sort == "nothing else":
        allowed = {
            (name, int(str(_value(game, state, index))) if index else -1)
            for other in example.expectations
            for name, index in other.mentions
        }
        changed = [
            cell for cell in changes(before, state) if cell not in allowed and cell[0] not in example.foreign
        ]
        if changed:
            listed = "; ".join(_told(game, before, state, cell) for cell in changed[:5])
            wrong("E0728", place, changes=listed)
        return
    names = [action.name for action in game.program.actions]
    number = names.index(expectation.action)
    values = tuple(_value(game, state, name) for name in expectation.arguments)
    player = state.player if state.player >= 0 else game.only_actor(number)
    if expectation.player:
        player = int(str(_value(game, state, expectation.player)))
    refusal = game.why_not_raw(state, player, (number, *values))
    if expectation.sort == "offered" and refusal is not None:
        wrong("E0729", place, text=text, reason=str(refusal))
    elif expectation.sort == "not offered" and refusal is None:
        wrong("E0730", place, text=text)
    elif (
        expectation.sort == "not offered"
        and refusal is not None
        and expectation.reason
        and expectation.reason not in str(refusal)
    ):
        wrong("E0731", place, expected=expectation.reason, reason=str(refusal))


def _tell_failed(game: Game, expectation: Expectation, state: State, wrong: Wrong) -> None:
    """What was expected and is not so; of a comparison, with the values of both sides."""
    place, text = expectation.place.span, expectation.text
    if not expectation.sides[0]:
        wrong("E0727", place, text=text)
        return
    left, right = (
        game.names.shown(_value(game, state, side), _type(game, side)) for side in expectation.sides
    )
    wrong("E0726", place, text=text, left=left, right=right)


def changes(before: State, after: State) -> list[Cell]:
    """The cells that differ; what follows from them (what lies where, the order of piles) is left out."""
    found: list[Cell] = []
    game = before.game
    ours = {entry.name for entry in game.code.layout.attributes if " " in entry.attribute}
    for name in before.COLUMNS:
        if name in ("inside", "order") or name in ours:
            continue
        old, new = getattr(before, name), getattr(after, name)
        found.extend((name, index) for index in range(len(old)) if old[index] != new[index])
    for variable, name in zip(game.program.variables, before.VARIABLES, strict=True):
        if " " not in variable.name and getattr(before, name) != getattr(after, name):
            found.append((name, -1))
    return found


def _told(game: Game, before: State, after: State, cell: Cell) -> str:
    name, index = cell
    if index < 0:
        variables = zip(before.VARIABLES, game.program.variables, strict=True)
        variable = next(one for where, one in variables if where == name)
        old, new = (game.names.shown(getattr(state, name), variable.type) for state in (before, after))
        return f"{variable.name}: {old} -> {new}"
    if name == "at":
        return entry_of(game, 0, Moved(-1, index, before.at[index], after.at[index])).text
    changed = Changed(-1, name, index, getattr(before, name)[index], getattr(after, name)[index])
    return entry_of(game, 0, changed).text
