"""Rules that are edited while a game is on: findings as `check` tells them, or the game under new rules."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from ddob_rules.library.finding import find_scenario
from ddob_rules.resources import rulesets_folder
from ddob_rules.serve.app import make_app
from ddob_rules.serve.opening import Library
from ddob_rules.serve.seats import HOUSE, Seats
from tests.ddob_rules.serve.test_server import ORIGIN, Page, at_home, line_to, new_table


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A game of an author, with its own name."""
    folder = tmp_path / "my-pig"
    shutil.copytree(rulesets_folder() / "classics" / "pig", folder)
    return folder


def edit(folder: Path, old: str, new: str) -> None:
    file = next(file for file in folder.glob("*.rules") if old in file.read_text("utf-8"))
    file.write_text(file.read_text("utf-8").replace(old, new), "utf-8")


def house(tmp_path: Path, folder: Path) -> TestClient:
    entry = find_scenario(str(folder / "scenarios" / "pig.yaml"))
    assert entry is not None
    seats = Seats(tmp_path / "seats.sqlite")
    app = make_app(Library(tmp_path / "games", "en", (entry,)), seats, "localhost")
    client = TestClient(app, base_url=ORIGIN, headers={"origin": ORIGIN})
    client.headers["x-secret"] = seats.link(HOUSE, HOUSE)
    return client


def played(page: Page, seats: tuple[str, ...], count: int) -> None:
    """So many choices: always the first option."""
    table = page.sit(seats[0])
    while table["choice"] < count:
        if table["question"] is not None and len(table["question"]["labels"]) > 1:
            page.say(do="answer", q=table["question"]["q"], o=0)
        elif table["asked"] != [table["seat"]]:
            table = page.sit(table["asked"][0])
            continue
        table = {**table, **page.hear("news")["news"]}


def test_a_mistake_and_a_change_are_told_while_playing(tmp_path: Path, game: Path) -> None:
    with house(tmp_path, game) as client:
        table = new_table(at_home(client), "pig", seed=4)["table"]
        with line_to(client, table) as socket:
            page = Page(socket)
            seats = tuple(seat["id"] for seat in page.hear("seats")["seats"])
            played(page, seats, 30)
            edit(game, "turn_total by rolled", "turn_totl by rolled")
            told = page.hear("rules")
            assert told["findings"] and told["findings"][0]["error"]
            assert "turn_totl" in told["findings"][0]["told"] and told["findings"][0]["line"] > 0
            assert "text" not in told
            edit(game, "turn_totl", "turn_total")
            assert page.hear("rules")["findings"] == []
            before = page.sit(seats[0])
            edit(game, "goal = 100", "goal = 101")
            told = page.hear("rules")
            assert "unchanged" in told["text"] and "rule" not in told
            story = page.hear("table")["table"]["story"]
            assert [line["text"] for line in story] == [line["text"] for line in before["story"]]
            edit(game, "rolled = 1:", "rolled = 2:")
            edit(game, "A 1 ends the turn", "A 2 ends the turn")
            told = page.hear("rules")
            assert told["findings"] == [] and 0 < told["same"] < 30
            assert told["rule"] and told["rule"] in told["text"]
            assert told["old"]["choice"] == 30 and told["old"]["past"]
            assert told["new"]["book"] == told["book"]
            after = page.hear("table")["table"]
            assert after["choice"] == told["new"]["choice"] and after["book"] == told["book"]
            assert client.get("/games/pig").json()["book"]["book"] == after["book"]
            page.say(do="ask", id=1, about="rule", rule="3")
            assert page.hear("reply")["text"] == after_rule(game)


def after_rule(folder: Path) -> str:
    """The text of rule 3, as it stands in the file."""
    text = next(folder.glob("*.rules")).read_text("utf-8")
    return text.partition('rule 3 "Rolling":')[2].split('"')[1]
