"""What the start page is told of the games that are there."""

from __future__ import annotations

from pathlib import Path

import pytest

from ddob_rules.serve.opening import Library


def test_an_overlay_that_was_just_written_is_offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    library = Library(tmp_path / "kept", "en")
    before = library.details("tic-tac-toe", (), ())
    (tmp_path / "house").mkdir()
    text = 'ruleset house "House rules" extends tic_tac_toe\n'
    (tmp_path / "house" / "house.rules").write_text(text, encoding="utf-8")
    after = library.details("tic-tac-toe", (), ())
    new = [one for one in after["overlays"] if one not in before["overlays"]]
    assert new == [{"id": "house", "title": "House rules"}]
    assert after["book"] is before["book"]
