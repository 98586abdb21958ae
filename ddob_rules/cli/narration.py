"""A game that is played by itself, told while it is played: turn by turn, or change by change."""

from __future__ import annotations

from ddob_rules.cli.games import Opened, automatic_choice
from ddob_rules.cli.output import harmless, tell
from ddob_rules.cli.phrases import counted, phrase
from ddob_rules.cli.terminal.story import Story, onlookers, ranking_lines, trace_line, trace_record
from interpreter.ir.seats import count_of
from interpreter.machine.state import State
from interpreter.records.session import Session
from interpreter.telling.facts import Journal
from interpreter.telling.journal import Entry


def play_out(session: Session, kinds: dict[str, str], telling: Telling) -> None:
    """Plays a game to its end; who is of no kind plays at random."""
    telling.news(session.state)
    while not session.state.over:
        state = session.state
        kind = kinds.get(state.game.player_name(state.player), "random")
        session.apply(automatic_choice(state, kind, session.seed))
        telling.news(session.state)


class Telling:
    """Prints a game while it is played."""

    def __init__(self, opened: Opened, seed: int, trace: bool, as_json: bool) -> None:
        self.opened = opened
        self.trace = trace
        self.as_json = as_json
        self.told = 0
        self.since: Journal = None
        self.traced: list[Entry] = []
        self.story = Story(opened.game, opened.language)
        if not as_json:
            title, name = opened.game.names.scenario_title(), opened.game.scenario.name
            head = phrase(opened.language, "head", title=title, scenario=name, seed=seed)
            count = next((n for option in opened.game.options if (n := count_of(option)) is not None), None)
            if count is not None:
                head += f", {counted(opened.language, 'players', count)}"
            tell(f"{harmless(head)}\n")

    def news(self, state: State) -> None:
        """Prints what is new since the last time."""
        if self.as_json and not self.trace:
            return
        seats = None if self.trace else onlookers(self.opened.game)
        entries = self.opened.game.entries(state, seats, self.told, self.since)
        self.since = state.happened
        self.told += len(entries)
        if self.as_json:
            self.traced += entries
        elif self.trace:
            for entry in entries:
                tell(trace_line(entry))
        else:
            for line in self.story.lines(entries, state, more=True):
                tell(line)

    def rest(self, state: State) -> None:
        """Prints what was held back because more of the same might have followed."""
        for line in self.story.rest(state):
            tell(line)

    def end(self, session: Session) -> None:
        state = session.state
        self.rest(state)
        if self.as_json:
            return
        language = self.opened.language
        turns, choices = counted(language, "turns", state.turn), counted(language, "choices", state.count)
        tell(f"\n{phrase(language, 'length', turns=turns, choices=choices)}")
        for line in ranking_lines(self.opened.game, state):
            tell(harmless(line))
        for title, value in self.opened.game.measures(state):
            tell(harmless(phrase(language, "measure", title=title, value=value)))

    def record(self, session: Session, kinds: dict[str, str]) -> dict[str, object]:
        """The game for programs, once it is over."""
        state, game = session.state, self.opened.game
        assert state.result is not None
        found: dict[str, object] = {
            "scenario": game.scenario.name,
            "ruleset": game.program.name,
            "stack": list(game.program.stack),
            "options": sorted(game.options),
            "seed": session.seed,
            "players": {name: kinds.get(name, "random") for name in game.seats},
            "result": {
                "winners": list(state.winners),
                "text": state.ending,
                **({"lost": True} if state.lost else {}),
                **({"ranking": [list(one) for one in state.ranking]} if state.ranking else {}),
            },
            "choices": state.count,
            "turns": state.turn,
            "measures": dict(game.measures(state)),
            # Of the game in its own language: texts are part of a position, translations must not be.
            "hash": self.opened.source.replay(session.seed, session.choices).hash(),
        }
        return {**found, "journal": [trace_record(entry) for entry in self.traced]} if self.trace else found
