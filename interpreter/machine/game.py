"""A ruleset and a scenario, made ready to play: lists, boards, names, and the compiled code over them."""

from __future__ import annotations

import json
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from interpreter import ir
from interpreter.compiler.compile import RULES, Code
from interpreter.compiler.layout import Column
from interpreter.failures import BadState, GameOver, Limits, RuleFailure
from interpreter.geometry.boards import Board, Grid, board_of
from interpreter.machine import ahead, randomness
from interpreter.machine.choice import Offer, Options
from interpreter.machine.constants import fill_tables, namespace_of
from interpreter.machine.lookups import NoState
from interpreter.machine.opening import template_of
from interpreter.machine.randomness import Source
from interpreter.machine.reasons import Refusal, kept_out, refusal_of, why_not
from interpreter.machine.runtime import enter
from interpreter.machine.scenario import Scenario
from interpreter.machine.seating import laid_out, passing, seats_of, with_count
from interpreter.machine.state import State, restore
from interpreter.passes.analysis import identifier
from interpreter.passes.endings import LAST_TURN, endings_of, worded
from interpreter.telling.facts import Journal, newest_first
from interpreter.telling.hindsight import followed, in_hindsight
from interpreter.telling.journal import Entry, entry_of
from interpreter.telling.names import Callings, Names
from interpreter.telling.views import BYSTANDER, Sight, view_of


class Game:
    """Makes and serves states. It does not change once built."""

    def __init__(
        self,
        program: ir.Program,
        scenario: Scenario,
        code: Code,
        *,
        options: Iterable[str] = (),
        limits: Limits | None = None,
        texts: Mapping[str, str] | None = None,
        chance: Source = randomness,
    ) -> None:
        self.program = program
        #: Where dice, draws and shuffles come from.
        self.chance = chance
        self.code = code
        self.options = with_count(program, scenario, (*options, *scenario.options))
        #: The players who take part.
        self.seats = seats_of(program, scenario, self.options)
        self.scenario = scenario = laid_out(program, scenario, self.seats)
        self.limits = limits or Limits()
        self.last_turn = scenario.turns or 0
        self.enums = {enum.name: enum for enum in program.enums}
        self.spaces = scenario.spaces
        self._number_everything()
        self.board = self._make_board()
        self.columns = {entry.name: entry for entry in code.layout.attributes}
        self._entries = {name: (number, size) for name, number, size in code.entries}
        #: The kinds of pieces with a hidden side, and the rule by which it is seen.
        self.faced = code.layout.faced
        self.names = Names(program, scenario, self, texts)
        self.no_state = NoState(self)
        self.namespace = namespace_of(self)
        exec(
            code.code, self.namespace
        )  # our own generated code; no author's text is in it but as names and constants
        self.blocks = self.namespace["BLOCKS"]
        if self.absent:
            self.blocks[:] = [block and passing(block, self.absent, code.asks) for block in self.blocks]
        self.actions = self.namespace["ACTIONS"]
        self.state_class: type[State] = self.namespace["GameState"]
        self.refuel(None)
        try:
            fill_tables(self)
        except Exception as problem:
            raise self.failed(None, problem) from problem
        self.template = template_of(self)
        #: What games of a campaign before this one have handed on; see `carrying`.
        self.carried: Mapping[str, Any] = {}
        #: How players who look ahead do so: a function to what is quicker to play on with than a state.
        self.glances: Callable[[State], Any] | None = None
        self.printed: dict[tuple[str, int], dict[str, Any]] = {}  # what views have written out once

    # ------------------------------------------------------------ building

    def _number_everything(self) -> None:
        """Places are spaces, then piles; pieces are numbered kind by kind."""
        self.place_ids = [space.id for space in self.spaces]
        self.pile_numbers: dict[str, list[int]] = {}
        self.pile_kind: dict[int, ir.Kind] = {}
        for kind in self.program.kinds:
            if kind.owner != "pile":
                continue
            values = self.enums[kind.each].values if kind.each else ("",)
            numbers = []
            for value in values:
                number = len(self.place_ids)
                self.place_ids.append(f"{kind.name}({value})" if kind.each else kind.name)
                self.pile_kind[number] = kind
                numbers.append(number)
            self.pile_numbers[kind.name] = numbers
        self.place_number = {name: number for number, name in enumerate(self.place_ids)}
        self.piece_ids = [piece.id for piece in self.scenario.pieces]
        self.piece_number = {name: number for number, name in enumerate(self.piece_ids)}
        self.piece_kind = [piece.kind for piece in self.scenario.pieces]
        self.refills = {
            number: self.pile_numbers[kind.refill][
                index if kind.each and len(self.pile_numbers[kind.refill]) > 1 else 0
            ]
            for kind in self.program.kinds
            if kind.owner == "pile" and kind.refill
            for index, number in enumerate(self.pile_numbers[kind.name])
        }
        self.bags = frozenset(number for number, kind in self.pile_kind.items() if kind.board == "bag")
        self.players = tuple(player.name for player in self.program.players)
        self.present = sum(1 << number for number, name in enumerate(self.players) if name in self.seats)
        self.absent = frozenset(n for n in range(len(self.players)) if not self.present >> n & 1)

    def _make_board(self) -> Board:
        grids = []
        for grid in self.scenario.grids:
            cells = {
                number: (space.row, space.column)
                for number, space in enumerate(self.spaces)
                if space.kind == grid.kind and space.row is not None and space.column is not None
            }
            grids.append(Grid(grid.layout, cells))
        links = [(self.place_number[a], self.place_number[b]) for a, b in self.scenario.links]
        return board_of(len(self.place_ids), grids, links)  # piles are places too, with no neighbours

    # ------------------------------------------------------------ playing

    def start(self, seed: int = 0) -> State:
        """A new game, played to its first choice."""
        state = self.opening(seed)
        state.stack = [enter(self.namespace["ENTRY_main"])]
        self.run(state)
        return state

    def opening(self, seed: int) -> State:
        """What the scenario says, before anything happens."""
        state = self.template.copy()
        state.rng = randomness.start(seed)
        return state

    def refuel(self, state: State | None) -> None:
        """Whoever asks the rules for something gives them their budget of steps first."""
        self.no_state.fuel = self.limits.steps
        if state is not None:
            state.fuel = self.limits.steps

    def run(self, state: State, others: list[Any] | None = None) -> None:
        """Goes on to the next choice; `others` run in the place of the game's own blocks."""
        self.refuel(state)
        blocks, stack = others or self.blocks, state.stack
        try:
            while stack:
                frame = stack[-1]
                if blocks[frame[0]](state, frame):
                    return
        except GameOver:
            state._finish()
        except Exception as problem:
            raise self.failed(None, problem) from problem

    def glance(self, state: State) -> Any:
        """The state, or what stands for it where somebody has a quicker way to look ahead."""
        return state if self.glances is None else self.glances(state)

    def look_ahead(self, state: State, option: int) -> State:
        """A copy that has taken the option and gone on, if not to the end, to the next choice.

        Where that choice is about actions, these are not listed: a copy without options that is not over is
        to be looked at, not to be played on.
        """
        return ahead.look_ahead(self, self._brief_blocks, state, option)

    @cached_property
    def _brief_blocks(self) -> list[Any]:
        if self.absent:
            return list(self.blocks)  # whose actions are listed is only known once they are
        return ahead.brief_blocks(self.namespace, self.blocks)

    def replay(self, seed: int, choices: Iterable[int]) -> State:
        """The position after these choices."""
        state = self.start(seed)
        for index in choices:
            state.apply(index)
        return state

    def failed(self, state: State | None, problem: Exception) -> RuleFailure:
        """The failure, told at the rule's line. The state is no longer to be used; `undo` goes back."""
        site = None
        for frame, line in traceback.walk_tb(problem.__traceback__):
            if frame.f_code.co_filename == RULES and 0 < line <= len(self.code.lines):
                found = self.code.lines[line - 1]
                site = found if found.rule else site
        if isinstance(problem, RuleFailure):
            problem.site = problem.site or site
            return problem
        if isinstance(problem, ZeroDivisionError):
            return RuleFailure("E0701", site)
        if isinstance(problem, (MemoryError, RecursionError, OverflowError, ValueError)):
            return RuleFailure("E0708", site, text=type(problem).__name__)
        raise problem

    def from_json(self, text: str) -> State:
        """Goes on from what `State.to_json` gave, perhaps in another process."""
        try:
            data = json.loads(text)
        except ValueError as problem:
            raise BadState("this is not JSON") from problem
        if not isinstance(data, dict) or data.get("ddob") != "state":
            raise BadState("this is not a saved state")
        if (
            data.get("program") != self.program.hash
            or data.get("scenario") != self.scenario.hash
            or data.get("options") != sorted(self.options)
        ):
            raise BadState("this state belongs to other rules, another scenario or other options")
        state = self.template.copy()
        restore(state, data)
        choices = data.get("choices")
        if not isinstance(choices, list) or not all(isinstance(index, int) for index in choices):
            raise BadState("this is not a complete state of a game")
        for index in choices:
            state.past = (index, state.past)
        state.count = len(choices)
        return state

    @cached_property
    def endings(self) -> tuple[ir.EndGame, ...]:
        """Every sentence that can end a game, by its number."""
        return endings_of(self.program)

    # ------------------------------------------------------------ looking

    def evaluate(self, state: State, definition: str, *arguments: Any) -> Any:
        """The value of a definition of the rules in a position, by the numbers inside."""
        self.refuel(state)
        return self.namespace[identifier("d", definition)](state, *arguments)

    def members(self, mask: int) -> tuple[int, ...]:
        """The members of a set, in order."""
        found: tuple[int, ...] = self.namespace["bits"](mask)
        return found

    def items(self, value: Any, kind: ir.Type) -> Sequence[Any]:
        """What is in a set or list."""
        found: Sequence[Any] = self.members(value) if kind.tag == "set" else value
        return found

    def of_kind(self, kind: str) -> Sequence[int]:
        """All pieces or spaces of a kind, or values of an enum."""
        found: Sequence[int] = self.namespace[identifier("R", kind)]
        return found

    def fixed(self, column: str) -> list[Any]:
        """An attribute that never changes, of all things by number; empty if there is none."""
        found: list[Any] = self.namespace.get(f"F_{column}", [])
        return found

    def values(self, state: State, column: Column) -> list[Any]:
        """An attribute of all things in a position."""
        found: list[Any] = self.fixed(column.name) if column.fixed else getattr(state, column.name)
        return found

    def variable(self, state: State, name: str) -> Any:
        return getattr(state, identifier("v", name))

    @property
    def covered(self) -> set[int]:
        """The numbers of the places in the rules that were reached, in the edition that notes them."""
        found: set[int] = self.namespace["COVER"]
        return found

    # ------------------------------------------------------------ telling

    def player_name(self, number: int) -> str:
        return self.players[number] if 0 <= number < len(self.players) else ""

    def result_names(self, state: State) -> tuple[str, ...]:
        mask = state.result[0] if state.result is not None else 0
        return tuple(name for number, name in enumerate(self.players) if mask >> number & 1)

    def all_lost(self, state: State) -> bool:
        """Whether nobody has won, and the rule that ended the game says that this is a loss."""
        ending = self._ended_by(state)
        return ending is not None and ending.lost and not self.result_names(state)

    def ranking(self, state: State) -> tuple[tuple[str, int], ...]:
        """The players with their points, the best first, if the rule that ended the game ranks them."""
        ending = self._ended_by(state)
        if ending is None or not ending.ranking:
            return ()
        points = [self.evaluate(state, ending.ranking, self.players.index(name)) for name in self.seats]
        found = [(name, int(number)) for name, number in zip(self.seats, points, strict=True)]
        return tuple(sorted(found, key=lambda one: -one[1]))

    def ending(self, state: State) -> str:
        ending = self._ended_by(state)
        if ending is None or state.result is None:
            return ""
        text = worded(ending.text, state.result[2], self.names.writer())
        return self.names.spoken(text, self.callings(state))

    def _ended_by(self, state: State) -> ir.EndGame | None:
        """What ended the game; None if it goes on, or no rule but the last turn ended it."""
        if state.result is None or state.result[1] == LAST_TURN:
            return None
        return self.endings[state.result[1]]

    def prompt(self, state: State) -> str:
        ask = self.code.asks[state.ask]
        self.refuel(state)
        function = self.namespace["PROMPTS"][state.ask]
        if function is not None:
            return self.names.spoken(str(function(state, state.stack[-1])), self.callings_of_asked(state))
        return self.names.default_prompt(ask)

    def callings(self, state: State, *seats: str, moving: bool = False) -> Callings | None:
        """What pieces are called by these seats together, without any by a bystander; None if by their names.

        Names are enough where nothing can lie face down, and for somebody who may see everything.
        """
        if not self.faced:
            return None
        return Callings(self.names, state, Sight(self, state, *(seats or (BYSTANDER,))), moving)

    def callings_of_asked(self, state: State) -> Callings | None:
        """What pieces are called by the one who is asked."""
        return self.callings(state, self.player_name(state.player)) if self.faced else None

    def option_list(self, state: State) -> Options:
        """The options by number, in the words of the one who is asked."""
        return Options(Offer(state), range(len(state.options)))

    def options_to_read(self, state: State) -> Options:
        """The options in an order that tells nothing of pieces that the one who is asked cannot know."""
        offer = Offer(state)
        return Options(offer, offer.order_to_read())

    def find_option(self, state: State, text: str) -> int | None:
        """The number of the option with this key, or of the only one with this label."""
        listed = self.option_list(state)
        keyed = next((found.index for found in listed if found.key == text), None)
        if keyed is not None:
            return keyed
        labelled = [found.index for found in listed if text in (found.label, found.name)]
        return labelled[0] if len(labelled) == 1 else None

    def only_actor(self, action: int) -> int:
        by = self.program.actions[action].by
        return int(by.value) if isinstance(by, ir.Const) else 0

    def why_not(
        self, state: State, action: str, arguments: tuple[object, ...], player: str | None
    ) -> Refusal | None:
        """Why an action, named with what it is done with, is not on offer; None if it is.

        Raises:
            RuleFailure: a condition cannot be worked out, in a phase or of things that no rule meant it for.
        """
        return self._asked(state, lambda: why_not(self, state, action, arguments, player))

    def kept_out(self, state: State, value: int) -> Refusal | None:
        """Why the question that is asked does not offer a thing.

        Raises:
            RuleFailure: a reason cannot be worked out for this thing, which no rule has looked at.
        """
        return self._asked(state, lambda: kept_out(self, state, value))

    def why_not_raw(self, state: State, player: int, option: tuple[Any, ...]) -> Refusal | None:
        """The same for an action by its number, and the numbers of what it is done with."""
        return self._asked(state, lambda: refusal_of(self, state, player, option))

    def _asked(self, state: State, refusal: Callable[[], Refusal | None]) -> Refusal | None:
        try:
            return refusal()
        except Exception as problem:
            raise self.failed(state, problem) from problem

    def score(self, state: State, player: int) -> int | None:
        """The ruleset's own score for a player, if it has one."""
        self.refuel(state)
        function = self.namespace.get("score_of")
        return int(function(state, player)) if function is not None else None

    def measures(self, state: State) -> tuple[tuple[str, int], ...]:
        """The numbers by which the ruleset tells how a game went, each with its title."""
        self.refuel(state)
        try:
            found: tuple[tuple[str, int], ...] = self.namespace["measures_of"](state)
        except Exception as problem:
            raise self.failed(None, problem) from problem
        return found

    def entries(
        self, state: State, seats: Sequence[str] | None = None, since: int = 0, after: Journal = None
    ) -> list[Entry]:
        """The journal from its entry number `since` on, in the words of these seats; None sees everything.

        `after` is the journal when it had so many entries, if somebody has kept it: then it is not counted.
        """
        found = list(newest_first(state.happened, after))
        fresh = found if after is not None else found[: max(0, len(found) - since)]
        if seats is None or not self.faced:
            return [entry_of(self, since + number, fact) for number, fact in enumerate(reversed(fresh))]
        return in_hindsight(self, state, fresh, since, seats)

    def history(self, state: State, thing: str, seats: Sequence[str] | None = None) -> list[Entry]:
        """What has become of a thing; `thing` is what these seats call it."""
        callings = self.callings(state, *seats) if seats is not None else None
        number = callings.piece(thing) if callings is not None and thing not in self.place_number else None
        if callings is not None and number is None and thing in self.piece_number:
            return []  # the name of what lies face down says nothing
        if number is not None:
            thing = self.piece_ids[number]
        found = [entry for entry in self.entries(state, seats) if entry.thing == thing]
        if callings is None or number is None:
            return found
        return followed(found, callings.known(number), len(self.spaces))

    def view(self, state: State, seat: str | None) -> dict[str, Any]:
        self.refuel(state)
        return view_of(self, state, seat)

    def find_entry(self, procedure: str) -> tuple[int, int] | None:
        """The first block of a procedure that may ask, and the size of its frame."""
        return self._entries.get(procedure)
