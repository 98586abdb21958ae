"""From nothing to the table of benchmarks: `python -m benchmarks.run [--quick] [--write FILE]`.

The table holds ratios; times are in a column of their own, because they are true of one machine on one day.
"""

from __future__ import annotations

import argparse
import platform
from collections.abc import Sequence
from pathlib import Path

from benchmarks import (
    caching,
    checking,
    choosing,
    copying,
    editing,
    engines,
    growth,
    omaha,
    overlays,
    playouts,
    rewrites,
    serving,
    thinking,
    workers,
)
from benchmarks.timing import FULL, QUICK, Row, Sizes

PARTS = {
    "playouts": playouts.measure,
    "choosing": choosing.measure,
    "copying": copying.measure,
    "growth": growth.measure,
    "workers": workers.measure,
    "checking": checking.measure,
    "editing": editing.measure,
    "caching": caching.measure,
    "engines": engines.measure,
    "omaha": omaha.measure,
    "overlays": overlays.measure,
    "rewrites": rewrites.measure,
    "serving": serving.measure,
    "thinking": thinking.measure,
}
_INTRODUCTION = """\
# Benchmarks

Every number under *ratio* compares two things that took turns in one run, and is the median over the rounds.
For games, copies, loads and choices per second it says how many times as fast the first thing is as the
second; for a choice and for a check of a line, how many times as much one costs as the other; for lines of
rules and for the time in a rule, how large a part the first thing is of the second. The last column holds
times of the machine that made this table and is no promise. The opponents are in
`benchmarks/opponents`.

*By options* is `state.apply(option)` with one of `state.choice.options`, *by numbers* `state.apply(number)`.
An option is worded when somebody reads it, so what is left is a copy of the position and an object a choice.

Random games of the fast engine are played many in one call, those of the Python engine choice by choice. An
edition of the Python code that only played random games is gone: it played other games than `ddob run` from
the same seed. Against the Python engine as it was before there was a fast one, which is measured no more,
the fast one makes 34 times as many choices a second in First Waves, 37 times in Pegasus Bridge, 30 times in
Beyond the Beach and 33 times in Omaha Overlord (medians of rounds in turn). Normandie 1944 is younger than
the fast engine.

To make the table again:

    python -m benchmarks.run --write docs/benchmarks.md

The rows of the page (a click, lighting, why not, frames, sizes) are of `python -m benchmarks.browsing`, in a
real Chromium, with the median against the limit. They were made on a busy machine, with a load of ten on two
cores, which is why the start page and waiting times at many tables say little.
"""


def table(rows: Sequence[Row]) -> str:
    """The rows as a Markdown table."""
    lines = [
        "| what | against | ratio | wanted | this machine |",
        "| --- | --- | ---: | --- | --- |",
    ]
    for row in rows:
        shown = "-" if row.ratio is None else f"{row.ratio:.2f}"
        lines.append(f"| {row.subject} | {row.against} | {shown} | {row.wanted} | {row.machine} |")
    return "\n".join(lines) + "\n"


def measure(sizes: Sizes, parts: Sequence[str] = tuple(PARTS)) -> list[Row]:
    """All rows of the given parts."""
    return [row for part in parts for row in PARTS[part](sizes)]


def document(rows: Sequence[Row]) -> str:
    """The page that holds the table."""
    return f"{_INTRODUCTION}\nPython {platform.python_version()}, {platform.machine()}.\n\n{table(rows)}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Measures and prints; with `--write`, keeps the table as a page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.run", description="Measures ratios of speed.")
    parser.add_argument(
        "--quick", action="store_true", help="small sizes: to see that it works, not how fast"
    )
    parser.add_argument("--write", type=Path, metavar="FILE", help="also write the table to a Markdown page")
    parser.add_argument(
        "--only", action="append", choices=sorted(PARTS), help="measure this part; can be given again"
    )
    given = parser.parse_args(arguments)
    parts = tuple(given.only or PARTS)
    rows = measure(QUICK if given.quick else FULL, parts)
    print(table(rows), end="")
    if given.write is not None:
        given.write.write_text(document(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
