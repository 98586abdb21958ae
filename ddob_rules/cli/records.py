"""The commands about saved games: replay (proves one), impact (what a change of rules does to many), record
(makes an example of one)."""

from __future__ import annotations

from pathlib import Path

import click

from ddob_rules.cli.campaigns import replay_campaign
from ddob_rules.cli.games import (
    Opened,
    json_option,
    load_any,
    load_save,
    open_game,
    save_diagnostic,
    stop_at,
)
from ddob_rules.cli.output import FINDINGS, harmless, print_data, print_diagnostics, stop, tell, tell_exactly
from ddob_rules.cli.targets import language_option
from ddob_rules.cli.writing import write_whole
from ddob_rules.compare.blame import Trials, blamed
from ddob_rules.compare.differences import describe_difference, rule_place
from ddob_rules.compare.impact import Impact, describe_impact
from ddob_rules.compare.impact import impact as impact_on
from ddob_rules.loading import LoadedGame, load_game, load_ruleset
from ddob_rules.recording import CannotRecord, example_of
from ddob_rules.reports.diagnostics import Diagnostic, fill
from interpreter.campaigns.saves import CampaignSave
from interpreter.machine.game import Game
from interpreter.records.replays import Difference, Replay, same_rules
from interpreter.records.replays import replay as replay_save
from interpreter.records.saves import BadSave, Save, read_save


@click.command(short_help="Prove a saved game, or say where it differs.")
@click.argument("file")
@click.option("--ruleset", metavar="NAME", help="Play it under these rules instead of its own.")
@json_option
@language_option
def replay(file: str, ruleset: str | None, as_json: bool, language: str) -> None:
    """Play a saved game again, and prove that it is the same game.

    If the rules have changed since, it says at which choice the game first differs, and through which rule.

    \b
    Example:  ddob replay game.save.json
    """
    save = load_any(file, language)
    if isinstance(save, CampaignSave):
        replay_campaign(save, file, as_json, language)
        return
    opened = _open(save, language, ruleset)
    before = _as_saved(save, opened.source) if ruleset is not None else None
    found = replay_save(opened.source, save, rules=opened.rules, before=before.game if before else None)
    if before is not None and found.difference is not None:
        found = blamed(Trials(before, opened.loaded), save, found)
    told = _told(found, save, opened, language)
    if as_json:
        print_data(_replay_data(file, found, save, opened, told))
    else:
        tell(harmless(f"{file}: {told}"))
        if found.stopped is not None and found.stopped is not found.difference:
            tell(harmless(f"  {_sentence(found.stopped, save, opened, language)}"))
    if not found.proven and found.difference is not None:
        raise click.exceptions.Exit(FINDINGS)


def _open(save: Save, language: str, ruleset: str | None = None) -> Opened:
    opened = open_game(
        save.scenario, options=save.options, overlays=save.overlays, language=language, ruleset=ruleset
    )
    return opened.begun(save.carried)


def _as_saved(save: Save, game: Game) -> LoadedGame | None:
    """The game under the rules of the save, if they are still at hand."""
    if same_rules(game, save):
        return None
    old = load_game(save.scenario, options=save.options, overlays=save.overlays)
    return old if old.game is not None and same_rules(old.game, save) else None


def _told(found: Replay, save: Save, opened: Opened, language: str) -> str:
    count = len(save.choices)
    if found.difference is not None:
        return _sentence(found.difference, save, opened, language)
    if language == "fr":
        same = fill("{count|son choix se joue|les # choix se jouent} de même", {"count": str(count)}, "fr")
        return (
            f"prouvé : {same}, empreinte {save.hash[:12]}" if found.proven else f"{same} sous d'autres règles"
        )
    same = fill("{count|its one choice plays|all # choices play} the same", {"count": str(count)})
    return f"proven: {same}, hash {save.hash[:12]}" if found.proven else f"{same} under other rules"


def _sentence(difference: Difference, save: Save, opened: Opened, language: str) -> str:
    return describe_difference(difference, len(save.choices), opened.source.program, language=language)


def _replay_data(file: str, found: Replay, save: Save, opened: Opened, told: str) -> dict[str, object]:
    return {
        "file": file,
        "scenario": save.scenario,
        "ruleset": opened.source.program.name,
        "same_rules": found.same_rules,
        "proven": found.proven,
        "choices": len(save.choices),
        "played": found.played,
        "hash": found.state.hash() if found.state is not None else "",
        "expected_hash": save.hash,
        "difference": _difference_data(found.difference, opened),
        "stopped": _difference_data(found.stopped, opened),
        "text": told,
    }


def _difference_data(difference: Difference | None, opened: Opened) -> dict[str, object] | None:
    if difference is None:
        return None
    file, line = rule_place(difference.rule, opened.source.program)
    return {
        "sort": difference.sort,
        "choice": difference.choice,
        "turn": difference.turn,
        "phase": difference.phase,
        "option": difference.key,
        "stated": list(difference.stated),
        "rule": difference.rule,
        "rules": list(difference.rules),
        "causes": list(difference.causes),
        "file": file,
        "line": line,
    }


@click.command(short_help="Say what a change of rules does to saved games.")
@click.argument("first", metavar="RULESET-A")
@click.argument("second", metavar="RULESET-B")
@click.argument("files", nargs=-1, required=True, metavar="SAVES...")
@json_option
@language_option
def impact(first: str, second: str, files: tuple[str, ...], as_json: bool, language: str) -> None:
    """Say what becomes of saved games when ruleset B takes the place of ruleset A, and through which rule.

    The exit code is 0 only if every game plays the same.

    \b
    Example:  ddob impact my-game my-game-2 saves/*.json
    """
    for name in (first, second):
        loaded = load_ruleset(name, language=language)
        if loaded.program is None:
            stop_at(loaded.problems, language)
    saves, problems = _read_all(files, language)
    found = impact_on(first, second, saves.values())
    named = list(zip(saves, found, strict=True))
    if as_json:
        print_data([{"save": file, **each.as_dict()} for file, each in named])
    else:
        for file, each in named:
            tell(harmless(f"{file}: {describe_impact(each, language)}"))
    print_diagnostics(problems, language=language, error=True)
    if problems or any(_is_finding(each) for each in found):
        raise click.exceptions.Exit(FINDINGS)


def _is_finding(impact: Impact) -> bool:
    return impact.status != "unchanged"


def _read_all(files: tuple[str, ...], language: str) -> tuple[dict[str, Save], list[Diagnostic]]:
    """Every save that can be read; one that cannot is no reason to leave out the others."""
    saves: dict[str, Save] = {}
    problems: list[Diagnostic] = []
    for file in files:
        try:
            saves[file] = read_save(file)
        except BadSave as problem:
            problems.append(save_diagnostic(problem, language))
    return saves, problems


@click.command(name="record", short_help="Make an example of a saved game.")
@click.argument("file")
@click.option("--title", help="The example's title.")
@click.option("out", "-o", "--out", metavar="FILE", help="Write it to a file instead of printing it.")
@language_option
def record_game(file: str, title: str | None, out: str | None, language: str) -> None:
    """Make an example of a saved game, to be put into a rules file and run by `ddob test`.

    \b
    Example:  ddob record game.save.json --title "A short game"
    """
    save = load_save(file, language)
    opened = _open(save, language)
    found = replay_save(opened.source, save, rules=opened.rules)
    if not found.proven or found.state is None:
        stop(f"{file}: {_told(found, save, opened, language)}")
    try:
        text = example_of(opened.source, save, title or f"A game of {opened.source.scenario.title}")
    except CannotRecord as reason:
        stop(f"{file}: {reason}")
    if out is None:
        tell_exactly(text)
    else:
        write_whole(Path(out), text)
        tell(harmless(out))


COMMANDS = (replay, impact, record_game)
