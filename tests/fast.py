"""The fast engine beside the Python engine: the same program in both, kept in step.

Tests mostly look at values as texts, which the fast engine leaves to the other. So both play the program with
the values themselves in the place of texts about them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from interpreter import ir
from interpreter.compiler.compile import compile_program
from interpreter.failures import RuleFailure
from interpreter.ir.walk import rewritten
from interpreter.machine.game import Game
from interpreter.machine.state import State
from interpreter.wasm import host
from interpreter.wasm.engine import FastGame, Runner
from interpreter.wasm.shapes import Unsupported


@dataclass(eq=False, slots=True)
class Pair:
    """One game in both engines."""

    state: State
    runner: Runner

    def take(self, option: int) -> None:
        self.state.take(option)
        self.runner.take(option)
        self.check()

    def check(self) -> None:
        """Both are in the same position, frames and all; and what is read and written goes on the same."""
        fast = self.runner.state()
        expected, found = self.state.data(), fast.data()
        assert found == expected, {
            key: (found[key], expected[key]) for key in found if found[key] != expected[key]
        }
        self.runner.put(fast)


def pair(game: Game, seed: int, options: Iterable[str]) -> Pair | None:
    """Both engines at the first choice; None if the fast one leaves something in it to the other."""
    if not host.available():
        return None
    program = without_texts(game.program)
    code = compile_program(program, journal=False)
    plain = Game(program, game.scenario, code, options=options, limits=game.limits)
    try:
        runner = FastGame(plain).runner()
    except Unsupported:
        return None
    try:
        state = plain.start(seed)
    except RuleFailure:
        return None
    runner.start(seed)
    found = Pair(state, runner)
    found.check()
    return found


def without_texts(program: ir.Program) -> ir.Program:
    """The program with variables of the values that its texts are about, in the place of those texts."""
    shown = {
        one.name: one.body.arguments[0]
        for one in program.definitions
        if isinstance(one.body, ir.Builtin) and one.body.name == "name_of"
    }
    variables: dict[str, ir.Variable] = {}

    def value(part: object) -> object:
        match part:
            case ir.Call(name=name) if name in shown:
                return replace(part, type=shown[name].type)
            case ir.Definition(name=name) if name in shown:
                return replace(part, type=shown[name].type, body=shown[name])
            case ir.SetGlobal(value=ir.Builtin(name="name_of") | ir.Format() | ir.Call()):
                return kept(part)
            case ir.Let(value=ir.Format() | ir.Builtin(name="name_of")):
                return replace(part, value=ir.Const(value="", type=ir.TEXT))
            case _:
                return part

    def kept(statement: ir.SetGlobal) -> ir.Statement:
        told: tuple[ir.Expression, ...] = (statement.value,)
        match statement.value:
            case ir.Builtin(arguments=(about,)):
                told = (about,)
            case ir.Format(parts=pieces):
                told = tuple(piece for piece in pieces if not isinstance(piece, str))
            case ir.Call(name=name) if name not in shown:
                return statement
        changes = []
        for number, about in enumerate(told):
            if about.type.tag != "text":
                name = f"{statement.name} {number} of {about.type}"
                variables[name] = ir.Variable(name=name, type=about.type, start=None)
                changes.append(replace(statement, name=name, value=about))
        yes = ir.Const(value=True, type=ir.FLAG)
        return ir.If(condition=yes, then=tuple(changes), otherwise=(), site=statement.site)

    changed: ir.Program = rewritten(program, value)
    return replace(changed, variables=(*changed.variables, *variables.values()))
