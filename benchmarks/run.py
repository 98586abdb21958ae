"""From nothing to the table of benchmarks: `python -m benchmarks.run [--quick] [--write FILE]`.

The table holds ratios; times are in a column of their own, because they are true of one machine on one day.
"""

from __future__ import annotations

import argparse
import gc
import platform
import re
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
_HEAD = "| what | against | ratio | wanted | this machine |"


def table(rows: Sequence[Row]) -> str:
    """The rows as a Markdown table."""
    return "\n".join([_HEAD, "| --- | --- | ---: | --- | --- |", *map(_line, rows)]) + "\n"


def _line(row: Row) -> str:
    shown = "-" if row.ratio is None else f"{row.ratio:.2f}"
    return f"| {row.subject} | {row.against} | {shown} | {row.wanted} | {row.machine} |"


def measure(sizes: Sizes, parts: Sequence[str] = tuple(PARTS)) -> list[Row]:
    """All rows of the given parts."""
    return [row for part in parts for row in PARTS[part](sizes)]


def put_into(page: Path, rows: Sequence[Row]) -> None:
    """Puts rows into the table of a page, each in the place of the one before; what else is there stays."""
    text = page.read_text(encoding="utf-8") if page.exists() else "# Benchmarks\n"
    made = f"Python {platform.python_version()}, {platform.machine()}."
    before, _, after = text.partition(_HEAD)
    before = re.sub(r"\n+(Python [\d.]+, \w+\.)?\s*$", "", before)
    lines = {_key(line): line for line in after.splitlines()[2:] if line.startswith("|")}
    lines |= {_key(line): line for line in map(_line, rows)}
    table_of_all = "\n".join([*table(()).splitlines(), *lines.values()])
    page.write_text(f"{before}\n\n{made}\n\n{table_of_all}\n", encoding="utf-8")


def _key(line: str) -> tuple[str, ...]:
    """What a line of the table compares with what."""
    return tuple(cell.strip() for cell in line.split("|")[1:3])


def main(arguments: Sequence[str] | None = None) -> None:
    """Measures and prints; with `--write`, keeps the table as a page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.run", description="Measures ratios of speed.")
    parser.add_argument(
        "--quick", action="store_true", help="small sizes: to see that it works, not how fast"
    )
    parser.add_argument("--write", type=Path, metavar="FILE", help="put the rows into the table of a page")
    parser.add_argument(
        "--only", action="append", choices=sorted(PARTS), help="measure this part; can be given again"
    )
    given = parser.parse_args(arguments)
    parts = tuple(given.only or PARTS)
    rows = measure(QUICK if given.quick else FULL, parts)
    print(table(rows), end="")
    if given.write is not None:
        put_into(given.write, rows)


if __name__ == "__main__":
    gc.set_threshold(100_000)  # as the command does; a ruleset is a million objects that all stay
    main()
