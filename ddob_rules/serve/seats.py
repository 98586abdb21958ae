"""Who may sit where: links and browsers, on disk, so that people find their seats after a server was killed.

A link holds 128 random bits, behind the `#` that browsers do not send; the page swaps it for a cookie. Only
hashes are kept, so that whoever reads the file sits nowhere. SQLite, because two people may be seated at once
and half a change would lock somebody out; the games themselves are in diaries.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import sqlite3
from pathlib import Path

#: A link with this for a table leads to the start page, where games are set up.
HOUSE = "*"
# So many bits cannot be guessed.
_BYTES = 16


class Seats:
    """The file of seats. One process has it."""

    def __init__(self, path: Path | None) -> None:
        """Without a path, seats are forgotten when the server ends."""
        if path is not None:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        place = str(path) if path is not None else ":memory:"
        # Only the network's thread has it, which need not be the one that makes it.
        self._base = sqlite3.connect(place, isolation_level=None, check_same_thread=False)
        self._base.execute("pragma journal_mode=wal")
        self._base.execute("pragma synchronous=full")
        self._base.execute("pragma secure_delete=on")
        for table in ("links", "browsers"):
            self._base.execute(
                f"create table if not exists {table} "
                "(hash text not null, game text not null, seat text not null, primary key (hash, game, seat))"
            )

    def link(self, game: str, seat: str) -> str:
        """A new link's secret: whoever has it may take the seat."""
        secret = secrets.token_urlsafe(_BYTES)
        self._base.execute("insert into links values (?, ?, ?)", (_hashed(secret), game, seat))
        return secret

    def swap(self, secret: str, browser: str) -> str | None:
        """Seats a browser by a link; the game that it leads to, or None if there is no such link."""
        found = self._base.execute(
            "select game, seat from links where hash = ? order by rowid desc", (_hashed(secret),)
        ).fetchall()
        for game, seat in found:
            self.seat(browser, game, seat)
        return str(found[0][0]) if found else None

    def seat(self, browser: str, game: str, seat: str) -> None:
        self._base.execute("insert or ignore into browsers values (?, ?, ?)", (_hashed(browser), game, seat))

    def seats_of(self, browser: str, game: str) -> frozenset[str]:
        """The seats of a game that a browser may take."""
        rows = self._base.execute(
            "select seat from browsers where hash = ? and game = ?", (_hashed(browser), game)
        )
        return frozenset(str(seat) for (seat,) in rows)

    def take_along(self, game: str, following: str) -> None:
        """Whoever sits at a game sits at the one that follows it; links lead there too."""
        for table in ("links", "browsers"):
            self._base.execute(
                f"insert or ignore into {table} select hash, ?, seat from {table} where game = ?",
                (following, game),
            )

    def is_at_home(self, browser: str) -> bool:
        """Whether a browser may set up games and go on with those that are kept."""
        return bool(self.seats_of(browser, HOUSE))

    def guests(self, game: str) -> frozenset[str]:
        """The seats of a game that were given away by a link."""
        rows = self._base.execute("select seat from links where game = ?", (game,))
        return frozenset(str(seat) for (seat,) in rows)

    def forget_links_home(self) -> None:
        """Links to the start page hold as long as the server that printed them."""
        self._base.execute("delete from links where game = ?", (HOUSE,))

    def close(self) -> None:
        self._base.close()


def new_browser() -> str:
    """What a cookie holds."""
    return secrets.token_urlsafe(_BYTES)


def _hashed(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
