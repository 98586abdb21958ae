"""The files of the page, as they are sent: code without its comments, every line where it stands in the file.

A third of the page's code is types and reasons, for those who read it; browsers do without. Nothing else is
changed, so there is no build, and what a browser says of a line is true of the file.
"""

from __future__ import annotations

import re
from pathlib import Path

WEB = Path(__file__).parent / "web"
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".json": "application/json",
}
# Whole lines only: a comment before code on the same line, as a cast is, stays.
_COMMENT = re.compile(r"^[ \t]*(?:/\*\*(?:(?!\*/).)*\*/|//[^\n]*)[ \t]*$", re.MULTILINE | re.DOTALL)


def files() -> dict[str, Path]:
    """By the name that they have in an address."""
    found = {path.relative_to(WEB).as_posix(): path for path in sorted(WEB.rglob("*"))}
    return {name: path for name, path in found.items() if path.suffix in TYPES and path.is_file()}


def content(path: Path) -> bytes:
    """What is sent of a file; code of others is sent as it is."""
    data = path.read_bytes()
    if path.suffix != ".js":
        return data
    return _COMMENT.sub(lambda found: "\n" * found.group().count("\n"), data.decode()).encode()
