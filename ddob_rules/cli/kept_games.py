"""The command about games that are kept while they are played: saves (lists them, takes them away)."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click

from ddob_rules.cli.games import json_option
from ddob_rules.cli.keeping import games_folder
from ddob_rules.cli.output import print_data, print_table, stop, tell
from ddob_rules.cli.targets import language_option
from ddob_rules.reports.spelling import did_you_mean
from interpreter.records.diaries import Diary, all_diaries, in_use, waiting

_HEADINGS = {
    "en": ("Game", "Scenario", "Left", "Turn", "Choices", "To move"),
    "fr": ("Partie", "Scénario", "Quittée", "Tour", "Choix", "Au trait"),
}
_OVER = {"en": "over", "fr": "finie"}
_PLAYED = {"en": "{player} (being played)", "fr": "{player} (en cours)"}
_NONE = {"en": "no game is kept in {folder}", "fr": "aucune partie n'est gardée dans {folder}"}
_UNKNOWN = {"en": "there is no kept game `{word}`", "fr": "il n'y a pas de partie gardée `{word}`"}
_BUSY = {"en": "`{word}` is being played", "fr": "`{word}` se joue en ce moment"}


@click.command(short_help="List the games that are kept while they are played.")
@click.option("everything", "--all", is_flag=True, help="Those that are over, too.")
@click.option(
    "removed", "--remove", multiple=True, metavar="GAME", help="Take this game away; may be repeated."
)
@json_option
@language_option
def saves(everything: bool, removed: tuple[str, ...], as_json: bool, language: str) -> None:
    """List the games that `ddob play` keeps, the last first; `ddob play GAME --continue` goes on with one.

    They are kept in the folder that the system has for a user's data, or in that of the variable DDOB_DATA.

    \b
    Example:  ddob saves --remove my-game-1
    """
    for word in removed:
        _remove(word, language)
    if removed and not as_json:
        return
    known = all_diaries(games_folder())
    found = known if everything or as_json else waiting(known)
    if as_json:
        print_data([_data(diary) for diary in found])
    elif not found:
        tell(_NONE[language].format(folder=games_folder()))
    else:
        print_table(_HEADINGS[language], [_row(diary, language) for diary in found])


def when_of(diary: Diary) -> str:
    """When a game was played last, in the local time."""
    return datetime.fromtimestamp(diary.when).strftime("%Y-%m-%d %H:%M")


def campaign_name(diary: Diary) -> str:
    """The name of the campaign that a game is one of; empty for a game alone."""
    before = diary.head.campaign.get("before")
    word = before.get("campaign", "") if isinstance(before, dict) else ""
    return Path(word).stem if isinstance(word, str) else ""


def shown_name(diary: Diary) -> str:
    """The scenario, with its campaign if it is one of a campaign's games."""
    name = campaign_name(diary)
    return f"{name}: {diary.head.name}" if name else diary.head.name


def _remove(word: str, language: str) -> None:
    known = all_diaries(games_folder())
    for diary in known:
        if diary.id == word:
            if in_use(diary.path):
                stop(_BUSY[language].format(word=word))
            diary.path.unlink(missing_ok=True)
            return
    stop(_UNKNOWN[language].format(word=word), did_you_mean(word, [diary.id for diary in known], language))


def _row(diary: Diary, language: str) -> tuple[str, ...]:
    mover = _OVER[language] if diary.over else diary.player
    if in_use(diary.path):
        mover = _PLAYED[language].format(player=mover)
    return diary.id, shown_name(diary), when_of(diary), str(diary.turn), str(len(diary.made)), mover


def _data(diary: Diary) -> dict[str, object]:
    return {
        "game": diary.id,
        "scenario": diary.head.name,
        **({"campaign": campaign_name(diary), "number": diary.number} if diary.campaign else {}),
        "options": list(diary.head.options),
        "overlays": list(diary.head.overlays),
        "players": dict(diary.head.players),
        "begun": diary.head.begun,
        "left": datetime.fromtimestamp(diary.when).astimezone().isoformat(timespec="seconds"),
        "turn": diary.turn,
        "choices": len(diary.made),
        "player": diary.player,
        "over": diary.over,
        "in_use": in_use(diary.path),
        "file": str(diary.path),
    }


COMMANDS = (saves,)
