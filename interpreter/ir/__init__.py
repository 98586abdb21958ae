"""The typed intermediate form: what the author tools hand over and what the interpreter compiles.

It is plain data. Names are resolved, types are known, overlays are merged; no text of a rule file is left to
interpret. It deliberately knows nothing of scenario data: pieces and spaces are named by kind, and the few
ids that rules mention are looked up when a game is built. `walk` goes through it and rewrites it.
"""

from interpreter.ir.expressions import *  # noqa: F403
from interpreter.ir.numbering import *  # noqa: F403
from interpreter.ir.program import *  # noqa: F403
from interpreter.ir.statements import *  # noqa: F403
from interpreter.ir.types import *  # noqa: F403
