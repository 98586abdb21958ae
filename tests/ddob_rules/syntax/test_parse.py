"""Reading rules files: words, layout, and that mistakes give diagnostics and nothing worse."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lark import Lark, Token
from lark.exceptions import GrammarError
from lark.lexer import Lexer

from ddob_rules.reports.explain import explain
from ddob_rules.resources import rulesets_folder
from ddob_rules.syntax import grammar
from ddob_rules.syntax.format import format_source
from ddob_rules.syntax.layout import MAXIMUM_LINE_TOKENS
from ddob_rules.syntax.nodes import Leaf, Node
from ddob_rules.syntax.nodes.expressions import Group, Negation
from ddob_rules.syntax.nodes.tables import Cell
from ddob_rules.syntax.parse import ParsedFile, item_starts, parse_expression, parse_file
from ddob_rules.syntax.source import Source, source_from_bytes
from ddob_rules.syntax.translate import translate_source
from ddob_rules.syntax.words import PUNCTUATION, languages, words
from tests.grammar import nodes_of_the_grammar
from tests.places import CASES
from tests.rules import check_text

FOLDER = CASES / "parse"
FAILING = sorted(FOLDER.glob("E*.rules"))
EVERY_CONSTRUCT = FOLDER / "every-construct.rules"
SHIPPED = [EVERY_CONSTRUCT, *sorted(rulesets_folder().rglob("*.rules"))]
MARK = re.compile(r"### (E[0-9]{4})$")
SYNTAX_PAGES = [f"E01{number:02}" for number in range(1, 19)]
# Terminals that are no words: what the author makes up, and the layout.
NOT_WORDS = {"NAME", "BOUND_NAME", "NUMBER", "RATIO", "STRING", "RULE_ID", "_NEWLINE", "_INDENT", "_DEDENT"}


def read(text: str) -> ParsedFile:
    return parse_file(Source("a.rules", text))


def rule(*lines: str) -> str:
    return 'rule 1 "Test":\n' + "".join(f"  {line}\n" for line in lines)


def codes(parsed: ParsedFile) -> list[tuple[str, int]]:
    return [
        (problem.code, problem.primary.line) for problem in parsed.problems if problem.primary is not None
    ]


def kinds(parsed: ParsedFile) -> set[str]:
    return {part.kind for item in parsed.items for part in item.walk() if isinstance(part, Node)}


def terminals(parsed: ParsedFile, text: str) -> list[str]:
    return [token.terminal for token in parsed.tokens if token.text == text]


def expression(text: str, language: str = "en") -> Node:
    found, problems = parse_expression(Source("a.rules", text), 0, len(text), language)
    assert problems == []
    assert isinstance(found, Node)
    return found


def code_blocks(code: str) -> list[str]:
    page = explain(code)
    assert page is not None, f"{code} has no page"
    return re.findall(r"^```\w*\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)


# ------------------------------------------------------------ mistakes


@pytest.mark.parametrize("path", FAILING, ids=lambda path: str(path.stem))
def test_mistake_is_told_once_at_its_line(path: Path) -> None:
    source = Source(path.name, path.read_text(encoding="utf-8"))
    marks = [
        (found[1], number) for number, line in enumerate(source.lines, 1) if (found := MARK.search(line))
    ]
    problems = parse_file(source).problems or tuple(translate_source(source, "fr")[1])
    assert marks == [
        (problem.code, problem.primary.line) for problem in problems if problem.primary is not None
    ]
    assert [code for code, _ in marks] == [path.stem]


@pytest.mark.parametrize("code", SYNTAX_PAGES)
def test_page_shows_the_mistake_and_the_cure(code: str) -> None:
    avoid, prefer = code_blocks(code)
    assert read(prefer).problems == ()
    assert translate_source(Source("a.rules", prefer), "fr")[1] == []
    if code in ("E0106", "E0107", "E0108"):
        return  # the page does not print two hundred of them
    parsed = read(avoid)
    problems = list(parsed.problems) or translate_source(parsed.source, "fr")[1]
    assert [problem.code for problem in problems] == [code]


@pytest.mark.parametrize("code", [f"E00{number:02}" for number in range(1, 11)])
def test_page_about_a_file_has_two_blocks(code: str) -> None:
    assert len(code_blocks(code)) == 2


def test_every_syntax_code_has_a_case() -> None:
    built_below = {"E0107"}
    assert {path.stem for path in FAILING} | built_below == set(SYNTAX_PAGES)


def test_line_with_too_many_words_is_a_mistake() -> None:
    names = ", ".join(["name"] * MAXIMUM_LINE_TOKENS)
    assert codes(read(f"players {names}\n")) == [("E0107", 1)]


def test_two_typos_in_two_rules_give_two_mistakes() -> None:
    text = (
        rule("valeu strength = 2")
        + "\n"
        + rule("define strength: nummber == 2")
        + "\n"
        + rule("value strength = 2")
    )
    parsed = read(text)
    assert codes(parsed) == [("E0111", 2), ("E0116", 5)]
    assert len(parsed.items) == 3
    assert parsed.problems[0].help == "did you mean `value`?"


def test_hyphen_of_a_folder_in_a_name_is_offered_as_it_is_written_here() -> None:
    parsed = read('ruleset house "House rules" extends normandie-1944\n')
    assert codes(parsed) == [("E0111", 1)]
    assert parsed.problems[0].help == "did you mean `normandie_1944`?"
    assert parsed.problems[0].argument("text") == "normandie-1944"


def test_mistake_in_a_file_in_french_is_told_in_french() -> None:
    parsed = read('language fr\nrègle 1 "Essai":\n  valleur force = 2\n')
    assert codes(parsed) == [("E0111", 3)]
    assert parsed.problems[0].help == "vouliez-vous dire `valeur` ?"


def test_early_end_points_at_the_end_of_its_own_line() -> None:
    problem = read(rule("define strength: number =", "", "# more", "value two = 2")).problems[0]
    assert problem.primary is not None
    assert (problem.code, problem.primary.line, problem.primary.column) == ("E0112", 2, 28)


def test_open_bracket_is_told_and_not_the_line_after_it() -> None:
    assert codes(read(rule("value one = (1", "value two = 2"))) == [("E0105", 2)]
    assert codes(read(rule("value one = (1 +", "    , 2)"))) == [("E0111", 3)]


def test_long_word_is_shortened_in_the_message() -> None:
    problem = read("x" * 1000 + "\n").problems[0]
    assert len(problem.message) < 300


# ------------------------------------------------------------ words


class _NoLexer(Lexer):
    """Lark's strict mode would compare regular expressions too, for which it needs another library."""

    def __init__(self, configuration: object) -> None:
        pass

    def lex(self, lexer_state: object, parser_state: object) -> Iterator[Token]:
        return iter(())


def strictly(text: str) -> Lark:
    return Lark(text, parser="lalr", lexer=_NoLexer, start=grammar.STARTS, strict=True)


def test_grammar_has_no_conflicts() -> None:
    strictly(grammar.whole("en"))


def test_a_conflict_in_the_grammar_would_be_found() -> None:
    with pytest.raises(GrammarError, match="Shift/Reduce"):
        strictly(grammar.whole("en").replace("?sum: product", "?sum: product | sum MINUS sum", 1))


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("some x in s where a or b", "some x in s where (a or b)"),
        ("c and some x in s where a and b or d", "c and some x in s where (a and b or d)"),
        ("not every x in s has a or b", "not every x in s has (a or b)"),
        ("every x in s where a or b has c and d", "every x in s where (a or b) has (c and d)"),
        ("some s or b", "(some s) or b"),
        ("no x in s and b or c", "((no x in s) and b) or c"),
    ],
)
def test_where_and_has_take_all_that_follows(text: str, meant: str) -> None:
    assert _bare(expression(text)) == _bare(expression(meant))


def _bare(part: object) -> object:
    """A tree without its brackets."""
    if isinstance(part, Node):
        return _bare(part.inner) if isinstance(part, Group) else (part.kind, *map(_bare, part.children()))
    return part


def test_every_construct_is_read() -> None:
    parsed = read(EVERY_CONSTRUCT.read_text(encoding="utf-8"))
    assert parsed.problems == ()
    # A rule marked `?` gives a node only where it has several items.
    assert nodes_of_the_grammar() - kinds(parsed) == set()
    assert _keyword_terminals() - {token.terminal for token in parsed.tokens} == set()


def _keyword_terminals() -> set[str]:
    named = set(re.findall(r"(?<!\w)_?[A-Z][A-Z_]+(?!\w)", grammar.text()))
    return named - NOT_WORDS - {terminal for group in PUNCTUATION.values() for terminal in group}


@pytest.mark.parametrize("language", languages())
def test_word_list_has_exactly_the_words_of_the_grammar(language: str) -> None:
    assert set(words(language).spellings) == _keyword_terminals()
    assert {t: len(s) for t, s in words(language).spellings.items()} == {
        t: len(s) for t, s in words("en").spellings.items()
    }
    assert set(words(language).builtin) == set(words("en").builtin)
    assert len(set(words(language).builtin.values())) == len(words(language).builtin)


def test_keywords_are_names_where_no_keyword_can_stand() -> None:
    parsed = read(
        rule(
            "action move(u: unit, to: cell) by p in phase:",
            "  do:",
            "    put u on to",
            "    set to.mark to to",
        )
    )
    assert parsed.problems == ()
    assert terminals(parsed, "to") == ["NAME", "NAME", "NAME", "_TO", "NAME"]
    assert terminals(parsed, "phase") == ["NAME"]


def test_phrase_is_one_word_however_it_is_spaced() -> None:
    parsed = read(rule("priority p for e: unit:", "  prefer e.strong", "  otherwise at   random"))
    assert terminals(parsed, "at random") == ["_AT_RANDOM"]


def test_beginning_of_a_phrase_alone_is_the_shorter_word() -> None:
    parsed = read(rule("define here: flag = some unit at random_place", "at start of turn: stop"))
    assert parsed.problems == ()
    assert terminals(parsed, "at") == ["_AT"]
    assert terminals(parsed, "at start of") == ["START_OF"]


def test_not_is_kept_in_the_tree() -> None:
    assert isinstance(expression("not x"), Negation)
    assert expression("not x") != expression("x")
    assert expression("pas x", "fr") == expression("not x")


def test_typographic_apostrophe_is_an_apostrophe() -> None:
    text = "language fr\nrègle 1:\n  valeur x = 2 jusqu{}au tour 3, 1 à partir du tour 4\n"
    assert read(text.format("’")).items == read(text.format("'")).items


def test_empty_cell_has_a_place() -> None:
    cells = [
        part
        for item in read(rule("chart x:", "  |   | b |", "  | c |   |")).items
        for part in item.walk()
        if isinstance(part, Cell)
    ]
    assert [(cell.span.line, cell.span.column) for cell in cells] == [(3, 9), (3, 11), (4, 7), (4, 13)]


def test_rule_numbers_may_have_letters_dots_and_dashes() -> None:
    parsed = read('rule T\nrule 6.31b "x" amends 14-2, 6.3\n')
    leaves = [part for item in parsed.items for part in item.walk() if isinstance(part, Leaf)]
    assert [part.text for part in leaves if part.terminal == "RULE_ID"] == ["T", "6.31b", "14-2", "6.3"]


# ------------------------------------------------------------ layout


def test_deeper_line_continues_the_line_above() -> None:
    whole = read(rule("define x: number = 1 + 2", "value y = 3"))
    assert read(rule("define x: number =", "    1", "  + 2", "value y = 3")).items == whole.items
    assert (
        read(rule("define x: number =", "", "  # why", "  1 + 2  # so", "value y = 3")).items == whole.items
    )


def test_inside_brackets_a_line_may_go_back_to_the_left() -> None:
    assert read(rule("value x = (1 +", "2)")).items == read(rule("value x = (1 + 2)")).items


def test_block_on_the_same_line_is_the_block_below() -> None:
    below = read(rule("procedure p:", "  if x:", "    stop", "  otherwise:", "    remove u"))
    beside = read(rule("procedure p:", "  if x: stop", "  otherwise: remove u"))
    assert below.problems == beside.problems == ()
    assert [token.text for token in below.tokens if token.text] == [t.text for t in beside.tokens if t.text]


def test_blocks_may_be_indented_by_any_width() -> None:
    narrow = "rule 1:\n procedure p:\n  if x:\n   stop\n procedure q: stop\n"
    wide = "rule 1:\n     procedure p:\n           if x:\n              stop\n     procedure q: stop\n"
    assert read(narrow).problems == ()
    assert read(narrow).items == read(wide).items


def test_windows_line_ends_and_byte_order_mark_do_not_matter() -> None:
    text = EVERY_CONSTRUCT.read_text(encoding="utf-8")
    source, problems = source_from_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode(), "a.rules")
    assert source is not None and problems == []
    assert parse_file(source).items == read(text).items


@pytest.mark.parametrize("text", ["", "\n", "   ", "\n\n# nothing\n", "language fr\n", "language fr"])
def test_file_without_rules_is_a_mistake(text: str) -> None:
    assert [problem.code for problem in read(text).problems] == ["E0109"]


def test_file_need_not_end_in_a_line_end() -> None:
    assert read(rule("value x = 1").rstrip("\n")).items == read(rule("value x = 1")).items


def test_tabs_between_words_are_blanks() -> None:
    assert read(rule("value\tx\t=\t1")).items == read(rule("value x = 1")).items


def test_text_before_the_first_rule_is_not_ignored() -> None:
    assert codes(read("  value x = 1\nrule 1\n")) == [("E0113", 1)]
    assert codes(read("\f\nrule 1\n")) == [("E0101", 1)]


def test_place_of_a_block_ends_with_its_last_word() -> None:
    item = read(rule("procedure p:", "  stop", "", "# next") + "\nrule 2\n").items[0]
    assert item.span.end_line == 3


# ------------------------------------------------------------ files that try the tools' patience

DEEP = 10_000
HOSTILE = {
    "open brackets": rule("value x = " + "(" * DEEP),
    "brackets": rule("value x = " + "(" * DEEP + "1" + ")" * DEEP),
    "braces": rule("value x = " + "{" * DEEP),
    "blocks": "rule 1:\n  procedure p:\n" + "".join(f"{' ' * n}if x:\n" for n in range(4, 2_000)),
    "blocks on one line": rule("procedure p: " + "if x: " * DEEP),
    "not": rule("define x: flag = " + "not " * DEEP + "y"),
    "some hundred nots": rule("define x: flag = " + "not " * 900 + "y"),
    "signs": rule("define x: number = " + "-" * 900 + "1"),
    "sums": rule("define x: number = 1" + " + 1" * 900),
    "attributes": rule("define x: flag = a" + ".b" * DEEP),
    "some hundred attributes": rule("define x: flag = a" + ".b" * 900),
    "alternatives": rule("define x: number = " + "1 if y otherwise " * 400 + "2"),
    "a long word": "x" * 10_000_000,
    "a long text": 'rule 1 "' + "x" * 10_000_000,
    "backslashes": 'rule 1 "' + "\\" * 1_000_001,
    "words": "rule 1 " + "x " * 1_000_000,
    "zero": "rule 1\0\n",
    "half a pair": "rule 1 \ud800\n",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_file_gives_one_diagnostic(name: str) -> None:
    source = Source("a.rules", HOSTILE[name])
    assert len(parse_file(source).problems) == 1
    assert format_source(source)[0] == source.text
    assert len(translate_source(source, "fr")[1]) == 1


@pytest.mark.parametrize("text", ["rule 1" + " " * 10_000_000, "rule 1  #" + "x" * 10_000_000])
def test_long_line_of_nothing_is_read(text: str) -> None:
    assert read(text).problems == ()


def test_deepest_allowed_tree_can_be_compared() -> None:
    text = rule("define x: flag = " + "not " * 190 + "y")
    assert read(text).problems == ()
    assert format_source(Source("a.rules", text)) == (text, [])


# ------------------------------------------------------------ any file at all


def _items() -> list[str]:
    found: list[str] = []
    for path in SHIPPED:
        source = Source(path.name, path.read_text(encoding="utf-8"))
        starts = item_starts(source)
        found += [source.text[a:b] for a, b in zip(starts, [*starts[1:], None], strict=True)]
    return found


PIECES = re.compile(r"\w+|\s+|[^\w\s]")
INSERTED = [
    *PUNCTUATION,
    '"',
    "\n",
    "\n  ",
    "\t",
    "  ",
    "#",
    "\\",
    "é",
    "x",
    "7",
    "6.3",
    "rule",
    "{",
    "otherwise",
]


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """One rule of a shipped file with a few words, letters or lines lost, doubled or put in."""
    text = draw(st.sampled_from(_items()))
    for _ in range(draw(st.integers(1, 4))):
        unit = draw(st.sampled_from(["word", "letter", "line"]))
        parts = {"word": PIECES.findall(text), "letter": list(text), "line": text.splitlines(keepends=True)}[
            unit
        ]
        if not parts:
            continue
        place = draw(st.integers(0, len(parts) - 1))
        change = draw(st.sampled_from(["delete", "double", "insert"]))
        extra = draw(st.sampled_from(INSERTED))
        parts[place : place + 1] = {
            "delete": [],
            "double": [parts[place]] * 2,
            "insert": [extra, parts[place]],
        }[change]
        text = "".join(parts)
    return text


@settings(max_examples=300, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
@given(damaged(), st.sampled_from(["", "language fr\n"]))
def test_damaged_file_never_breaks_the_tools(text: str, line: str) -> None:
    source = Source("a.rules", line + text)
    problems = parse_file(source).problems
    formatted, told = format_source(source)
    if problems:
        assert formatted == source.text or "\t" in source.text
    else:
        assert told == []
        assert format_source(Source("a.rules", formatted)) == (formatted, [])
    for language in languages():
        translate_source(source, language)


def test_rule_that_cannot_be_read_is_the_only_thing_reported() -> None:
    rules = (
        'ruleset r "R"\nplayers red\nrule 1:\n  define goal: number = 3 +\n'
        "rule 2:\n  sequence turn:\n    phase go:\n      if turn > goal: red wins\n"
    )
    assert [problem.code for problem in check_text(rules).problems] == ["E0112"]
