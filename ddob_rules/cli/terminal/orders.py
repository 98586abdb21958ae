"""What the terminal says of a table: the briefing, what can be done piece by piece, signs, and what is near.

It reads the book and the table of a seat, as the page does, and nothing else of the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from textwrap import wrap
from typing import Any

from ddob_rules.cli.phrases import phrase
from interpreter.table.typed import Answer, answers_of

Data = Mapping[str, Any]

# A flat list longer than this is not read.
MOST_LISTED = 12
# Steps to the next space as one sees them, by the words that rules use: not every map has north above.
_ASIDE = {
    "en": {"n": "above", "ne": "above right", "e": "right", "se": "below right",
           "s": "below", "sw": "below left", "w": "left", "nw": "above left"},
    "fr": {"n": "au-dessus", "ne": "en haut à droite", "e": "à droite", "se": "en bas à droite",
           "s": "au-dessous", "sw": "en bas à gauche", "w": "à gauche", "nw": "en haut à gauche"},
}  # fmt: skip


def brief_lines(book: Data, seats: Iterable[str], language: str, example: str) -> list[str]:
    """Who you are, what it is about, how one wins, how long it takes, and what to type."""
    brief = book["brief"]
    names = [player["title"] for player in book["players"] if player["id"] in set(seats)]
    lines = [brief["text"]] if brief["text"] else []
    if names:
        key = "you are" if len(names) == 1 else "all yours"
        lines.append(phrase(language, key, player=", ".join(names)))
    lines += [phrase(language, "aim", text=text, rule=rule) for text, rule in brief["aim"]]
    if brief["turns"]:
        lines.append(phrase(language, "so long", turns=brief["turns"]))
    if len(brief["turn"]) > 1:
        lines.append(phrase(language, "a turn", phases=", ".join(title for title, _ in brief["turn"])))
    return [*lines, phrase(language, "three commands", example=example)]


class Orders:
    """The answers to a question by piece and act, in a few lines."""

    def __init__(
        self, book: Data, table: Data, language: str, place_names: Mapping[str, str] | None = None
    ) -> None:
        self.table = table
        self.question = table["question"]
        self.language = language
        self.place_names = place_names or {}
        self.titles = {
            ident: title
            for board in book["boards"]
            for ident, title in zip(board["ids"], board.get("titles", board["ids"]), strict=True)
        }

    def name(self, ident: str) -> str:
        """The one word for a thing, a space or a value."""
        thing = self.table["things"].get(ident)
        if thing is not None:
            return str(thing["name"])
        words = (self.question or {}).get("words", {})
        return str(words.get(ident) or self.titles.get(ident, ident))

    def names(self, ident: str) -> str:
        """All that a thing may be called, one name a line: a space may have one on the map, too."""
        return "\n".join(filter(None, (self.name(ident), self.place_names.get(ident, ""))))

    def placed(self, ident: str) -> str:
        """The same with where it is; a space with its name on the map."""
        thing = self.table["things"].get(ident)
        if thing is None and ident in self.place_names:
            return f"{self.name(ident)} {self.place_names[ident]}"
        place = self.titles.get(thing["at"]) if thing is not None else None
        name = self.name(ident)
        if place is None or place in name:
            return name
        return phrase(self.language, "in place", name=name, place=place)

    def known(self) -> list[str]:
        return [*self.table["things"], *self.titles]

    def lines(self, width: int) -> list[str]:
        """Piece first, then what it can do and where."""
        found: list[str] = []
        groups: dict[str, dict[int, list[Answer]]] = {}
        short: dict[int, list[Answer]] = {}
        for answer in answers_of(self.question):
            if len(answer.path) > 1:
                groups.setdefault(answer.path[0], {}).setdefault(answer.act, []).append(answer)
            else:
                short.setdefault(answer.act, []).append(answer)
        for starter, acts in groups.items():
            told = "; ".join(
                phrase(self.language, "order", act=self._title(act), targets=self._targets(answers))
                for act, answers in acts.items()
            )
            found += _broken(phrase(self.language, "orders", name=self.placed(starter), acts=told), width)
        for act, answers in short.items():
            if answers[0].path:
                names = ", ".join(self.placed(answer.path[0]) for answer in answers)
                found += _broken(phrase(self.language, "orders", name=self._title(act), acts=names), width)
            else:
                found += [f"  {answers[0].o + 1}) {self._title(act)}"]
        return found

    def _title(self, act: int) -> str:
        return str(self.question["acts"][act]["title"])

    def _targets(self, answers: list[Answer]) -> str:
        return ", ".join(" ".join(map(self.name, answer.path[1:])) for answer in answers)


def _broken(text: str, width: int) -> list[str]:
    return wrap(
        text, max(40, width - 1), initial_indent="  ", subsequent_indent="      ",
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip


class Places:
    """Spaces in sentences, for those who hear the table."""

    def __init__(self, book: Data, table: Data, language: str) -> None:
        self.book = book
        self.table = table
        self.orders = Orders(book, table, language)
        self.language = language

    def legend(self) -> list[str]:
        """What the rules say of how things look, and the signs of the map.

        Where several signs stand on the same ground, each is told with what all its spaces have and no other
        space of that ground. Where no two spaces have the same sign, these are numbers and need no words.
        """
        signs: dict[str, dict[str, list[set[str]]]] = {}
        for space in (space for board in self.book["boards"] for space in board["ids"]):
            ground = self._ground(space)
            if ground.get("sign") and ground.get("name"):
                facts = {
                    f"{title} {value}".strip()
                    for title, value in (*self._printed(space), *self._standing(space))
                }
                signs.setdefault(ground["name"], {}).setdefault(ground["sign"], []).append(facts)
        told: dict[str, str] = {}
        for name, found in signs.items():
            for sign, spaces in found.items():
                others = [facts for other, more in found.items() if other != sign for facts in more]
                own = set.intersection(*spaces) - set().union(*others) if others else set()
                if len(found) == 1 or any(len(alike) > 1 for alike in found.values()):
                    told.setdefault(sign, ", ".join((name, *sorted(own))))
        lines = [phrase(self.language, "legend", sign=sign, name=name) for sign, name in told.items()]
        return [*self.book["legend"], *lines]

    def told(self, space: str) -> str:
        """What a space is, and what is on it."""
        names = [self._thing(data) for data in self.table["things"].values() if data["at"] == space]
        names += [token["text"] for token in self.table["spaces"].get(space, {}).get("tokens", ())]
        return ", ".join((*self._parts(space), *(names or [phrase(self.language, "empty space")])))

    def _parts(self, space: str) -> list[str]:
        """The ground of a space, flags printed on it, such as a bridge, and what stands there now."""
        printed = [title for title, value in self._printed(space) if not value]
        now = [f"{title} {value}" for title, value in self._standing(space)]
        return [part for part in (str(self._ground(space).get("name", "")), *printed, *now) if part]

    def _thing(self, data: Data) -> str:
        facts = [f"{title} {value}".strip() for title, value in data.get("facts", ())]
        titles = {title for title, _ in data.get("facts", ())}
        more = [*facts, *(mark for mark in data.get("marks", ()) if mark not in titles)]
        return f"{data['name']} ({', '.join(more)})" if more else str(data["name"])

    def _ground(self, space: str) -> Data:
        changed: Data | None = self.table["spaces"].get(space, {}).get("ground")
        if changed is not None:
            return changed
        for board, index in self._spots(space):
            ground: Data = board["grounds"][board["ground"][index]]
            return ground
        return {}

    def _standing(self, space: str) -> list[tuple[str, str]]:
        return [*self.table["spaces"].get(space, {}).get("facts", ())]

    def _printed(self, space: str) -> list[tuple[str, str]]:
        return [
            (str(fact["title"]), str(fact["values"][fact["of"][index]]))
            for board, index in self._spots(space)
            for fact in board.get("facts", ())
            if fact["of"][index] >= 0
        ]

    def _spots(self, space: str) -> Iterator[tuple[Data, int]]:
        """The board that a space is on, if it is on one, and its number there."""
        return ((board, board["ids"].index(space)) for board in self.book["boards"] if space in board["ids"])

    @cached_property
    def _between(self) -> dict[frozenset[str], list[str]]:
        """The lines between two spaces: sides and ways, but no borders of areas."""
        ids = [ident for board in self.book["boards"] for ident in board["ids"]]
        found: dict[frozenset[str], list[str]] = {}
        for line, steps in zip(self.book["lines"], self.book["edges"], strict=True):
            one = 0
            for first, second in zip(steps[::2], steps[1::2], strict=True):
                one += first
                if line["as"] != "limit":
                    found.setdefault(frozenset((ids[one], ids[one + second])), []).append(line["name"])
        return found

    def sentence(self, space: str) -> str:
        return phrase(self.language, "stands", name=self.orders.name(space), told=self.told(space))

    def around(self, space: str, steps: Mapping[str, str], others: Iterable[str] = ()) -> list[str]:
        """A space and its neighbours all round, with what lies between; `steps` are those by direction.

        `others` lie in no direction: a map may be a network.
        """
        ways = _ASIDE["fr" if self.language == "fr" else "en"].items()
        near = [(word, steps[direction]) for direction, word in ways if direction in steps]
        near += [(phrase(self.language, "linked to"), other) for other in others]
        lines = [self.sentence(space)]
        for word, other in near:
            between = ", ".join(self._between.get(frozenset((space, other)), ()))
            told = phrase(
                self.language, "next to", direction=f"{word} ({between})" if between else word,
                space=self.orders.name(other), told=self.told(other),
            )  # fmt: skip
            lines.append(told[:1].upper() + told[1:])
        return lines

    def plain(self) -> list[str]:
        """The table as facts, one a line: status, then the spaces that the question is about."""
        lines = [str(status["text"]) for status in self.table["status"]]
        for count in self.table["counts"]:
            facts = ", ".join(f"{title} {value}" for title, value in count["facts"])
            lines.append(f"{count['name']}: {facts}" if count["name"] else facts)
        return [*lines, *(self.sentence(space) for space in self._asked())]

    def _asked(self) -> list[str]:
        question = self.table["question"]
        named = [*self.table["about"]]
        if question is not None:
            named += [answer.path[0] for answer in answers_of(question) if answer.path]
        things = self.table["things"]
        spaces = [things[name]["at"] if name in things else name for name in named]
        return [space for space in dict.fromkeys(spaces) if space in self.orders.titles]
