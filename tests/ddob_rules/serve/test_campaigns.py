"""Campaigns at a table: set up, gone on with from game to game by everybody, and by another server."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from ddob_rules.cli.keeping import games_folder
from interpreter.records.diaries import all_diaries, waiting
from tests.ddob_rules.cli.playing import ddob
from tests.ddob_rules.serve.test_server import Page, at_home, guest_line, line_to, new_table, serving

DUEL = Path(__file__).parents[2] / "fixtures" / "duel"
TOURNEY = "campaign tourney"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(DUEL, tmp_path / "duel")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DDOB_DATA", str(tmp_path))


def play_out(page: Page) -> dict[str, Any]:
    """Strikes until the game is over, in turn at both seats; the table then."""
    seats = ("ann", "ben")
    for number in range(200):
        table = page.sit(seats[number % 2])
        if "over" in table:
            return table
        if table["question"] is not None:
            page.say(do="answer", q=table["question"]["q"], o=0)
            page.hear("news", "table")
    raise AssertionError("no end")


def kept(client: TestClient) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.get("/games").json()["kept"]
    return found


def test_a_campaign_is_offered_with_its_games(tmp_path: Path) -> None:
    with serving(tmp_path) as house:
        duel = next(game for game in at_home(house).get("/games").json()["games"] if game["id"] == "duel")
        assert duel["campaigns"] == [{"id": TOURNEY, "title": "A tourney"}]
        details = house.get(f"/games/{TOURNEY}").json()
        assert details["campaign"]["title"] == "A tourney" and len(details["campaign"]["games"]) == 4
        assert [player["id"] for player in details["players"]] == ["ann", "ben"]


def test_from_game_to_game_with_what_carries_over(tmp_path: Path) -> None:
    with serving(tmp_path) as house:
        table = new_table(at_home(house), TOURNEY, seed=3)["table"]
        played: list[tuple[dict[str, Any], dict[str, Any]]] = []
        for _ in range(4):
            with line_to(house, table) as socket:
                page = Page(socket)
                begun = page.sit("ann")
                assert begun["campaign"]["number"] == len(played) + 1
                over = play_out(page)
                played.append((begun, over))
                if "next" not in over["campaign"]:
                    break
                page.say(do="onward")
                table = page.hear("onward")["table"]
        assert 2 <= len(played) <= 4
        assert played[0][1]["campaign"]["text"].startswith("After game 1: ")
        assert played[-1][1]["campaign"]["text"].startswith("The campaign is over: ")
        first, second = (dict(begun["counts"][-1]["facts"])["rain"] for begun, _ in played[:2])
        assert (first, int(second) > 0) == ("0", True)
        (shown,) = kept(house)
        assert shown["campaign"] == len(played) and shown["over"] and not shown["onward"]
    assert waiting(all_diaries(games_folder())) == []


def test_whoever_sits_at_a_game_sits_at_the_next(tmp_path: Path) -> None:
    with serving(tmp_path) as house:
        made = new_table(at_home(house), TOURNEY, seed=3, seats={"ann": "me", "ben": "link"})
        with line_to(house, made["table"]) as mine, guest_line(house, made, "ben") as theirs:
            ann, ben = Page(mine), Page(theirs)
            for number in range(200):
                page, seat = ((ann, "ann"), (ben, "ben"))[number % 2]
                table = page.sit(seat)
                if "over" in table:
                    break
                if table["question"] is not None:
                    page.say(do="answer", q=table["question"]["q"], o=0)
                    page.hear("news")
            ann.say(do="onward")
            following = ann.hear("onward")["table"]
            assert ben.hear("onward")["table"] == following
            ben.say(do="onward")
            assert ben.hear("onward")["table"] == following
        with guest_line(house, {**made, "table": following}, "ben") as theirs:
            assert [seat["id"] for seat in Page(theirs).hear("seats")["seats"] if seat.get("mine")] == ["ben"]


def test_only_a_game_that_is_over_leads_on(tmp_path: Path) -> None:
    with serving(tmp_path) as house:
        table = new_table(at_home(house), TOURNEY, seed=3)["table"]
        with line_to(house, table) as socket:
            page = Page(socket)
            page.sit("ann")
            page.say(do="onward")
            assert page.hear("refused")["why"] == "this game of the campaign is not over yet"


def test_another_server_and_the_terminal_go_on_with_it(tmp_path: Path) -> None:
    with serving(tmp_path) as house:
        table = new_table(at_home(house), TOURNEY, seed=3)["table"]
        with line_to(house, table) as socket:
            page = Page(socket)
            play_out(page)
            page.say(do="onward")
            table = page.hear("onward")["table"]
        with line_to(house, table) as socket:
            page = Page(socket)
            first = page.sit("ann")
            page.say(do="answer", q=first["question"]["q"], o=0)
            before = page.hear("news")["news"]
    with serving(tmp_path) as house:
        (shown,) = kept(at_home(house))
        assert shown["table"] == table and shown["campaign"] == 2
        assert house.get(f"/kept/{table}").json()["table"]["campaign"]["number"] == 2
    told = ddob("play", "--continue", typed="quit\n").stdout
    assert "Game 2 of the campaign" in told and before["story"][-1]["text"].partition(":")[0] in told
