"""Rename through rules, examples, overlays, scenarios and catalogues; quick fixes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from lsprotocol import types

from ddob_rules.library.cache import _hash
from ddob_rules.lsp.asked.fixes import Finding, fixes_of
from ddob_rules.lsp.asked.links import spot_at
from ddob_rules.lsp.asked.renaming import Refused, renamed
from ddob_rules.lsp.desk import Desk
from ddob_rules.reports.diagnostics import Diagnostic
from ddob_rules.reports.spelling import meant_in
from ddob_rules.syntax import drafts
from ddob_rules.syntax.items import Items
from ddob_rules.syntax.source import Source
from tests.ddob_rules.lsp.editing import OVERLAY, SCENARIO, SMALL, Editor, editing, place_of, small_game

RULES = "small/small.rules"
EXAMPLE = """
example "A hit":
  given first
  when hit(R1)
  expect R1.steps = 1
  expect B1.owner = blue
"""
CATALOGUE = """\
titles:
  attribute steps:
    source: steps
    translation: pas
  value ground woods:
    source: woods
    translation: bois
"""


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    small_game(tmp_path)
    (tmp_path / RULES).write_text(SMALL + EXAMPLE, encoding="utf-8")
    (tmp_path / "small/locale").mkdir()
    (tmp_path / "small/locale/fr.yaml").write_text(CATALOGUE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    yield Desk()
    for path in tmp_path.rglob("*.*"):
        drafts.release(path)


def rename(desk: Desk, name: str, mark: str, new: str, before: int = 0) -> dict[str, str]:
    """The files that change, as they are then."""
    path = Path(name).resolve()
    text = path.read_text("utf-8")
    desk.put(path, text)
    source = Source(name, text)
    found = spot_at(desk, path, text.index(mark) + before, source)
    assert found is not None
    changed = {}
    for file, spans in renamed(desk, *found, new).items():
        lines = file.read_text("utf-8").split("\n")
        for span in sorted(spans, key=lambda one: (one.line, one.column), reverse=True):
            line = lines[span.line - 1]
            lines[span.line - 1] = line[: span.column - 1] + new + line[span.end_column - 1 :]
        changed[file.relative_to(Path.cwd()).as_posix()] = "\n".join(lines)
    return changed


def test_an_attribute_changes_in_rules_examples_data_and_catalogues(desk: Desk) -> None:
    changed = rename(desk, RULES, "steps: number", "strength")
    assert set(changed) == {RULES, "small/locale/fr.yaml"}
    assert changed[RULES] == (SMALL + EXAMPLE).replace(".steps", ".strength").replace("steps:", "strength:")
    assert "attribute strength:\n    source: steps" in changed["small/locale/fr.yaml"]


def test_a_value_changes_in_a_scenario_too(desk: Desk) -> None:
    changed = rename(desk, RULES, "clear, woods", "forest", 8)
    assert changed["small/scenarios/first.yaml"] == SCENARIO.replace("ground: woods", "ground: forest")
    assert "value ground forest" in changed["small/locale/fr.yaml"]


def test_a_name_changes_in_the_base_when_an_overlay_renames_it(desk: Desk) -> None:
    changed = rename(desk, "harder/harder.rules", "limit = 1", "border")
    assert changed == {
        RULES: (SMALL + EXAMPLE).replace("limit", "border"),
        "harder/harder.rules": OVERLAY.replace("limit", "border"),
    }


def test_a_rule_number_changes_where_it_is_cited_and_amended(desk: Desk) -> None:
    changed = rename(desk, RULES, 'rule 1 "Units"', "1.5", 5)
    assert "amends 1.5:" in changed["harder/harder.rules"]
    assert '"it is strong" (1.5)' in changed[RULES]


def test_a_local_changes_in_its_own_rule_alone(desk: Desk) -> None:
    changed = rename(desk, RULES, "procedure hit(u", "x", 14)
    assert (
        "procedure hit(x: unit):\n    decrease x.steps by 1\n    if x.steps <= 0: remove x" in changed[RULES]
    )
    assert "strong(u: unit): flag = u.steps" in changed[RULES]


def test_a_local_of_a_list_changes_in_the_list_whoever_asks_it(desk: Desk) -> None:
    listed = """rule 3 "Rest":
  define weary(u: unit, p: player): flag:
    when u.owner = p  else "{u} is not yours" (3)
    when not strong(u)  else "{u} is strong" (1)
"""
    text = SMALL.replace('    when u.owner = p  else "not yours" (2)\n', "    when weary(u, p)\n") + listed
    Path(RULES).write_text(text, encoding="utf-8")
    changed = rename(desk, RULES, "u.owner = p", "x")
    after = (
        listed.replace("(u: unit", "(x: unit").replace("u.owner", "x.owner").replace("strong(u)", "strong(x)")
    )
    assert changed == {RULES: text.replace(listed, after.replace("{u}", "{x}"))}


@pytest.mark.parametrize(
    ("mark", "before", "new"),
    [
        ("limit = 2", 0, "strong"),  # there is one already
        ("limit = 2", 0, "two words"),
        ("limit = 2", 0, "count"),  # a word of the language
        ("number = 2", 0, "digit"),  # not the author's
        ("procedure hit(u", 14, "9"),
    ],
)
def test_a_name_that_would_not_work_is_refused(desk: Desk, mark: str, before: int, new: str) -> None:
    with pytest.raises(Refused):
        rename(desk, RULES, mark, new, before)
    assert drafts.contents(Path(RULES)).decode() == SMALL + EXAMPLE


# ---------------------------------------------------------------- quick fixes


def mended(desk: Desk, text: str, code: str, name: str = RULES) -> str:
    """The text after the first fix for the finding of that code."""
    path = Path(name).resolve()
    desk.put(path, text)
    problems = [one for stack in desk.stacks_of(path) for one in desk.check(stack).problems]
    finding = next(one for one in problems if one.code == code)
    fix = next(fixes_of(as_finding(finding, Source(name, text))))
    assert fix.title("fr") != fix.title("en")
    for start, end, new in sorted(fix.edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def as_finding(finding: Diagnostic, source: Source) -> Finding:
    span = finding.primary
    assert span is not None
    start, end = source.offset(span.line, span.column), source.offset(span.end_line, span.end_column)
    arguments = dict(finding.arguments)
    meant = meant_in(finding.help) or ""
    return Finding(finding.code, meant, arguments, finding.rule, start, end, Items().parse(source))


@pytest.mark.parametrize(
    ("before", "after", "code"),
    [
        ("u.stps > limit", "u.steps > limit", "E0204"),
        ("> limt", "> limit", "E0201"),
        ("(u: unt): flag", "(u: unit): flag", "E0220"),
        ("decrese u.steps", "decrease u.steps", "E0111"),
        ("u.steps =< 0", "u.steps <= 0", "E0116"),
        ("do hit(u)", "do: hit(u)", "E0117"),
        ("  decrease u.steps by 1\n      if", "  decrease u.steps by 1\n    if", "E0118"),
        ('"not yours', '"not yours"', "E0104"),
        ("\tvalue limit", "  value limit", "E0102"),
        ("strong(u", "strong(u)", "E0105"),
    ],
)
def test_a_slip_is_mended(desk: Desk, before: str, after: str, code: str) -> None:
    right = SMALL if after in SMALL else SMALL.replace("  value limit", after)
    if code == "E0104":
        wrong = right.replace('"not yours"  else', before).replace('else "not yours" (2)', 'else "not yours')
        assert 'else "not yours"' in mended(desk, wrong, code)
        return
    if code == "E0105":
        wrong = right.replace('when not strong(u)  else "it is strong" (1)', "when not strong(u")
        assert "when not strong(u)\n" in mended(desk, wrong, code)
        return
    wrong = right.replace(after, before, 1)
    assert wrong != right
    assert mended(desk, wrong, code) == right


def test_what_nobody_uses_can_be_removed(desk: Desk) -> None:
    wrong = SMALL.replace("  value limit", "  define spare: number = 1\n  value limit")
    assert mended(desk, wrong, "W0201") == SMALL


def test_an_action_gets_its_block(desk: Desk) -> None:
    text = mended(desk, SMALL.replace("    do: hit(u)\n", ""), "E0402")
    assert '    do:\n      todo "..."' in text


def test_what_is_missing_can_be_declared(desk: Desk) -> None:
    wrong = SMALL.replace("> limit", "> qqqqq")
    assert "  variable qqqqq: number = 0\n" in mended(desk, wrong, "E0201")


def test_an_amendment_finds_its_rule(desk: Desk) -> None:
    wrong = OVERLAY.replace("amends 1:", "amends 2:")
    assert mended(desk, wrong, "E0508", "harder/harder.rules") == OVERLAY


def test_an_editor_is_offered_the_fix_and_the_rename(tmp_path: Path) -> None:
    small_game(tmp_path)
    with editing(tmp_path) as editor:
        _offered(editor)


def _offered(editor: Editor) -> None:
    text = SMALL.replace("u.steps > limit", "u.stps > limit")
    [finding] = editor.open(RULES, text)
    context = types.CodeActionContext([finding])
    params = types.CodeActionParams(editor.document(RULES), finding.range, context)
    [action] = editor.ask("text_document_code_action", params)
    assert action.title == "Write `steps`"
    [edit] = action.edit.changes[editor.uri(RULES)]
    assert edit.new_text == "steps" and edit.range == finding.range
    editor.change(RULES, SMALL)
    place = types.RenameParams(editor.document(RULES), place_of(SMALL, "limit = 2"), "border")
    edits = editor.ask("text_document_rename", place)
    assert set(edits.changes) == {editor.uri(RULES), editor.uri("harder/harder.rules")}
    with pytest.raises(Exception, match="cannot be a name"):
        place.new_name = "1 2"
        editor.ask("text_document_rename", place)
    prepare = types.PrepareRenameParams(editor.document(RULES), place_of(SMALL, "number = 2"))
    assert editor.ask("text_document_prepare_rename", prepare) is None


def test_a_cache_is_of_the_draft(desk: Desk) -> None:
    path = Path(RULES).resolve()
    before = _hash(path)
    desk.put(path, SMALL)
    assert _hash(path) != before
