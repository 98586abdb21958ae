"""Shipped scenarios under a validator that is not ours, set up as the page about editors says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from check_jsonschema import main as check_jsonschema  # type: ignore[import-untyped]
from click.testing import CliRunner

from ddob_rules.cli import main
from ddob_rules.resources import rulesets_folder

FOLDERS = sorted(path.parent for path in rulesets_folder().rglob("scenarios") if any(path.glob("*.yaml")))


def schema(word: str, folder: Path) -> Path:
    result = CliRunner().invoke(main, ["schema", word])
    assert result.exit_code == 0, result.output
    path = folder / "game.schema.json"
    path.write_text(result.output, encoding="utf-8")
    return path


def validated(path: Path, files: list[Path]) -> str:
    """What the validator says of the files; "" if all is well."""
    done = CliRunner().invoke(check_jsonschema, ["--schemafile", str(path), *map(str, files)])
    return "" if done.exit_code == 0 else done.output or repr(done.exception)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_one_schema_serves_all_scenarios_of_a_ruleset(folder: Path, tmp_path: Path) -> None:
    files = sorted((folder / "scenarios").glob("*.yaml"))
    assert validated(schema(str(folder), tmp_path), files) == ""


def test_the_schema_still_finds_a_word_that_nobody_knows(tmp_path: Path) -> None:
    folder = rulesets_folder() / "memoire-44"
    wrong = tmp_path / "wrong.yaml"
    text = (folder / "scenarios" / "toulon.yaml").read_text(encoding="utf-8")
    wrong.write_text(text.replace("  toulon: [", "  toulouse: ["), encoding="utf-8")
    assert "toulouse" in validated(schema(str(folder), tmp_path), [wrong])


def test_the_schema_of_a_scenario_knows_its_own_words_only(tmp_path: Path) -> None:
    def variables(word: str) -> set[str]:
        return set(json.loads(schema(word, tmp_path).read_text())["$defs"]["variables"]["properties"])

    assert "toulon" in variables("toulon") and "saverne" not in variables("toulon")
    assert not {"toulon", "saverne"} & variables("st-vith")
    assert {"toulon", "saverne"} <= variables("memoire-44")
