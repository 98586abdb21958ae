"""Orders at the terminal: names instead of numbers, piece by piece, reasons, hints, sentences."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import Result

from tests.ddob_rules.cli.playing import ddob, terminal

FOX = ("easy-fox", "--seed", "3", "--player", "partner=greedy")
BRIDGE = ("pegasus-bridge", "--seed", "1", "--player", "axis=greedy")


def play(*lines: str, words: tuple[str, ...]) -> Result:
    return ddob("play", *words, typed="\n".join(lines) + "\n")


def test_parts_of_names_answer_a_question() -> None:
    output = play("b2", "c", "quit", words=("tic-tac-toe", "--seed", "1")).stdout
    assert "Cross: Mark b2" in output
    assert "`c` may be: c1, c2, c3" in output


def test_many_options_are_told_piece_by_piece_and_a_piece_shows_its_own() -> None:
    lines = ("probe-centre#4", "1", "3")
    first = play(*lines, "quit", words=BRIDGE).stdout.rpartition("Movement")[2]
    found = re.search(r"^  (Allied infantry \d+) in (\w+): Move ", first, re.MULTILINE)
    assert found is not None and ") Allied" not in first
    short = found[1].removeprefix("Allied ").replace(" ", "-")
    after = play(*lines, short, "quit", words=BRIDGE).stdout.partition(f"> {short}")[2]
    listed = [line for line in after.splitlines() if ") " in line]
    assert listed and all(f"{found[1]} to" in line for line in listed)


def test_what_cannot_be_done_is_answered_with_its_reason() -> None:
    output = play("1", "1", "1", "1/C/741 0101", "1/C/741 1012", "quit", words=FOX).stdout
    assert "`1/C/741 0101` is neither an option nor a command" in output  # there is no such space
    told = output.partition("> 1/C/741 1012")[2]
    assert "Which obstacles are cleared in the west?" in told and "[10.1]" in told


def test_a_hint_the_signs_and_what_is_around() -> None:
    output = play("hint", "legend", "around 0512", "around 0814", "brief", "quit", words=FOX).stdout
    told = output.partition("> hint")[2]
    assert "score" in told.partition("> legend")[0] and " then)" not in told.partition("> legend")[0]
    assert ".  beach" in told and "^&  high ground, features woods" in told
    assert "0512: beach" in told and "Right: 0513, beach" in told and "Below left: 0611" in told
    assert "Below right: 0612, beach, obstacles" in told and "Above left (shingle): 0714" in told
    assert "You play United States." in told and "[13.1]" in told


def test_plain_tells_sentences_and_draws_no_map() -> None:
    output = play("1", "1", "quit", words=(*FOX, "--plain")).stdout
    assert "|" not in output.partition("low tide")[2]
    assert any(line.endswith(".") and ": beach" in line for line in output.splitlines())


def test_a_point_is_done_and_a_loss_is_warned_of(tmp_path: Path) -> None:
    folder = tmp_path / "cliff"
    (folder / "scenarios").mkdir(parents=True)
    (folder / "cliff.rules").write_text(
        """\
ruleset cliff "Cliff"
players red "Red"

rule 1 "Cells":
  space cell on square board
  piece man:
    owner: player

rule 2 "Play":
  sequence turn:
    phase play for each p in player:
      p may take up to 1 action
      for each m in man where m.at.column = 2: remove m
  action step "Step" (m: man, to: cell) by p in play:
    when to != m.at
    do: put m on to
""",
        "utf-8",
    )
    (folder / "scenarios" / "cliff.yaml").write_text(
        """\
scenario: cliff
title: Cliff
ruleset: cliff
turns: 2
boards:
  cell:
    layout: {shape: square, adjacency: all}
    numbering: "{letter}{row}"
    size: [1, 3]
pieces:
  man:
    - {id: tom, at: b1, owner: red}
""",
        "utf-8",
    )
    output = play(".", ".", "quit", words=(str(folder / "scenarios" / "cliff.yaml"), "--seed", "1")).stdout
    first, _, second = output.partition("> .\n")[2].partition("> .\n")
    assert "this loses tom; say it again if you mean it" in first
    assert "tom leaves b1" in second


def test_the_briefing_comes_first_and_the_question_stays_in_sight(tmp_path: Path) -> None:
    child = terminal("play", "tic-tac-toe", "--seed", "1", folder=tmp_path)
    child.expect("You play all seats: Cross, Nought")
    child.expect("`help` has")
    child.expect("Turn 1, Cross: play")
    child.sendline("legend")
    child.expect("the map needs no legend")
    child.expect("Turn 1, Cross: play")
    child.expect("9\\) Mark c3")
    child.sendline("quit")
    child.expect("goodbye|kept|$")
    child.close()


def test_a_map_is_never_more_than_the_screen(tmp_path: Path) -> None:
    child = terminal("play", *FOX, folder=tmp_path, rows=24)
    for line in ("1", "1"):
        child.expect("\n(?:\x1b\\[\\?2004h)?> ")
        child.sendline(line)
    child.expect("\n(?:\x1b\\[\\?2004h)?> ")
    shown = child.before.replace("\r", "").split("\n")
    drawn = [line for line in shown if line.count("|") > 3]
    assert 0 < len(drawn) <= 16
    assert all(len(line) <= 100 for line in drawn)
    child.sendline("quit")
    child.close()


def test_signs_on_the_same_ground_are_told_apart_and_numbers_are_no_signs() -> None:
    told = play("legend", "quit", words=("pegasus-bridge", "--seed", "1")).stdout.partition("> legend")[2]
    assert "~  river\n" in told and "~=  river, bridge\n" in told and "o  open, obstacles sandbags\n" in told
    told = play("legend", "quit", words=("overlord-a-1", "--seed", "1")).stdout.partition("> legend")[2]
    assert "dog red" not in told


def test_why_not_understands_names_of_several_words() -> None:
    asked = ("why not", "why not fight allied infantry 1 axis infantry 3", "why not play Pincer move", "quit")
    told = play(*asked, words=BRIDGE).stdout
    assert "`why not` needs an action, such as play COMMAND CARD" in told
    assert "it has no order (5.2)" in told and "this is allowed" in told


def test_what_was_chosen_of_several_is_told_until_they_are_complete() -> None:
    typed = ("1", "1", "1", "1", "1", "1", "1", "undo", "quit")
    words = ("omaha-beach-dice", "--players", "1", "--seed", "1")
    told = [line for line in play(*typed, words=words).stdout.splitlines() if line.startswith("so far: ")]
    assert [line.count("Dog ") for line in told] == [1, 1, 2, 3, 1]


HANDS = """\
ruleset hands "Hands"
players ann "Ann", ben "Ben"

rule 1 "Two each":
  card trump:
    rank: number
  deck stock of trump seen by nobody
  pile hand of trump for each player seen by owner
  setup:
    for each p in player: deal(p)
  procedure deal(p: player):
    repeat 3 times:
      let drawn = draw from stock
      put drawn in hand(p)
  sequence turn:
    phase keeping
  during keeping:
    for each p in player:
      choose up to 2 c in trump at hand(p) by p "Which two are kept?": put c in hand(p)
"""


def test_what_another_player_has_chosen_is_not_told(tmp_path: Path) -> None:
    (tmp_path / "hands" / "scenarios").mkdir(parents=True)
    (tmp_path / "hands" / "hands.rules").write_text(HANDS, encoding="utf-8")
    (tmp_path / "hands" / "scenarios" / "hands.yaml").write_text(
        "scenario: hands\nruleset: hands\nturns: 2\npieces:\n  trump:\n"
        + "".join(
            f"  - {{id: {n}, rank: 1, at: stock}}\n" for n in ("axe", "bow", "cup", "dog", "elk", "fan")
        ),
        encoding="utf-8",
    )
    path = str(tmp_path / "hands" / "scenarios" / "hands.yaml")
    told = play("1", "1", "1", "quit", words=(path, "--seed", "1")).stdout
    assert "so far: axe" in told.partition("Ben: Which")[0], told
    after = told.partition("Ben: Which")[2]
    assert "so far: dog" in after and "axe" not in after and "bow" not in after, told


# ---------------------------------------------------------------- what a newcomer reads first


def test_the_first_screen_names_things_as_the_options_do_and_shows_the_whole_map(tmp_path: Path) -> None:
    child = terminal("play", *BRIDGE, folder=tmp_path, columns=140)
    child.expect("such as `Probe centre`")
    child.expect("Turn 1, Allies: Command card")
    assert "A1t" in child.before and "M9" in child.before and "command deck" not in child.before
    child.close(force=True)
    child = terminal("play", *BRIDGE, folder=tmp_path, columns=80, rows=24)
    child.expect("Turn 1, Allies: Command card")
    assert "(`board` shows the map)" in child.before
    child.close(force=True)


def test_pieces_that_are_asked_about_are_told_with_their_places() -> None:
    output = play("Play Pincer move", "quit", words=BRIDGE).stdout
    assert re.search(r"\d\) Allied infantry \d+ in [A-M]\d", output), output
    assert "Allied infantry 1 in C6" in output


def test_help_fits_eighty_columns(tmp_path: Path) -> None:
    child = terminal("play", *BRIDGE, folder=tmp_path, columns=80)
    child.expect("\n(?:\x1b\\[\\?2004h)?> ")
    child.sendline("help")
    child.expect("\n(?:\x1b\\[\\?2004h)?> ")
    shown = child.before.replace("\r", "").split("\n")
    assert max(map(len, shown)) <= 80
    assert "                        (why: who asks this question)" in shown
    child.close(force=True)


def test_what_is_told_of_a_thing_is_its_whole_name_and_nothing_twice() -> None:
    output = play("look D3", "why allied infantry 1", "quit", words=BRIDGE).stdout
    assert "\n  here: Pegasus Bridge\n" in output
    assert "nothing has happened to Allied infantry 1 yet" in output
    output = play(
        "around 0718", "quit", words=("normandie-cotentin", "--seed", "1", "--player", "germans=greedy")
    ).stdout
    assert "101/501 (supplied yes, steps 2, disorganised 1, without lorries yes)" in " ".join(output.split())


BRIDGE_3 = ("pegasus-bridge", "--seed", "3", "--player", "axis=greedy")


def test_look_tells_what_a_player_wants_to_know_and_all_of_it_if_asked() -> None:
    words = ("normandie-cotentin", "--seed", "3", "--player", "germans=greedy")
    output = " ".join(play("look 82/507", "look 82/507 all", "quit", words=words).stdout.split())
    short, _, rest = output.partition("> look 82/507 ")[2].partition("> look 82/507 all ")
    assert short.startswith("82/507, unit in 0620 on its counter: 82/507 4-8-5! (!: disorganised 1) now: dis")
    assert " printed: country america, " in short and "hexes gone" not in short and "bicycle" not in short
    assert "hexes gone 0" in rest and "bicycle no" in rest


def test_look_says_how_to_see_where_a_position_reaches() -> None:
    output = play("look WN62", "quit", words=("first-waves", "--seed", "3")).stdout
    assert "(`show WN62`: where it reaches; `look WN62 all`: everything)" in output
    french = play("voir WN62", "quit", words=("first-waves", "--seed", "3", "--lang", "fr")).stdout
    assert "(`montrer WN62` : où il porte ; `voir WN62 tout` : tous les détails)" in french


def test_a_part_of_a_name_is_enough_to_ask_about_a_thing() -> None:
    """Also if the first of several copies of a card lies where nobody sees it."""
    output = play("look recon right", "look assault", "look bridge", "why xyzzy", words=BRIDGE_3).stdout
    assert "\nRecon right, command card in hand (Allies)\n" in output
    assert "One unit in the section; at the end of the turn, two cards are drawn" in output
    assert "\nAssault right, command card in hand (Allies)\n" in output
    assert "`bridge` may be: Pegasus Bridge, Orne Bridge" in output
    assert "there is nothing called `xyzzy` that you can see\n" in output


def test_what_players_have_and_what_is_so_can_be_looked_at() -> None:
    output = play("look allies", "look sky_now", "quit", words=("normandie-cotentin", "--seed", "3")).stdout
    assert "\nAllies: points 0\n" in output and "\nsky now: fair\n" in output


def test_a_phase_in_which_nothing_can_be_done_is_told() -> None:
    """Somebody has just chosen it, and would look for its question."""
    output = play("1st", words=("first-waves", "--seed", "5")).stdout
    assert "\nnothing could be done in: Actions of a division: 1st Division\n" in output
    assert "Actions of a division: 29th Division [7]" in output


def test_how_many_things_are_to_be_chosen_is_told() -> None:
    output = play(
        "probe centre", "1", words=("pegasus-bridge", "--seed", "2", "--player", "axis=greedy")
    ).stdout
    assert "Which units are ordered? (2 to choose) [5.2]" in output
    assert "Which units are ordered? (1 to choose) [5.2]" in output


def test_acts_that_are_refused_alike_are_told_in_one_line() -> None:
    output = play("1st", "E/2/16", words=("first-waves", "--seed", "5")).stdout
    assert "\nMove, Cross the bluff, Begin to climb the cliff: it is not on the map [7.2]\n" in output


def test_what_is_taken_back_is_told() -> None:
    output = play("1", "1", "undo", "redo", "undo 2", words=("tic-tac-toe", "--seed", "1")).stdout
    assert "\ntaken back: " in output and "\n2 choices taken back, the first of them: " in output


def test_an_end_that_there_is_not_is_told_as_that() -> None:
    output = play(".", words=("tic-tac-toe", "--seed", "1")).stdout
    assert "there is nothing to end here: the question wants an answer" in output


def test_around_tells_the_neighbours_on_a_network() -> None:
    output = play("around Albany 3", "quit", words=("overlord-b-1-solo", "--seed", "3")).stdout
    assert "\nNext to it: Albany 2, " in output and "\nNext to it: Albany 6, " in output


#: A move asks where to, a shot how often; by day and by night an action has the same title.
PATROL = """\
ruleset patrol "Patrol"
players red "Red"

rule 1 "Cells":
  space cell on square board:
    place: text optional
    drawn with label it.place
  piece man:
    owner: player
  variable shots: number = 0
  variable tomfoolery: number = 0 untold
  dice d6: 1..6

rule 2 "Play":
  sequence turn:
    phase day "Day": red may take actions
    phase night "Night": red may take actions
  action step "Step" (m: man) by p in day:
    do:
      let to = choose from c in neighbours(m.at) or none by p "Where does {m} step?"
      if to != nothing: put m on to
  action night_shot "Shoot" (m: man) by p in night:
    when shots > 100  else "it is too dark" (2)
    do: increase shots by 1
  action day_shot "Shoot" (m: man) by p in day:
    do:
      let n = choose number from 0 to 3 by p "How often does {m} shoot?"
      increase shots by n
  action rest "Rest" (m: man) by p in night:
    do: increase shots by 0
  action gamble "Gamble" (m: man) by p in day:
    do:
      let rolled = roll d6
      let stake = choose number from 0 to rolled by p "How much does {m} stake of {rolled}?"
      increase shots by stake
"""
SQUARE = """\
scenario: patrol
title: Patrol
ruleset: patrol
turns: 2
boards:
  cell:
    layout: {shape: square, adjacency: orthogonal}
    numbering: "{letter}{row}"
    size: [3, 3]
    spaces:
      b1: {place: Mill}
      c1: {place: Mill Hill}
      a3: {place: Tom}
pieces:
  man:
    - {id: tom, at: b2, owner: red}
    - {id: ben, at: a1, owner: red}
    - {id: "7 Bn", at: c3, owner: red}
"""


@pytest.fixture(scope="module")
def patrol(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    folder = tmp_path_factory.mktemp("rules") / "patrol"
    (folder / "scenarios").mkdir(parents=True)
    (folder / "patrol.rules").write_text(PATROL, "utf-8")
    (folder / "scenarios" / "patrol.yaml").write_text(SQUARE, "utf-8")
    return str(folder / "scenarios" / "patrol.yaml"), "--seed", "1"


def answers_to(lines: tuple[str, ...], words: tuple[str, ...]) -> list[str]:
    """What was told after each line."""
    told = play(*lines, "quit", words=words).stdout.split("\n> ")[1:]
    return [text.partition("\n")[2] for text in told[: len(lines)]]


def test_an_action_is_typed_with_what_it_asks_next(patrol: tuple[str, ...]) -> None:
    whole, wrong, after = answers_to(("step tom b1", "step tom c3", "tom step a1"), patrol)
    assert "tom: b2 -> b1" in whole
    assert "that is none of the answers to: Where does tom step? [2]; they are: " in wrong
    assert "c1" in wrong, "nothing was begun"
    assert "Where does tom step?" not in after


def test_an_action_is_not_looked_into_past_its_dice(patrol: tuple[str, ...]) -> None:
    told, after = answers_to(("gamble tom ben", "gamble tom"), patrol)
    assert "stake" not in told
    assert "How much does tom stake of" in after


def test_in_the_middle_of_an_action_answers_are_told_by_what_is_asked(patrol: tuple[str, ...]) -> None:
    begun, no, yes, again, done = answers_to(
        ("step tom", "why not c3", "why not b1", "step tom c3", "step tom b1"), patrol
    )
    assert "Where does tom step?" in begun
    assert "that is none of the answers to: Where does tom step? [2]; they are: " in no
    assert "this is allowed" in yes
    assert "that is none of the answers to: Where does tom step? [2]" in again
    assert "Where does tom step?" not in done


def test_a_number_is_called_what_it_is_typed_as(patrol: tuple[str, ...]) -> None:
    asked, tried, wrong = answers_to(("shoot tom", "try 3", "try 4"), patrol)
    assert "How often does tom shoot?" in asked
    assert "3) 3" in tried and "shots: 0 -> 3" in tried
    assert "there is no option 4; there are 4" in wrong


def test_of_actions_with_one_title_the_one_of_this_phase_is_meant(patrol: tuple[str, ...]) -> None:
    day, _, night = answers_to(("why not shoot tom", ".", "why not shoot tom"), patrol)
    assert "this is allowed" in day
    assert "it is too dark" in night


def test_of_what_was_named_only_what_is_listed_has_a_number(patrol: tuple[str, ...]) -> None:
    named, other, battalion = answers_to(("ben", "9", "step 7"), patrol)
    assert "ben" in named
    assert "there is no option 9" in other
    assert "Where does 7 Bn step?" in battalion


ROOMS = """\
ruleset rooms "Rooms"
players ann "Ann"

rule 1 "A walk":
  space room on square board:
    locked: flag = no
  piece guest
  sequence turn:
    phase walk: ann may take actions
  action go "Go" (g: guest) by p in walk:
    do:
      let to = choose from r in neighbours(g.at) where not r.locked by p "Where to?"
          else "{r} is locked" (2) when r.locked
          else "{r} is too far from {g.at}" when distance(g.at, r) > 1
      put g on to
rule 2 "Keys": "Nobody has a key."
"""


def rooms(tmp_path: Path, *lines: str) -> str:
    """What is told of these lines, after a question with reasons."""
    (tmp_path / "rooms" / "scenarios").mkdir(parents=True)
    (tmp_path / "rooms" / "rooms.rules").write_text(ROOMS, encoding="utf-8")
    path = tmp_path / "rooms" / "scenarios" / "rooms.yaml"
    path.write_text(
        "scenario: rooms\nruleset: rooms\nturns: 2\npieces:\n  guest:\n    - {id: old-joe, at: b2}\n"
        "boards:\n  room:\n    layout: {shape: square}\n    numbering: '{letter}{row}'\n    size: [3, 3]\n"
        "    spaces:\n      b1: {locked: yes}\n",
        encoding="utf-8",
    )
    return play(*lines, "quit", words=(str(path), "--seed", "1")).stdout


def answer_to(line: str, told: str) -> str:
    return told.partition(f"> {line}\n")[2].partition("\n")[0]


def test_what_a_question_does_not_offer_has_its_reason(tmp_path: Path) -> None:
    asked = ("why not b1", "why not a2", "why not old joe", "why not moon")
    told = rooms(tmp_path, "go", "b1", "c3", *asked)
    assert answer_to("b1", told) == answer_to("why not b1", told) == "b1 is locked [2]"
    assert answer_to("c3", told) == "c3 is too far from b2 [1]"
    assert answer_to("why not a2", told) == "this is allowed"
    # Where it stands already no reason of the rule applies, and nothing is called so.
    none = "that is none of the answers to: Where to? [1]"
    assert all(answer_to(line, told).startswith(none) for line in asked[2:])


def test_an_order_in_one_line_is_refused_with_the_reason_of_its_question(tmp_path: Path) -> None:
    assert answer_to("go b1", rooms(tmp_path, "go b1")) == "b1 is locked [2]"


def test_why_not_of_an_order_in_one_line_asks_the_question_that_follows(tmp_path: Path) -> None:
    told = rooms(tmp_path, "why not go old-joe b1", "why not go old-joe c2", "why not go old-joe b2")
    assert answer_to("why not go old-joe b1", told) == "b1 is locked [2]"
    assert answer_to("why not go old-joe c2", told) == "this is allowed"
    none = "it may begin, but `b2` is none of the answers to: Where to? [1]; they are: a2, c2, b3"
    assert answer_to("why not go old-joe b2", told) == none


BLINDS = """\
ruleset blinds "Blinds"
players ann "Ann", ben "Ben"

rule 1 "Scouting":
  space post in network
  piece blind:
    owner: player
    strength: number hidden
  sequence turn:
    phase scouting: ann takes 1 action
  action probe "Probe" (b: blind) by p in scouting:
    do:
      let from_where = choose from f in neighbours(b.at) by p "From where?"
      say "Probed from {from_where}"
"""


def test_an_order_in_one_line_looks_at_what_its_own_action_asks(tmp_path: Path) -> None:
    (tmp_path / "blinds" / "scenarios").mkdir(parents=True)
    (tmp_path / "blinds" / "blinds.rules").write_text(BLINDS, encoding="utf-8")
    path = tmp_path / "blinds" / "scenarios" / "blinds.yaml"
    path.write_text(
        "scenario: blinds\nruleset: blinds\nturns: 2\n"
        "boards:\n  post:\n    spaces: {alpha: {}, beta: {}, coast: {}, dunes: {}, east: {}, forest: {}}\n"
        "    links: [[alpha, coast], [alpha, dunes], [beta, east], [beta, forest]]\n"
        "pieces:\n  blind:\n"
        "    - {id: one, at: beta, owner: ben, strength: 1}\n"
        "    - {id: two, at: alpha, owner: ben, strength: 2}\n",
        encoding="utf-8",
    )
    told = play("probe alpha dunes", "quit", words=(str(path), "--seed", "1")).stdout
    assert "Probed from Dunes" in told, told


UNSEEN = """\
ruleset unseen "Unseen"
players ann "Ann", ben "Ben"

rule 1 "Scouting":
  space field on square board
  piece scout seen by owner:
    owner: player
  sequence turn:
    phase scouting: ann takes 1 action
  action step "Step" (u: scout) by p in scouting:
    when u.owner = p
    do:
      choose f in neighbours(u.at) by p "Where to?"
          else "{f} is too far":
        put u on f
"""


def unseen(tmp_path: Path, text: str, *lines: str, words: tuple[str, ...] = ()) -> str:
    """What is told of these lines in a game of scouts that only their owners see."""
    (tmp_path / "unseen" / "scenarios").mkdir(parents=True)
    (tmp_path / "unseen" / "unseen.rules").write_text(text, encoding="utf-8")
    path = tmp_path / "unseen" / "scenarios" / "unseen.yaml"
    path.write_text(
        "scenario: unseen\nruleset: unseen\nturns: 2\n"
        'boards: {field: {layout: {shape: square}, numbering: "{letter}{row}", size: [4, 4]}}\n'
        "pieces:\n  scout:\n"
        "    - {id: cat, at: a1, owner: ann}\n"
        "    - {id: fox, at: d4, owner: ben}\n",
        encoding="utf-8",
    )
    return play(*lines, "quit", words=(str(path), "--seed", "1", "--ask-always", *words)).stdout


def test_the_id_of_an_unseen_piece_does_not_tell_where_it_is(tmp_path: Path) -> None:
    lines = ("why not step cat fox", "step cat", "why not fox", "why not d4")
    told = unseen(tmp_path, UNSEEN, *lines, words=("--player", "ben=random"))
    assert "d4 is too far [1]" in told.partition("> why not d4")[2]
    assert "d4 is too far" not in told.partition("> why not d4")[0]


def test_why_not_of_an_action_tells_nothing_unseen_and_breaks_off_at_nothing(tmp_path: Path) -> None:
    text = UNSEEN.replace("(u: scout)", "(u: scout, t: field)").replace(
        "    when u.owner = p\n",
        "    when u.owner = p\n"
        '    when not t.mined  else "{t} is mined"\n'
        '    when distance(t, u.at) < 2  else "far by {12 / (distance(t, u.at) - 5) rounded up}"\n',
    )
    mines = "  setup:\n    for each f in field where f.row + f.column = 8: mark f as mined\n  sequence"
    text = text.replace("  sequence", mines).replace("board\n", "board:\n    mined: flag = no seen by ben\n")
    told = unseen(tmp_path, text, "why not step cat d4", "why not step cat d3", "log")
    assert answer_to("why not step cat d4", told) == "far by 12 (1)"
    assert answer_to("why not step cat d3", told) == "a condition of the rule fails (1)"
    assert "> log" in told


def test_only_who_began_an_action_is_told_what_undo_takes_back(tmp_path: Path) -> None:
    back = "(`undo` takes back: Step cat)"
    assert back in unseen(tmp_path / "own", UNSEEN, "step cat")
    asked = unseen(tmp_path / "other", UNSEEN.replace('by p "Where to?"', 'by ben "Where to?"'), "step cat")
    assert "Ben: Where to?" in asked and back not in asked


def test_an_action_whose_next_answer_would_not_do_is_not_told_as_allowed(patrol: tuple[str, ...]) -> None:
    no, yes, named, bare = answers_to(
        ("why not step tom c3", "why not step tom b1", "why not step tom mill", "why not step tom"), patrol
    )
    assert "it may begin, but `c3` is none of the answers to: Where does tom step? [2]; they are: " in no
    assert "this is allowed" in yes and "this is allowed" in named and "this is allowed" in bare
    assert "this is allowed" not in no


def test_of_many_answers_those_near_what_was_named_are_told(tmp_path: Path) -> None:
    (tmp_path / "far" / "scenarios").mkdir(parents=True)
    (tmp_path / "far" / "far.rules").write_text(
        PATROL.replace("c in neighbours(m.at)", "c in cell where c.row != 5 and c != m.at"), "utf-8"
    )
    scenario = tmp_path / "far" / "scenarios" / "far.yaml"
    scenario.write_text(SQUARE.replace("patrol", "far").replace("[3, 3]", "[5, 5]"), "utf-8")
    (tmp_path / "far" / "far.rules").write_text(
        (tmp_path / "far" / "far.rules").read_text().replace("ruleset patrol", "ruleset far"), "utf-8"
    )
    words = (str(scenario), "--seed", "1")
    why, typed = answers_to(("why not step tom e5", "step tom e5"), words)
    assert "near it are: e4, " in why and "near it are: e4, " in typed
    assert "a1" not in why


def test_parts_of_names_will_do_behind_why_not_and_titles_are_told(patrol: tuple[str, ...]) -> None:
    part, several, title, unknown = answers_to(
        ("why not ste 7 c2", "why not ste n", "why not step", "why not stpe tom"), patrol
    )
    assert "this is allowed" in part
    assert "`n` may be: ben, 7 Bn" in several
    assert "`Step` needs: man" in title
    assert "did you mean `step`?" in unknown


def test_places_are_found_by_their_names_on_the_map(patrol: tuple[str, ...]) -> None:
    lines = ("look mill", "around mill hill", "look tom", "step tom mill", "look all")
    look, around, both, stepped, every = answers_to(lines, patrol)
    assert look.startswith("b1, cell")
    assert around.startswith("c1: ")
    assert both.startswith("tom, man in b2") and "(also called so: a3 Tom)" in both
    assert "tom: b2 -> b1" in stepped
    assert "tomfoolery" not in every
    (asked,) = answers_to(("look mil",), patrol)
    assert "`mil` may be: b1 Mill, c1 Mill Hill" in asked


def test_a_side_is_found_by_its_title() -> None:
    output = play("look germany", "quit", words=("normandie-cotentin", "--seed", "3")).stdout
    assert "\nGermany: points 0" in output


def test_an_action_that_asks_says_how_it_is_taken_back(patrol: tuple[str, ...]) -> None:
    begun, again, back = answers_to(("ben", "", "undo"), patrol)
    assert "Where does ben step?" not in begun, "ben can do several things"
    begun, again = answers_to(("step ben", ""), patrol)
    assert "Where does ben step?" in begun and "(`undo` takes back: Step ben)" in begun
    assert "taken back" not in again


def test_dice_that_will_be_the_same_are_told(patrol: tuple[str, ...]) -> None:
    _, dice, _, none = answers_to(("gamble tom", "undo", "step tom", "undo"), patrol)
    assert "taken back: Gamble tom (the dice will be the same)" in dice
    assert "taken back: Step tom\n" in none


def test_more_than_there_is_is_not_taken_back(patrol: tuple[str, ...]) -> None:
    _, _, many, back = answers_to(("step tom", "1", "undo 999", "undo 2"), patrol)
    assert "2 choices are yours; `undo 2` goes back to the first of them" in many
    assert "2 choices taken back" in back


@pytest.mark.parametrize("word", [".", "none", "done", "pass", "None", "aucun", "fini"])
def test_whatever_an_end_is_called_it_is_understood(word: str, patrol: tuple[str, ...]) -> None:
    _, stays, ended = answers_to(("step tom", word, word), patrol)
    assert "Where does tom step?" not in stays and "neither" not in stays
    assert "Turn 1, Red: Night" in ended


def test_rules_are_found_by_words_of_their_titles(patrol: tuple[str, ...]) -> None:
    one, none = answers_to(("rule play", "rule chess"), patrol)
    assert one.startswith('2 "Play"')
    assert "there is no rule chess, nor one with that in its title" in none
    several = play("rule loss", "quit", words=("easy-fox", "--seed", "1")).stdout.partition("> rule loss")[2]
    assert len(re.findall(r'^[\d.]+ "[^"]*[Ll]oss[^"]*"$', several, re.MULTILINE)) > 1


def test_a_hint_on_what_has_no_numbers_names_what_is_typed() -> None:
    words = ("normandie-cotentin", "--seed", "3", "--player", "germans=greedy")
    output = play("none", ".", ".", ".", "hint", "quit", words=words).stdout.partition("> hint")[2]
    assert output.lstrip().startswith("`") and ") `" not in output
    typed = re.match(r"\s*`([^`]*)`", output)
    assert typed is not None
    taken = play("none", ".", ".", ".", typed[1], "quit", words=words).stdout
    assert "neither" not in taken


def test_french_commands_have_french_names(tmp_path: Path) -> None:
    lines = ("règle", "regarde", "regarde b2", "indice", "charger rien.json", f"sauver {tmp_path}", "quitter")
    output = play(*lines, words=("tic-tac-toe", "--seed", "1", "--lang", "fr")).stdout
    assert "`règle` demande le numéro" in output and "`voir` demande" in output
    assert "no such" not in output.lower() and "le fichier ou le dossier n'existe pas" in output
    assert "is a directory" not in output.lower()
    assert output.count("n'est ni une option ni une commande") == 0


def test_show_tells_where_a_piece_could_go_now(patrol: tuple[str, ...]) -> None:
    lines = ("show tom", "step tom", "show tom", "show ben", "show b3")
    could, _, acts, other, place = answers_to(lines, patrol)
    for told in (could, acts):
        assert "tom: * where it could go now" in told
        assert told.partition("tom:")[0].count("*") == 4
    assert "ben: * here; ben can go nowhere now" in other and "ben*" in other
    assert "b3: * here" in place and place.count("*") == 2


def test_look_says_what_a_sign_on_a_counter_means() -> None:
    words = ("normandie-cotentin", "--seed", "3", "--player", "germans=greedy")
    output = play("look 82/507", "look 4/8", "quit", words=words).stdout
    assert "on its counter: 82/507 4-8-5! (!: disorganised 1)\n" in output
    assert "on its counter: 4/8 5-8-4\n" in output
    assert "attacks 3, 5, movement 8, defences 2, 4, division" in output


PICNIC = """\
ruleset picnic "Picnic"
players red "Red"

rule 1 "Cells":
  space cell on square board
  piece man:
    owner: player
  dice d6: 1..6

rule 2 "Play":
  sequence turn:
    phase day:
      choose up to 2 m in man by red "Who eats?": say "{m} eats"
      choose m in man or none by red "Who sings?":
        let high = roll d6
        say "{m} sings {high}"
      choose m in man or none by red "Who sings?": say "{m} sings again"
      choose m in man or none by red "Who sleeps?": say "{m} sleeps"
"""


def picnic(folder: Path, *lines: str) -> list[str]:
    (folder / "picnic" / "scenarios").mkdir(parents=True)
    (folder / "picnic" / "picnic.rules").write_text(PICNIC, "utf-8")
    path = folder / "picnic" / "scenarios" / "picnic.yaml"
    path.write_text(SQUARE.replace("patrol", "picnic").partition("    spaces:")[0] + MEN, "utf-8")
    return answers_to(lines, (str(path), "--seed", "1"))


MEN = """\
pieces:
  man:
    - {id: tom, at: b2, owner: red}
    - {id: ben, at: a1, owner: red}
    - {id: kim, at: c3, owner: red}
"""


def test_things_asked_for_one_after_the_other_are_answered_in_one_line(tmp_path: Path) -> None:
    strange, both, three = picnic(tmp_path, "tom, jim", "1, 3, .", "tom")
    assert "that is none of the answers to: Who eats?" in strange and "eats" not in strange.partition("?")[2]
    assert "tom eats" in both and "kim eats" in both, "numbers are those of the list that was read"
    assert "Who sings?" in both and "ben eats" not in both
    assert "tom sings" in three


def test_what_is_left_of_a_line_after_dice_is_told_and_not_taken(tmp_path: Path) -> None:
    _, rest = picnic(tmp_path, "tom, .", "kim, ben, tom")
    assert "kim sings" in rest and "something else is asked now; left over: ben, tom" in rest
    assert "sings again" not in rest
