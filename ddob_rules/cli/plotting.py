"""From series of games to a picture: how often each number came up, and who has won by which turn.

matplotlib draws it, if it is there. The same games give the same file.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from io import StringIO
from typing import Any

from ddob_rules.cli.output import stop
from ddob_rules.cli.series import Series
from interpreter.trials.simulation import Record

# More panels than this are too small to read; the table of --csv has them all.
_MOST_MEASURES = 6
_MOST_WINNERS = 8
_BARS = 20


def require_matplotlib() -> None:
    """Ends the command if nothing can be drawn, before games are played for it."""
    try:
        import_module("matplotlib.figure")
    except ImportError:
        stop("matplotlib is not installed", "`pip install 'ddob-rules[plot]'` installs it")


def plot_of(series: Sequence[Series]) -> str:
    """The picture as SVG: a panel for each measure, or for choices without one; then a curve by turn."""
    matplotlib: Any = import_module("matplotlib")
    figure_class: Any = import_module("matplotlib.figure").Figure
    finished = [[record for record in one.records if not record.failure] for one in series]
    labels = [one.side.label for one in series]
    names = _numbers(finished)
    file = StringIO()
    # Text stays text, and the ids in the file are the same each time.
    with matplotlib.rc_context({"svg.hashsalt": "ddob", "svg.fonttype": "none"}):
        figure = figure_class(figsize=(8, 3 * (len(names) + 1)), layout="constrained")
        panels = figure.subplots(len(names) + 1, 1, squeeze=False)[:, 0]
        for panel, name in zip(panels, names, strict=False):
            _histogram(panel, name, finished, labels)
        _curve(panels[-1], finished, labels)
        for text in figure.findobj(import_module("matplotlib.text").Text):
            text.set_parse_math(False)  # a dollar sign of an author is a dollar sign
        figure.savefig(file, format="svg", metadata={"Date": None})
    return file.getvalue()


def _numbers(finished: Sequence[Sequence[Record]]) -> list[str]:
    titles = dict.fromkeys(title for side in finished for record in side for title, _ in record.measures)
    return list(titles)[:_MOST_MEASURES] or ["choices"]


def _histogram(panel: Any, name: str, finished: Sequence[Sequence[Record]], labels: Sequence[str]) -> None:
    columns = [_column(name, side) for side in finished]
    every = [value for column in columns for value in column]
    if every:
        panel.hist(columns, bins=_edges(min(every), max(every)), label=[_label(label) for label in labels])
        panel.legend()
    panel.set_xlabel(name)
    panel.set_ylabel("games")


def _column(name: str, side: Sequence[Record]) -> list[int]:
    if name == "choices" and not any(record.measures for record in side):
        return [record.choices for record in side]
    return [value for record in side for title, value in record.measures if title == name]


def _edges(low: int, high: int) -> list[float]:
    """Between whole numbers, so that every bar stands for as many of them."""
    step = -(-(high - low + 1) // _BARS)
    bars = -(-(high - low + 1) // step)
    return [low - 0.5 + step * bar for bar in range(bars + 1)]


def _curve(panel: Any, finished: Sequence[Sequence[Record]], labels: Sequence[str]) -> None:
    """For each winner, the share of games that he has won by a turn; dashed for the other side."""
    counts: dict[str, int] = {}
    for record in (record for side in finished for record in side):
        counts[record.winner] = counts.get(record.winner, 0) + 1
    winners = sorted(counts, key=lambda name: (-counts[name], name))[:_MOST_WINNERS]
    last = max((record.turns for side in finished for record in side), default=0)
    for style, side, label in zip(("-", "--"), finished, labels, strict=False):
        for number, winner in enumerate(winners):
            turns = [record.turns for record in side if record.winner == winner]
            shares = [sum(turn <= by for turn in turns) / max(1, len(side)) for by in range(last + 1)]
            name = _label(f"{winner} ({label})" if len(labels) > 1 else winner)
            panel.step(range(last + 1), shares, style, where="post", color=f"C{number}", label=name)
    panel.set_ylim(0, 1)
    panel.set_xlabel("turn")
    panel.set_ylabel("share of games won by then")
    if winners:
        panel.legend()


def _label(text: str) -> str:
    """A line of the legend, whatever it begins with: matplotlib leaves out those that begin with `_`."""
    return f" {text}"
