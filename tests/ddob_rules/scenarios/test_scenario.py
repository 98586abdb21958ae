"""From scenario files to checked data: encoding, references, includes, the hash, and never a crash."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ddob_rules.reports.diagnostics import Diagnostic, catalogue
from ddob_rules.resources import error_page
from ddob_rules.scenarios.reading import load_scenario, read_header, scenario_hash
from interpreter.ir import Program
from interpreter.machine.scenario import EdgeData, Scenario
from tests.ddob_rules.small_vocabulary import PROGRAM
from tests.places import CASES

FOLDER = CASES / "scenario"
HEADER = "scenario: small\nruleset: skirmish\n"
QUOTAS = "each: {player: {red: {quota: 1}, blue: {quota: 1}}}\n"
HEXES = 'boards:\n  hex:\n    legend: {".": {terrain: beach}}\n    rows: [". . .", ". . ."]\n'


def program_for(ruleset: str, overlays: tuple[str, ...]) -> tuple[Program | None, list[Diagnostic]]:
    return PROGRAM, []


def load(path: Path) -> tuple[Scenario | None, list[Diagnostic]]:
    return load_scenario(path, program_for, path.name)


def load_text(folder: Path, text: str, **others: str) -> tuple[Scenario | None, list[Diagnostic]]:
    for name, content in others.items():
        (folder / f"{name}.yaml").write_text(content, encoding="utf-8")
    path = folder / "small.yaml"
    path.write_text(HEADER + text, encoding="utf-8")
    return load(path)


def good() -> Scenario:
    scenario, diagnostics = load(FOLDER / "good.yaml")
    assert diagnostics == [] and scenario is not None
    return scenario


def test_scenario_may_begin_later_than_with_turn_one(tmp_path: Path) -> None:
    assert good().first_turn == 1
    scenario, diagnostics = load_text(tmp_path, QUOTAS + HEXES + "turns: {first: 17, last: 32}\n")
    assert diagnostics == [] and scenario is not None
    assert (scenario.first_turn, scenario.turns) == (17, 32)


def test_turns_begin_with_zero_if_the_scenario_says_so(tmp_path: Path) -> None:
    scenario, diagnostics = load_text(tmp_path, QUOTAS + HEXES + "turns: {first: 0, last: 4}\n")
    assert diagnostics == [] and scenario is not None
    assert (scenario.first_turn, scenario.turns) == (0, 4)


def codes(folder: Path, text: str, **others: str) -> list[str]:
    scenario, diagnostics = load_text(folder, text, **others)
    assert (scenario is None) == bool(diagnostics)
    return [item.code for item in diagnostics]


# ---------------------------------------------------------------- a good scenario


def test_the_header_is_read() -> None:
    scenario = good()
    assert (scenario.name, scenario.title, scenario.ruleset) == ("first-light", "First Light", "skirmish")
    # Options and players stand in the ruleset's order, whatever the file says.
    assert scenario.options == ("night", "mist")
    assert scenario.overlays == ("house-rules",)
    assert (scenario.turns, scenario.players, scenario.file) == (8, ("red", "blue"), "good.yaml")


def test_spaces_come_by_kind_and_then_row_by_row() -> None:
    assert " ".join(space.id for space in good().spaces) == (
        "0101 0102 0103 0104 0201 0203 0204 a1 b1 c1 a2 b2 c2 caen bayeux 1 2 3 reserve"
    )


def test_values_of_spaces_are_encoded() -> None:
    spaces = {space.id: space for space in good().spaces}
    assert spaces["0101"].values == (("terrain", 0),)
    assert spaces["0102"].values == (("terrain", 2), ("objective", True))
    assert spaces["0201"].values == (("terrain", 1), ("seen_from", ("0101", "0102")))
    assert (spaces["0204"].row, spaces["0204"].column) == (2, 4)


def test_links_join_boards_and_tracks_join_their_own_spaces() -> None:
    assert good().links == (
        ("caen", "bayeux"),
        ("1", "2"),
        ("2", "3"),
        ("0101", "reserve"),
        ("caen", "reserve"),
    )


def test_edges_are_gathered_from_both_ways_to_write_them() -> None:
    assert good().edges == (
        EdgeData(kind="hexside", first="0101", second="0102", values=(("road", True), ("crossings", 0b101))),
        EdgeData(kind="hexside", first="0102", second="0103", values=(("side", 0),)),
        EdgeData(kind="hexside", first="0103", second="0104", values=(("side", 0),)),
    )


def test_pieces_are_encoded_and_counted_out() -> None:
    pieces = {piece.id: piece for piece in good().pieces}
    assert list(pieces) == ["A/1", "B#1", "B#2", "B#3", "C", "L", "7", "c1", "c2", "c3"]
    assert pieces["A/1"].at == "0101"
    assert pieces["A/1"].values == (("owner", 0), ("steps", 3), ("weapons", 0b101), ("leader", "L"))
    assert dict(pieces["B#2"].values) == {
        "owner": 1,
        "steps": 2,
        "weapons": 0b010,
        "title": "1944",
        "route": ("reserve", "0101"),
        "draws": "hand(red)",
    }
    assert pieces["C"].at == "" and dict(pieces["C"].values) == {"owner": 0, "steps": 1, "spent": True}
    assert [dict(pieces[card].values) for card in ("c1", "c2", "c3")] == [{"answer": 1}, {"answer": 2}, {}]


def test_piles_follow_their_list_or_the_file() -> None:
    assert good().piles == (("deck", ("c2", "c1")), ("hand(blue)", ("c3",)), ("cup", ("L", "7")))


def test_start_values_are_encoded() -> None:
    scenario = good()
    assert scenario.each == (
        ("player", "red", "quota", 2),
        ("player", "blue", "quota", 3),
        ("player", "blue", "score", -1),
    )
    assert scenario.variables == (("storm", True),)


def test_copies_may_be_named_together_in_a_pile(tmp_path: Path) -> None:
    text = QUOTAS + "pieces: {order: [{id: c, count: 2}, {id: d}]}\npiles: {deck: [d, c]}\n"
    scenario, diagnostics = load_text(tmp_path, text)
    assert diagnostics == [] and scenario is not None
    assert scenario.piles == (("deck", ("d", "c#1", "c#2")),)


def test_players_who_do_not_take_part_need_no_start_values(tmp_path: Path) -> None:
    scenario, diagnostics = load_text(tmp_path, "players: [red]\neach: {player: {red: {quota: 1}}}\n")
    assert diagnostics == [] and scenario is not None and scenario.players == ("red",)


# ---------------------------------------------------------------- the hash


def test_the_hash_ignores_names_titles_and_remarks(tmp_path: Path) -> None:
    one, _ = load_text(tmp_path, QUOTAS + HEXES)
    other, _ = load_text(tmp_path, "title: Dawn\nnote: x\ndescription: y\n" + HEXES + QUOTAS)
    assert one is not None and other is not None
    assert one.hash == other.hash and re.fullmatch(r"[0-9a-f]{64}", one.hash)


@pytest.mark.parametrize(
    "text",
    [
        QUOTAS + HEXES.replace(". . .", ". ."),
        QUOTAS + HEXES.replace("beach", "sea"),
        QUOTAS + HEXES + "turns: 3\n",
        QUOTAS + HEXES + "options: [night]\n",
        QUOTAS.replace("1", "2") + HEXES,
        QUOTAS + HEXES + "variables: {wind: 1}\n",
        QUOTAS + HEXES + "variables: {storm: yes}\n",
    ],
)
def test_the_hash_covers_what_matters(tmp_path: Path, text: str) -> None:
    one, _ = load_text(tmp_path, QUOTAS + HEXES)
    other, _ = load_text(tmp_path, text)
    assert one is not None and other is not None and one.hash != other.hash


# ---------------------------------------------------------------- mistakes


# Those from E0640 on are about finding a scenario and choosing options: the command's cases show them.
@pytest.mark.parametrize("code", sorted(code for code in catalogue() if "E0601" <= code < "E0640"))
def test_every_code_has_a_case_that_gives_it_once_and_a_page(code: str) -> None:
    path = FOLDER / f"{code}.yaml"
    scenario, diagnostics = load(path)
    lines = path.read_text(encoding="utf-8").splitlines()
    marked = [number for number, line in enumerate(lines, start=1) if line.endswith(f"### {code}")]
    assert scenario is None
    assert [(item.code, item.spans[0].span.line) for item in diagnostics] == [(code, *marked)]
    page = error_page(code)
    assert page is not None
    text = page.read_text(encoding="utf-8")
    assert text.startswith(f"# {code}: {catalogue()[code].title_en}\n")
    assert re.findall(r"^## .*$", text, re.MULTILINE) == ["## Avoid", "## Prefer", "## Why"]


def test_every_case_has_a_code() -> None:
    assert {path.stem for path in FOLDER.glob("E*.yaml")} <= set(catalogue())


PIECE = "pieces:\n  infantry:\n    - {id: A, owner: red, steps: 1, "


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (PIECE + "at: 0104}\n", ["E0622"]),
        (PIECE + "leader: M}\n  leader:\n    - {id: L}\n", ["E0622"]),
        (PIECE + "leader: A}\n", ["E0623"]),
        (PIECE + "route: [0101, 0109, 0108]}\n", ["E0622", "E0622"]),
        (PIECE + "draws: hand}\n", ["E0622"]),
        (PIECE + "weapons: [gun, gun]}\n", ["E0636"]),
        (PIECE + "at: deck}\n", ["E0623"]),
        ("pieces: {order: [{id: c}, {id: d, at: deck}]}\npiles: {deck: [c]}\n", ["E0635"]),
        ("pieces: {order: [{id: c}]}\npiles: {deck: [c, c]}\n", ["E0636"]),
        ("pieces: {order: [{id: c}]}\npiles: {deck: [c], hand(red): [c]}\n", ["E0636"]),
        ("pieces: {leader: [{id: L}]}\npiles: {deck: [L]}\n", ["E0623"]),
        ("piles: {deck: [x]}\n", ["E0622"]),
        ("pieces: {leader: [{id: L, count: 3}, {id: L, count: 2}]}\n", ["E0621"]),
        ("pieces: {leader: [{id: L, count: 3, at: nowhere}]}\n", ["E0622"]),
        ("edges: {hexside: {0101|0102: {road: yes}, 0102|0101: {road: no}}}\n", ["E0607"]),
        ("edges: {hexside: {by: {side: {bluff: [0101|0102], shingle: [0101|0102]}}}}\n", ["E0607"]),
        ("edges: {hexside: {0101|0109: {road: yes}}}\n", ["E0622"]),
        ("edges: {hexside: {0101|0101: {road: yes}}}\n", ["E0625"]),
        ("players: [red, red]\n", ["E0636"]),
        ("rules: own.rules\n", ["E0619"]),
    ],
)
def test_one_wrong_reference_gives_one_diagnostic(tmp_path: Path, text: str, expected: list[str]) -> None:
    assert codes(tmp_path, QUOTAS + HEXES + text) == expected


def test_an_unknown_id_comes_with_a_suggestion(tmp_path: Path) -> None:
    _, diagnostics = load_text(tmp_path, QUOTAS + HEXES + "pieces: {leader: [{id: L, at: hand(rde)}]}\n")
    assert diagnostics[0].help == "did you mean `hand(red)`?"


@pytest.mark.parametrize(
    "boards",
    [
        HEXES.replace("hex:", "hx:"),
        HEXES.replace("boards:", "bords:"),
        HEXES.replace(". . .", "# . ."),
        HEXES.replace("rows: [", "rows: 3 #"),
        "include: [missing.yaml]\n",
    ],
)
def test_a_mistake_in_the_boards_is_not_held_against_what_lies_on_them(tmp_path: Path, boards: str) -> None:
    pieces = "pieces: {leader: [{id: L, at: 0101}]}\nedges: {hexside: {0101|0102: {road: yes}}}\n"
    assert len(codes(tmp_path, QUOTAS + boards + pieces)) == 1


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("terrain:", "terain:"),
        ("rows:", "row:"),
        ("legend:", "legnd:"),
        ("quota: 1}, blue", "qota: 1}, blue"),
        ("steps:", "step:"),
        ("id: A", "ids: A"),
        ("road:", "raod:"),
        ("numbering:", "numbers:"),
        ("scenario:", "scenaro:"),
    ],
)
def test_a_misspelt_key_is_not_told_as_missing_too(tmp_path: Path, right: str, wrong: str) -> None:
    numbered = HEXES + '    numbering: "{letter}{row}"\n  field:\n    size: [2, 2]\n'
    edge = "edges: {hexside: {a1|b1: {road: yes}}}\n"
    text = HEADER + QUOTAS + numbered + edge + PIECE + "at: b1, route: [b1]}\n"
    path = tmp_path / "small.yaml"
    path.write_text(text, encoding="utf-8")
    assert load(path)[1] == []
    path.write_text(text.replace(right, wrong), encoding="utf-8")
    assert [item.code for item in load(path)[1]] == ["E0612"]


def test_several_mistakes_are_told_in_one_run(tmp_path: Path) -> None:
    text = QUOTAS + HEXES + "turns: x\noptions: [nite]\n" + PIECE + "leader: none, spent: 3, at: 0101}\n"
    assert codes(tmp_path, text) == ["E0614", "E0615", "E0614"]


def test_missing_start_values_are_told_once_for_all_players(tmp_path: Path) -> None:
    _, diagnostics = load_text(tmp_path, HEXES)
    assert [item.message for item in diagnostics] == ["`quota` of `red, blue` has no value"]


def test_a_space_and_a_pile_cannot_share_an_id(tmp_path: Path) -> None:
    assert codes(tmp_path, QUOTAS + "boards: {town: {spaces: [deck]}}\n") == ["E0621"]


def test_spaces_of_two_boards_cannot_share_an_id(tmp_path: Path) -> None:
    assert codes(tmp_path, QUOTAS + "boards: {town: {spaces: [x]}, reserve_box: {spaces: [x]}}\n") == [
        "E0621"
    ]


def test_the_number_of_pieces_is_bounded(tmp_path: Path) -> None:
    entries = ", ".join(f"{{id: p{index}, count: 1000}}" for index in range(30))
    assert codes(tmp_path, QUOTAS + f"pieces: {{leader: [{entries}]}}\n") == ["E0609"]


def test_a_ruleset_that_is_not_found_still_lets_the_header_be_checked(tmp_path: Path) -> None:
    path = tmp_path / "small.yaml"
    path.write_text(HEADER + "turns: x\n", encoding="utf-8")
    scenario, diagnostics = load_scenario(path, lambda ruleset, overlays: (None, []))
    assert scenario is None and [item.code for item in diagnostics] == ["E0614"]


def test_the_ruleset_and_overlays_are_asked_for_by_name() -> None:
    asked: list[tuple[str, tuple[str, ...]]] = []

    def remember(ruleset: str, overlays: tuple[str, ...]) -> tuple[Program | None, list[Diagnostic]]:
        asked.append((ruleset, overlays))
        return PROGRAM, []

    load_scenario(FOLDER / "good.yaml", remember)
    assert asked == [("skirmish", ("house-rules",))]


def test_a_file_that_is_missing_or_no_mapping_is_told(tmp_path: Path) -> None:
    assert [item.code for item in load(tmp_path / "none.yaml")[1]] == ["E0001"]
    (tmp_path / "list.yaml").write_text("- a\n", encoding="utf-8")
    assert [item.code for item in load(tmp_path / "list.yaml")[1]] == ["E0614"]
    (tmp_path / "bare.yaml").write_text("title: x\n", encoding="utf-8")
    assert [item.code for item in load(tmp_path / "bare.yaml")[1]] == ["E0613", "E0613"]


def test_messages_follow_the_language() -> None:
    _, diagnostics = load_scenario(FOLDER / "E0621.yaml", program_for, language="fr")
    assert diagnostics[0].message == "l'identifiant `A` est utilisé deux fois"


# ---------------------------------------------------------------- includes


def test_included_lists_come_first_and_mappings_are_merged(tmp_path: Path) -> None:
    part = 'boards: {hex: {legend: {".": {terrain: sea}}, rows: ["."]}}\npieces: {leader: [{id: A}]}\n'
    text = 'include: [part.yaml]\nboards: {hex: {legend: {"x": {terrain: woods}}, rows: ["x"]}}\n'
    scenario, diagnostics = load_text(tmp_path, text + "pieces: {leader: [{id: B}]}\n" + QUOTAS, part=part)
    assert diagnostics == [] and scenario is not None
    assert [(space.id, space.values) for space in scenario.spaces] == [
        ("0101", (("terrain", 0),)),
        ("0201", (("terrain", 2),)),
    ]
    assert [piece.id for piece in scenario.pieces] == ["A", "B"]


@pytest.mark.parametrize(
    ("part", "text", "code"),
    [
        ("boards: {town: {spaces: [x]}}", "boards: {town: {spaces: {x: {size: 1}}}}", "E0621"),
        ("pieces: {leader: [{id: A}]}", "pieces: {leader: [{id: A}]}", "E0621"),
        ("variables: {wind: 1}", "variables: {wind: 2}", "E0607"),
        ("boards: {field: {size: [1, 1]}}", "boards: {field: {size: [1, 2]}}", "E0607"),
        ("title: x", "title: y", "E0612"),
        ("- a", "title: y", "E0614"),
        ("", "title: y", "E0601"),
    ],
)
def test_conflicts_between_files_show_both_places(tmp_path: Path, part: str, text: str, code: str) -> None:
    _, diagnostics = load_text(tmp_path, f"include: [part.yaml]\n{QUOTAS}{text}\n", part=part)
    assert [item.code for item in diagnostics] == [code]
    if code in ("E0621", "E0607"):
        assert [label.span.source.path for label in diagnostics[0].spans] == ["small.yaml", "part.yaml"]


def test_a_circle_of_includes_is_an_error_and_a_diamond_is_not(tmp_path: Path) -> None:
    first, second = "include: [second.yaml]", "include: [first.yaml]"
    assert codes(tmp_path, QUOTAS + "include: [first.yaml]\n", first=first, second=second) == ["E0620"]
    both = "include: [shared.yaml]\n"
    text = QUOTAS + "include: [first.yaml, second.yaml]\n"
    shared = "pieces: {leader: [{id: A}]}"
    assert codes(tmp_path, text, first=both, second=both, shared=shared) == []


@pytest.mark.parametrize(
    ("name", "code"),
    [('"a\\0b"', "E0619"), ("x" * 5000, "E0619"), (".", "E0619"), ("../..", "E0646"), ("/dev/null", "E0646")],
)
def test_an_include_that_is_no_file_is_told(tmp_path: Path, name: str, code: str) -> None:
    assert codes(tmp_path, QUOTAS + f"include: [{name}]\n") == [code]


# ---------------------------------------------------------------- headers


def test_a_header_is_read_without_the_ruleset(tmp_path: Path) -> None:
    (tmp_path / "own.rules").write_text("", encoding="utf-8")
    path = tmp_path / "small.yaml"
    path.write_text(HEADER + "rules: own.rules\noptions: [night]\npieces: {whatever: 1}\n", encoding="utf-8")
    header = read_header(path)
    assert header is not None
    assert (header.name, header.title, header.ruleset) == ("small", "small", "skirmish")
    assert (header.options, header.overlays, header.path) == (("night",), (), path)
    assert header.rules is not None and header.rules.name == "own.rules"


def test_what_is_no_scenario_has_no_header(tmp_path: Path) -> None:
    assert read_header(FOLDER / "parts" / "map.yaml") is None
    assert read_header(FOLDER / "E0603.yaml") is None
    assert read_header(tmp_path / "none.yaml") is None


# ---------------------------------------------------------------- never a crash

FILES = {name: (FOLDER / name).read_bytes() for name in ("good.yaml", "parts/map.yaml", "parts/cards.yaml")}
JUNK = [
    b"- ",
    b": ",
    b"[",
    b"}",
    b"  ",
    b"\n",
    b"&a ",
    b"*a",
    b"0101",
    b"none",
    b"no",
    b"{}",
    b"[]",
    b"9" * 40,
    b"|",
]


@st.composite
def damaged(draw: st.DrawFn) -> dict[str, bytes]:
    """The good scenario with one of its files changed in a few places."""
    name = draw(st.sampled_from(list(FILES)))
    lines = FILES[name].split(b"\n")
    for _ in range(draw(st.integers(1, 4))):
        index = draw(st.integers(0, len(lines) - 1))
        line = lines[index]
        position = draw(st.integers(0, len(line)))
        match draw(st.sampled_from(["flip", "delete", "repeat", "junk", "swap"])):
            case "flip" if position < len(line):
                flipped = bytes([line[position] ^ (1 << draw(st.integers(0, 7)))])
                lines[index] = line[:position] + flipped + line[position + 1 :]
            case "delete" if len(lines) > 1:
                del lines[index]
            case "repeat":
                lines.insert(index, line)
            case "swap":
                lines[index], lines[0] = lines[0], lines[index]
            case _:
                lines[index] = line[:position] + draw(st.sampled_from(JUNK)) + line[position:]
    return {**FILES, name: b"\n".join(lines)}


@settings(max_examples=300, deadline=None)
@given(damaged())
def test_no_damage_to_a_file_makes_loading_fail(
    tmp_path_factory: pytest.TempPathFactory, files: dict[str, bytes]
) -> None:
    folder = tmp_path_factory.getbasetemp() / "damaged"
    (folder / "parts").mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    path = folder / "good.yaml"
    scenario, diagnostics = load(path)
    assert (scenario is None) == any(item.severity == "error" for item in diagnostics)
    for item in diagnostics:
        assert item.spans and item.message
    read_header(path)


def test_a_scenario_without_its_hash_field_hashes_the_same() -> None:
    scenario = good()
    assert scenario_hash(replace(scenario, hash="", title="", file="")) == scenario.hash
