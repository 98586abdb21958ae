"""A server that is killed in the middle of twenty games, and started again: no answer told is lost."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

TABLES = 20


@contextmanager
def server(folder: Path) -> Iterator[tuple[subprocess.Popen[str], str, str]]:
    """A process that serves; its address, and the secret of its start page."""
    environment = {**os.environ, "DDOB_DATA": str(folder), "PYTHONUNBUFFERED": "1"}
    errors = open(folder / "errors.txt", "w", encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, "-m", "ddob_rules", "serve", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=errors,
        text=True,
        env=environment,
    )
    try:
        assert process.stdout is not None
        found = re.search(r"(http://[\d.:]+)/#(\S+)", process.stdout.readline())
        assert found is not None
        yield process, found[1], found[2]
    finally:
        process.kill()
        process.wait()
        errors.close()
        if process.stdout is not None:
            process.stdout.close()


def line(address: str, table: str, cookie: str) -> ClientConnection:
    place = address.replace("http", "ws", 1)
    return connect(
        f"{place}/table/{table}/line",
        additional_headers={"Cookie": f"ddob={cookie}"},
        origin=Origin(address),
        open_timeout=60,
    )


class Player:
    """Plays both seats of one table, and remembers what it was told."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.table: dict[str, Any] = {}

    def sit(self) -> None:
        """Sits down where somebody is asked."""
        self._say(do="sit", seat="cross")
        self._hear()
        if self.table["question"] is None and self.table["asked"]:
            self._say(do="sit", seat=self.table["asked"][0])
            self._hear()

    def answer(self) -> bool:
        """One answer; false if the game is over."""
        question = self.table["question"]
        if question is None:
            return False
        self._say(do="answer", q=question["q"], o=len(question["labels"]) // 2)
        self._hear()
        if self.table["asked"]:
            self.sit()
        return True

    def _say(self, **message: object) -> None:
        self.socket.send(json.dumps(message))

    def _hear(self) -> None:
        while True:
            message = json.loads(self.socket.recv(timeout=60))
            assert message["is"] != "refused", message
            if message["is"] in ("table", "news"):
                self.table = {**self.table, **message[message["is"]]}
                return


@pytest.mark.slow
def test_killed_with_twenty_games_in_play(tmp_path: Path) -> None:
    with server(tmp_path) as (process, address, secret), ExitStack() as open_lines:
        browser = httpx2.Client(base_url=address, headers={"origin": address}, timeout=60)
        browser.post("/sit", json={"token": secret})
        cookie = browser.cookies["ddob"]
        tables = [
            browser.post("/tables", json={"scenario": "tic-tac-toe", "seed": n}).json()["table"]
            for n in range(TABLES)
        ]
        players = [Player(open_lines.enter_context(line(address, table, cookie))) for table in tables]
        for number, player in enumerate(players):
            player.sit()
            for _ in range(number % 5):
                assert player.answer()
        # Some answers are on their way when it happens.
        for player in players[:10]:
            question = player.table["question"]
            player._say(do="answer", q=question["q"], o=0)
        process.send_signal(signal.SIGKILL)
        process.wait()
        told = {table: player.table["choice"] for table, player in zip(tables, players, strict=True)}
        for player in players:
            with pytest.raises((ConnectionClosed, TimeoutError)):
                while True:
                    player.socket.recv(timeout=5)
        browser.close()
    with server(tmp_path) as (process, address, _), ExitStack() as open_lines:
        for number, table in enumerate(tables):
            player = Player(open_lines.enter_context(line(address, table, cookie)))
            player.sit()
            least = told[table]
            assert least <= player.table["choice"] <= least + (number < 10)
            while player.answer():
                pass
            assert player.table["over"]
        open_lines.close()  # whoever leaves is no mistake of the server
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=30)
        assert (tmp_path / "errors.txt").read_text("utf-8") == ""
