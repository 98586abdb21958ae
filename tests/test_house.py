"""The house: rooms import earlier rooms only, none has too many modules, and the docs draw it as it is."""

from __future__ import annotations

import pytest

from tests.house import ROOT, STAGES, imports, rooms

#: More modules than a person looks through.
MOST_MODULES = 14
#: The commands are a module for each group of them, with what they print.
MORE_MODULES = {"ddob_rules/cli": 23, "interpreter/passes": 16}


def test_every_module_is_in_a_room() -> None:
    assert set(imports()) == set(rooms())


@pytest.mark.parametrize("room", rooms())
def test_room_imports_earlier_rooms_only(room: str) -> None:
    order = rooms()
    later = {other for other in imports()[room] if order.index(other) > order.index(room)}
    assert later == set()


def test_interpreter_imports_nothing_of_the_author_tools() -> None:
    first = {room for room in rooms() if room.startswith("interpreter.")}
    assert all(imports()[room] <= first for room in first)


@pytest.mark.parametrize("package", STAGES)
def test_no_folder_has_more_modules_than_a_person_looks_through(package: str) -> None:
    folders = [path for path in (ROOT / package).rglob("*") if path.is_dir() and any(path.glob("*.py"))]
    assert folders
    for folder in folders:
        name = folder.relative_to(ROOT).as_posix()
        assert len(list(folder.glob("*.py"))) - 1 <= MORE_MODULES.get(name, MOST_MODULES), name


@pytest.mark.parametrize("package", STAGES)
def test_every_room_says_what_it_is_for(package: str) -> None:
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / package).rglob("*.py")]
    assert len(texts) > 20
    assert all(text.startswith('"""') for text in texts)
