"""From values that rules name to the values themselves: what can be worked out before any game is.

Two passes over the typed form. `value range = 3` is written wherever it is asked for, and what that leaves of
sums, comparisons and conditions is worked out too. And a variable that no rule changes is what the scenario
says of it: scenarios tell games apart with such variables (how far the map reaches, what is to be won), and
definitions that ask for nothing else are then worked out once. Left out: whatever might fail, which is for a
game to tell; what one game of a campaign hands on to the next, what a seat may not see, and variables that
begin with more than a plain value.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter import ir
from interpreter.ir.walk import callees_first, parts, rewritten

#: Larger numbers are left to the game, which has a limit for them.
_LARGEST = 10**9


def folded(program: ir.Program) -> ir.Program:
    """The same program with constants in the place of values that never change."""
    bodies = {definition.name: definition for definition in program.definitions}
    calls = {
        name: [part.name for part in parts(one.body) if isinstance(part, ir.Call)]
        for name, one in bodies.items()
    }
    constants: dict[str, ir.Const] = {}

    def change(part: object) -> object:
        match part:
            case ir.Call(name=name, arguments=()) if name in constants:
                return constants[name]
            case ir.Binary():
                return _binary(part)
            case ir.Unary(operator="not", operand=ir.Const(value=bool(value))):
                return ir.Const(value=not value, type=ir.FLAG)
            case ir.Unary(operator="-", operand=ir.Const(value=int(value))):
                return ir.Const(value=-value, type=ir.NUMBER)
            case ir.Conditional(condition=ir.Const(value=bool(holds))):
                return part.then if holds else part.otherwise
            case _:
                return part

    for name in callees_first(calls):  # a value may be made of others
        body = rewritten(bodies[name].body, change)
        if isinstance(body, ir.Const) and not bodies[name].parameters:
            constants[name] = body
    return rewritten(program, change)  # type: ignore[no-any-return]


_NUMBERS: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
}
_TESTS: dict[str, Callable[[int, int], bool]] = {
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def _binary(e: ir.Binary) -> ir.Expression:
    match e.left, e.right:
        case ir.Const(value=int(left), type=ir.NUMBER), ir.Const(value=int(right), type=ir.NUMBER):
            if e.operator in _TESTS:
                return ir.Const(value=_TESTS[e.operator](left, right), type=ir.FLAG)
            if e.operator in _NUMBERS and abs(found := _NUMBERS[e.operator](left, right)) <= _LARGEST:
                return ir.Const(value=found, type=ir.NUMBER)
        case ir.Const(value=bool(left)), right_side if e.operator in ("and", "or"):
            return right_side if left == (e.operator == "and") else e.left
        case left_side, ir.Const(value=bool(right)) if e.operator in ("and", "or"):
            if right == (e.operator == "and"):
                return left_side
    return e


# ---------------------------------------------------------------- what the scenario says

#: Types of which a scenario gives values that are written down in code. Which piece a piece turns out to be
#: who looks ahead does not always know, so what names one stays with the position.
_PLAIN = ("number", "flag", "enum", "space", "set")


def with_given(program: ir.Program) -> ir.Program:
    """The same program, with values of the scenario in the place of such variables."""
    changed = {part.name for part in parts(program) if isinstance(part, ir.SetGlobal)}
    given = {one.name for one in program.variables if one.name not in changed and _is_given(one)}

    def change(part: object) -> object:
        match part:
            case ir.Global(name=name, builtin=False) if name in given:
                return ir.Given(name=name, type=part.type)
            case _:
                return part

    found: ir.Program = rewritten(program, change)
    return found


def _is_given(variable: ir.Variable) -> bool:
    hidden = variable.carried or variable.seen is not None
    start = variable.start is None or isinstance(variable.start, ir.Const)
    return variable.type.tag in _PLAIN and start and not hidden and not variable.type.names_pieces
