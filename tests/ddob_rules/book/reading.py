"""Reads a page as a browser does: its elements with their texts, and whether its links lead somewhere."""

from __future__ import annotations

from html.parser import HTMLParser
from urllib.parse import unquote


class Page(HTMLParser):
    """All elements in order, each as tag, attributes and text inside."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str], list[str]]] = []
        self._open: list[int] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}, []))
        if tag != "meta":
            self._open.append(len(self.elements) - 1)

    def handle_endtag(self, tag: str) -> None:
        assert self.elements[self._open.pop()][0] == tag

    def handle_data(self, data: str) -> None:
        for number in self._open:
            self.elements[number][2].append(data)

    def texts(self, tag: str, class_: str = "") -> list[str]:
        """What stands in the elements of a tag and a class."""
        return [
            "".join(text)
            for name, attributes, text in self.elements
            if name == tag and class_ in ("", *attributes.get("class", "").split())
        ]

    @property
    def tags(self) -> set[str]:
        return {name for name, _, _ in self.elements}

    def check_links(self) -> int:
        """How many links there are; each leads to a place of the page, and no place is there twice."""
        places = [attributes["id"] for _, attributes, _ in self.elements if "id" in attributes]
        targets = [attributes["href"] for name, attributes, _ in self.elements if name == "a"]
        assert len(places) == len(set(places))
        assert all(target.startswith("#") for target in targets)
        assert {unquote(target[1:]) for target in targets} <= set(places)
        return len(targets)
