"""From a sequence of play to its phases in a line, and to those that stand elsewhere in another such line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from ddob_rules.diff_sections import Section
from ddob_rules.tree import Item, Node, leaf, node


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    """`before` is the phase it follows in the text, or that it is in; empty for the first."""

    name: str
    inside: str
    before: str
    sections: tuple[Section, ...]
    node: Node


def phases(sequence: Node) -> list[Phase]:
    """Every phase of a sequence, phases inside others right after those."""
    return list(_phases(sequence.items[1:], ""))


def _phases(items: Sequence[Item], inside: str) -> Iterator[Phase]:
    before = ""
    for item in items:
        if not isinstance(item, Node) or item.kind != "phase":
            continue
        name, _, each, condition, body = item.items
        inner = node(body).items if node(body).kind == "phase_items" else ()
        effects = tuple(part for part in inner if node(part).kind != "phase")
        text = leaf(name).text
        yield Phase(
            name=text,
            inside=inside,
            before=before,
            sections=(
                Section(noun="repetition", name=text, trees=(each,)),
                Section(noun="condition of phase", name=text, trees=(condition,)),
                Section(noun="effect of phase", name=text, trees=effects, listed=True),
            ),
            node=item,
        )
        yield from _phases(inner, text)
        before = text


def moved(old: Sequence[Phase], new: Sequence[Phase]) -> list[Phase]:
    """The phases of both that come in another order or place now, as few as possible."""
    common = {phase.name for phase in old} & {phase.name for phase in new}
    first = [(phase.inside, phase.name) for phase in old if phase.name in common]
    second = [(phase.inside, phase.name) for phase in new if phase.name in common]
    matcher = SequenceMatcher(None, first, second, autojunk=False)
    kept = {
        second[block.b + offset] for block in matcher.get_matching_blocks() for offset in range(block.size)
    }
    return [phase for phase in new if phase.name in common and (phase.inside, phase.name) not in kept]
