"""Kuhn poker, from two behaviour strategies to the first player's exact expected gain.

Rules: three cards, 0 lowest, 2 highest; each player antes 1 and gets one card. The first player checks or
bets 1. After a bet the second folds or calls. After a check the second checks, which leads to the showdown,
or bets 1; then the first folds or calls. Whoever folds loses the ante; at the showdown the higher card wins
what the other has put in: 1, or 2 after a call.

A strategy gives, for each card, the probability of the bolder choice. Leaves out learning and repeated play.

Published (Kuhn 1950): the value is -1/18; the first player's equilibria are one family with parameter alpha
between 0 and 1/3, the second player's equilibrium is unique.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations, product

ByCard = tuple[Fraction, Fraction, Fraction]

VALUE = Fraction(-1, 18)
ZERO, THIRD, ONE = Fraction(0), Fraction(1, 3), Fraction(1)


@dataclass(frozen=True, slots=True, kw_only=True)
class First:
    """By card: the chance to bet at once, and, after check and bet, to call."""

    bet: ByCard
    call: ByCard


@dataclass(frozen=True, slots=True, kw_only=True)
class Second:
    """By card: the chance to bet after a check, and to call after a bet."""

    bet: ByCard
    call: ByCard


SECOND_EQUILIBRIUM = Second(bet=(THIRD, ZERO, ONE), call=(ZERO, THIRD, ONE))


def first_equilibrium(alpha: Fraction) -> First:
    """The first player's equilibrium that bluffs with the lowest card with chance `alpha`, 0 to 1/3."""
    if not 0 <= alpha <= THIRD:
        raise ValueError(f"alpha must be between 0 and 1/3, not {alpha}")
    return First(bet=(alpha, ZERO, 3 * alpha), call=(ZERO, alpha + THIRD, ONE))


def deal_gain(first: First, second: Second, cards: tuple[int, int]) -> Fraction:
    """The first player's expected gain when the cards are dealt like this."""
    mine, theirs = cards
    showdown = 1 if mine > theirs else -1
    called = second.call[theirs]
    after_bet = called * 2 * showdown + (1 - called)
    calls = first.call[mine]
    after_check_and_bet = calls * 2 * showdown - (1 - calls)
    bets = second.bet[theirs]
    after_check = bets * after_check_and_bet + (1 - bets) * showdown
    return first.bet[mine] * after_bet + (1 - first.bet[mine]) * after_check


def expected_gain(first: First, second: Second) -> Fraction:
    """The first player's exact expected gain over the six equally likely deals."""
    deals = list(permutations(range(3), 2))
    return sum((deal_gain(first, second, (mine, theirs)) for mine, theirs in deals), ZERO) / len(deals)


def _pure_plans() -> Iterator[tuple[ByCard, ByCard]]:
    for low, middle, high, call_low, call_middle, call_high in product((ZERO, ONE), repeat=6):
        yield (low, middle, high), (call_low, call_middle, call_high)


def best_gain_against(second: Second) -> Fraction:
    """The most the first player can expect against this strategy; some pure plan reaches it."""
    return max(expected_gain(First(bet=bet, call=call), second) for bet, call in _pure_plans())


def least_gain_against(first: First) -> Fraction:
    """The least to which the second player can hold this strategy; some pure plan reaches it."""
    return min(expected_gain(first, Second(bet=bet, call=call)) for bet, call in _pure_plans())
