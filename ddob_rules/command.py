"""Where the `ddob` command begins: the little that must be there before everything else is loaded.

Loading takes a noticeable moment, and somebody may change his mind in it. Until the command itself is there
an interrupt ends the program at once, and after it there is nothing left to interrupt; in both there is
nothing to tidy up and nobody sees a traceback. What an interrupt does while a command runs is left to `cli`.

Nothing but the start of the program imports this module: importing it is what changes the interrupt.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from types import FrameType

_INTERRUPTED = 130
# Python looks for lost circles of objects after every 700 new ones. A ruleset is a million that all stay.
_OBJECTS_BETWEEN_LOOKS = 100_000
# So many seconds later an interrupt is tried again that came where nothing can be interrupted.
_AGAIN = 0.01


def _leave(number: int, frame: FrameType | None) -> None:
    os._exit(_INTERRUPTED)


_USUAL = signal.getsignal(signal.SIGINT)
# Otherwise somebody has asked for interrupts to be ignored (`nohup`, a shell's background job): so be it.
_HEEDED = _USUAL is signal.default_int_handler
if _HEEDED:
    signal.signal(signal.SIGINT, _leave)


def _unraised(told: sys.UnraisableHookArgs) -> None:
    """While an object is taken away nothing can be raised: Python would tell an interrupt, and forget it."""
    if not issubclass(told.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(told)
        return
    from _thread import interrupt_main
    from threading import Timer

    later = Timer(_AGAIN, interrupt_main)
    later.daemon = True
    later.start()


def main() -> None:
    """Runs the command; an interrupt at any time ends it with exit code 130 and no more than a line."""
    gc.set_threshold(_OBJECTS_BETWEEN_LOOKS)
    sys.unraisablehook = _unraised
    from ddob_rules.cli import main as command

    try:
        if _HEEDED:
            signal.signal(signal.SIGINT, _USUAL)
        command(prog_name="ddob")
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)
    finally:
        # What is left is Python's own end, which would be told as a traceback.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        # An interrupt that passed through code made of text, as classes of data are made while they load,
        # counts for Python as one that nobody has caught, until other such code has run: at its end it would
        # kill itself by the signal, and the exit code be lost.
        exec("")
