"""Effects: what they change and in which order; triggers, tables of effects, priorities and texts."""

from __future__ import annotations

import pytest

from tests.running import Trial, trial

HEADER = """\
ruleset r "R"
players us "Us", them "Them"
rule 1:
  enum colour: red, green, blue
  piece unit:
    owner: player
    steps: number = 3
    tired: flag = no
    colour: colour = red
  piece leader:
    steps: number = 1
    tired: flag = no
  card event:
    rank: number
  deck events of event refilled from discards
  pile discards of event
  pile hand of event for each player
  bag cup of leader
  space town in network
  dice d6: 1..6
  dice odd: low times 2, high
  each player:
    points: number = 0
  variable story: text = ""
  variable n: number = 0
  variable wet: flag = no
  procedure tell(what: text): set story to "{story}{what} "
  sequence turn:
    phase one
  at start of turn: nobody wins
rule 2:
"""
SCENARIO = """\
boards: {town: {spaces: {caen: {}, bayeux: {}, isigny: {}}, links: [[caen, bayeux], [bayeux, isigny]]}}
pieces:
  unit:
    - {id: A, owner: us, at: caen}
    - {id: B, owner: us, at: caen, steps: 2}
    - {id: C, owner: them, at: bayeux, steps: 2}
  leader:
    - {id: L, at: cup}
    - {id: M, at: cup}
  event:
    - {id: e1, rank: 1, at: events}
    - {id: e2, rank: 2, at: events}
    - {id: e3, rank: 3, at: events}
"""


def do(body: str, *answers: str | int, more: str = "", seed: int = 0) -> Trial:
    """A game whose set-up is this block."""
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return trial(HEADER + "  setup:\n" + lines + more, scenario=SCENARIO, answers=answers, seed=seed)


@pytest.mark.parametrize(
    ("body", "story"),
    [
        ("set n to 4\nincrease n by 2\ndecrease n by 7\ntell(name_of(n))", "-1"),
        ("flip wet\ntell(name_of(wet))\nflip wet\ntell(name_of(wet))", "yes no"),
        ("let x = 3\nset x to x * 2\nincrease x by 1\ntell(name_of(x))", "7"),
        ("let x = yes\nflip x\ntell(name_of(x))", "no"),
        (
            "for each u in unit where u.steps = 2:\n  mark u as tired\n  set u.steps to 0\n"
            "tell(name_of({u in unit where u.tired and u.steps = 0}))",
            "B, C",
        ),
        ("for each u in unit: unmark u as tired\ntell(name_of(count(u in unit where u.tired)))", "0"),
        ("increase us.points by 3\ndecrease them.points by 1\ntell(name_of(us.points * them.points))", "-3"),
        ("let s: set of unit = {}\nfor each u in unit: add u to s\n"
         "remove {u in unit where u.steps = 2} from s\n"
         "add the(unit at \"bayeux\") to s\ntell(name_of(s))", "A, C"),
        ("let l = [2]\nadd 3 to l\nadd 2 to l\nadd [7] to l\ntell(name_of(l))", "2, 3, 2, 7"),
        # places
        ('for each u in unit: put u on "isigny"\ntell(name_of(unit at "isigny"))', "A, B, C"),
        ('remove unit at "caen"\ntell(name_of(unit at nothing))', "A, B"),
        ('let u = the(unit at "bayeux")\nremove u\nput u on "caen"\n'
         'tell(name_of(unit at "caen"))', "A, B, C"),
        ('let u: unit = nothing\nput u on "caen"\nremove u\nmark u as tired\n'
         'tell(name_of(count(unit at "caen")))', "2"),
        # piles
        ("put top(events) in discards\ntell(name_of(top(events)))\ntell(name_of(top(discards)))", "e2 e1"),
        ("put top(events) under events\ntell(name_of(top(events)))\n"
         "let all_three = draw 3 from events\ntell(name_of(all_three))", "e2 e2, e3, e1"),
        ("put events in discards\ntell(name_of(top(discards)))\n"
         "tell(\"{size(discards)}{size(events)}\")", "e3 30"),
        ("put events under discards\ntell(name_of(top(discards)))", "e1"),
        ("for each e in events: tell(name_of(e))", "e1 e2 e3"),
        ("for each e in events: put e in hand(us)\n"
         "tell(\"{size(hand(us))}{size(hand(them))}{top(hand(us))}\")", "30e3"),
        ("let e = draw from events\ntell(name_of(e))\ntell(name_of(e.at))\nput e in hand(them)\n"
         "tell(name_of(e.at))", "e1 nothing hand (Them)"),
        ("let es = draw 2 from events\ntell(name_of(es))\nput es in discards\n"
         "tell(name_of(top(discards)))", "e1, e2 e2"),
        ("let es = draw 9 from events\ntell(name_of(es))\nlet e = draw from events\n"
         "tell(name_of(e))", "e1, e2, e3 nothing"),
        ("let es = draw 0 from events\ntell(name_of(es))\nlet more = draw -1 from events\n"
         "tell(name_of(more))", "nothing nothing"),
        ("put top(events) in discards\nlet es = draw 3 from events\ntell(name_of(es))\n"
         "tell(name_of(size(discards)))", "e2, e3, e1 0"),
        ("shuffle hand(us)\nlet l = draw from hand(us)\ntell(name_of(l))", "nothing"),
        # order
        ("for each u in unit ordered by u.steps, highest u.owner: tell(name_of(u))", "C B A"),
        ("for each u in unit ordered by highest u.steps: tell(name_of(u))", "A B C"),
        ("for each u in unit at \"caen\" where u.steps > 2: tell(name_of(u))", "A"),
        ("for each p in player: tell(name_of(p))", "Us Them"),
        ("for each c in {blue, red}: tell(name_of(c))", "red blue"),
        ("for each x in [3, 1, 3]: tell(name_of(x))", "3 1 3"),
        ("for each x in [3, 1, 2] ordered by highest x: tell(name_of(x))", "3 2 1"),
        # flow
        ("repeat 3 times: increase n by 1\ntell(name_of(n))", "3"),
        ("repeat -1 times: increase n by 1\ntell(name_of(n))", "0"),
        ("repeat up to 9 times while n < 4: increase n by 1\ntell(name_of(n))", "4"),
        ("repeat n + 2 times: increase n by 5\ntell(name_of(n))", "10"),
        ("if n > 0: tell(\"a\")\notherwise if n = 0: tell(\"b\")\notherwise: tell(\"c\")", "b"),
        ("for each u in unit:\n  if u.steps = 2: stop\n  tell(name_of(u))", "A"),
        ("for each u in unit:\n  for each v in unit where v != u: increase n by 1\ntell(name_of(n))", "6"),
    ],
)  # fmt: skip
def test_effect(body: str, story: str) -> None:
    assert do(body)["story"] == f"{story} "


def test_dice_show_their_faces() -> None:
    body = (
        "let one = roll d6\nlet more = roll 40 of d6\nlet odd_ones = roll 40 of odd\n"
        'set story to "{one} {more}/{odd_ones}"'
    )
    rolled, odd = do(body)["story"].split("/")
    assert set(rolled.replace(",", "").split()) == {"1", "2", "3", "4", "5", "6"}
    assert odd.count("low") > odd.count("high") > 0
    assert do("let none_at_all = roll 0 of d6\ntell(name_of(none_at_all))")["story"] == "nothing "


def test_bags_give_anything_and_decks_the_top() -> None:
    body = (
        "let l = draw from cup\ntell(name_of(l))\nlet m = draw from cup\ntell(name_of(m))\n"
        "let o = draw from cup\ntell(name_of(o))"
    )
    found = {do(body, seed=seed)["story"] for seed in range(8)}
    assert found == {"L M nothing ", "M L nothing "}


def test_shuffling_keeps_the_cards() -> None:
    found = {
        do("shuffle events\nlet es = draw 3 from events\ntell(name_of(es))", seed=seed)["story"]
        for seed in range(30)
    }
    assert len(found) == 6 and all(sorted(story.strip().split(", ")) == ["e1", "e2", "e3"] for story in found)


def test_chance_picks() -> None:
    body = (
        "let u = pick at random from unit where it.steps = 2\n"
        "let two = pick 2 at random from unit\nlet all_of = pick 9 at random from unit\n"
        "let none_of = pick at random from unit where it.steps = 9\n"
        'set story to "{u}/{two}/{all_of}/{none_of}"'
    )
    found = [do(body, seed=seed)["story"].split("/") for seed in range(12)]
    assert {one[0] for one in found} == {"B", "C"}
    assert {one[1] for one in found} == {"A, B", "A, C", "B, C"}
    assert {(one[2], one[3]) for one in found} == {("A, B, C", "nothing")}


def test_what_is_remembered_is_forgotten_when_piles_are_mixed() -> None:
    more = """\
  define lowest_rank: number = sum(count(f in event where f.rank < e.rank and e = top(events)) for e in event)
"""
    body = (
        "tell(name_of(lowest_rank))\nshuffle events\ntell(name_of(lowest_rank))\n"
        "tell(name_of(top(events).rank - 1))"
    )
    for seed in range(6):
        _, after, right = do(body, more=more, seed=seed)["story"].split()
        assert after == right


# ---------------------------------------------------------------- triggers

TRIGGERS = """\
  procedure lose(u: unit, k: number):
    tell("lose{k}")
    decrease u.steps by k
  procedure worth(u: unit) -> number:
    tell("worth")
    give u.steps * 10
  trigger first_before(u: unit) before u.steps changes: tell("before1-{u.steps}")
  trigger second_before(u: unit) before u.steps changes: tell("before2")
  trigger after_it(u: unit) after u.steps changes when u.owner = us: tell("after-{u.steps}")
  trigger dead(u: unit) after u.steps becomes 0: remove u
  trigger saved(u: unit) instead of u.steps becomes 1 when u.owner = them: tell("saved")
  trigger any_kind(x: unit or leader) after x.tired changes: tell("tired-{x}")
  trigger moved(u: unit) after u.at changes when u.at = "isigny": tell("moved-{u}")
  trigger stuck(u: unit) instead of u.at changes when u.tired: tell("stuck")
  trigger before_lose(u: unit, k: number) before lose(u, k): tell("<")
  trigger before_lose_too(u: unit, k: number) before lose(u, k): tell("<<")
  trigger after_lose(u: unit, k: number) after lose(u, k) when k > 1: tell(">")
  trigger never_nine(u: unit, k: number) instead of lose(u, k) when k = 9: tell("nine")
  trigger valued(u: unit) after worth(u): recount(u)
  procedure recount(u: unit):
    let half = halved(u)
    tell("half{half}")
  procedure halved(u: unit) -> number: give u.steps / 2 rounded down
"""
A = 'let a = the(unit at "caen")\n'
C = 'let a = the(unit at "bayeux")\n'


@pytest.mark.parametrize(
    ("body", "story"),
    [
        (A + "set a.steps to 2", "before1-3 before2 after-2"),
        (A + "set a.steps to 3", ""),
        (C + "increase a.steps by 1", "before1-2 before2"),
        (C + "decrease a.steps by 1\ntell(name_of(a.steps))", "saved 2"),
        (C + "set a.steps to 0\ntell(name_of(a.at))", "before1-2 before2 nothing"),
        (
            A + "mark a as tired\nmark a as tired\nfor each l in leader: mark l as tired",
            "tired-A tired-L tired-M",
        ),
        (A + 'put a on "isigny"\nput a on "isigny"', "moved-A"),
        ('put unit at "caen" on "isigny"', "moved-A moved-B"),
        (A + 'mark a as tired\nput a on "isigny"\ntell(name_of(a.at))\nremove a', "tired-A stuck Caen stuck"),
        (A + "lose(a, 1)", "< << lose1 before1-3 before2 after-2"),
        (A + "lose(a, 2)", "< << lose2 before1-3 before2 after-1 >"),
        (A + "lose(a, 9)", "nine"),
        (A + "let w = worth(a)\ntell(name_of(w))", "worth half1 30"),
        (A + "worth(a)\nlet h = halved(a)\ntell(name_of(h))", "worth half1 1"),
    ],
)
def test_trigger(body: str, story: str) -> None:
    assert do(body, more=TRIGGERS)["story"].strip() == story


def test_triggers_may_ask() -> None:
    more = """\
  trigger ambush(u: unit) after u.at changes:
    let yes_please = choose yes or no by next_player(u.owner) "Ambush {u}?"
    if yes_please: decrease u.steps by 1
  trigger hero(u: unit) instead of u.steps becomes 1:
    let dies = choose yes or no by u.owner "Does {u} fall?"
    if dies: mark u as tired
"""
    body = 'for each u in unit: put u on "isigny"'
    found = do(body, more=more)
    assert found.asked == ("them", "Ambush A?")
    found.answer("no")
    assert found.asked == ("them", "Ambush B?")
    assert found.answer("yes").asked == ("us", "Does B fall?")
    assert found.answer("yes", "yes").asked == ("them", "Does C fall?")
    assert found.answer("no").state.over


# ---------------------------------------------------------------- tables

TABLES = """\
  procedure hit(u: unit, k: number): decrease u.steps by k
  procedure panic(u: unit):
    let runs = choose yes or no by u.owner "Run?"
    if runs: mark u as tired
  procedure cheer(by: player): tell("{by}!")
  table result(r: number, cover: flag) for u: unit, by: player -> effect, first match:
    | r       | yes       | no               |
    | up to 2 | -         | panic            |
    | 3..5    | cheer     | hit(u, 1)        |
    | any     | hit(u, 1) | hit(u, 2), cheer |
  table all_of(r: number) for by: player -> effect, collect match:
    | r  | what              |
    | 1+ | tell("one")       |
    | 2+ | cheer, tell("two")|
    | -  | tell("any")       |
  table cost(c: colour, k: number) -> number:
    | c           | k       | cost  |
    | red, green  | under 3 | 1     |
    | red         | 3..4    | k * 2 |
    | green       | 3, 4    | 9     |
    | -           | over 4  | 7     |
    | blue        | up to 4 | -1    |
  table bonus(k: number) -> number, collect match:
    | k          | bonus |
    | at least 2 | 10    |
    | 3+         | k     |
    | n * 2      | 100   |
  table friends(k: number) -> set of colour, collect match:
    | k  | colours     |
    | 1+ | red         |
    | 2+ | green, blue |
    | 9  | {}          |
  table grid(k: number, c: colour) -> text, first match:
    | k | red | green, blue |
    | 1 | "a" | "b"         |
    | - | "c" | "d"         |
"""


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("cost(red, 2)", "1"), ("cost(green, 0)", "1"), ("cost(red, 4)", "8"), ("cost(green, 4)", "9"),
        ("cost(blue, 5)", "7"), ("cost(blue, 4)", "-1"), ("cost(red, 99)", "7"),
        ("bonus(0)", "100"), ("bonus(1)", "0"), ("bonus(2)", "10"), ("bonus(5)", "15"),
        ("friends(0)", "nothing"), ("friends(1)", "red"), ("friends(9)", "red, green, blue"),
        ("grid(1, red)", "a"), ("grid(1, blue)", "b"), ("grid(2, red)", "c"), ("grid(0, green)", "d"),
    ],
)  # fmt: skip
def test_table_of_values(expression: str, value: str) -> None:
    assert do(f"tell(name_of({expression}))", more=TABLES)["story"] == f"{value} "


def test_table_of_effects() -> None:
    body = A + 'result({r}, {cover}, a, them)\ntell("{{a.steps}}{{a.tired}}")'
    for row, cover, story in [
        (1, "yes", "3no"), (4, "yes", "Them! 3no"), (4, "no", "2no"), (6, "yes", "2no"),
        (6, "no", "Them! 1no"),
    ]:  # fmt: skip
        assert do(body.format(r=row, cover=cover), more=TABLES)["story"] == f"{story} "
    asked = do(body.format(r=2, cover="no"), more=TABLES)
    assert asked.asked == ("us", "Run?")
    assert asked.answer("yes")["story"] == "3yes "


def test_table_that_collects_effects_does_all_of_them() -> None:
    assert (
        do("all_of(0, us)\nall_of(1, us)\nall_of(2, us)", more=TABLES)["story"]
        == "any one any one Us! two any "
    )


def test_charts_give_attributes_to_values() -> None:
    more = """\
  chart colour:
    | colour | cost | cover | note: text |
    | red    | 2    | yes   | "warm"     |
    | green  | -1   | no    | -          |
    | blue   | 0    | yes   | "cold"     |
  variable c: colour = nothing
"""
    body = (
        'tell("{red.cost}{green.cost}{blue.cover}{green.cover}{red.note}{green.note}{c.cost}{c.cover}")\n'
        "tell(name_of({x in colour where x.cover}))"
    )
    assert do(body, more=more)["story"] == "2-1yesnowarm0no red, blue "


def test_columns_of_values_have_their_enum() -> None:
    more = """\
  enum size: big, small
  chart colour:
    | colour | next  | sizes      | mixed       |
    | red    | green | big, small | {red}       |
    | green  | blue  | -          | {red, blue} |
    | blue   | -     | small      | {}          |
"""
    body = (
        'tell("{red.next}{red.next.next}{blue.next}")\n'
        'tell("{red.sizes}; {green.sizes}; {blue.sizes}; {green.mixed}; {blue.mixed}")\n'
        "tell(name_of({x in colour where x.next = blue}))"
    )
    assert (
        do(body, more=more)["story"]
        == "greenbluenothing big, small; nothing; small; red, blue; nothing green "
    )


# ---------------------------------------------------------------- priorities

PRIORITIES = """\
  priority by_all(k: number) for u: unit:
    prefer u.tired
    prefer u.colour in order blue, green
    prefer lowest u.steps * k
    prefer u.owner = them
    otherwise lowest
  priority by_player for u: unit:
    prefer lowest u.steps
    otherwise them chooses "Which?"
  priority by_chance for u: unit:
    prefer lowest u.steps
    otherwise at random
  priority just_so for u: unit:
    prefer highest u.steps
"""


@pytest.mark.parametrize(
    ("body", "story"),
    [
        ("let u = pick by by_all(1) from unit\ntell(name_of(u))", "C"),
        ("let u = pick by by_all(-1) from unit\ntell(name_of(u))", "A"),
        ('for each u in unit at "caen": mark u as tired\nlet u = pick by by_all(1) from unit\n'
         'tell(name_of(u))', "B"),
        ("for each u in unit where u.steps = 3: set u.colour to green\n"
         "let u = pick by by_all(1) from unit\ntell(name_of(u))", "A"),
        (
            "for each u in unit where u.steps = 3: set u.colour to green\n"
            "for each u in unit where u.owner = them: set u.colour to blue\n"
            "let us_all = pick 9 by by_all(1) from unit\ntell(name_of(us_all))",
            "C, A, B",
        ),
        ("let two = pick 2 by by_all(1) from unit\ntell(name_of(two))", "C, B"),
        ("let two = pick 0 by by_all(1) from unit\ntell(name_of(two))", "nothing"),
        ("let u = pick by by_all(1) from unit where it.steps > 9\ntell(name_of(u))", "nothing"),
        ("let u = pick by just_so from u in unit where u.steps = 2\ntell(name_of(u))", "B"),
        ("let u = pick by by_player from unit where it.steps = 3\ntell(name_of(u))", "A"),
        ("let u = pick by by_player from unit where it.steps = 9\ntell(name_of(u))", "nothing"),
        ("let us_all = pick 0 by by_player from unit\ntell(name_of(us_all))", "nothing"),
    ],
)  # fmt: skip
def test_priority(body: str, story: str) -> None:
    assert do(body, more=PRIORITIES)["story"].strip() == story


def test_player_decides_a_tie() -> None:
    body = "let u = pick by by_player from unit\ntell(name_of(u))"
    asked = do(body, more=PRIORITIES)
    assert asked.asked == ("them", "Which?") and asked.keys == ["B", "C"]
    assert asked.answer("C")["story"] == "C "
    body = "let us_all = pick 3 by by_player from unit\ntell(name_of(us_all))"
    assert do(body, "C", more=PRIORITIES)["story"] == "C, B, A "


def test_chance_decides_a_tie() -> None:
    body = "let us_all = pick 3 by by_chance from unit\ntell(name_of(us_all))"
    assert {do(body, more=PRIORITIES, seed=seed)["story"] for seed in range(8)} == {"B, C, A ", "C, B, A "}


def test_a_pile_of_several_kinds_holds_them_all() -> None:
    rules = """\
ruleset losses "Losses" edition "1"
players us "Us"
rule 1 "Losses":
  space field on square board
  piece unit:
    steps: number
  piece leader:
    steps: number
  pile lost of unit or leader
  variable total: number = 0
  variable last: unit or leader = nothing
  sequence turn:
    phase go: us takes 1 action
  action lose "Lose" (u: unit, l: leader) by us in go:
    do:
      put u in lost
      put l in lost
      set total to sum(x.steps for x in lost)
      let drawn = draw from lost
      set last to drawn
"""
    scenario = """\
boards:
  field: {layout: {shape: square, adjacency: all}, numbering: "{letter}{row}", size: [1, 1]}
pieces:
  unit: [{id: one, steps: 2, at: a1}]
  leader: [{id: two, steps: 3, at: a1}]
"""
    found = trial(rules, scenario=scenario).answer("lose(one, two)")
    assert (found["total"], found["last"]) == ("5", "two")
    assert found.fast is not None
