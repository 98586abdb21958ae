"""The examples as examples of play: what is given, what is done, what must follow, and a small map."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from ddob_rules.book.edition import Edition
from ddob_rules.book.maps import Atlas
from ddob_rules.examples import arranged
from ddob_rules.library.finding import find_scenario
from ddob_rules.pages.elements import Content, element
from ddob_rules.reports.diagnostics import fill
from ddob_rules.stack.book import ExampleBlock, text_of
from ddob_rules.syntax.nodes import Leaf, Node
from ddob_rules.syntax.nodes import rules as nodes
from ddob_rules.syntax.nodes.effects import Block


class Plays:
    """The examples of a book that overlays leave standing, by the first rule in force that they are of."""

    def __init__(self, edition: Edition, overlays: tuple[str, ...], *, brought: bool) -> None:
        self.edition = edition
        self.figures = self._figures(overlays, brought)
        self.by_rule: dict[str, list[ExampleBlock]] = {}
        self._titles: dict[str, str] = {}
        changed = edition.merged.changed_examples
        for book in edition.checked.books:
            for block in book.examples:
                taken = changed.get(block.title)
                if taken is None or taken.rule.ruleset == book.name:
                    home = next((rule.text for rule in block.rules if rule.text in edition.numbers), "")
                    self.by_rule.setdefault(home, []).append(block)

    def _figures(self, overlays: tuple[str, ...], brought: bool) -> dict[int, Element]:
        edition = self.edition
        atlas, found = Atlas(edition.words), {}
        for block, state in arranged(edition.checked, overlays, brought=brought, texts=edition.texts):
            figure = atlas.figure(state, _named(block.node))
            if figure is not None:
                found[id(block)] = figure
        return found

    def of(self, number: str, heading: str) -> list[Element]:
        """The examples that stand with a rule; those of no rule in force stand with none."""
        return [self._example(block, heading) for block in self.by_rule.get(number, [])]

    def _example(self, block: ExampleBlock, heading: str) -> Element:
        edition = self.edition
        also = [rule.text for rule in block.rules if rule.text in edition.numbers]
        cited: Content = [" (", edition.links(also), ")"] if len(also) > 1 else None
        own = block.language if block.language != edition.language else None
        return element(
            "section",
            element(
                heading,
                element("span", f"{edition.words['example']} ", class_="kind"),
                element("span", block.title, lang=own),
                cited,
            ),
            list(self._parts(block)),
            class_="example",
        )

    def _parts(self, block: ExampleBlock) -> Iterator[Content]:
        edition, words = self.edition, self.edition.words
        figure: Element | None = self.figures.get(id(block))
        expected: list[Element] = []
        doing = False
        for part in block.node.parts:
            if isinstance(part, nodes.Given | nodes.ExampleWhen | nodes.ExampleWhenLine) and expected:
                yield [_step(words["expect"]), element("ul", expected)]
                expected, doing = [], False
            match part:
                case nodes.Given():
                    yield [
                        _step(words["given"], words["colon"], self._setting(part)),
                        self._block(part.body.block),
                        figure,
                    ]
                    figure = None
                case nodes.ExampleWhen():
                    yield [_step(words["do"]) if not doing else None, self._block(part.block)]
                    doing = True
                case nodes.ExampleWhenLine():
                    yield [_step(words["do"]) if not doing else None, edition.code(part.statement)]
                    doing = True
                case _:
                    expected.append(element("li", self._expected(part)))
        if expected:
            yield [_step(words["expect"]), element("ul", expected)]

    def _setting(self, given: nodes.Given) -> str:
        words, name = self.edition.words, given.scenario
        word = text_of(name) if name.terminal == "STRING" else name.text
        parts = [
            self._title(word),
            fill(words["for players"], {"count": given.players.text}) if given.players is not None else "",
            words["turn"].format(turn=given.turn.text) if given.turn is not None else "",
            words["with"].format(options=", ".join(one.text for one in given.options.names))
            if given.options
            else "",
            words["seed"].format(seed=given.seed.text) if given.seed is not None else "",
        ]
        return ", ".join(filter(None, parts))

    def _title(self, scenario: str) -> str:
        """Looked for once: there are many examples of a scenario, and perhaps many folders to look into."""
        if scenario not in self._titles:
            entry = find_scenario(scenario)
            known = entry.title if entry is not None else scenario
            self._titles[scenario] = self.edition.texts.get(f"scenario {scenario}", known)
        return self._titles[scenario]

    def _block(self, block: Block | None) -> Content:
        return [self.edition.code(statement) for statement in block.statements] if block is not None else None

    def _expected(
        self, part: nodes.Expect | nodes.ExpectNothingElse | nodes.ExpectOffered | nodes.ExpectNotOffered
    ) -> Content:
        edition, words = self.edition, self.edition.words
        match part:
            case nodes.Expect():
                return [edition.inline(part.condition), self._because(part.because)]
            case nodes.ExpectNothingElse():
                return words["nothing else"]
            case nodes.ExpectOffered() | nodes.ExpectNotOffered():
                by: Content = (
                    [" ", words["by"], " ", edition.inline(part.player)] if part.player is not None else None
                )
                told = "offered" if isinstance(part, nodes.ExpectOffered) else "not offered"
                because = part.because if isinstance(part, nodes.ExpectNotOffered) else None
                return [edition.inline(part.call), by, " ", words[told], self._because(because)]

    def _because(self, reason: Leaf | None) -> Content:
        if reason is None:
            return None
        return [", ", self.edition.words["because"], " “", self.edition.text(text_of(reason)), "”"]


def _step(*content: Content) -> Element:
    first, *rest = content
    return element("p", element("strong", first), rest, class_="step")


def _named(node: Node) -> set[str]:
    """The ids that an example may speak of: its words, numbers and texts."""
    leaves = (part for part in node.walk() if isinstance(part, Leaf))
    return {leaf.text.strip('"') for leaf in leaves}
