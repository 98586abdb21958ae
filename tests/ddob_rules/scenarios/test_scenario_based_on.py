"""Scenarios that build on others: what they take over, add and change; and data by a ruleset's name."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ddob_rules.library.finding import find_data, find_scenario, read_header
from ddob_rules.loading import load_game
from ddob_rules.reports.diagnostics import Diagnostic
from ddob_rules.scenarios.reading import load_scenario
from interpreter.ir import NUMBER, Attribute, Program
from interpreter.machine.scenario import PieceData, Scenario
from tests.ddob_rules.small_vocabulary import KINDS, PROGRAM

BASE = """\
scenario: dawn
title: Dawn
description: The first hour.
ruleset: skirmish
turns: {first: 2, last: 8}
players: [red, blue]
options: [night]
boards:
  hex:
    provenance: reconstructed
    legend: {".": {terrain: beach}, "w": {terrain: woods}}
    rows: [". . w", ". . ."]
    spaces: {"0101": {objective: yes}}
  town: {spaces: {caen: {size: 3}, bayeux: {size: 2}}, links: [[caen, bayeux]]}
edges:
  hexside:
    "0101|0102": {road: yes, side: bluff}
    by:
      side: {shingle: ["0102|0103", "0101|0201"]}
      crossings: {rifle: ["0101|0102"]}
pieces:
  infantry:
    - {id: A/1, owner: red, steps: 3, weapons: [rifle, gun], leader: L, at: "0101", provenance: reconstructed}
    - {id: B, owner: blue, steps: 2, at: "0103", count: 2}
  leader: [{id: L, at: cup}]
  order: [{id: c1}, {id: c2}, {id: c3, at: hand(red)}]
piles: {deck: [c2, c1]}
each: {player: {red: {quota: 2, score: 1}, blue: {quota: 3}}}
variables: {storm: yes, wind: 4}
"""


def program_for(ruleset: str, overlays: tuple[str, ...]) -> tuple[Program | None, list[Diagnostic]]:
    return PROGRAM, []


def load(folder: Path, text: str, program: Program = PROGRAM) -> tuple[Scenario | None, list[Diagnostic]]:
    """A scenario `dusk` in a folder, beside the scenario `dawn`."""
    (folder / "dawn.yaml").write_text(BASE, encoding="utf-8")
    path = folder / "dusk.yaml"
    path.write_text(f"scenario: dusk\n{text}", encoding="utf-8")
    return load_scenario(path, lambda ruleset, overlays: (program, []), path.name)


def loaded(folder: Path, text: str = "") -> Scenario:
    scenario, diagnostics = load(folder, f"based_on: dawn\n{text}")
    assert diagnostics == [] and scenario is not None
    return scenario


def piece(scenario: Scenario, name: str) -> PieceData:
    return next(piece for piece in scenario.pieces if piece.id == name)


def edges(scenario: Scenario) -> dict[str, dict[str, object]]:
    return {f"{edge.first}|{edge.second}": dict(edge.values) for edge in scenario.edges}


# ---------------------------------------------------------------- what is taken over


def test_a_scenario_with_nothing_of_its_own_is_the_other_under_its_own_name(tmp_path: Path) -> None:
    scenario = loaded(tmp_path)
    base, _ = load_scenario(tmp_path / "dawn.yaml", program_for)
    assert base is not None and scenario.hash == base.hash
    assert (scenario.name, scenario.title, scenario.description) == ("dusk", "dusk", "")
    assert (scenario.ruleset, scenario.turns, scenario.first_turn) == ("skirmish", 8, 2)
    assert (scenario.options, scenario.file) == (("night",), "dusk.yaml")


def test_keys_of_the_head_take_the_place_of_those_of_the_base(tmp_path: Path) -> None:
    scenario = loaded(tmp_path, "title: Dusk\nturns: 9\noptions: []\nplayers: [red]\n")
    assert (scenario.title, scenario.turns, scenario.first_turn) == ("Dusk", 9, 2)
    assert (scenario.options, scenario.players) == ((), ("red",))


def test_includes_of_the_base_come_along_and_may_be_included_again(tmp_path: Path) -> None:
    (tmp_path / "more.yaml").write_text("pieces: {leader: [{id: M}]}\n", encoding="utf-8")
    (tmp_path / "noon.yaml").write_text(
        "scenario: noon\nbased_on: dawn.yaml\ninclude: [more.yaml]\n", encoding="utf-8"
    )
    for text in ("based_on: noon\n", "based_on: noon\ninclude: [more.yaml]\n"):
        scenario, diagnostics = load(tmp_path, text)
        assert diagnostics == [] and scenario is not None
        assert [piece.id for piece in scenario.pieces if piece.kind == "leader"] == ["L", "M"]


def test_each_scenario_of_a_chain_changes_the_one_before(tmp_path: Path) -> None:
    (tmp_path / "noon.yaml").write_text(
        "scenario: noon\nbased_on: dawn\nturns: 5\nvariables: {storm: no, wind: 5}\n", encoding="utf-8"
    )
    scenario, diagnostics = load(tmp_path, "based_on: noon\nvariables: {wind: 6}\n")
    assert diagnostics == [] and scenario is not None
    assert (scenario.turns, scenario.first_turn) == (5, 2)
    assert scenario.variables == (("storm", False), ("wind", 6))


# ---------------------------------------------------------------- what is changed


def test_a_piece_keeps_what_is_not_named_again(tmp_path: Path) -> None:
    scenario = loaded(tmp_path, 'pieces: {infantry: [{id: A/1, at: "0202", steps: 1}]}\n')
    changed = piece(scenario, "A/1")
    assert changed.at == "0202"
    assert dict(changed.values) == {"owner": 0, "steps": 1, "weapons": 0b101, "leader": "L"}
    assert [piece.id for piece in scenario.pieces] == ["A/1", "B#1", "B#2", "L", "c1", "c2", "c3"]


def test_an_optional_attribute_is_taken_away_with_none(tmp_path: Path) -> None:
    scenario = loaded(tmp_path, "pieces: {infantry: [{id: A/1, leader: none}]}\n")
    assert "leader" not in dict(piece(scenario, "A/1").values)


def test_equal_pieces_are_changed_together(tmp_path: Path) -> None:
    scenario = loaded(tmp_path, "pieces: {infantry: [{id: B, steps: 1, count: 3}]}\n")
    copies = [item for item in scenario.pieces if item.id.startswith("B#")]
    assert [(item.at, dict(item.values)["steps"]) for item in copies] == [("0103", 1)] * 3


def test_one_of_several_equal_pieces_is_changed_by_its_own_id(tmp_path: Path) -> None:
    (tmp_path / "noon.yaml").write_text(
        "scenario: noon\nbased_on: dawn\npieces: {infantry: [{id: B#2, at: cup}]}\n", encoding="utf-8"
    )
    text = "based_on: noon\npieces: {infantry: [{id: B, steps: 1}, {id: B#1, steps: 5}]}\n"
    scenario, diagnostics = load(tmp_path, text)
    assert diagnostics == [] and scenario is not None
    copies = [piece(scenario, name) for name in ("B#1", "B#2")]
    assert [(item.at, dict(item.values)["steps"]) for item in copies] == [("0103", 5), ("cup", 1)]


def test_the_number_of_pieces_that_became_different_is_fixed(tmp_path: Path) -> None:
    (tmp_path / "noon.yaml").write_text(
        "scenario: noon\nbased_on: dawn\npieces: {infantry: [{id: B#2, at: cup}]}\n", encoding="utf-8"
    )
    text = "based_on: noon\npieces: {infantry: [{id: B, count: 3, owner: red, steps: 1}]}\n"
    assert [item.code for item in load(tmp_path, text)[1]] == ["E0621"]


def test_several_equal_pieces_that_became_different_are_still_listed_together(tmp_path: Path) -> None:
    text = "pieces: {infantry: [{id: B#2, steps: 1}]}\npiles: {cup: [B, L]}\n"
    scenario = loaded(tmp_path, text.replace("B#2, ", "B, at: cup}, {id: B#2, "))
    assert ("cup", ("B#1", "B#2", "L")) in scenario.piles


def test_at_nothing_leaves_a_piece_or_a_card_out(tmp_path: Path) -> None:
    cards = "order: [{id: c2, at: nothing}, {id: c3, at: nothing}]"
    scenario = loaded(tmp_path, f"pieces: {{infantry: [{{id: A/1, at: nothing}}], {cards}}}\n")
    assert [piece(scenario, name).at for name in ("A/1", "c2", "c3")] == ["", "", ""]
    assert scenario.piles == (("deck", ("c1",)), ("cup", ("L",)))


def test_a_piece_leaves_its_pile_for_another_place(tmp_path: Path) -> None:
    scenario = loaded(
        tmp_path, "pieces: {order: [{id: c1, at: hand(blue)}], leader: [{id: L, at: '0101'}]}\n"
    )
    assert scenario.piles == (("deck", ("c2",)), ("hand(red)", ("c3",)), ("hand(blue)", ("c1",)))


def test_the_list_of_a_pile_takes_the_place_of_the_other(tmp_path: Path) -> None:
    scenario = loaded(tmp_path, "piles: {deck: [c3, c1, c2]}\n")
    assert scenario.piles == (("deck", ("c3", "c1", "c2")), ("cup", ("L",)))


def test_spaces_are_changed_attribute_by_attribute(tmp_path: Path) -> None:
    text = """\
boards:
  hex: {spaces: {"0101": {terrain: sea}, "0102": {objective: yes}}}
  town: {spaces: {caen: {size: 9}, bayeux: , vire: {size: 1}}, links: [[vire, caen]]}
"""
    scenario = loaded(tmp_path, text)
    spaces = {space.id: dict(space.values) for space in scenario.spaces}
    assert spaces["0101"] == {"terrain": 0, "objective": True}
    assert spaces["0102"] == {"terrain": 1, "objective": True}
    assert [spaces[name]["size"] for name in ("caen", "bayeux", "vire")] == [9, 2, 1]
    assert scenario.links == (("caen", "bayeux"), ("caen", "vire"))


def test_a_legend_entry_is_changed_and_a_drawing_is_replaced(tmp_path: Path) -> None:
    text = 'boards: {hex: {legend: {"w": {objective: yes}}, rows: ["w w .", ". . w"]}}\n'
    spaces = {space.id: dict(space.values) for space in loaded(tmp_path, text).spaces}
    assert spaces["0102"] == spaces["0203"] == {"terrain": 2, "objective": True}
    assert spaces["0103"] == {"terrain": 1}


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ('"0102|0101": {side: shingle}', {"road": True, "side": 0, "crossings": 0b001}),
        ('"0101|0102": {crossings: [gun]}', {"road": True, "side": 1, "crossings": 0b100}),
        ('by: {side: {shingle: ["0102|0101"]}}', {"road": True, "side": 0, "crossings": 0b001}),
        (
            'by: {crossings: {gun: ["0101|0102"], mortar: ["0102|0101"]}}',
            {"road": True, "side": 1, "crossings": 0b110},
        ),
    ],
)
def test_edges_are_changed_in_either_way_to_write_them(
    tmp_path: Path, text: str, changed: dict[str, object]
) -> None:
    found = edges(loaded(tmp_path, f"edges: {{hexside: {{{text}}}}}\n"))
    assert found == {"0101|0102": changed, "0102|0103": {"side": 0}, "0101|0201": {"side": 0}}


def test_an_edge_of_a_list_is_changed_by_itself(tmp_path: Path) -> None:
    found = edges(loaded(tmp_path, 'edges: {hexside: {"0102|0103": {side: bluff}}}\n'))
    assert (found["0102|0103"], found["0101|0201"]) == ({"side": 1}, {"side": 0})


def test_start_values_are_changed_attribute_by_attribute(tmp_path: Path) -> None:
    scenario = loaded(tmp_path, "each: {player: {red: {quota: 7}}}\nvariables: {wind: 1}\n")
    assert scenario.each == (
        ("player", "red", "quota", 7),
        ("player", "red", "score", 1),
        ("player", "blue", "quota", 3),
    )
    assert scenario.variables == (("storm", True), ("wind", 1))


@settings(max_examples=50, deadline=None)
@given(
    steps=st.none() | st.integers(0, 9),
    at=st.sampled_from([None, "0101", "0202", "cup", "nothing"]),
    weapons=st.none() | st.sets(st.sampled_from(["rifle", "mortar", "gun"])),
)
def test_what_is_named_changes_and_nothing_else(
    tmp_path_factory: pytest.TempPathFactory, steps: int | None, at: str | None, weapons: set[str] | None
) -> None:
    named = {"steps": steps, "at": at, "weapons": None if weapons is None else sorted(weapons)}
    text = "".join(f", {key}: {value}" for key, value in named.items() if value is not None)
    folder = tmp_path_factory.getbasetemp()
    base, changed = loaded(folder), loaded(folder, f"pieces: {{infantry: [{{id: A/1{text}}}]}}\n")
    before, after = piece(base, "A/1"), piece(changed, "A/1")
    assert after.at == ("" if at == "nothing" else at or before.at)
    for name, value in before.values:
        if named.get(name) is None:
            assert dict(after.values)[name] == value
    assert [item for item in base.pieces if item != before] == [
        item for item in changed.pieces if item != after
    ]


# ---------------------------------------------------------------- mistakes


@pytest.mark.parametrize(
    ("text", "code", "line", "advice"),
    [
        ("dwan\n", "E0640", 2, "did you mean"),
        ("dwan.yaml\n", "E0619", 2, ""),
        ("dusk\n", "E0644", 2, ""),
        ("[dawn]\n", "E0614", 2, ""),
        ("dawn\npieces: {infantry: [{id: A/2, at: '0101'}]}\n", "E0628", 3, "did you mean `A/1`?"),
        ("dawn\npieces: {infantry: [{id: B#3, at: '0101'}]}\n", "E0628", 3, ""),
        ("dawn\npieces: {infantry: [{id: new, owner: red, step: 1}]}\n", "E0612", 3, "did you mean `steps`?"),
        ("dawn\npieces: {infantry: [{id: A/1, step: 1}]}\n", "E0612", 3, "did you mean `steps`?"),
        ("dawn\npieces: {infantry: [{id: A/1}, {id: A/1}]}\n", "E0621", 3, ""),
        ("dawn\npieces: {leader: [{id: A/1}]}\n", "E0621", 3, ""),
        ("dawn\nboards: {hex: {spaces: {0110: {objective: yes}}}}\n", "E0622", 3, "did you mean `0101`?"),
        ("dawn\nvariables: {storm: 3}\n", "E0614", 3, ""),
        ("dawn\ntitle: a\nruleset: skirmish\nvariables: {wind: 1, wind: 2}\n", "E0607", 5, ""),
    ],
)
def test_one_mistake_gives_one_finding_at_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, code: str, line: int, advice: str
) -> None:
    folder = tmp_path / "game" / "scenarios"
    folder.mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    scenario, diagnostics = load(folder, f"based_on: {text}")
    assert scenario is None
    assert [(item.code, item.spans[0].span.source.path) for item in diagnostics] == [(code, "dusk.yaml")]
    assert diagnostics[0].spans[0].span.line == line and advice in diagnostics[0].help


def test_what_a_new_piece_lacks_is_told_once(tmp_path: Path) -> None:
    _, diagnostics = load(tmp_path, "based_on: dawn\npieces: {infantry: [{id: newcomer}]}\n")
    assert [item.message for item in diagnostics] == ["`owner, steps` of `newcomer` has no value"]


def test_a_circle_is_told_where_it_closes(tmp_path: Path) -> None:
    (tmp_path / "noon.yaml").write_text("scenario: noon\nbased_on: dusk\n", encoding="utf-8")
    _, diagnostics = load(tmp_path, "ruleset: skirmish\nbased_on: noon\n")
    assert [(item.code, Path(item.spans[0].span.source.path).name) for item in diagnostics] == [
        ("E0644", "noon.yaml")
    ]


def test_mistakes_in_the_base_are_told_in_its_own_file(tmp_path: Path) -> None:
    (tmp_path / "noon.yaml").write_text(
        BASE.replace("dawn", "noon").replace("steps: 3", "steps: x"), encoding="utf-8"
    )
    _, diagnostics = load(tmp_path, "based_on: noon.yaml\n")
    assert [(item.code, item.spans[0].span.source.path) for item in diagnostics] == [("E0614", "noon.yaml")]


@pytest.mark.parametrize(("text", "code"), [("- a\n", "E0614"), ("", "E0601"), ("turns: 3\n", "E0613")])
def test_a_base_that_is_no_scenario_is_told(tmp_path: Path, text: str, code: str) -> None:
    (tmp_path / "noon.yaml").write_text(text, encoding="utf-8")
    _, diagnostics = load(tmp_path, "based_on: noon.yaml\nruleset: skirmish\n")
    assert {item.code for item in diagnostics} == {code}


OWN = """\
scenario: dusk
based_on: dawn
boards: {hex: {spaces: {"0102": {objective: yes}}, links: [["0101", caen]]}, town: {spaces: [caen, vire]}}
edges: {hexside: {"0102|0101": {side: shingle}, by: {crossings: {gun: ["0102|0103"]}}}}
pieces:
  infantry: [{id: A/1, at: nothing}, {id: B#1, steps: 1}]
  order: [{id: c1, at: hand(red)}]
piles: {deck: [c2]}
each: {player: {red: {quota: 7}}}
variables: {wind: 1}
"""
JUNK = ["- ", ": ", "[", "}", "{}", "[]", "none", "#1", "|", "count: 2, ", "id: , ", "by: ", "dusk", "\n"]


@settings(max_examples=150, deadline=None)
@given(
    own=st.booleans(),
    changes=st.lists(
        st.tuples(st.integers(0, 2000), st.integers(0, 9), st.sampled_from(JUNK)), min_size=1, max_size=3
    ),
)
def test_no_damage_to_either_file_makes_loading_fail(
    tmp_path_factory: pytest.TempPathFactory, own: bool, changes: list[tuple[int, int, str]]
) -> None:
    folder = tmp_path_factory.getbasetemp() / "damaged" / "game" / "scenarios"
    folder.mkdir(parents=True, exist_ok=True)
    text = OWN if own else BASE
    for place, length, junk in changes:
        place %= len(text)
        text = text[:place] + junk + text[place + length :]
    (folder / "dawn.yaml").write_text(BASE if own else text, encoding="utf-8")
    (folder / "dusk.yaml").write_text(text if own else OWN, encoding="utf-8")
    scenario, diagnostics = load_scenario(folder / "dusk.yaml", program_for)
    assert (scenario is None) == any(item.severity == "error" for item in diagnostics)
    assert all(item.spans and item.message for item in diagnostics)


# ---------------------------------------------------------------- rulesets


EXTENDED = replace(
    PROGRAM,
    name="campaign",
    stack=("skirmish", "campaign"),
    kinds=tuple(
        replace(kind, attributes=(*kind.attributes, Attribute(name="morale", type=NUMBER)))
        if kind.name == "leader"
        else kind
        for kind in KINDS
    ),
)


def test_the_ruleset_may_extend_that_of_the_base_and_ask_for_more(tmp_path: Path) -> None:
    text = "ruleset: campaign\nbased_on: dawn\n"
    _, diagnostics = load(tmp_path, text, EXTENDED)
    assert [item.message for item in diagnostics] == ["`morale` of `L` has no value"]
    scenario, diagnostics = load(tmp_path, text + "pieces: {leader: [{id: L, morale: 4}]}\n", EXTENDED)
    assert diagnostics == [] and scenario is not None
    assert piece(scenario, "L") == PieceData(id="L", kind="leader", at="cup", values=(("morale", 4),))


def test_a_ruleset_that_does_not_extend_that_of_the_base_is_an_error(tmp_path: Path) -> None:
    other = replace(PROGRAM, name="other", stack=("other",))
    _, diagnostics = load(tmp_path, "ruleset: other\nbased_on: dawn\n", other)
    assert [item.code for item in diagnostics] == ["E0645"]
    assert len(diagnostics[0].spans) == 2


# ---------------------------------------------------------------- names, headers, and the cache


GAME = """\
ruleset game "A Game" edition "1"
players red
rule 1:
  "A unit and a box."
  space box
  piece unit:
    steps: number
  variable windy: flag = no
  sequence turn:
    phase move: red takes 1 action
  action wait "Wait" () by p in move:
    do: set windy to no
"""


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game, and in the current folder, elsewhere, nothing yet."""
    files = {
        "games/game/game.rules": GAME,
        "games/game/data/units.yaml": "pieces: {unit: [{id: A, steps: 2, at: here}]}\n",
        "games/game/data/map.yaml": "boards: {box: {spaces: [here, there]}}\n",
        "games/game/scenarios/first.yaml": (
            "scenario: first\nruleset: game\nturns: 3\nrules: first.rules\n"
            "include: [../data/map.yaml, ../data/units.yaml]\n"
        ),
        "games/game/scenarios/first.rules": (
            'ruleset windy_game "Wind" extends game\n'
            'rule W:\n  "Wind."\n  at start of move: set windy to yes\n'
        ),
        "secret.yaml": "variables: {windy: yes}\n",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path / "games")
    return tmp_path


def test_data_is_found_by_the_name_of_its_ruleset(library: Path) -> None:
    path = library / "mine.yaml"
    found = find_data("game/data/map.yaml", path, "mine.yaml")
    assert found == ((library / "games/game/data/map.yaml").resolve(), "game/data/map.yaml")
    path.write_text("scenario: mine\nruleset: game\ninclude: [game/data/map.yaml]\n", encoding="utf-8")
    opened = load_game(str(path))
    assert opened.problems == [] and opened.scenario is not None
    assert [space.id for space in opened.scenario.spaces] == ["here", "there"]


def test_a_file_beside_comes_before_a_ruleset(library: Path) -> None:
    beside = library / "game" / "data" / "map.yaml"
    beside.parent.mkdir(parents=True)
    beside.write_text("boards: {}\n", encoding="utf-8")
    assert find_data("game/data/map.yaml", library / "mine.yaml", "mine.yaml") == (
        beside.resolve(),
        "game/data/map.yaml",
    )


@pytest.mark.parametrize(
    "name",
    ["game/../../secret.yaml", "game/no.yaml", "gmae/data/map.yaml", "game", "game/", "./x/y", "\0/a"],
)
def test_a_ruleset_s_name_never_leads_out_of_its_folder(library: Path, name: str) -> None:
    assert find_data(name, library / "games" / "deep" / "mine.yaml", "mine.yaml") is None


def test_a_link_out_of_the_ruleset_s_folder_is_not_followed(library: Path) -> None:
    (library / "games" / "game" / "data" / "link.yaml").symlink_to(library / "secret.yaml")
    assert find_data("game/data/link.yaml", library / "mine.yaml", "mine.yaml") is None


def test_ruleset_and_rules_of_the_base_come_along(library: Path) -> None:
    path = library / "mine.yaml"
    path.write_text(
        "scenario: mine\nbased_on: first\npieces: {unit: [{id: A, at: there}]}\n", encoding="utf-8"
    )
    header = read_header(path)
    assert header is not None and (header.name, header.title, header.ruleset) == ("mine", "mine", "game")
    assert header.rules == (library / "games/game/scenarios/first.rules").resolve()
    opened = load_game(str(path))
    assert opened.problems == [] and opened.scenario is not None and opened.game is not None
    assert opened.scenario.pieces == (PieceData(id="A", kind="unit", at="there", values=(("steps", 2),)),)
    assert "windy-game" in {name.replace("_", "-") for name in opened.game.program.stack}


def test_a_scenario_may_have_the_name_of_the_one_it_is_based_on(library: Path) -> None:
    path = library / "mine.yaml"
    path.write_text("scenario: first\nbased_on: first\nturns: 5\n", encoding="utf-8")
    opened = load_game(str(path))
    assert opened.problems == [] and opened.scenario is not None and opened.scenario.turns == 5


def test_a_scenario_whose_base_is_missing_is_still_listed(library: Path) -> None:
    path = library / "games" / "game" / "scenarios" / "second.yaml"
    path.write_text("scenario: second\nbased_on: frist\n", encoding="utf-8")
    assert find_scenario("second") is not None
    assert [(item.code, item.help) for item in load_game("second").problems] == [
        ("E0640", "did you mean `first`?")
    ]


def test_a_change_of_any_file_is_noticed(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DDOB_CACHE", str(library / "cache"))
    path = library / "mine.yaml"
    path.write_text("scenario: mine\nbased_on: first\n", encoding="utf-8")

    def state() -> tuple[int | None, object]:
        scenario = load_game(str(path)).scenario
        assert scenario is not None
        return scenario.turns, scenario.pieces[0].values

    assert state() == state() == (3, (("steps", 2),))
    assert any((library / "cache").iterdir())
    base = library / "games" / "game" / "scenarios" / "first.yaml"
    base.write_text(base.read_text(encoding="utf-8").replace("turns: 3", "turns: 4"), encoding="utf-8")
    assert state() == (4, (("steps", 2),))
    units = library / "games" / "game" / "data" / "units.yaml"
    units.write_text("pieces: {unit: [{id: A, steps: 7, at: here}]}\n", encoding="utf-8")
    assert state() == (4, (("steps", 7),))
