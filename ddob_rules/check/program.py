"""From a stack of books to a checked program: the stages in order, the hash, and the list of rules."""

from __future__ import annotations

import hashlib
from dataclasses import fields, is_dataclass, replace
from functools import cache

from ddob_rules.check import behaviour, checks, looks, visibility, vocabulary
from ddob_rules.check.effects import phases
from ddob_rules.check.memory import Memory
from ddob_rules.check.nesting import check_nesting
from ddob_rules.check.progress import check_progress
from ddob_rules.check.review.idle import unread
from ddob_rules.check.review.sentences import wrong_sentences
from ddob_rules.check.scope import Here, Vocabulary
from ddob_rules.check.values.ranges import build_readers
from ddob_rules.check.values.ratios import scale_readers
from ddob_rules.reports.diagnostics import Diagnostic, Problems
from ddob_rules.stack.book import Book
from ddob_rules.stack.overlay import Merged, merge
from ddob_rules.stack.removals import explained
from ddob_rules.syntax.mending import words_in
from ddob_rules.syntax.nodes.rules import TodoLine
from interpreter import ir
from interpreter.ir.seats import count_options

#: Raised with every change of what a program means; caches and saves carry it.
LANGUAGE_VERSION = 1


class Checked:
    """A ruleset after checking: the program (None if there are errors), and what author tools ask about."""

    def __init__(
        self,
        books: list[Book],
        merged: Merged,
        words: Vocabulary,
        program: ir.Program | None,
        problems: list[Diagnostic],
        draft: ir.Program | None = None,
    ) -> None:
        self.books = books
        self.merged = merged
        self.words = words
        self.program = program
        self.problems = problems
        #: The program even if there are errors: its words are good enough to look at data with.
        self.draft = program if draft is None else draft

    @property
    def doubtful(self) -> set[str]:
        """The words that may mean something else, or nothing, because of mistakes where they stand."""
        found = set().union(*(book.unread for book in self.books))
        for problem in self.problems:
            if problem.severity == "error" and problem.primary is not None:
                span = problem.primary
                found |= words_in(span.source.line_text(span.line))
        return found


def check(
    books: list[Book], *, whole: bool = True, memory: Memory | None = None, noting: bool = False
) -> Checked:
    """Merges and checks a stack of books, base first.

    A stack that is not `whole` has had rules taken out: others may cite them. With the `memory` of an earlier
    check, what has not changed since is not checked again; with `noting`, the words remember what each word
    stands for at its place, which takes a little longer.
    """
    memory = Memory() if memory is None else memory
    memory.begin()
    merged = merge(books)
    words = vocabulary.build_vocabulary(merged, noting=noting)
    behaviour.collect_signatures(merged, words)
    steps = phases.read_steps(merged, words)
    visibility.read_visibility(merged, words)
    looks.read_looks(merged, words)
    vocabulary.check_references(words, merged)
    if whole:
        vocabulary.check_citations(words, merged, memory)
    vocabulary.check_names(words, merged)
    made = behaviour.build_behaviour(merged, words, memory)
    sequence = phases.build_sequence(merged, words, made, steps, memory)
    _report_todo_lines(merged, words)
    program = _program(books, merged, words, made, sequence, memory)
    checks.check_circles(program, merged, words, memory)
    check_progress(program, merged, words, memory)
    problems = Problems()
    problems.extend([problem for book in books for problem in book.problems])
    # What cannot be read takes its names with it; that others miss them is no mistake of theirs.
    lost: set[str] = set().union(*(book.unread for book in books))
    later = explained([*merged.problems, *words.problems], merged)
    problems.extend([problem for problem in later if not (lost and misses(problem, lost))])
    if not problems.has_errors:
        problems.extend(check_nesting(program, merged, memory))
    if not problems.has_errors:
        # Half-understood rules seem to leave much unused; these checks would only repeat the mistakes above.
        known = len(words.problems)
        checks.check_phases(program, merged, words, memory)
        problems.extend(words.problems[known:])
        problems.extend(wrong_sentences(merged, program))
        slips = checks.check_slips(merged, words, memory)
        places = {problem.primary for problem in slips}
        unused = checks.check_unused(merged, words, memory)
        problems.extend(unread(merged, memory))
        problems.extend([*slips, *(problem for problem in unused if problem.primary not in places)])
    found = list(problems)
    return Checked(books, merged, words, None if problems.has_errors else program, found, program)


def _report_todo_lines(merged: Merged, words: Vocabulary) -> None:
    for declaration in vocabulary.added(merged, TodoLine):
        place = declaration.read(TodoLine)
        Here(declaration.rule, words).error("W0202", place, text=place.text.text)


def _program(
    books: list[Book], merged: Merged, words: Vocabulary, made: behaviour.Behaviour,
    sequence: phases.Sequence, memory: Memory,
) -> ir.Program:  # fmt: skip
    base, top = books[0], books[-1]
    status, measures = looks.build_status(merged, words), looks.build_measures(merged, words)
    program = ir.Program(
        name=top.name,
        title=top.title,
        edition=top.edition or base.edition,
        language=base.language,
        stack=tuple(book.name for book in books),
        players=tuple(words.players),
        enums=tuple(words.enums.values()),
        kinds=_kinds(words),
        variables=(
            *words.variables.values(),
            *words.kept.variables.values(),
            *(ir.Variable(name=name, type=kind, start=None) for name, kind in words.phase_variables.items()),
        ),
        dice=tuple(words.dice.values()),
        options=(*words.options.values(), *_counts(words)),
        definitions=(
            *made.definitions,
            *build_readers(words),
            *scale_readers(words.enums.values(), words.shifted),
        ),
        tables=tuple(made.tables),
        priorities=tuple(made.priorities),
        procedures=(*made.procedures, *phases.noting_progress(sequence.procedures, words)),
        actions=tuple(made.actions),
        victories=tuple(made.victories),
        phases=tuple(sequence.phases),
        score=made.score,
        rules=_rules(merged),
        status=status,
        measures=measures,
        fewest=words.fewest,
        texts=(),
        outline=base.outline,
    )
    return replace(program, hash=mechanics_hash(program, memory))


def _counts(words: Vocabulary) -> tuple[ir.Option, ...]:
    """The numbers of players, as options."""
    return count_options(words.fewest, sum(not player.automated for player in words.players))


def _kinds(words: Vocabulary) -> tuple[ir.Kind, ...]:
    """The kinds with what bodies keep on them; an enum becomes one if something is kept on its values."""
    kinds = dict(words.kinds)
    for holder, attributes in words.kept.attributes.items():
        own = tuple(attributes.values())
        known = kinds.get(holder) or ir.Kind(name=holder, owner="enum", site=own[0].site)
        kinds[holder] = replace(known, attributes=(*known.attributes, *own))
    return tuple(kinds.values())


def _rules(merged: Merged) -> tuple[ir.Rule, ...]:
    found = []
    for rule in merged.rules.values():
        if rule.id in merged.gone:
            continue
        amends = tuple(target.text for target in rule.amendment.targets) if rule.amendment is not None else ()
        found.append(
            ir.Rule(
                id=rule.id, title=rule.title, text=rule.text, ruleset=rule.ruleset,
                file=rule.span.source.path,
                line=rule.span.line, amends=amends, mechanism=bool(rule.declarations),
                see=tuple(number.text for number in rule.see),
            )
        )  # fmt: skip
    return tuple(sorted(found, key=lambda rule: merged.order(rule.id)))


#: What is reported of names and numbers that are not there.
MISSING = frozenset({"E0201", "E0204", "E0220", "E0225", "E0411", "E0502"})


def misses(problem: Diagnostic, words: set[str]) -> bool:
    """Whether a finding is about one of these words that are not there."""
    named = set().union(*(words_in(value) for _, value in problem.arguments))
    return problem.code in MISSING and bool(named & words)


#: Fields that say where something stands or how it is called for people, not what it does.
_SILENT = {
    "site",
    "untold",
    "carried",
    "look",
    "reasons",
    "apart",
    "status",
    "measures",
    "title",
    "text",
    "texts",
    "rules",
    "language",
    "hash",
    "outline",
    "name of ruleset",
    "edition",
    "file",
    "line",
}
#: Fields that came later, and count only where they say something: what was written before has the same hash.
_LATER = {"fewest", "lost", "ranking", "piece", "attribute"}


def mechanics_hash(program: ir.Program, memory: Memory | None = None) -> str:
    """The same for rules that do the same, whatever language they are written in."""
    memory = Memory() if memory is None else memory
    pieces = [f"{LANGUAGE_VERSION}".encode(), b"Program"]
    for entry in fields(program):
        value = getattr(program, entry.name)
        if entry.name in ("name", "stack"):
            value = type(value)()
        if entry.name in _SILENT:
            continue
        if isinstance(value, tuple):
            pieces += [b"(", *(memory.fact(_written, part) for part in value), b")"]
        else:
            pieces.append(_written(value))
    return hashlib.sha256(b"".join([*pieces, b";"])).hexdigest()


def _written(item: object) -> bytes:
    """What a part of a program does, as bytes; the same for parts that do the same."""
    pieces: list[str] = []
    _write(pieces, item)
    return "".join(pieces).encode()


def _write(pieces: list[str], item: object) -> None:
    if isinstance(item, tuple):
        pieces.append("(")
        for part in item:
            _write(pieces, part)
        pieces.append(")")
    elif isinstance(item, ir.Type):
        pieces.append(_type_written(item))
    elif (names := _telling(type(item))) is not None:
        _write_parts(pieces, item, names)
    else:
        pieces.append(f"{item!r},")


def _write_parts(pieces: list[str], item: object, names: tuple[str, ...]) -> None:
    pieces.append(type(item).__name__)
    for name in names:
        value = getattr(item, name)
        if value or name not in _LATER:
            # The other roles of a procedure follow from its name, and from who calls it.
            _write(pieces, value == "arrangement" if name == "role" else value)
    pieces.append(";")


@cache
def _type_written(kind: ir.Type) -> str:
    """Everything has a type, and there are few of them."""
    pieces: list[str] = []
    _write_parts(pieces, kind, _telling(ir.Type) or ())
    return "".join(pieces)


def _telling(kind: type) -> tuple[str, ...] | None:
    """The parts of things of this class that say what they do; None for plain values."""
    if kind not in _TELLING:
        silent = ("site", "reason") if issubclass(kind, ir.Condition) else _SILENT
        names = (entry.name for entry in fields(kind)) if is_dataclass(kind) else None
        _TELLING[kind] = tuple(name for name in names if name not in silent) if names is not None else None
    return _TELLING[kind]


_TELLING: dict[type, tuple[str, ...] | None] = {}
