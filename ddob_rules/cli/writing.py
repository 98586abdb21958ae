"""From a text to a file, whole or not at all: a crash or a full disk leaves the old file as it was."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from ddob_rules.cli.output import stop


def write_whole(path: Path, text: str) -> None:
    """Replaces a file in one step and keeps its permissions; ends the command if it cannot be written."""
    try:
        # A link stays a link: what it points at is replaced.
        _replace(path.resolve(), text.encode("utf-8"))
    except OSError as error:
        stop(f"`{path}` cannot be written: {(error.strerror or str(error)).lower()}")


def check_writable(path: Path, language: str = "en") -> None:
    """Ends the command at once if there is no folder for a file: what is written to it may take a while."""
    if path.is_dir():
        stop(f"`{path}` est un dossier" if language == "fr" else f"`{path}` is a folder")
    folder = path.resolve().parent
    if not folder.is_dir():
        if language == "fr":
            stop(f"il n'y a pas de dossier `{folder}`", "créez-le, ou nommez un fichier ailleurs")
        stop(f"there is no folder `{folder}`", "make it, or name a file elsewhere")


def _replace(path: Path, data: bytes) -> None:
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, path.stat().st_mode & 0o7777 if path.exists() else 0o666 & ~_mask())
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _mask() -> int:
    """The permissions that new files are not to have; it can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
