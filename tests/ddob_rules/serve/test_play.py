"""Whole games in a real browser, against the server as it is started by the command."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.ddob_rules.serve.browsing import a_browser, serious, spoken
from tests.ddob_rules.serve.playing import (
    PATIENCE,
    ROOT,
    a_server,
    answered,
    play_on,
    question,
    sit_down,
    wait_for_turn,
)

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with a_browser() as found:
        yield found


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    yield from a_page(browser)


def a_page(browser: Any) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    yield page
    context.close()
    assert problems == []


def lit_point(page: Any) -> tuple[float, float]:
    """Where the first lit space is, by the light itself."""
    path = page.locator(".light-dots").get_attribute("d")
    x, y = (float(part) for part in path[1 : path.index("a")].split())
    at = page.locator(".light-dots").evaluate(
        "(node, [x, y]) => { const at = node.getScreenCTM(); return [at.a * x + at.e, at.d * y + at.f]; }",
        [x + 5, y],
    )
    return at[0], at[1]


def test_tic_tac_toe_by_mouse(page: Any, tmp_path: Path) -> None:
    with a_server(tmp_path, "tic-tac-toe") as server:
        sit_down(page, server, {"Nought": "random"})
        count = 0
        while wait_for_turn(page):
            before = question(page)
            page.mouse.click(*lit_point(page))
            answered(page, before)
            count += 1
        assert 3 <= count <= 5
        assert page.locator(".counters .counter").count() >= 5
        assert serious(page) == []


def test_tic_tac_toe_by_keyboard(page: Any, tmp_path: Path) -> None:
    with a_server(tmp_path, "tic-tac-toe") as server:
        page.goto(server.address)
        page.wait_for_selector(".new-game fieldset", timeout=PATIENCE)
        page.wait_for_function("() => document.activeElement.matches('.new-game button.main')")
        page.keyboard.press("Enter")
        page.wait_for_selector("dialog[open]", timeout=PATIENCE)
        page.keyboard.press("Enter")
        page.locator("#map").focus()
        while wait_for_turn(page):
            before = question(page)
            page.keyboard.press("n")
            page.keyboard.press("Enter")
            answered(page, before)
            assert page.evaluate("document.activeElement.id") == "map"
        over = page.locator(".question").inner_text()
        assert "win" in over or "draw" in over
        assert "Mark" in spoken(page)


def test_two_at_one_screen(page: Any, tmp_path: Path) -> None:
    with a_server(tmp_path, "tic-tac-toe") as server:
        sit_down(page, server, {"Nought": "me"})
        assert wait_for_turn(page)
        before = question(page)
        page.mouse.click(*lit_point(page))
        answered(page, before)
        page.wait_for_selector(".pass")
        assert page.locator(".table, .counter").count() == 0
        page.get_by_role("button", name="I am Nought").click()
        page.wait_for_selector(".ask.mine")
        assert "You play Nought" in page.locator(".head").inner_text()
        # Taking it back is Nought's as well: at one screen everybody may.
        page.locator(".head button", has_text="Undo").click()
        page.wait_for_selector(".pass")


def test_turn_of_first_waves(page: Any, tmp_path: Path) -> None:
    with a_server(tmp_path, "first-waves") as server:
        sit_down(page, server, {}, seed=1)
        assert wait_for_turn(page)
        assert "turn 1/" in page.locator(".head").inner_text()
        moved = explained = False
        for _ in range(80):
            if "turn 1/" not in page.locator(".head").inner_text():
                break
            if not explained and "Actions of a division" in page.locator(".question").inner_text():
                explained = why_not_is_told(page)
            play_on(page, eager=not moved)
            wait_for_turn(page)
            moved = moved or "moves to" in page.locator(".story").inner_text()
        assert "turn 2/" in page.locator(".head").inner_text()
        assert moved and explained
        assert serious(page) == []


def why_not_is_told(page: Any) -> bool:
    """What is not possible says why, with its rule: the piece that is picked, and a space far away."""
    page.locator("#orders .piece > button").first.click()
    page.locator("#map").focus()
    for _ in range(5):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("?")
    page.wait_for_selector(".side .why .rule", timeout=PATIENCE)
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    return True


def hand(page: Any) -> list[str]:
    """The ids of the cards; several cards may have one name."""
    return [str(card.get_attribute("data-thing")) for card in page.locator(".playing-card").all()]


def test_duel_of_two_browsers_with_hidden_hands(browser: Any, page: Any, tmp_path: Path) -> None:
    heard: dict[str, list[str]] = {"allies": [], "axis": []}
    other = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    for seat, its in (("allies", page), ("axis", other)):
        its.on(
            "websocket",
            lambda line, seat=seat: line.on("framereceived", lambda text: heard[seat].append(str(text))),
        )
    with a_server(tmp_path, "pegasus-bridge") as server:
        sit_down(page, server, {"Axis": "link"})
        page.locator(".head button", has_text="Seats").click()
        link = page.locator("dialog input").input_value()
        page.keyboard.press("Escape")
        other.goto(link)
        other.wait_for_selector(".table", timeout=PATIENCE)
        other.wait_for_selector("dialog[open]")
        other.keyboard.press("Escape")
        other.locator(".foot select").select_option("0")
        assert "You play Axis" in other.locator(".head").inner_text()
        hands = {"allies": set(hand(page)), "axis": set(hand(other))}
        assert len(hands["allies"]) >= 2 and len(hands["axis"]) >= 2
        for _ in range(25):
            for its in (page, other):
                if its.locator(".ask.mine").count():
                    play_on(its, eager=True)
                its.wait_for_timeout(50)
            if "turn 2" in page.locator(".head").inner_text():
                break
        assert "Axis:" in page.locator(".story").inner_text()
        secret = {"allies": hands["axis"] - hands["allies"], "axis": hands["allies"] - hands["axis"]}
        told = {seat: "".join(texts) for seat, texts in heard.items()}
        kept = {"allies": set(hand(other)), "axis": set(hand(page))}
        for seat in ("allies", "axis"):
            # What the other still holds was never told; what was played is known to all.
            still = secret[seat] & kept[seat]
            assert still
            assert [name for name in still if json.dumps(name) in told[seat]] == []
    other.context.close()


def test_rules_that_change_while_one_plays(page: Any, tmp_path: Path) -> None:
    folder = tmp_path / "rulesets" / "tic-tac-toe"
    shutil.copytree(ROOT / "rulesets/classics/tic-tac-toe", folder)
    rules = folder / "tic-tac-toe.rules"
    good = rules.read_text(encoding="utf-8")
    with a_server(tmp_path / "data", str(folder / "scenarios/tic-tac-toe.yaml")) as server:
        sit_down(page, server, {"Nought": "random"})
        wait_for_turn(page)
        before = question(page)
        page.mouse.click(*lit_point(page))
        answered(page, before)
        rules.write_text(good.replace("c.mark = nothing  else", "c.marq = nothing  else"), encoding="utf-8")
        page.wait_for_selector(".findings pre", timeout=PATIENCE)
        assert "marq" in page.locator(".findings").inner_text()
        assert serious(page) == []
        rules.write_text(good.replace("the cell is already marked", "somebody was here"), encoding="utf-8")
        page.wait_for_selector(".findings.good", timeout=PATIENCE)
        page.locator(".findings button", has_text="Close").click()
        wait_for_turn(page)
        taken = page.locator(".counters .counter").first.bounding_box()
        page.mouse.click(taken["x"] + taken["width"] / 2, taken["y"] + taken["height"] / 2)
        page.wait_for_selector(".side .why li")
        assert "somebody was here" in page.locator(".side .why").inner_text()


def test_killed_server_loses_nothing(page: Any, tmp_path: Path) -> None:
    with a_server(tmp_path, "tic-tac-toe") as server:
        sit_down(page, server, {"Nought": "random"})
        wait_for_turn(page)
        before = question(page)
        page.mouse.click(*lit_point(page))
        answered(page, before)
        wait_for_turn(page)
        marks = page.locator(".counters .counter").count()
        assert marks == 2
        server.kill()
        page.wait_for_selector(".table.stale")
        assert page.locator(".counters .counter").count() == marks
        server.start()
        page.wait_for_selector(".table:not(.stale)", timeout=PATIENCE)
        wait_for_turn(page)
        assert page.locator(".counters .counter").count() == marks
        before = question(page)
        page.mouse.click(*lit_point(page))
        answered(page, before)
        # And it is found on the start page, with a picture of where it stands.
        page.goto(server.address)
        page.wait_for_selector("a.game .picture .counter", timeout=PATIENCE)
        page.locator("a.game").first.click()
        page.wait_for_selector(".table", timeout=PATIENCE)
        assert page.locator(".counters .counter").count() >= 3


_TABLE = """async () => {
  const wish = { scenario: "omaha-beach-dice", seed: 1, options: ["2 players"], seats: { easy: "link" } };
  const told = await fetch("/tables", { method: "POST", body: JSON.stringify(wish) });
  return told.json();
}"""


def test_two_browsers_choose_at_once_in_any_order(browser: Any, page: Any, tmp_path: Path) -> None:
    other = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    with a_server(tmp_path, "omaha-beach-dice") as server:
        page.goto(server.address)
        page.wait_for_selector("button.game", timeout=PATIENCE)
        made = page.evaluate(_TABLE)
        page.goto(f"{server.home}/table/{made['table']}")
        other.goto(f"{server.home}{made['links']['easy']}")
        for its in (page, other):
            its.wait_for_selector(".table", timeout=PATIENCE)
            its.wait_for_selector("dialog[open]")
            its.keyboard.press("Escape")
            its.wait_for_selector(".ask.mine", timeout=PATIENCE)
            assert "Which two dice are locked?" in its.locator(".ask").inner_text()
        before = question(page)
        for _ in range(2):
            play_on(other)
        other.wait_for_selector(".ask:not(.mine)", timeout=PATIENCE)
        assert "Dog" in other.locator(".ask").inner_text() and question(page) == before
        for _ in range(2):
            play_on(page)
        for its in (page, other):
            its.wait_for_function(
                "() => document.querySelector('.ask.mine')?.innerText.includes('rolled again')",
                timeout=PATIENCE,
            )
    other.context.close()
