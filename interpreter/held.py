"""From a function that is a whole game to the same one with sets by value in its own variables.

A set that lies in a list of the state costs two look-ups to read and four to change. Where a function calls
no other one of the rules, and asks only for the sets of certain values (those who have nothing, say), it can
hold these by itself, and the state forgets its own: they are made again for whoever asks later.
"""

from __future__ import annotations

import re

from interpreter.emit import COLUMN, Writer

#: A call of another function that the rules became.
_CALL = re.compile(r"\b[a-z]+_\w+\(S\b")


def hold_sets(writer: Writer, start: int) -> None:
    """Rewrites the lines from `start` on: those before are the head, the last one stands behind the game."""
    text = "\n".join(writer.lines)
    if _CALL.search(text):
        return
    for name in sorted(set(re.findall(rf"{COLUMN}w_(\w+)\[", text))):
        _hold(writer, start, name, set(re.findall(r"for (\w+) in R_", text)))


def _hold(writer: Writer, start: int, name: str, present: set[str]) -> None:
    """Holds the sets of one column. `present` are variables that are never nothing."""
    sets = f"{COLUMN}w_{name}"
    old = re.compile(rf"( *){sets}\[({COLUMN}{name}\[(\w+)\])\] \^= 1 << \3")
    new = re.compile(rf"( *){sets}\[(-?\w+)\] \^= 1 << (\w+)")
    read = re.compile(rf"{sets}\[(.*?)\]")
    others = [line for line in writer.lines if not old.fullmatch(line) and not new.fullmatch(line)]
    values = sorted({value for line in others for value in read.findall(line)})
    if not values or not all(re.fullmatch(r"-?\d+|True|False", value) for value in values):
        return
    held = {value: f"w_{name}_{value.replace('-1', 'nothing')}" for value in values}
    result = Writer(writer.lines[:start], writer.sites[:start], writer.site, 1)
    for value, variable in held.items():
        result.line(f"{variable} = {sets}[{value}]")
    for line, site in zip(writer.lines[start:], writer.sites[start:], strict=True):
        if found := old.fullmatch(line):
            made = _changed(found, held)
        elif found := new.fullmatch(line):
            made = _changed(found, {v: n for v, n in held.items() if v != "-1" or found[2] not in present})
        else:
            for value, variable in held.items():
                line = line.replace(f"{sets}[{value}]", variable)
            made = [line]
        result.lines += made
        result.sites += [site] * len(made)
    result.line(f"    S.w_{name} = None")
    writer.lines, writer.sites = result.lines, result.sites


def _changed(found: re.Match[str], held: dict[str, str]) -> list[str]:
    """Takes a thing in or out of each set that is held, if its value is that of the set."""
    lines = []
    for value, variable in held.items():
        lines.append(f"{found[1]}if {found[2]} == {value}:")
        lines.append(f"{found[1]}    {variable} ^= 1 << {found[3]}")
    return lines
