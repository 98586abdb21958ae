"""From one table to the next: what has changed. Maps merge, null removes, lists replace, the story grows."""

from __future__ import annotations

from typing import Any

# Maps of which only the changed members travel.
_MAPS = ("things", "spaces")


def news_between(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """What makes the table after of the table before; `from` is the number that the one before has."""
    data: dict[str, Any] = {"from": before["n"], "n": after["n"]}
    for key in [*after, *(key for key in before if key not in after)]:
        if key in ("n", "story"):
            continue
        old, new = before.get(key), after.get(key)
        if old == new:
            continue
        if key in _MAPS and isinstance(old, dict) and isinstance(new, dict):
            changed: dict[str, Any] = {ident: new[ident] for ident in new if new[ident] != old.get(ident)}
            data[key] = {**changed, **{ident: None for ident in old if ident not in new}}
        else:
            data[key] = new
    told = before["told"]
    data["story"] = [line for line in after["story"] if line["n"] > told]
    return data


def merged(table: dict[str, Any], news: dict[str, Any]) -> dict[str, Any]:
    """The table after some news; what a client does with them."""
    if news["from"] != table["n"]:
        raise ValueError("these news belong to another table")
    found = {**table, "n": news["n"]}
    for key, value in news.items():
        if key in ("from", "n"):
            continue
        if key == "story":
            found[key] = [*table["story"], *value]
        elif key in _MAPS:
            both = {**table.get(key, {}), **value}
            found[key] = {ident: entry for ident, entry in both.items() if entry is not None}
        elif value is None and key != "question":
            found.pop(key, None)
        else:
            found[key] = value
    return found
