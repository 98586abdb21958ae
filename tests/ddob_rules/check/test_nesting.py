"""What is nested deeper than code may be is found by the checker; what it lets pass, compiles."""

from __future__ import annotations

import pytest

from interpreter.compiler.compile import compile_program
from tests.rules import check_text
from tests.running import EDITIONS

HEAD = """\
ruleset r "R"
players us "Us", them "Them"
rule 1:
  variable seen: number = 1
  variable ready: flag = no
  space cell on square board:
    height: number = 1
  sequence turn:
    phase act: us takes 1 action
  action rest "Rest" by p in act:
    do: set seen to seen
rule 2:
"""
ACTION = '  action wait "Wait" ({parameters}) by p in act:\n{conditions}    do: set ready to ready\n'


def blocks(opening: str, count: int, inside: str) -> str:
    lines = ["  " * (depth + 2) + opening.format(n=depth) for depth in range(count)]
    return "\n".join(["  at start of act:", *lines, "  " * (count + 2) + inside, ""])


def nested(sort: str, count: int) -> str:
    """Rules with so many things in one another."""
    start = "  at start of act: set ready to "
    number = "  at start of act: set seen to "
    match sort:
        case "and":
            return start + " and ".join(["ready"] * count) + "\n"
        case "or some":
            return start + " or ".join(f"(some c in cell where c.height = {n})" for n in range(count)) + "\n"
        case "plus":
            return number + " + ".join(["seen"] * count) + "\n"
        case "rounded":
            return number + "seen" + " / 2 rounded nearest" * count + "\n"
        case "not":
            return start + "not " * count + "ready\n"
        case "if otherwise":
            steps = "".join(f"{n} if (some c in cell where c.height = 1) otherwise " for n in range(count))
            return f"{number}{steps}1\n"
        case "otherwise if":
            lines = "".join(f"    otherwise if seen = {n}: set seen to {n}\n" for n in range(count))
            return f"  at start of act:\n    if ready: set seen to 1\n{lines}"
        case "for each":
            return blocks("for each p{n} in player:", count, "set ready to no")
        case "repeat":
            return blocks("repeat 2 times:", count, "set ready to no")
        case "some":
            return start + "".join(f"some c{n} in cell where " for n in range(count)) + "ready\n"
        case "parameters":
            parameters = ", ".join(f"c{n}: cell" for n in range(count))
            return ACTION.format(parameters=parameters, conditions="    when c0.height > 3\n")
        case _:
            conditions = "".join(f"    when seen > {n}\n" for n in range(count))
            return ACTION.format(parameters="c: cell", conditions=conditions)


def codes(rules: str) -> list[str]:
    return [problem.code for problem in check_text(HEAD + rules).problems if problem.severity == "error"]


SORTS = ("and", "or some", "plus", "rounded", "not", "if otherwise", "otherwise if", "conditions")
LOOPS = ("for each", "repeat", "some", "parameters")


@pytest.mark.parametrize(
    ("sort", "count"), [*((sort, 120) for sort in SORTS), ("otherwise if", 1500), ("and", 900)]
)
def test_depth_that_nobody_reads_is_found(sort: str, count: int) -> None:
    assert codes(nested(sort, count)) == ["E0106"]


@pytest.mark.parametrize("sort", LOOPS)
def test_loops_in_loops_that_nobody_reads_are_found(sort: str) -> None:
    assert codes(nested(sort, 18)) == ["E0106"]


@pytest.mark.parametrize(
    ("sort", "highest"), [*((sort, 120) for sort in SORTS), *((sort, 18) for sort in LOOPS)]
)
def test_whatever_is_allowed_compiles(sort: str, highest: int) -> None:
    low, high = 1, highest  # the first is allowed, the second is not
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if codes(nested(sort, middle)) else (middle, high)
    program = check_text(HEAD + nested(sort, low)).program
    assert program is not None and low > 8
    for journal, cover in EDITIONS:
        compile_program(program, journal=journal, cover=cover)
