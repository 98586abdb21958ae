"""From two rulesets and saved games to what the change of rules does to these games, and through which rule.

Each save is first played under the old rules, which must give the same game; then both rulesets play it side
by side, and the rule behind the first difference is found by trying. What players would have chosen under
the new rules is not guessed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

from ddob_rules.compare.blame import Trials, blamed
from ddob_rules.compare.differences import describe_difference, named_rules, rule_place, what_differs
from ddob_rules.compare.identity import rule_hashes
from ddob_rules.loading import LoadedGame, load_game
from ddob_rules.reports.diagnostics import Diagnostic, fill
from interpreter.ir import Program
from interpreter.records.replays import Difference, Replay, replay
from interpreter.records.saves import Save
from interpreter.records.suspects import changed_rules

#: unproven: the old rules do not give the saved game; impossible: the scenario cannot be played.
Status = Literal["unchanged", "differs", "unproven", "impossible"]

_ENGLISH = {
    "unchanged": "unchanged: {count|its one choice plays|all # choices play} the same",
    "unproven": "the old rules do not give this game: ",
    "impossible": "cannot be played: {problem}",
    "since": " (it was saved under other rules: {rules} changed since, which makes no difference here)",
    "set-up": " (it was saved with another set-up, which makes no difference here)",
    "followed": "; {count|its one choice|all # choices} can still be made",
    "reached": "; the choices can be followed up to number {played} of {count}",
    "stopped": "; the choices can be followed up to number {played} of {count}: {why}",
}
_FRENCH = {
    "unchanged": "inchangé : {count|son choix se joue|les # choix se jouent} de même",
    "unproven": "les anciennes règles ne donnent pas cette partie : ",
    "impossible": "ne peut pas être joué : {problem}",
    "since": " (partie jouée sous d'autres règles : {rules} ont changé depuis, sans conséquence ici)",
    "set-up": " (partie jouée avec une autre mise en place, sans conséquence ici)",
    "followed": " ; {count|son choix est encore possible|les # choix sont tous encore possibles}",
    "reached": " ; les choix peuvent être suivis jusqu'au numéro {played} sur {count}",
    "stopped": " ; les choix peuvent être suivis jusqu'au numéro {played} sur {count} : {why}",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Impact:
    """What becomes of a saved game. `rule` is the likeliest cause, `rules` all that changed.

    `causes` is the rule that makes the difference, or several of which one does.
    """

    save: Save
    status: Status
    difference: Difference | None = None  # the first
    stopped: Difference | None = None  # where the choices cannot be followed any more
    played: int = 0  # how many choices could be made
    file: str = ""
    line: int = 0
    problems: tuple[Diagnostic, ...] = ()
    other_rules: bool = False  # it was saved under other rules than the old ones, which play it all the same
    since: tuple[str, ...] = ()  # the rules that are known to have changed since it was saved
    programs: tuple[Program, ...] = field(default=(), repr=False)

    @property
    def rule(self) -> str:
        return self.difference.rule if self.difference is not None else ""

    @property
    def rules(self) -> tuple[str, ...]:
        return self.difference.rules if self.difference is not None else ()

    @property
    def causes(self) -> tuple[str, ...]:
        return self.difference.causes if self.difference is not None else ()

    def as_dict(self) -> dict[str, object]:
        """For programs."""
        found: dict[str, object] = {
            "scenario": self.save.scenario,
            "status": self.status,
            "played": self.played,
        }
        if self.difference is not None:
            found |= {
                "choice": self.difference.choice,
                "turn": self.difference.turn,
                "phase": self.difference.phase,
            }
            found |= {"sort": self.difference.sort, "rule": self.rule, "rules": list(self.rules)}
            found |= {"causes": list(self.causes), "file": self.file, "line": self.line}
        return {**found, "text": describe_impact(self)}


def impact(ruleset_a: str, ruleset_b: str, saves: Iterable[Save]) -> list[Impact]:
    """What becomes of each save when ruleset `b` takes the place of `a`; both by name or path."""
    games = _Games()
    return [_impact(games, ruleset_a, ruleset_b, save) for save in saves]


class _Games:
    """Games by what they are made of: many saves are of the same scenario."""

    def __init__(self) -> None:
        self.known: dict[tuple[str, str, tuple[str, ...], tuple[str, ...]], LoadedGame] = {}
        self.tried: dict[tuple[int, int], Trials] = {}

    def find(self, ruleset: str, save: Save) -> LoadedGame:
        key = (ruleset, save.scenario, save.options, save.overlays)
        if key not in self.known:
            self.known[key] = load_game(
                save.scenario, options=save.options, overlays=save.overlays, ruleset=ruleset
            )
        return self.known[key]

    def trials(self, old: LoadedGame, new: LoadedGame) -> Trials:
        key = (id(old), id(new))
        if key not in self.tried:
            self.tried[key] = Trials(old, new)
        return self.tried[key]


def _impact(games: _Games, ruleset_a: str, ruleset_b: str, save: Save) -> Impact:
    return _compared(games, games.find(ruleset_a, save), games.find(ruleset_b, save), save)


def impact_between(old: LoadedGame, new: LoadedGame, save: Save) -> Impact:
    """What becomes of a save when one loaded game takes the place of another."""
    return _compared(_Games(), old, new, save)


def _compared(games: _Games, old: LoadedGame, new: LoadedGame, save: Save) -> Impact:
    for loaded in (old, new):
        if loaded.game is None or loaded.checked is None:
            return Impact(save=save, status="impossible", problems=tuple(loaded.problems))
    assert old.game is not None and new.game is not None
    assert old.checked is not None and new.checked is not None
    hashes = rule_hashes(old.checked)
    programs = (new.game.program, old.game.program)
    proof = replay(old.game, save, rules=hashes)
    if proof.difference is not None:
        return _differing(save, "unproven", proof, programs[1:])
    # The save may be older than the old rules, or without hashes of rules; the old rules are at hand.
    known = replace(save, rules=hashes)
    found = replay(new.game, known, rules=rule_hashes(new.checked), before=old.game)
    since = (
        tuple(sorted(changed_rules(save.rules, hashes), key=old.checked.merged.order)) if save.rules else ()
    )
    if found.difference is None:
        told = Impact(save=save, status="unchanged", played=found.played, programs=programs)
    else:
        told = _differing(save, "differs", blamed(games.trials(old, new), known, found), programs)
    return replace(told, other_rules=not proof.proven, since=since)


def _differing(save: Save, status: Status, found: Replay, programs: tuple[Program, ...]) -> Impact:
    file, line = rule_place(found.difference.rule, *programs) if found.difference is not None else ("", 0)
    return Impact(
        save=save,
        status=status,
        difference=found.difference,
        stopped=found.stopped,
        played=found.played,
        file=file,
        line=line,
        programs=programs,
    )


def describe_impact(impact: Impact, language: str = "en") -> str:
    """One sentence about a save."""
    words = _FRENCH if language == "fr" else _ENGLISH
    count = len(impact.save.choices)
    if impact.status == "unchanged":
        return fill(words["unchanged"], {"count": str(count)}, language) + _since(impact, language)
    if impact.status == "impossible":
        errors = [problem for problem in impact.problems if problem.severity == "error"]
        return words["impossible"].format(problem=errors[0].message if errors else "-")
    told = ""
    if impact.difference is not None:
        told = describe_difference(impact.difference, count, *impact.programs, language=language)
    if impact.status == "unproven":
        return words["unproven"] + told
    return told + _followed(impact, words, language) + _since(impact, language)


def _followed(impact: Impact, words: dict[str, str], language: str) -> str:
    """How far the choices of the save lead."""
    count = len(impact.save.choices)
    if impact.stopped is None:
        return fill(words["followed"], {"count": str(count)}, language)
    if impact.stopped is impact.difference:
        return words["reached"].format(played=impact.played, count=count)
    why = what_differs(impact.stopped, language)
    return words["stopped"].format(played=impact.played, count=count, why=why)


def _since(impact: Impact, language: str) -> str:
    if not impact.other_rules:
        return ""
    words = _FRENCH if language == "fr" else _ENGLISH
    if not impact.since:
        return words["set-up"]
    return words["since"].format(rules=named_rules(impact.since, language))
