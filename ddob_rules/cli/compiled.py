"""The command that shows what a ruleset is compiled to: compile, the generated Python beside its rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import click

from ddob_rules.check.program import Checked
from ddob_rules.cli.output import harmless, harmless_lines, stop, tell, tell_exactly
from ddob_rules.cli.rulebook import in_force
from ddob_rules.cli.targets import language_option, overlay_option, playable
from ddob_rules.loading import code_of, load_game
from ddob_rules.reports.spelling import did_you_mean
from interpreter.compiler.compile import Code
from interpreter.ir.data import written
from interpreter.passes.lower import lower
from interpreter.wasm.compile import compile_wasm
from interpreter.wasm.shapes import Unsupported

# A generated function or class, or a line of tables below them.
_BEGINS = re.compile(r"(?:def|class) (\w+)|(\w+) = ")
# The generator's own note of where a function comes from; here the rule itself stands above it.
_ORIGIN = re.compile(r"# rule (\S+), .*:\d+")


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of the generated code, and the rules it comes from, the first one first."""

    name: str
    text: str
    rules: tuple[str, ...]


@click.command(name="compile", short_help="Compile a ruleset; show the code beside its rules.")
@click.argument("name", required=False)
@click.option(
    "show", "--show", is_flag=False, flag_value="", metavar="[RULE]", help="Print the code, or one rule's."
)
@click.option("--journal", is_flag=True, help="As it runs when it keeps a journal.")
@click.option("typed", "--ir", is_flag=True, help="Print the typed form as JSON, for another engine.")
@click.option("wasm", "--wasm", is_flag=True, help="Print the WebAssembly of a scenario.")
@overlay_option
@language_option
def compile_rules(
    name: str | None,
    show: str | None,
    journal: bool,
    typed: bool,
    wasm: bool,
    overlays: tuple[str, ...],
    language: str,
) -> None:
    """Compile a ruleset, and say what came of it; with --show, print the Python beside its rules.

    Nobody needs to read it to write rules. It is there for the curious, and for those who doubt.

    \b
    Example:  ddob compile my-game --show 3
    """
    if name is None:
        # `ddob compile --show my-game` reads the name as the rule.
        name, show = show, ""
    if not name:
        raise click.UsageError("Missing argument 'NAME'.")
    if wasm:
        _show_wasm(name, show or "", overlays)
        return
    checked, program = playable(name, overlays, language)
    if typed:
        tell_exactly(written(program) + "\n")
        return
    code = code_of(program, journal=journal)
    if show is None:
        tell(_summary(program.name, code))
    elif show:
        _show_rule(checked, code, show, name, language)
    else:
        tell("\n\n\n".join(_beside_rules(checked, parts(code))))


def parts(code: Code) -> list[Part]:
    """The code taken apart at its functions; what is between them belongs to the one before."""
    lines = code.source.rstrip("\n").split("\n")
    begins = [number for number, line in enumerate(lines) if line.startswith(("def ", "class "))]
    starts = [0, *(number - bool(_ORIGIN.fullmatch(lines[number - 1])) for number in begins)]
    ends = [*starts[1:], _tables(lines)]
    spans = [*zip(starts, ends, strict=True), (_tables(lines), len(lines))]
    return [part for start, end in spans if (part := _part(lines, start, end, code)) is not None]


def _tables(lines: list[str]) -> int:
    """The line at which the tables at the end begin."""
    number = len(lines)
    while number and lines[number - 1][:1].isalpha() and not lines[number - 1].startswith(("def ", "class ")):
        number -= 1
    return number


def _part(lines: list[str], start: int, end: int, code: Code) -> Part | None:
    kept = [line for line in lines[start:end] if not _ORIGIN.fullmatch(line)]
    text = "\n".join(kept).strip("\n")
    if not text.strip():
        return None
    begun = _BEGINS.match(text)
    origin = _ORIGIN.fullmatch(lines[start])
    rules = [origin[1]] if origin is not None else []
    # Blank lines before the next part already have its place.
    pairs = zip(lines[start:end], code.lines[start:end], strict=True)
    rules += [site.rule for line, site in pairs if site.rule and line.strip() and not _ORIGIN.fullmatch(line)]
    return Part(begun[1] or begun[2] if begun is not None else "", text, tuple(dict.fromkeys(rules)))


def _summary(name: str, code: Code) -> str:
    functions = sum(line.startswith("def ") for line in code.source.split("\n"))
    lines = code.source.count("\n")
    blocks = sum(bool(re.match(r"def b\d+_", line)) for line in code.source.split("\n"))
    return harmless(
        f"{name}: {functions} functions, {lines} lines, {blocks} blocks, {len(code.asks)} choices"
    )


def _show_rule(checked: Checked, code: Code, rule: str, name: str, language: str) -> None:
    known = in_force(checked.merged)
    if rule not in known:
        stop(
            f"there is no rule {rule} in `{name}`",
            did_you_mean(rule, known, language) or f"`ddob rules {name}`",
        )
    found = [part for part in parts(code) if part.rules[:1] == (rule,)]
    if not found:
        stop(f"no code comes from rule {rule}: it declares only words")
    above = "\n".join(_commented(checked, rule))
    tell(above + "\n\n" + "\n\n\n".join(part.text for part in found))


def _beside_rules(checked: Checked, found: list[Part]) -> Iterator[str]:
    """Each part below the rule that it comes from; where several in a row do, the rule is printed once."""
    before: tuple[str, ...] = ()
    for part in found:
        rule = part.rules[:1]
        lines = list(_commented(checked, *rule)) if rule and rule != before else []
        lines += [f"# rule {rule[0]}"] if rule and rule == before else []
        before = rule
        yield "".join(f"{line}\n" for line in lines) + part.text


def _show_wasm(name: str, rule: str, overlays: tuple[str, ...]) -> None:
    """What the fast engine runs: of a scenario, because all its numbers are in it."""
    game = load_game(name, overlays=overlays, journal=False).game
    if game is None:
        stop(f"`{name}` is not a scenario that can be played", "the fast engine compiles scenarios")
    try:
        text = compile_wasm(game, lower(game.program)).text
    except Unsupported as problem:
        stop(f"the fast engine leaves `{name}` to the Python engine: {problem}")
    if not rule:
        tell(harmless_lines(text))
        return
    found = [part for part in wasm_parts(text) if re.match(rf" *;; .*\brule {re.escape(rule)}, ", part)]
    if not found:
        stop(f"no code comes from rule {rule}")
    tell(harmless_lines("\n".join(found)))


def wasm_parts(text: str) -> list[str]:
    """The functions of a module that come from rules, each with the line that says from which."""
    return re.findall(r"^  ;; [^\n]*\n  \(func .*?^  \)$", text, re.DOTALL | re.MULTILINE)


def _commented(checked: Checked, rule: str) -> Iterator[str]:
    block = checked.merged.rules.get(rule)
    if block is None:
        return
    yield harmless(f"# {block.span.source.path}:{block.span.line}")
    text = block.node.span.text.rstrip() if block.node is not None else ""
    for line in harmless_lines(text).split("\n"):
        yield f"# {line}".rstrip()


COMMANDS = (compile_rules,)
