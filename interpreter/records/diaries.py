"""From a game in progress to a file that always holds all of it, and back: the diary of the game.

A diary is text, one JSON object a line: first what the game is (scenario, rules, seed, who plays), then every
choice as it is taken, and every step back or forth. Lines are only ever added, each by one write that is
forced onto the disk before the next question is asked: whatever ends the program, at most the line that was
being written is torn, and all before it counts. SQLite would promise the same for several tables and several
writers; here there is one list and one writer, and a text can be read when all else fails.

One process writes a diary at a time: it holds a lock on the file, which ends with the process, however that
ends. A position is not in it; whoever wants one plays the choices again. Where diaries lie, and what is said
to the player, is left to the author tools.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

from interpreter.machine.game import Game
from interpreter.machine.state import State
from interpreter.records.saves import offered
from interpreter.records.session import Session

VERSION = 1
SUFFIX = ".game"
# A game of a hundred thousand choices makes some ten megabytes; more than this is not a diary.
_LARGEST = 64 * 1024 * 1024
# So many games of one name may lie in a folder.
_MOST = 10_000
# A byte far behind the end of the text: where a lock keeps others from reading (Windows), nobody reads it.
_LOCKED_BYTE = 1 << 40


class InUse(Exception):
    """Another process is playing this game."""


class BadDiary(ValueError):
    """A file that is no diary."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """What a game is, before any choice."""

    name: str  # of the scenario
    scenario: str  # what it is opened by: a name or a path
    scenario_hash: str
    program_hash: str
    options: tuple[str, ...]
    overlays: tuple[str, ...]
    seed: int
    players: Mapping[str, str]
    begun: str
    #: For a game of a campaign: its id, which of the campaign's games this is (from 0), and what comes before
    #: it, as data of `campaigns`; empty for a game alone.
    campaign: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """An option that was taken: its key, and its number among those that were offered."""

    key: str
    option: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Diary:
    """A diary as it was read. `turn`, `player` and `over` are as of the last line."""

    path: Path
    head: Head
    made: tuple[Taken, ...] = ()
    undone: tuple[Taken, ...] = ()  # the next to be made again last
    turn: int = 0
    player: str = ""
    over: bool = False
    closed: bool = False  # the campaign that the game is the last one of is over
    #: By player, what was answered before it was asked, where all are asked at once.
    sealed: Mapping[str, tuple[Taken, ...]] = field(default_factory=dict)
    when: float = 0.0  # of the last change of the file
    good: int = field(default=0, compare=False)  # bytes up to which it can be believed

    @property
    def id(self) -> str:
        """What the game is called among those that are kept."""
        return self.path.stem

    @property
    def campaign(self) -> str:
        """What its campaign is called among those that are kept; empty for a game alone."""
        return str(self.head.campaign.get("id", ""))

    @property
    def number(self) -> int:
        """Which of its campaign's games it is."""
        return int(self.head.campaign.get("number", 0))


def waiting(diaries: Iterable[Diary]) -> list[Diary]:
    """Those that can be gone on with: games that are not over, and campaigns of which one more is to come."""
    found = list(diaries)
    newest: dict[str, int] = {}
    for diary in found:
        newest[diary.campaign] = max(diary.number, newest.get(diary.campaign, 0))
    return [
        diary
        for diary in found
        if (not diary.over or (diary.campaign and not diary.closed))
        and diary.number == newest[diary.campaign]
    ]


def head_of(
    game: Game,
    seed: int,
    *,
    scenario: str,
    overlays: tuple[str, ...] = (),
    players: Mapping[str, str] | None = None,
    campaign: Mapping[str, Any] | None = None,
) -> Head:
    return Head(
        name=game.scenario.name,
        scenario=scenario,
        scenario_hash=game.scenario.hash,
        program_hash=game.program.hash,
        options=tuple(sorted(game.options)),
        overlays=overlays,
        seed=seed,
        players=dict(players or {}),
        begun=datetime.now(UTC).isoformat(timespec="seconds"),
        campaign=dict(campaign or {}),
    )


# ---------------------------------------------------------------- writing


class Writer:
    """The one who writes a diary; it is locked until `close`."""

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self.path = path
        self._file = file

    def took(self, taken: Taken, state: State, *, sure: bool) -> None:
        """Adds a choice; `state` is the position after it. `sure`: on the disk when this returns."""
        self._add({"take": taken.key, "option": taken.option}, state, sure)

    def sealed(self, player: str, answers: Sequence[Taken], state: State) -> None:
        """All that a player has answered and the rules have not asked yet; the position stays as it is."""
        pairs = [[one.key, one.option] for one in answers]
        self._add({"sealed": player, "answers": pairs}, state, True)

    def went_back(self, count: int, state: State) -> None:
        self._add({"undo": count}, state, True)

    def went_forth(self, count: int, state: State) -> None:
        self._add({"redo": count}, state, True)

    def campaign_over(self, state: State) -> None:
        """After the last game of a campaign: nothing is to come."""
        self._add({"closed": True}, state, True)

    def make_sure(self) -> None:
        """Returns when everything that was added is on the disk."""
        os.fsync(self._file.fileno())

    def close(self) -> None:
        self._file.close()

    def remove(self) -> None:
        """Takes the diary away, for a game that is kept elsewhere."""
        self.close()
        self.path.unlink(missing_ok=True)

    def _add(self, entry: dict[str, object], state: State, sure: bool) -> None:
        player = state.game.player_name(state.player)
        self._line({**entry, "turn": state.turn, "player": player, "over": state.over})
        if sure:
            self.make_sure()

    def _line(self, data: object) -> None:
        # The file has no buffer of its own: what is written is the system's, even if this program is killed.
        line = json.dumps(data, separators=(",", ":")).encode("ascii") + b"\n"
        written = self._file.write(line)
        if written != len(line):
            raise OSError(28, "no space left on device")


def begin(folder: Path, head: Head, session: Session) -> Writer:
    """A new diary with all that the session has behind it; raises `OSError` if it cannot be written."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path, file = _new_file(folder, head.name)
    writer = Writer(path, file)
    try:
        _lock(file)
        data = {"ddob": "game", "version": VERSION, **asdict(head)}
        writer._line({key: value for key, value in data.items() if key != "campaign" or value})
        state = session.at(0)
        for option in session.choices:
            taken = Taken(key=offered(state)[option], option=option)
            state.take(option)
            writer.took(taken, state, sure=False)
        writer.make_sure()
        _make_folder_sure(folder)
    except BaseException:
        writer.remove()
        raise
    return writer


def go_on(path: Path) -> tuple[Diary, Writer]:
    """A diary and its writer. Raises `InUse`, `BadDiary` or `OSError`."""
    file = open(path, "r+b", buffering=0)
    try:
        _lock(file)
        diary = read_diary(path)
        _cut_off(file, path, diary.good)
    except BaseException:
        file.close()
        raise
    return diary, Writer(path, file)


def _cut_off(file: BinaryIO, path: Path, good: int) -> None:
    """Takes a torn line off the end. What is more than that is kept beside it, for whoever can read it."""
    file.seek(good)
    if b"\n" in file.read(_LARGEST):
        shutil.copyfile(path, path.with_suffix(".damaged"))
    if file.seek(0, os.SEEK_END) > good:  # else the file keeps its date, which says when it was left
        file.truncate(good)
    file.seek(good)


def in_use(path: Path) -> bool:
    """Whether a process is playing this game right now."""
    try:
        with open(path, "r+b", buffering=0) as file:
            _lock(file)
    except InUse:
        return True
    except OSError:
        return False
    return False


def _new_file(folder: Path, name: str) -> tuple[Path, BinaryIO]:
    plain = "".join(letter if letter.isalnum() or letter in "-_" else "-" for letter in name)[:80] or "game"
    for number in range(1, _MOST):
        path = folder / f"{plain}-{number}{SUFFIX}"
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
        except FileExistsError:
            continue
        return path, os.fdopen(handle, "r+b", buffering=0)
    raise OSError(28, f"there are {_MOST} games of this name")


def _make_folder_sure(folder: Path) -> None:
    """The name of a new file is the folder's business, and must be on the disk as well."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _lock(file: BinaryIO) -> None:
    """Takes the lock of a file, until it is closed or the process ends."""
    try:
        if os.name == "nt":
            import msvcrt

            file.seek(_LOCKED_BYTE)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
            file.seek(0)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError) as problem:
        raise InUse from problem
    except OSError:
        return  # a file system without locks: nobody can be told apart there


# ---------------------------------------------------------------- reading


def read_diary(path: Path) -> Diary:
    """A diary, up to the first line that is torn or makes no sense. Raises `BadDiary` or `OSError`."""
    with open(path, "rb") as file:
        content = file.read(_LARGEST + 1)
        when = os.fstat(file.fileno()).st_mtime
    first, end, rest = content.partition(b"\n")
    head = _head(_parsed(first)) if end and len(content) <= _LARGEST else None
    if head is None:
        raise BadDiary(path)
    steps = _Steps()
    good = len(first) + 1
    # A last line without its end is torn.
    for line in rest.split(b"\n")[:-1]:
        if not steps.add(_parsed(line)):
            break
        good += len(line) + 1
    return Diary(
        path=path,
        head=head,
        made=tuple(steps.made),
        undone=tuple(steps.undone),
        turn=steps.turn,
        player=steps.player,
        over=steps.over,
        closed=steps.closed,
        sealed={player: tuple(answers) for player, answers in steps.sealed.items() if answers},
        when=when,
        good=good,
    )


def all_diaries(folder: Path) -> list[Diary]:
    """Every diary in a folder, the last one played first. What cannot be read is left out."""
    found = []
    for path in sorted(folder.glob(f"*{SUFFIX}")):
        try:
            found.append(read_diary(path))
        except (OSError, BadDiary):
            continue
    return sorted(found, key=lambda diary: -diary.when)


def _parsed(line: bytes) -> Mapping[str, Any]:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


def _head(data: Mapping[str, Any]) -> Head | None:
    """The head, if every part of it is of its kind: the file may be anybody's."""
    if data.get("ddob") != "game" or data.get("version") != VERSION:
        return None
    texts = {name: data.get(name) for name in ("name", "scenario", "scenario_hash", "program_hash", "begun")}
    lists = {name: data.get(name) for name in ("options", "overlays")}
    seed, players, campaign = data.get("seed"), data.get("players"), data.get("campaign", {})
    good = (
        all(isinstance(value, str) for value in texts.values())
        and all(isinstance(value, list) and _all_texts(value) for value in lists.values())
        and type(seed) is int
        and isinstance(players, dict)
        and _all_texts(players.values())
        and isinstance(campaign, dict)
        and (not campaign or (isinstance(campaign.get("id"), str) and type(campaign.get("number")) is int))
    )
    made: Any = {**texts, **{name: tuple(value or ()) for name, value in lists.items()}}
    return Head(**made, seed=seed, players=players, campaign=campaign) if good else None  # type: ignore[arg-type]


def _all_texts(values: Any) -> bool:
    return all(isinstance(value, str) for value in values)


class _Steps:
    """The choices as the lines of a diary have them, one after the other."""

    def __init__(self) -> None:
        self.made: list[Taken] = []
        self.undone: list[Taken] = []
        self.turn, self.player, self.over = 0, "", False
        self.closed = False
        self.sealed: dict[str, list[Taken]] = {}

    def add(self, entry: Mapping[str, Any]) -> bool:
        """Follows one more line; false if it makes no sense after those before it."""
        turn, player, over = entry.get("turn"), entry.get("player"), entry.get("over")
        if type(turn) is not int or not isinstance(player, str) or type(over) is not bool:
            return False
        key, option = entry.get("take"), entry.get("option")
        back, forth = entry.get("undo"), entry.get("redo")
        if isinstance(key, str) and type(option) is int:
            self.made.append(Taken(key=key, option=option))
            self.undone.clear()
            unseal(self.sealed.get(self.player, []), key)
        elif isinstance(entry.get("sealed"), str):
            answers = _answers(entry.get("answers"))
            if answers is None:
                return False
            self.sealed[entry["sealed"]] = answers
        elif type(back) is int and 0 < back <= len(self.made):
            _move(self.made, self.undone, back)
            self.sealed.clear()
        elif type(forth) is int and 0 < forth <= len(self.undone):
            _move(self.undone, self.made, forth)
            self.sealed.clear()
        elif entry.get("closed") is True:
            self.closed = True
            return True
        else:
            return False
        self.turn, self.player, self.over = turn, player, over
        self.closed = False
        return True


def unseal(answers: list[Taken], key: str) -> None:
    """The first answer of a player counts no more if this is it; none does if he answered something else."""
    del answers[: 1 if answers and answers[0].key == key else None]


def _answers(data: object) -> list[Taken] | None:
    """Answers as a line has them; None if it has none."""
    found = []
    for pair in data if isinstance(data, list) else [None]:
        match pair:
            case [str(key), int(option)] if type(option) is int and option >= 0:
                found.append(Taken(key=key, option=option))
            case _:
                return None
    return found


def _move(source: list[Taken], target: list[Taken], count: int) -> None:
    """The last ones of a list to the end of another, the last first."""
    target.extend(reversed(source[-count:]))
    del source[-count:]
