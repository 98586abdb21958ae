"""Values kept on disk between two runs, by a key that says what they were made from.

Entries are written to a temporary file and renamed, so several writers cannot harm each other; a checksum
guards against damaged ones. Anything wrong with an entry means that it is not there. Whether one is still
true is left to those who keep it.

Nothing that somebody else put there is believed. The folder and each entry must belong to the user who runs
this, and nobody else may be able to write to them; without that the work goes on without a cache, and
`refusal` says why. And reading an entry runs nothing: it is a pickle, but of our own frozen dataclasses and
plain values alone, so there is no function in it that could be called. (JSON would do as well, but a tree
of dataclasses takes four to eight times as long to build in Python as the pickle takes to read, and being
quick is all that a cache is for.) Compiled code is the one thing that cannot be had without trust in the
file: `cache` keeps it as bytes in an entry, so the check of the owner stands before it.
"""

from __future__ import annotations

import hashlib
import io
import os
import pickle
import stat
import sys
import tempfile
from dataclasses import fields
from functools import cache
from operator import attrgetter
from pathlib import Path
from types import ModuleType
from typing import Any

from ddob_rules.resources import grammar_file

_LARGEST = 64 * 1024 * 1024  # an entry larger than this was not written by us
# Links are not followed, and a pipe is not waited for; not every system has all of these.
_READING = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"))
_PACKAGES = ("ddob_rules", "interpreter")  # whose data may stand in an entry
# So many values are remembered by the checksum of their entry: a game that is loaded again shares
# its rules with the one before. Trees and modules are remembered, or used once, by those who keep them.
_MOST_REMEMBERED = 16
_REMEMBERED = ("ruleset", "scenario")
_remembered: dict[bytes, Any] = {}


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
    if path is None or refusal() is not None:
        return None
    try:
        raw = _read(path)
        digest, body = raw[:32], raw[32:]
        if hashlib.sha256(body).digest() != digest:
            return None
        return _value(digest, body) if kind in _REMEMBERED else _Reader(io.BytesIO(body)).load()
    except Exception:  # a damaged or foreign entry is no entry
        return None


def _value(digest: bytes, body: bytes) -> Any:
    """What an entry holds; the same object again for the same content, if that is not long ago."""
    return _remember(digest, _remembered.pop(digest, None) or _Reader(io.BytesIO(body)).load())


def _remember(digest: bytes, value: Any) -> Any:
    _remembered[digest] = value
    while len(_remembered) > _MOST_REMEMBERED:
        del _remembered[next(iter(_remembered))]
    return value


def keep(kind: str, key: tuple[str, ...], value: Any) -> None:
    """Keeps a value; a full disk or a folder that cannot be written is not the author's problem."""
    path = _path(kind, key)
    if path is None:
        return
    try:
        _take_out_quickly()
        body = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if refusal() is not None:
            return
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".entry-")
        digest = hashlib.sha256(body).digest()
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(digest + body)
            os.replace(name, path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
        if kind in _REMEMBERED:
            _remember(digest, value)
    except OSError:
        return


def refusal() -> str | None:
    """Why the folder of the cache is not used, in one sentence; None if it is, or is not there yet."""
    folder = cache_folder()
    if folder is None:
        return None
    try:
        status = folder.stat()
    except (OSError, ValueError):
        return None
    if not stat.S_ISDIR(status.st_mode) or _ours(status):
        return None
    if status.st_uid != current_user():
        return f"the cache `{folder}` belongs to somebody else and is not used"
    return f"the cache `{folder}` can be written to by others and is not used; chmod 700 makes it yours alone"


def current_user() -> int | None:
    """The number of the user who runs this; None where users have no numbers (Windows)."""
    return os.geteuid() if hasattr(os, "geteuid") else None


def _ours(status: os.stat_result) -> bool:
    """Whether a file or folder is the user's own and nobody else can write to it."""
    user = current_user()
    # Where users have no numbers, the folder lies in the user's profile, which the system guards itself.
    return user is None or (status.st_uid == user and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH))


def _read(path: Path) -> bytes:
    """The content of an entry; what is no file, or not ours, is refused before a byte of it is read."""
    # The file that was looked at is the file that is read: a path could mean another one a moment later.
    with os.fdopen(os.open(path, _READING), "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode) or status.st_size > _LARGEST or not _ours(status):
            raise PermissionError(path)
        return file.read()


class _Reader(pickle.Unpickler):
    """Reads values of our own frozen dataclasses and plain data; anything else is refused."""

    def find_class(self, module: str, name: str) -> Any:
        # Only what is loaded already, so that an entry cannot import; only what the module itself defines.
        found = vars(sys.modules[module]).get(name) if module in sys.modules else None
        own = module.partition(".")[0] in _PACKAGES
        if not own or not isinstance(found, type) or found.__module__ != module or not _is_data(found):
            raise pickle.UnpicklingError(f"{module}.{name} has no place in the cache")
        _put_back_quickly(found)
        return found


def _is_data(found: type) -> bool:
    """A frozen dataclass with slots: making one runs nothing, and neither it nor its class can be changed."""
    parameters = getattr(found, "__dataclass_params__", None)
    if parameters is None or "__slots__" not in vars(found):
        return False
    return bool(parameters.frozen) or getattr(found, "frozen", None) is True


@cache
def _put_back_quickly(made: type) -> None:
    """Puts the values of an entry straight into their slots.

    What Python gives a frozen dataclass for this asks for its fields again for every single object, which was
    more than half of the time of reading an entry.
    """
    puts = [getattr(made, entry.name).__set__ for entry in fields(made)]  # a slot may be of the class above

    def put_back(self: object, state: list[Any]) -> None:
        for put, value in zip(puts, state, strict=True):
            put(self, value)

    made.__setstate__ = put_back  # type: ignore[attr-defined]


_modules = 0  # that were there when their classes were last looked at


def _take_out_quickly() -> None:
    """As `_put_back_quickly`, the other way: for every class that is there now and may stand in an entry."""
    global _modules
    if len(sys.modules) != _modules:
        for name, module in list(sys.modules.items()):
            if name.partition(".")[0] in _PACKAGES:
                _quick_module(module)
        _modules = len(sys.modules)


@cache
def _quick_module(module: ModuleType) -> None:
    for found in list(vars(module).values()):
        if isinstance(found, type) and found.__module__ == module.__name__ and _is_data(found):
            _take_out(found)


def _take_out(made: type) -> None:
    names = [entry.name for entry in fields(made)]
    if len(names) > 1:
        values = attrgetter(*names)

        def take_out(self: object) -> list[Any]:
            return list(values(self))

        made.__getstate__ = take_out  # type: ignore[assignment]


def _path(kind: str, key: tuple[str, ...]) -> Path | None:
    folder = cache_folder()
    if folder is None:
        return None
    name = hashlib.sha256("\0".join((str(sys.version_info[:3]), *key)).encode()).hexdigest()
    return folder / f"{name}.{kind}"
