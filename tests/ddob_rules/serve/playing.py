"""Games in a real browser against the real server, for tests and for the pictures in the docs."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]
# The first start compiles rules, on a machine that may be busy with other tests.
PATIENCE = 90_000


@dataclass
class Server:
    """`ddob serve` in a process of its own."""

    folder: Path
    arguments: tuple[str, ...] = ()
    started_in: Path = ROOT
    port: int = 0
    address: str = ""
    process: subprocess.Popen[str] | None = field(default=None)

    def start(self) -> None:
        if not self.port:
            with socket.socket() as free:
                free.bind(("127.0.0.1", 0))
                self.port = free.getsockname()[1]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "ddob_rules", "serve", *self.arguments, "--port", str(self.port)],
            cwd=self.started_in,
            env={**os.environ, "DDOB_DATA": str(self.folder), "PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        found = re.search(r"http://\S+", said)
        assert found is not None, said + self.process.stdout.read()
        self.address = found.group()

    def kill(self) -> None:
        """As if the power failed."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()

    @property
    def home(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@contextmanager
def a_server(folder: Path, *arguments: str, started_in: Path = ROOT) -> Iterator[Server]:
    server = Server(folder, arguments, started_in)
    server.start()
    try:
        yield server
    finally:
        server.kill()


def sit_down(page: Any, server: Server, seats: dict[str, str], *, seed: int | None = None) -> None:
    """Sets up a game on the start page and begins it."""
    page.goto(server.address)
    page.wait_for_selector("button.game", timeout=PATIENCE)
    page.wait_for_selector(".new-game fieldset", timeout=PATIENCE)
    for title, who in seats.items():
        page.locator(".new-game label", has_text=f"{title}:").locator("select").select_option(who)
    if seed is not None:
        page.locator(".new-game input[inputmode=numeric]").fill(str(seed))
    page.locator(".new-game button.main").click()
    page.wait_for_selector(".table", timeout=PATIENCE)
    if page.locator("dialog[open]").count():
        page.keyboard.press("Escape")
    page.locator(".foot select").select_option("0")


def wait_for_turn(page: Any) -> bool:
    """Whether this page is asked; False if the game is over."""
    page.wait_for_selector(".ask.mine, .ask.over", timeout=PATIENCE)
    return bool(page.locator(".ask.mine").count())


def question(page: Any) -> str:
    return str(page.locator(".ask").get_attribute("data-question"))


def answered(page: Any, before: str) -> None:
    """Waits until something else is asked, or nothing."""
    page.wait_for_function(
        "before => { const node = document.querySelector('.ask');"
        " return node === null || node.dataset.question !== before; }",
        arg=before,
        timeout=PATIENCE,
    )


# A click of a script: what is clicked may be gone as soon as it has been, and on a busy machine another
# question may be there by then, which the click is not meant for.
_PRESS = """([selector, before]) => {
  if (document.querySelector(".ask")?.dataset.question === before) document.querySelector(selector)?.click();
}"""


def press(page: Any, before: str, selector: str) -> None:
    """Clicks on the first that is selected, if what was asked before is still asked."""
    page.evaluate(_PRESS, [selector, before])


def play_on(page: Any, *, eager: bool = False) -> None:
    """Answers what is asked with the first thing that comes; `eager`: rather does something than ends it."""
    page.wait_for_selector(".ask.mine", timeout=PATIENCE)
    before = question(page)
    for _ in range(5):
        _answer(page, before, eager)
        for _ in range(40):
            if not page.locator(".ask").count() or question(page) != before:
                return
            page.wait_for_timeout(50)
    answered(page, before)


def _answer(page: Any, before: str, eager: bool) -> None:
    pieces = page.locator("#orders .piece > button").count()
    if page.locator(".ask .buttons[role=group]").count():
        press(page, before, ".ask .buttons[role=group] .main")
    elif page.locator(".answers button").count():
        press(page, before, ".answers button")
    elif page.locator(".ask .buttons button").count() and not (eager and pieces):
        press(page, before, ".ask .buttons button:last-child")
        page.wait_for_timeout(100)
        press(page, before, ".ask .buttons[role=group] .main")
    else:
        _order(page, before)


def _order(page: Any, before: str) -> None:
    """The first piece, and the first thing that it can do, down to the last argument."""
    if not page.locator("#orders .piece.open").count():
        press(page, before, "#orders .piece > button")
    for _ in range(8):
        if question(page) != before:
            return
        press(page, before, "#orders .piece.open li button")
        page.wait_for_timeout(150)
