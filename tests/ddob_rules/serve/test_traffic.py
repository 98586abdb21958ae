"""All that travels to a seat while whole games are played: nothing in it that the seat may not see."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from ddob_rules.serve.rooms import Room
from interpreter.machine.state import State
from interpreter.table.seen import Seen
from tests.ddob_rules.serve.test_server import Page, at_home, line_to, new_table, serving


def hidden(state: State, seat: str, faced: bool = False) -> set[str]:
    """The ids of what a seat does not know, in quotes as they travel; `faced`: of what lies face down."""
    seen, game = Seen(state, seat), state.game
    words = {value for enum in game.program.enums for value in enum.values}
    return {
        json.dumps(ident)
        for number, ident in enumerate(game.piece_ids)
        if not seen.knows(number) and ident not in words
        if not faced or game.piece_kind[number] in game.faced
    }


@pytest.mark.parametrize(("scenario", "count"), [("pegasus-bridge", 60), ("easy-fox", 60)])
def test_no_hidden_id_travels(tmp_path: Path, scenario: str, count: int) -> None:
    with serving(tmp_path) as house:
        table = new_table(at_home(house), scenario)["table"]
        room: Room = house.app.state.house.rooms._rooms[table]  # type: ignore[attr-defined]
        people = room.playing.people
        with line_to(house, table) as first, line_to(house, table) as second:
            pages = {people[0]: Page(first), people[-1]: Page(second)}
            stopped(room)
            tables: dict[str, dict[str, Any]] = {seat: page.sit(seat) for seat, page in pages.items()}
            tried = 0
            for number in range(count):
                asked = room.playing.opened.game.player_name(room.playing.state.player)
                if room.playing.state.over or asked not in tables:
                    break
                question = tables[asked]["question"]
                labels = question["labels"]
                pages[asked].say(do="answer", q=question["q"], o=number * 7 % len(labels))
                if number % 10 == 0:
                    things = list(tables[asked]["things"])[:2]
                    pages[asked].say(do="ask", id=number, about="why-not", things=things)
                for seat, page in pages.items():
                    tried += listened(room, seat, page, tables)
            assert tried > count


def stopped(room: Room) -> None:
    """Waits until the game has gone on by itself as far as it can."""
    while room._going is None or not room._going.done():
        time.sleep(0.001)


def listened(room: Room, seat: str, page: Page, tables: dict[str, dict[str, Any]]) -> int:
    """Hears all there is until the table is the newest; looks for what is hidden in each message."""
    count = 0
    while True:
        message = page.hear("news", "table", "reply", "refused")
        assert message["is"] != "refused", message
        if message["is"] == "reply":
            found = hidden(room.playing.state, seat)
            assert not [ident for ident in found if ident in json.dumps(message)]
            continue
        data = message["news"] if message["is"] == "news" else message["table"]
        now = room.playing.session.at(data["choice"])
        rest = json.dumps({key: value for key, value in data.items() if key != "story"}, ensure_ascii=False)
        before = room.playing.session.at(data.get("from", data["choice"]))
        for ident in hidden(now, seat) & hidden(before, seat):  # what goes out of sight is taken away by name
            assert ident not in rest, (seat, ident)
            count += 1
        # What was shown and put back within one step may be told; what lay face down all the time may not.
        story = json.dumps(data["story"], ensure_ascii=False)
        for ident in hidden(now, seat, True) & hidden(before, seat, True):
            assert ident.strip('"') not in story, (seat, ident, story)
        tables[seat] = {**tables[seat], **data}
        stopped(room)
        if data["n"] == room.playing.n:
            return count
