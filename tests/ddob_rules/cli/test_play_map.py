"""A map as the rules show it: tiles, the part that matters, what a thing refers to, a look ahead."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ddob_rules.cli.terminal.board import Drawing
from ddob_rules.cli.terminal.focus import (
    numbers_of_places,
    on_grid,
    pieces_asked_about,
    places_asked_about,
    reach_of,
)
from ddob_rules.cli.terminal.palette import other_tint, tint
from ddob_rules.cli.terminal.preview import would_do
from ddob_rules.cli.terminal.tiles import Tile, Written, drawn
from ddob_rules.reports.render import display_width
from interpreter.machine.game import Game
from interpreter.machine.state import State
from interpreter.telling.showing import Showing
from tests.ddob_rules.cli.playing import ddob, pexpect, pyte, terminal
from tests.looping import each
from tests.running import play
from tests.telling_game import FILE, RULES, SCENARIO

WORDS = ("play", "told-scenario", "--seed", "1", "--player", "blue=random")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "told" / "scenarios").mkdir(parents=True)
    (tmp_path / "told" / "told.rules").write_text(RULES, encoding="utf-8")
    (tmp_path / "told" / "scenarios" / "told-scenario.yaml").write_text(FILE, encoding="utf-8")
    return tmp_path


def started() -> tuple[Game, State]:
    game = play(RULES, scenario=SCENARIO)
    return game, game.start(seed=1)


def drawing(
    game: Game, state: State, *, colour: bool = False, about: frozenset[str] | None = None
) -> Drawing:
    showing = Showing(game, state, "red")
    return Drawing(game, game.view(state, "red"), 100, colour, "en", showing, about)


# ---------------------------------------------------------------- the map


def test_of_a_big_map_only_the_part_that_is_asked_about_is_drawn() -> None:
    game, state = started()
    part = drawing(game, state, about=frozenset({"b2"})).lines()
    whole = drawing(game, state).lines()
    assert "r1 3:4" in "".join(part) and "b9 3:?" not in "".join(part)
    assert "b9 3:?" in "".join(whole)
    assert part[0] == whole[0] == "Wind 0"


def test_rows_of_hexes_are_shifted_by_half_a_space() -> None:
    game, state = started()
    lines = drawing(game, state, about=frozenset({"b2"})).lines()
    first = next(line for line in lines if "a1." in line)
    second = next(line for line in lines if "a2." in line)
    assert first.index("a1") < second.index("a2") < first.index("b1")


def test_units_of_one_space_lie_below_each_other_in_their_column() -> None:
    game, state = started()
    lines = drawing(game, state, about=frozenset({"b2"})).lines()
    row = next(number for number, line in enumerate(lines) if "b2." in line)
    at = lines[row].index("b2.")
    assert lines[row + 1][at : at + 6] == "r1 3:4"
    assert lines[row + 2][at : at + 6] == "r2 3:5"


def test_bookkeeping_is_never_drawn() -> None:
    game, state = started()
    for lines in each([drawing(game, state, about=frozenset({"b2"})).lines(), drawing(game, state).lines()]):
        assert lines and not [line for line in lines if "shots" in line]


def test_a_question_about_no_place_draws_no_map() -> None:
    game, state = started()
    lines = drawing(game, state, about=frozenset()).lines()
    assert "(`board` shows the map)" in lines


def test_colours_are_laid_on_top_of_the_map() -> None:
    game, state = started()
    plain, coloured = (drawing(game, state, colour=colour).lines() for colour in (False, True))
    assert plain != coloured
    assert plain == [click.unstyle(line) for line in coloured]


@given(
    names=st.lists(st.text("abcé漢", min_size=1, max_size=14), min_size=1, max_size=12),
    width=st.integers(20, 130),
)
def test_no_line_is_wider_than_the_screen(names: list[str], width: int) -> None:
    tiles = [
        Tile(2 * (number % 6) + number // 6, number // 6, Written(f"{number:02}"), (Written(name),))
        for number, name in enumerate(names)
    ]
    lines = drawn(tiles, width, False)
    assert max(map(display_width, lines)) <= width
    assert all(any(f"{number:02}" in line for line in lines) for number in range(len(names)))


def test_more_things_than_a_space_has_room_for_are_counted() -> None:
    things = tuple(Written(f"unit-{number}") for number in range(9))
    lines = drawn([Tile(0, 0, Written("a1"), things)], 40, False)
    assert lines[-1].strip("| ") == "+4"


def test_what_is_too_wide_for_its_space_goes_on_below_it() -> None:
    things = (Written("709/919 1-6-2"), Written("one-word-that-is-long"), Written("4/8 5-8-4"))
    lines = [line.strip("|").rstrip() for line in drawn([Tile(0, 0, Written("a1"), things)], 80, False)]
    assert lines == ["a1", "709/919", " 1-6-2", "one-word-t…", "4/8 5-8-4"]


def test_names_go_on_below_at_a_hyphen_if_there_is_no_blank() -> None:
    lines = [
        line.strip("|").rstrip()
        for line in drawn([Tile(0, 0, Written("a1"), (Written("Port-sur-la-Mer"),))], 80, False)
    ]
    assert lines == ["a1", "Port-sur-", " la-Mer"]


def test_different_things_are_never_cut_to_the_same_letters() -> None:
    names = ("northernmost-harbour", "northernmost-fort", "northernmost-fort", "northernmost")
    lines = drawn([Tile(0, 0, Written("a1"), tuple(map(Written, names)))], 80, False)
    shown = [line.strip("| ") for line in lines[1:]]
    assert shown == ["northern…ur", "northern…rt", "northern…rt", "northern…st"]


def test_the_legend_tells_what_is_cut_off(folder: Path) -> None:
    long = FILE.replace("{id: b9,", "{id: fortification-northwest,")
    assert long != FILE
    (folder / "told" / "scenarios" / "told-scenario.yaml").write_text(long, encoding="utf-8")
    output = ddob(*WORDS, typed="board\nlegend\n").stdout
    assert "Fortificat…  Fortification northwest 3:?" in output.partition("> legend\n")[2]


def test_half_a_thing_is_not_left_where_the_rest_has_no_room() -> None:
    things = tuple(Written(f"70{number}/919 1-6-2") for number in range(4))
    lines = [line.strip("|").rstrip() for line in drawn([Tile(0, 0, Written("a1"), things)], 80, False)]
    assert lines == ["a1", "700/919", " 1-6-2", "701/919", " 1-6-2", "+2"]


# ---------------------------------------------------------------- sides


def test_what_reads_alike_has_the_letter_of_its_side() -> None:
    alike = RULES.replace('shown as "{it} {it.steps}:{it.power}"', 'shown as "{it.steps}"')
    game = play(alike, scenario=SCENARIO)
    state = game.start(seed=1)
    plain = drawing(game, state)
    assert "R:3" in "".join(plain.lines()) and "B:3" in "".join(plain.lines())
    assert plain.sides() == [("R", "Red"), ("B", "Blue")]


@pytest.mark.parametrize("look", ['"{it}"', '"{it.owner} {it.steps}"', '"{owner_of(it)}"'])
def test_what_says_its_name_or_its_side_needs_no_letter(look: str) -> None:
    told = RULES.replace('shown as "{it} {it.steps}:{it.power}"', f"shown as {look}")
    told = told.replace("  card order", '  define owner_of(u: unit): text = "{u.owner}"\n  card order')
    game = play(told, scenario=SCENARIO)
    plain = drawing(game, game.start(seed=1))
    assert plain.sides() == [] and "R:" not in "".join(plain.lines())


def test_nobody_reads_the_side_of_what_hides_it() -> None:
    hidden = RULES.replace("    owner: player\n", "    owner: player seen by owner\n")
    hidden = hidden.replace('shown as "{it} {it.steps}:{it.power}"', 'shown as "{it.steps}"')
    game = play(hidden, scenario=SCENARIO)
    lines = "".join(drawing(game, game.start(seed=1)).lines())
    assert "R:3" in lines and "B:" not in lines


def test_sides_differ_at_a_terminal_without_colours(tmp_path: Path) -> None:
    child = terminal("play", "pegasus-bridge", "--seed", "1", folder=tmp_path, columns=80)
    child.expect("Turn 1, Allies: Command card")
    child.sendline("board")
    child.expect("Turn 1, Allies: Command card")
    shown = _screen(child.before, 80)
    assert any("X:I4" in line for line in shown) and any("A:I4" in line for line in shown)
    child.sendline("legend")
    child.expect("Turn 1, Allies: Command card")
    legend = _screen(child.before, 80)
    assert "A  Allies" in legend and "X  Axis" in legend
    child.close(force=True)


def test_a_grid_stays_a_map_when_stones_have_longer_names_than_spaces(tmp_path: Path) -> None:
    child = terminal("play", "hex", "--seed", "1", folder=tmp_path, columns=80)
    child.expect("Turn 1, Red: play")
    child.sendline("a1")
    child.expect("Turn 1, Blue: play")
    child.sendline("p11")
    child.expect("Turn 2, Red: play")
    shown = _screen(child.before, 80)
    assert [line.split() for line in shown if line.startswith("[R]")] == [
        ["[R]", *(f"{c}1" for c in "bcdefghijk")]
    ]
    assert [line.split()[-2:] for line in shown if line.endswith("[B]")] == [["o11", "[B]"]]
    child.sendline("legend")
    child.expect("Turn 2, Red: play")
    assert {"R  Red", "B  Blue"} <= set(_screen(child.before, 80))
    child.close(force=True)


def test_spaces_have_the_numbers_of_what_leads_there() -> None:
    game, state = started()
    choice = state.choice
    assert choice is not None
    marching = [n for n, option in enumerate(choice.options) if option.label.startswith("r1 marches")]
    found = numbers_of_places(game, choice, marching)
    assert len(found) == len(marching) > 2
    for place, number in each(found.items()):
        assert choice.options[int(number.rstrip(")")) - 1].label == f"r1 marches to {place}"
    twice = [marching[0], marching[0], *marching[1:]]
    assert f"{marching[0] + 1},{marching[0] + 1})" in numbers_of_places(game, choice, twice).values()
    assert pieces_asked_about(game, choice) == {"r1", "r2", "r3"}


def test_where_a_piece_can_go_is_marked_on_the_map_once_it_is_named(folder: Path) -> None:
    child = terminal(*WORDS, folder=folder)
    child.expect("Turn 1, Red: Orders")
    assert not re.search(r"\d\)\s*\|", child.before or "")  # too many to say whose they are
    child.sendline("r1")
    child.expect("Turn 1, Red: Orders")
    shown = _screen(child.before or "", 100)
    child.expect("r1 marches to b1")
    number = re.search(r"(\d+\)) $", (child.before or ""))
    assert number is not None
    assert any(f"b1. {number[1]}" in line for line in shown)
    child.close(force=True)


def _screen(text: str, columns: int) -> list[str]:
    """What somebody sees, line by line, above the screen too."""
    screen = pyte.Screen(columns, 300)
    pyte.Stream(screen).feed(text)
    return [line.rstrip() for line in screen.display]


# ---------------------------------------------------------------- colours


def test_colours_have_names_in_both_languages_and_other_values_one_each() -> None:
    assert tint("red") == tint("rouge") == tint("Red")
    assert tint("no colour") is None and tint("") is None and tint(None) is None
    assert tint("first", ("first", "second")) == other_tint(0) != tint("second", ("first", "second"))


# ---------------------------------------------------------------- what a question is about


def test_options_and_pieces_lead_to_places() -> None:
    game, state = started()
    view = game.view(state, "red")
    about = places_asked_about(view, state.choice)
    assert {"b2", "c2", "b1"} <= about and "s3" not in about
    assert on_grid(game, view, ["post", "s3"]) == {"b1", "b2", "c2", "s3"}
    assert reach_of(game, view, "post") == ("post", {"covers": ["b1", "b2", "c2"]})
    assert reach_of(game, view, "r1") == ("r1", {})


# ---------------------------------------------------------------- looking ahead


def test_what_is_sure_is_told_before() -> None:
    game, state = started()
    option = game.find_option(state, "march(r1, b1)")
    assert option is not None
    before = state.hash()
    assert would_do(game, state, "red", option, "en") == ["Red: r1 marches to b1 [2]", "r1: tired [2]"]
    assert state.hash() == before


@pytest.mark.parametrize("key", ["fire(r1)", "draw_one()"])
def test_a_look_ahead_gives_away_neither_dice_nor_cards(key: str) -> None:
    game, state = started()
    told = set()
    for seed in range(6):
        other = game.start(seed=seed)
        option = game.find_option(other, key)
        assert option is not None
        told.add(tuple(would_do(game, other, "red", option, "en")))
    assert len(told) == 1
    lines = told.pop()
    assert lines[-1] == "(then chance, or what you cannot see, decides)"
    assert not [line for line in lines if "rolls" in line or "wind" in line]


# ---------------------------------------------------------------- at the table


def test_show_try_and_board_are_obeyed_in_a_pipe(folder: Path) -> None:
    result = ddob(*WORDS, typed="show post\nshow r1\ntry 1\ntry 99\ntry\nboard\n")
    output = result.stdout
    assert result.exit_code == 0, result.output
    assert "\x1b" not in output
    assert "b1. *" in output and "Post: * covers" in output
    assert "r1: * where it could go now" in output
    assert "Red: r1 marches to " in output
    assert "there is no option 99" in output
    assert "`try N` shows what one of them does" in output
    assert "t4~" in output.partition("> board")[2]


def test_show_and_try_in_french(folder: Path) -> None:
    output = ddob(*WORDS, "--lang", "fr", typed="montrer post\nessayer 1\nplateau\n").stdout
    assert "Post : * covers" in output
    assert "Red : r1 marches to " in output


def test_a_terminal_of_a_hundred_columns_shows_the_map_in_colour(folder: Path) -> None:
    child = terminal(*WORDS, folder=folder, colour=True)
    child.expect("Turn 1, Red: Orders")
    assert "r1 3:4" in click.unstyle(child.before or "")
    child.sendline("show post")
    child.expect("Post: . covers")
    shown = child.before or ""
    assert "\x1b[48;5;" in shown
    assert max(map(len, click.unstyle(shown).splitlines())) <= 100
    child.sendline("quit")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


# ---------------------------------------------------------------- all of it

RACE = ("play", "normandie-cotentin", "--seed", "3", "--player", "germans=greedy")


def answers_to(*lines: str) -> list[str]:
    output = ddob(*RACE, typed="\n".join((*lines, "quit")) + "\n").stdout
    told = [text.partition("\n")[2] for text in output.split("\n> ")[1:]]
    return told[: len(lines)]


def test_the_board_is_where_pieces_lie_and_all_of_it_if_asked() -> None:
    near, every = answers_to("board", "board all")
    assert "|0619" in near and "|0126" in near and "|0807" not in near
    assert near.rstrip().endswith("(`board all` shows the rest of the map)")
    assert "|0807" in every and "board all" not in every
    assert len(near.splitlines()) < len(every.splitlines())
    assert "bowl (fighter)" in near, "what is no map is told in full"


def test_pieces_are_told_by_their_places_as_they_read() -> None:
    places, every = answers_to("pieces", "pieces all")
    assert "\n0518: 4/12 5-8-4, 4/22 5-8-4, 899 TD 1-10-2\n" in places
    assert "Nothing" not in places and re.search(r"^\(\d+ pieces on no board; ", places, re.MULTILINE)
    assert len(places.splitlines()) < 60
    assert "899 TD: kind unit, at 0518" in every


def test_a_place_is_shown_and_looked_at_by_its_name() -> None:
    shown, looked, piece = answers_to("show Cherbourg", "look Cherbourg", "show 4/8")
    assert "|0223%# *" in shown and "0223: * here" in shown
    assert looked.startswith("0223, hex") and "(also called so: Cherbourg)" in looked, (
        "a port that is not open"
    )
    assert "|0619%o *" in piece and "4/8: * here; 4/8 can go nowhere now" in piece


def test_a_rule_with_tables_is_told_with_them_if_asked() -> None:
    short, tables, none = answers_to("rule 2.2", "rule 2.2 all", "rule 4.1.1")
    assert short.rstrip().endswith("(`rule 2.2 all`: its tables)") and "bocage  |" not in short
    assert re.search(r"^  \|     \| bocage  \| 3 ", tables, re.MULTILINE)
    assert "its tables" not in none
