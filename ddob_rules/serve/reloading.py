"""Rules that change while a game is played: what is wrong with them, or what they make of the game.

The game so far is played again under the new rules; up to where it cannot be followed it is kept, and goes on
from there. What was before and what is now are both shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ddob_rules.cli.games import Opened
from ddob_rules.compare.impact import describe_impact, impact_between
from ddob_rules.serve.opening import Findings, Library, Stamps, findings_of, stamps, watched
from ddob_rules.serve.playing import Playing
from ddob_rules.serve.words import word
from interpreter.records.saves import offered
from interpreter.records.session import Session


class Watch:
    """Looks at the files of one game."""

    def __init__(self, known: Stamps) -> None:
        """`known` are the stamps of its files when it was read."""
        self.files = tuple(known)
        self.known = known

    def after(self, opened: Opened) -> Watch:
        """The watch for the rules as they are now; what was saved while they were read counts as a change."""
        known = {file: self.known.get(file, stamp) for file, stamp in stamps(watched(opened)).items()}
        return Watch(known)

    def changed(self, now: Stamps) -> bool:
        """Whether these stamps of the files are others than before."""
        if now == self.known:
            return False
        self.known = now
        return True


@dataclass(frozen=True, slots=True)
class Renewal:
    """What a change of the rules came to. `session` is None if there is nothing to go on with."""

    findings: list[dict[str, Any]]
    opened: Opened | None = None
    session: Session | None = None
    text: str = ""
    same: int = 0
    rule: str = ""
    kept: int = 0
    unchanged: bool = False  # every choice plays as it did

    @property
    def note(self) -> str:
        """The line of the story; none where nothing becomes of the game."""
        return "" if self.unchanged else self.text


def renewed(library: Library, playing: Playing) -> Renewal:
    """Reads the rules of a game anew, and plays the game under them."""
    old = playing.opened
    try:
        new = library.loaded(old.word, tuple(old.game.options), old.overlays).begun(old.source.carried)
    except Findings as problem:
        return Renewal(problem.data)
    warnings = findings_of(new.loaded.problems, library.language)
    if (
        new.source.program.hash == old.source.program.hash
        and new.source.scenario.hash == old.source.scenario.hash
    ):
        session = Session(new.game, playing.session.seed, playing.session.choices)
        text, kept = word(library.language, "clean"), len(session.choices)
        return Renewal(warnings, new, session, text, kept=kept, unchanged=True)
    save = old.save(playing.session.seed, playing.session.choices, {})
    found = impact_between(old.loaded, new.loaded, save)
    if found.status == "impossible":
        return Renewal(findings_of(list(found.problems), library.language))
    choices = _followed(new, save.seed, [taken.key for taken in save.choices])
    session = Session(new.game, save.seed, choices)
    same = found.difference.choice - 1 if found.difference is not None else len(save.choices)
    return Renewal(
        warnings,
        new,
        session,
        describe_impact(found, library.language),
        same=same,
        rule=found.rule,
        kept=len(choices),
        unchanged=found.status == "unchanged",
    )


def _followed(opened: Opened, seed: int, keys: list[str]) -> list[int]:
    """The choices as far as they can be made under these rules."""
    state = opened.source.start(seed)
    found: list[int] = []
    for key in keys:
        options = offered(state)
        if state.over or key not in options:
            break
        state.take(options.index(key))
        found.append(options.index(key))
    return found
