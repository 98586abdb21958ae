"""Neovim in a terminal of our own, set up as docs/editors.md says: what is on its screen."""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from pathlib import Path

import pexpect  # type: ignore[import-untyped]
import pyte

ROOT = Path(__file__).resolve().parents[2]
#: A server that starts cold on a busy machine.
PATIENCE = 60.0
_SETTINGS = re.compile(r"### Neovim.*?```text\n(.*?)```", re.DOTALL)


def settings() -> str:
    """The settings that the docs give."""
    found = _SETTINGS.search((ROOT / "docs/editors.md").read_text(encoding="utf-8"))
    assert found is not None
    return found.group(1)


class Neovim:
    """A running editor; what it writes is read whenever somebody looks."""

    def __init__(self, process: pexpect.spawn, screen: pyte.Screen) -> None:
        self.process, self.screen = process, screen
        self._stream = pyte.ByteStream(screen)

    def type(self, keys: str) -> None:
        self.process.send(keys.encode())

    def look(self) -> str:
        """What is on the screen now."""
        try:
            while True:
                self._stream.feed(self.process.read_nonblocking(65536, timeout=0.1))
        except pexpect.TIMEOUT:
            return "\n".join(self.screen.display)

    def wait(self, text: str) -> str:
        """The screen as soon as a text is on it."""
        deadline = time.monotonic() + PATIENCE
        while text not in (shown := self.look()):
            assert time.monotonic() < deadline, f"`{text}` did not appear:\n{shown}"
            assert self.process.isalive(), shown
        return shown


@contextmanager
def neovim(folder: Path, file: str, *, columns: int = 110, lines: int = 30) -> Iterator[Neovim]:
    """Neovim with a file of a folder open, and `ddob lsp` behind it."""
    program = shutil.which("nvim")
    assert program is not None
    home = folder / "home"
    bin_folder = home / "bin"
    bin_folder.mkdir(parents=True)
    command = bin_folder / "ddob"
    python = shutil.which("python3") or "python3"
    command.write_text(f'#!/bin/sh\nexec "{python}" -m ddob_rules "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    (home / "init.lua").write_text(settings() + _LOOKS, encoding="utf-8")
    environment = {
        **os.environ, "HOME": str(home), "XDG_CONFIG_HOME": str(home), "XDG_DATA_HOME": str(home),
        "XDG_STATE_HOME": str(home), "PATH": f"{bin_folder}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT),
        "LANG": "C.UTF-8", "TERM": "xterm-256color",
    }  # fmt: skip
    process = pexpect.spawn(
        program,
        ["-u", str(home / "init.lua"), "-n", file],
        cwd=str(folder),
        env=environment,
        dimensions=(lines, columns),
    )
    try:
        yield Neovim(process, pyte.Screen(columns, lines))
    finally:
        process.close(force=True)


#: Of the picture alone: no messages of the editor itself, a sign column that does not jump.
_LOOKS = """
vim.o.swapfile = false
vim.o.number = true
vim.o.signcolumn = "yes"
vim.o.wrap = false
vim.o.hlsearch = false
vim.o.shortmess = "filnxtToOFI"
vim.o.termguicolors = false
vim.o.completeopt = "menu,menuone,noselect"
vim.cmd("highlight SignColumn ctermbg=NONE")
vim.cmd("highlight LineNr ctermfg=243")
vim.cmd("highlight Pmenu ctermbg=238 ctermfg=255")
vim.cmd("highlight NormalFloat ctermbg=238 ctermfg=255")
"""


# ---------------------------------------------------------------- pictures

_COLOURS = {
    "default": "", "black": "#000000", "red": "#e06c60", "green": "#8fbf6f", "brown": "#d9b45b",
    "blue": "#6fa3d9", "magenta": "#c58fd0", "cyan": "#6fc2c2", "white": "#e8e4da",
}  # fmt: skip


def as_page(screen: pyte.Screen) -> str:
    """The screen as a page that a browser can take a picture of."""
    rows = []
    for number in range(screen.lines):
        line = screen.buffer[number]
        rows.append("".join(_cell(line[column]) for column in range(screen.columns)))
    style = (
        "body{margin:0;background:#22252b}pre{margin:0;padding:12px;display:inline-block;color:#e8e4da;"
        "background:#22252b;font:15px/1.3 'DejaVu Sans Mono',monospace}"
    )
    return f"<!DOCTYPE html><meta charset='utf-8'><style>{style}</style><pre>" + "\n".join(rows) + "</pre>"


def _cell(cell: pyte.screens.Char) -> str:
    front, back = (_colour(name) for name in (cell.fg, cell.bg))
    if cell.reverse:
        front, back = back or "#22252b", front or "#e8e4da"
    style = ";".join(
        part
        for part in (
            f"color:{front}" if front else "",
            f"background:{back}" if back else "",
            "font-weight:bold" if cell.bold else "",
        )
        if part
    )
    text = escape(cell.data)
    return f'<span style="{style}">{text}</span>' if style else text


def _colour(name: str) -> str:
    return _COLOURS.get(name, f"#{name}" if re.fullmatch("[0-9a-f]{6}", name) else "")
