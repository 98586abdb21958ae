"""From a game to a save and back: the scenario, the rules, the seed and the choices, with hashes as proof.

A save holds no position; whoever wants one plays the choices again. It is JSON with a checksum, is
written whole or not at all, and is believed only after every part of it has been looked at. Replaying is
left to `replays`.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from interpreter.failures import BadChoice
from interpreter.machine.game import Game
from interpreter.machine.state import State
from interpreter.telling.trail import digest, happenings, option_keys

VERSION = 1
# A game of a hundred thousand choices makes some ten megabytes; more than this is not a save.
_LARGEST = 64 * 1024 * 1024

#: Short forms for Python users; the command shows the catalogue's texts for the same codes.
MESSAGES = {
    "E0710": "the saved game `{path}` cannot be read: {reason}",
    "E0711": "the saved game `{path}` is cut short",
    "E0712": "`{path}` is not a saved game: line {line} is not JSON",
    "E0713": "`{path}` is not a saved game",
    "E0714": "the saved game `{path}` is of version {version}, and only version {known} can be read",
    "E0715": "the saved game `{path}` was changed after it was written",
    "E0716": "the saved game `{path}` has no usable `{field}`",
    "E0717": "the saved game `{path}` cannot be written: {reason}",
}


class BadSave(ValueError):
    """A save that cannot be read or written. `code` and `arguments` are those of a diagnostic."""

    def __init__(self, code: str, **arguments: object) -> None:
        super().__init__(MESSAGES[code].format(**arguments))
        self.code = code
        self.arguments = arguments


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """One choice: the option's key, how many were offered, and the digest of what led to it."""

    key: str
    options: int
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Save:
    """A played game. `rules` has a hash of what each rule did; `end` is the digest after the last choice."""

    scenario: str  # name or path, as it was given
    scenario_hash: str
    ruleset: str
    stack: tuple[str, ...]
    program_hash: str
    rules: Mapping[str, str] = field(default_factory=dict)
    options: tuple[str, ...] = ()
    overlays: tuple[str, ...] = ()
    seed: int = 0
    players: Mapping[str, str] = field(default_factory=dict)
    choices: tuple[Taken, ...] = ()
    end: str = ""
    hash: str = ""
    finished: bool = False
    winners: tuple[str, ...] = ()
    result: str = ""
    carried: Mapping[str, Any] = field(default_factory=dict)  # what games of a campaign before it handed on


# ---------------------------------------------------------------- from a game


def record(
    game: Game,
    seed: int,
    choices: Iterable[int | str],
    *,
    scenario: str = "",
    rules: Mapping[str, str] | None = None,
    overlays: Sequence[str] = (),
    players: Mapping[str, str] | None = None,
) -> Save:
    """The save of a game with these choices, by number (as `State.choices`) or key; it is played once more.

    Raises `BadChoice` for a choice that is not on offer, and `ValueError` for a game that keeps no journal.
    """
    if not game.code.journal:
        raise ValueError("only a game that keeps a journal can be saved")
    state = game.start(seed)
    since = None
    taken: list[Taken] = []
    for choice in choices:
        keys = offered(state)
        index = _index(choice, keys)
        taken.append(Taken(key=keys[index], options=len(keys), digest=digest(happenings(state, since), keys)))
        since = state.happened
        state.take(index)
    return Save(
        scenario=scenario or game.scenario.name,
        scenario_hash=game.scenario.hash,
        ruleset=game.program.name,
        stack=game.program.stack,
        program_hash=game.program.hash,
        rules=dict(sorted((rules or {}).items())),
        options=tuple(sorted(game.options)),
        overlays=tuple(overlays),
        seed=seed,
        players=dict(players or {}),
        choices=tuple(taken),
        end=digest(happenings(state, since), offered(state)),
        hash=state.hash(),
        finished=state.over,
        winners=state.winners,
        result=state.ending,
        carried=game.carried,
    )


def offered(state: State) -> list[str]:
    """The keys of what is offered; none when the game is over."""
    return [] if state.over else option_keys(state)


def _index(choice: int | str, keys: Sequence[str]) -> int:
    if isinstance(choice, str):
        if choice not in keys:
            raise BadChoice(f"`{choice}` is not on offer")
        return keys.index(choice)
    if not 0 <= choice < len(keys):
        raise BadChoice(f"there is no option {choice}; there are {len(keys)}")
    return choice


# ---------------------------------------------------------------- to and from data


def save_data(save: Save) -> dict[str, Any]:
    """The save as plain data, with its checksum."""
    data: dict[str, Any] = {"ddob": "save", "version": VERSION, **asdict(save)}
    for name in ("players", "carried"):
        if not data[name]:
            del data[name]
    result = {"winners": list(save.winners), "text": save.result} if save.finished else None
    del data["winners"]
    data["result"] = result
    return {**data, "checksum": checksum(data)}


def save_from_data(data: object, path: str) -> Save:
    """The save that plain data hold; `path` is for the message if they hold none."""
    if not isinstance(data, dict) or data.get("ddob") != "save":
        raise BadSave("E0713", path=path)
    if data.get("version") != VERSION or isinstance(data["version"], bool):
        raise BadSave("E0714", path=path, version=json.dumps(data.get("version"))[:20], known=VERSION)
    rest = {key: value for key, value in data.items() if key != "checksum"}
    if data.get("checksum") != checksum(rest):
        raise BadSave("E0715", path=path)
    return _Reader(rest, path).save()


def checksum(data: Mapping[str, Any]) -> str:
    """What shows that data were changed after they were written."""
    # In ASCII, so that characters which have no encoding of their own do no harm.
    text = json.dumps(data, separators=(",", ":"), sort_keys=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


class _Reader:
    """Takes a save apart. It may be anything, even with a right checksum: anybody can work one out."""

    def __init__(self, data: Mapping[str, Any], path: str) -> None:
        self.data = data
        self.path = path

    def save(self) -> Save:
        finished = self._value("finished", bool)
        winners, result = self._result(finished)
        return Save(
            scenario=self._value("scenario", str),
            scenario_hash=self._value("scenario_hash", str),
            ruleset=self._value("ruleset", str),
            stack=self._texts("stack"),
            program_hash=self._value("program_hash", str),
            rules=self._mapping("rules"),
            options=self._texts("options"),
            overlays=self._texts("overlays"),
            seed=self._value("seed", int),
            players=self._mapping("players") if "players" in self.data else {},
            choices=tuple(self._taken(item) for item in self._value("choices", list)),
            end=self._value("end", str),
            hash=self._value("hash", str),
            finished=finished,
            winners=winners,
            result=result,
            carried=self._value("carried", dict) if "carried" in self.data else {},
        )

    def _bad(self, name: str) -> BadSave:
        return BadSave("E0716", path=self.path, field=name)

    def _value(self, name: str, kind: type) -> Any:
        value = self.data.get(name)
        if type(value) is not kind:  # not isinstance: yes and no are no numbers here
            raise self._bad(name)
        return value

    def _texts(self, name: str) -> tuple[str, ...]:
        return self._all_texts(name, self._value(name, list))

    def _all_texts(self, name: str, items: list[object]) -> tuple[str, ...]:
        texts = [item for item in items if isinstance(item, str)]
        if len(texts) < len(items):
            raise self._bad(name)
        return tuple(texts)

    def _mapping(self, name: str) -> dict[str, str]:
        mapping: dict[str, Any] = self._value(name, dict)
        self._all_texts(name, list(mapping.values()))
        return mapping

    def _taken(self, item: object) -> Taken:
        names = {entry.name for entry in fields(Taken)}
        if not isinstance(item, dict) or set(item) != names or type(item["options"]) is not int:
            raise self._bad("choices")
        self._all_texts("choices", [item["key"], item["digest"]])
        return Taken(**item)

    def _result(self, finished: bool) -> tuple[tuple[str, ...], str]:
        if not finished:
            return (), ""
        result = self._value("result", dict)
        winners, text = result.get("winners"), result.get("text")
        if not isinstance(winners, list) or not isinstance(text, str):
            raise self._bad("result")
        return self._all_texts("result", winners), text


# ---------------------------------------------------------------- files


def read_save(path: Path | str) -> Save:
    """Reads a save; raises `BadSave` if there is none to be had from this file."""
    return save_from_data(read_data(path), str(path))


def read_data(path: Path | str) -> object:
    """What a file holds as JSON, whatever that is; raises `BadSave` if it is none."""
    shown = str(path)
    try:
        with Path(path).open("rb") as file:
            content = file.read(_LARGEST + 1)
    except (OSError, ValueError) as problem:
        # A path that no file system can hold raises ValueError.
        raise BadSave("E0710", path=shown, reason=_reason(problem)) from problem
    if len(content) > _LARGEST:
        raise BadSave("E0713", path=shown)
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as problem:
        line = content.count(b"\n", 0, problem.start) + 1
        raise BadSave("E0712", path=shown, line=line) from problem
    return _parsed(text, shown)


def _parsed(text: str, shown: str) -> object:
    try:
        return json.loads(text)
    except json.JSONDecodeError as problem:
        whole = text.rstrip()
        if whole and (problem.pos >= len(whole) or problem.msg.startswith("Unterminated string")):
            raise BadSave("E0711", path=shown) from problem
        raise BadSave("E0712", path=shown, line=problem.lineno) from problem
    except (ValueError, RecursionError) as problem:
        # Numbers of thousands of digits, lists in lists in lists.
        raise BadSave("E0713", path=shown) from problem


def write_save(path: Path | str, save: Save) -> None:
    """Writes a save, whole or not at all; raises `BadSave` if it cannot be written."""
    write_data(path, save_data(save))


def write_data(path: Path | str, data: Mapping[str, Any]) -> None:
    """Writes JSON, whole or not at all; raises `BadSave` if it cannot be written."""
    # Text that is not valid, as some file names are, can be written only as escapes, which JSON reads back.
    text = json.dumps(data, ensure_ascii=False, indent=1)
    content = text.encode("utf-8", "backslashreplace") + b"\n"
    try:
        _replace(Path(path).resolve(), content)
    except (OSError, ValueError, RuntimeError) as problem:
        # RuntimeError: links that lead in a circle.
        raise BadSave("E0717", path=str(path), reason=_reason(problem)) from problem


def _replace(path: Path, content: bytes) -> None:
    """Puts a file in place in one step: a reader sees the old content or the new one."""
    temporary = path.with_name(f".ddob-{secrets.token_hex(8)}.tmp")
    try:
        with temporary.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _reason(problem: Exception) -> str:
    return (getattr(problem, "strerror", None) or str(problem) or type(problem).__name__).lower()
