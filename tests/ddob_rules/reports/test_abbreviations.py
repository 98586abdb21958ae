"""Names that are too long for their place are cut so that no two of them are left alike."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ddob_rules.reports.abbreviations import abbreviated
from ddob_rules.reports.render import display_width


@given(
    names=st.lists(st.text("ab -漢", min_size=1, max_size=24), min_size=1, max_size=40, unique=True),
    longest=st.integers(8, 14),
)
def test_abbreviations_fit_and_tell_names_apart(names: list[str], longest: int) -> None:
    found = abbreviated(names, longest)
    assert max(map(display_width, found.values())) <= longest
    assert len(set(found.values())) == len(names)
    assert all(found[name] == name for name in names if display_width(name) <= longest)
