"""The functions that generated code calls. They are made for one game: they look things up in its data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from interpreter import ir
from interpreter.compiler.blocks import DONE, PASS
from interpreter.failures import REFUSED, GameOver, Limits, RuleFailure
from interpreter.geometry import matching, paths
from interpreter.geometry.boards import Board
from interpreter.geometry.sets import Members, bit, list_mask, make_bits
from interpreter.geometry.tables import row_table
from interpreter.machine.randomness import Source
from interpreter.passes.endings import LAST_TURN
from interpreter.telling import facts

if TYPE_CHECKING:
    from interpreter.machine.game import Game
    from interpreter.machine.state import State
    from interpreter.telling.names import Names

DEAREST = 10**18  # no way that costs more is looked for: its cost would not be a number of 64 bits
LARGE_BOARD = 2_000
LONG_TEXT = 200  # letters; no sentence that players read has more
_KEPT_ROWS = 4  # lengths of straight rows of which all rows are remembered
_KEPT_BEST = 20_000  # sets of which the best member is remembered

Counted = Callable[[Any, Sequence[Any]], Sequence[Any]]  # a list whose length is taken from the budget


def enter(entry: tuple[int, int], *arguments: Any) -> list[Any]:
    """A new frame: the first block, the arguments, and room for the other locals."""
    frame = [entry[0], *arguments]
    frame.extend([-1] * (entry[1] - len(frame)))
    return frame


def around(inside: list[int], places: tuple[int, ...]) -> int:
    """The set of all pieces in these places."""
    found = 0
    for place in places:
        found |= inside[place]
    return found


def make_inside_where(places: int) -> Callable[[list[int], Any, int], int]:
    """A function to the pieces that are where a row of a table holds: all of them, if those places are many.

    A row is looked through once. It is kept with what was found, so that its identity stays its own.
    """
    known: dict[int, tuple[Any, tuple[int, ...]]] = {}

    def inside_where(inside: list[int], row: Any, pieces: int) -> int:
        found = known.get(id(row))
        if found is None:
            found = known[id(row)] = (row, _places_where(row, places))
        if len(found[1]) > pieces.bit_count():
            return pieces
        return around(inside, found[1]) & pieces

    return inside_where


def _places_where(row: Any, places: int) -> tuple[int, ...]:
    try:
        return tuple(place for place in (*range(places), -1) if row[place])
    except (RuleFailure, ArithmeticError):  # told when a rule really asks for that place
        return (*range(places), -1)


def single(index: int) -> tuple[int, ...]:
    return (index,) if index >= 0 else ()


def without(items: tuple[Any, ...], item: Any) -> tuple[Any, ...]:
    """The things but one of them; others that are equal stay."""
    position = items.index(item)
    return items[:position] + items[position + 1 :]


def first_of(items: Sequence[int] | int) -> int:
    if isinstance(items, int):
        return (items & -items).bit_length() - 1 if items else -1
    return items[0] if items else -1


def item(items: Sequence[Any], position: int, missing: Any) -> Any:
    return items[position] if 0 <= position < len(items) else missing


def winners(S: State) -> int:
    return S.result[0] if S.result is not None else 0


def next_turn(S: State) -> None:
    last = S.game.last_turn
    if last and S.turn >= last:
        S.result = (0, LAST_TURN, ())
        raise GameOver
    S.turn += 1
    S.phase = ""
    S.fuel -= 1
    if S.fuel < 0:
        raise RuleFailure("E0702", limit=S.game.limits.steps)
    if S.game.code.journal:
        S.happened = ((facts.TURN_BEGAN, S.turn), S.happened)


def spend(S: State, steps: int = 1) -> None:
    S.fuel -= steps
    if S.fuel < 0:
        raise RuleFailure("E0702", limit=S.game.limits.steps)


def end_game(S: State, who: int, ending: int, values: tuple[Any, ...]) -> None:
    S.result = (who & S.game.present, ending, values)
    raise GameOver


def make_globals(game: Game, board: Board) -> dict[str, Any]:
    """What generated code finds under these names, for one game."""
    limits, bits = game.limits, make_bits()
    chance = _chance(game.chance, game.names)
    bounds = _bounds(limits, chance["roll"])
    counted, limited = bounds["counted"], bounds["limited"]
    everywhere = (
        bit, enter, single, first_of, list_mask, without, item, winners, next_turn, spend, end_game, around,
    )  # fmt: skip
    return {
        "STEP_LIMIT": limits.steps, "CHOICE_LIMIT": limits.choices, "GameOver": GameOver, "FAR": ir.FAR,
        "DONE": DONE, "PASS": PASS, "bits": bits,
        **_by_name(*everywhere), **facts.NUMBERS,
        **chance,
        **bounds,
        **_piles(game),
        **_ways(board, counted, limited),
        **_places(game, board, bits),
        **_choosing(game, bits, counted),
        **_actions(game),
    }  # fmt: skip


def _chance(source: Source, names: Names) -> dict[str, Any]:
    """What is left to chance: dice, picks, the order of lists."""

    def mixed(S: State, items: Iterable[int]) -> tuple[int, ...]:
        S.rng, result = source.shuffled(S.rng, tuple(items))
        return result

    def random_pick(S: State, items: Sequence[int]) -> int:
        if not items:
            return -1
        S.rng, index = source.below(S.rng, len(items))
        return items[index]

    def random_list(S: State, items: Sequence[int], count: int) -> tuple[int, ...]:
        """So many of a list: what it has twice may be picked twice."""
        S.rng, found = source.picks(S.rng, tuple(items), max(0, count))
        return found

    def random_picks(S: State, items: Sequence[int], count: int) -> int:
        return list_mask(random_list(S, items, count))

    def shown(face: int, kind: ir.Type, faces: tuple[int, ...]) -> int:
        if face not in faces:
            known = dict.fromkeys(names.shown(each, kind) for each in faces)
            raise RuleFailure("E0719", shown=names.shown(face, kind), faces=", ".join(known))
        return face

    def roll(S: State, faces: tuple[int, ...]) -> int:
        if S.script:  # an example may say what the dice show
            for position, (value, kind, rolled) in enumerate(S.script):
                if rolled:
                    S.script = (*S.script[:position], *S.script[position + 1 :])
                    return shown(int(value), kind, faces)
        S.rng, index = source.below(S.rng, len(faces))
        return faces[index]

    return _by_name(mixed, random_pick, random_picks, random_list, roll)


def _by_name(*functions: Any) -> dict[str, Any]:
    return {function.__name__: function for function in functions}


def _bounds(limits: Limits, roll: Callable[[State, tuple[int, ...]], int]) -> dict[str, Any]:
    """What may not grow without end, and what is taken from the budget of steps."""

    def bounded(count: int) -> int:
        if count > limits.collection:
            raise RuleFailure("E0706", limit=limits.collection)
        return count

    def numbers(low: int, high: int) -> tuple[int, ...]:
        bounded(high - low)
        return tuple(range(low, high + 1))

    def times(left: int, right: int) -> int:
        result = left * right
        if result > limits.number or result < -limits.number:
            raise RuleFailure("E0705", limit=limits.number)
        return result

    def limited(number: int) -> int:
        if number > limits.number or number < -limits.number:
            raise RuleFailure("E0705", limit=limits.number)
        return number

    def counted(S: State, items: Sequence[Any]) -> Sequence[Any]:
        """A list whose length is used up of the budget: it may be long where the board is small."""
        S.fuel -= len(items)
        if S.fuel < 0:
            raise RuleFailure("E0702", limit=limits.steps)
        return items

    long = min(LONG_TEXT, limits.text)

    def written(S: State, stretches: tuple[str, ...]) -> str:
        """The text that stretches make together; a long one costs steps, or many would fill the memory."""
        length = sum(map(len, stretches))
        if length > long:
            if length > limits.text:
                raise RuleFailure("E0718", limit=limits.text)
            spend(S, length // 10)
        return "".join(stretches)

    def roll_many(S: State, faces: tuple[int, ...], count: int) -> tuple[int, ...]:
        times = range(bounded(max(0, count)))
        counted(S, times)
        return tuple(roll(S, faces) for _ in times)

    def too_many_choices() -> None:
        raise RuleFailure("E0703", limit=limits.choices)

    return _by_name(bounded, numbers, times, limited, counted, written, roll_many, too_many_choices)


def _piles(game: Game) -> dict[str, Any]:
    """Where pieces are, and the order of piles."""
    first_pile, refills, bags, source = len(game.spaces), game.refills, game.bags, game.chance

    def put(S: State, piece: int, place: int, bottom: bool) -> None:
        if piece < 0:
            return
        inside = S.inside
        old = S.at[piece]
        inside[old] ^= 1 << piece  # the last element holds what is nowhere
        if old >= first_pile:
            pile = S.order[old - first_pile]
            S.order[old - first_pile] = (
                pile[1:] if pile[0] == piece else tuple(other for other in pile if other != piece)
            )
        S.at[piece] = place
        inside[place] |= 1 << piece
        if place >= first_pile:
            pile = S.order[place - first_pile]
            S.order[place - first_pile] = (*pile, piece) if bottom else (piece, *pile)

    def shuffle(S: State, pile: int) -> None:
        if pile >= first_pile:
            mix = source.shuffled if pile in bags else source.stirred
            S.rng, S.order[pile - first_pile] = mix(S.rng, S.order[pile - first_pile])

    def settled(S: State, pile: int) -> tuple[int, ...]:
        order = S.order[pile - first_pile]
        if order and order[0] < 0:
            order = S.order[pile - first_pile] = source.settled(order)
        return order

    def draw(S: State, pile: int, site: int) -> int:
        if pile < first_pile:
            return -1
        order = settled(S, pile)
        if not order and pile in refills:
            for piece in S.order[refills[pile] - first_pile]:
                if piece >= 0:
                    put(S, piece, pile, True)
            shuffle(S, pile)
            order = settled(S, pile)
        if not order:
            return -1
        piece = order[0]
        if pile in bags:
            S.rng, index = source.below(S.rng, len(order))
            piece = order[index]
        put(S, piece, -1, False)
        if game.code.journal:
            S.happened = ((facts.MOVED, site, piece, pile, -1), S.happened)
        return piece

    def draw_many(S: State, pile: int, count: int, site: int) -> tuple[int, ...]:
        found = []
        for _ in range(min(max(0, count), game.limits.collection)):
            piece = draw(S, pile, site)
            if piece < 0:
                break
            found.append(piece)
        return tuple(found)

    def top(S: State, pile: int) -> int:
        order = settled(S, pile) if pile >= first_pile else ()
        return order[0] if order else -1

    return _by_name(put, shuffle, draw, draw_many, top)


def _ways(board: Board, counted: Counted, limited: Callable[[int], int]) -> dict[str, Any]:
    """What can be reached over the board, step by step."""

    @cache
    def steps_to(kinds: int) -> Sequence[Sequence[int]]:
        """By place: the neighbours that are among these spaces; -1 has them all."""
        return [tuple(space for space in near if kinds >> space & 1) for near in board.neighbour_list]

    def reach_by_steps(
        S: State,
        starts: tuple[int, ...],
        test: Callable[[int, int], bool],
        limit: int | None,
        stop: Callable[[int], bool] | None,
        goal: int | None,
        kinds: int = -1,
    ) -> int:
        if stop is None and goal is None:
            mask = paths.reachable(board, starts, test, limit, steps_to(kinds))
            counted(S, range(mask.bit_count()))
            return mask
        return reach_by_cost(S, starts, lambda a, b: 1 if test(a, b) else -1, limit, stop, goal, kinds)

    def searched(
        S: State,
        starts: tuple[int, ...],
        cost: Callable[[int, int], int],
        limit: int | None,
        stop: Callable[[int], bool] | None,
        kinds: int,
    ) -> tuple[dict[int, int], dict[int, int]]:
        spend(S)
        dearest = DEAREST if limit is None else min(limit, DEAREST)
        found, entered = paths.cheapest(board, starts, cost, dearest, stop, steps_to(kinds))
        counted(S, range(len(found)))
        return found, entered

    def reach_by_cost(
        S: State,
        starts: tuple[int, ...],
        cost: Callable[[int, int], int],
        limit: int | None,
        stop: Callable[[int], bool] | None,
        goal: int | None,
        kinds: int = -1,
    ) -> int:
        found, _ = searched(S, starts, cost, limit, stop, kinds)
        if goal is not None:
            return limited(found.get(goal, ir.FAR))
        mask = 0
        for space in found:
            mask |= 1 << space
        return mask

    def way_by_cost(
        S: State,
        starts: tuple[int, ...],
        cost: Callable[[int, int], int],
        limit: int | None,
        stop: Callable[[int], bool] | None,
        goal: int,
        kinds: int = -1,
    ) -> tuple[int, ...]:
        found, entered = searched(S, starts, cost, limit, stop, kinds)
        return paths.way_to(goal, found, entered)

    def reach_within(
        S: State,
        starts: tuple[int, ...],
        within: int,
        steps: Mapping[int, int],
        limit: int | None,
        halts: int = 0,
    ) -> int:
        mask = paths.flood(steps, list_mask(starts), within, limit, halts)
        counted(S, range(mask.bit_count()))
        return mask

    return _by_name(reach_by_steps, reach_by_cost, way_by_cost, reach_within)


def _places(game: Game, board: Board, bits: Members) -> dict[str, Any]:
    """How places lie to one another, and what is in them."""
    edge_index = board.edge_index
    rows: dict[int, list[tuple[tuple[int, ...], ...]]] = {}

    def edge_of(first: int, second: int) -> int:
        return edge_index.get((first, second) if first < second else (second, first), -1)

    def distance(first: int, second: int) -> int:
        found = board.distance(first, second)
        return found if found >= 0 else ir.FAR

    # The first look around takes longer the larger the board; whether it is the first must not matter.
    look_around = board.count // 2 if board.count > LARGE_BOARD else 1

    def sight(S: State, start: int, end: int, blocks: Callable[[int], bool]) -> bool:
        if start < 0 or end < 0:
            return False
        spend(S, 1 + board.steps_between(start, end) ** 2 // 8)
        return board.sight(start, end, blocks)

    def line_between(S: State, start: int, end: int) -> int:
        if start < 0 or end < 0:
            return 0
        spend(S, 1 + board.steps_between(start, end) ** 2 // 8)
        return list_mask(space for step in board.line(start, end) for space in step)

    def lines_through(S: State, space: int, length: int) -> tuple[tuple[int, ...], ...]:
        if not 1 < length <= 100:
            return ()
        spend(S, 1 + board.count * length // 2)
        if length not in rows:
            if len(rows) > _KEPT_ROWS:
                rows.clear()
            rows[length] = row_table(board, length, len(game.place_ids))
        return rows[length][space]

    def inside_of(inside: list[int], places: int, pieces: int) -> int:
        """The pieces that are in one of these places: all of them, if the places are many."""
        if places.bit_count() > pieces.bit_count():
            return pieces
        return around(inside, bits(places)) & pieces

    def spaces_within(S: State, space: int, limit: int) -> int:
        spend(S, look_around)
        return board.within(space, limit)

    def ring(S: State, space: int, radius: int) -> int:
        spend(S, look_around)
        return board.ring(space, radius)

    inside_where = make_inside_where(len(game.place_ids))
    return _by_name(
        edge_of, distance, sight, line_between, lines_through, inside_of, inside_where, spaces_within, ring
    )


def _choosing(game: Game, bits: Members, counted: Counted) -> dict[str, Any]:
    """The best of a set, and who can be matched with whom."""

    def best_by(key: Callable[[Any, int], int], highest: bool) -> Callable[[int], int]:
        """A function from a set to its best member by a key that nothing changes; of equals the first."""
        choose = max if highest else min

        class Best(dict[int, int]):
            def __missing__(self, mask: int) -> int:
                if len(self) > _KEPT_BEST:
                    self.clear()
                found = choose(bits(mask), key=lambda member: key(game.no_state, member), default=-1)
                self[mask] = found
                return found

        return Best().__getitem__

    def match_size(
        S: State,
        left: Any,
        right: Any,
        test: Callable[[int, int], bool],
        capacity: Callable[[int], int] | None,
        near: Callable[[int], int] | None = None,
    ) -> int:
        """How many can be matched; with `near`, it is known of each on the left who is worth a test."""
        lefts = left if isinstance(left, tuple) else bits(left)
        rights = right if isinstance(right, tuple) else bits(right)
        masks = []
        for one in lefts:
            mask = 0
            for other in counted(S, rights if near is None else bits(near(one))):
                if test(one, other):
                    mask |= 1 << other
            masks.append(mask)
        sizes = [max(0, capacity(one)) if capacity is not None else 1 for one in lefts]
        return matching.matching_size(list(lefts), masks, sizes, lambda steps: counted(S, range(steps)))

    return _by_name(best_by, match_size)


def _actions(game: Game) -> dict[str, Any]:
    """What is done, and what is refused."""

    def refuse(site: int, text: str) -> None:
        raise RuleFailure(REFUSED, game.code.sites[site], text=game.names.spoken(text))

    def no_row(site: int, values: tuple[Any, ...]) -> Any:
        raise RuleFailure("E0704", game.code.sites[site], values=", ".join(str(value) for value in values))

    def act(S: State, player: int, option: tuple[int, ...]) -> None:
        """Does an action: at once, or by a frame of its own if it may ask."""
        function, entry = game.actions[option[0]]
        if game.code.journal:
            label = game.names.own_label(S, player, option)
            S.happened = ((facts.ACTED, option[0], player, option[1:], label), S.happened)
        if entry is not None:
            S.stack.append(enter(entry, player, *option[1:]))
        else:
            function(S, player, *option[1:])

    def take(S: State, player: int, option: tuple[int, ...], site: int) -> None:
        if player < 0:
            player = game.only_actor(option[0])
        refused = game.why_not_raw(S, player, option)
        if refused is not None:
            raise RuleFailure("E0707", game.code.sites[site], text=refused.text)
        act(S, player, option)

    return _by_name(refuse, no_row, act, take)
