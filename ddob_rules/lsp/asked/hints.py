"""Hints inside the text: which rule amends this one, and what a value is on a turn.

And lenses above it: run an example and see how it went, and how much of a rule the examples reach.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from lsprotocol import types

from ddob_rules.index import Index
from ddob_rules.lsp.desk import Desk
from ddob_rules.lsp.positions import Ruler, file_of, uri_of
from ddob_rules.reports.diagnostics import fill
from ddob_rules.resources import shown_path
from ddob_rules.stack.book import Book, RuleBlock, text_of
from ddob_rules.syntax.nodes import rules
from ddob_rules.syntax.parse import ParsedFile
from interpreter import ir

RUN = "ddob.runExamples"

_SAID = {
    "en": {
        "amended": "amended by", "turn": "turn", "run": "Run the example", "passed": "holds",
        "failed": "fails", "all": "Run the examples", "reached": "examples reach {hit} of {total} places",
    },
    "fr": {
        "amended": "amendée par", "turn": "tour", "run": "Jouer l'exemple", "passed": "tient",
        "failed": "échoue", "all": "Jouer les exemples",
        "reached": "les exemples atteignent {hit|# endroit|# endroits} sur {total}",
    },
}  # fmt: skip


@dataclass(slots=True)
class Results:
    """What came of the examples of a file's rulesets, the last time they were run."""

    outcomes: dict[str, bool] = field(default_factory=dict)  # by title
    reached: dict[str, tuple[int, int]] = field(default_factory=dict)  # by rule


# ---------------------------------------------------------------- hints


def hints_of(desk: Desk, path: Path, turn: int, ruler: Ruler) -> list[types.InlayHint]:
    index = desk.index_of(path)
    if index is None:
        return []
    said = _SAID.get(desk.language, _SAID["en"])
    found: list[types.InlayHint] = []
    for book in index.checked.books:
        above = amending(desk, book)
        for block in book.rules:
            if block.node is None or block.span.source.path != shown_path(path):
                continue
            for other in above.get(block.id, []):
                found.append(_amended(block, other, said["amended"], ruler))
            for declaration in block.declarations:
                if isinstance(declaration.node, rules.Value):
                    hint = _valued(declaration.node, index, turn, said["turn"], ruler)
                    found += [hint] if hint is not None else []
    return found


def amending(desk: Desk, book: Book) -> dict[str, list[RuleBlock]]:
    """The rules of all rulesets in sight that amend those of a book, by the number of what they amend."""
    found: dict[str, list[RuleBlock]] = {}
    own = {block.id for block in book.rules}
    for entry in desk.shelf.everything():
        if not desk.stands_on(entry, {book.name}):
            continue
        other, _ = desk.shelf.read(entry.files, entry.folder)
        for block in other.rules if other is not None else ():
            for target in block.amendment.targets if block.amendment is not None else ():
                if target.text in own:
                    found.setdefault(target.text, []).append(block)
    for block in book.rules:
        for target in block.amendment.targets if block.amendment is not None else ():
            if target.text in own:
                found.setdefault(target.text, []).append(block)
    return found


def _amended(block: RuleBlock, other: RuleBlock, verb: str, ruler: Ruler) -> types.InlayHint:
    source = block.span.source
    line = source.line_span(block.span.line)
    place = types.Location(uri_of(file_of(other.span.source.path)), ruler.range(other.span))
    part = types.InlayHintLabelPart(
        f"{verb} {other.id} ({other.ruleset})", location=place, tooltip=other.text or None
    )
    return types.InlayHint(ruler.position(source, line.end), [part], padding_left=True)


def _valued(node: rules.Value, index: Index, turn: int, word: str, ruler: Ruler) -> types.InlayHint | None:
    """Only where the text does not say it already: a value with a history, or one that is worked out."""
    program = index.checked.program
    if program is None:
        return None
    known = {definition.name: definition for definition in program.definitions}
    definition = known.get(node.name.text)
    value = worked_out(definition.body, known, turn) if definition is not None else None
    if value is None or (isinstance(node.history, rules.History) and node.history.span.text == str(value)):
        return None
    place = ruler.position(node.name.span.source, node.name.span.end)
    return types.InlayHint(place, f"({word} {turn}: {value})", padding_left=True)


def worked_out(body: ir.Expression, known: dict[str, ir.Definition], turn: int, depth: int = 0) -> int | None:
    """A number that depends on nothing but the turn; None if it depends on more."""
    if depth > 50:
        return None

    def number(part: ir.Expression | None) -> int | None:
        return worked_out(part, known, turn, depth + 1) if part is not None else None

    match body:
        case ir.Const(value=bool()):
            return None
        case ir.Const(value=int(value)):
            return value
        case ir.Global(name="turn", builtin=True):
            return turn
        case ir.Call(name=name, arguments=()) if name in known:
            return number(known[name].body)
        case ir.Conditional():
            test = _holds(body.condition, known, turn, depth + 1)
            return None if test is None else number(body.then if test else body.otherwise)
        case ir.Binary(operator="+" | "-" | "*" as operator):
            left, right = number(body.left), number(body.right)
            if left is None or right is None:
                return None
            return {"+": left + right, "-": left - right, "*": left * right}[operator]
        case _:
            return None


def _holds(test: ir.Expression, known: dict[str, ir.Definition], turn: int, depth: int) -> bool | None:
    match test:
        case ir.Between():
            subject = worked_out(test.subject, known, turn, depth)
            low = worked_out(test.low, known, turn, depth) if test.low is not None else subject
            high = worked_out(test.high, known, turn, depth) if test.high is not None else subject
            if subject is None or low is None or high is None:
                return None
            return low <= subject <= high
        case _:
            return None


# ---------------------------------------------------------------- lenses


def lenses_of(
    parsed: ParsedFile, uri: str, results: Results, ruler: Ruler, language: str
) -> list[types.CodeLens]:
    said = _SAID.get(language, _SAID["en"])
    found: list[types.CodeLens] = []
    for start in parsed.items:
        item = start.item
        if isinstance(item, rules.Rule) and item.number.text in results.reached:
            hit, total = results.reached[item.number.text]
            title = fill(said["reached"], {"hit": str(hit), "total": str(total)}, language)
            found.append(_lens(item.span.line, title, uri, "", ruler))
        for example in _examples(item):
            title = text_of(example.title)
            found.append(_lens(example.span.line, said["run"], uri, title, ruler))
            if title in results.outcomes:
                told = said["passed"] if results.outcomes[title] else said["failed"]
                found.append(_lens(example.span.line, told, uri, title, ruler))
        if isinstance(item, rules.Ruleset):
            found.append(_lens(item.span.line, said["all"], uri, "", ruler))
    return found


def _examples(item: rules.TopLevel) -> Iterator[rules.Example]:
    if isinstance(item, rules.Example):
        yield item
    elif isinstance(item, rules.Rule):
        yield from (inner for inner in item.declarations if isinstance(inner, rules.Example))


def _lens(line: int, title: str, uri: str, example: str, ruler: Ruler) -> types.CodeLens:
    place = types.Position(line - 1, 0)
    command = types.Command(title, RUN, arguments=[uri, example])
    return types.CodeLens(types.Range(place, place), command)
