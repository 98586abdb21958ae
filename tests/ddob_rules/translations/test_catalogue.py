"""Texts of a ruleset in another language: what there is, and what is missing or stale."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from ddob_rules.check.program import Checked
from ddob_rules.cli import main
from ddob_rules.loading import load_game, load_ruleset
from ddob_rules.resources import grammar_file
from ddob_rules.translations.catalogue import (
    TEXT,
    catalogue_for,
    catalogue_problems,
    own_words,
    read_catalogue,
    review,
    texts_of,
    translated_program,
)
from ddob_rules.translations.shown_texts import shown_texts, with_texts
from interpreter import ir
from interpreter.telling.names import _TEXTS
from tests.rules import check_text

GAME = """\
ruleset game "A Game" edition "1"
players red "Red", blue "Blue"
option fog "Fog" conflicts with sun "one of them"
option sun "Sun"

rule 1 "Board":
  "Cells in a square."
  enum colour: black, white
  space cell on square board:
    mark: player = nothing
    colour: colour = white

rule 2 "Play":
  sequence turn:
    phase play "Play" for each p in player when not fog and not sun: p takes 1 action
  action mark "Mark" (c: cell) by p in play:
    shown as "{p} marks {c}"
    when c.mark = nothing  else "the cell is {c.mark}'s" (2)
    do:
      set c.mark to p
      if c.colour = black: say "black!"
      say "{mood(c)} {c} of {c.colour}, {count(cell)} cells"
      let again = choose yes or no by p "Again?"
      choose by p "What now?":
        "Nothing": stop
        "Win" when again: p wins "by will"
      todo "the storm"
  define mood(c: cell): text = "happy" if c.mark = red otherwise "sad"
  define secret(c: cell): text = "x" if c.mark = red otherwise "y"
  victory last(p: player) when every c in cell has c.mark = p and secret(c) = "x": p wins "all marked"
"""


@pytest.fixture
def checked() -> Checked:
    found = check_text(GAME)
    assert [problem for problem in found.problems if problem.severity == "error"] == []
    return found


def program_of(checked: Checked) -> ir.Program:
    assert checked.program is not None
    return checked.program


def put(folder: Path, data: object, language: str = "fr") -> None:
    path = folder / "locale" / f"{language}.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(yaml.safe_dump(data, allow_unicode=True), encoding="utf-8")


def test_every_title_has_a_stable_key(checked: Checked) -> None:
    texts = texts_of(program_of(checked))
    titles = {key: text for key, text in texts.items() if not key.startswith(TEXT)}
    assert titles == {
        "player red": "Red",
        "player blue": "Blue",
        "value colour black": "black",
        "value colour white": "white",
        "kind cell": "cell",
        "attribute mark": "mark",
        "attribute colour": "colour",
        "phase play": "Play",
        "action mark": "Mark",
        "option fog": "Fog",
        "option fog reason": "one of them",
        "option sun": "Sun",
        "rule 1": "Board",
        "rule 1 text": "Cells in a square.",
        "rule 2": "Play",
    }


def test_every_text_is_known_by_its_own_words(checked: Checked) -> None:
    found = set(shown_texts(program_of(checked)))
    plain = {"black!", "Again?", "What now?", "Nothing", "Win", "by will", "all marked", "the storm"}
    assert plain | {"happy", "sad"} <= found
    assert "the cell is {c.mark}'s" in found
    assert any(text.endswith(" marks {c}") for text in found)


THROUGH = """ruleset r "R"
players red "Red"
rule 1 "Play":
  enum colour: black, white
  define worth(c: colour): number = 2 if c = black otherwise 1
  sequence turn:
    phase play for each c in colour: red takes 1 action
  action mark "Mark" by red in play:
    shown as "{c}, worth {worth(c)}"
    do: say "{c} is marked"
"""


def test_what_a_phase_goes_through_is_called_as_the_rules_call_it() -> None:
    program = check_text(THROUGH).program
    assert program is not None
    assert TEXT + "{c}, worth {worth(c)}" in texts_of(program)


def test_texts_that_rules_compare_are_left_alone(checked: Checked) -> None:
    assert {"x", "y"}.isdisjoint(shown_texts(program_of(checked)))


def test_translation_changes_no_mechanics(checked: Checked) -> None:
    program = program_of(checked)
    changed = translated_program(program, {TEXT + "black!": "noir !"}, "fr")
    assert changed.hash == program.hash
    assert changed.language == "fr"
    assert "noir !" in shown_texts(changed)
    assert translated_program(program, {}) == program


def test_translation_may_move_repeat_and_leave_out_values() -> None:
    text = ir.Format(parts=(ir.Local(name="u", type=ir.PLAYER), " hits ", ir.Local(name="v", type=ir.PLAYER)))
    say = ir.Say(text=text, site=ir.NOWHERE)
    program = _program_with(say)
    assert shown_texts(program) == ["{u} hits {v}"]
    changed = with_texts(program, lambda _: "{v}, {v} : {other}")
    said = changed.procedures[0].body[0]
    assert isinstance(said, ir.Say) and isinstance(said.text, ir.Format)
    second = text.parts[2]
    assert said.text.parts == (second, ", ", second, " : {other}")


@given(st.lists(st.text(alphabet="ab {}é", max_size=6), min_size=1, max_size=5))
def test_program_with_the_same_texts_is_the_same(parts: list[str]) -> None:
    values = [ir.Local(name=f"v{index}", type=ir.NUMBER) for index in range(len(parts))]
    mixed: list[str | ir.Expression] = []
    for part, value in zip(parts, values, strict=True):
        mixed += [part, value] if part else [value]
    program = _program_with(ir.Say(text=ir.Format(parts=tuple(mixed)), site=ir.NOWHERE))
    kept = with_texts(program, lambda text: text).procedures[0].body[0]
    assert isinstance(kept, ir.Say) and isinstance(kept.text, ir.Format)
    assert list(kept.text.parts) == mixed


def _program_with(statement: ir.Statement) -> ir.Program:
    program = program_of(check_text(GAME))
    procedure = ir.Procedure(name="x", parameters=(), body=(statement,), site=ir.NOWHERE)
    return replace(
        program, definitions=(), tables=(), priorities=(), actions=(), victories=(), procedures=(procedure,)
    )


# ---------------------------------------------------------------- catalogues


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "game").mkdir()
    (tmp_path / "game" / "game.rules").write_text(GAME, encoding="utf-8")
    return tmp_path / "game"


def loaded(name: str = "game") -> Checked:
    checked = load_ruleset(name).checked
    assert checked is not None and checked.program is not None
    return checked


def test_without_a_catalogue_everything_is_missing_and_only_our_words_are_there(folder: Path) -> None:
    checked = loaded()
    assert set(review(checked, "fr").missing) == set(texts_of(program_of(checked)))
    assert catalogue_for(checked, "fr") == own_words("fr")
    assert catalogue_for(checked, "de") == {}


def test_translated_titles_and_texts_are_found(folder: Path) -> None:
    titles = {"player red": {"source": "Red", "translation": "Rouge"}}
    put(folder, {"titles": titles, "texts": {"black!": "noir !"}})
    checked = loaded()
    found = catalogue_for(checked, "fr")
    assert (found["player red"], found[TEXT + "black!"]) == ("Rouge", "noir !")
    assert "player red" not in review(checked, "fr").missing


def test_changed_source_makes_a_title_stale_and_shows_the_source(folder: Path) -> None:
    put(
        folder,
        {"titles": {"player red": {"source": "Reds", "translation": "Rouges"}}, "texts": {"old": "vieux"}},
    )
    checked = loaded()
    assert "player red" not in catalogue_for(checked, "fr")
    assert review(checked, "fr").stale == ("player red", TEXT + "old")


def test_game_speaks_the_language_of_its_catalogue(folder: Path) -> None:
    titles = {
        "player red": {"source": "Red", "translation": "Rouge"},
        "phase play": {"source": "Play", "translation": "Jeu"},
    }
    label = next(text for text in shown_texts(program_of(loaded())) if text.endswith(" marks {c}"))
    put(folder, {"titles": titles, "texts": {label: label.replace("marks", "marque"), "Again?": "Encore ?"}})
    (folder / "scenarios").mkdir()
    scenario_text = "scenario: s\nruleset: game\nboards: {cell: {layout: {shape: square}, size: [2, 2]}}\n"
    (folder / "scenarios" / "s.yaml").write_text(scenario_text, encoding="utf-8")
    game = load_game("s", language="fr").game
    assert game is not None
    state = game.start(seed=1)
    assert state.choice is not None
    assert state.choice.prompt == "Jeu"
    assert state.choice.options[0].label.startswith("Rouge marque ")
    state.take(0)
    assert state.choice is not None
    assert (state.choice.prompt, state.choice.options[0].label) == ("Encore ?", "oui")


NAMES = """\
ruleset game "A Game" edition "1"
players red "Red"

rule 1 "Things":
  enum side: far_left, far_right
  space cell on square board
  piece big_tank:
    has_fired: flag = no
    steps_left: number = 3
    old_steps: number = 0 untold
  pile lost_tanks of big_tank for each side
  variable fuel_left: number = 9

rule 2 "Play":
  sequence turn:
    phase play "Play": red takes 1 action
  action burn "Burn" (t: big_tank) by p in play:
    when t.at in cell  else "it is lost" (2)
    do:
      say "{t} !"
      decrease fuel_left by 1
      decrease t.steps_left by 1
      put t in lost_tanks(far_left)
"""


def test_names_of_the_rules_are_read_in_words_and_translated(folder: Path) -> None:
    (folder / "game.rules").write_text(NAMES, encoding="utf-8")
    (folder / "scenarios").mkdir()
    (folder / "scenarios" / "s.yaml").write_text(
        "scenario: s\ntitle: Short\nruleset: game\n"
        "boards: {cell: {layout: {shape: square}, numbering: '{letter}{row}', size: [2, 2]}}\n"
        "pieces: {big_tank: [{id: tiger, at: a1}]}\n",
        encoding="utf-8",
    )
    french = {
        "attribute steps_left": ("steps left", "pas restants"),
        "variable fuel_left": ("fuel left", "essence"),
        "place lost_tanks": ("lost tanks", "chars perdus"),
        "value side far_left": ("far left", "gauche"),
        "kind big_tank": ("big tank", "gros char"),
        "piece tiger": ("tiger", "tigre"),
        "space a1": ("a1", "A-1"),
        "scenario s": ("Short", "Court"),
    }
    put(
        folder,
        {"titles": {key: {"source": old, "translation": new} for key, (old, new) in french.items()}},
    )
    told = {}
    for language in ("en", "fr"):
        game = load_game("s", language=language).game
        assert game is not None
        state = game.start(seed=1)
        assert state.choice is not None
        state.take(0)
        changes = ("variable fuel_left", "piece steps_left", "place")
        told[language] = [entry.text for entry in state.journal if entry.what in changes]
        told[language].append(game.names.scenario_title())
    assert told["en"] == [
        "fuel left: 9 -> 8",
        "tiger: steps left 3 -> 2",
        "tiger: a1 -> lost tanks (far left)",
        "Short",
    ]
    assert told["fr"] == [
        "essence : 9 -> 8",
        "tigre : pas restants 3 -> 2",
        "tigre : A-1 -> chars perdus (gauche)",
        "Court",
    ]


def test_bookkeeping_and_names_of_data_are_accepted_but_not_asked_for(folder: Path) -> None:
    (folder / "game.rules").write_text(NAMES, encoding="utf-8")
    titles = {
        "attribute old_steps": {"source": "old steps", "translation": "anciens pas"},
        "piece tiger": {"source": "tiger", "translation": "tigre"},
    }
    assert "attribute old_steps" not in review(loaded(), "fr").missing
    assert TEXT + "{t} !" not in review(loaded(), "fr").missing
    assert "attribute has_fired" in review(loaded(), "fr").missing
    put(folder, {"titles": titles})
    found = catalogue_for(loaded(), "fr")
    assert (found["attribute old_steps"], found["piece tiger"]) == ("anciens pas", "tigre")
    assert review(loaded(), "fr").stale == ()


def test_overlay_uses_the_catalogue_of_its_base(folder: Path) -> None:
    put(folder, {"titles": {"player red": {"source": "Red", "translation": "Rouge"}}})
    other = folder.parent / "errata"
    other.mkdir()
    (other / "errata.rules").write_text(
        'ruleset errata "Errata" extends game\n\nrule 9 "More":\n  "Be kind."\n'
    )
    put(other, {"titles": {"rule 9": {"source": "More", "translation": "Plus"}}})
    checked = loaded("errata")
    found = catalogue_for(checked, "fr")
    assert (found["player red"], found["rule 9"]) == ("Rouge", "Plus")
    assert review(checked, "fr").stale == ()


def test_written_catalogue_keeps_translations_and_marks_what_changed(folder: Path) -> None:
    titles = {
        "player red": {"source": "Reds", "translation": "Rouges"},
        "player blue": {"source": "Blue", "translation": "Bleu"},
        "gone": {"source": "Gone", "translation": "Parti"},
    }
    put(folder, {"titles": titles, "texts": {"black!": "noir !", "old": "vieux"}})
    runner = CliRunner()
    assert runner.invoke(main, ["texts", "game", "--lang", "fr", "--write"]).exit_code == 0
    path = folder / "locale" / "fr.yaml"
    data = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert data["titles"]["player red"] == {"source": "Red", "translation": "", "before": "Rouges"}
    assert data["titles"]["player blue"] == {"source": "Blue", "translation": "Bleu"}
    assert data["titles"]["gone"] == {"source": "Gone", "translation": "Parti"}
    assert data["titles"]["rule 1"] == {"source": "Board", "translation": ""}
    assert (data["texts"]["black!"], data["texts"]["old"], data["texts"]["Again?"]) == ("noir !", "vieux", "")
    before = path.read_bytes()
    runner.invoke(main, ["texts", "game", "--lang", "fr", "--write"])
    assert path.read_bytes() == before
    assert catalogue_problems(loaded(), "fr") == []


def test_written_catalogue_keeps_the_order_that_the_file_has(folder: Path) -> None:
    put(folder, {})
    path = folder / "locale" / "fr.yaml"
    text = "rule 1: {source: Board, translation: Plateau}\n  player blue: {source: Blue, translation: Bleu}"
    path.write_text(f"titles:\n  {text}\n", encoding="utf-8")
    CliRunner().invoke(main, ["texts", "game", "--lang", "fr", "--write"])
    data = yaml.safe_load(path.read_text(encoding="utf-8"))
    keys = list(data["titles"])
    assert keys[0] == "player red"
    assert keys.index("rule 1") < keys.index("rule 1 text") < keys.index("player blue")


def test_command_lists_what_is_left_to_do(folder: Path) -> None:
    runner = CliRunner()
    result = runner.invoke(main, ["texts", "game", "--lang", "fr", "--missing"])
    assert (result.exit_code, "player red" in result.stdout) == (1, True)
    result = runner.invoke(main, ["texts", "game", "--lang", "fr", "--stale"])
    assert (result.exit_code, result.stdout) == (0, "")
    put(folder, {"titles": {"player red": {"source": "Red", "translation": "Rouge"}}})
    result = runner.invoke(main, ["texts", "game", "--lang", "fr"])
    assert (result.exit_code, "Rouge" in result.stdout) == (0, True)
    assert runner.invoke(main, ["texts", "game", "--lang", "../fr"]).exit_code == 2


def test_catalogue_with_mistakes_tells_each_and_keeps_the_rest(tmp_path: Path) -> None:
    path = tmp_path / "fr.yaml"
    titles = "titles:\n  a: b\n  c: {source: C, translaton: D}\n  e: {source: E, translation: [F]}\n"
    path.write_text(titles + "texts:\n  g: h\n", encoding="utf-8")
    catalogue, problems = read_catalogue(path)
    assert [(problem.code, problem.spans[0].span.line) for problem in problems] == [
        ("E0614", 2),
        ("E0612", 3),
        ("E0614", 4),
    ]
    assert catalogue.texts == {"g": "h"}


def test_our_own_words_are_all_there_in_french() -> None:
    catalogue, problems = read_catalogue(grammar_file("locale/fr.yaml"))
    assert problems == []
    ours = {key: title.source for key, title in catalogue.titles.items() if key.startswith("our ")}
    assert ours == {f"our {key}": text for key, text in _TEXTS.items()}
    for key, title in catalogue.titles.items():
        assert title.translation, key
        assert set(_names(title.translation)) == set(_names(title.source)), key


def _names(text: str) -> list[str]:
    return [part.split("}")[0] for part in text.split("{")[1:]]
