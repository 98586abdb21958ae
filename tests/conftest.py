"""Set-up for all tests: a cache folder of their own, and properties that try the same examples every time."""

from __future__ import annotations

import atexit
import gc
import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, settings

if "PYTEST_XDIST_WORKER" not in os.environ:
    # Workers have it from whoever started them: what one of them has compiled serves the others too.
    os.environ["DDOB_CACHE"] = tempfile.mkdtemp(prefix="ddob-tests-")
    atexit.register(shutil.rmtree, os.environ["DDOB_CACHE"], ignore_errors=True)
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", None):
        # Every worker would compile the tests, and each `ddob` that one of them starts all of the program.
        # Nothing is left in the checkout, nor anywhere else.
        bytecode = str(Path(os.environ["DDOB_CACHE"], "bytecode"))
        os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix = bytecode
        sys.dont_write_bytecode = False
os.environ.pop("DDOB_DEBUG", None)
for number in {signal.SIGINT, getattr(signal, "SIGHUP", signal.SIGINT)}:
    if signal.getsignal(number) is signal.SIG_IGN:
        # As in the background of a shell. Programs that the tests start, and end with it, would take it over.
        signal.signal(number, lambda *_: None)
# Rarer than in the command: rulesets that many tests share would be looked over again and again.
gc.set_threshold(1_000_000, 20, 20)


@pytest.fixture(autouse=True)
def _own_games(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Every test has a folder of its own for kept games, which is there only if something is kept."""
    monkeypatch.setenv("DDOB_DATA", str(tmp_path_factory.getbasetemp() / f"data-{uuid4().hex}"))


settings.register_profile(
    "repeatable", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("repeatable")

#: What `pytest -m "not slow"` leaves out: folders, files, or single tests.
SLOW = (
    "tests/rulesets/", "tests/docs/", "tests/oracles/", "tests/test_benchmarks.py", "tests/test_wheel.py",
    "tests/test_mutations.py", "tests/test_no_game_in_code.py", "tests/test_oracles.py",
    "tests/interpreter/trials/", "tests/interpreter/compiler/test_hostile_texts.py",
    "tests/interpreter/compiler/test_running_editions.py", "tests/interpreter/players/",
    "tests/interpreter/machine/test_bounds.py", "tests/ddob_rules/compare/test_impact.py",
    "tests/ddob_rules/book/test_shipped.py", "tests/ddob_rules/cli/",
    "tests/ddob_rules/syntax/test_translate.py", "tests/ddob_rules/test_command.py",
    "tests/ddob_rules/serve/", "tests/ddob_rules/test_odds.py::test_a_tree_that_is_too_large",
    "tests/ddob_rules/lsp/test_findings.py", "tests/interpreter/table/test_secrets.py",
    "tests/interpreter/table/test_described.py",
    "tests/interpreter/telling/test_seats.py::test_nothing_hidden_is_in_it[omaha]",
    "tests/interpreter/telling/test_seats.py::test_it_is_the_same_whatever_happens_out_of_sight[omaha]",
    "tests/interpreter/table/test_table.py::test_every_table_of_a_game_is_as_the_schema_says[easy-fox]",
)  # fmt: skip


def pytest_sessionfinish() -> None:
    # Before it ends, pytest looks five times for what nobody uses: not among rulesets, which all stay.
    gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.nodeid.startswith(SLOW) or "damage" in item.name:
            item.add_marker("slow")
