"""Files that come with a game cannot make ddob read, and show lines of, files that lie elsewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from ddob_rules.cli import main
from ddob_rules.library import headers
from ddob_rules.resources import rulesets_folder

RULES = 'ruleset game "A Game"\nplayers red\n'
SCENARIO = "scenario: dawn\nruleset: game\n"
SECRET = "hunter2: [a secret that is no YAML\n"


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "work" / "game"
    for part in ("scenarios", "data", "locale"):
        (folder / part).mkdir(parents=True)
    (folder / "game.rules").write_text(RULES)
    (folder / "scenarios" / "dawn.yaml").write_text(SCENARIO)
    (tmp_path / "secret.yaml").write_text(SECRET)
    monkeypatch.chdir(tmp_path / "work")
    return folder


def check(word: str = "game") -> str:
    result = CliRunner().invoke(main, ["check", word])
    assert "hunter2" not in result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result.output


@pytest.mark.parametrize(
    "link",
    ["more.rules", "examples/more.rules", "scenarios/dusk.yaml", "locale/fr.yaml"],
)
def test_a_link_out_of_the_ruleset_is_not_read(game: Path, link: str) -> None:
    (game / link).parent.mkdir(exist_ok=True)
    (game / link).symlink_to(game.parent.parent / "secret.yaml")
    assert "E0646" in check()
    listed = CliRunner().invoke(main, ["list"]).output
    assert "hunter2" not in listed


@pytest.mark.parametrize("key", ["include: [{}]", "rules: {}", "based_on: {}"])
@pytest.mark.parametrize(
    "way", ["link.yaml", "../data/link.yaml", "../../../secret.yaml", "game/data/link.yaml"]
)
def test_no_path_of_a_scenario_leads_out(game: Path, key: str, way: str) -> None:
    for folder in ("scenarios", "data"):
        (game / folder / "link.yaml").symlink_to(game.parent.parent / "secret.yaml")
    (game / "scenarios" / "dawn.yaml").write_text(SCENARIO + key.format(way) + "\n")
    found = check(str(game / "scenarios" / "dawn.yaml"))
    assert "E0646" in found or (way.startswith("game/") and "E0619" in found)


@pytest.mark.parametrize("way", ["../data/part.yaml", "part.yaml", "../part.yaml", "game/data/part.yaml"])
def test_paths_within_the_ruleset_are_read_even_through_links(game: Path, way: str) -> None:
    for folder in ("data", "scenarios", "."):
        (game / folder / "part.yaml").write_text("note: fine\n")
    (game / "scenarios" / "dawn.yaml").write_text(SCENARIO + f"include: [{way}]\n")
    assert check("game/scenarios/dawn.yaml").endswith("no findings\n")
    (game.parent / "linked").symlink_to(game)
    assert check("linked/scenarios/dawn.yaml").endswith("no findings\n")


def test_data_in_folders_of_their_own_may_name_each_other(game: Path) -> None:
    for folder in ("fields/small", "boards"):
        (game / "data" / folder).mkdir(parents=True)
    (game / "data" / "boards" / "beach.yaml").write_text("note: fine\n")
    field = game / "data" / "fields" / "small" / "one.yaml"
    field.write_text("include: [../../boards/beach.yaml]\n")
    (game / "scenarios" / "dawn.yaml").write_text(SCENARIO + "include: [../data/fields/small/one.yaml]\n")
    assert check().endswith("no findings\n")
    field.write_text("include: [../../../../../secret.yaml]\n")
    assert "E0646" in check()
    # Without rules above it, a folder that is called so is no ruleset's.
    field.write_text("include: [../../boards/beach.yaml]\n")
    (game / "data").rename(game.parent / "data")
    (game / "scenarios" / "dawn.yaml").write_text(SCENARIO + "include: [../../data/fields/small/one.yaml]\n")
    assert "E0646" in check()


def test_a_copy_of_a_shipped_ruleset_finds_its_own_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = sorted(rulesets_folder().rglob("*.yaml"))
    monkeypatch.setattr(headers, "rulesets_folder", lambda: tmp_path)
    named = [
        (path, name)
        for path in files
        for listed in re.findall(r"^include: \[(.*)\]", path.read_text(encoding="utf-8"), re.MULTILINE)
        for name in listed.split(", ")
        if (path.parent / name).exists()
    ]
    assert named and [(path.name, name) for path, name in named if headers.leads_out(path, name)] == []


def test_a_file_that_an_included_file_includes_is_confined_too(game: Path) -> None:
    (game / "data" / "part.yaml").write_text("include: [../../../secret.yaml]\n")
    (game / "scenarios" / "dawn.yaml").write_text(SCENARIO + "include: [../data/part.yaml]\n")
    assert "E0646" in check()
