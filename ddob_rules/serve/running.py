"""From the command line to a running server: what it begins with, and the address that it prints."""

from __future__ import annotations

import gc
import socket
import webbrowser

import click
import uvicorn

from ddob_rules.cli.games import load_save, players_chosen
from ddob_rules.cli.keeping import data_folder, games_folder, lasting_overlay, lasting_word
from ddob_rules.cli.output import FINDINGS, print_diagnostics, stop, tell
from ddob_rules.library.finding import ScenarioEntry, find_campaign, find_scenario
from ddob_rules.loading import load_game
from ddob_rules.serve.app import LARGEST_MESSAGE, make_app
from ddob_rules.serve.opening import Library
from ddob_rules.serve.seats import HOUSE, Seats
from ddob_rules.serve.words import word as said
from interpreter.records.diaries import begin, head_of
from interpreter.records.replays import replay
from interpreter.records.saves import Save
from interpreter.records.session import Session

_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_QUEUE = 128
# Python looks for what is no longer used after so many new objects, and all tables wait: the usual 700 are
# made for one answer, and hardly any of them are left to be found.
_LOOK_FOR_GARBAGE = (50_000, 20, 100)


def run(
    wanted: str | None, port: int, host: str, in_browser: bool, number: int | None, language: str
) -> None:
    """Serves until it is interrupted."""
    own: tuple[ScenarioEntry, ...] = ()
    campaign = find_campaign(wanted) if wanted is not None else None
    table = ""
    if wanted is not None and wanted.endswith(".json"):
        table = _kept(load_save(wanted, language), language)
    elif wanted is not None and campaign is None:
        entry = find_scenario(wanted)
        if entry is None:
            print_diagnostics(load_game(wanted, language=language).problems, language=language, error=True)
            raise click.exceptions.Exit(FINDINGS)
        own = (entry,)
        chosen = players_chosen(number)
        if chosen and load_game(wanted, options=chosen, language=language).game is None:
            problems = load_game(wanted, options=chosen, language=language).problems
            print_diagnostics(problems, language=language, error=True)
            raise click.exceptions.Exit(FINDINGS)
    seats = Seats(data_folder() / "seats.sqlite")
    seats.forget_links_home()
    library = Library(
        games_folder(), language, own, players_chosen(number), campaign, on_opened=_set_aside
    )  # fmt: skip
    app = make_app(library, seats, host)
    door = listening(host, port)
    home = f"http://{_shown(host)}:{door.getsockname()[1]}/"
    address = f"{home}{f'table/{table}' if table else ''}#{seats.link(HOUSE, HOUSE)}"
    tell(said(language, "serving").format(address=address))
    if host not in _LOOPBACK:
        tell(said(language, "open to all").format(host=host))
    tell(said(language, "stop"))
    if in_browser:
        webbrowser.open(address)
    gc.set_threshold(*_LOOK_FOR_GARBAGE)
    config = uvicorn.Config(
        app,
        log_level="warning",
        ws_max_size=LARGEST_MESSAGE,
        ws_max_queue=_QUEUE,
        timeout_graceful_shutdown=2,
        server_header=False,
    )
    try:
        uvicorn.Server(config).run(sockets=[door])
    finally:
        seats.close()


def _set_aside() -> None:
    """Rules stay: whoever looks for what is no longer used, while all tables wait, need not look at them."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def listening(host: str, port: int) -> socket.socket:
    """A socket at the address; port 0 is any free one."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        # Said to be TCP: only then does asyncio send small messages at once, not 40 ms later.
        found = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((host, port))
    except OSError as problem:
        stop(f"{host}:{port}: {(problem.strerror or str(problem)).lower()}")
    found.listen(_QUEUE)
    return found


def _shown(host: str) -> str:
    return f"[{host}]" if ":" in host else "127.0.0.1" if host == "0.0.0.0" else host


def _kept(save: Save, language: str) -> str:
    """A saved game as one of those that are kept: the save itself stays as it is."""
    loaded = load_game(save.scenario, options=save.options, overlays=save.overlays, language=language)
    if loaded.game is None:
        print_diagnostics(loaded.problems, language=language, error=True)
        raise click.exceptions.Exit(FINDINGS)
    found = replay(loaded.game, save)
    if found.state is None or found.stopped is not None:
        stop(said(language, "broken").format(why=save.scenario))
    session = Session(loaded.game, save.seed, found.state.choices)
    head = head_of(
        loaded.game,
        save.seed,
        scenario=lasting_word(save.scenario),
        overlays=tuple(map(lasting_overlay, save.overlays)),
        players=save.players,
    )
    writer = begin(games_folder(), head, session)
    writer.close()
    return writer.path.stem
