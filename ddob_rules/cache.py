"""A cache of checked and compiled rulesets, so that an unchanged one is ready at once.

An entry names every file it was made from with its content's hash; it counts only if all of them, and no
others, are there unchanged. Entries are written to a temporary file and renamed, so several writers cannot
harm each other; a checksum guards against damaged ones, and the version of the language is part of the name.
Anything wrong with an entry means that it is not there.
"""

from __future__ import annotations

import hashlib
import marshal
import os
import pickle
import sys
import tempfile
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path

from ddob_rules.book import ruleset_files
from ddob_rules.program import LANGUAGE_VERSION
from ddob_rules.resources import shown_path
from interpreter.compile import Code
from interpreter.ir import Program

# Raised when what is stored changes its form.
_FORMAT = 1
_LARGEST = 64 * 1024 * 1024  # an entry larger than this was not written by us


@dataclass(frozen=True, slots=True)
class Stored:
    program: Program
    code: Code


def cache_folder() -> Path | None:
    """Where entries are kept; None if the cache is switched off (DDOB_CACHE=off)."""
    wanted = os.environ.get("DDOB_CACHE")
    if wanted == "off":
        return None
    if wanted:
        return Path(wanted)
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(base) if base else Path.home() / ".cache") / "ddob"


def load_stored(key: tuple[str, ...]) -> Stored | None:
    """The entry, if there is one and every file it was made from is unchanged."""
    path = _path(key)
    if path is None:
        return None
    try:
        if path.stat().st_size > _LARGEST:
            return None
        raw = path.read_bytes()
        digest, body = raw[:32], raw[32:]
        if hashlib.sha256(body).digest() != digest:
            return None
        manifest, program, parts, compiled = pickle.loads(body)
        if not _unchanged(manifest):
            return None
        return Stored(program, Code(code=marshal.loads(compiled), **parts))
    except Exception:  # a damaged or foreign entry is no entry
        return None


def store(key: tuple[str, ...], folders: tuple[Path, ...], files: tuple[Path, ...], stored: Stored) -> None:
    """Writes an entry; a full disk or a folder that cannot be written is not the author's problem."""
    path = _path(key)
    if path is None:
        return
    try:
        manifest = (
            tuple((str(folder), tuple(str(file) for file in ruleset_files(folder))) for folder in folders),
            tuple((str(file), _hash(file)) for file in files),
        )
        compiled = marshal.dumps(stored.code.code)
        # A code object cannot be pickled; it travels beside the rest.
        parts = {
            entry.name: getattr(stored.code, entry.name) for entry in fields(Code) if entry.name != "code"
        }
        body = pickle.dumps((manifest, stored.program, parts, compiled), protocol=pickle.HIGHEST_PROTOCOL)
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


def _path(key: tuple[str, ...]) -> Path | None:
    folder = cache_folder()
    if folder is None:
        return None
    version = f"{_FORMAT}/{LANGUAGE_VERSION}/{sys.version_info[:3]}/{_own_code()}"
    name = hashlib.sha256("\0".join((version, *key)).encode()).hexdigest()
    return folder / f"{name}.ruleset"


@cache
def _own_code() -> str:
    """Changes whenever the package itself does, so that a newer compiler never meets older code."""
    package = Path(__file__).parent
    stamps = []
    for folder in (package, package.parent / "interpreter"):
        for file in sorted(folder.rglob("*.py")):
            status = file.stat()
            stamps.append(f"{file.name}:{status.st_mtime_ns}:{status.st_size}")
    return hashlib.sha256("\n".join(stamps).encode()).hexdigest()


def _hash(path: Path) -> str:
    return hashlib.sha256(shown_path(path).encode() + b"\0" + path.read_bytes()).hexdigest()


def _unchanged(manifest: tuple[tuple[tuple[str, tuple[str, ...]], ...], tuple[tuple[str, str], ...]]) -> bool:
    folders, files = manifest
    for folder, listed in folders:
        if tuple(str(file) for file in ruleset_files(Path(folder))) != listed:
            return False
    return all(_hash(Path(name)) == digest for name, digest in files)
