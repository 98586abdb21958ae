"""The command that serves editors: lsp."""

from __future__ import annotations

from importlib.util import find_spec

import click

from ddob_rules.cli.output import stop
from ddob_rules.cli.targets import language_option

_NEEDED = {
    "en": '`ddob lsp` needs more packages: pip install ".[lsp]"',
    "fr": '`ddob lsp` demande d\'autres paquets : pip install ".[lsp]"',
}


@click.command(short_help="Serve an editor: findings as you type, completion, links, hints, rename.")
@language_option
def lsp(language: str) -> None:
    """Serve an editor: findings as you type, completion, links, hints, rename.

    An editor starts this command and speaks with it over standard input and output, by the language server
    protocol. docs/editors.md says how to set up yours.

    \b
    Example:  ddob lsp
    """
    if find_spec("pygls") is None:
        stop(_NEEDED.get(language, _NEEDED["en"]))
    from ddob_rules.lsp.server import serve

    serve(language)


COMMANDS = (lsp,)
