"""Games made ready for the fast engine: by a module that is kept in the cache, or made anew.

What the module was made from is all in its key: the code of the rules with the lines they stand on, the
scenario, the options, the limits; and what wasmtime compiles it for.
"""

from __future__ import annotations

import hashlib
import platform
from dataclasses import astuple, replace

from ddob_rules.cache_folder import keep, own_code, recall
from interpreter.machine.game import Game
from interpreter.wasm import host
from interpreter.wasm.engine import FastGame, Stored
from interpreter.wasm.shapes import Unsupported

#: Why the Python engine plays, where nobody asked for it.
MISSING = "there is no wasmtime here, so the Python engine plays"


def fast_game(game: Game) -> FastGame | None:
    """The game in the fast engine; None if that is not there, or leaves something in it to the other."""
    return fast_or_reason(game)[0]


def fast_or_reason(game: Game) -> tuple[FastGame | None, str]:
    """The game in the fast engine, or why it is not."""
    if not host.available():
        return None, MISSING
    key = _key(game)
    stored = recall("module", key)
    try:
        fast = FastGame(game, stored if isinstance(stored, Stored) else None)
    except Unsupported as problem:
        return None, f"the fast engine cannot do everything here ({problem}), so the Python engine plays"
    if stored is None:
        made = fast.stored()
        keep("module", key, replace(made, plan=replace(made.plan, text="")))
    return fast, ""


def _key(game: Game) -> tuple[str, ...]:
    lines = ",".join(f"{site.file}:{site.line}" for site in game.code.lines)
    return (
        own_code(),
        host.version(),
        platform.platform(),
        platform.machine(),
        hashlib.sha256(game.code.source.encode()).hexdigest(),
        hashlib.sha256(lines.encode()).hexdigest(),
        game.program.hash,  # numbers of charts are in neither the code nor the scenario
        game.scenario.hash,
        ",".join(sorted(game.options)),
        repr(astuple(game.limits)),
    )
