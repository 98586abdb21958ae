"""The server: pages, the start page's data, and a line to each page that looks at a table.

All that comes from outside is bounded and checked here: sizes, rates, where a page was loaded from, and
the form of messages. A name in an address is looked up in lists of what there is; it is never a path.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from jsonschema import Draft202012Validator
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from ddob_rules.serve.files import TYPES, content, files
from ddob_rules.serve.opening import COMPUTERS, Findings, Library, Wish
from ddob_rules.serve.playing import No
from ddob_rules.serve.questions import replied
from ddob_rules.serve.rooms import Looker, Room, Rooms
from ddob_rules.serve.seats import HOUSE, Seats, new_browser
from ddob_rules.serve.words import word

LARGEST_MESSAGE = 16 * 1024
_COOKIE = "ddob"
_A_YEAR = 365 * 24 * 3600
# Messages a second, and how many may come at once.
_RATE, _BURST = 20.0, 60.0
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_REFUSED, _GONE, _WRONG = 403, 404, 400


@dataclass(frozen=True, slots=True)
class House:
    """All that the server has."""

    library: Library
    rooms: Rooms
    seats: Seats
    host: str

    @property
    def language(self) -> str:
        return self.library.language


# ---------------------------------------------------------------- guards


class Guard:
    """Lets in only what comes from our own pages, and tells browsers what our pages may do."""

    def __init__(self, app: ASGIApp, host: str) -> None:
        self.app = app
        self.host = host

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        if not self._welcome(connection, scope):
            if scope["type"] == "http":
                await Response(status_code=_REFUSED)(scope, receive, send)
            else:
                await WebSocket(scope, receive, send).close(1008)
            return

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *_headers(connection.headers.get("host", ""))]
            await send(message)

        await self.app(scope, receive, sent if scope["type"] == "http" else send)

    def _welcome(self, connection: HTTPConnection, scope: Scope) -> bool:
        host = connection.headers.get("host", "")
        if self.host in _LOOPBACK and urlsplit(f"//{host}").hostname not in _LOOPBACK:
            return False  # a name of somebody else that leads to this machine
        if scope["type"] == "http" and scope["method"] in ("GET", "HEAD"):
            return True
        origin = connection.headers.get("origin", "")
        return bool(host) and urlsplit(origin).netloc == host and origin.startswith(("http://", "https://"))


def _headers(host: str) -> list[tuple[bytes, bytes]]:
    safe = host if all(letter.isalnum() or letter in ".:-[]" for letter in host) else ""
    lines = f"ws://{safe} wss://{safe}" if safe else ""
    policy = (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        f"connect-src 'self' {lines}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return [
        (b"content-security-policy", policy.encode()),
        (b"x-content-type-options", b"nosniff"),
        (b"referrer-policy", b"no-referrer"),
        (b"cross-origin-opener-policy", b"same-origin"),
        (b"cross-origin-resource-policy", b"same-origin"),
    ]


class Rate:
    """So many messages a second, and some more at once."""

    def __init__(self) -> None:
        self._left, self._when = _BURST, time.monotonic()

    def allows(self) -> bool:
        now = time.monotonic()
        self._left = min(_BURST, self._left + (now - self._when) * _RATE)
        self._when = now
        self._left -= 1
        return self._left >= 0


@cache
def _received() -> Draft202012Validator:
    schema = json.loads((Path(__file__).parent / "table.schema.json").read_text("utf-8"))
    return Draft202012Validator({"$ref": "#/$defs/received", "$defs": schema["$defs"]})


def understood(text: str) -> dict[str, Any] | None:
    """A message of a page, if it is one."""
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return message if isinstance(message, dict) and _received().is_valid(message) else None


async def _body(request: Request) -> dict[str, Any] | None:
    """The JSON object of a request, if it is one and not too large."""
    data = b""
    async for chunk in request.stream():
        data += chunk
        if len(data) > LARGEST_MESSAGE:
            return None
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


# ---------------------------------------------------------------- pages


def _house(connection: HTTPConnection) -> House:
    house: House = connection.app.state.house
    return house


def _browser(connection: HTTPConnection) -> str:
    return connection.cookies.get(_COOKIE, "")


def _at_home(request: Request) -> bool:
    return _house(request).seats.is_at_home(_browser(request))


async def page(request: Request) -> Response:
    return _file(request, "index.html")


async def web(request: Request) -> Response:
    return _file(request, request.path_params["name"])


def _file(request: Request, name: str) -> Response:
    path = request.app.state.files.get(name)
    if path is None:
        return Response(status_code=_GONE)
    data = content(path)
    if name == "index.html":
        data = data.replace(b'<html lang="en">', f'<html lang="{_house(request).language}">'.encode())
    return Response(data, media_type=TYPES[path.suffix], headers={"cache-control": "no-cache"})


async def book(request: Request) -> Response:
    found = _house(request).rooms.books.get(request.path_params["hash"])
    if found is None or not _browser(request):
        return Response(status_code=_GONE)
    return JSONResponse(found, headers={"cache-control": "private, max-age=31536000, immutable"})


async def games(request: Request) -> Response:
    """The start page's data."""
    if not _at_home(request):
        return JSONResponse({"why": word(_house(request).language, "link")}, _REFUSED)
    house = _house(request)
    return JSONResponse(await house.rooms.load(house.library.listed))


async def game(request: Request) -> Response:
    """One scenario, with the options and overlays that are asked for; `small`: only for a picture of it."""
    if not _at_home(request):
        return Response(status_code=_REFUSED)
    house = _house(request)
    options = tuple(request.query_params.getlist("option"))[:20]
    overlays = tuple(request.query_params.getlist("overlay"))[:20]
    name = request.path_params["name"]
    try:
        load = house.rooms.paint if "small" in request.query_params else house.rooms.load
        found = await load(lambda: house.library.details(name, options, overlays))
    except Findings as problem:
        return JSONResponse({"findings": problem.data}, 422)
    except No as refusal:
        return JSONResponse({"why": str(refusal)}, _GONE)
    house.rooms.books[found["book"]["book"]] = found["book"]
    return JSONResponse(found)


async def kept(request: Request) -> Response:
    """Where a kept game stands, for a picture of it: as everybody may see it."""
    if not _at_home(request):
        return Response(status_code=_REFUSED)
    try:
        book, found = await _house(request).rooms.picture(request.path_params["table"])
    except No as refusal:
        return JSONResponse({"why": str(refusal)}, _GONE)
    return JSONResponse({"book": book, "table": found.table})


async def sit(request: Request) -> Response:
    """Swaps the secret of a link for a cookie."""
    house, data = _house(request), await _body(request)
    secret = data.get("token") if data is not None else None
    browser = _browser(request) or new_browser()
    table = house.seats.swap(secret, browser) if isinstance(secret, str) and len(secret) < 100 else None
    if table is None:
        await asyncio.sleep(0.2)
        return JSONResponse({"why": word(house.language, "link")}, _REFUSED)
    answer = JSONResponse({"table": None if table == HOUSE else table})
    return _with_cookie(request, answer, browser)


def _with_cookie(request: Request, answer: Response, browser: str) -> Response:
    answer.set_cookie(
        _COOKIE,
        browser,
        max_age=_A_YEAR,
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )
    return answer


async def tables(request: Request) -> Response:
    """A new table."""
    if not _at_home(request):
        return Response(status_code=_REFUSED)
    house = _house(request)
    wish = _wish(await _body(request))
    if wish is None:
        return JSONResponse({"why": word(house.language, "not understood")}, _WRONG)
    try:
        room = await house.rooms.begin(wish)
    except Findings as problem:
        return JSONResponse({"findings": problem.data}, 422)
    except (No, ValueError) as refusal:
        return JSONResponse({"why": str(refusal)}, _WRONG)
    ident, links = room.playing.ident, {}
    for seat in room.playing.people:
        if wish.seats.get(seat) == "link":
            links[seat] = f"/table/{ident}#{house.seats.link(ident, seat)}"
        else:
            house.seats.seat(_browser(request), ident, seat)
    return JSONResponse({"table": ident, "links": links}, 201)


def _wish(data: dict[str, Any] | None) -> Wish | None:
    """A wish, if every part of it is of its kind."""
    if data is None or not isinstance(data.get("scenario"), str):
        return None
    options, overlays, seats = data.get("options", []), data.get("overlays", []), data.get("seats", {})
    seed = data.get("seed")
    if seed is None:
        seed = secrets.randbelow(1 << 31)
    lists = isinstance(options, list) and isinstance(overlays, list) and len(options) + len(overlays) <= 40
    if not lists or not all(isinstance(name, str) for name in (*options, *overlays)):
        return None
    known = ("me", "link", *COMPUTERS)
    if not isinstance(seats, dict) or not all(who in known for who in seats.values()):
        return None
    if type(seed) is not int or abs(seed) >= 1 << 63:
        return None
    return Wish(
        scenario=data["scenario"], options=tuple(options), overlays=tuple(overlays), seed=seed, seats=seats
    )


async def link(request: Request) -> Response:
    """A new link for a seat, for one who is at home."""
    if not _at_home(request):
        return Response(status_code=_REFUSED)
    house, data = _house(request), await _body(request)
    seat = data.get("seat") if data is not None else None
    try:
        room = await house.rooms.find(request.path_params["table"])
    except No as refusal:
        return JSONResponse({"why": str(refusal)}, _GONE)
    if seat not in room.playing.people:
        return JSONResponse({"why": word(house.language, "not understood")}, _WRONG)
    ident = room.playing.ident
    return JSONResponse({"link": f"/table/{ident}#{house.seats.link(ident, str(seat))}"}, 201)


# ---------------------------------------------------------------- the line


class _Socket:
    """The way to a page."""

    def __init__(self, socket: WebSocket) -> None:
        self.socket = socket

    async def send(self, message: dict[str, Any]) -> None:
        if self.socket.application_state == WebSocketState.CONNECTED:
            await self.socket.send_text(json.dumps(message, separators=(",", ":"), ensure_ascii=False))

    async def close(self) -> None:
        with suppress(RuntimeError, WebSocketDisconnect):  # the page may have gone first
            await self.socket.close(1008)


async def _turned_away(socket: WebSocket, why: str) -> None:
    """A page hears why only if it was let in first; a reason has 123 bytes at most."""
    await socket.accept()
    await socket.close(1008, why.encode()[:120].decode(errors="ignore"))


async def line(socket: WebSocket) -> None:
    """A page at a table."""
    house = _house(socket)
    browser, ident = _browser(socket), socket.path_params["table"]
    mine = house.seats.seats_of(browser, ident)
    if not mine and not house.seats.is_at_home(browser):
        await _turned_away(socket, word(house.language, "no link"))
        return
    try:
        room = await house.rooms.find(ident)
    except No as refusal:
        await _turned_away(socket, str(refusal))
        return
    if not mine:
        # Whoever is at home plays all that was not given away.
        free = frozenset(room.playing.people) - house.seats.guests(ident)
        for seat in free:
            house.seats.seat(browser, ident, seat)
        mine = free
    await socket.accept()
    looker = Looker(room, _Socket(socket), mine)
    try:
        await room.enter(looker)
    except No as refusal:
        await socket.close(1008, str(refusal))
        return
    sending = asyncio.create_task(looker.run())
    hearing = asyncio.create_task(_hear(socket, looker, house))
    try:
        await asyncio.wait({sending, hearing}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (sending, hearing):
            task.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await task
        room.leave(looker)
        await looker.line.close()


async def _hear(socket: WebSocket, looker: Looker, house: House) -> None:
    rate = Rate()
    while True:
        try:
            text = await socket.receive_text()
        except (WebSocketDisconnect, KeyError, RuntimeError):
            return
        if not rate.allows() or len(text) > LARGEST_MESSAGE:
            looker.tell({"is": "refused", "why": word(house.language, "too fast")})
            return
        message = understood(text)
        if message is None:
            looker.tell({"is": "refused", "why": word(house.language, "not understood")})
            continue
        try:
            await _obey(looker, looker.room, message, house)
        except No as refusal:
            told: dict[str, Any] = {"is": "refused", "why": str(refusal)}
            if "id" in message:
                told["id"] = message["id"]
            looker.tell(told)
            if message["do"] == "answer":
                looker.wake()


async def _obey(looker: Looker, room: Room, message: dict[str, Any], house: House) -> None:
    if message["do"] == "sit":
        if message["seat"] and message["seat"] not in looker.seats:
            raise No(word(house.language, "not yours"))
        looker.sit(message["seat"])
        room.tell_seats()
        return
    seat = looker.seat
    if seat is None:
        raise No(word(house.language, "not yours"))
    playing = room.playing
    match message["do"]:
        case "answer":
            await room.change(playing.answer, seat, message["q"], message["o"])
        case "undo" if seat:
            alone = not house.seats.guests(playing.ident)
            await room.change(playing.undo, seat, message.get("to"), alone=alone, held=looker.seats)
        case "vote" if seat:
            await room.change(playing.cast, seat, message["yes"], held=looker.seats)
        case "redo" if seat:
            await room.change(playing.redo, seat)
        case "onward" if seat:
            following = await house.rooms.onward(room)
            house.seats.take_along(playing.ident, following.playing.ident)
            room.tell({"is": "onward", "table": following.playing.ident})
        case "whole":
            looker.sit(seat)
        case "at":
            table = await room.look(lambda: playing.at(seat, message["n"]))
            looker.tell({"is": "table", "table": table})
        case "ask":
            state = await room.look(lambda: playing.position(seat).copy())
            # What takes long is thought about where computers think.
            call = room.rooms.think if message["about"] in ("hint", "try", "leads") else room.rooms.run
            reply = await call(lambda: replied(playing, state, seat, message))
            looker.tell({"is": "reply", "id": message["id"], **reply})


# ---------------------------------------------------------------- all of it


def make_app(library: Library, seats: Seats, host: str = "127.0.0.1") -> Starlette:
    """The application; `host` is the address that it is reached at."""

    @asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        rooms = Rooms(library)
        app.state.house = House(library, rooms, seats, host)
        try:
            yield
        finally:
            rooms.close()

    app = Starlette(
        routes=[
            Route("/", page),
            Route("/table/{table}", page),
            Route("/web/{name:path}", web),
            Route("/book/{hash}", book),
            Route("/games", games),
            Route("/games/{name}", game),
            Route("/kept/{table}", kept),
            Route("/sit", sit, methods=["POST"]),
            Route("/tables", tables, methods=["POST"]),
            Route("/table/{table}/link", link, methods=["POST"]),
            WebSocketRoute("/table/{table}/line", line),
        ],
        middleware=[Middleware(Guard, host=host), Middleware(GZipMiddleware, minimum_size=1000)],
        lifespan=life,
    )
    app.state.files = files()
    return app
