"""The tree with types: a class for each node of the grammar, its parts in fields that say what they are."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError

import pytest

from ddob_rules.syntax.nodes import Leaf, Node, kinds
from ddob_rules.syntax.nodes.expressions import Bound, Name, Number, Some
from ddob_rules.syntax.nodes.rules import Define, Prefer, Priority, Rule, Start, TieChance
from ddob_rules.syntax.parse import parse_expression, parse_file
from ddob_rules.syntax.source import Source
from tests.grammar import nodes_of_the_grammar


def declared(text: str) -> object:
    (item,) = parse_file(Source("a.rules", f"rule 1:\n  {text}\n")).items
    match item:
        case Start(item=Rule(number=number, declarations=(declaration,))):
            assert number.text == "1"
            return declaration
    raise AssertionError(item)


def test_every_node_of_the_grammar_has_a_class() -> None:
    assert kinds() == nodes_of_the_grammar()


def test_parts_have_names() -> None:
    match declared("define x: number = 3"):
        case Define(name=name, parameters=None, value=Number(digits=digits), fixed_at=None):
            assert (name.text, digits.text) == ("x", "3")
        case other:
            raise AssertionError(other)


def test_a_row_of_parts_may_stand_between_others() -> None:
    match declared("priority p for e: unit:\n    prefer e.a\n    prefer e.b\n    otherwise at random"):
        case Priority(item=item, criteria=(Prefer(), Prefer()), tie=TieChance()):
            assert item.text == "e"
        case other:
            raise AssertionError(other)


def test_what_was_left_out_is_none() -> None:
    text = "some x in s"
    found, problems = parse_expression(Source("a.rules", text), 0, len(text), "en")
    assert problems == []
    match found:
        case Some(binding=Bound(name=name, collection=Name(), condition=None)):
            assert name.span.text == "x"
        case other:
            raise AssertionError(other)


def test_children_stand_in_the_order_of_the_text() -> None:
    found = declared("priority p for e: unit:\n    prefer e.a\n    prefer e.b\n    otherwise at random")
    assert isinstance(found, Priority)
    row = [found.name, None, found.item, found.type, *found.criteria, found.tie]
    assert len(found.criteria) == 2 and found.children() == row


def test_a_walk_meets_every_part_once_in_the_order_of_the_text() -> None:
    found = declared("define x(a: number): number = a + 3")
    assert isinstance(found, Node)
    leaves = [part.text for part in found.walk() if isinstance(part, Leaf)]
    assert leaves == ["x", "a", "number", "number", "a", "+", "3"]


def test_nobody_changes_a_node_and_a_copy_of_it_is_whole() -> None:
    found = declared("define x: number = 3")
    assert isinstance(found, Define)
    with pytest.raises(FrozenInstanceError):
        found.name = found.name  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del found.span
    copied = pickle.loads(pickle.dumps(found))
    assert copied == found and copied.span == found.span
