"""The sequence of play as an outline: phases in phases, with the rules and actions that belong to each."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree.ElementTree import Element

from ddob_rules.book.edition import Edition
from ddob_rules.check.effects.phases import Step, read_steps
from ddob_rules.pages.elements import Content, element
from ddob_rules.syntax.nodes import rules as nodes


def outline(edition: Edition) -> Element:
    """All phases of a turn, with the edits of overlays."""
    steps = [step for step in read_steps(edition.merged, edition.checked.words) if not step.called]
    return _list(edition, steps)


def _list(edition: Edition, steps: Sequence[Step]) -> Element:
    return element("ol", [_step(edition, step) for step in steps], class_="outline")


def _step(edition: Edition, step: Step) -> Element:
    words, name = edition.words, step.name.text
    when: list[Content] = [
        [", ", words["when" if held.wanted else "not when"], " ", edition.inline(held.condition)]
        for held in step.conditions
    ]
    each: Content = None
    if step.each is not None:
        each = [", ", words["each"], " ", edition.plain(step.each.collection)]
    brought = step.rule.amendment is not None
    return element(
        "li",
        element("strong", edition.phase(name)),
        each,
        when,
        [" (", edition.link(step.rule.id), ")"] if brought else None,
        _belonging(edition, name),
        _list(edition, step.steps) if step.steps else None,
        class_="amended" if brought else None,
    )


def _belonging(edition: Edition, phase: str) -> Content:
    """The rules that say what happens in a phase, and the actions of players in it."""
    merged = edition.merged
    attached = [
        entry.base.rule.id
        for entry in merged.of_kind("attach")
        if entry.base.read(nodes.Attach).phase.text == phase
    ]
    numbers = sorted({number for number in attached if number in edition.numbers}, key=merged.order)
    actions = [
        entry
        for entry in merged.of_kind("action")
        if phase in [name.text for name in entry.base.read(nodes.Action).phases.names]
    ]
    found: list[Content] = []
    if numbers:
        found.append([edition.words["rules"], " ", edition.links(numbers)])
    if actions:
        titles: list[Content] = [
            [
                ", " if place else None,
                edition.link(entry.base.rule.id, edition.action(entry.base.read(nodes.Action))),
            ]
            for place, entry in enumerate(actions)
        ]
        found.append([edition.words["actions"], " ", titles])
    return (
        element("div", [["; " if place else None, part] for place, part in enumerate(found)], class_="note")
        if found
        else None
    )
