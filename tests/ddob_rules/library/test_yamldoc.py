"""Reading YAML into a tree with places, and refusing what a data file has no need of."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ddob_rules.library.yamldoc import (
    DEEPEST,
    MOST_NODES,
    MappingNode,
    Node,
    Plain,
    ScalarNode,
    SequenceNode,
    plain_value,
    read_yaml,
)
from ddob_rules.reports.diagnostics import Diagnostic
from ddob_rules.syntax.source import Source


def read(text: str) -> tuple[Node | None, list[Diagnostic]]:
    return read_yaml(Source("data.yaml", text))


def value(text: str) -> Plain:
    node, diagnostics = read(text)
    assert diagnostics == [] and node is not None
    return plain_value(node)


def only(text: str) -> Diagnostic:
    _, diagnostics = read(text)
    assert len(diagnostics) == 1
    return diagnostics[0]


def test_mappings_lists_and_scalars_become_plain_values() -> None:
    text = "a: 1\nb: [x, 2.5, true, null]\nc: {d: '3'}\n"
    assert value(text) == {"a": 1, "b": ["x", 2.5, True, None], "c": {"d": "3"}}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0812", "0812"),
        ("-07", "-07"),
        ("0", 0),
        ("+5", 5),
        ("0x1F", 31),
        ("no", "no"),
        ("off", "off"),
        ("yes", "yes"),
        ("1944-06-06", "1944-06-06"),
        ("1_000", "1_000"),
        ("12:30", "12:30"),
        ("~", None),
        ('"5"', "5"),
        ("1e3", 1000.0),
    ],
)
def test_scalars_follow_the_core_rules_and_keep_leading_zeros(text: str, expected: object) -> None:
    assert value(f"a: {text}") == {"a": expected}


def test_a_number_of_thousands_of_digits_stays_a_large_number() -> None:
    data = value("a: " + "9" * 10_000)
    assert isinstance(data, dict) and isinstance(data["a"], int) and data["a"] > 10**12


def test_a_scalar_keeps_the_text_as_written() -> None:
    node, _ = read("at: 0812\nid: no\n")
    assert isinstance(node, MappingNode)
    assert node.get("at") == ScalarNode(span=node.entries["at"].value.span, text="0812")
    assert [entry.value.span.text for entry in node.entries.values()] == ["0812", "no"]


def test_spans_count_characters_not_bytes() -> None:
    node, _ = read("é: [ü, xy]\n")
    assert isinstance(node, MappingNode)
    items = node.entries["é"].value
    assert isinstance(items, SequenceNode)
    assert [(item.span.line, item.span.column, item.span.text) for item in items.items] == [
        (1, 5, "ü"),
        (1, 8, "xy"),
    ]


def test_a_block_ends_with_its_last_value() -> None:
    node, _ = read("a:\n  b: 1\n\n# remark\nc: 2\n")
    assert isinstance(node, MappingNode)
    assert node.entries["a"].value.span.text == "b: 1"


def test_a_key_given_twice_shows_both_places_and_keeps_the_first() -> None:
    node, diagnostics = read("a: 1\nb: 2\na: 3\n")
    assert node is not None and plain_value(node) == {"a": 1, "b": 2}
    assert [item.code for item in diagnostics] == ["E0607"]
    assert [label.span.line for label in diagnostics[0].spans] == [3, 1]


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ("", "E0601", 1, 1),
        ("# remark\n", "E0601", 1, 1),
        ("a: 1\n - b\n c: 2\n", "E0606", 3, 3),
        ("- a\nb: 1\n", "E0602", 2, 1),
        ("a: ]\n", "E0602", 1, 4),
        ("a: [1, 2\nb: 3\n", "E0603", 2, 2),
        ("a: {b: 1\n", "E0603", 2, 1),
        ("a: 1\nb: 'xx\n", "E0604", 2, 4),
        ("a:\n\t- b\n", "E0605", 2, 1),
        ("a: `b`\n", "E0605", 1, 4),
        ("a: b\x07c\n", "E0605", 1, 5),
        ('a: "\\ud800"\n', "E0605", 1, 7),
        ("a: b: c\n", "E0606", 1, 5),
        ("a: &x 1\nb: 2\n", "E0608", 1, 4),
        ("a: *x\n", "E0608", 1, 4),
        ("a: &\n", "E0608", 1, 4),
        ("a: !!python/object x\n", "E0608", 1, 4),
        ("%YAML 1.1\n---\na: 1\n", "E0608", 1, 1),
        ("a: 1\n---\nb: 2\n", "E0610", 2, 1),
        ("? [a]\n: 1\n", "E0611", 1, 3),
    ],
)
def test_what_cannot_be_read_is_told_in_one_diagnostic(text: str, code: str, line: int, column: int) -> None:
    diagnostic = only(text)
    assert (diagnostic.code, diagnostic.spans[0].span.line) == (code, line)
    assert diagnostic.spans[0].span.column == column


def test_an_alias_bomb_is_refused_at_its_first_anchor() -> None:
    lines = ["a: &a [x, x]"] + [f"{name}: &{name} [*a, *a]" for name in "bcdef"]
    assert only("\n".join(lines)).code == "E0608"


def test_depth_is_bounded() -> None:
    assert read("[" * DEEPEST + "]" * DEEPEST)[1] == []
    for levels in (DEEPEST + 1, 100_000):
        diagnostic = only("[" * levels + "]" * levels)
        assert (diagnostic.code, diagnostic.argument("what")) == ("E0609", "levels")


def test_the_number_of_values_is_bounded() -> None:
    diagnostic = only("- a\n" * (MOST_NODES + 1))
    assert (diagnostic.code, diagnostic.argument("what")) == ("E0609", "values")


def test_messages_follow_the_language() -> None:
    _, diagnostics = read_yaml(Source("data.yaml", "a: 1\na: 2\n"), language="fr")
    assert diagnostics[0].message == "`a` est donné deux fois"


@given(st.text(alphabet=st.sampled_from("ab:-[]{}\"'#&*!|>%@`~?,. \t\n0é\\x"), max_size=60))
def test_no_text_makes_the_reader_fail(text: str) -> None:
    node, diagnostics = read(text)
    assert node is not None or diagnostics
    for diagnostic in diagnostics:
        span = diagnostic.spans[0].span
        assert 0 <= span.start <= span.end <= len(text)
