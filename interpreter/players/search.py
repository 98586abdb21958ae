"""Flat Monte-Carlo search on any ruleset: from a position to the option that did best in playouts.

The options on offer are compared in rounds. A round takes a position that was drawn from what the seat knows,
and plays on from it once with each option, all with the same luck; when each has had its share, the better
half goes on to the next rounds (sequential halving). A playout goes to the end of the game where that is
near, and else, if there is a score, to the same phase a turn later. What counts is how it ended for the
player's side, and how far that leads. A turn of a large game is mostly luck, and playouts of it are few:
there the option that looks best one step ahead is taken, unless another did better by more than luck.
Left out: knowledge of any game, and what the others may conclude from how one plays.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf, sqrt
from statistics import fmean, stdev

from interpreter.failures import RuleFailure
from interpreter.machine.chance import Chance
from interpreter.machine.state import State
from interpreter.players.determinize import Secrets, Worlds
from interpreter.players.foresight import ranked
from interpreter.players.playouts import Found, playout
from interpreter.players.sides import DRAWN, WON, Sides
from interpreter.wasm.engine import Terms

# How much of a value is how the game ended; the rest is by how much the side leads.
_OF_THE_END = 0.5
# How much of a lead is the one right after the option; the rest is the one at the end of the playout. The
# first tells more of what was done, the second of what comes of it: more if the playout is a whole game.
_OF_THE_STEP = 0.5
_OF_THE_STEP_OF_A_GAME = 0.25
# How many answers are tried to what an option asks, and how many options for each choice after that: the
# better the players of a playout, the more it tells. Playouts of large games are dear, so they try fewer, and
# there are fewer of them: one in so many.
_CAREFUL = 6
_TRIES_IN_A_GAME = 8
_TRIES = 2
_DEARER = 4
# Choices in a whole game: so many at most; a game with a score is played to its end if that is so near, and
# if it has fewer spaces and pieces than so many: the end of a larger one is too dear to be played out often.
# Else a playout ends when a turn has gone by, with so many choices at least and at most.
_LONGEST = 1000
_NEAR = 60
_LARGE = 150
_SHORTEST = 8
_LONGEST_TURN = 60
# Where playouts are whole games, so many options are compared in any case; of more, those that look best one
# step ahead, at so many looks each: so many that each gets so many playouts. Where they are not, so many
# at most, in so many rounds at least; after these who did no better than the one that looks best is left out.
_FEW = 12
_CANDIDATES = 6
_EACH = 32
_CHALLENGED = 4
_ROUNDS = 4
_SAMPLES = 4
# By so many standard errors another option must be better than the one that looks best one step ahead.
_MORE_THAN_LUCK = 1.5
# How many positions are drawn anew for a choice.
_WORLDS = 4
# A win is worth less, and a loss more, by one in so many for each turn that it takes.
_PATIENCE = 1000


class Search:
    """Chooses by playing on in its head, at most about `playouts` times for each choice."""

    def __init__(self, seed: int, playouts: int) -> None:
        self.chance = Chance(seed)
        self.playouts = playouts

    def choose(self, state: State) -> int:
        if len(state.options) == 1:
            return 0
        secrets = Secrets(state.game, state, state.game.player_name(state.player) or None)
        worlds, sides = Worlds(secrets, _WORLDS), Sides(state.game, state)
        trial = Trial(state, worlds, sides, self.chance)
        left: list[int] = list(range(len(state.options)))
        if not trial.whole:
            best = ranked(worlds, sides, _SAMPLES, self.chance)
            return self._challenged(trial, best[0], best[1:_CHALLENGED])
        if sides.scored and len(left) > _FEW:
            most = max(_CANDIDATES, self.playouts // _EACH)
            left = ranked(worlds, sides, _SAMPLES, self.chance)[:most]
        return self._best(trial, left)

    def _best(self, trial: Trial, left: list[int]) -> int:
        stages = (len(left) - 1).bit_length()
        while len(left) > 1:
            for _ in range(max(1, self.playouts // (stages * len(left)))):
                trial.compare(left)
            mixed = self.chance.shuffled(left)  # of equals, any
            better = sorted(mixed, key=trial.value, reverse=True)
            left = better[: (len(left) + 1) // 2]
        return left[0]

    def _challenged(self, trial: Trial, favourite: int, others: list[int]) -> int:
        """The favourite, unless one of the others did better by more than luck explains."""
        left = max(self.playouts // _DEARER, _ROUNDS * (len(others) + 1))
        while others and left > len(others):
            left -= len(others) + 1
            trial.compare([favourite, *others])
            if trial.rounds >= _ROUNDS:
                others = [other for other in others if trial.gain(other, favourite) > 0]
        best = max(others, key=lambda other: trial.margin(other, favourite), default=favourite)
        return best if trial.margin(best, favourite) > 0 else favourite


@dataclass(slots=True)
class Tally:
    """What came of an option so far, playout by playout; the rounds say which options had the same luck."""

    rounds: list[int] = field(default_factory=list)
    fates: list[float] = field(default_factory=list)
    leads: list[float] = field(default_factory=list)


class Trial:
    """Playouts from one position, and what they say of the options tried."""

    def __init__(self, state: State, worlds: Worlds, sides: Sides, chance: Chance) -> None:
        self.state = state
        self.worlds = worlds
        self.sides = sides
        self.chance = chance
        self.tallies = [Tally() for _ in state.options]
        self.rounds = 0
        # The least and the greatest lead so far: a lead is worth what it is among these.
        self.least, self.greatest = inf, -inf
        self.whole = not sides.scored or self._end_is_near()

    def _end_is_near(self) -> bool:
        """Whether a game that goes on from here is soon over, and small enough to play it out often."""
        game = self.state.game
        if len(game.spaces) + len(game.piece_kind) >= _LARGE:
            return False
        try:
            return self._played(self.worlds.next(self.chance), 0, self._terms(_NEAR, _TRIES_IN_A_GAME)).over
        except RuleFailure:
            return False

    def _terms(self, longest: int, tries: int, shortest: int = -1) -> Terms:
        """How the playouts of one round are played."""
        luck, mind = self.chance.word(), self.chance.word()
        turn, phase = self.state.turn, self.state.phase
        return Terms(
            luck=luck, mind=mind, careful=_CAREFUL, tries=tries, longest=longest, shortest=shortest,
            turn=turn, phase=phase,
        )  # fmt: skip

    def _played(self, position: State, option: int, terms: Terms) -> Found:
        return playout(position, option, self.state.player, self.sides, terms)

    def compare(self, options: list[int]) -> None:
        """Plays on once with each of these options, from one position and with the same luck for all."""
        position = self.worlds.next(self.chance)
        self.rounds += 1
        if self.whole:
            terms = self._terms(_LONGEST, _TRIES_IN_A_GAME)
        else:
            terms = self._terms(_LONGEST_TURN, _TRIES, _SHORTEST)
        for option in options:
            try:
                found = self._played(position, option, terms)
            except RuleFailure:
                continue  # a drawn position need not be a possible one; nothing is learnt from it
            self._note(self.tallies[option], found)

    def _note(self, tally: Tally, found: Found) -> None:
        # A score against nobody says no more once the game is won or lost: who goes on has a higher one.
        decided = found.over and found.fate != DRAWN
        far = found.near if decided and not self.sides.foes[self.state.player] else found.far
        step = _OF_THE_STEP_OF_A_GAME if self.whole else _OF_THE_STEP
        lead = step * found.near + (1 - step) * far
        self.least, self.greatest = min(self.least, lead), max(self.greatest, lead)
        tally.rounds.append(self.rounds)
        tally.fates.append(self._fate(found))
        tally.leads.append(lead)

    def _fate(self, found: Found) -> float:
        """From 0 for a game lost to 1 for one won; better to win soon, and to lose late."""
        turns = min(1.0, (found.turn - self.state.turn) / _PATIENCE)
        return found.fate / WON + (DRAWN - found.fate) * turns / WON

    def value(self, option: int) -> float:
        """What an option is worth, from 0 to 1: by games won, then by the lead; on average."""
        worths = self._worths(option)
        return fmean(worths.values()) if worths else 0.0

    def gain(self, option: int, other: int) -> float:
        """By how much an option did better than another in the same rounds."""
        gains = self._gains(option, other)
        return fmean(gains) if gains else 0.0

    def margin(self, option: int, other: int) -> float:
        """The gain, less what may be luck."""
        gains = self._gains(option, other)
        if len(gains) < _ROUNDS:
            return -inf
        return fmean(gains) - _MORE_THAN_LUCK * stdev(gains) / sqrt(len(gains))

    def _gains(self, option: int, other: int) -> list[float]:
        mine, theirs = self._worths(option), self._worths(other)
        return [mine[number] - theirs[number] for number in mine if number in theirs]

    def _worths(self, option: int) -> dict[int, float]:
        """What the playouts of an option came to, by rounds."""
        tally, span = self.tallies[option], self.greatest - self.least
        if span <= 0:
            return dict(zip(tally.rounds, tally.fates, strict=True))
        return {
            number: _OF_THE_END * fate + (1 - _OF_THE_END) * (lead - self.least) / span
            for number, fate, lead in zip(tally.rounds, tally.fates, tally.leads, strict=True)
        }
