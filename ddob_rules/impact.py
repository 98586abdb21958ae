"""From two rulesets and saved games to what the change of rules does to these games, and through which rule.

Each save is first proven under the old rules, then both rulesets play it side by side. What players would
have chosen under the new rules is not guessed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

from ddob_rules.diagnostics import Diagnostic
from ddob_rules.differences import describe_difference, rule_place, what_differs
from ddob_rules.identity import rule_hashes
from ddob_rules.loading import LoadedGame, load_game
from interpreter.ir import Program
from interpreter.replays import Difference, Replay, replay
from interpreter.saves import Save

#: unproven: the old rules do not give the saved game; impossible: the scenario cannot be played.
Status = Literal["unchanged", "differs", "unproven", "impossible"]

_ENGLISH = {
    "unchanged": "unchanged: all {count} choices play the same",
    "unproven": "the old rules do not give this game: ",
    "impossible": "cannot be played: {problem}",
    "followed": "; all {count} choices can still be made",
    "stopped": "; the choices can be followed up to number {played} of {count}: {why}",
}
_FRENCH = {
    "unchanged": "inchangé : les {count} choix se jouent de même",
    "unproven": "les anciennes règles ne donnent pas cette partie : ",
    "impossible": "ne peut pas être joué : {problem}",
    "followed": " ; les {count} choix sont tous encore possibles",
    "stopped": " ; les choix peuvent être suivis jusqu'au numéro {played} sur {count} : {why}",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Impact:
    """What becomes of a saved game. `rule` is the likeliest cause, `rules` all that changed."""

    save: Save
    status: Status
    difference: Difference | None = None  # the first
    stopped: Difference | None = None  # where the choices cannot be followed any more
    played: int = 0  # how many choices could be made
    file: str = ""
    line: int = 0
    problems: tuple[Diagnostic, ...] = ()
    programs: tuple[Program, ...] = field(default=(), repr=False)

    @property
    def rule(self) -> str:
        return self.difference.rule if self.difference is not None else ""

    @property
    def rules(self) -> tuple[str, ...]:
        return self.difference.rules if self.difference is not None else ()

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
            found |= {"file": self.file, "line": self.line}
        return {**found, "text": describe_impact(self)}


def impact(ruleset_a: str, ruleset_b: str, saves: Iterable[Save]) -> list[Impact]:
    """What becomes of each save when ruleset `b` takes the place of `a`; both by name or path."""
    games = _Games()
    return [_impact(games, ruleset_a, ruleset_b, save) for save in saves]


class _Games:
    """Games by what they are made of: many saves are of the same scenario."""

    def __init__(self) -> None:
        self.known: dict[tuple[str, str, tuple[str, ...], tuple[str, ...]], LoadedGame] = {}

    def find(self, ruleset: str, save: Save) -> LoadedGame:
        key = (ruleset, save.scenario, save.options, save.overlays)
        if key not in self.known:
            self.known[key] = load_game(
                save.scenario, options=save.options, overlays=save.overlays, ruleset=ruleset
            )
        return self.known[key]


def _impact(games: _Games, ruleset_a: str, ruleset_b: str, save: Save) -> Impact:
    old, new = games.find(ruleset_a, save), games.find(ruleset_b, save)
    for loaded in (old, new):
        if loaded.game is None or loaded.checked is None:
            return Impact(save=save, status="impossible", problems=tuple(loaded.problems))
    assert old.game is not None and new.game is not None
    assert old.checked is not None and new.checked is not None
    hashes = rule_hashes(old.checked)
    programs = (new.game.program, old.game.program)
    proof = replay(old.game, save, rules=hashes)
    if not proof.proven:
        return _differing(save, "unproven", proof, programs[1:])
    # The save may have been written without hashes of rules; the old rules are at hand.
    known = save if save.rules else replace(save, rules=hashes)
    found = replay(new.game, known, rules=rule_hashes(new.checked), before=old.game)
    if found.difference is None:
        return Impact(save=save, status="unchanged", played=found.played, programs=programs)
    return _differing(save, "differs", found, programs)


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
        return words["unchanged"].format(count=count)
    if impact.status == "impossible":
        errors = [problem for problem in impact.problems if problem.severity == "error"]
        return words["impossible"].format(problem=errors[0].message if errors else "-")
    told = ""
    if impact.difference is not None:
        told = describe_difference(impact.difference, count, *impact.programs, language=language)
    if impact.status == "unproven":
        return words["unproven"] + (told or "-")
    if impact.stopped is None:
        return told + words["followed"].format(count=count)
    if impact.stopped is impact.difference:
        return told
    why = what_differs(impact.stopped, language)
    return told + words["stopped"].format(played=impact.played, count=count, why=why)
