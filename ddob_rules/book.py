"""A ruleset as it stands in its files: the header, the rules with their declarations, and the examples.

This stage gathers the parsed files of one folder into a `Book` and checks what belongs to numbering: one
header, no rule number twice, every declaration in a rule. Other rulesets are not looked at here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from ddob_rules.diagnostics import Diagnostic, Label, report
from ddob_rules.parse import ParsedFile, parse_file
from ddob_rules.resources import shown_path
from ddob_rules.source import Source, Span, read_source
from ddob_rules.tree import Item, Leaf, Node, leaf, node

#: What an unnamed declaration is known by: its kind and what it hangs on.
NAMED = {
    "enum", "piece", "card", "space", "edge", "pile", "dice", "variable", "value", "define", "table", "chart",
    "priority", "sequence", "action", "procedure", "trigger", "victory", "option",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Declaration:
    kind: str
    name: str
    node: Node
    rule: RuleBlock

    @property
    def span(self) -> Span:
        """The place of its name, or of the whole declaration."""
        for item in self.node.items:
            if isinstance(item, Leaf) and item.terminal == "NAME":
                return item.span
        return self.node.span


@dataclass(frozen=True, slots=True)
class Amendment:
    verb: str  # amends, replaces, removes
    targets: tuple[Leaf, ...]
    after: tuple[Leaf, ...]
    condition: Node | Leaf | None


@dataclass(eq=False, slots=True)
class RuleBlock:
    id: str
    title: str
    text: str
    ruleset: str
    language: str
    span: Span
    amendment: Amendment | None
    declarations: list[Declaration] = field(default_factory=list)
    node: Node | None = None


@dataclass(frozen=True, slots=True)
class ExampleBlock:
    title: str
    rules: tuple[Leaf, ...]
    node: Node
    ruleset: str
    language: str


@dataclass(frozen=True, slots=True)
class Seat:
    name: str
    title: str
    automated: bool
    span: Span


@dataclass(eq=False, slots=True)
class Book:
    name: str
    title: str
    edition: str
    language: str
    extends: tuple[Leaf, ...]
    span: Span
    folder: Path
    seats: list[Seat] = field(default_factory=list)
    rules: list[RuleBlock] = field(default_factory=list)
    examples: list[ExampleBlock] = field(default_factory=list)
    files: list[Source] = field(default_factory=list)
    problems: list[Diagnostic] = field(default_factory=list)


def text_of(item: Item) -> str:
    """The text between the quotes, with its escapes undone."""
    if item is None:
        return ""
    raw = leaf(item).text[1:-1]
    return raw.replace('\\"', '"').replace("\\\\", "\\")


def ruleset_files(folder: Path) -> list[Path]:
    """The rule files of a ruleset folder, in a fixed order; the examples' folder included."""
    return [*sorted(folder.glob("*.rules")), *sorted((folder / "examples").glob("*.rules"))]


def read_book(paths: Iterable[Path], folder: Path) -> tuple[Book | None, list[Diagnostic]]:
    """Reads the files of one ruleset."""
    problems: list[Diagnostic] = []
    sources: list[Source] = []
    for path in paths:
        source, found = read_source(path, shown_path(path))
        problems.extend(found)
        if source is not None:
            sources.append(source)
    return book_from_sources(sources, folder, problems)


def book_from_sources(
    sources: Iterable[Source], folder: Path, before: Iterable[Diagnostic] = ()
) -> tuple[Book | None, list[Diagnostic]]:
    """Gathers texts that are already in memory; `before` is what was wrong with reading them."""
    problems = list(before)
    parsed = [parse_file(source) for source in sources]
    for file in parsed:
        problems.extend(file.problems)
    book = _header(parsed, folder, problems)
    if book is None:
        return None, problems
    for file in parsed:
        book.files.append(file.source)
        for item in file.items:
            _add(book, node(item.items[0]), file.language)
    _check_numbers(book)
    book.problems = problems + book.problems
    return book, book.problems


def _header(parsed: list[ParsedFile], folder: Path, problems: list[Diagnostic]) -> Book | None:
    found = [
        (node(item.items[0]), file)
        for file in parsed
        for item in file.items
        if node(item.items[0]).kind == "ruleset"
    ]
    if not found:
        if parsed and not problems:
            source = parsed[0].source
            problems.append(report("E0130", Span(source, 0, 0), language=parsed[0].language))
        return None
    header, file = found[0]
    for other, other_file in found[1:]:
        problems.append(
            report("E0131", other.span, Label(header.span, "the first header"), language=other_file.language)
        )
    extends = tuple(leaf(item) for item in node(header.items[3]).items) if header.items[3] else ()
    return Book(
        name=normal(leaf(header.items[0]).text),
        title=text_of(header.items[1]) or leaf(header.items[0]).text,
        edition=text_of(header.items[2]),
        language=file.language,
        extends=extends,
        span=header.span,
        folder=folder,
    )


def normal(name: str) -> str:
    """Names of rulesets and scenarios are the same with hyphens and with underscores."""
    return name.replace("_", "-")


def _add(book: Book, item: Node, language: str) -> None:
    match item.kind:
        case "players":
            for seat in item.items:
                _add_seat(book, node(seat), language)
        case "rule":
            book.rules.append(_rule(book, item, language))
        case "example":
            _add_example(book, item, language)
        case "option_line":
            option = node(item.items[0])
            name = leaf(option.items[0]).text
            block = RuleBlock(
                f"option {name}", text_of(option.items[1]), "", book.name, language, option.span, None
            )
            block.declarations.append(Declaration("option", name, option, block))
            book.rules.append(block)


def _add_seat(book: Book, item: Node, language: str) -> None:
    name_item, title, automated = item.items
    name = leaf(name_item)
    for other in book.seats:
        if other.name == name.text:
            place = Label(other.span, "the first one")
            book.problems.append(report("E0206", name.span, place, language=language, name=name.text))
            return
    book.seats.append(Seat(name.text, text_of(title) or name.text, automated is not None, name.span))


def _rule(book: Book, item: Node, language: str) -> RuleBlock:
    number, title, amendment, *declarations = item.items
    block = RuleBlock(
        id=leaf(number).text,
        title=text_of(title),
        text="",
        ruleset=book.name,
        language=language,
        span=leaf(number).span,
        amendment=_amendment(amendment),
        node=item,
    )
    for entry in declarations:
        declared = node(entry)
        if declared.kind == "rule_text":
            block.text = " ".join(filter(None, [block.text, text_of(declared.items[0])]))
        elif declared.kind == "example":
            _add_example(book, declared, language, block)
        else:
            block.declarations.append(Declaration(declared.kind, _name(declared), declared, block))
    return block


def _amendment(item: Item) -> Amendment | None:
    if item is None:
        return None
    verb, targets, after, condition = node(item).items
    return Amendment(
        leaf(node(verb).items[0]).text,
        tuple(leaf(entry) for entry in node(targets).items),
        tuple(leaf(entry) for entry in node(after).items) if after else (),
        condition,
    )


def _name(declared: Node) -> str:
    """What a declaration is known by when it is amended."""
    first = declared.items[0] if declared.items else None
    match declared.kind:
        case "pile":
            return leaf(declared.items[1]).text
        case "attach":
            moment, phase = declared.items[0], declared.items[1]
            return f"{leaf(node(moment).items[0]).text} {leaf(phase).text}"
        case "setup" | "score" | "status" | "measure":
            return declared.kind
        case _:
            return first.text if isinstance(first, Leaf) else declared.kind


def _add_example(book: Book, item: Node, language: str, block: RuleBlock | None = None) -> None:
    title, refs, *_ = item.items
    rules = tuple(leaf(entry) for entry in node(refs).items) if refs else ()
    if not rules and block is not None:
        rules = (Leaf("RULE_ID", block.id, block.span),)
    book.examples.append(ExampleBlock(text_of(title), rules, item, book.name, language))


def _check_numbers(book: Book) -> None:
    seen: dict[str, RuleBlock] = {}
    for block in book.rules:
        if block.node is None:
            continue  # an option that stands by itself has no number
        first = seen.setdefault(block.id, block)
        if first is not block:
            book.problems.append(
                report(
                    "E0132",
                    block.span,
                    Label(first.span, "the first one"),
                    language=block.language,
                    rule=block.id,
                    number=block.id,
                )
            )
