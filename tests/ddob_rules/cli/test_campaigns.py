"""Campaigns at the command line: told, kept over every border, saved, proven, counted, checked."""

from __future__ import annotations

import json
import os
import shutil
import signal
from pathlib import Path
from typing import Any

import pytest

from ddob_rules.cli.keeping import games_folder
from interpreter.records.diaries import all_diaries, waiting
from tests.ddob_rules.cli.playing import ddob, pexpect, terminal

DUEL = Path(__file__).parents[2] / "fixtures" / "duel"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(DUEL, tmp_path / "duel")
    monkeypatch.chdir(tmp_path)


def data(*words: str) -> Any:
    return json.loads(ddob(*words, "--json").output)


def test_a_campaign_is_told_game_after_game_with_the_standing() -> None:
    told = ddob("run", "tourney", "--seed", "3").output
    assert told.startswith("A tourney (tourney), seed 3\n\nGame 1 of the campaign: Bout: morning (morning)\n")
    assert "\nAfter game 1: " in told and "\nGame 2 of the campaign: " in told
    assert told.rstrip().splitlines()[-1].startswith("The campaign is over: ")
    assert told == ddob("run", "tourney", "--seed", "3").output


def test_the_first_game_is_the_scenario_alone_with_that_seed() -> None:
    campaign, alone = data("run", "tourney", "--seed", "3"), data("run", "morning", "--seed", "3")
    assert campaign["games"][0] == alone
    assert [game["hash"] for game in campaign["games"]] == [one["hash"] for one in campaign["results"]]


def test_the_language_of_the_players_does_not_change_the_campaign() -> None:
    assert "\nAprès la partie 1 : " in ddob("run", "tourney", "--seed", "3", "--lang", "fr").output
    french = json.loads(ddob("run", "tourney", "--seed", "3", "--lang", "fr", "--json").output)
    assert french["carried"] == data("run", "tourney", "--seed", "3")["carried"]


def test_campaign_k_of_simulate_is_that_of_run() -> None:
    ddob("simulate", "tourney", "-n", "5", "--seed", "10", "--each", "each.json")
    found = [json.loads(line) for line in Path("each.json").read_text(encoding="utf-8").splitlines()]
    assert [one["seed"] for one in found] == [10, 11, 12, 13, 14]
    for one in found:
        run = data("run", "tourney", "--seed", str(one["seed"]))
        assert one["winners"] == run["winners"]
        assert one["choices"] == sum(game["choices"] for game in run["games"])
    told = ddob("simulate", "tourney", "-n", "5", "--seed", "10", "--workers", "2").output
    assert told.startswith("tourney: 5 of 5 campaigns, seed 10") and "\nmorning " in told


def test_campaigns_are_fuzzed_and_a_finding_in_a_later_game_is_saved_with_what_it_began_with() -> None:
    assert "tourney: " in ddob("fuzz", "tourney", "-n", "4").output
    found = data("fuzz", "tourney", "-n", "4")
    assert found["findings"] == [] and found["games"] > 4
    rules = Path("duel/duel.rules")
    blow, late = "increase blows by 1", "increase blows by 6 / (12 - rain) rounded up"
    rules.write_text(rules.read_text(encoding="utf-8").replace(blow, late), encoding="utf-8")
    found = data("fuzz", "tourney", "-n", "4")
    assert [one["kind"] for one in found["findings"]] == ["crash"]
    saved = json.loads(Path(found["findings"][0]["file"]).read_text(encoding="utf-8"))
    assert saved["carried"]["rain"] > 0
    assert "divided by zero" in ddob("replay", found["findings"][0]["file"]).output


@pytest.mark.parametrize("option", ["--coverage", "--csv=x.csv", "--against=noon"])
def test_what_is_of_single_games_is_refused(option: str) -> None:
    found = ddob("simulate", "tourney", option)
    assert found.exit_code == 2 and "tourney is a campaign" in found.output


def test_a_saved_campaign_is_proven_and_a_changed_one_is_not() -> None:
    ddob("run", "tourney", "--seed", "3", "--save", "t.json")
    assert "proven: " in ddob("replay", "t.json").output
    found = data("replay", "t.json")
    assert (
        found["proven"]
        and found["over"]
        and found["winners"] == data("run", "tourney", "--seed", "3")["winners"]
    )
    whole = json.loads(Path("t.json").read_text(encoding="utf-8"))
    whole["games"].reverse()
    Path("t.json").write_text(json.dumps(whole), encoding="utf-8")
    assert ddob("replay", "t.json").exit_code == 1  # E0715: it was changed after it was written


def test_list_and_check_know_campaigns() -> None:
    assert "tourney" in ddob("list").output
    assert [one["name"] for one in data("list")["campaigns"]][-1] == "tourney"
    assert ddob("check", "tourney").exit_code == 0
    path = Path("duel/campaigns/tourney.yaml")
    path.write_text(path.read_text(encoding="utf-8").replace("night", "nihgt"), encoding="utf-8")
    for word in ("duel", "tourney", str(path)):
        found = ddob("check", word)
        assert found.exit_code == 1 and "E0673" in found.output, word
    assert "did you mean `tourney`?" in ddob("run", "torney").output


# ---------------------------------------------------------------- kept games


def playing(folder: Path, *words: str) -> Any:
    child = terminal("play", *words, folder=folder)
    child.expect("> ")
    return child


def bout(child: Any, until: str) -> None:
    """Nobody strikes, so the bout ends with its last turn."""
    for _ in range(7):
        child.sendline("wait")
        child.expect("> ")
    child.sendline("wait")
    child.expect(until)
    child.expect("> ")


def killed(child: Any) -> None:
    os.kill(child.pid, signal.SIGKILL)
    child.expect(pexpect.EOF)
    child.close()


def test_nothing_is_lost_over_the_border_between_two_games(tmp_path: Path) -> None:
    child = playing(tmp_path, "tourney", "--seed", "1")
    bout(child, "`next` goes on with the campaign")
    killed(child)  # the game is over, and nobody has gone on yet
    (first,) = waiting(all_diaries(games_folder()))
    assert (first.head.name, first.over, first.number) == ("morning", True, 0)
    assert "tourney: morning" in ddob("saves").output

    child = playing(tmp_path, "--continue")
    child.sendline("next")
    child.expect("After game 1: ")
    child.expect("Game 2 of the campaign: Bout: noon")
    child.expect("> ")
    killed(child)  # the next game has begun, and nothing was answered in it
    (second,) = waiting(all_diaries(games_folder()))
    assert (second.head.name, second.number, len(second.made)) == ("noon", 1, 0)

    child = playing(tmp_path, "--continue", "tourney")
    child.sendline("strike")
    child.expect("> ")
    killed(child)
    child = playing(tmp_path, "--continue", "tourney")
    child.sendline("log")
    child.expect("rain: 8 -> 9")  # eight from the first game
    child.sendline("quit")
    child.expect(pexpect.EOF)
    (second,) = waiting(all_diaries(games_folder()))
    assert [taken.key for taken in second.made] == ["strike()"]


def test_a_campaign_that_is_over_is_not_gone_on_with(tmp_path: Path) -> None:
    child = playing(tmp_path, "tourney", "--seed", "1")
    for following in ("noon", "evening"):
        bout(child, "`next` goes on")
        child.sendline("next")
        child.expect(f"Game . of the campaign: Bout: {following}")
        child.expect("> ")
    bout(child, "`next` goes on")
    child.sendline("next")
    child.expect("The campaign is over: nobody wins")
    child.expect(pexpect.EOF)
    assert waiting(all_diaries(games_folder())) == []
    assert "no kept game" in ddob("play", "--continue").output


def test_a_campaign_saved_to_a_file_goes_on_from_there() -> None:
    first = "wait\n" * 8 + "next\n" + "strike\nwait\n"
    ddob("play", "tourney", "--seed", "1", "--save", "t.json", typed=first)
    saved = json.loads(Path("t.json").read_text(encoding="utf-8"))
    assert [len(game["choices"]) for game in saved["games"]] == [8, 2]
    assert saved["games"][1]["carried"]["rain"] == 8
    assert waiting(all_diaries(games_folder())) == []
    told = ddob("play", "--load", "t.json", "--save", "t.json", typed="wait\n" * 6 + "next\n").output
    assert "After game 2: " in told and "Game 3 of the campaign" in told
    assert "proven" in ddob("replay", "t.json").output


def test_machines_play_a_campaign_through() -> None:
    told = ddob("play", "tourney", "--seed", "3", "--player", "ann=random", "--player", "ben=random").output
    assert "The campaign is over" in told
