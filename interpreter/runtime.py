"""The functions that generated code calls. They are made for one game: they look things up in its data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import compress
from typing import TYPE_CHECKING, Any

from interpreter import matching, paths, randomness
from interpreter.candidates import Candidates
from interpreter.failures import REFUSED, GameOver, RuleFailure
from interpreter.geometry import Board

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.state import State

DONE = ("done",)  # among numbers that stand for things, so no number itself
PASS: tuple[int, ...] = ()
FAR = 1_000_000  # what the distance is where there is no way: more than any board has
_KEPT_MEMBERS = 400_000  # of remembered sets; then the memory starts afresh
_KEPT_BEST = 20_000  # sets of which the best member is remembered
_FEW = 6  # members that are found faster one by one than by going through all digits
_DIGITS = bytes(digit == ord("1") for digit in range(256))


def bit(index: int) -> int:
    return 1 << index if index >= 0 else 0


def make_bits() -> Callable[[int], tuple[int, ...]]:
    """A function from a set to its members in order; the same sets come up again, so it remembers."""
    return _Members({0: ()}).__getitem__


class _Members(dict[int, tuple[int, ...]]):
    """The members of each set that was asked for; at most so many are remembered."""

    room = _KEPT_MEMBERS

    def __missing__(self, mask: int) -> tuple[int, ...]:
        if mask.bit_count() < _FEW:
            members = []
            rest = mask
            while rest:
                low = rest & -rest
                members.append(low.bit_length() - 1)
                rest ^= low
            found = tuple(members)
        else:
            digits = bin(mask)[:1:-1].encode().translate(_DIGITS)
            found = tuple(compress(range(len(digits)), digits))
        self.room -= len(found) + 1
        if self.room < 0:
            self.clear()
            self.room = _KEPT_MEMBERS
            self[0] = ()
        self[mask] = found
        return found


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


def list_mask(items: Iterable[int]) -> int:
    mask = 0
    for index in items:
        mask |= bit(index)
    return mask


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
        S.result = (0, "", -1)
        raise GameOver
    S.turn += 1
    S.phase = ""
    S.fuel -= 1
    if S.fuel < 0:
        raise RuleFailure("E0702", limit=S.game.limits.steps)
    if S.game.code.journal:
        S.happened = ((-1, "turn", -1, S.turn - 1, S.turn), S.happened)


def spend(S: State) -> None:
    S.fuel -= 1
    if S.fuel < 0:
        raise RuleFailure("E0702", limit=S.game.limits.steps)


def end_game(S: State, who: int, text: str, site: int) -> None:
    S.result = (who, text, site)
    raise GameOver


def mixed(S: State, items: Iterable[int]) -> tuple[int, ...]:
    S.rng, result = randomness.shuffled(S.rng, tuple(items))
    return tuple(result)


def random_pick(S: State, items: Sequence[int]) -> int:
    if not items:
        return -1
    S.rng, index = randomness.below(S.rng, len(items))
    return items[index]


def random_picks(S: State, items: Sequence[int], count: int) -> int:
    S.rng, found = randomness.picks(S.rng, tuple(items), max(0, count))
    mask = 0
    for item in found:
        mask |= 1 << item
    return mask


def roll(S: State, faces: tuple[int, ...]) -> int:
    if S.script:  # an example may say what the dice show
        for position, (value, key) in enumerate(S.script):
            if key == "roll":
                S.script = (*S.script[:position], *S.script[position + 1 :])
                return int(value)
    S.rng, index = randomness.below(S.rng, len(faces))
    return faces[index]


def row_table(board: Board, length: int, places: int) -> list[tuple[tuple[int, ...], ...]]:
    """For each place the straight rows of that length through it; nothing has none."""
    found: list[list[tuple[int, ...]]] = [[] for _ in range(places + 1)]
    for row in board.lines(length) if 1 < length <= 100 else ():
        for space in row:
            found[space].append(row)
    return [tuple(rows) for rows in found]


def with_self_last(
    table: list[tuple[tuple[int, ...], ...]],
) -> list[tuple[tuple[int, ...], ...]]:
    """The same rows, each with the place that it was looked up by at its end: of that, most is known."""
    return [
        tuple((*(other for other in row if other != place), place) for row in rows)
        for place, rows in enumerate(table)
    ]


def make_globals(game: Game, board: Board) -> dict[str, Any]:
    """What generated code finds under these names, for one game."""
    limits = game.limits
    first_pile = len(game.spaces)
    refills = game.refills
    bags = game.bags
    edge_index = board.edge_index

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
            S.rng, order = randomness.shuffled(S.rng, S.order[pile - first_pile])
            S.order[pile - first_pile] = tuple(order)

    def draw(S: State, pile: int, site: int) -> int:
        if pile < first_pile:
            return -1
        if not S.order[pile - first_pile] and pile in refills:
            for piece in S.order[refills[pile] - first_pile]:
                put(S, piece, pile, True)
            shuffle(S, pile)
        order = S.order[pile - first_pile]
        if not order:
            return -1
        piece = order[0]
        if pile in bags:
            S.rng, index = randomness.below(S.rng, len(order))
            piece = order[index]
        put(S, piece, -1, False)
        if game.code.journal:
            S.happened = ((site, "place", piece, pile, -1), S.happened)
        return piece

    def draw_many(S: State, pile: int, count: int, site: int) -> tuple[int, ...]:
        found = []
        for _ in range(min(max(0, count), limits.collection)):
            piece = draw(S, pile, site)
            if piece < 0:
                break
            found.append(piece)
        return tuple(found)

    def top(S: State, pile: int) -> int:
        order = S.order[pile - first_pile] if pile >= first_pile else ()
        return order[0] if order else -1

    def roll_many(S: State, faces: tuple[int, ...], count: int) -> tuple[int, ...]:
        times = range(min(max(0, count), limits.collection))
        counted(S, times)
        return tuple(roll(S, faces) for _ in times)

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

    def refuse(site: int, text: str) -> None:
        raise RuleFailure(REFUSED, game.code.sites[site], text=text)

    def no_row(site: int, values: tuple[Any, ...]) -> Any:
        raise RuleFailure("E0704", game.code.sites[site], values=", ".join(str(value) for value in values))

    def edge_of(first: int, second: int) -> int:
        return edge_index.get((first, second) if first < second else (second, first), -1)

    def reach_by_steps(
        S: State,
        starts: tuple[int, ...],
        test: Callable[[int, int], bool],
        limit: int | None,
        stop: Callable[[int], bool] | None,
        goal: int | None,
    ) -> int:
        if stop is None and goal is None:
            mask = paths.reachable(board, starts, test, limit)
            counted(S, range(mask.bit_count()))
            return mask
        return reach_by_cost(S, starts, lambda a, b: 1 if test(a, b) else -1, limit, stop, goal)

    def reach_by_cost(
        S: State,
        starts: tuple[int, ...],
        cost: Callable[[int, int], int],
        limit: int | None,
        stop: Callable[[int], bool] | None,
        goal: int | None,
    ) -> int:
        spend(S)
        found = paths.cheapest(board, starts, cost, limit, stop)
        counted(S, range(len(found)))
        if goal is not None:
            return found.get(goal, FAR)
        mask = 0
        for space in found:
            mask |= 1 << space
        return mask

    def distance(first: int, second: int) -> int:
        found = board.distance(first, second)
        return found if found >= 0 else FAR

    def sight(start: int, end: int, blocks: Callable[[int], bool]) -> bool:
        return start >= 0 and end >= 0 and board.sight(start, end, blocks)

    bits = make_bits()

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

    rows: dict[int, list[tuple[tuple[int, ...], ...]]] = {}

    def lines_through(space: int, length: int) -> tuple[tuple[int, ...], ...]:
        if length not in rows:
            rows[length] = row_table(board, length, first_pile + len(game.pile_kind))
        return rows[length][space]

    def inside_of(inside: list[int], places: int, pieces: int) -> int:
        """The pieces that are in one of these places: all of them, if the places are many."""
        if places.bit_count() > pieces.bit_count():
            return pieces
        return around(inside, bits(places)) & pieces

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
            spend(S)
            mask = 0
            for other in rights if near is None else bits(near(one)):
                if test(one, other):
                    mask |= 1 << other
            masks.append(mask)
        sizes = [max(0, capacity(one)) if capacity is not None else 1 for one in lefts]
        return matching.matching_size(list(lefts), masks, sizes)

    def line_between(start: int, end: int) -> int:
        mask = 0
        for step in board.line(start, end) if start >= 0 and end >= 0 else ():
            for space in step:
                mask |= 1 << space
        return mask

    def too_many_choices() -> None:
        raise RuleFailure("E0703", limit=limits.choices)

    def act(S: State, player: int, option: tuple[int, ...]) -> None:
        """Does an action: at once, or by a frame of its own if it may ask."""
        function, entry = game.actions[option[0]]
        if game.code.journal:
            # An action cites its own rule, so the number of a site has room for how the option reads.
            label = game.names.own_label(S, player, option)
            S.happened = ((label, "action", option[0], player, option[1:]), S.happened)
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

    return {
        "STEP_LIMIT": limits.steps, "CHOICE_LIMIT": limits.choices, "GameOver": GameOver,
        "too_many_choices": too_many_choices, "bit": bit, "bits": bits, "enter": enter, "single": single,
        "first_of": first_of, "list_mask": list_mask, "without": without, "item": item, "winners": winners,
        "next_turn": next_turn, "spend": spend, "end_game": end_game, "mixed": mixed,
        "random_pick": random_pick, "random_picks": random_picks, "roll": roll, "roll_many": roll_many,
        "put": put, "shuffle": shuffle, "draw": draw, "draw_many": draw_many, "top": top, "bounded": bounded,
        "numbers": numbers, "best_by": best_by, "with_self_last": with_self_last,
        "Candidates": Candidates, "compress": compress,
        "inside_where": make_inside_where(len(game.place_ids)), "inside_of": inside_of,
        "times": times, "no_row": no_row, "refuse": refuse, "limited": limited, "counted": counted,
        "edge_of": edge_of, "reach_by_steps": reach_by_steps, "reach_by_cost": reach_by_cost, "sight": sight,
        "match_size": match_size, "lines_through": lines_through, "line_between": line_between, "act": act,
        "around": around, "take": take, "DONE": DONE, "PASS": PASS, "distance": distance, "FAR": FAR,
        "spaces_within": lambda a, n: board.within(a, n) if a >= 0 else 0,
        "ring": lambda a, n: board.ring(a, n) if a >= 0 else 0,
    }  # fmt: skip
