"""A choice at a served table: all that the server does for it against the bare `apply`; many tables at once.

The second row starts a real server, and plays at many tables with two sockets each; its ratio is how much of
what was told to pages is on the disk afterwards, which must be all of it.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from benchmarks.timing import Row, Sizes
from ddob_rules.serve.opening import Library, Wish
from ddob_rules.serve.playing import Playing
from interpreter.records.diaries import all_diaries
from interpreter.table import merged, news_between

_SCENARIO = "first-waves"
_CHOICES = 6  # at each of many tables
# Seconds from one answer of a player to the next, for each table: five at a hundred tables.
_PACE = 0.05
_MOST_TABLES = 100


def measure(sizes: Sizes) -> list[Row]:
    return [_one_choice(sizes), _many_tables(max(1, min(_MOST_TABLES, sizes.series // 200)))]


def _one_choice(sizes: Sizes) -> Row:
    with tempfile.TemporaryDirectory() as folder:
        playing = Library(Path(folder), "en").begin(Wish(scenario=_SCENARIO, seed=1))
        bare, served = [], []
        playing.page("us")
        for number in range(max(10, sizes.rounds * 10)):
            if playing.state.over:
                break
            option = number * 7 % len(playing.state.options)
            copy = playing.state.copy()
            started = time.process_time()
            copy.take(option)
            bare.append(time.process_time() - started)
            served.append(_served(playing, option))
        assert playing.writer is not None
        playing.writer.close()
    return Row(
        subject=f"a choice at a table of {_SCENARIO}, written, seen and sent",
        against="the bare `apply`",
        ratio=median(served) / median(bare),
        wanted="below 50 ms",
        machine=f"{median(served) * 1e3:.1f} to {median(bare) * 1e3:.2f} milliseconds",
    )


def _served(playing: Playing, option: int) -> float:
    before = playing.page("us")
    started = time.process_time()
    playing.take(option)
    json.dumps(news_between(before.table, playing.page("us").table))
    return time.process_time() - started


def _many_tables(count: int) -> Row:
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "ddob_rules", "serve", "--port", "0"]
        surroundings = {**os.environ, "DDOB_DATA": folder, "PYTHONUNBUFFERED": "1"}
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=surroundings)
        try:
            assert server.stdout is not None
            found = re.search(r"(http://[\d.:]+)/#(\S+)", server.stdout.readline())
            assert found is not None
            times, told, memory, busy = asyncio.run(_played(found[1], found[2], count, server.pid))
        finally:
            server.kill()
            server.wait()
            if server.stdout is not None:
                server.stdout.close()
        kept = {diary.id: len(diary.made) for diary in all_diaries(Path(folder) / "games")}
    lost = sum(max(0, choices - kept.get(table, 0)) for table, choices in told.items())
    cuts = quantiles(times, n=100) if len(times) > 1 else [times[0]] * 99
    return Row(
        subject=f"choices kept at {count} tables with {2 * count} sockets, the server killed at the end",
        against="choices that pages were told of",
        ratio=1 - lost / max(1, sum(told.values())),
        wanted="1",
        machine=(
            f"an answer {cuts[49] * 1e3:.0f} (p50), {cuts[98] * 1e3:.0f} (p99) milliseconds, "
            f"{busy / len(times) * 1e3:.0f} of the server's processor time; {memory / count:.1f} MB a table"
        ),
    )


async def _played(
    address: str, secret: str, count: int, process: int
) -> tuple[list[float], dict[str, int], float, float]:
    import httpx2

    async with httpx2.AsyncClient(base_url=address, headers={"origin": address}, timeout=120) as browser:
        await browser.post("/sit", json={"token": secret})
        wish = {"scenario": _SCENARIO, "seats": {"partner": "random"}}
        tables = [(await browser.post("/tables", json={**wish, "seed": 0})).json()["table"]]
        first = _resident(process)
        for seed in range(1, count):
            tables.append((await browser.post("/tables", json={**wish, "seed": seed})).json()["table"])
        players = [_Player(address, table, browser.cookies["ddob"]) for table in tables]
        busy = _processor_time(process)
        seated = asyncio.Barrier(count)
        await asyncio.gather(
            *(player.play(seated, _PACE * n, _PACE * count) for n, player in enumerate(players))
        )
        busy = _processor_time(process) - busy
        memory = _resident(process) - first if count > 1 else _resident(process)
    times = [seconds for player in players for seconds in player.times] or [0.0]
    return times, {player.ident: player.told for player in players}, memory, busy


def _resident(process: int) -> float:
    """Megabytes of memory, where the system tells them."""
    try:
        text = Path(f"/proc/{process}/statm").read_text("ascii")
    except OSError:
        return 0.0
    return int(text.split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def _processor_time(process: int) -> float:
    """Seconds that a process has worked, where the system tells them: others may keep it waiting."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class _Player:
    """Plays at one table, while another socket looks on."""

    def __init__(self, address: str, ident: str, cookie: str) -> None:
        self.address, self.ident, self.cookie = address, ident, cookie
        self.times: list[float] = []
        self.table: dict[str, Any] = {}
        self.told = 0

    async def play(self, seated: asyncio.Barrier, after: float, pace: float) -> None:
        """Waits until all have their tables, then `after` seconds, so that not all answer at once.

        And `pace` seconds after each answer.
        """
        from websockets.asyncio.client import connect
        from websockets.typing import Origin

        place = f"{self.address.replace('http', 'ws', 1)}/table/{self.ident}/line"
        cookie = {"Cookie": f"ddob={self.cookie}"}
        options: dict[str, Any] = {"additional_headers": cookie, "origin": Origin(self.address)}
        async with (
            connect(place, open_timeout=120, **options) as own,
            connect(place, open_timeout=120, **options) as other,
        ):
            await other.send(json.dumps({"do": "sit", "seat": ""}))
            looking = asyncio.create_task(_read(other))
            await own.send(json.dumps({"do": "sit", "seat": "us"}))
            await self._question(own)
            await seated.wait()
            await asyncio.sleep(after)
            while len(self.times) < _CHOICES:
                question = await self._question(own)
                if question is None:
                    break
                started = time.perf_counter()
                await own.send(json.dumps({"do": "answer", "q": question["q"], "o": 0}))
                await self._hear(own)
                self.times.append(time.perf_counter() - started)
                await asyncio.sleep(pace)
            looking.cancel()

    async def _question(self, socket: Any) -> dict[str, Any] | None:
        """What is asked, when something is; nothing when the game is over."""
        while True:
            question = self.table.get("question")
            if question is not None and len(question["labels"]) > 1:
                return dict(question)
            if "over" in self.table:
                return None
            await self._hear(socket)

    async def _hear(self, socket: Any) -> None:
        """Waits for a table or for news, and puts them together as a page does."""
        while True:
            message = json.loads(await socket.recv())
            if message["is"] == "table":
                self.table = message["table"]
            elif message["is"] == "news":
                self.table = merged(self.table, message["news"])
            elif message["is"] == "refused":
                raise RuntimeError(message["why"])
            else:
                continue
            self.told = max(self.told, self.table["choice"])
            return


async def _read(socket: Any) -> None:
    while True:
        await socket.recv()
