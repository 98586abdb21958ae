"""Where games are kept while they are played, and how a kept or a saved game is gone on with."""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ddob_rules.cli.answers import Refused
from ddob_rules.cli.games import HUMAN, Opened
from ddob_rules.cli.output import harmless, tell
from ddob_rules.cli.phrases import file_reason, phrase
from ddob_rules.compare.differences import describe_difference
from ddob_rules.library.finding import find_scenario
from interpreter.machine.game import Game
from interpreter.machine.state import State
from interpreter.records.diaries import (
    BadDiary,
    Diary,
    InUse,
    Taken,
    Writer,
    all_diaries,
    begin,
    go_on,
    head_of,
    in_use,
)
from interpreter.records.replays import replay
from interpreter.records.saves import Save, offered
from interpreter.records.session import Session
from interpreter.telling.facts import PhaseBegan, TurnBegan, newest_first

# So many games of one scenario may lie in a folder before the first of them is written over.
_MOST_KEPT = 1000


def data_folder() -> Path:
    """Where the user's games are kept: DDOB_DATA, or the folder that the system has for such things."""
    wanted = os.environ.get("DDOB_DATA")
    if wanted:
        return Path(wanted)
    from platformdirs import user_data_path

    return user_data_path("ddob", appauthor=False)


def games_folder() -> Path:
    return data_folder() / "games"


# ---------------------------------------------------------------- while it is played


@dataclass(slots=True)
class Keeper:
    """Writes a game down while it is played. If that fails it says so once, and the game goes on."""

    opened: Opened
    kinds: dict[str, str]
    language: str
    writer: Writer | None = None
    failed: bool = False
    campaign: Mapping[str, Any] = field(default_factory=dict)  # of a game that is one of a campaign's

    def took(self, key: str, session: Session, *, sure: bool) -> None:
        """After a choice; the diary begins with the first one."""
        if self.writer is None:
            self.begin(session)
            return
        self._try(lambda writer: writer.took(_last(key, session), session.state, sure=sure))

    def went(self, steps: int, session: Session) -> None:
        """After so many steps forth, or back if the number is below zero."""
        if self.writer is None:
            self.begin(session)
        elif steps < 0:
            self._try(lambda writer: writer.went_back(-steps, session.state))
        elif steps > 0:
            self._try(lambda writer: writer.went_forth(steps, session.state))

    def make_sure(self) -> None:
        """Before a question: whatever happens from now on, nothing of the game is lost."""
        self._try(lambda writer: writer.make_sure())

    def begin(self, session: Session) -> None:
        """A diary with everything that was played so far."""
        if self.failed:
            return
        players = {name: kind for name, kind in self.kinds.items() if kind != HUMAN}
        head = head_of(
            self.opened.source,
            session.seed,
            scenario=lasting_word(self.opened.word),
            overlays=tuple(map(lasting_overlay, self.opened.overlays)),
            players=players,
            campaign=self.campaign,
        )
        try:
            self.writer = begin(games_folder(), head, session)
        except OSError as problem:
            self._fail(problem)

    def campaign_over(self, session: Session) -> None:
        """The last game of a campaign was played."""
        self._try(lambda writer: writer.campaign_over(session.state))

    def leave_alone(self) -> None:
        """Another game is played from now on; the diary stays as it is."""
        if self.writer is not None:
            self.writer.close()
        self.writer = None

    def drop(self) -> None:
        """The game is kept in a file of the player's own, so it need not be kept here."""
        if self.writer is not None:
            try:
                self.writer.remove()
            except OSError:
                pass  # one game too many is no harm
        for diary in all_diaries(games_folder()) if self.campaign else ():
            if diary.campaign == self.campaign["id"] and not in_use(diary.path):
                diary.path.unlink(missing_ok=True)
        self.writer = None

    def _try(self, write: Callable[[Writer], None]) -> None:
        if self.writer is None:
            return
        try:
            write(self.writer)
        except OSError as problem:
            self.writer.close()
            self._fail(problem)

    def _fail(self, problem: OSError) -> None:
        self.writer, self.failed = None, True
        reason = file_reason((problem.strerror or str(problem)).lower(), self.language)
        folder = games_folder()
        tell(harmless(phrase(self.language, "not kept", folder=folder, reason=reason)), err=True)


def _last(key: str, session: Session) -> Taken:
    return Taken(key=key, option=session.choices[-1])


def lasting_word(word: str) -> str:
    """What opens the scenario from any folder: the name of a shipped one, else its path."""
    entry = find_scenario(word)
    return word if entry is None or entry.shipped else str(entry.path.resolve())


def lasting_overlay(word: str) -> str:
    return str(Path(word).resolve()) if Path(word).exists() else word


# ---------------------------------------------------------------- going on


def taken_up(path: Path, language: str) -> tuple[Diary, Writer]:
    """A kept game and its writer; `Refused` if it cannot be gone on with now."""
    try:
        return go_on(path)
    except InUse:
        raise Refused(phrase(language, "in use", name=path.stem)) from None
    except (OSError, BadDiary) as problem:
        reason = getattr(problem, "strerror", None) or phrase(language, "no diary")
        told = file_reason(reason.lower(), language)
        raise Refused(phrase(language, "not readable", path=path, reason=told)) from problem


def continued(opened: Opened, diary: Diary, language: str) -> Session:
    """The game of a diary, where it was left; `Refused` if the rules of today do not allow its choices."""
    game = opened.source
    ours = (game.program.hash, game.scenario.hash)
    same = ours == (diary.head.program_hash, diary.head.scenario_hash)
    choices = _options(game, diary, language)
    if not same:
        tell(harmless(phrase(language, "other rules now", name=diary.id)), err=True)
    # Under other rules nobody knows what the undone choices would lead to.
    undone = [taken.option for taken in diary.undone] if same else []
    return Session(opened.game, diary.head.seed, choices, undone)


def _options(game: Game, diary: Diary, language: str) -> list[int]:
    """The choices by number; under other rules an option may have another one, or none."""
    state = game.start(diary.head.seed)
    found = []
    for number, taken in enumerate(diary.made, start=1):
        keys = offered(state)
        if not (0 <= taken.option < len(keys) and keys[taken.option] == taken.key):
            if taken.key not in keys:
                raise Refused(
                    phrase(language, "cannot follow", name=diary.id, number=number, option=taken.key)
                    + f" ({diary.path})"
                )
            taken = Taken(key=taken.key, option=keys.index(taken.key))
        state.take(taken.option)
        found.append(taken.option)
    return found


def recap_start(state: State) -> int:
    """The number of the journal's entry that a recap begins with: the last turn, or the one before it if it
    has only just begun."""
    facts = list(newest_first(state.happened))[::-1]
    turns = [number for number, fact in enumerate(facts) if isinstance(fact, TurnBegan)]
    if not turns:
        return 0
    begun = any(not isinstance(fact, TurnBegan | PhaseBegan) for fact in facts[turns[-1] :])
    return turns[-1] if begun or len(turns) == 1 else turns[-2]


def places_to_keep(scenario: str, own_file: str) -> list[str]:
    """For a game that has no diary: a file in the current folder, then one in the system's folder for such.

    No other game is written over, but the file that the game came from is.
    """
    plain = re.sub(r"[^\w.-]+", "-", scenario) or "game"
    names = [f"ddob-{plain}.save.json"]
    names += [f"ddob-{plain}-{number}.save.json" for number in range(2, _MOST_KEPT)]
    own = os.path.abspath(own_file) if own_file else ""
    found = []
    for folder in (Path(), Path(tempfile.gettempdir())):
        paths = [str(folder / name) for name in names]
        free = (path for path in paths if not os.path.lexists(path) or os.path.abspath(path) == own)
        found.append(next(free, paths[0]))
    return found


def fingerprint(path: str) -> str:
    """What a file holds now, in short; empty if it is not there or cannot be read."""
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except (OSError, ValueError):
        return ""


def beside(path: str) -> str:
    """A free name beside a file that somebody else has written to meanwhile."""
    stem, dot, rest = path.rpartition(".json")
    stem, rest = (stem, dot + rest) if dot else (path, "")
    names = (f"{stem}-{number}{rest}" for number in range(2, _MOST_KEPT))
    return next((name for name in names if not os.path.lexists(name)), path)


def resumed(opened: Opened, save: Save, path: str, language: str) -> Session:
    """The game of a save, gone through to where it stood; `Refused` if it is not a game of these rules."""
    game = opened.source
    theirs, ours = (save.ruleset, save.scenario), (game.program.name, opened.word)
    if (
        save.ruleset != game.program.name
        or (save.scenario != opened.word and save.scenario_hash != game.scenario.hash)
        or dict(save.carried) != dict(game.carried)
    ):
        names = [f"{scenario} ({ruleset})" for ruleset, scenario in (theirs, ours)]
        raise Refused(phrase(language, "other game", path=path, theirs=names[0], ours=names[1]))
    found = replay(game, save, rules=opened.rules)
    told = ""
    if found.difference is not None:
        text = describe_difference(found.difference, len(save.choices), game.program, language=language)
        told = phrase(language, "other rules", path=path, text=text)
    if found.stopped is not None or found.state is None:
        raise Refused(told)
    if told:
        tell(harmless(told), err=True)
    return Session(opened.game, save.seed, found.state.choices)
