"""A ruleset as it stands in its files: the header, the rules with their declarations, and the examples.

This stage gathers the parsed files of one folder into a `Book` and checks what belongs to numbering: one
header, no rule number twice, every declaration in a rule. Other rulesets are not looked at here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from ddob_rules.reports.diagnostics import Diagnostic, Label, report
from ddob_rules.resources import is_inside, shown_path
from ddob_rules.syntax.nodes import Item, Leaf, Node, overlay
from ddob_rules.syntax.nodes import rules as nodes
from ddob_rules.syntax.nodes.expressions import Expression
from ddob_rules.syntax.parse import ParsedFile, item_stretches, parse_file
from ddob_rules.syntax.parser import Parser
from ddob_rules.syntax.source import Source, Span, read_source, whole_file
from ddob_rules.syntax.words import languages, words

Kind = TypeVar("Kind", bound=Node)

#: What an unnamed declaration is known by: its kind and what it hangs on.
NAMED = {
    "enum", "piece", "card", "record", "space", "edge", "pile", "dice", "variable", "value", "define", "way",
    "table", "chart", "priority", "sequence", "called_phase", "action", "procedure", "trigger", "victory",
    "option",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Declaration:
    kind: str
    name: str
    node: Node
    rule: RuleBlock

    def read(self, kind: type[Kind]) -> Kind:
        """The node, which is of the class that goes with the kind."""
        assert isinstance(self.node, kind), self.kind
        return self.node

    @property
    def span(self) -> Span:
        """The place of its name, or of the whole declaration."""
        own = (part for part in self.node.children() if isinstance(part, Leaf) and part.terminal == "NAME")
        return next(own, self.node).span


@dataclass(frozen=True, slots=True)
class Amendment:
    verb: str  # amends, replaces, removes
    targets: tuple[Leaf, ...]
    after: tuple[Leaf, ...]
    condition: Expression | None


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
    node: nodes.Rule | None = None

    @property
    def see(self) -> tuple[Leaf, ...]:
        """The rules where its mechanism stands, if that is elsewhere."""
        see = self.node.see if self.node is not None else None
        return tuple(reference.rule for reference in see.references) if see is not None else ()


@dataclass(frozen=True, slots=True)
class ExampleBlock:
    title: str
    rules: tuple[Leaf, ...]
    node: nodes.Example
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
    outline: bool = False  # 6.2 before 6.10
    seats: list[Seat] = field(default_factory=list)
    number: nodes.PlayerRange | None = None  # how many of the seats take part, if not always all
    rules: list[RuleBlock] = field(default_factory=list)
    examples: list[ExampleBlock] = field(default_factory=list)
    files: list[Source] = field(default_factory=list)
    problems: list[Diagnostic] = field(default_factory=list)
    unread: set[str] = field(default_factory=set)  # the words of what could not be read


def text_of(item: Item) -> str:
    """The text between the quotes, with its escapes undone."""
    if item is None:
        return ""
    assert isinstance(item, Leaf)
    raw = item.text[1:-1]
    return raw.replace('\\"', '"').replace("\\\\", "\\")


def ruleset_files(folder: Path) -> list[Path]:
    """The rule files of a ruleset folder, in a fixed order; the examples' folder included."""
    return [*sorted(folder.glob("*.rules")), *sorted((folder / "examples").glob("*.rules"))]


@lru_cache(maxsize=500)
def header_of(source: Source) -> nodes.Ruleset | None:
    """The header of a file that has one; no other rule of it is read."""
    beginnings = {
        word: language for language in languages() for word in words(language).spellings["_RULESET"]
    }
    for start, end in item_stretches(source):
        text = source.text[start:end]
        language = beginnings.get(text.split(maxsplit=1)[0])
        if language is not None:
            tree = Parser(Source(source.path, text), 0, len(text), words(language), "start").run()
            return (
                tree.item if isinstance(tree, nodes.Start) and isinstance(tree.item, nodes.Ruleset) else None
            )
    return None


def read_book(paths: Iterable[Path], folder: Path) -> tuple[Book | None, list[Diagnostic]]:
    """Reads the files of one ruleset."""
    sources, problems = read_sources(paths, folder)
    return book_from_sources(sources, folder, problems)


def read_sources(paths: Iterable[Path], folder: Path) -> tuple[list[Source], list[Diagnostic]]:
    """The texts of the files of a ruleset, and what is wrong with reading them."""
    problems: list[Diagnostic] = []
    sources: list[Source] = []
    for path in paths:
        if not is_inside(path, folder):
            # A link; what it leads to may be anything, and diagnostics would show lines of it.
            problems.append(report("E0646", whole_file(shown_path(path)), path=path.name))
            continue
        source, found = read_source(path, shown_path(path))
        problems.extend(found)
        if source is not None:
            sources.append(source)
    return sources, problems


def book_from_sources(
    sources: Iterable[Source],
    folder: Path,
    before: Iterable[Diagnostic] = (),
    parse: Callable[[Source], ParsedFile] = parse_file,
) -> tuple[Book | None, list[Diagnostic]]:
    """Gathers texts that are already in memory; `before` is what was wrong with reading them."""
    problems = list(before)
    parsed = [parse(source) for source in sources]
    for file in parsed:
        problems.extend(file.problems)
    book = _header(parsed, folder, problems)
    if book is None:
        return None, problems
    for file in parsed:
        book.files.append(file.source)
        book.unread |= file.unread
        for item in file.items:
            _add(book, item.item, file.language)
    _check_numbers(book)
    book.problems = problems + book.problems
    return book, book.problems


def _header(parsed: list[ParsedFile], folder: Path, problems: list[Diagnostic]) -> Book | None:
    found = [
        (item.item, file) for file in parsed for item in file.items if isinstance(item.item, nodes.Ruleset)
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
    return Book(
        name=normal(header.name.text),
        title=text_of(header.title) or header.name.text,
        edition=text_of(header.edition),
        language=file.language,
        extends=header.extends.names if header.extends is not None else (),
        span=header.span,
        folder=folder,
        outline=header.numbering is not None,
    )


def normal(name: str) -> str:
    """Names of rulesets and scenarios are the same with hyphens and with underscores."""
    return name.replace("_", "-")


def _add(book: Book, item: nodes.TopLevel, language: str) -> None:
    match item:
        case nodes.Ruleset():
            pass  # read before
        case nodes.Players():
            book.number = item.number or book.number
            for seat in item.seats:
                _add_seat(book, seat, language)
        case nodes.Rule():
            book.rules.append(_rule(book, item, language))
        case nodes.Example():
            _add_example(book, item, language)
        case nodes.OptionLine(option=option):
            name, title = option.name.text, text_of(option.title)
            block = RuleBlock(f"option {name}", title, "", book.name, language, option.span, None)
            block.declarations.append(Declaration("option", name, option, block))
            book.rules.append(block)


def _add_seat(book: Book, item: nodes.Seat, language: str) -> None:
    name = item.name
    for other in book.seats:
        if other.name == name.text:
            place = Label(other.span, "the first one")
            book.problems.append(report("E0206", name.span, place, language=language, name=name.text))
            return
    title = text_of(item.title) or name.text
    book.seats.append(Seat(name.text, title, item.automated is not None, name.span))


def _rule(book: Book, item: nodes.Rule, language: str) -> RuleBlock:
    block = RuleBlock(
        id=item.number.text,
        title=text_of(item.title),
        text="",
        ruleset=book.name,
        language=language,
        span=item.number.span,
        amendment=_amendment(item.amendment),
        node=item,
    )
    for declared in item.declarations:
        match declared:
            case nodes.RuleText():
                block.text = " ".join(filter(None, [block.text, text_of(declared.text)]))
            case nodes.Example():
                _add_example(book, declared, language, block)
            case _:
                for one in nodes.singly(declared):
                    block.declarations.append(Declaration(one.kind, _name(one), one, block))
    return block


def _amendment(item: overlay.Amendment | None) -> Amendment | None:
    if item is None:
        return None
    after = item.after.numbers if item.after is not None else ()
    return Amendment(item.verb.word.text, item.rules.numbers, after, item.condition)


def _name(declared: nodes.Declaration) -> str:
    """What a declaration is known by when it is amended."""
    match declared:
        case nodes.Attach():
            return f"{declared.moment.word.text} {declared.phase.text}"
        case (
            nodes.Setup() | nodes.Score() | nodes.Status() | nodes.Measure() | nodes.TodoLine()
            | nodes.RuleText() | nodes.Example() | overlay.RemoveExample()
        ):  # fmt: skip
            return declared.kind
        case overlay.TableEdit():
            return declared.table.text
        case overlay.InsertPhase():
            return declared.kind
        case _:
            return declared.name.text


def _add_example(book: Book, item: nodes.Example, language: str, block: RuleBlock | None = None) -> None:
    numbers = item.rules.numbers if item.rules is not None else ()
    if not numbers and block is not None:
        numbers = (Leaf("RULE_ID", block.id, block.span),)
    book.examples.append(ExampleBlock(text_of(item.title), numbers, item, book.name, language))


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
