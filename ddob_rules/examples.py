"""Examples: the worked examples of a rulebook, run against the rules.

An example becomes procedures (given, when) and definitions (what is expected), compiled together with the
ruleset, so that it can say everything that rules can. Coverage comes from the same run.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from ddob_rules.book import Book, ExampleBlock, RuleBlock, normal, text_of
from ddob_rules.diagnostics import Diagnostic, report
from ddob_rules.expressions import Expressions, shown
from ddob_rules.library import find_ruleset
from ddob_rules.loading import LoadedGame, load_game
from ddob_rules.program import Checked
from ddob_rules.scope import Here, Scope, Vocabulary
from ddob_rules.source import Span
from ddob_rules.statements import Statements
from ddob_rules.tree import Item, Leaf, Node, leaf, node, tree
from interpreter import ir
from interpreter.analysis import column, identifier, parts
from interpreter.compile import Code, compile_program
from interpreter.emit import type_key
from interpreter.failures import RuleFailure
from interpreter.game import Game
from interpreter.scenario import Scenario
from interpreter.scripted import NoAnswer, clear, play_script, run_procedure
from interpreter.state import State

# Notes a problem: its code, its place, and what its message needs.
Wrong = Callable[..., None]

Cell = tuple[str, int]  # a column and an index; variables have index -1


@dataclass(frozen=True, slots=True)
class Expectation:
    """One `expect` line: the name of its definition, or what it asks of the offers."""

    sort: str  # holds, nothing else, offered, not offered
    name: str
    sides: tuple[str, str]  # definitions of both sides of a comparison, to show them
    action: tuple[str, tuple[str, ...]]  # action and the definitions of its arguments
    reason: str
    place: Node
    mentions: tuple[tuple[str, str], ...]  # column and the definition of the index
    player: str = ""  # the definition of who it is offered to, if it says so


@dataclass(eq=False, slots=True)
class Prepared:
    """An example, understood: its scenario and the parts of the program that it becomes."""

    title: str
    rules: tuple[str, ...]
    scenario: str
    turn: int | None
    options: tuple[str, ...]
    seed: int
    steps: list[tuple[str, Node]] = field(default_factory=list)  # given, when: procedure and place
    expectations: list[Expectation] = field(default_factory=list)
    place: Span | None = None
    language: str = "en"
    number: int = 0
    plays: bool = False  # goes through the sequence of play from the start


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
    result = Report()
    program = checked.program
    assert program is not None
    games: dict[str, LoadedGame] = {}
    prepared: list[Prepared] = []
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
            found = _scenario_of(checked, example, overlays, games, brought)
            if found.scenario is None:
                place = example.place
                assert place is not None
                problem = report("E0721", place, language=example.language, scenario=example.scenario)
                result.outcomes.append(_outcome(example, [problem, *found.problems]))
                continue
            made = len(parts_of), len(definitions)
            problems = _understand(checked, book, block, example, found.scenario, parts_of, definitions)
            if any(problem.severity == "error" for problem in problems):
                del parts_of[made[0] :], definitions[made[1] :]
                result.outcomes.append(_outcome(example, problems))
                continue
            prepared.append(example)
    augmented = replace(
        program, procedures=(*program.procedures, *parts_of), definitions=(*program.definitions, *definitions)
    )
    code = compile_program(augmented, journal=False, cover=cover, playouts=False)
    built: dict[tuple[str, tuple[str, ...]], Game] = {}
    for example in prepared:
        scenario = games[example.scenario].scenario
        assert scenario is not None
        key = (example.scenario, example.options)
        if key not in built:
            built[key] = Game(augmented, scenario, code, options=example.options)
        result.outcomes.append(_outcome(example, _run(built[key], example)))
    if cover:
        files = {source.path for book in books for source in book.files}
        _cover(result.coverage, code, built, files)
    return result


def _cover(
    coverage: Coverage, code: Code, games: dict[tuple[str, tuple[str, ...]], Game], files: set[str]
) -> None:
    coverage.known = {
        site for site in code.sites if site.file in files and not site.rule.startswith("example")
    }
    for game in games.values():
        coverage.touched |= {code.sites[number] for number in game.namespace["COVER"]}
    coverage.touched &= coverage.known


def _outcome(example: Prepared, problems: list[Diagnostic]) -> Outcome:
    assert example.place is not None
    return Outcome(
        example.title, example.rules, example.place.source.path, example.place.line, tuple(problems)
    )


def _scenario_of(
    checked: Checked,
    example: Prepared,
    overlays: tuple[str, ...],
    games: dict[str, LoadedGame],
    brought: bool,
) -> LoadedGame:
    """The scenario's data under the rules being tested, so that a variant can use its base's scenarios."""
    if example.scenario not in games:
        # The rules that a scenario brings are no ruleset that another could be played under.
        ruleset = None if brought else _word(checked.books[-1])
        games[example.scenario] = load_game(
            example.scenario, overlays=overlays, ruleset=ruleset, journal=False
        )
    return games[example.scenario]


def _word(book: Book) -> str:
    """What leads to a ruleset: its name, or its folder where the name leads elsewhere or nowhere."""
    found = find_ruleset(book.name)
    near = found is not None and found.folder.resolve() == book.folder.resolve()
    return book.name if near else str(book.folder)


# ---------------------------------------------------------------- understanding


def _header(book: Book, block: ExampleBlock, number: int) -> Prepared:
    scenario, turn, seed = book.name, None, 0
    options: tuple[str, ...] = ()
    for item in block.node.items[2:]:
        place = node(item)
        if place.kind == "given":
            name, turn_item, names, seed_item, _ = place.items
            scenario = text_of(name) if leaf(name).terminal == "STRING" else normal(leaf(name).text)
            turn = int(leaf(turn_item).text) if turn_item is not None else None
            options = tuple(leaf(option).text for option in node(names).items) if names is not None else ()
            seed = int(leaf(seed_item).text[:18]) if seed_item is not None else 0
    return Prepared(
        title=block.title, rules=tuple(rule.text for rule in block.rules), scenario=scenario, turn=turn,
        options=options, seed=seed, place=block.node.span, language=block.language, number=number,
    )  # fmt: skip


def _ids(scenario: Scenario, program: ir.Program) -> dict[str, ir.Type]:
    found: dict[str, ir.Type] = {space.id: ir.Type("space", (space.kind,)) for space in scenario.spaces}
    found.update({piece.id: ir.Type("piece", (piece.kind,)) for piece in scenario.pieces})
    return found


def _understand(
    checked: Checked, book: Book, block: ExampleBlock, example: Prepared, scenario: Scenario,
    procedures: list[ir.Procedure], definitions: list[ir.Definition],
) -> list[Diagnostic]:  # fmt: skip
    """Turns the lines of an example into procedures and definitions; returns what is wrong with them."""
    words: Vocabulary = checked.words
    assert checked.program is not None
    before, words.problems = words.problems, []
    words.ids = _ids(scenario, checked.program)
    rule = RuleBlock(
        f"example {example.number}", block.title, "", book.name, block.language, block.node.span, None
    )
    here = Here(rule, words)
    try:
        for item in block.node.items[2:]:
            place = node(item)
            if place.kind in ("given", "example_when", "example_when_line"):
                _step(here, place, example, procedures)
            else:
                example.expectations.append(_expectation(here, place, example, definitions))
        return list(words.problems)
    finally:
        words.problems, words.ids = before, None


def _step(here: Here, place: Node, example: Prepared, procedures: list[ir.Procedure]) -> None:
    body: Item = None
    if place.kind == "given":
        inner = node(place.items[-1])
        body = inner.items[0] if inner.items else None
        if body is None:
            return
    example.plays = example.plays or any(
        isinstance(item, Node) and item.kind == "play" for item in place.walk()
    )
    scope = Scope()
    statements = Statements(here, scope)
    if place.kind == "example_when_line":
        built = tuple(statements.one(node(place.items[0])))
    else:
        built = statements.block(body if body is not None else place.items[0], scope)
    name = f"example {example.number} step {len(example.steps)}"
    procedures.append(ir.Procedure(name=name, parameters=(), body=built, site=here.site(place)))
    example.steps.append((f"{'given' if place.kind == 'given' else 'when'}:{name}", place))


def _define(here: Here, value: ir.Expression, definitions: list[ir.Definition]) -> str:
    name = f"{here.rule.id} value {len(definitions)}"
    definitions.append(
        ir.Definition(name=name, parameters=(), type=value.type, body=value, site=here.site(here.rule.span))
    )
    return name


def _expectation(here: Here, place: Node, example: Prepared, definitions: list[ir.Definition]) -> Expectation:
    values = Expressions(here, Scope())
    empty: tuple[str, tuple[str, ...]] = ("", ())
    if place.kind == "expect_nothing_else":
        return Expectation("nothing else", "", ("", ""), empty, "", place, ())
    if place.kind in ("expect_offered", "expect_not_offered"):
        sort = "offered" if place.kind == "expect_offered" else "not offered"
        action = _action(here, values, tree(place.items[0]), definitions)
        player = ""
        if place.items[1] is not None:
            player = _define(here, values.of(place.items[1], ir.PLAYER), definitions)
        reason = text_of(place.items[2]) if sort == "not offered" else ""
        return Expectation(sort, "", ("", ""), action, reason, place, (), player)
    test = values.flag(place.items[0])
    sides = ("", "")
    if isinstance(test, ir.Binary) and test.operator not in ("and", "or"):
        sides = (_define(here, test.left, definitions), _define(here, test.right, definitions))
    mentions = tuple(_mentions(here, test, definitions))
    return Expectation("holds", _define(here, test, definitions), sides, empty, "", place, mentions)


def _action(
    here: Here, values: Expressions, item: Node | Leaf, definitions: list[ir.Definition]
) -> tuple[str, tuple[str, ...]]:
    inner = node(item)
    name = leaf(inner.items[0])
    arguments = node(inner.items[1]).items if inner.kind == "call" and inner.items[1] is not None else ()
    signature = here.vocabulary.actions.get(name.text)
    if signature is None:
        here.unknown(name.text, name, list(here.vocabulary.actions))
        return "", ()
    found = values.arguments(signature, arguments, name)
    return name.text, tuple(_define(here, value, definitions) for value in found or ())


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
                found.append((identifier(f"v_{part.name}"), ""))
            case ir.Builtin(name="place_of", arguments=(subject,)) if not any(
                isinstance(inner, ir.Local) for inner in parts(subject)
            ):
                found.append(("at", _define(here, subject, definitions)))
    return found


# ---------------------------------------------------------------- running


def _run(game: Game, example: Prepared) -> list[Diagnostic]:
    problems: list[Diagnostic] = []

    def wrong(code: str, place: Span, **arguments: Any) -> None:
        problems.append(
            report(code, place, language=example.language, rule=", ".join(example.rules), **arguments)
        )

    assert example.place is not None
    covered = game.namespace["COVER"]
    before_start = set(covered)
    try:
        state = game.start(example.seed)
    except RuleFailure as failure:
        wrong("E0722", example.place, text=str(failure))
        return problems
    if not example.plays:
        clear(state)
        covered &= before_start  # the way to the first choice is no part of the example
    if example.turn is not None:
        state.turn = example.turn
        for memory in state.MEMORIES:
            setattr(state, memory, None)
    before = state.copy()
    for step, place in example.steps:
        sort, name = step.split(":", 1)
        try:
            run_procedure(game, state, name)
            if example.plays:
                play_script(game, state)
        except RuleFailure as failure:
            wrong("E0722", place.span, text=str(failure))
            return problems
        except NoAnswer as missing:
            options = ", ".join(missing.options[:12]) + (", …" if len(missing.options) > 12 else "")
            code = "E0723" if missing.given is None else "E0724"
            wrong(
                code,
                place.span,
                player=missing.player,
                prompt=missing.prompt,
                options=options,
                given=missing.given or "",
                asked=missing.site.rule,
            )
            return problems
        if state.script:
            unused = ", ".join(
                game.names.shown(value, key) if key != "roll" else str(value) for value, key in state.script
            )
            wrong("E0725", place.span, unused=unused)
            state.script = ()
        if sort == "given":
            before = state.copy()
    for expectation in example.expectations:
        state.fuel = game.limits.steps
        try:
            _expect(game, example, expectation, before, state, wrong)
        except RuleFailure as failure:
            wrong("E0722", expectation.place.span, text=str(failure))
    return problems


def _value(game: Game, state: State, name: str) -> object:
    return game.namespace[f"d_{identifier(name)}"](state)


def _type_key(game: Game, name: str) -> str:
    return type_key(next(d.type for d in game.program.definitions if d.name == name))


def _expect(
    game: Game, example: Prepared, expectation: Expectation, before: State, state: State, wrong: Wrong
) -> None:
    text = shown(tree(expectation.place.items[0])) if expectation.place.items else ""
    place = expectation.place.span
    if expectation.sort == "holds":
        if not _value(game, state, expectation.name):
            if expectation.sides[0]:
                left, right = (
                    game.names.shown(_value(game, state, side), _type_key(game, side))
                    for side in expectation.sides
                )
                wrong("E0726", place, text=text, left=left, right=right)
            else:
                wrong("E0727", place, text=text)
        return
    if expectation.sort == "nothing else":
        allowed = {
            (name, int(str(_value(game, state, index))) if index else -1)
            for other in example.expectations
            for name, index in other.mentions
        }
        changed = [cell for cell in changes(before, state) if cell not in allowed]
        if changed:
            listed = "; ".join(_told(game, before, state, cell) for cell in changed[:5])
            wrong("E0728", place, changes=listed)
        return
    action, arguments = expectation.action
    number = next(n for n, entry in enumerate(game.program.actions) if entry.name == action)
    values = tuple(_value(game, state, name) for name in arguments)
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


def changes(before: State, after: State) -> list[Cell]:
    """The cells that differ; what follows from them (what lies where, the order of piles) is left out."""
    found: list[Cell] = []
    for name in before.COLUMNS:
        if name in ("inside", "order") or "_20_" in name:
            continue
        old, new = getattr(before, name), getattr(after, name)
        found.extend((name, index) for index in range(len(old)) if old[index] != new[index])
    for name in before.VARIABLES:
        if "_20_" not in name and getattr(before, name) != getattr(after, name):
            found.append((name, -1))
    return found


def _told(game: Game, before: State, after: State, cell: Cell) -> str:
    name, index = cell
    if index < 0:
        return f"{name.removeprefix('v_')}: {getattr(before, name)} -> {getattr(after, name)}"
    if name == "at":
        raw = (-1, "place", index, before.at[index], after.at[index])
        return game.names.entry(0, raw).text
    entry = next(a for a in game.code.layout.attributes if a.name == name)
    what = f"{entry.owner} {entry.attribute}" if not entry.enum else f"enum {entry.enum} {entry.attribute}"
    return game.names.entry(
        0, (-1, what, index, getattr(before, name)[index], getattr(after, name)[index])
    ).text
