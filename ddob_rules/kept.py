"""Values kept on disk between two runs, by a key that says what they were made from.

Entries are written to a temporary file and renamed, so several writers cannot harm each other; a checksum
guards against damaged ones. Anything wrong with an entry means that it is not there. Whether one is still
true is left to those who keep it.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from ddob_rules.resources import grammar_file

_LARGEST = 64 * 1024 * 1024  # an entry larger than this was not written by us


def cache_folder() -> Path | None:
    """Where entries are kept; None if the cache is switched off (DDOB_CACHE=off)."""
    wanted = os.environ.get("DDOB_CACHE")
    if wanted == "off":
        return None
    if wanted:
        return Path(wanted)
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(base) if base else Path.home() / ".cache") / "ddob"


@cache
def own_code() -> str:
    """Changes whenever the package itself does, so that a newer one never meets what an older one made."""
    package = Path(__file__).parent
    stamps = []
    for folder, pattern in (
        (package, "*.py"),
        (package.parent / "interpreter", "*.py"),
        (grammar_file(""), "*.*"),
    ):
        for file in sorted(folder.rglob(pattern)):
            status = file.stat()
            stamps.append(f"{file.name}:{status.st_mtime_ns}:{status.st_size}")
    return hashlib.sha256("\n".join(stamps).encode()).hexdigest()


def recall(kind: str, key: tuple[str, ...]) -> Any:
    """The value that was kept under this key, or None."""
    path = _path(kind, key)
    if path is None:
        return None
    try:
        if path.stat().st_size > _LARGEST:
            return None
        raw = path.read_bytes()
        digest, body = raw[:32], raw[32:]
        return pickle.loads(body) if hashlib.sha256(body).digest() == digest else None
    except Exception:  # a damaged or foreign entry is no entry
        return None


def keep(kind: str, key: tuple[str, ...], value: Any) -> None:
    """Keeps a value; a full disk or a folder that cannot be written is not the author's problem."""
    path = _path(kind, key)
    if path is None:
        return
    try:
        body = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".entry-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(hashlib.sha256(body).digest() + body)
            os.replace(name, path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError:
        return


def _path(kind: str, key: tuple[str, ...]) -> Path | None:
    folder = cache_folder()
    if folder is None:
        return None
    name = hashlib.sha256("\0".join((str(sys.version_info[:3]), *key)).encode()).hexdigest()
    return folder / f"{name}.{kind}"
