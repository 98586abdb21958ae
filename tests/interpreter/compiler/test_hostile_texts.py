"""No text of an author becomes code: whatever texts and names say, the code has the same shape."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from ddob_rules.loading import code_of, load_ruleset
from interpreter import ir
from interpreter.compiler.compile import compile_program
from tests.running import EDITIONS, play
from tests.shipped import shipped_program

#: Ends whatever it may stand in: a string of any sort, a comment, a line, a bracket; and then does something.
HOSTILE = "'\"\"\"'''\n\r\f\0\\x\\N{}{S}\u2028)]};__import__('os').abort()\n#"
#: Larger rulesets have all constructs of the language between them.
RULESETS = ("ddob-armour", "memoire-44", "pig", "kuhn-poker", "reversi")

#: Fields whose values the language fixes.
_OURS: dict[type, tuple[str, ...]] = {
    ir.Type: ("tag",),
    ir.Visibility: ("seers",),
    ir.Kind: ("owner", "board"),
    ir.Get: ("owner",),
    ir.SetAttribute: ("owner",),
    ir.Binary: ("operator",),
    ir.Unary: ("operator",),
    ir.Builtin: ("name",),
    ir.Quantify: ("gather",),
    ir.Choose: ("amount",),
    ir.Leave: ("what",),
    ir.Table: ("policy",),
    ir.Priority: ("tie",),
    ir.Procedure: ("role",),
    ir.Drawn: ("part",),
}
#: Names that every program has.
_EVERYWHERE = {"", "player", "direction", "turn", "setup", "owner", "it", "row", "column", "any"}


def hostile(item: Any) -> Any:
    """The same program with something hostile behind every name and text."""
    if isinstance(item, tuple):
        return tuple(hostile(part) for part in item)
    if isinstance(item, str):
        return item if item in _EVERYWHERE or item.startswith("all ") else item + HOSTILE
    if not is_dataclass(item) or isinstance(item, type):
        return item
    kept = _OURS.get(type(item), ())
    if isinstance(item, ir.Global) and item.builtin and item.name == "turn":
        return item
    return replace(
        item, **{f.name: hostile(getattr(item, f.name)) for f in fields(item) if f.name not in kept}
    )


def shape(node: ast.AST) -> Iterator[object]:
    """A tree without what names and constants it has."""
    yield type(node).__name__
    if isinstance(node, ast.Constant):
        yield type(node.value).__name__
    for child in ast.iter_child_nodes(node):
        yield from shape(child)
    yield None


@lru_cache(maxsize=1)
def hostile_program(name: str) -> ir.Program:
    """Once for all its editions, which come one after the other."""
    changed: ir.Program = hostile(shipped_program(name))
    return changed


@pytest.mark.parametrize(("journal", "cover"), EDITIONS)
@pytest.mark.parametrize("name", RULESETS)
def test_code_has_the_same_shape_whatever_texts_and_names_say(name: str, journal: bool, cover: bool) -> None:
    plain = ast.parse(code_of(shipped_program(name), journal=journal, cover=cover).source)
    strange = compile_program(hostile_program(name), journal=journal, cover=cover).source
    assert "abort" in strange
    assert list(shape(ast.parse(strange))) == list(shape(plain))


def attacked(mark: Path, name: str = "r") -> str:
    """A ruleset whose title ends a string and then writes a file."""
    call = f"open({str(mark)!r}, chr(119))"
    title = f'R\\"\\"\\";{call}\\n{call};\\"\\"\\"\\\\x'
    return f'ruleset {name} "{title}"\nplayers us "Us"\nrule 1:\n  define one: number = 1\n'


def test_title_that_would_run_does_not(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    play(attacked(mark), scenario="turns: 1\n").start(1)
    assert not mark.exists()


def test_file_name_with_a_line_break_is_not_run(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    folder = tmp_path / "r"
    folder.mkdir()
    name = "a\nopen('mark', chr(119))\n#.rules"
    (folder / name).write_text(attacked(mark), encoding="utf-8")
    program = load_ruleset(str(folder)).program
    assert program is not None
    source = compile_program(program).source
    assert "open(" in source
    assert not [
        node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name) and node.id == "open"
    ]


#: Names that are one to Python, or would be one after a careless encoding, or that Python does not take.
ALIKE = [
    ("ﬁ", "fi"), ("a'b", "a_27_b"), ("a'b", "aZ27zb"), ("x²", "x2"), ("Z", "z"), ("ℌ", "H"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_names_that_look_alike_stay_different(one: str, other: str) -> None:
    rules = f"""\
ruleset r "R"
players us "Us"
rule 1:
  variable {one}: number = 1
  variable {other}: number = 2
  variable told: number = 0
  define by({one}: number, {other}: number): number = {one} * 10 + {other}
  sequence turn:
    phase act:
      let a{one} = 3
      let a{other} = 4
      set told to by({one}, {other}) * 100 + a{one} * 10 + a{other}
      us takes 1 action
  action wait "Wait" by p in act:
    do: set told to told
"""
    state = play(rules, scenario="turns: 1\n").start(1)
    assert state.view(None)["variables"]["told"] == 1234


def test_parameter_called_like_a_loop_variable_of_ours_keeps_its_value() -> None:
    numbered = "\n".join(
        f"  define d{n}(x_{n}: number, x: number): number = x_{n} + sum(x for x in numbers(1, 1))"
        for n in range(12)
    )
    rules = f"""\
ruleset r "R"
players us "Us"
rule 1:
  variable told: number = 0
{numbered}
  sequence turn:
    phase act:
      set told to {" + ".join(f"d{n}(10, 5)" for n in range(12))}
      us takes 1 action
  action wait "Wait" by p in act:
    do: set told to told
"""
    state = play(rules, scenario="turns: 1\n").start(1)
    assert state.view(None)["variables"]["told"] == 12 * 11
