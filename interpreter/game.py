"""A ruleset and a scenario, made ready to play: lists, boards, names, and the compiled code over them."""

from __future__ import annotations

import json
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from interpreter import ahead, ir, randomness
from interpreter.analysis import identifier, uses_chance
from interpreter.choice import Option
from interpreter.compile import Code
from interpreter.failures import BadState, GameOver, Limits, RuleFailure
from interpreter.geometry import Board, Grid
from interpreter.grid import ALL_DIRECTIONS
from interpreter.journal import Entry
from interpreter.lookups import Areas, DefinitionTable, NoState, by_value, listed
from interpreter.names import Names
from interpreter.narrowing import FURTHEST
from interpreter.reasons import Refusal
from interpreter.runtime import DONE, PASS, enter, make_globals, row_table
from interpreter.scenario import Scenario
from interpreter.state import State, restore
from interpreter.views import view_of

DIRECTIONS = ("n", "ne", "e", "se", "s", "sw", "w", "nw")
_OPPOSITE = (4, 5, 6, 7, 0, 1, 2, 3)
_EMPTY: dict[str, Any] = {"number": 0, "flag": False, "text": "", "set": 0, "list": ()}


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
    ) -> None:
        self.program = program
        self.scenario = scenario
        self.code = code
        self.options = frozenset(options) | frozenset(scenario.options)
        self.limits = limits or Limits()
        self.last_turn = scenario.turns or 0
        self.enums = {enum.name: enum for enum in program.enums}
        self.spaces = scenario.spaces
        self._number_everything()
        self.board = self._make_board()
        self.names = Names(program, scenario, self, texts)
        self.namespace = self._make_namespace()
        exec(
            code.code, self.namespace
        )  # our own generated code; no author's text is in it but as names and constants
        self.blocks = self.namespace["BLOCKS"]
        self.actions = self.namespace["ACTIONS"]
        self.state_class: type[State] = self.namespace["GameState"]
        self.no_state = NoState()
        self._fill_tables()
        self._template = self._make_template()
        self._opening: State | None = None
        self.printed: dict[tuple[str, int], dict[str, Any]] = {}  # what views have written out once
        self._chance = uses_chance(program)

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
        return Board(len(self.place_ids), grids, links)  # piles are places too, with no neighbours

    def _encode(self, value: Any, kind: ir.Type) -> Any:
        """Ids in scenario data become numbers, lists of ids sets."""
        if kind.tag == "piece":
            return self.piece_number.get(value, -1) if isinstance(value, str) else -1
        if kind.tag in ("space", "pile"):
            return self.place_number.get(value, -1) if isinstance(value, str) else -1
        if kind.tag == "set" and kind.element is not None and isinstance(value, tuple):
            mask = 0
            for item in value:
                number = self._encode(item, kind.element)
                mask |= 1 << number if number >= 0 else 0
            return mask
        if kind.tag == "list" and kind.element is not None and isinstance(value, tuple):
            return tuple(self._encode(item, kind.element) for item in value)
        return value

    def _make_namespace(self) -> dict[str, Any]:
        space: dict[str, Any] = make_globals(self, self.board)
        space["State"] = State
        space["START"] = {}
        space["COVER"] = set()
        space["shown"] = self.names.shown
        space["LAST_TURN"] = self.last_turn
        space.update(self._extents())
        space.update(self._board_tables())
        for enum, names in (("player", self.players),):
            space["NEXT_PLAYER"] = (
                [(number + 1) % len(names) for number in range(len(names))] + [-1] if names else [-1]
            )
            del enum
        for dice in self.program.dice:
            space[identifier(f"DICE_{dice.name}")] = dice.faces
        for option in self.program.options:
            space[identifier(f"O_{option.name}")] = option.name in self.options
        for name, numbers in self.pile_numbers.items():
            space[identifier(f"PILE_{name}")] = [*numbers, -1]
        for name, tag, ident in self.code.refs:
            number = self.piece_number.get(ident, -1) if tag == "piece" else self.place_number.get(ident, -1)
            if number < 0:  # an untyped id may be either
                number = self.place_number.get(ident, self.piece_number.get(ident, -1))
            space[name] = number
        for length in self.code.rows:
            space[f"LINES_{length}"] = row_table(self.board, length, len(self.place_ids))
        self._fixed_columns(space)
        return space

    def _extents(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for enum in self.program.enums:
            found[identifier(f"R_{enum.name}")] = range(len(enum.values))
            found[identifier(f"M_{enum.name}")] = (1 << len(enum.values)) - 1
        if self.scenario.players:
            seats = [number for number, name in enumerate(self.players) if name in self.scenario.players]
            found["R_player"] = tuple(seats)
            found["M_player"] = sum(1 << seat for seat in seats)
        groups: dict[str, list[int]] = {}
        for number, space in enumerate(self.spaces):
            groups.setdefault(space.kind, []).append(number)
            groups.setdefault("all spaces", []).append(number)
        for number, kind in enumerate(self.piece_kind):
            groups.setdefault(kind, []).append(number)
            groups.setdefault("all pieces", []).append(number)
        for kind_name in [
            *[k.name for k in self.program.kinds if k.owner in ("piece", "card", "space")],
            "all spaces",
            "all pieces",
        ]:
            members = groups.get(kind_name, [])
            found[identifier(f"R_{kind_name}")] = range(members[0], members[-1] + 1) if members else ()
            found[identifier(f"M_{kind_name}")] = sum(1 << member for member in members)
        return found

    def _board_tables(self) -> dict[str, Any]:
        board = self.board
        extra = len(self.place_ids) - len(self.spaces)
        neighbours = board.neighbours
        lists = board.neighbour_list
        alike: dict[str, int] = {}
        for number, place in enumerate(self.spaces):
            alike[place.kind] = alike.get(place.kind, 0) | 1 << number
        near = [mask & alike[place.kind] for mask, place in zip(neighbours, self.spaces, strict=False)] + [
            0
        ] * (extra + 1)
        steps = [board.step[name] for name in DIRECTIONS]
        rows = [space.row if space.row is not None else 0 for space in self.spaces]
        columns = [space.column if space.column is not None else 0 for space in self.spaces]
        used = [name for name in DIRECTIONS if name in board.DIRECTIONS]
        assert set(ALL_DIRECTIONS) == set(DIRECTIONS)
        return {
            "NEIGHBOURS": neighbours,
            "NEIGHBOURS_LIST": lists,
            "NEAR": near,
            "NEAR_LIST": [
                tuple(member for member in found if mask >> member & 1)
                for found, mask in zip(lists, near, strict=True)
            ],
            "STEP": [*steps, [-1] * (len(self.place_ids) + 1)],
            "OPPOSITE": [*_OPPOSITE, -1],
            "ROW_OF": [*rows, *[0] * extra, 0],
            "COLUMN_OF": [*columns, *[0] * extra, 0],
            "DIRECTIONS": sum(1 << DIRECTIONS.index(name) for name in used),
            **{f"WITHIN_{limit}": Areas(board, limit) for limit in range(FURTHEST + 1)},
        }

    def _column_size(self, owner: str, enum: str) -> int:
        if owner == "piece":
            return len(self.piece_ids)
        if owner == "space":
            return len(self.place_ids)
        return self.board.edge_count if owner == "edge" else len(self.enums[enum].values)

    def _fixed_columns(self, space: dict[str, Any]) -> None:
        """Lists of what never changes; the last element is what nothing has."""
        constants = dict(self.code.layout.constants)
        for entry in self.code.layout.attributes:
            if not entry.fixed:
                continue
            values = [_EMPTY.get(entry.type.tag, -1)] * (self._column_size(entry.owner, entry.enum) + 1)
            if entry.name in constants:
                for name, expression in constants[entry.name]:
                    values[self.enums[entry.enum].values.index(name)] = self._constant(expression)
            for index, value in self._given(entry.owner, entry.enum, entry.attribute, entry.kinds):
                values[index] = self._encode(value, entry.type)
            space[f"F_{entry.name}"] = values
            if entry.name in self.code.having:
                space[f"K_{entry.name}"] = by_value(values[:-1])

    def _constant(self, expression: ir.Expression) -> Any:
        match expression:
            case ir.Const(value=value):
                return value
            case ir.Unary(operator="-", operand=ir.Const(value=value)):
                return -int(value)
            case ir.MakeSet(items=items):
                return sum({1 << self._constant(item) for item in items})
            case ir.Ref(id=ident):
                return self.place_number.get(ident, self.piece_number.get(ident, -1))
            case _:
                raise AssertionError(expression)

    def _given(
        self, owner: str, enum: str, attribute: str, kinds: Sequence[str]
    ) -> Iterable[tuple[int, Any]]:
        """What the scenario says of an attribute: the index and the value."""
        if owner == "piece":
            things: Iterable[tuple[int, Any]] = enumerate(self.scenario.pieces)
        elif owner == "space":
            things = enumerate(self.spaces)
        elif owner == "edge":
            things = [
                (self.board.edge_of(self.place_number[e.first], self.place_number[e.second]), e)
                for e in self.scenario.edges
            ]
        else:
            for name, value, attr, given in self.scenario.each:
                if name == enum and attr == attribute:
                    yield self.enums[enum].values.index(value), given
            return
        for index, thing in things:
            if thing.kind in kinds:
                for name, value in thing.values:
                    if name == attribute:
                        yield index, value

    def _fill_tables(self) -> None:
        """Works out the definitions that depend on nothing that changes, innermost first by need."""
        tables = {
            name: DefinitionTable(self, name, kinds, result) for name, kinds, result in self.code.tabled
        }
        for name, table in tables.items():
            self.namespace[f"T_{name}"] = table.lazy(())
            self.namespace[f"L_{name}"] = table.lazy((), as_list=True)
        for number, kind in self.code.statics:
            self._fill_static(number, kind)
        for name, table in tables.items():
            full = table.full()
            if full is not None:
                self.namespace[f"T_{name}"] = full
                if table.result == "set":
                    self.namespace[f"L_{name}"] = listed(full, self.namespace["bits"])

    def _fill_static(self, number: int, kind: str) -> None:
        """The things of a kind that pass a test which nothing in play can change."""
        space = self.namespace
        members = [
            member for member in space[identifier(f"R_{kind}")] if space[f"z_{number}"](self.no_state, member)
        ]
        space[f"ZL_{number}"] = tuple(members)
        space[f"Z_{number}"] = sum(1 << member for member in members)

    def domain(self, key: str) -> range:
        """The numbers that a parameter can be, for tables."""
        if key.startswith("enum "):
            return range(len(self.enums[key.removeprefix("enum ")].values))
        return range(len(self.piece_ids)) if key == "piece" else range(len(self.place_ids))

    def _make_template(self) -> State:
        """The state before the first step: start values and the set-up of the scenario."""
        state = self.state_class.__new__(self.state_class)
        self.state_class.game = self
        state.turn, state.rng, state.phase, state.result = self.scenario.first_turn - 1, 0, "", None
        state.player = state.ask = -1
        state.options, state.answer, state.leaving, state.fuel = [], None, False, self.limits.steps
        state.script, state.happened, state.past, state.count, state.given = (), None, None, 0, None
        state.stack = []
        for name in state.MEMORIES:
            setattr(state, name, None)
        self._place_pieces(state)
        try:
            self.namespace["start_values"](state)
        except Exception as problem:
            raise self.failed(None, problem) from problem
        start = self.namespace["START"]
        for entry in self.code.layout.attributes:
            if entry.fixed:
                continue
            values = [_EMPTY.get(entry.type.tag, -1)] * (self._column_size(entry.owner, entry.enum) + 1)
            for kind in entry.kinds:
                for index in self._indices(entry.owner, entry.enum, kind):
                    values[index] = start[f"{kind} {entry.attribute}"]
            for index, value in self._given(entry.owner, entry.enum, entry.attribute, entry.kinds):
                values[index] = self._encode(value, entry.type)
            setattr(state, entry.name, values)
        given = dict(self.scenario.variables)
        for variable in self.program.variables:
            value = start.get(f"variable {variable.name}", _EMPTY.get(variable.type.tag, -1))
            if variable.name in given:
                value = self._encode(given[variable.name], variable.type)
            setattr(state, identifier(f"v_{variable.name}"), value)
        for keep in self.namespace["KEEPERS"]:
            keep(state)
        return state

    def _indices(self, owner: str, enum: str, kind: str) -> Iterable[int]:
        if owner == "piece":
            return [index for index, name in enumerate(self.piece_kind) if name == kind]
        if owner == "space":
            return [index for index, space in enumerate(self.spaces) if space.kind == kind]
        if owner == "edge":
            kinds = next(k.of for k in self.program.kinds if k.name == kind)
            ends = self.board.edge_ends
            return [
                index
                for index, (a, b) in enumerate(ends)
                if self.spaces[a].kind in kinds and self.spaces[b].kind in kinds
            ]
        return range(len(self.enums[enum].values))

    def _place_pieces(self, state: State) -> None:
        count = len(self.place_ids)
        columns: Any = state  # the generated class has slots for these
        columns.at = [
            self.place_number.get(piece.at, -1) if piece.at else -1 for piece in self.scenario.pieces
        ] + [-1]
        columns.inside = [0] * (count + 1)
        columns.order = [()] * (count - len(self.spaces))
        for number, place in enumerate(state.at[:-1]):
            state.inside[place] |= 1 << number  # nowhere is -1: the last element
            if place >= len(self.spaces):
                state.order[place - len(self.spaces)] += (number,)
        for pile, ids in self.scenario.piles:
            order = tuple(self.piece_number[ident] for ident in ids)
            state.order[self.place_number[pile] - len(self.spaces)] = order

    # ------------------------------------------------------------ playing

    def start(self, seed: int = 0) -> State:
        """A new game, played to its first choice."""
        rng = randomness.start(seed)
        if self._opening is not None:
            state = self._opening.copy()
            state.rng = rng
            return state
        state = self._template.copy()
        state.rng = rng
        state.stack = [enter(self.namespace["ENTRY_main"])]
        self.run(state)
        if state.rng == rng:
            self._opening = state.copy()  # no chance so far: every game begins like this
        return state

    def run(self, state: State) -> None:
        """Goes on to the next choice."""
        blocks, stack = self.blocks, state.stack
        try:
            while stack:
                frame = stack[-1]
                if blocks[frame[0]](state, frame):
                    return
        except GameOver:
            state._finish()
        except Exception as problem:
            raise self.failed(None, problem) from problem

    def look_ahead(self, state: State, option: int) -> State:
        """A copy that has taken the option and gone on, if not to the end, to the next choice.

        Where that choice is about actions, these are not listed: a copy without options that is not over is
        to be looked at, not to be played on.
        """
        return ahead.look_ahead(self, self._brief_blocks, state, option)

    @cached_property
    def _brief_blocks(self) -> list[Any]:
        return ahead.brief_blocks(self.namespace, self.blocks)

    def playout(self, seed: int, draw: Callable[[], float]) -> State:
        """A finished game of uniformly random choices, in a fraction of the time; only without a journal.

        `draw` gives numbers from 0 up to 1. The way there is not kept, so it cannot be saved or undone.
        """
        state = self._template.copy()
        if self._chance:
            state.rng = randomness.start(seed)
        try:
            self.namespace["playout"](state, draw)
        except GameOver:
            pass  # no question waits: there is nothing to take back
        except Exception as problem:
            raise self.failed(None, problem) from problem
        return state

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
            if frame.f_code.co_filename == f"<rules {self.program.name}>" and 0 < line <= len(
                self.code.lines
            ):
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
        state = self._template.copy()
        restore(state, data)
        choices = data.get("choices")
        if not isinstance(choices, list) or not all(isinstance(index, int) for index in choices):
            raise BadState("this is not a complete state of a game")
        for index in choices:
            state.past = (index, state.past)
        state.count = len(choices)
        return state

    # ------------------------------------------------------------ telling

    def player_name(self, number: int) -> str:
        return self.players[number] if 0 <= number < len(self.players) else ""

    def result_names(self, state: State) -> tuple[str, ...]:
        mask = state.result[0] if state.result is not None else 0
        return tuple(name for number, name in enumerate(self.players) if mask >> number & 1)

    def prompt(self, state: State) -> str:
        ask = self.code.asks[state.ask]
        function = self.namespace["PROMPTS"][state.ask]
        if function is not None:
            return str(function(state, state.stack[-1]))
        return self.names.default_prompt(ask)

    def option_list(self, state: State) -> tuple[Option, ...]:
        ask = self.code.asks[state.ask]
        return tuple(self._option(state, number, value, ask) for number, value in enumerate(state.options))

    def _option(self, state: State, number: int, value: Any, ask: Any) -> Option:
        if ask.sort == "offer":
            if value == PASS:
                return Option(
                    number,
                    "pass",
                    self.names.text("pass" if len(state.options) == 1 else "done"),
                    "",
                    (),
                    ask.site.rule,
                )
            action = self.program.actions[value[0]]
            ids = tuple(
                self.names.id(item, p.type) for item, p in zip(value[1:], action.parameters, strict=True)
            )
            key = f"{action.name}({', '.join(str(ident) for ident in ids)})"
            return Option(
                number, key, self.names.action_label(state, value), action.name, ids, action.site.rule
            )
        if ask.sort == "menu":
            label = str(self.namespace["LABELS"][state.ask][value](state, state.stack[-1]))
            return Option(number, f"case {value + 1}", label, "", (label,), ask.site.rule)
        if value == DONE and ask.sort in ("one", "some", "order"):
            return Option(
                number,
                "done",
                self.names.text("none" if ask.sort == "one" else "done"),
                "",
                (),
                ask.site.rule,
            )
        ident = self.names.id_by_key(value, ask.type)
        return Option(number, str(ident), self.names.shown(value, ask.type), "", (ident,), ask.site.rule)

    def find_option(self, state: State, option: Option | str) -> int | None:
        if isinstance(option, Option):
            index = option.index
            listed = self.option_list(state)
            return index if 0 <= index < len(listed) and listed[index].key == option.key else None
        listed = self.option_list(state)
        for found in listed:
            if found.key == option:
                return found.index
        labelled = [found.index for found in listed if found.label == option]
        return labelled[0] if len(labelled) == 1 else None

    def only_actor(self, action: int) -> int:
        by = self.program.actions[action].by
        return int(by.value) if isinstance(by, ir.Const) else 0

    def why_not(
        self, state: State, action: str, arguments: tuple[object, ...], player: str | None
    ) -> Refusal | None:
        found = next(
            (number for number, entry in enumerate(self.program.actions) if entry.name == action), None
        )
        if found is None:
            return Refusal(self.names.text("no such action").format(action=action), ())
        entry = self.program.actions[found]
        if len(arguments) != len(entry.parameters):
            return Refusal(
                self.names.text("wrong arguments").format(action=action, count=len(entry.parameters)), ()
            )
        values = [
            self.names.number_of(argument, p.type)
            for argument, p in zip(arguments, entry.parameters, strict=True)
        ]
        for argument, value, parameter in zip(arguments, values, entry.parameters, strict=True):
            if value is None:
                return Refusal(
                    self.names.text("no such thing").format(
                        name=argument, kind=self.names.type_title(parameter.type)
                    ),
                    (),
                )
        who = (
            self.players.index(player)
            if player in self.players
            else (state.player if state.player >= 0 else self.only_actor(found))
        )
        return self.why_not_raw(state, who, (found, *[value for value in values if value is not None]))

    def why_not_raw(self, state: State, player: int, option: tuple[Any, ...]) -> Refusal | None:
        """Why this action is not on offer: not the time, not the player, or the first failed condition."""
        action = self.program.actions[option[0]]
        name = identifier(action.name)
        failed = self.namespace[f"why_{name}"](state, player, *option[1:])
        if failed == -2:
            return Refusal(self.names.text("not this player"), (action.site.rule,), action.site)
        if failed >= 0:
            condition = action.conditions[failed]
            text = self.names.text("a condition fails")
            if condition.reason is not None:
                text = str(self.namespace[f"reason_{name}_{failed}"](state, player, *option[1:]))
            return Refusal(text, condition.rules, condition.site)
        if state.ask >= 0:
            ask = self.code.asks[state.ask]
            if ask.sort != "offer" or ask.group not in action.groups:
                return Refusal(
                    self.names.text("not now").format(
                        phases=", ".join(map(self.names.phase_title, action.groups))
                    ),
                    (action.site.rule,),
                    action.site,
                )
            if player != state.player:
                return Refusal(self.names.text("not this player"), (action.site.rule,), action.site)
        return None

    def score(self, state: State, player: int) -> int | None:
        """The ruleset's own score for a player, if it has one."""
        function = self.namespace.get("score_of")
        return int(function(state, player)) if function is not None else None

    def measures(self, state: State) -> tuple[tuple[str, int], ...]:
        """The numbers by which the ruleset tells how a game went, each with its title."""
        try:
            found: tuple[tuple[str, int], ...] = self.namespace["measures_of"](state)
        except Exception as problem:
            raise self.failed(None, problem) from problem
        return found

    def entries(self, state: State) -> list[Entry]:
        raw = []
        link = state.happened
        while link is not None:
            raw.append(link[0])
            link = link[1]
        return [self.names.entry(number, item) for number, item in enumerate(reversed(raw))]

    def history(self, state: State, thing: str) -> list[Entry]:
        return [entry for entry in self.entries(state) if entry.thing == thing]

    def view(self, state: State, seat: str | None) -> dict[str, Any]:
        return view_of(self, state, seat)

    def find_entry(self, procedure: str) -> tuple[int, int] | None:
        """The first block of a procedure that may ask."""
        return next(((number, size) for name, number, size in self.code.entries if name == procedure), None)
