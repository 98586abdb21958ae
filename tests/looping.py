"""Loops that assert, and that must have run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

Item = TypeVar("Item")


def each(items: Iterable[Item]) -> list[Item]:
    """The items, of which there must be some: a test that looks at nothing proves nothing."""
    found = list(items)
    assert found, "there is nothing to look at"
    return found
