"""From a stack of books to a checked program: the stages in order, the hash, and the list of rules."""

from __future__ import annotations

import hashlib
from dataclasses import fields, is_dataclass, replace

from ddob_rules import behaviour, checks, looks, phases, visibility, vocabulary
from ddob_rules.book import Book
from ddob_rules.diagnostics import Diagnostic, Problems
from ddob_rules.overlay import Merged, merge
from ddob_rules.scope import Here, Vocabulary
from ddob_rules.tree import leaf
from interpreter import ir

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
    ) -> None:
        self.books = books
        self.merged = merged
        self.words = words
        self.program = program
        self.problems = problems


def check(books: list[Book]) -> Checked:
    """Merges and checks a stack of books, base first."""
    merged = merge(books)
    words = vocabulary.build_vocabulary(merged)
    behaviour.collect_signatures(merged, words)
    steps = phases.read_steps(merged, words)
    visibility.read_visibility(merged, words)
    looks.read_looks(merged, words)
    vocabulary.check_references(words, merged)
    vocabulary.check_names(words, merged)
    made = behaviour.build_behaviour(merged, words)
    sequence = phases.build_sequence(merged, words, made, steps)
    _report_todo_lines(merged, words)
    program = _program(books, merged, words, made, sequence)
    checks.check_circles(program, merged, words)
    problems = Problems()
    problems.extend([problem for book in books for problem in book.problems])
    # A rule that cannot be read takes its names with it; that others miss them is no mistake of theirs.
    unread = any(problem.code.startswith("E01") for problem in problems)
    later = [*merged.problems, *words.problems]
    problems.extend([problem for problem in later if not (unread and problem.code in _MISSING)])
    if not problems.has_errors:
        # Half-understood rules seem to leave much unused; these checks would only repeat the mistakes above.
        known = len(words.problems)
        checks.check_phases(program, merged, words)
        problems.extend(words.problems[known:])
        problems.extend(checks.check_unused(merged, words))
    found = list(problems)
    return Checked(books, merged, words, None if problems.has_errors else program, found)


def _report_todo_lines(merged: Merged, words: Vocabulary) -> None:
    for version in merged.additions:
        if version.declaration is not None and version.declaration.kind == "todo_line":
            place = version.declaration.node
            Here(version.rule, words).error("W0202", place, text=leaf(place.items[0]).text)


def _program(
    books: list[Book], merged: Merged, words: Vocabulary, made: behaviour.Behaviour, sequence: phases.Sequence
) -> ir.Program:
    base, top = books[0], books[-1]
    program = ir.Program(
        name=top.name,
        title=top.title,
        edition=top.edition or base.edition,
        language=base.language,
        stack=tuple(book.name for book in books),
        players=tuple(words.players),
        enums=tuple(words.enums.values()),
        kinds=tuple(words.kinds.values()),
        variables=(
            *words.variables.values(),
            *(
                ir.Variable(name=f"phase {name}", type=kind, start=None)
                for name, kind in words.phase_variables.items()
            ),
        ),
        dice=tuple(words.dice.values()),
        options=tuple(words.options.values()),
        definitions=tuple(made.definitions),
        tables=tuple(made.tables),
        priorities=tuple(made.priorities),
        procedures=(*made.procedures, *sequence.procedures),
        actions=tuple(made.actions),
        victories=tuple(made.victories),
        phases=tuple(sequence.phases),
        score=made.score,
        rules=_rules(merged),
        status=looks.build_status(merged, words),
        measures=looks.build_measures(merged, words),
        texts=(),
    )
    return replace(program, hash=mechanics_hash(program))


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
            )
        )  # fmt: skip
    return tuple(sorted(found, key=lambda rule: phases.rule_order(rule.id)))


#: What is reported of names and numbers that are not there.
_MISSING = frozenset({"E0201", "E0204", "E0220", "E0225", "E0411", "E0502"})

#: Fields that say where something stands or how it is called for people, not what it does.
_SILENT = {
    "site",
    "untold",
    "look",
    "status",
    "measures",
    "title",
    "text",
    "texts",
    "rules",
    "language",
    "hash",
    "name of ruleset",
    "edition",
    "file",
    "line",
}


def mechanics_hash(program: ir.Program) -> str:
    """The same for rules that do the same, whatever language they are written in."""
    digest = hashlib.sha256(f"{LANGUAGE_VERSION}".encode())
    _feed(digest, replace(program, name="", stack=()))
    return digest.hexdigest()


def _feed(digest: hashlib._Hash, item: object) -> None:
    if isinstance(item, tuple):
        digest.update(b"(")
        for part in item:
            _feed(digest, part)
        digest.update(b")")
    elif is_dataclass(item) and not isinstance(item, type):
        digest.update(type(item).__name__.encode())
        for entry in fields(item):
            if entry.name not in _SILENT or isinstance(item, ir.Condition):
                if isinstance(item, ir.Condition) and entry.name in ("site", "reason"):
                    continue
                _feed(digest, getattr(item, entry.name))
        digest.update(b";")
    else:
        digest.update(repr(item).encode())
        digest.update(b",")
