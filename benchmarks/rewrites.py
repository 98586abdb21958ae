"""A large game written by somebody who does not think of speed, against the same rules rewritten by hand.

The rules that are shipped have what the hand does: a `when` for each condition of an action, hexsides whose
attributes are fixed and may be left out, a zone of control as one set for each player. The plain edition
takes these back: one `when` for all, attributes with a start value, a definition of player and hex. The
compiler should find what the hand did, so that both play as fast, and they must play the same games.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from pathlib import Path
from statistics import median

from benchmarks.series import Play, by_choices, taking_turns
from benchmarks.timing import Row, Sizes, ratio
from ddob_rules import load
from ddob_rules.resources import rulesets_folder
from interpreter.machine.game import Game
from interpreter.wasm.engine import FastGame

RULESET = "normandie-1944"
SCENARIO = "normandie-cobra"
_MOST_ROUNDS = 5  # a round is several whole games
_LAST_TURN = 7  # of the Python engine's games: the first
_PLAIN_ZONE = """  define in_zone(p: player, h: hex): flag =
      h in watchers(p) or some x in neighbours(h) where x in watchers(p) and open_side(x, h)
"""
_WHEN = re.compile(r'^    when (.*?)  else ("[^"]*") (\([^)]*\))$')


def plain_edition(folder: Path) -> Path:
    """A copy of the ruleset in a folder, with what is rewritten by hand taken back; gives the scenario."""
    shutil.copytree(
        rulesets_folder() / RULESET, folder / RULESET, ignore=shutil.ignore_patterns("examples", "locale")
    )
    for path in sorted((folder / RULESET).glob("*.rules")):
        path.write_text(plain(path.read_text(encoding="utf-8")), encoding="utf-8")
    return folder / RULESET / "scenarios" / f"{SCENARIO}.yaml"


def plain(text: str) -> str:
    """A file of the rules, written without a thought of speed."""
    text = text.replace("    road, rail: flag optional\n", "    road, rail: flag = no\n")
    return "\n".join(_one_condition([_zones_by_hex(line) for line in text.split("\n")]))


def _zones_by_hex(line: str) -> str:
    """`h in zone_of_control(p)` as `in_zone(p, h)`."""
    if line.startswith("  define zone_of_control"):
        return _PLAIN_ZONE + line
    while (match := re.search(r"(\S+) (not )?in zone_of_control\(", line)) is not None:
        end = _closing(line, match.end())
        subject, negation = match[1].lstrip("("), "not " if match[2] else ""
        brackets = match[1][: len(match[1]) - len(subject)]
        asked = f"{brackets}{negation}in_zone({line[match.end() : end]}, {subject})"
        line = line[: match.start()] + asked + line[end + 1 :]
    return line


def _closing(line: str, place: int) -> int:
    """Where the bracket is closed that was opened before this place."""
    depth = 1
    while depth:
        depth += {"(": 1, ")": -1}.get(line[place], 0)
        place += 1
    return place - 1


def _one_condition(lines: list[str]) -> list[str]:
    """The conditions of each action in one line."""
    found: list[str] = []
    for line in lines:
        match, before = _WHEN.match(line), _WHEN.match(found[-1]) if found else None
        if match is not None and before is not None:
            found[-1] = (
                f"    when {_bracketed(before[1])} and {_bracketed(match[1])}  else {before[2]} {before[3]}"
            )
        else:
            found.append(line)
    return found


def _bracketed(condition: str) -> str:
    return condition if condition.startswith("(") and condition.endswith(")") else f"({condition})"


def measure(sizes: Sizes) -> list[Row]:
    """Rows for choices of the plain edition, in both engines."""
    with tempfile.TemporaryDirectory() as folder:
        plainly = load(str(plain_edition(Path(folder))), journal=False)
    by_hand = load(SCENARIO, journal=False)
    return [
        _row("by the fast engine", fast_games(plainly), fast_games(by_hand), sizes),
        _row("by the Python engine", by_choices(plainly, _LAST_TURN), by_choices(by_hand, _LAST_TURN), sizes),
    ]


def fast_games(game: Game) -> Play:
    """Random games that the fast engine plays in one call each."""
    runner = FastGame(game).runner()

    def play(seed: int) -> int:
        runner.play_game(seed)
        return runner.choices

    return play


def _row(engine: str, plainly: Play, by_hand: Play, sizes: Sizes) -> Row:
    rounds = min(_MOST_ROUNDS, sizes.rounds)
    games = max(1, sizes.games // (6 * rounds))
    found = taking_turns({"plainly": plainly, "by hand": by_hand}, rounds, games)
    return Row(
        subject=f"choices of random games of {SCENARIO} {engine} per second",
        against="the same rules with three rewrites made by hand",
        ratio=ratio(found["by hand"], found["plainly"]),
        wanted="at least 0.9",
        machine=f"{1 / median(found['plainly']):,.0f} to {1 / median(found['by hand']):,.0f} choices/s",
    )
