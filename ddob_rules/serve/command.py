"""The command that serves tables: serve."""

from __future__ import annotations

from importlib.util import find_spec

import click

from ddob_rules.cli.games import number_option
from ddob_rules.cli.output import stop
from ddob_rules.cli.targets import language_option
from ddob_rules.serve.words import word as said

_NEEDED = ("starlette", "uvicorn", "websockets")
_PORT = 8044


@click.command(short_help="Play in a browser: alone, with others at one screen, or over a network.")
@click.argument("word", metavar="[SCENARIO|CAMPAIGN|SAVE]", required=False)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=_PORT, show_default=True, help="0: any free one."
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Where others can reach it.")
@click.option("in_browser", "--open", is_flag=True, help="Open the browser.")
@number_option
@language_option
def serve(
    word: str | None, port: int, host: str, in_browser: bool, number: int | None, language: str
) -> None:
    """Play in a browser: alone, with others at one screen, or over a network.

    Prints the address to open. Every answer is on the disk before the page shows what comes of it; `ddob
    saves` lists the games, and the start page goes on with them. Rules that you edit meanwhile are checked,
    and the game is played again under them.

    \b
    Example:  ddob serve my-game --open
    """
    if any(find_spec(name) is None for name in _NEEDED):
        stop(said(language, "no web"))
    from ddob_rules.serve.running import run

    run(word, port, host, in_browser, number, language)


COMMANDS = (serve,)
