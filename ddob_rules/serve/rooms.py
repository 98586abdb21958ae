"""Tables with people around them: who looks, who is told what, and games that go on by themselves.

Rules run in one thread, one call after the other, and computers think in another: neither keeps the network
waiting. Whoever is slow to read gets the newest table instead of all the news between.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeVar

from ddob_rules.cli.games import HUMAN
from ddob_rules.serve.opening import Library, Stamps, Wish, stamps
from ddob_rules.serve.playing import No, Page, Playing, thought
from ddob_rules.serve.reloading import Renewal, Watch, renewed
from ddob_rules.serve.words import word
from interpreter.table import news_between

_T = TypeVar("_T")
# More tables than this are not kept open at once; those that nobody looks at are closed.
_MOST_ROOMS = 400
_MOST_LOOKERS = 40
# Seconds.
_SLOWEST_READER = 10.0
_GLANCE = 0.7


class Line(Protocol):
    """The way to one page."""

    async def send(self, message: dict[str, Any]) -> None: ...

    async def close(self) -> None: ...


class Looker:
    """One page that looks at a table, from a seat or from beside it."""

    def __init__(self, room: Room, line: Line, seats: frozenset[str]) -> None:
        self.room = room
        self.line = line
        self.seats = seats
        self.seat: str | None = None
        self.sent: Page | None = None
        self._wake = asyncio.Event()
        self._waiting: list[dict[str, Any]] = []

    def sit(self, seat: str) -> None:
        self.seat, self.sent = seat, None
        self._wake.set()

    def tell(self, message: dict[str, Any]) -> None:
        """Something besides the table: who is there, replies, refusals."""
        self._waiting.append(message)
        self._wake.set()

    def wake(self) -> None:
        self._wake.set()

    async def run(self) -> None:
        """Sends what there is to send until the page is gone, or too slow."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            waiting, self._waiting = self._waiting, []
            for message in waiting:
                await self._send(message)
            await self._send_table()

    async def _send_table(self) -> None:
        if self.seat is None:
            return
        page = await self.room.page(self.seat)
        before, self.sent = self.sent, page
        if before is None or before.epoch != page.epoch:
            await self._send({"is": "table", "table": page.table})
        elif before.n != page.n:
            news = news_between(before.table, page.table)
            news["story"] = page.story[len(before.story) :]
            await self._send({"is": "news", "news": news})

    async def _send(self, message: dict[str, Any]) -> None:
        async with asyncio.timeout(_SLOWEST_READER):
            await self.line.send(message)


class Room:
    """One table and those who look at it."""

    def __init__(self, rooms: Rooms, playing: Playing) -> None:
        self.rooms = rooms
        self.playing = playing
        self.lookers: set[Looker] = set()
        self.lock = asyncio.Lock()
        self._going: asyncio.Task[None] | None = None
        self._watching: asyncio.Task[None] | None = None

    # ------------------------------------------------------------ looking

    async def enter(self, looker: Looker) -> None:
        if len(self.lookers) >= _MOST_LOOKERS:
            raise No(word(self.rooms.library.language, "too many"))
        self.lookers.add(looker)
        self.tell_seats()
        self.start()
        if self._watching is None:
            self._watching = asyncio.create_task(self._watch())

    def leave(self, looker: Looker) -> None:
        self.lookers.discard(looker)
        self.tell_seats()
        if not self.lookers and self._watching is not None:
            self._watching.cancel()
            self._watching = None

    def tell_seats(self) -> None:
        for looker in self.lookers:
            looker.tell({"is": "seats", "seats": self.seats(looker.seats)})

    def tell(self, message: dict[str, Any]) -> None:
        for looker in self.lookers:
            looker.tell(message)

    def seats(self, mine: frozenset[str]) -> list[dict[str, Any]]:
        here = {looker.seat for looker in self.lookers}
        found = []
        for player in self.playing.book["players"]:
            seat, kind = player["id"], self.playing.kinds[player["id"]]
            data = {
                "id": seat,
                "title": player["title"],
                "who": "person" if kind == HUMAN else kind,
                "here": seat in here or kind != HUMAN,
            }
            found.append({**data, "mine": True} if seat in mine and kind == HUMAN else data)
        return found

    async def page(self, seat: str) -> Page:
        async with self.lock:
            return await self.rooms.run(self.playing.page, seat)

    # ------------------------------------------------------------ playing

    async def change(self, call: Callable[..., None], *arguments: Any, **more: Any) -> None:
        """Something that changes the game; then all are told, and it goes on by itself if it can."""
        async with self.lock:
            await self.rooms.run(lambda: call(*arguments, **more))
        self._tell_all()
        self.start()

    async def look(self, call: Callable[[], _T]) -> _T:
        """Something that only looks."""
        async with self.lock:
            return await self.rooms.run(call)

    def _tell_all(self) -> None:
        for looker in self.lookers:
            looker.wake()

    def start(self) -> None:
        if self._going is None or self._going.done():
            self._going = asyncio.create_task(self._go_on())

    async def _go_on(self) -> None:
        """Computers, and answers that are the only ones; of the latter all are told at once."""
        untold = False
        while True:
            async with self.lock:
                if self.playing.waits():
                    if untold:
                        await self.rooms.run(self.playing.make_sure)
                        self._tell_all()
                    return
                asked = self.playing.thinker()
                moment, known = self.playing.moment, self.playing.given()
            option = known or 0 if asked is None else await self.rooms.think(partial(thought, *asked))
            async with self.lock:
                if self.playing.moment != moment:
                    continue  # something was taken back meanwhile
                try:
                    await self.rooms.run(partial(self.playing.take, option, sure=asked is not None))
                except No as refusal:
                    for looker in self.lookers:
                        looker.tell({"is": "refused", "why": str(refusal)})
                    return
            untold = asked is None
            if not untold:
                self._tell_all()
            await asyncio.sleep(0)

    # ------------------------------------------------------------ rules that change

    async def _watch(self) -> None:
        watch = Watch(self.rooms.library.stamps[id(self.playing.opened)])
        while True:
            await asyncio.sleep(_GLANCE)
            if watch.changed(await self.rooms.stamps(watch.files)):
                await asyncio.sleep(_GLANCE / 2)  # an editor may write in two steps
                watch.changed(await self.rooms.stamps(watch.files))
                await self._renew()
                watch = await self.rooms.load(partial(watch.after, self.playing.opened))

    async def _renew(self) -> None:
        async with self.lock:
            self.rooms.library.forget(self.playing.opened)  # a new table begins with what was saved
            found = await self.rooms.load(lambda: renewed(self.rooms.library, self.playing))
            before = {looker: looker.sent for looker in self.lookers}
            if found.session is not None and found.opened is not None:
                await self.rooms.run(self.playing.renew, found.opened, found.session, found.note)
                self.rooms.books[self.playing.book["book"]] = self.playing.book
            for looker in self.lookers:
                looker.tell(await self._told(found, looker, before[looker]))
        self._tell_all()
        self.start()

    async def _told(self, found: Renewal, looker: Looker, before: Page | None) -> dict[str, Any]:
        message: dict[str, Any] = {"is": "rules", "findings": found.findings}
        if found.session is None or looker.seat is None:
            return message
        page = await self.rooms.run(self.playing.page, looker.seat)
        message |= {"text": found.text, "same": found.same, "book": self.playing.book["book"]}
        if found.rule:
            message["rule"] = found.rule
        if before is not None:
            message |= {"old": {**before.table, "past": True, "question": None}, "new": page.table}
        return message

    def close(self) -> None:
        for task in (self._going, self._watching):
            if task is not None:
                task.cancel()
        if self.playing.writer is not None:
            self.playing.writer.close()


class Rooms:
    """All open tables."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.books: dict[str, dict[str, Any]] = {}
        self._rooms: dict[str, Room] = {}
        self._rules = ThreadPoolExecutor(1, "rules")
        self._thinkers = ThreadPoolExecutor(1, "thinkers")
        self._loaders = ThreadPoolExecutor(1, "loaders")
        self._painters = ThreadPoolExecutor(1, "painters")
        self._opening = asyncio.Lock()
        self._stamps: dict[tuple[Path, ...], tuple[float, asyncio.Future[Stamps]]] = {}

    async def run(self, call: Callable[..., _T], *arguments: Any) -> _T:
        return await asyncio.get_running_loop().run_in_executor(self._rules, call, *arguments)

    async def think(self, call: Callable[[], _T]) -> _T:
        return await asyncio.get_running_loop().run_in_executor(self._thinkers, call)

    async def load(self, call: Callable[[], _T]) -> _T:
        return await asyncio.get_running_loop().run_in_executor(self._loaders, call)

    async def paint(self, call: Callable[[], _T]) -> _T:
        """Loads for a picture: whoever wants to play need not wait for it."""
        return await asyncio.get_running_loop().run_in_executor(self._painters, call)

    async def stamps(self, files: tuple[Path, ...]) -> Stamps:
        """When files were changed last; looked up once for all tables of a game, and not too often."""
        now = asyncio.get_running_loop().time()
        known = self._stamps.get(files)
        if known is None or now - known[0] > _GLANCE / 3:
            known = self._stamps[files] = (now, asyncio.ensure_future(self.load(partial(stamps, files))))
        return await asyncio.shield(known[1])  # others may wait for it too

    async def begin(self, wish: Wish) -> Room:
        async with self._opening:
            self._make_space()
            playing = await self.load(lambda: self.library.begin(wish))
            return self._opened(playing)

    async def find(self, ident: str) -> Room:
        """A table by its name; a kept game is opened if it is not open yet."""
        async with self._opening:
            known = self._rooms.get(ident)
            if known is not None:
                return known
            self._make_space()
            playing = await self.load(lambda: self.library.go_on(ident))
            return self._opened(playing)

    async def picture(self, ident: str) -> tuple[dict[str, Any], Page]:
        """The book and the page of a kept game, as everybody may see it; it is not opened for that."""
        known = self._rooms.get(ident)
        if known is not None:
            return known.playing.book, await known.page("")
        playing = await self.paint(lambda: self.library.look_at(ident))
        return playing.book, await self.run(playing.page, "")

    async def onward(self, room: Room) -> Room:
        """The table of the next game of a campaign; whoever comes second finds it set up."""
        async with self._opening, room.lock:
            found = await self.load(lambda: self.library.onward(room.playing))
            if not isinstance(found, str):
                self._make_space()
                return self._opened(found)
        return await self.find(found)

    def _opened(self, playing: Playing) -> Room:
        room = self._rooms[playing.ident] = Room(self, playing)
        self.books[playing.book["book"]] = playing.book
        return room

    def _make_space(self) -> None:
        """Closes tables that nobody looks at; their games are on disk."""
        if len(self._rooms) < _MOST_ROOMS:
            return
        for ident, room in list(self._rooms.items()):
            if not room.lookers:
                room.close()
                del self._rooms[ident]
        if len(self._rooms) >= _MOST_ROOMS:
            raise No(word(self.library.language, "too many"))

    def close(self) -> None:
        for room in self._rooms.values():
            room.close()
        for pool in (self._rules, self._thinkers, self._loaders, self._painters):
            pool.shutdown(wait=False, cancel_futures=True)
