"""Drafts: texts in an editor that are not saved yet, and stand in for the files they will be saved to.

Whoever reads a file of rules or data reads it through here. Nobody holds a draft but the editor's server.
"""

from __future__ import annotations

import os.path
from pathlib import Path

_held: dict[str, bytes] = {}


def hold(path: Path, text: str) -> None:
    """From now on the text is what is read from the path."""
    # An editor may send half of a letter that takes two; no file can hold that.
    _held[os.path.realpath(path)] = text.encode("utf-8", errors="replace")


def release(path: Path) -> None:
    """From now on the file itself counts again."""
    _held.pop(os.path.realpath(path), None)


def draft_of(path: Path) -> bytes | None:
    """What the file would hold if the editor saved it; None if nobody edits it."""
    if not _held:
        return None
    try:
        return _held.get(os.path.realpath(path))
    except ValueError:  # no path that a file system can hold
        return None


def contents(path: Path) -> bytes:
    """The draft, or what is in the file."""
    draft = draft_of(path)
    return path.read_bytes() if draft is None else draft
