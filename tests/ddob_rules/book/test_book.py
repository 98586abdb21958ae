"""The printed rulebook: forms of declarations, what overlays make of them, examples with maps, the index."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from ddob_rules.cli import main
from tests.ddob_rules.book.reading import Page

HOSTILE = "</p><script>alert(1)</script><b>"
GAME = f"""ruleset small "Small {HOSTILE}" edition "2"
players red "Red {HOSTILE}", blue "Blue"
rule 1 "Things {HOSTILE}":
  "Sentence {HOSTILE}"
  enum ground: clear, deep_woods
  space cell on square board:
    ground: ground = clear
    held: flag = no
  piece unit:
    owner: player
    steps: number = 2
    tired: flag = no each turn
  chart ground:
    | ground     | cost |
    | clear      | 1    |
    | deep_woods | 2    |
rule 2 "Sequence":
  sequence turn:
    phase march "March on" for each p in player:
      p may take action
    phase rest when turn > first_rest
rule 2.1 "Rest":
  value first_rest = 3
  at end of rest:
    for each u in unit: unmark u as tired
rule 3 "Moving":
  "A unit moves one cell."
  # A comment that nobody prints.
  define near(u: unit, c: cell): flag = distance(u.at, c) <= 1
  action move "Move on" (u: unit, c: cell) by p in march:
    when u.owner = p else "not yours {HOSTILE}" (3)
    when near(u, c) else "too far" (3.1)
    when u is not tired
    do:
      mark u as tired
      put u on c
  priority best for u: unit:
    prefer highest u.steps
    prefer lowest u.at.ground.cost
    otherwise at random
rule 3.1 "Distance" see 3:
  "Only a neighbour."
rule 4 "End":
  table points(n: number) -> number, first match:
    | n    | points |
    | 1    | 10     |
    | 2..3 | 20     |
    | 4..8 | 30     |
  victory enough(p: player) when points(count(u in unit where u.owner = p)) > 25: p wins
example "A step {HOSTILE}" of 3, 3.1:
  given small at turn 2:
    put a on b2
  when take move(a, b1) by red
  expect a.at = b1 and a.tired
  expect move(a, c3) is not offered to red because "too far"
  expect nothing else changed
"""
OVER = """ruleset over "Over" extends small
rule 3-over "Far" amends 3:
  "A unit moves two cells."
  define near(u: unit, c: cell): flag = distance(u.at, c) <= 2
  action move also:
    without (3.1)
    when c is not held else "somebody is there" (3-over)
rule 2-over "Rally" amends 2:
  insert phase rally "Rally all" after march
rule 4-over "Points" amends 4:
  in table points:
    set [1] to 15
    add | 9+ | 40 |
rule 2.1-over "Early rest" amends 2.1 when turn > 5:
  value first_rest = 4
"""
SCENARIO = """scenario: small
ruleset: small
title: The small one
turns: 4
boards:
  cell:
    layout: {shape: square, adjacency: all}
    numbering: "{letter}{row}"
    size: [3, 3]
pieces:
  unit:
    - {id: a, owner: red, at: a1}
    - {id: b, owner: blue, at: c3}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("games")
    for name, text in (("small", GAME), ("over", OVER)):
        (root / name).mkdir()
        (root / name / f"{name}.rules").write_text(text, encoding="utf-8")
    (root / "small/scenarios").mkdir()
    (root / "small/scenarios/small.yaml").write_text(SCENARIO, encoding="utf-8")
    return root


def printed(folder: Path, *arguments: str) -> Page:
    target = folder / "book.html"
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        result = CliRunner().invoke(main, ["book", *arguments, str(target)])
    assert result.exit_code == 0, result.output
    return Page(target.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def page(folder: Path) -> Page:
    return printed(folder, "small")


@pytest.fixture(scope="module")
def amended(folder: Path) -> Page:
    return printed(folder, "small", "-o", "over")


def test_texts_of_authors_stay_texts(page: Page) -> None:
    assert not page.tags & {"script", "b<"} and "script" not in page.tags
    assert page.texts("h1") == [f"Small {HOSTILE}"]
    assert f"Sentence {HOSTILE}" in page.texts("p", "sentence")
    assert any(f"not yours {HOSTILE}" in text for text in page.texts("span", "reason"))


def test_rules_stand_by_number_with_their_sentences_and_every_link_leads_somewhere(page: Page) -> None:
    headings = [text for text in page.texts("h2") + page.texts("h3") if text[:1].isdigit()]
    assert headings == [f"1 Things {HOSTILE}", "2 Sequence", "3 Moving", "4 End", "2.1 Rest", "3.1 Distance"]
    assert page.check_links() > 30


def test_forms_of_declarations(page: Page) -> None:
    captions = page.texts("caption")
    assert [text.split(" ")[0].rstrip(",") for text in captions] == ["Cell", "Unit", "Ground", "Points"]
    rows = page.texts("tr")
    assert "deep woods2" in rows and "4..830" in rows and "tiredflagno each turn" in rows
    steps = page.texts("li")
    assert any(text.startswith("March on, for each player") and "Actions Move on" in text for text in steps)
    assert any(text.startswith("rest, when turn > first_rest") for text in steps)
    assert "Only if near(u, c), else “too far” (3.1)" in steps
    assert "prefer highest u.steps" in steps and "otherwise at random" in steps
    assert "First rest: 3" in page.texts("p")
    assert not any("comment that nobody prints" in text for text in page.texts("html"))


def test_an_example_of_play_has_a_map_that_can_be_read_aloud(page: Page) -> None:
    (example,) = page.texts("section", "example")
    assert (
        "Given: The small one, turn 2" in example
        and "move(a, c3) by red may not be done, because “too far”" in example
    )
    (label,) = [found["aria-label"] for tag, found, _ in page.elements if tag == "svg"]
    assert label == "a on b2; b on c3"
    assert len(page.texts("polygon")) == 9


def test_index_of_terms(page: Page) -> None:
    entries = [text for text in page.texts("p") if text.startswith(("deep woods ", "near ", "tired "))]
    assert entries == ["deep woods 1", "near 3", "tired 1, 2.1, 3"]


def test_amendments_stand_behind_bars_with_their_provenance(amended: Page) -> None:
    bars = [*amended.texts("div", "amended"), *amended.texts("li", "amended")]
    assert any(text.startswith("Amended by 3-over Far (over)A unit moves two cells.") for text in bars)
    assert any("Amended by 3-over (over)define near" in text and "<= 2" in text for text in bars)
    assert any(text.startswith("Amended by 2.1-over (over), when turn > 5First rest: 4") for text in bars)
    assert any(text.startswith("Rally all (2-over)") for text in bars)
    assert not any("<= 1" in text for text in amended.texts("div", "code"))


def test_conditions_and_cells_that_no_longer_hold_are_crossed_out(amended: Page) -> None:
    gone = amended.texts("del")
    assert any("too far" in text for text in gone) and "10" in gone
    assert "15" in amended.texts("ins")
    assert "9+40" in amended.texts("tr", "amended")
    items = amended.texts("ul")
    assert any(text.index("somebody is there") < text.index("Then") for text in items if "somebody" in text)


def test_the_amending_rule_says_what_it_is_for(amended: Page) -> None:
    assert "Amends 3 (over)" in amended.texts("p", "from")
    assert "Changes near in 3" in amended.texts("p", "note")
    amended.check_links()


def test_french(folder: Path) -> None:
    page = printed(folder, "small+over", "--lang", "fr")
    assert ("html", {"lang": "fr"}) in [(tag, attributes) for tag, attributes, _ in page.elements]
    assert "Index des termes" in page.texts("h2")
    assert any("définir near" in text for text in page.texts("div", "code"))
    assert any("Amendée par 3-over Far (over)" in text for text in page.texts("p", "from"))


def test_a_scenario_stands_for_its_rules(folder: Path) -> None:
    assert printed(folder, "small/scenarios/small.yaml").texts("h1") == [f"Small {HOSTILE}"]


def test_tables_have_headers_for_rows_and_columns(page: Page) -> None:
    scopes = [attributes.get("scope") for tag, attributes, _ in page.elements if tag == "th"]
    assert scopes and set(scopes) == {"row", "col"}


def test_no_folder_no_book(folder: Path) -> None:
    result = CliRunner().invoke(main, ["book", str(folder / "small"), str(folder / "nowhere/book.html")])
    assert result.exit_code == 1 and "there is no folder" in result.output
    french = CliRunner().invoke(main, ["book", "pig", str(folder / "nowhere/b.html"), "--lang", "fr"])
    assert "il n'y a pas de dossier" in french.output


def test_rules_with_errors_are_not_printed(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.rules").write_text(GAME.replace("near(u, c) else", "nearr(u, c) else"), encoding="utf-8")
    target = tmp_path / "book.html"
    result = CliRunner().invoke(main, ["book", str(tmp_path / "bad.rules"), str(target)])
    assert result.exit_code == 1 and "nearr" in result.output
    assert not target.exists()


def test_an_old_book_stays_if_the_new_one_cannot_be_written(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = folder / "kept.html"
    target.write_text("old", encoding="utf-8")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("ddob_rules.cli.writing.os.replace", full)
    result = CliRunner().invoke(main, ["book", "pig", str(target)])
    assert result.exit_code == 1 and "cannot be written" in result.output
    assert target.read_text(encoding="utf-8") == "old"
    assert {path.name for path in folder.iterdir()} <= {"kept.html", "book.html", "small", "over"}
