"""Elements of pages: texts of authors stay texts, whatever is in them."""

from __future__ import annotations

from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from ddob_rules.pages.elements import element, page, table


class Reader(HTMLParser):
    """What a browser would find: the tags, and the texts outside of the style."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.texts: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        if self.tags[-1:] != ["style"]:
            self.texts.append(data)


HOSTILE = "</p></style><script>alert(1)</script><img src=x onerror=alert(1)>&lt;\"'"


def test_hostile_text_stays_text() -> None:
    made = page(HOSTILE, "en", element("p", HOSTILE, title=HOSTILE), table([HOSTILE], [[HOSTILE]], HOSTILE))
    read = Reader(made)
    assert "script" not in read.tags and "img" not in read.tags
    assert read.texts.count(HOSTILE) == 5
    assert ("title", HOSTILE) in read.attributes


@given(st.text(alphabet=st.characters(exclude_categories=("Cs", "Cc")), min_size=1))
def test_any_text_is_read_as_it_was(text: str) -> None:
    read = Reader(page("t", "en", element("p", text, class_=text)))
    kept = "".join(one for one in text if one not in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
    assert "".join(read.texts[2:]).strip("\n") == kept.strip("\n")
    assert ("class", kept) in read.attributes


def test_texts_and_elements_mix_in_order() -> None:
    made = element("p", "a", element("b", "c"), None, ["d", [element("i"), "e"]])
    assert "".join(made.itertext()) == "acde"


def test_a_page_fetches_and_runs_nothing() -> None:
    read = Reader(page("Title", "fr", element("p", "x")))
    assert ("lang", "fr") in read.attributes
    policy = next(value for name, value in read.attributes if name == "content" and value and "src" in value)
    assert policy.startswith("default-src 'none'")
