"""Pig, from a player who holds at a fixed turn total to exact probabilities.

Rules: in a turn a player rolls one die again and again. A 1 ends the turn and scores nothing. Any other
number is added to the turn total; the player may then hold, which ends the turn and adds the turn total to
the player's score. The first whose score reaches 100 wins.

The player here holds as soon as the turn total reaches `hold_at`, or is enough to win. Leaves out optimal
play.

Published (Todd Neller, "Hold-at-20 Outcomes", with hold at 20 and far from 100): 0 with probability 0.624541,
20 with 0.099713, 21 with 0.094991, 22 with 0.074189, 23 with 0.054196, 24 with 0.035198, 25 with 0.017173.
"""

from __future__ import annotations

from fractions import Fraction

TARGET = 100
HOLD_AT = 20


def turn_outcomes(*, score: int = 0, hold_at: int = HOLD_AT, target: int = TARGET) -> dict[int, Fraction]:
    """The exact probability of each number of points one turn can add to `score`, in ascending order."""
    enough = min(hold_at, target - score)
    # The chance to pass through each turn total, filled from below; totals of at least `enough` are held.
    passing: dict[int, Fraction] = {0: Fraction(1)}
    outcomes: dict[int, Fraction] = {0: Fraction(0)}
    while passing:
        total = min(passing)
        chance = passing.pop(total)
        if total >= enough:
            outcomes[total] = chance
            continue
        outcomes[0] += chance / 6
        for roll in range(2, 7):
            passing[total + roll] = passing.get(total + roll, Fraction(0)) + chance / 6
    return outcomes


def turn_probability(
    points: int, *, score: int = 0, hold_at: int = HOLD_AT, target: int = TARGET
) -> Fraction:
    """The exact probability that one turn adds this number of points to `score`."""
    return turn_outcomes(score=score, hold_at=hold_at, target=target).get(points, Fraction(0))


def expected_turn_points(*, score: int = 0, hold_at: int = HOLD_AT, target: int = TARGET) -> Fraction:
    """The mean number of points one turn adds to `score`."""
    outcomes = turn_outcomes(score=score, hold_at=hold_at, target=target)
    return sum((points * chance for points, chance in outcomes.items()), Fraction(0))


def first_player_wins(*, hold_at: int = HOLD_AT, target: int = TARGET) -> float:
    """The probability that the player who begins wins when both hold at the same total.

    Two turns without points lead back to the same scores, so the chances of (mine, theirs) and of
    (theirs, mine) are two linear equations in each other; all other terms belong to a higher sum of scores
    and are known by then.
    """
    points_at = [
        {
            points: float(chance)
            for points, chance in turn_outcomes(score=score, hold_at=hold_at, target=target).items()
        }
        for score in range(target)
    ]
    chances: dict[tuple[int, int], float] = {}

    def without_blank_turn(mine: int, theirs: int) -> float:
        total = 0.0
        for points, chance in points_at[mine].items():
            if mine + points >= target:
                total += chance
            elif points:
                total += chance * (1.0 - chances[theirs, mine + points])
        return total

    for mine, theirs in sorted(((a, b) for a in range(target) for b in range(target)), key=sum, reverse=True):
        blank, other_blank = points_at[mine][0], points_at[theirs][0]
        other = without_blank_turn(theirs, mine) + other_blank
        chances[mine, theirs] = (without_blank_turn(mine, theirs) + blank * (1.0 - other)) / (
            1.0 - blank * other_blank
        )
    return chances[0, 0]
