"""The page in a real Chromium: from a click to the drawn map, lighting, why not, first paint, pan and zoom.

`python -m benchmarks.browsing` starts a server and a browser, plays First Waves by clicks, and prints a row
for each limit. It is no part of `benchmarks.run`: it needs Chromium and Playwright, and its times hold for a
quiet machine only.
"""

from __future__ import annotations

import gzip
import tempfile
from contextlib import suppress
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import TimeoutError as PlaywrightTimeout

from benchmarks.run import table
from benchmarks.timing import Row
from tests.ddob_rules.serve.browsing import a_browser
from tests.ddob_rules.serve.playing import PATIENCE, Server, a_server, play_on, wait_for_turn

_SCENARIO = "first-waves"
_CLICKS = 40
_TRIES = 15
_FRAMES = 90

# Stamps every message on its way out and in, so that the server's part can be told from the page's.
_STAMPS = """
window.stamps = {out: 0, back: 0};
const send = WebSocket.prototype.send;
WebSocket.prototype.send = function (...data) {
  if (String(data[0]).includes('"do":"answer"')) window.stamps = {out: performance.now(), back: 0};
  return send.apply(this, data);
};
const add = WebSocket.prototype.addEventListener;
const listen = (socket) => add.call(socket, "message", () => (window.stamps.back ||= performance.now()));
const Real = WebSocket;
window.WebSocket = class extends Real { constructor(...given) { super(...given); listen(this); } };
"""
# Presses what answers, and waits for the next table: until a frame after the question is another one.
_CLICK = """
(node) => new Promise((resolve) => {
  const ask = () => document.querySelector(".ask")?.dataset.question;
  const before = ask();
  const started = performance.now();
  const look = () => {
    if (ask() === before) {
      const more = window.stamps.out < started && performance.now() - started > 200;
      return more ? resolve(null) : requestAnimationFrame(look); // more is to be chosen first
    }
    requestAnimationFrame(() => setTimeout(() => {
      const {out, back} = window.stamps;
      resolve([performance.now() - started, back - out]);
    }));
  };
  node.click();
  look();
})
"""
# Shows what the first piece can do, unless it can do but one thing.
_UNFOLD = """
() => {
  if (document.querySelector("#orders .piece.open") === null)
    document.querySelector("#orders .piece > button[aria-expanded=false]")?.click();
}
"""
# A click that only the page answers: its script, and the layout that follows from it.
_LIGHT = """
(node) => {
  const started = performance.now();
  node.click();
  document.body.getBoundingClientRect();
  document.getElementById("map").getBoundingClientRect();
  return performance.now() - started;
}
"""
# When somebody clicks, and when the reasons stand there.
_WHY = """
() => {
  let started = 0;
  window.why = 0;
  addEventListener("pointerup", () => (started = performance.now()), {capture: true, once: true});
  const observer = new MutationObserver(() => {
    if (started === 0 || document.querySelector(".why li") === null) return;
    observer.disconnect();
    window.why = performance.now() - started;
  });
  observer.observe(document.body, {childList: true, subtree: true, characterData: true});
}
"""
# Turns the wheel over the map once a frame; gives the time between frames.
_FRAMING = """
(frames) => new Promise((resolve) => {
  const map = document.getElementById("map");
  const box = map.getBoundingClientRect();
  const times = [];
  let number = 0, before = 0;
  const frame = (now) => {
    if (number > 0) times.push(now - before);
    before = now;
    if (number++ >= frames) return resolve(times);
    const clientX = box.x + box.width / 2 + 200 * Math.sin(number / 9), clientY = box.y + box.height / 2;
    const turn = {clientX, clientY, deltaY: 30 * Math.sin(number / 12), bubbles: true, cancelable: true};
    map.dispatchEvent(new WheelEvent("wheel", turn));
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
})
"""


def measure() -> list[Row]:
    """All rows, of one server and one browser."""
    with tempfile.TemporaryDirectory() as folder, a_browser() as browser:
        with a_server(Path(folder), _SCENARIO) as server:
            context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
            page = context.new_page()
            page.add_init_script(_STAMPS)
            rows = [*_start(page, server), *_opened(page)]
            page.locator(".foot select").select_option("0")
            for part in (_clicks, _lighting, _why_not, _framing):
                rows += part(page)
            context.close()
        return rows


def _against(
    subject: str, limit: float, taken: list[float], unit: str = "milliseconds", more: str = ""
) -> Row:
    """A row of times, or sizes, against their limit."""
    middle, worst = median(taken), max(taken)
    spread = (
        f"{middle:.1f} (median), {worst:.1f} (most of {len(taken)})" if len(taken) > 1 else f"{middle:.1f}"
    )
    return Row(
        subject=subject,
        against=f"{limit:g} {unit}",
        ratio=middle / limit,
        wanted="at most 1",
        machine=f"{spread} {unit}",
    )


_PAINTED = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"


def _start(page: Any, server: Server) -> list[Row]:
    """The start page, cold; then once more; and what is loaded for it."""
    page.goto(server.address)
    page.wait_for_selector(".new-game fieldset", timeout=PATIENCE)
    cold = page.evaluate("performance.now()")
    painted = page.evaluate(_PAINTED)
    page.wait_for_load_state("networkidle")  # all pictures are there
    page.reload()
    page.wait_for_selector(".new-game fieldset", timeout=PATIENCE)
    warm = page.evaluate("performance.now()")
    return [
        _against("start page, something to see", 1000, [painted]),
        _against("start page, ready to set up a game, server just started", 4000, [cold]),
        _against("start page, ready to set up a game, again", 1000, [warm]),
    ]


def _opened(page: Any) -> list[Row]:
    """A new table, and the same table after a reload; the sizes of all that came for it."""
    page.locator(".new-game button.main").click()
    page.wait_for_selector(".table .counters [data-thing]", timeout=PATIENCE)
    if page.locator("dialog[open]").count():
        page.keyboard.press("Escape")
    sizes: dict[str, int] = {}
    page.on("response", lambda answer: sizes.update({answer.url: _packed(answer)}))
    taken = []
    for _ in range(5):
        page.reload()
        page.wait_for_selector(".table .counters [data-thing]", timeout=PATIENCE)
        taken.append(page.evaluate("performance.now()"))
    files = sum(size for url, size in sizes.items() if "/web/" in url or "/table/" in url) / 1000
    return [
        _against(f"table of {_SCENARIO}, drawn after a reload", 1000, taken),
        _against(f"files of the page at a table, gzipped ({len(sizes)})", 60, [files], "KB"),
    ]


def _packed(answer: Any) -> int:
    return len(gzip.compress(answer.body(), 6)) if answer.ok else 0


def _clicks(page: Any) -> list[Row]:
    """Answers by clicks: what is under Orders, or a button."""
    whole, server = [], []
    for _ in range(_CLICKS):
        if not wait_for_turn(page):
            break
        node = _answering(page)
        if node is None:
            play_on(page)
            continue
        found = node.evaluate(_CLICK)
        if found is not None:
            whole.append(found[0])
            server.append(found[1])
    return [
        _against(f"a click to the drawn map, {_SCENARIO}", 150, whole),
        _against("the server's part of it, with the way there and back", 50, server),
    ]


def _answering(page: Any) -> Any:
    """Something that answers with one click, if there is something."""
    open_piece = "#orders .piece.open"
    page.evaluate(_UNFOLD)
    for choice in (
        "#orders .piece > button:not([aria-expanded])",
        f"{open_piece} .targets button",
        f"{open_piece} > ul > li > button",
        ".answers button",
    ):
        found = page.query_selector(choice)
        if found is not None:
            return found
    return None


def _with_options(page: Any) -> None:
    """Goes on until several pieces can do something."""
    for _ in range(60):
        wait_for_turn(page)
        if page.locator("#orders .piece > button[aria-expanded]").count() > 3:
            return
        play_on(page)


def _lighting(page: Any) -> list[Row]:
    _with_options(page)
    page.keyboard.press("Escape")
    taken = []
    for number in range(_TRIES):
        pieces = page.query_selector_all("#orders .piece > button[aria-expanded]")
        taken.append(pieces[number % len(pieces)].evaluate(_LIGHT))
    return [_against("what a piece can do, lit after a click", 16, taken)]


def _why_not(page: Any) -> list[Row]:
    _with_options(page)
    box = page.locator("#map").bounding_box()
    taken = []
    for number in range(_TRIES):
        page.keyboard.press("Escape")
        page.evaluate(_UNFOLD)
        page.evaluate(_WHY)
        page.mouse.click(box["x"] + box["width"] * (0.3 + 0.02 * number), box["y"] + box["height"] * 0.75)
        with suppress(PlaywrightTimeout):  # what was clicked may be lit
            page.wait_for_function("() => window.why > 0", timeout=2000)
            taken.append(page.evaluate("window.why"))
    return [_against("why not, told after a click", 100, taken)]


def _framing(page: Any) -> list[Row]:
    taken = page.evaluate(_FRAMING, _FRAMES)
    return [_against("a frame while the map is panned and zoomed", 20, taken)]


if __name__ == "__main__":
    print(table(measure()), end="")
