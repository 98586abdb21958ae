"""What `ddob fmt --upgrade` rewrites: each version of the language says a thing in one way."""

from __future__ import annotations

import pytest

from ddob_rules.syntax.parse import parse_file
from ddob_rules.syntax.source import Source
from ddob_rules.syntax.upgrade import upgrade_source

CASES = [
    (
        "  define a: flag = no u in unit where u.steps > 1 or u.lost or every h in hex has h.a or h.b\n",
        "  define a: flag = no u in unit where (u.steps > 1 or u.lost or every h in hex has (h.a or h.b))\n",
    ),
    ("  define a: flag = some unit where (it.a or it.b)\n", None),
    ("  define a: number = count(u in unit where u.a or u.b)\n", None),
    ("  piece unit:\n    a: flag = no each turn   untold\n", "  piece unit:\n    a: flag = no each turn\n"),
    ("  piece unit:\n    a: flag = no untold\n", None),
    (
        "  piece unit seen by nobody when it.a or it.b\n",
        "  piece unit seen by everyone when not (it.a or it.b)\n",
    ),
    ("  piece unit seen by owner seen by nobody\n", None),
]


@pytest.mark.parametrize(("before", "after"), CASES, ids=range(len(CASES)))
def test_what_was_written_otherwise_is_rewritten(before: str, after: str | None) -> None:
    upgraded = upgrade_source(Source("test.rules", f"rule 1:\n{before}"))
    assert upgraded.text == f"rule 1:\n{after or before}"
    assert not parse_file(upgraded).problems
    assert upgrade_source(upgraded).text == upgraded.text


def test_words_are_those_of_the_file() -> None:
    source = Source("test.rules", "langue fr\n\nrègle 1:\n  pion unité vu par personne quand lui.caché\n")
    assert "vu par tous quand pas (lui.caché)" in upgrade_source(source).text


def test_a_file_with_mistakes_is_left_alone() -> None:
    source = Source("test.rules", "rule 1:\n  define a: flag = some u in unit where a or b\n  define\n")
    assert upgrade_source(source) is source
