"""The command that tells how likely something is: odds, from an example with free dice."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Literal

import click

from ddob_rules.cli.games import failure_diagnostic, json_option, seed_option, stop_at
from ddob_rules.cli.output import harmless, print_data, print_table, tell
from ddob_rules.cli.targets import Stack, language_option, overlay_option, stack_of
from ddob_rules.examples import Prepared, Ready, prepare_examples
from ddob_rules.loading import FROM_DISK, Loaded, Reading, load_ruleset
from ddob_rules.odds import MOST_RUNS, Answering, Found, Odds, TooLarge, exact_odds, sampled_odds
from ddob_rules.reports.diagnostics import Diagnostic, fill, report
from ddob_rules.reports.spelling import did_you_mean
from ddob_rules.stack.book import Book, book_from_sources, read_book
from ddob_rules.syntax.source import Source, Span, whole_file
from interpreter.failures import RuleFailure

_GAMES = 1000
_ASKED = "what was asked"
#: What findings call the text that is made of it; there is no such file.
_OWN = Path("(odds)")

_WORDS = {
    "exact": ("exact, over {runs|# way|# ways}", "exact, sur {runs|# façon|# façons}"),
    "sampled": (
        "{runs|# sample|# samples} from seed {seed}",
        "{runs|# tirage|# tirages} depuis la graine {seed}",
    ),
    "answered": ("open questions answered by: {player}", "questions ouvertes répondues par : {player}"),
    "together": ("all together", "tout ensemble"),
}
_HEADINGS = {
    "exact": (("Expected", "Odds", "Share"), ("Attendu", "Chances", "Part")),
    "sampled": (("Expected", "Share", "95% interval"), ("Attendu", "Part", "Intervalle à 95 %")),
}


@click.command(short_help="Tell how likely what an example expects is.")
@click.argument("rules", metavar="RULESET|SCENARIO")
@click.argument("title", required=False, metavar="EXAMPLE")
@click.option("--given", metavar="SCENARIO", help="Instead of an example: the scenario to begin with.")
@click.option("whens", "--when", multiple=True, metavar="EFFECT", help="What is done then; may be repeated.")
@click.option(
    "expected",
    "--expect",
    multiple=True,
    metavar="CONDITION",
    help="What to tell the odds of; may be repeated.",
)
@click.option(
    "player", "--player", type=click.Choice(("random", "greedy")), default="random", show_default=True,
    help="Who answers questions that the example leaves open.",
)  # fmt: skip
@click.option(
    "games", "-n", "--games", type=click.IntRange(min=1), default=_GAMES, show_default=True,
    help="How many runs are sampled where the tree of chance is too large to walk.",
)  # fmt: skip
@click.option("sample", "--sample", is_flag=True, help="Sample even where the odds could be had exactly.")
@click.option(
    "--most", type=click.IntRange(min=1), default=MOST_RUNS, show_default=True,
    help="How many ways through the tree of chance are walked at most.",
)  # fmt: skip
@seed_option
@overlay_option
@json_option
@language_option
def odds(
    rules: str,
    title: str | None,
    given: str | None,
    whens: tuple[str, ...],
    expected: tuple[str, ...],
    player: Answering,
    games: int,
    sample: bool,
    most: int,
    seed: int,
    overlays: tuple[str, ...],
    as_json: bool,
    language: str,
) -> None:
    """Tell how likely each line is that an example expects, and all of them together.

    Dice that no `dice show` fixes are free, and so are draws and shuffles. Where all that can happen is
    little enough to go through, the odds are exact; otherwise they are shares of samples.

    \b
    Example:  ddob odds my-game "A straight by the third roll"
              ddob odds my-game --given my-scenario --when "throw(A, B)" --expect "B.out"
    """
    if (title is None) == (not expected) or (given is None) != (not expected) or (whens and not expected):
        raise click.UsageError("name an example, or say --given and --expect (with --when, if need be)")
    ready, example = (
        _asked(rules, given or "", whens, expected, overlays, language)
        if title is None
        else _example(rules, title, overlays, language)
    )
    if not example.expectations:
        stop_at([report("E0752", _place(example), language=language, name=example.title)], language)
    try:
        found = _found(ready, example, player, seed, games, most, sample)
    except RuleFailure as failure:
        text = failure_diagnostic(failure, language).message
        stop_at([report("E0753", _place(example), language=language, text=text)], language)
    if as_json:
        print_data(_data(rules, example, found, player, seed))
    else:
        _print(example, found, player, seed, language)


def _found(
    ready: Ready, example: Prepared, player: Answering, seed: int, games: int, most: int, sample: bool
) -> Found:
    if not sample:
        try:
            return exact_odds(ready, example, player, seed, most)
        except TooLarge:
            pass
    return sampled_odds(ready, example, player, seed, games)


# ---------------------------------------------------------------- which example


def _example(word: str, title: str, overlays: tuple[str, ...], language: str) -> tuple[Ready, Prepared]:
    stack = stack_of(word, overlays)
    ready = _ready(_loaded(stack, language), stack, overlays, title, language)
    examples = [example for _, example in ready.prepared]
    exact = [one for one in examples if one.title == title]
    found = exact or examples
    if len(found) == 1:
        return ready, found[0]
    place = whole_file(word)
    if found:
        titles = ", ".join(f"`{one.title}`" for one in found[:12])
        stop_at([report("E0751", place, language=language, name=title, titles=titles)], language)
    checked = _loaded(stack, language).checked
    known = [block.title for book in checked.books for block in book.examples] if checked is not None else []
    advice = did_you_mean(title, known, language)
    stop_at([report("E0750", place, language=language, name=title, help=advice or None)], language)


def _asked(
    word: str, given: str, whens: tuple[str, ...], expected: tuple[str, ...], overlays: tuple[str, ...],
    language: str,
) -> tuple[Ready, Prepared]:  # fmt: skip
    """An example of what was asked, as if in a file of its own that is laid over the rules."""
    stack, named = stack_of(given, overlays), stack_of(word, overlays)
    if not named.of_scenario:
        stack = replace(stack, name=named.name)
    lines = [
        'ruleset odds "Odds"', "",
        f'example "{_ASKED}":', f'  given "{given}"',
        *(f"  when {one}" for one in whens), *(f"  expect {one}" for one in expected),
    ]  # fmt: skip
    own = replace(stack, extra=(*stack.extra, _OWN))
    source = Source(str(_OWN), "\n".join(lines) + "\n")

    def read(paths: Iterable[Path], folder: Path) -> tuple[Book | None, list[Diagnostic]]:
        files = list(paths)
        return book_from_sources([source], folder) if files == [_OWN] else read_book(files, folder)

    ready = _ready(_loaded(own, language, replace(FROM_DISK, read=read)), own, overlays, _ASKED, language)
    return ready, ready.prepared[0][1]


def _loaded(stack: Stack, language: str, reading: Reading = FROM_DISK) -> Loaded:
    loaded = load_ruleset(stack.name, stack.overlays, stack.extra, language, reading=reading)
    if loaded.checked is None or loaded.program is None:
        stop_at(loaded.problems, language)
    return loaded


def _ready(loaded: Loaded, stack: Stack, overlays: tuple[str, ...], title: str, language: str) -> Ready:
    assert loaded.checked is not None
    ready = prepare_examples(loaded.checked, overlays, only=title, brought=bool(stack.extra))
    problems = [problem for outcome in ready.refused for problem in outcome.problems]
    if problems and not ready.prepared:
        stop_at(problems, language)
    return ready


# ---------------------------------------------------------------- telling


def _place(example: Prepared) -> Span:
    assert example.place is not None
    return example.place


def _say(key: str, language: str, **told: object) -> str:
    return fill(_WORDS[key][language == "fr"], {name: str(value) for name, value in told.items()}, language)


def _print(example: Prepared, found: Found, player: str, seed: int, language: str) -> None:
    how: Literal["exact", "sampled"] = "exact" if found.exact else "sampled"
    tell(harmless(f"{example.title}: {_say(how, language, runs=found.runs, seed=seed)}"))
    if found.asked:
        tell(_say("answered", language, player=player))
    tell()
    lines = [*found.lines, replace(found.together, text=_say("together", language))]
    rows = [_row(one, found.exact) for one in (lines if len(found.lines) > 1 else lines[:1])]
    print_table(_HEADINGS[how][language == "fr"], rows)


def _row(one: Odds, exact: bool) -> tuple[str, str, str]:
    if exact:
        return one.text, str(one.exact), f"{one.share:.2%}"
    return one.text, f"{one.share:.1%}", f"{one.low:.1%} to {one.high:.1%}"


def _data(rules: str, example: Prepared, found: Found, player: str, seed: int) -> dict[str, object]:
    return {
        "rules": rules, "example": example.title, "exact": found.exact, "runs": found.runs, "seed": seed,
        "answered_by": player if found.asked else None,
        "expect": [_odds_data(one) for one in found.lines], "together": _odds_data(found.together),
    }  # fmt: skip


def _odds_data(one: Odds) -> dict[str, object]:
    fraction = {"fraction": str(one.exact)} if one.exact is not None else {}
    return {"text": one.text, "share": one.share, **fraction, "low": one.low, "high": one.high}


COMMANDS = (odds,)
