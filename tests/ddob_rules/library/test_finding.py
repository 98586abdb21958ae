"""Looking for rulesets and scenarios where one stands: a folder that cannot be read is passed over."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from ddob_rules.library.finding import scenarios


def test_folder_that_cannot_be_read_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    locked = tmp_path / "locked"
    locked.mkdir()
    asked = Path.is_dir

    def refused(path: Path) -> bool:  # what the system does; an administrator who runs tests may read all
        if locked in path.parents:
            raise PermissionError(13, "Permission denied", str(path))
        return asked(path)

    def access(path: Any, mode: int) -> bool:
        return Path(path) != locked

    monkeypatch.setattr(Path, "is_dir", refused)
    monkeypatch.setattr(os, "access", access)
    monkeypatch.chdir(tmp_path)
    assert "pig" in {entry.name for entry in scenarios()}
