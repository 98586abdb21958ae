"""The rulebooks of shipped games are printed whole, in both languages, with links that lead somewhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from ddob_rules.cli import main
from ddob_rules.loading import load_ruleset
from tests.ddob_rules.book.reading import Page


@pytest.mark.parametrize(
    ("stack", "language", "maps"),
    [("ddob+ddob-inerd", "fr", 100), ("dday-dice", "en", 20), ("pig", "en", 0)],
)
def test_a_shipped_game_is_printed_whole(stack: str, language: str, maps: int, tmp_path: Path) -> None:
    target = tmp_path / "book.html"
    result = CliRunner().invoke(main, ["book", stack, "--lang", language, str(target)])
    assert result.exit_code == 0, result.output
    page = Page(target.read_text(encoding="utf-8"))
    page.check_links()
    base, *overlays = stack.split("+")
    checked = load_ruleset(base, tuple(overlays)).checked
    assert checked is not None
    numbers = {number for number in checked.merged.rules if number not in checked.merged.gone}
    headings = {text.split(" ")[0] for text in page.texts("h2") + page.texts("h3")}
    assert numbers <= headings
    assert len(page.texts("svg")) >= maps
