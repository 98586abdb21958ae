"""What overlays cost: lines of rules, as authors write them, and time for a choice, as players feel it.

A line counts if it holds a rule: no blanks, no comments, no examples. Sections are counted by their number:
`7.1` and `7.1-command` are one.
"""

from __future__ import annotations

from pathlib import Path
from statistics import median

from benchmarks.series import by_choices, taking_turns
from benchmarks.timing import Row, Sizes, ratio
from ddob_rules import load
from ddob_rules.stack.book import read_book

BASE = "ddob"
OVERLAYS = (
    "ddob-extended", "ddob-variants", "ddob-armour", "ddob-inerd", "ddob-inerd-extended", "ddob-fr",
    "ddob-fr-extended",
)  # fmt: skip
_SECTIONED = (BASE, "ddob-extended")
_STACKED, _FLAT = "omaha", "first-waves"
_LAST_TURN = 8  # up to then both scenarios play the same game
_MOST_ROUNDS = 5  # a round is several games
_RULESETS = Path(__file__).resolve().parent.parent / "rulesets"


def rule_files(name: str) -> list[Path]:
    """The files of a ruleset that hold rules; examples have a folder of their own."""
    return sorted((_RULESETS / name).glob("*.rules"))


def rule_lines(name: str) -> int:
    """Lines of rules."""
    texts = (path.read_text(encoding="utf-8") for path in rule_files(name))
    lines = (line.strip() for text in texts for line in text.splitlines())
    return sum(bool(line) and not line.startswith("#") for line in lines)


def sections(name: str) -> int:
    """Sections with a number, of one ruleset without those that it extends."""
    book, _ = read_book(rule_files(name), _RULESETS / name)
    assert book is not None
    return len({rule.id.partition("-")[0] for rule in book.rules})


def measure(sizes: Sizes) -> list[Row]:
    """Rows for sections, for the share of each overlay, and for the time of a choice."""
    return [
        *(_lines_per_section(name) for name in _SECTIONED),
        *(_share(name) for name in OVERLAYS),
        _cost(sizes),
    ]


def _lines_per_section(name: str) -> Row:
    lines, count = rule_lines(name), sections(name)
    return Row(
        subject=f"lines of rules of {name}",
        against="its numbered sections",
        ratio=lines / count,
        wanted="as it is",
        machine=f"{lines:,} lines to {count} sections",
    )


def _share(name: str) -> Row:
    lines, base = rule_lines(name), rule_lines(BASE)
    return Row(
        subject=f"lines of rules of {name}",
        against=f"those of {BASE}",
        ratio=lines / base,
        wanted="as it is",
        machine=f"{lines:,} to {base:,} lines",
    )


def _cost(sizes: Sizes) -> Row:
    rounds = min(_MOST_ROUNDS, sizes.rounds)
    contestants = {name: by_choices(load(name, journal=False), _LAST_TURN) for name in (_STACKED, _FLAT)}
    found = taking_turns(contestants, rounds, max(1, sizes.games // rounds))
    stacked, flat = (median(found[name]) * 1e6 for name in (_STACKED, _FLAT))
    return Row(
        subject=f"a choice in turns 1 to {_LAST_TURN} of {_STACKED}",
        against=f"in the same turns of {_FLAT}",
        ratio=ratio(found[_STACKED], found[_FLAT]),
        wanted="at most 1.3",
        machine=f"{stacked:.0f} to {flat:.0f} microseconds",
    )
