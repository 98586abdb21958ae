"""A real browser for tests of the page: Chromium as the system has it, driven by Playwright."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]
WEB = ROOT / "ddob_rules/serve/web"
FIXTURES = ROOT / "tests/fixtures/table"
AXE = Path(__file__).with_name("vendor") / "axe.min.js"
ADDRESS = "http://table.test"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self' ws://table.test; base-uri 'none'; form-action 'none'"
)
#: The first that is there: the same engine without windows takes half the time of the whole browser.
_BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
_FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
_TYPES = {".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


def chromium() -> str:
    """The browser; the test is skipped where there is none."""
    pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    found = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if found is None:
        pytest.skip(f"no Chromium: `apt-get install {_BROWSERS[0]}`; .ci/run does that where it may")
    return found


@contextmanager
def a_browser() -> Iterator[Any]:
    executable = chromium()
    # Where it is not installed, `chromium` has left the test out.
    from playwright.sync_api import sync_playwright  # type: ignore[import-not-found, unused-ignore]

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=_FLAGS)
        yield browser
        browser.close()


def sample(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """A book and a table as they are really sent."""
    read = [json.loads((FIXTURES / f"{name}.{part}.json").read_text("utf-8")) for part in ("book", "table")]
    return read[0], read[1]


#: Who serves a page now: one page is enough for many tests, and a new one each time is a new process.
_SERVED: dict[Any, Desk] = {}


def as_new(page: Any) -> None:
    """Leaves a page as if nobody had been there: no table, nothing kept, the pointer in its corner."""
    if page.url.startswith(ADDRESS):
        page.evaluate("localStorage.clear(); sessionStorage.clear()")
    page.goto("about:blank")
    page.mouse.move(0, 0)
    page.set_viewport_size({"width": 1280, "height": 800})
    page.emulate_media(color_scheme="light", reduced_motion="reduce")


class Desk:
    """A server of one table that does what the test says, and remembers what it was told."""

    def __init__(self, page: Any, book: dict[str, Any], table: dict[str, Any]) -> None:
        self.page, self.book, self.table = page, book, table
        self.told: list[dict[str, Any]] = []
        self.problems: list[str] = []
        self.replies: dict[str, dict[str, Any]] = {}
        self.json: dict[str, Any] = {}
        self.sockets: list[Any] = []
        self.refuses = False
        players = book["players"]
        self.seats = [
            {
                "id": p["id"],
                "title": p["title"],
                "who": "person",
                "here": True,
                "mine": p["id"] == table["seat"],
            }
            for p in players
        ]
        if page not in _SERVED:
            page.on("pageerror", lambda error: _SERVED[page].problems.append(str(error)))
            page.on("console", lambda line: _SERVED[page]._logged(line))
            page.route("**/*", lambda route: _SERVED[page]._file(route))
            page.route_web_socket("**/line", lambda socket: _SERVED[page]._line(socket))
        _SERVED[page] = self

    def _logged(self, line: Any) -> None:
        if line.type == "error":
            self.problems.append(line.text)

    def _file(self, route: Any) -> None:
        path = route.request.url.removeprefix(ADDRESS).split("?")[0].split("#")[0]
        if path.startswith("/book/"):
            route.fulfill(json=self.book)
        elif path in self.json:
            route.fulfill(json=self.json[path])
        elif path == "/" or path.startswith("/table/"):
            self._send(route, WEB / "index.html", "text/html")
        elif path.startswith("/web/") and (WEB / path[5:]).is_file():
            self._send(route, WEB / path[5:], _TYPES[Path(path).suffix])
        else:
            route.fulfill(status=404)

    def _send(self, route: Any, path: Path, kind: str) -> None:
        headers = {"Content-Security-Policy": POLICY, "Content-Type": f"{kind}; charset=utf-8"}
        route.fulfill(body=path.read_bytes(), headers=headers)

    def _line(self, socket: Any) -> None:
        if self.refuses:
            socket.close()
            return
        self.sockets.append(socket)
        socket.on_message(lambda text: self._message(socket, json.loads(text)))
        socket.send(json.dumps({"is": "seats", "seats": self.seats}))

    def _message(self, socket: Any, message: dict[str, Any]) -> None:
        self.told.append(message)
        if message["do"] == "sit" or message["do"] == "whole":
            socket.send(
                json.dumps(
                    {"is": "table", "table": {**self.table, "seat": message.get("seat", self.table["seat"])}}
                )
            )
        elif message["do"] == "ask":
            reply = self.replies.get(message["about"], {})
            socket.send(json.dumps({"is": "reply", "id": message["id"], **reply}))

    def send(self, message: dict[str, Any]) -> None:
        self.sockets[-1].send(json.dumps(message))

    def open(self) -> None:
        self.page.goto(f"{ADDRESS}/table/k7")
        self.page.wait_for_selector(".table")
        self.page.wait_for_selector("dialog[open]")
        self.page.keyboard.press("Escape")

    def answers(self) -> list[tuple[int, int]]:
        return [(message["q"], message["o"]) for message in self.told if message["do"] == "answer"]

    def wait_for(self, count: int) -> list[tuple[int, int]]:
        """The answers so far, when there are so many."""
        for _ in range(100):
            if len(self.answers()) >= count:
                break
            self.page.wait_for_timeout(20)
        return self.answers()


def serious(page: Any) -> list[str]:
    """What axe finds that keeps people out."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{one['id']}: {one['nodes'][0]['html'][:150]} {one['nodes'][0].get('failureSummary', '')[:200]}"
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
    ]


def spoken(page: Any, how: str = "polite") -> str:
    return str(page.evaluate(f"document.getElementById('say-{how}').textContent"))
