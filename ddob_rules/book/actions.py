"""What players may do: who, when, under which conditions, and what one is told who breaks them.

Conditions that an overlay drops are crossed out, and those that it adds stand among the others behind a bar.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from xml.etree.ElementTree import Element

from ddob_rules.book.edition import Edition
from ddob_rules.pages.elements import Content, element
from ddob_rules.stack.book import text_of
from ddob_rules.stack.overlay import Version
from ddob_rules.syntax.nodes import rules as nodes

_Line = tuple[nodes.ActionItem, Version | None]


def action(edition: Edition, node: nodes.Action, edits: Iterable[Version]) -> Content:
    """An action with its lines; `edits` are what overlays add to it."""
    phases = ", ".join(edition.phase(phase.text) for phase in node.phases.names)
    first, _, rest = edition.words["action"].partition("{title}")
    about = rest.format(actor=node.actor.text, phases=phases)
    lines: list[_Line] = [(line, None) for line in node.body.lines]
    for edit in edits:
        added = edit.declaration.node if edit.declaration is not None else None
        lines += [(line, edit) for line in (added.body.lines if isinstance(added, nodes.ActionAlso) else ())]
    return [
        element("p", first, element("strong", edition.action(node)), about),
        element("p", edition.inline(node.parameters)) if node.parameters is not None else None,
        element("ul", list(_items(edition, lines))),
    ]


def _items(edition: Edition, lines: list[_Line]) -> Iterator[Element]:
    """The conditions first, then what happens."""
    dropped = {
        tuple(number.text for number in line.refs.numbers): edit
        for line, edit in lines
        if isinstance(line, nodes.ActionWithout)
    }
    for line, edit in sorted(lines, key=lambda pair: isinstance(pair[0], nodes.ActionDo)):
        content = _content(edition, line)
        taker = dropped.get(_cited(line)) if edit is None else None
        if content is None:
            continue
        if taker is not None:
            content = element("del", content)
        changed = edit or taker
        note = edition.provenance(changed) if changed is not None else None
        yield element("li", content, note, class_="amended" if changed is not None else None)


def _cited(line: nodes.ActionItem) -> tuple[str, ...]:
    """The rules that a condition cites, by which it can be dropped."""
    reason = line.reason if isinstance(line, nodes.MustHold) else None
    return tuple(number.text for number in reason.refs.numbers) if reason is not None and reason.refs else ()


def _content(edition: Edition, line: nodes.ActionItem) -> Content:
    words = edition.words
    match line:
        case nodes.MustHold():
            return [words["only if"], " ", edition.inline(line.condition), _reason(edition, line.reason)]
        case nodes.ActionCost():
            amount: Content = [edition.inline(line.amount), " (", edition.inline(line.source), ")"]
            return [words["cost"], " ", amount, _reason(edition, line.reason)]
        case nodes.ActionLimit():
            return edition.inline(line)
        case nodes.ActionDo():
            return [words["effect"], [edition.code(statement) for statement in line.block.statements]]
        case nodes.ActionLabel() | nodes.ActionStarted() | nodes.ActionWithout():
            return None


def _reason(edition: Edition, reason: nodes.Reason | None) -> Content:
    if reason is None:
        return None
    numbers = [number.text for number in reason.refs.numbers] if reason.refs is not None else []
    said = f"“{edition.text(text_of(reason.text))}”"
    cited: Content = [" (", edition.links(numbers), ")"] if numbers else None
    return element("span", ", ", edition.words["else"], " ", said, cited, class_="reason")
