"""Where games are kept that were left early, and how a kept game is gone on with."""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path

import click

from ddob_rules.cli.answers import Refused
from ddob_rules.cli.games import Opened
from ddob_rules.cli.output import harmless
from ddob_rules.cli.phrases import phrase
from ddob_rules.differences import describe_difference
from interpreter.replays import replay
from interpreter.saves import Save
from interpreter.session import Session

# So many games of one scenario may lie in a folder before the first of them is written over.
_MOST_KEPT = 1000


def places_to_keep(scenario: str, own_file: str) -> list[str]:
    """A file in the current folder, then one in the system's folder for such files.

    No other game is written over, but the file that the game came from is.
    """
    plain = re.sub(r"[^\w.-]+", "-", scenario) or "game"
    names = [f"ddob-{plain}.save.json"]
    names += [f"ddob-{plain}-{number}.save.json" for number in range(2, _MOST_KEPT)]
    own = os.path.abspath(own_file) if own_file else ""
    found = []
    for folder in (Path(), Path(tempfile.gettempdir())):
        paths = [str(folder / name) for name in names]
        free = (path for path in paths if not os.path.exists(path) or os.path.abspath(path) == own)
        found.append(next(free, paths[0]))
    return found


def resumed(opened: Opened, save: Save, path: str, language: str) -> Session:
    """The game of a save, gone through to where it stood; `Refused` if it is not a game of these rules."""
    game = opened.source
    theirs, ours = (save.ruleset, save.scenario), (game.program.name, opened.word)
    if save.ruleset != game.program.name or (
        save.scenario != opened.word and save.scenario_hash != game.scenario.hash
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
        click.echo(harmless(told), err=True)
    return Session(opened.game, save.seed, found.state.choices)
