"""Neovim with the settings of the docs: findings as one types, hover and completion."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from ddob_rules.cli import main
from tests.editors.neovim import neovim

pytestmark = pytest.mark.skipif(shutil.which("nvim") is None, reason="needs Neovim")


def test_findings_hover_and_completions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(main, ["new", "skirmish"]).exit_code == 0
    rules = tmp_path / "skirmish/skirmish.rules"
    rules.write_text(rules.read_text("utf-8").replace("put u on to", "put u on too"), encoding="utf-8")
    with neovim(tmp_path, "skirmish/skirmish.rules") as editor:
        editor.wait("nothing here is called `too`")
        editor.type("/steps:\r:lua vim.lsp.buf.hover()\r")
        editor.wait("piece.steps: number")
        editor.type("/put u on too\rOwhen u.\x18\x0f")
        editor.wait("piece.owner: player")
