"""Who wins and who loses: everyone, nobody, a player with his team, or by a rank of points."""

from __future__ import annotations

import pytest

from interpreter.table import table_of
from interpreter.telling.views import HIDDEN
from interpreter.trials.simulation import simulate
from tests.running import Trial, play, trial

TEAMS = """
  enum side: north, south
  each player:
    team: side
    points: number = 0
  card item
  pile kit of item for each player seen by team
  pile pocket of item for each player seen by owner
"""
RULES = """
ruleset ends "Ends" edition "1"
players 1 to 4: able "Able", baker "Baker", charlie "Charlie", dog "Dog"
rule 1 "Words":
  enum deed: all_win, all_lose, one_loses, pair_wins, ranked, draw
  each player:
    stars: number = 2
  define glory(p: player): number = 3 if p = charlie otherwise p.stars
{teams}
rule 2 "Sequence":
  sequence turn:
    phase deeds for each p in player: end_it(p)
  procedure end_it(p: player):
    let d = choose from x in deed by p
    if d = all_win: everyone wins "home"
    if d = all_lose: everyone loses "boom"
    if d = one_loses: p loses "caught"
    if d = pair_wins: {{able, dog}} wins
    if d = ranked: rank players by glory "on glory"
    nobody wins
"""
DATA = """
each: {player: {able: {team: north}, baker: {team: south}, charlie: {team: north}, dog: {team: south}}}
pieces:
  item:
    - {id: rope, at: kit(able)}
    - {id: map, at: pocket(able)}
"""


def ended(deed: str, *, teams: bool = False, players: int = 4) -> Trial:
    rules = RULES.format(teams=TEAMS if teams else "")
    number = "1 player" if players == 1 else f"{players} players"
    return trial(rules, scenario=DATA if teams else "", options=[number], answers=[deed])


@pytest.mark.parametrize(
    ("deed", "teams", "players", "winners", "lost"),
    [
        ("all_win", False, 3, ("able", "baker", "charlie"), False),
        ("all_lose", False, 3, (), True),
        ("draw", False, 3, (), False),
        ("one_loses", False, 3, ("baker", "charlie"), False),
        ("one_loses", False, 1, (), True),
        ("one_loses", True, 4, ("baker", "dog"), False),
        ("pair_wins", False, 4, ("able", "dog"), False),
        ("pair_wins", True, 4, ("able", "baker", "charlie", "dog"), False),
        ("ranked", False, 4, ("charlie",), False),
        ("ranked", False, 2, ("able", "baker"), False),
        ("ranked", True, 4, ("able", "charlie"), False),
    ],
)
def test_who_has_won(deed: str, teams: bool, players: int, winners: tuple[str, ...], lost: bool) -> None:
    state = ended(deed, teams=teams, players=players).state
    assert (state.winners, state.lost) == (winners, lost)


def test_a_rank_tells_the_points_of_all_the_best_first() -> None:
    state = ended("ranked", players=3).state
    assert state.ranking == (("charlie", 3), ("able", 2), ("baker", 2))
    assert table_of(state)["over"]["ranking"] == [["charlie", 3], ["able", 2], ["baker", 2]]
    assert ended("draw").state.ranking == ()


def test_the_story_and_the_table_tell_a_common_loss_from_a_draw() -> None:
    lost, draw, both = ended("all_lose").state, ended("draw").state, ended("pair_wins").state
    assert [state.journal[-1].text for state in (lost, draw, both)] == [
        "everybody has lost", "the game ends without a winner", "Able, Dog win",
    ]  # fmt: skip
    assert table_of(lost)["over"] == {"winners": [], "text": "everybody has lost: boom", "lost": True}
    assert "lost" not in table_of(draw)["over"]


def test_a_series_counts_common_losses_by_themselves_and_means_the_points() -> None:
    rules = RULES.format(teams="")
    summary = simulate(lambda: play(rules, options=["2 players"]), {}, games=60)
    shares = {outcome.winners: outcome.count for outcome in summary.wins}
    assert set(shares) >= {"everybody lost", "nobody", "able, baker"}
    assert sum(shares.values()) == 60
    assert [name for name, _ in summary.points] == ["able", "baker"]


def test_secrets_of_a_team_are_seen_by_the_team_alone() -> None:
    game = play(RULES.format(teams=TEAMS), scenario=DATA)
    state = game.start(0)
    views = {seat: state.view(seat)["piles"] for seat in game.seats}
    assert [views[seat]["kit(able)"] for seat in game.seats] == [["rope"], 1, ["rope"], 1]
    assert [views[seat]["pocket(able)"] for seat in game.seats] == [["map"], 1, 1, 1]
    assert HIDDEN not in views["charlie"]["kit(able)"]
