"""From a game that runs to the rules that take its time: now and then a look at where it stands.

In Python, a timer counts processor time. The generated code knows the rule of each of its lines, and what
the library does counts for the rule that called it. Nothing is slowed down but by the looks themselves. In
the fast engine, every function writes down that it runs, and another thread looks; that costs some per cent
where functions are small, and a small definition counts for the rule that it was written into. Left out: what
is rarer than the looks, and systems without such a timer.
"""

from __future__ import annotations

import re
import signal
import struct
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from types import FrameType

from interpreter.machine.game import Game
from interpreter.wasm.engine import FastGame, Runner

_PAUSE = 0.001  # seconds of processor time between two looks; systems may round it up
#: How the functions that list the options of an offer begin.
_LISTING = "offer_"
_ESCAPED = re.compile(r"Z([0-9a-f]+)z")  # letters that `identifier` keeps out of names of Python
_DOTTED = re.compile(r"\.([0-9a-f]+)\.")  # letters that names of WebAssembly cannot have
_SORTS = {
    "d": "definition", "t": "table", "offer": "offer", "p": "procedure", "best": "priority",
}  # fmt: skip


@dataclass(eq=False, slots=True)
class Looks:
    """How often each rule was found running, in which function, and how often options were being listed."""

    total: int = 0
    listing: int = 0
    rules: Counter[str] = field(default_factory=Counter)
    functions: dict[str, Counter[str]] = field(default_factory=dict)

    def function(self, rule: str) -> str:
        """What of a rule ran most of the time."""
        return self.functions[rule].most_common(1)[0][0]


def can_look() -> bool:
    """Whether this system has the timer."""
    return hasattr(signal, "setitimer")


def profiled(game: Game, work: Callable[[], object]) -> Looks:
    """Does the work, and looks at the rules of the game meanwhile, if this system can."""
    looks = Looks()
    with _watched(lambda frame: _note(looks, game, frame)) if can_look() else nullcontext():
        work()
    return looks


def profiled_fast(game: Game, work: Callable[[Runner], object]) -> Looks:
    """Does the work in the fast engine, and looks meanwhile."""
    runner = FastGame(game, watched=True).runner()
    looks, done = Looks(), threading.Event()
    memory, plan = runner.instance.memory, runner.plan  # which grows in its place

    def look() -> None:
        while not done.wait(_PAUSE):
            number = struct.unpack_from("<i", memory, plan.watched)[0]
            _note_fast(looks, *plan.functions[number])

    thread = threading.Thread(target=look)
    thread.start()
    try:
        work(runner)
    finally:
        done.set()
        thread.join()
    return looks


def _note_fast(looks: Looks, function: str, rule: str) -> None:
    looks.total += 1
    if function.startswith("list_"):
        looks.listing += 1
    if rule:
        looks.rules[rule] += 1
        looks.functions.setdefault(rule, Counter())[_words(function, _DOTTED)] += 1


@contextmanager
def _watched(note: Callable[[FrameType | None], None]) -> Iterator[None]:
    before = signal.signal(signal.SIGPROF, lambda number, frame: note(frame))
    signal.setitimer(signal.ITIMER_PROF, _PAUSE, _PAUSE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _note(looks: Looks, game: Game, frame: FrameType | None) -> None:
    looks.total += 1
    rule = ""
    while frame is not None:
        name = frame.f_code.co_name
        if frame.f_code.co_filename.startswith("<rules"):
            if not rule:
                # A function that is just being entered stands on no line yet.
                line: int | None = frame.f_lineno
                rule = game.code.lines[(line or frame.f_code.co_firstlineno) - 1].rule
                if rule:
                    looks.rules[rule] += 1
                    looks.functions.setdefault(rule, Counter())[_words(name, _ESCAPED)] += 1
            if name.startswith(_LISTING):
                looks.listing += 1
                return
        frame = frame.f_back


def _words(function: str, escaped: re.Pattern[str]) -> str:
    """The name of a generated function as the rules have it, with the letters that stand there as numbers."""
    sort, _, name = function.partition("_")
    if sort not in _SORTS:
        return "procedure"
    return f"{_SORTS[sort]} {escaped.sub(lambda found: chr(int(found[1], 16)), name)}"
