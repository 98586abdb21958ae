"""From texts to elements of a page, and from these to one HTML file that needs no other.

An author's text only ever becomes the text or an attribute of an element, which the library escapes; there is
no way to hand over markup. A page has no scripts and fetches nothing, and says so to the browser.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from xml.etree.ElementTree import Element, tostring

Content = Element | str | None | Iterable["Content"]

#: What a page cannot hold, or what would turn the text after it around.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
#: Nothing is run and nothing is fetched; the style stands in the page.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def element(tag: str, *content: Content, **attributes: str | None) -> Element:
    """An element: `class_="note"` is its class, `aria_label` its `aria-label`; what is None is left out."""
    made = Element(tag)
    for name, value in attributes.items():
        if value is not None:
            made.set(name.rstrip("_").replace("_", "-"), _CONTROL.sub("", value))
    last: Element | None = None
    for part in _flat(content):
        if isinstance(part, Element):
            made.append(part)
            last = part
        elif last is None:
            made.text = (made.text or "") + _CONTROL.sub("", part)
        else:
            last.tail = (last.tail or "") + _CONTROL.sub("", part)
    return made


def _flat(content: Iterable[Content]) -> Iterator[Element | str]:
    for part in content:
        if isinstance(part, Element | str):
            yield part
        elif part is not None:
            yield from _flat(part)


def table(headings: Iterable[Content], rows: Iterable[Iterable[Content]], caption: Content = None) -> Element:
    """A table whose first column heads its rows."""
    return element(
        "table",
        element("caption", caption) if caption is not None else None,
        element("thead", element("tr", [element("th", heading, scope="col") for heading in headings])),
        element("tbody", [element("tr", _row(row)) for row in rows]),
    )


def _row(cells: Iterable[Content]) -> Iterator[Element]:
    for number, cell in enumerate(cells):
        yield element("td", cell) if number else element("th", cell, scope="row")


def page(title: str, language: str, *body: Content) -> str:
    """The whole file."""
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", title),
        element("style", _style()),
    )
    document = element("html", head, element("body", *body), lang=language)
    return "<!DOCTYPE html>\n" + tostring(document, encoding="unicode", method="html") + "\n"


@cache
def _style() -> str:
    return "\n" + (Path(__file__).parent / "style.css").read_text(encoding="utf-8")
