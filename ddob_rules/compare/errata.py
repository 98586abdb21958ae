"""From two rulesets to an errata sheet that a player prints: rule by rule, the sentence before and after.

Numbers that a player looks up (cells, rows, values, phases) stand below the sentences; what only those who
read rules as code would miss is on the sheet on request. Which sentence changes is for `diff` to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from ddob_rules.check.program import Checked
from ddob_rules.compare.changes import Change
from ddob_rules.compare.diff import Rulebook, diff, rulebook
from ddob_rules.compare.sheet import HEADS, Sheet, groups
from ddob_rules.compare.words import when_of, words_of
from ddob_rules.pages.elements import Content, element, page
from interpreter.ir import Order, rule_order

#: What a player looks up, by the kind of declaration that changes or by the part of it.
_LOOKED_UP = {"value", "table", "chart", "sequence", "option", "dice"}
_PARTS = {"cell", "row", "phase", "player", "players", "number", "face"}

_ENGLISH = {
    "title": "{new}: what changes",
    "from": "Compared with {old}. Rules stand by number; what is crossed out no longer holds.",
    "rule amended": "Amended by {by}",
    "rule replaced": "Replaced by {by}",
    "rule removed": "Removed by {by}",
    "rule removed alone": "Removed",
    "rule added": "New",
    "changed": "Changed",
    "before": "Before",
    "now": "Now",
    "stays": "Unchanged wording",
    "same": "Nothing changes.",
    "colon": ": ",
}
_FRENCH = {
    "title": "{new} : ce qui change",
    "from": "Comparé à {old}. Les règles suivent leurs numéros ; ce qui est barré ne vaut plus.",
    "rule amended": "Amendée par {by}",
    "rule replaced": "Remplacée par {by}",
    "rule removed": "Supprimée par {by}",
    "rule removed alone": "Supprimée",
    "rule added": "Nouvelle",
    "changed": "Modifiée",
    "before": "Avant",
    "now": "Désormais",
    "stays": "Texte inchangé",
    "same": "Rien ne change.",
    "colon": " : ",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Erratum:
    """One entry of the sheet: the rules it is about, what becomes of them, and their sentences.

    `before` has a sentence for each rule that says something else now; `gone` says that nothing is left of
    them, as an amendment may leave much. `stays` is a sentence that goes on.
    """

    rules: tuple[tuple[str, str], ...]  # number and title
    what: str
    before: tuple[str, ...] = ()
    gone: bool = False
    now: str = ""
    stays: str = ""
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Errata:
    title: str
    note: str
    language: str
    entries: tuple[Erratum, ...]

    @property
    def words(self) -> dict[str, str]:
        return _FRENCH if self.language == "fr" else _ENGLISH


def errata(a: Checked, b: Checked, language: str = "en", *, code: bool = False) -> Errata:
    """The sheet for somebody who knows `a` and plays `b`; with `code`, everything that changes."""
    language = "fr" if language == "fr" else "en"
    work = _Work(a, b, language, code)
    changes = diff(a, b, language)
    made = [work.entry(maker, changed) for maker, changed in groups(changes, work.outline)]
    found = [entry for entry in made if entry is not None]
    words = _FRENCH if language == "fr" else _ENGLISH
    return Errata(
        title=words["title"].format(new=_title(b)),
        note=words["from"].format(old=_title(a)),
        language=language,
        entries=tuple(sorted(found, key=work.order)),
    )


def _title(side: Checked) -> str:
    """The name of a stack: the title of what lies on top, and the edition."""
    top = side.books[-1]
    return f"{top.title} ({top.edition})" if top.edition else top.title


class _Work:
    def __init__(self, a: Checked, b: Checked, language: str, code: bool) -> None:
        self.old, self.new = rulebook(a, language), rulebook(b, language)
        self.words = _FRENCH if language == "fr" else _ENGLISH
        self.outline = b.merged.outline
        self.sheet = Sheet(language, self.outline)
        self.when_words = words_of(language)
        self.code = code
        self.told: set[str] = set()

    def order(self, entry: Erratum) -> Order:
        return min((rule_order(number, self.outline) for number, _ in entry.rules), default=())

    def entry(self, maker: str, changes: Sequence[Change]) -> Erratum | None:
        own = [change for change in changes if change.sort in HEADS]
        heads = [change for change in own if change.by] or own
        mechanics = [change for change in changes if not change.words]
        lines = tuple(self._lines(maker, mechanics, heads))
        if heads:
            return self._whole(heads, lines)
        return self._edited(maker, changes, lines)

    def _whole(self, heads: Sequence[Change], lines: tuple[str, ...]) -> Erratum:
        """A rule that comes, goes, or amends others."""
        first = heads[0]
        said = {change.said_in or change.rule: change.was for change in heads}
        about = tuple(said) if first.sort == "rule amended" else tuple(change.rule for change in heads)
        key = "rule removed alone" if first.sort == "rule removed" and not first.by else first.sort
        what = self.words[key].format(by=" ".join(filter(None, [first.by, first.new])))
        when = when_of(first, self.when_words)
        return Erratum(
            rules=tuple((number, self._title(number)) for number in about),
            what=f"{what}, {when}" if when else what,
            before=tuple(self._untold(said)),
            gone=first.sort != "rule amended",
            now=first.text,
            lines=lines,
        )

    def _untold(self, said: Mapping[str, str]) -> Iterator[str]:
        """The sentences that do not stand on the sheet yet: a rule may be amended twice."""
        for number, text in said.items():
            if text and number not in self.told:
                self.told.add(number)
                yield text

    def _edited(self, maker: str, changes: Sequence[Change], lines: tuple[str, ...]) -> Erratum | None:
        """A rule that keeps its number: another sentence, or another mechanism under the same."""
        texts = [change for change in changes if change.noun == "text" and change.words and not change.kind]
        if not texts and all(change.words for change in changes):
            return None  # a title or a label: nobody plays otherwise
        block = self.new.rules.get(maker)
        kept = self.new.text(block) if block is not None and not texts else ""
        return Erratum(
            rules=((self.sheet.number(changes[0]) if block is None else maker, self._title(maker)),),
            what=self.words["changed"],
            before=tuple(change.old for change in texts if change.old),
            gone=True,
            now=" ".join(change.new for change in texts),
            stays=kept,
            lines=lines,
        )

    def _lines(self, maker: str, changes: Iterable[Change], heads: Sequence[Change]) -> Iterator[str]:
        for change, text in self.sheet.lines(maker, changes, heads):
            if self.code or change.kind in _LOOKED_UP or change.noun in _PARTS:
                yield text

    def _title(self, number: str) -> str:
        sides: tuple[Rulebook, ...] = (self.old, self.new)
        return next((side.title(side.rules[number]) for side in sides if number in side.rules), "")


# ---------------------------------------------------------------- on paper


def as_html(sheet: Errata) -> str:
    """One file to print, with what no longer holds crossed out."""
    entries = [_entry(sheet, entry) for entry in sheet.entries]
    body = entries or [element("p", sheet.words["same"])]
    head = [element("h1", sheet.title), element("p", sheet.note, class_="note")]
    return page(sheet.title, sheet.language, element("main", head, body, class_="errata"))


def _entry(sheet: Errata, entry: Erratum) -> Element:
    words = sheet.words

    def crossed(text: str) -> Content:
        return element("del", text) if entry.gone else text

    after = {words["now"]: entry.now, words["stays"]: entry.stays}
    sentences: list[Content] = [
        *([element("dt", words["before"]), element("dd", crossed(text))] for text in entry.before),
        *([element("dt", label), element("dd", text)] for label, text in after.items() if text),
    ]
    changes = [element("li", line) for line in entry.lines]
    heading = [
        [", " if place else None, element("span", number, class_="number"), " ", title]
        for place, (number, title) in enumerate(entry.rules)
    ]
    return element(
        "section",
        element("h2", heading),
        element("p", entry.what, class_="what"),
        element("dl", sentences) if sentences else None,
        element("ul", changes, class_="changes") if changes else None,
    )


def as_markdown(sheet: Errata) -> str:
    """The same as plain text with marks that most programs for texts know."""
    words, colon = sheet.words, sheet.words["colon"]
    parts = [f"# {_plain(sheet.title)}", _plain(sheet.note)]
    for entry in sheet.entries:
        heading = ", ".join(" ".join(filter(None, rule)) for rule in entry.rules)
        parts += [f"## {_plain(heading)}", f"*{_plain(entry.what)}*"]
        crossed = "~~" if entry.gone else ""
        parts += [f"**{words['before']}**{colon}{crossed}{_plain(text)}{crossed}" for text in entry.before]
        for label, text in ((words["now"], entry.now), (words["stays"], entry.stays)):
            if text:
                parts.append(f"**{label}**{colon}{_plain(text)}")
        if entry.lines:
            parts.append("\n".join(f"- {_plain(line)}" for line in entry.lines))
    if not sheet.entries:
        parts.append(words["same"])
    return "\n\n".join(parts) + "\n"


#: What Markdown would read as marks, or as HTML.
_MARKS = str.maketrans({mark: f"\\{mark}" for mark in "\\`*_[]<>#~|"} | {"\n": " ", "\r": " "})


def _plain(text: str) -> str:
    return text.translate(_MARKS)
