"""A cache of compiled rulesets and of checked scenarios, so that an unchanged one is ready at once.

An entry names every file it was made from with its content's hash; it counts only if all of them, and no
others, are there unchanged. The version of the language and of our own code is part of the key.
"""

from __future__ import annotations

import hashlib
import marshal
from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path

from ddob_rules.cache_folder import keep, own_code, recall
from ddob_rules.check.program import LANGUAGE_VERSION
from ddob_rules.resources import shown_path
from ddob_rules.stack.book import ruleset_files
from ddob_rules.syntax.drafts import contents
from interpreter.compiler.compile import Code
from interpreter.ir import Program
from interpreter.machine.scenario import Scenario

# Raised when what is stored changes its form.
_FORMAT = 3
Manifest = tuple[tuple[tuple[str, tuple[str, ...]], ...], tuple[tuple[str, str], ...]]


@dataclass(frozen=True, slots=True)
class Stored:
    program: Program
    code: Code
    manifest: Manifest  # what it was made from


def load_stored(key: tuple[str, ...]) -> Stored | None:
    """The entry, if there is one and every file it was made from is unchanged."""
    entry = recall("ruleset", (*_version(), *key))
    try:
        manifest, program, parts, compiled = entry
        if not _unchanged(manifest):
            return None
        return Stored(program, Code(code=marshal.loads(compiled), **parts), manifest)
    except Exception:  # a damaged or foreign entry is no entry
        return None


def store(key: tuple[str, ...], stored: Stored) -> None:
    """Keeps a compiled ruleset."""
    compiled = marshal.dumps(stored.code.code)
    # A code object cannot be pickled; it travels beside the rest.
    parts = {entry.name: getattr(stored.code, entry.name) for entry in fields(Code) if entry.name != "code"}
    keep("ruleset", (*_version(), *key), (stored.manifest, stored.program, parts, compiled))


def load_stored_scenario(key: tuple[str, ...]) -> Scenario | None:
    """A scenario that was found without fault, if no file that it was read from has changed."""
    entry = recall("scenario", (*_version(), *key))
    try:
        manifest, scenario = entry
        return scenario if _unchanged(manifest) else None
    except Exception:
        return None


def store_scenario(key: tuple[str, ...], files: Iterable[Path], scenario: Scenario) -> None:
    manifest = manifest_of((), files)
    if manifest is None:
        return
    keep("scenario", (*_version(), *key), (manifest, scenario))


def _version() -> tuple[str, ...]:
    return (str(_FORMAT), str(LANGUAGE_VERSION), own_code())


def _hash(path: Path) -> str:
    return hashlib.sha256(shown_path(path).encode() + b"\0" + contents(path)).hexdigest()


def manifest_of(folders: Iterable[Path], files: Iterable[Path]) -> Manifest | None:
    """The folders as they are listed now, and the contents of files; None if one of them is gone."""
    try:
        return (
            tuple((str(folder), tuple(str(file) for file in ruleset_files(folder))) for folder in folders),
            tuple((str(file), _hash(file)) for file in files),
        )
    except OSError:
        return None


def _unchanged(manifest: Manifest) -> bool:
    folders, files = manifest
    for folder, listed in folders:
        if tuple(str(file) for file in ruleset_files(Path(folder))) != listed:
            return False
    return all(_hash(Path(name)) == digest for name, digest in files)
