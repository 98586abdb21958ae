"""From a checked stack to its book: one HTML file with contents, rules, examples of play and an index."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from ddob_rules.book.declarations import Declarations
from ddob_rules.book.edition import Edition, anchor
from ddob_rules.book.plays import Plays
from ddob_rules.book.terms import terms
from ddob_rules.check.program import Checked
from ddob_rules.pages.elements import Content, element, page
from ddob_rules.stack.book import RuleBlock
from interpreter import ir


def book_page(
    checked: Checked,
    program: ir.Program,
    language: str = "",
    overlays: tuple[str, ...] = (),
    *,
    brought: bool = False,
) -> str:
    """The whole file; `overlays` are laid over the ruleset, `brought` says that a scenario has rules."""
    edition = Edition(checked, program, language)
    declarations = Declarations(edition)
    plays = Plays(edition, overlays, brought=brought)
    words = edition.words
    rest = plays.of("", "h3")
    index = terms(edition)
    body: list[Content] = [
        element("header", _cover(edition), class_="cover"),
        element(
            "nav",
            element("h2", words["contents"]),
            _contents(edition, rest, index),
            class_="contents",
            aria_label=words["contents"],
        ),
        element(
            "main",
            [_rule(edition, declarations, plays, block) for block in edition.rules],
            _options(edition, declarations),
            _part("examples", words["examples"], rest) if rest else None,
            _part("terms", words["terms"], [element("p", words["terms note"], class_="note"), index])
            if index is not None
            else None,
        ),
    ]
    return page(_title(edition), edition.language, body)


def _title(edition: Edition) -> str:
    program = edition.program
    return edition.texts.get("ruleset title", program.title)


def _cover(edition: Edition) -> list[Content]:
    program, words = edition.program, edition.words
    below = [book.title for book in edition.checked.books]
    players = [
        element(
            "li",
            edition.texts.get(f"player {one.name}", one.title),
            f" ({words['automated']})" if one.automated else None,
        )
        for one in program.players
    ]
    return [
        element("h1", _title(edition)),
        element("p", words["edition"].format(edition=program.edition), class_="note")
        if program.edition
        else None,
        element("p", words["stack"].format(names=" + ".join(below)), class_="note")
        if len(below) > 1
        else None,
        [element("p", element("strong", words["players"])), element("ul", players)] if players else None,
    ]


def _contents(edition: Edition, rest: list[Element], index: Element | None) -> Element:
    words = edition.words
    entries = [
        element(
            "li",
            edition.link(block.id, element("span", block.id, class_="number"), " ", edition.title(block)),
            class_="part" if _is_chapter(block.id) else None,
        )
        for block in edition.rules
    ]
    if rest:
        entries.append(element("li", element("a", words["examples"], href="#examples"), class_="part"))
    if index is not None:
        entries.append(element("li", element("a", words["terms"], href="#terms"), class_="part"))
    return element("ul", entries)


def _is_chapter(number: str) -> bool:
    return "." not in number and "-" not in number


def _rule(edition: Edition, declarations: Declarations, plays: Plays, block: RuleBlock) -> Element:
    sentence = edition.sentence(block)
    translated = f"rule {block.id} text" in edition.texts
    language = block.language if not translated and block.language != edition.language else None
    heading = "h2" if _is_chapter(block.id) else "h3"
    return element(
        "section",
        element(
            heading,
            element("span", block.id, class_="number"),
            " ",
            edition.title(block),
            id=anchor(block.id),
        ),
        _amending(edition, block),
        element("p", sentence, class_="sentence", lang=language) if sentence else None,
        _see(edition, block),
        [
            _amended(edition, other)
            for other in edition.merged.amended.get(block.id, [])
            if other.id in edition.numbers
        ],
        declarations.of(block),
        plays.of(block.id, "h3" if heading == "h2" else "h4"),
        class_="rule amended" if block.amendment is not None else "rule",
    )


def _amending(edition: Edition, block: RuleBlock) -> Content:
    """What a rule of an overlay is for."""
    if block.amendment is None:
        return None
    verb = {"amends": "amending", "replaces": "replacing", "removes": "removing"}[block.amendment.verb]
    numbers = [target.text for target in block.amendment.targets]
    return edition.told(verb, edition.links(numbers), block.ruleset, block.amendment.condition)


def _amended(edition: Edition, other: RuleBlock) -> Element:
    """What an overlay says of a rule, in the words of its own rule."""
    assert other.amendment is not None
    link = edition.link(other.id, f"{other.id} {edition.title(other)}")
    told = edition.told(other.amendment.verb, link, other.ruleset, other.amendment.condition)
    sentence = edition.sentence(other)
    return element("div", told, element("p", sentence) if sentence else None, class_="amended")


def _see(edition: Edition, block: RuleBlock) -> Content:
    if not block.see:
        return None
    first, _, last = edition.words["see"].partition("{rules}")
    return element("p", first, edition.links([number.text for number in block.see]), last, class_="note")


def _options(edition: Edition, declarations: Declarations) -> Content:
    """Options that stand by themselves have no number."""
    blocks = [block for book in edition.checked.books for block in book.rules if block.node is None]
    if not blocks:
        return None
    return _part("options", edition.words["options"], [declarations.of(block) for block in blocks])


def _part(ident: str, title: str, content: Content) -> Element:
    return element("section", element("h2", title, id=ident), content)
