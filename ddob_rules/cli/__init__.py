"""The `ddob` command: the group, and what holds for every command in it.

Each module in the list has its commands in `COMMANDS`, and is loaded when one of them is asked for: loading
all takes a second. Exit codes: 0 fine, 1 findings, 2 misuse, 70 a mistake in ddob itself, 130 interrupted.
Nobody ever sees a traceback, unless DDOB_DEBUG=1 asks for it.
"""

from __future__ import annotations

import os
import sys
import traceback
from importlib import import_module
from io import TextIOWrapper
from typing import Any

import click

from ddob_rules import __version__
from ddob_rules import cache_folder as kept
from ddob_rules.cli.output import FINDINGS, INTERRUPTED, harmless, tell, tell_the_copy

#: The modules with their commands: what an author needs first comes first.
_MODULES = {
    "cli.authors": ("new", "check", "fmt", "explain", "list", "schema", "translate"),
    "cli.rulebook": ("rules", "show", "diff", "book"),
    "cli.texts": ("texts",),
    "lsp.command": ("lsp",),
    "cli.play": ("run", "play"),
    "serve.command": ("serve",),
    "cli.kept_games": ("saves",),
    "cli.trials": ("simulate", "fuzz"),
    "cli.odds": ("odds",),
    "cli.records": ("replay", "impact", "record"),
    "cli.testing": ("test",),
    "cli.compiled": ("compile",),
}

_OUR_MISTAKE = 70
_CLOSED_PIPE = 141  # what a shell reports for a program that a closed pipe has ended


class _Ddob(click.Group):
    """A group that ends quietly when it is interrupted, and with one clear line when it is mistaken."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for names in _MODULES.values() for name in names]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        module = next((module for module, names in _MODULES.items() if name in names), None)
        if module is None:
            return None
        commands: tuple[click.Command, ...] = import_module(f"ddob_rules.{module}").COMMANDS
        return next(command for command in commands if command.name == name)

    def make_context(self, *arguments: Any, **more: Any) -> click.Context:
        try:
            return super().make_context(*arguments, **more)
        except KeyboardInterrupt:
            sys.exit(INTERRUPTED)

    def invoke(self, ctx: click.Context) -> Any:
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, TextIOWrapper):
                # A terminal that cannot show a letter is no reason to stop.
                stream.reconfigure(errors="backslashreplace")
        try:
            refusal = kept.refusal()
            if refusal is not None:
                tell(f"ddob: {harmless(refusal)}", err=True)
            try:
                return super().invoke(ctx)
            finally:
                tell_the_copy()
        except KeyboardInterrupt:
            sys.exit(INTERRUPTED)
        except BrokenPipeError:
            _forget_output()
            sys.exit(_CLOSED_PIPE)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except OSError as error:
            # A name that no file system takes, a folder that may not be read: not our mistake.
            where = f"`{harmless(str(error.filename))[:100]}`: " if error.filename else ""
            tell(f"ddob: {where}{(error.strerror or str(error)).lower()}", err=True)
            sys.exit(FINDINGS)
        except Exception as mistake:
            sys.exit(_own_mistake(mistake))


def _forget_output() -> None:
    """Nobody reads on: what is still to be written must not fail once more when Python ends."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        pass


def _own_mistake(mistake: Exception) -> int:
    if os.environ.get("DDOB_DEBUG") == "1":
        traceback.print_exception(mistake)
    what = f"{type(mistake).__name__}: {mistake}".split("\n")[0][:200]
    tell(f"ddob: this is a mistake in ddob itself, please report it: {what}", err=True)
    return _OUR_MISTAKE


@click.group(cls=_Ddob, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="ddob")
def main() -> None:
    """Write, check and play the rules of board wargames.

    Rulesets and scenarios are given by name (`ddob list` shows them) or by path.

    \b
    Begin here:  ddob new my-game
                 ddob check my-game
    """
