"""From lines that somebody types to a game that is played: shows the position, asks, and obeys.

It works the same at a terminal and in a pipe; only a terminal is cleared between two players who must not see
each other's secrets. Who plays is decided elsewhere.
"""

from __future__ import annotations

import os.path
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from io import TextIOWrapper
from textwrap import wrap
from typing import Any, assert_never

import click

from ddob_rules.cli.answers import Refused, chosen, handles, in_columns, listed, numbered
from ddob_rules.cli.games import HUMAN, Opened, automatic_choice, failure_diagnostic, save_diagnostic
from ddob_rules.cli.keeping import Keeper, beside, fingerprint, places_to_keep, recap_start, resumed
from ddob_rules.cli.output import (
    clear_screen,
    harmless,
    in_colour,
    lines_told,
    note_lines,
    print_diagnostics,
    tell,
)
from ddob_rules.cli.phrases import (
    ALL_WORDS,
    COMMAND_WORDS,
    DONE_WORDS,
    command_word,
    counted,
    help_text,
    phrase,
)
from ddob_rules.cli.terminal.board import Drawing, places_of_pieces
from ddob_rules.cli.terminal.enquiry import Enquiry
from ddob_rules.cli.terminal.focus import (
    Window,
    busiest_place,
    numbers_of_places,
    pieces_asked_about,
    place_of_last_act,
    places_asked_about,
    unchanged,
    window,
)
from ddob_rules.cli.terminal.orders import MOST_LISTED, Orders, Places, brief_lines
from ddob_rules.cli.terminal.refusals import Refusals, meant
from ddob_rules.cli.terminal.story import Story, entries_since
from ddob_rules.reports.spelling import did_you_mean
from interpreter import ir
from interpreter.campaigns.saves import CampaignSave, write_campaign
from interpreter.failures import RuleFailure
from interpreter.machine.choice import Choice, Option
from interpreter.machine.state import State
from interpreter.records.saves import BadSave, Save, offered, read_save, write_save
from interpreter.records.session import Session
from interpreter.table import book_of, table_of
from interpreter.table.asking import hints, lost_by, not_offered
from interpreter.table.seen import Seen
from interpreter.table.typed import (
    PART,
    AskBack,
    NotUnderstood,
    Play,
    Select,
    WhyNot,
    answers_of,
    fitting,
    understood,
)
from interpreter.telling.journal import phase_now
from interpreter.telling.showing import Showing
from interpreter.telling.story import has_secrets

# So many lines of the journal are shown unless more are asked for.
_LOG_LINES = 20
# What goes on with a campaign when one of its games is over.
_ONWARD = ("next", "suivante", "suivant")
# Questions that ask for several things, one after the other.
_ONE_BY_ONE = ("some", "order")
# Lines of a screen that are not for the map.
_FOR_THE_QUESTION = 8
# A question has these beside its options: blank lines, its words, how it is taken back, and where one types.
_AROUND_OPTIONS = 6
# Less of a map would not show where it lies.
_LEAST_MAP = 8
# No line of the story is wider than this.
_STORY = 100
# Commands that leave the game as it is. Some think for a while, and none is worth more than the game.
_TELLING = frozenset(COMMAND_WORDS) - {"quit", "undo", "redo", "save", "load"}


@dataclass(slots=True)
class Table:
    """One game, those who sit at it, and what each of them has been told."""

    opened: Opened
    session: Session
    kinds: dict[str, str]
    terminal: bool
    language: str = "en"
    opening: bool = False  # nothing was shown yet: the briefing comes first
    file: str = ""  # the save that the game came from
    ask_always: bool = False  # also where there is but one option
    plain: bool = False  # sentences instead of a map
    unsaved: bool = False
    recap: bool = False  # a game that is gone on with: only its last turn is told
    before: CampaignSave | None = None  # the campaign that the game is one of, with the games before it
    onward: bool = False  # somebody has said that the campaign goes on
    stamps: dict[str, str] = field(default_factory=dict)  # what files held when they were last ours
    keeper: Keeper = field(init=False)
    _stale: bool = True
    _about: frozenset[str] = frozenset()  # the places that the last question about any was about
    _window: Window | None = None  # the part of the map that was drawn last
    _window_at: int = 0  # how many lines were told before it
    _told: dict[str, tuple[int, Story]] = field(default_factory=dict)  # seat -> journal entries it has read
    _seated: str = ""
    _books: list[dict[str, Any]] = field(default_factory=list)  # the book of the game, once it was needed
    _picked: tuple[str, ...] = ()  # what was named so far, for the next answer
    # Of each choice: which question it answered, and what was taken, where several are chosen one by one.
    _so_far: dict[int, tuple[tuple[str, int], str, str]] = field(default_factory=dict)
    _warned: int = -1  # the choice at which a warning was given
    _begun: tuple[int, str, str] = (-1, "", "")  # the choice right after an action of a human, who, and what
    _idle: dict[str, str] = field(default_factory=dict)  # phases in which nobody could do anything, and who
    _untold: int = 0  # so many entries of the journal are too old to be told to anybody

    def __post_init__(self) -> None:
        self.keeper = Keeper(self.opened, self.kinds, self.language)
        if self.file:
            self.stamp(self.file)
        if self.recap:
            self._untold = recap_start(self.session.state)

    # ------------------------------------------------------------ playing

    def play(self) -> None:
        """Plays until the end of the input, or until somebody leaves.

        A keyboard interrupt goes through, but for one that breaks off a command that only tells something.
        """
        if isinstance(sys.stdin, TextIOWrapper) and sys.stdin.errors != "replace":
            sys.stdin.reconfigure(errors="replace")
        if self.terminal:
            _line_editing()
        while True:
            state = self.session.state
            if not state.over and not self._decides(state):
                self._automatic(state)
                continue
            self.keeper.make_sure()
            try:
                self._show(state)
                if state.over and HUMAN not in self.kinds.values():
                    return
                line = self._read()
            except EOFError:
                tell()
                return
            try:
                if not self._obey(line.strip()):
                    return
            except Refused as refusal:
                self._say(str(refusal))
                continue
            if self.terminal and not self._stale and not self.session.state.over:
                self._question(self.session.state)  # it has gone up the screen

    def _kind(self, state: State) -> str:
        return self.kinds[state.game.player_name(state.player)]

    def _decides(self, state: State) -> bool:
        """Whether a human has something to decide: the only option there is takes itself."""
        return self._kind(state) == HUMAN and (self.ask_always or len(state.options) > 1)

    def _automatic(self, state: State) -> None:
        kind, choice = self._kind(state), state.choice
        if kind == HUMAN and choice is not None and choice.sort == "offer" and self._done(choice) is not None:
            self._idle[self._phase_of(state)] = choice.player
        self._take(0 if kind == HUMAN else automatic_choice(state, kind, self.session.seed))

    def _take(self, option: Option | int, sure: bool = False) -> None:
        """Takes an option. `sure`: somebody has thought about it, so it is on the disk at once."""
        keys = offered(self.session.state)
        choice = self.session.state.choice
        who = choice.player if sure and choice is not None and choice.sort == "offer" else ""
        count, asked, several = self.session.state.count, self._asked(self.session.state), self._several()
        try:
            self.session.apply(option)
        except RuleFailure as failure:
            print_diagnostics([failure_diagnostic(failure, self.language)], language=self.language)
            if self._kind(self.session.state) != HUMAN:
                raise click.exceptions.Exit(1) from failure
            self.ask_always = self._stale = True  # so that it can be taken back even if it is the only option
            return
        self.keeper.took(keys[self.session.choices[-1]], self.session, sure=sure)
        self._so_far[count] = (asked, *several.get(self.session.choices[-1], ("", "")))
        self._picked = ()
        if who and isinstance(option, Option):
            self._begun = (self.session.state.count, who, option.label)
        self.unsaved = self._stale = True

    def _read(self) -> str:
        if self.terminal:
            note_lines(1)
            return input("> ")
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        # A transcript of a pipe is readable only with what was typed.
        tell(f"> {harmless(line.rstrip())}")
        return line

    # ------------------------------------------------------------ showing

    @property
    def seat(self) -> str | None:
        """Who looks: the one who is asked, or the only human; nobody in particular in a game of machines."""
        humans = [name for name, kind in self.kinds.items() if kind == HUMAN]
        asked = self.opened.game.player_name(self.session.state.player)
        if asked in humans:
            self._seated = asked
        elif self._seated not in humans:
            self._seated = humans[0] if humans else ""
        return self._seated or None

    def _show(self, state: State) -> None:
        if not self._stale:
            return
        before = self._seated
        seat = self.seat
        self._hand_over(before, seat or "")
        self._stale = False
        for line in self._news(state, seat):
            tell(line)
        idle = [phase for phase, player in self._idle.items() if phase and player == seat]
        if idle and not self.opening:
            self._say(phrase(self.language, "idle", phases=", ".join(idle)))
        self._idle.clear()
        tell()
        if self.opening:
            self.opening = False
            self.brief()
            tell()
        self._board(state)
        if state.over:
            self._result(state)
        else:
            self._question(state)

    def _hand_over(self, before: str, seat: str) -> None:
        """Nobody reads the screen of another: only where there are secrets, and a screen."""
        if not self.terminal or not before or before == seat or not has_secrets(self.opened.game):
            return
        _wipe_screen()
        self._window = None
        input(harmless(phrase(self.language, "hand over", player=self._player_title(seat))) + " ")
        _wipe_screen()

    def _news(self, state: State, seat: str | None) -> list[str]:
        """What has happened since the seat has looked, in lines; of others in short if it is long."""
        key = (seat or "") if has_secrets(self.opened.game) else ""
        count, story = self._told.get(key) or (self._untold, self._new_story())
        entries = entries_since(state, count, seat)
        self._told[key] = (count + len(entries), story)
        short = story.in_short()
        lines = list(story.lines(entries, state, seat))
        if self.opening and len(lines) > self._room():
            # What came before the first choice, as much as does not push the briefing off the screen.
            earlier = phrase(self.language, "earlier", count=len(lines) - self._room())
            return [harmless(earlier), *lines[-self._room() :]]
        if self.terminal and len(lines) > self._room():
            self._told[key] = (count + len(entries), short)
            folded = list(short.lines(entries, state, seat))
            short.short = False
            if len(folded) < len(lines):
                return [*folded, harmless(phrase(self.language, "in short"))]
        return lines

    def _new_story(self) -> Story:
        return Story(self.opened.game, self.language, width=min(_STORY, _width()))

    def _board(self, state: State) -> None:
        """The board as the seat sees it: of a big map the part that the question is about."""
        if self.plain:
            for line in Places(self._book, self._seen(state), self.language).plain():
                self._say(line)
            return
        self._part(state, self._drawing(state))

    def _whole_board(self, everything: bool) -> None:
        """The board with all bookkeeping; of maps that are more than a screen only where something lies."""
        drawing = self._drawing(self.session.state)
        lines = drawing.lines()
        if not everything and len(lines) > _height():
            asked = places_asked_about(drawing.view, self.session.state.choice)
            near = replace(drawing, near=places_of_pieces(drawing.view) | asked)
            if not near.shows_all():
                lines = [*near.lines(), harmless(f"({phrase(self.language, 'rest of map')})")]
        for line in lines:
            tell(line, painted=in_colour())

    def _part(self, state: State, drawing: Drawing) -> None:
        """The part of the board that a question is about, if it is not on the screen as it is."""
        picked = frozenset(drawing.marks) if self._picked else frozenset()
        self._about = picked or places_asked_about(drawing.view, state.choice) or self._about
        if not self.terminal:
            for line in replace(drawing, about=self._about).lines():
                tell(line, painted=in_colour())
            return
        centre = place_of_last_act(self.opened.game, state, self.seat)
        about = self._about | ({centre} if centre and self._about else frozenset())
        if self._window is not None and self._on_screen() and unchanged(self._window, drawing, about):
            return
        room = self._room_above(state)
        middle = centre or busiest_place(drawing.view, state.choice)
        self._window = window(replace(drawing, room=room), about, middle, room)
        self._window_at = lines_told()
        for line in self._window.lines:
            tell(line, painted=in_colour())

    def _on_screen(self) -> bool:
        """Whether most of the map that was drawn last is still to be seen."""
        rows = _height()
        assert self._window is not None
        return lines_told() - self._window_at + 1 <= rows - len(self._window.lines) // 2

    def _drawing(self, state: State) -> Drawing:
        """The whole board as the seat sees it."""
        game = self.opened.game
        showing = Showing(game, state, self.seat)
        view, marks = game.view(state, self.seat), self._marks(state)
        return Drawing(game, view, _width(), in_colour(), self.language, showing, marks=marks)

    def _marks(self, state: State) -> dict[str, str]:
        """By space: the numbers of the options that lead there, if it is settled who would go."""
        choice = state.choice
        if choice is None or choice.player != self.seat:
            return {}
        whose = pieces_asked_about(self.opened.game, choice)
        settled = choice.sort != "offer" or (len(whose) == 1 and len(choice) <= MOST_LISTED)
        options = self._fitting(state) if self._picked else range(len(choice)) if settled else ()
        return numbers_of_places(self.opened.game, choice, options)

    def _fitting(self, state: State) -> Sequence[int]:
        """The options for what was named so far."""
        if not self._picked:
            return ()
        orders = self._orders(state)
        found = understood(orders.question, orders.names, (), "", self._picked)
        return found.answers if isinstance(found, Select) else ()

    def _room(self) -> int:
        """Lines for a map: the question and its options need some, too."""
        return max(8, _height() - _FOR_THE_QUESTION)

    def _room_above(self, state: State) -> int:
        """The same for a map above the question that is asked now."""
        if state.choice is None:
            return self._room()
        below = len(self._offered(state, state.choice)) + _AROUND_OPTIONS
        return max(_LEAST_MAP, _height() - below)

    def _result(self, state: State) -> None:
        text = entries_since(state, 0)[-1].text
        assert state.result is not None
        reason = f": {state.ending}" if state.ending else ""
        tell()
        self._say(phrase(self.language, "over", text=text + reason), bold=True)
        if self.before is not None and HUMAN in self.kinds.values():
            self._say(phrase(self.language, "campaign goes on"))

    def _question(self, state: State) -> None:
        choice = state.choice
        assert choice is not None
        player = self._player_title(choice.player)
        tell()
        turn = self.opened.game.names.text("turn").format(new=state.turn)
        prompt = self._phase_of(state) if choice.sort == "offer" else choice.prompt
        prompt = " ".join(filter(None, (prompt or choice.prompt, self._how_many(state, choice))))
        asked = phrase(self.language, "asks", turn=turn, player=player, prompt=prompt, rule=choice.rule)
        self._say(asked[:1].upper() + asked[1:], bold=True)
        taken = self._taken(state, choice) if choice.sort in _ONE_BY_ONE else []
        if taken:
            self._say(phrase(self.language, "so far", names=", ".join(taken)))
        for line in self._offered(state, choice):
            tell(harmless(line))
        begun_at, who, begun = self._begun
        # Others may not know what it was done with.
        if begun_at == state.count and choice.sort != "offer" and choice.player == self.seat == who:
            self._say(phrase(self.language, "begun", option=begun))

    def _how_many(self, state: State, choice: Choice) -> str:
        """How many more things are to be chosen, if the rules say it."""
        if choice.sort not in _ONE_BY_ONE or self.seat is None:
            return ""
        question = self._orders(state).question
        least, most = question.get("least", 0), question.get("most", 0)
        if least:
            return phrase(self.language, "so many" if least == most else "at least", count=least)
        return phrase(self.language, "at most", count=most) if most else ""

    def _asked(self, state: State) -> tuple[str, int]:
        """Who is asked which question; what another player has chosen is nobody else's business."""
        return (state.choice.player if state.choice is not None else "", state.ask)

    def _several(self) -> dict[int, tuple[str, str]]:
        """What can be chosen now, by its number, if several things are chosen one by one."""
        choice = self.session.state.choice
        if choice is None or choice.sort not in _ONE_BY_ONE or choice.player != self.seat:
            return {}
        return {one.index: (one.key, one.label) for one in choice.options if one.key != "done"}

    def _taken(self, state: State, choice: Choice) -> list[str]:
        """What was already chosen, where several things are chosen one by one."""
        found: list[str] = []
        offered_now = {one.key for one in choice.options}
        for count in range(state.count - 1, -1, -1):
            asked, key, label = self._so_far.get(count, (("", -1), "", ""))
            if asked != self._asked(state) or not label or key in offered_now:
                break
            found.insert(0, label)
        return found

    def _offered(self, state: State, choice: Choice) -> list[str]:
        """The options: a list if it is short, else piece by piece; of what was named, all of them."""
        lines = listed(choice, self._placed(state, choice))
        if self._picked:
            lines = [lines[number] for number in self._fitting(state)] or lines
        elif self._grouped(choice):
            return self._orders(state).lines(_width())
        return [f"  {line.strip()}" for line in lines] if self.plain else in_columns(lines, _width())

    def _grouped(self, choice: Choice) -> bool:
        """Whether options are told piece by piece: they are too many for a list."""
        many = choice.sort == "offer" and len(choice) > MOST_LISTED
        return many and not self._picked and self.seat is not None

    def _placed(self, state: State, choice: Choice) -> dict[int, str]:
        """What options read, by their number, if they are pieces: several of them may look alike on a map."""
        if choice.sort == "offer" or self.seat is None:
            return {}
        orders = self._orders(state)
        alone = [answer for answer in answers_of(orders.question) if len(answer.path) == 1]
        found = {answer.o: (orders.name(answer.path[0]), orders.placed(answer.path[0])) for answer in alone}
        return {
            number: placed for number, (name, placed) in found.items() if choice.options[number].label == name
        }

    def _orders(self, state: State) -> Orders:
        named = Seen(state, self.seat or "").place_names
        return Orders(self._book, self._seen(state), self.language, named)

    def _seen(self, state: State) -> dict[str, Any]:
        return table_of(state, self.seat or "", book=self._book, story=False)

    @property
    def _book(self) -> dict[str, Any]:
        if not self._books:
            self._books.append(book_of(self.opened.game, self.language))
        return self._books[0]

    def brief(self) -> None:
        """What the game is about, and the commands to know."""
        people = [name for name, kind in self.kinds.items() if kind == HUMAN]
        choice = self.session.state.choice
        example = choice.options[0].label if choice is not None and choice.options else "1"
        if choice is not None and choice.sort == "offer" and choice.options[0].arguments:
            orders = self._orders(self.session.state)
            path = next(answer.path for answer in answers_of(orders.question) if answer.o == 0)
            example = " ".join(map(orders.name, path)) or example
        for line in brief_lines(self._book, people, self.language, example):
            for part in wrap(line, max(40, _width() - 1), break_long_words=False, break_on_hyphens=False):
                self._say(part)

    def _phase_of(self, state: State) -> str:
        callings = self.opened.game.callings(state, *([self.seat] if self.seat is not None else ()))
        return phase_now(self.opened.game, state, callings)

    def _player_title(self, name: str) -> str:
        players = self.opened.game.players
        return self.opened.game.names.shown(players.index(name), ir.PLAYER) if name in players else name

    def _say(self, text: str, bold: bool = False) -> None:
        shown = harmless(text)
        tell(click.style(shown, bold=True) if bold and in_colour() else shown, painted=in_colour())

    # ------------------------------------------------------------ obeying

    def _obey(self, line: str) -> bool:
        """Does what a line says; false if it says to leave."""
        choice = self.session.state.choice
        if choice is not None and not line.startswith("/"):
            option = self._meant(choice, line)
            if option is not None:
                self._warn(option)
                self._take(option, sure=True)
                return True
        if choice is not None and self._is_done(line):
            raise Refused(phrase(self.language, "no end"))
        if not line:
            self._picked = ()
            return True
        if choice is None and self.before is not None and line.casefold() in _ONWARD:
            self.onward = True
            return False
        word, _, rest = line.removeprefix("/").partition(" ")
        command = next((name for name, words in COMMAND_WORDS.items() if word.casefold() in words), None)
        if command is None:
            return self._one_by_one(line, choice) or self._typed(line, choice)
        return self._command(command, rest.strip())

    def _meant(self, choice: Choice, line: str) -> Option | None:
        """The option that a line names by its number or its words; of what was named, only what is listed."""
        found = numbered(choice, line) if self._picked else None
        if found is not None:
            return found if found.index in self._fitting(self.session.state) else None
        return chosen(choice, line) or (self._done(choice) if self._is_done(line) else None)

    def _is_done(self, line: str) -> bool:
        """Whether a word ends something: what it is called differs from question to question."""
        text, word = self.opened.game.names.text, line.casefold()
        return word in DONE_WORDS or word in (text("done").casefold(), text("none").casefold())

    def _done(self, choice: Choice) -> Option | None:
        return next((option for option in choice.options if option.key in ("pass", "done")), None)

    def _warn(self, option: Option) -> None:
        """Before an end that costs pieces, once."""
        state = self.session.state
        if option.key not in ("pass", "done") or len(state.options) < 2 or self._warned == state.count:
            return
        lost = lost_by(Seen(state.copy(), self.seat or ""), option.index)
        if lost:
            self._warned = state.count
            raise Refused(phrase(self.language, "costs", names=", ".join(lost)))

    def _typed(self, line: str, choice: Choice | None) -> bool:
        """A line that names pieces, actions and places, or parts of their names."""
        state = self.session.state
        if choice is None or choice.player != self.seat:
            raise Refused(self._misunderstood(line, choice))
        orders = self._orders(state)
        if line.lstrip("-").isdigit() and fitting(line, orders.known(), orders.names)[0] < PART:
            raise Refused(phrase(self.language, "no option", number=line[:20], count=len(choice)))
        meaning = understood(orders.question, orders.names, orders.known(), line, self._picked)
        if self._picked and isinstance(meaning, WhyNot | NotUnderstood):
            again = understood(orders.question, orders.names, orders.known(), line)
            meaning = again if isinstance(again, Play | Select | AskBack) else meaning
        if isinstance(meaning, WhyNot | NotUnderstood) and self._in_one_line(line, choice, orders, meaning):
            return True
        match meaning:
            case Play(o):
                option = choice.options[o]
                self._warn(option)
                self._take(option, sure=True)
            case Select(picked, _):
                self._picked = picked
                if not self.terminal:
                    self._question(state)
                elif not self.plain and self._marks(state):
                    self._board(state)
            case AskBack(word, names):
                told = ", ".join(map(orders.placed, names))
                raise Refused(phrase(self.language, "several fit", word=word, names=told))
            case WhyNot(things, act):
                self._reasons(list(things), act)
            case NotUnderstood():
                if not self._refusals.told_of_act(line):
                    raise Refused(self._misunderstood(line, choice))
            case _:
                assert_never(meaning)
        return True

    def _one_by_one(self, line: str, choice: Choice | None) -> bool:
        """Whether a line is several answers to what is asked one after the other: `4/12, 4/22, .`.

        All are read as the question stands now, so that the numbers are those of its list.
        """
        parts = [part.strip() for part in line.split(",")]
        asked = choice is not None and choice.sort != "offer" and choice.player == self.seat
        if choice is None or not asked or len(parts) < 2 or not all(parts):
            return False
        answers = [None if self._is_done(part) else self._answer(choice, part) for part in parts]
        whose, luck = (choice.rule, choice.player), self.session.state.rng
        for number, (part, answer) in enumerate(zip(parts, answers, strict=True)):
            now = self.session.state.choice
            still = now is not None and (now.rule, now.player, now.sort != "offer") == (*whose, True)
            if now is None or not still or self.session.state.rng != luck:
                if number == len(parts) - 1 and answer is None:
                    return True  # it has ended by itself
                raise Refused(phrase(self.language, "left over", names=", ".join(parts[number:])))
            keys = {option.key: option for option in now.options}
            option = keys.get(answer.key) if answer is not None else self._meant(now, part)
            if option is None:
                raise Refused(self._refusals.no_answer(now, part.split()))
            self._take(option, sure=True)
        return True

    def _answer(self, choice: Choice, part: str) -> Option:
        """The option that one of several answers means."""
        option = self._meant(choice, part)
        if option is None:
            meaning = meant(part.split(), self._orders(self.session.state))
            option = choice.options[meaning.o] if isinstance(meaning, Play) else None
        if option is None:
            raise Refused(self._refusals.no_answer(choice, part.split()))
        return option

    def _in_one_line(
        self, line: str, choice: Choice, orders: Orders, meaning: WhyNot | NotUnderstood
    ) -> bool:
        """Whether a line is an action with what it asks next, or repeats the action that is asked about.

        What is asked next is looked at first: an action whose next answer would not do is not begun.
        """
        words = line.split()
        if choice.sort != "offer":
            asked = choice.prompt.casefold()
            for count in range(1, len(words)):
                answer = meant(words[count:], orders)
                if words[count - 1].casefold() in asked and isinstance(answer, Play):
                    self._take(choice.options[answer.o], sure=True)
                    return True
            return False
        begun = self._refusals.begun(words)
        if begun is None:
            return False
        if isinstance(begun.answer, Play):
            self._take(begun.option, sure=True)
            now = self.session.state.choice
            assert now is not None and len(now) == len(begun.asked)
            self._take(now.options[begun.answer.o], sure=True)
            return True
        if begun.unnamed and isinstance(meaning, WhyNot):
            # Who was named is another than the one who would do it.
            told = self._refusals.reasons(list(meaning.things), begun.option.action or "")
            for text in told:
                self._say(text)
            if told:
                return True
        if begun.asked.sort == "offer" or isinstance(begun.answer, NotUnderstood):
            return False
        raise Refused(self._refusals.no_answer(begun.asked, begun.rest, begun.after))

    def _reasons(self, things: list[str], act: str) -> None:
        choice = self.session.state.choice
        if choice is not None and choice.sort != "offer":
            # What was named is meant as an answer; what it could do at another time is not what was asked.
            reason = not_offered(Seen(self.session.state.copy(), self.seat or ""), list(things))
            if reason is None:
                raise Refused(self._refusals.no_answer(choice, things[-1:]))
            self._say(phrase(self.language, "bare reason", text=reason.text, rule=reason.rule))
            return
        for line in self._refusals.reasons(things, act) or [phrase(self.language, "no reason")]:
            self._say(line)

    def _misunderstood(self, line: str, choice: Choice | None) -> str:
        if choice is None:
            return phrase(self.language, "finished")
        commands = (command_word(command, self.language) for command in COMMAND_WORDS)
        known = [*(option.label for option in choice.options), *commands]
        advice = did_you_mean(line, known, self.language)
        advice = advice or did_you_mean(line.split(" ")[0], self._refusals.acts(), self.language)
        key = "did you mean" if advice else "no such input"
        return phrase(self.language, key, line=line[:200], advice=advice)

    def _command(self, command: str, rest: str) -> bool:
        """Does what a command says; what only tells something may be broken off, and the game goes on."""
        if command not in _TELLING:
            return self._carried_out(command, rest)
        try:
            return self._carried_out(command, rest)
        except KeyboardInterrupt:
            tell()
            raise Refused(phrase(self.language, "interrupted")) from None

    def _carried_out(self, command: str, rest: str) -> bool:
        match command:
            case "quit":
                return False
            case "help":
                tell(help_text(self.language, self._refusals.example()))
            case "board" if self.plain:
                self._board(self.session.state)
            case "board":
                self._whole_board(rest.casefold() in ALL_WORDS)
            case "show":
                self._enquiry.show(self._needed(command, rest, "a thing"), _width())
            case "try":
                self._enquiry.try_out(rest)
            case "pieces":
                self._enquiry.pieces(rest.casefold() in ALL_WORDS)
            case "look":
                self._enquiry.look(self._needed(command, rest, "a thing"))
            case "hint":
                self._hint()
            case "brief":
                self.brief()
            case "legend":
                self._legend()
            case "around":
                self._around(self._needed(command, rest, "a thing"))
            case "why":
                self._enquiry.why(rest)
            case "rule":
                self._enquiry.rule(self._needed(command, rest, "a rule"))
            case "log":
                self._enquiry.log(self._number(rest, _LOG_LINES))
            case "undo":
                self._undo(self._number(rest, 1))
            case "redo":
                self._redo(self._number(rest, 1))
            case "save":
                self.save(self._needed(command, rest, "a file"))
            case "load":
                self._load(self._needed(command, rest, "a file"))
        return True

    def _hint(self) -> None:
        choice = self.session.state.choice
        found = hints(Seen(self.session.state.copy(), self.seat or ""))
        for hint in found:
            why, name = hint["why"], hint["text"]
            if choice is not None and self._grouped(choice):
                # What is listed piece by piece has no numbers, and is typed as it reads here.
                name = f"`{name}`"
            elif choice is not None:
                name = f"{handles(choice)[hint['o']]}) {name}"
            self._say(phrase(self.language, "advice", text=name, why=why) if why else name)
        if not found:
            raise Refused(phrase(self.language, "no hint"))

    def _legend(self) -> None:
        state = self.session.state
        lines = Places(self._book, self._seen(state), self.language).legend()
        if not self.plain:
            drawing = self._drawing(state)
            # What is cut off depends on how much of the map is shown.
            cut = {**dict(drawing.cut_names()), **dict(replace(drawing, about=self._about).cut_names())}
            told = (*drawing.sides(), *cut.items())
            lines += [phrase(self.language, "legend", sign=sign, name=name) for sign, name in told]
        for line in lines or [phrase(self.language, "no legend")]:
            self._say(line)

    def _around(self, word: str) -> None:
        """What lies next to a space, or to the space of a piece."""
        game, state = self.opened.game, self.session.state
        places = Places(self._book, self._seen(state), self.language)
        ident = self._refusals.visible(word, placed=True)
        thing = places.table["things"].get(ident)
        space = thing["at"] if thing is not None else ident
        number = game.place_number.get(space, -1)
        if not 0 <= number < len(game.spaces):
            raise Refused(phrase(self.language, "no thing", name=word[:200]))
        board = game.board
        steps = {name: board.step[name][number] for name in board.DIRECTIONS}
        near = {name: game.place_ids[other] for name, other in steps.items() if other >= 0}
        linked = [game.place_ids[other] for other in board.neighbour_list[number]]
        for line in places.around(space, near, [other for other in linked if other not in near.values()]):
            self._say(line)

    @property
    def _refusals(self) -> Refusals:
        return Refusals(self.opened.game, self.session.state, self.seat, self.language, self._orders)

    @property
    def _enquiry(self) -> Enquiry:
        here = self.opened.game, self.session.state, self.seat, self.language
        return Enquiry(*here, self.opened, self._refusals)

    def _needed(self, command: str, rest: str, what: str) -> str:
        if not rest:
            word, told = command_word(command, self.language), phrase(self.language, what)
            raise Refused(phrase(self.language, "needs", command=word, what=told))
        return rest

    def _number(self, word: str, default: int) -> int:
        if not word:
            return default
        # Nobody means more digits, and some thousand of them would not become a number.
        if not word.isascii() or not word.isdigit() or len(word) > 9 or int(word) == 0:
            raise Refused(phrase(self.language, "not a number", word=word[:40]))
        return int(word)

    # ------------------------------------------------------------ back and forth

    def _undo(self, count: int) -> None:
        """Takes back so many choices of humans, with all that machines chose after them."""
        made = self.session.choices
        state = self.opened.game.start(self.session.seed)
        human = []
        for number, index in enumerate(made):
            if self._decides(state):
                human.append(number)
            state.take(index)
        if not human:
            raise Refused(phrase(self.language, "nothing to undo"))
        if count > len(human):
            raise Refused(phrase(self.language, "undo fewer", count=len(human)))
        steps, luck = len(made) - human[-count], self.session.state.rng
        self.session.undo(steps)
        self.keeper.went(-steps, self.session)
        self._moved()
        self._tell_undone(made[len(made) - steps], count, self.session.state.rng != luck)

    def _tell_undone(self, index: int, count: int, luck: bool) -> None:
        """What was taken back; of somebody who hides it from whoever sits here now, nothing.

        `luck`: chance had a say in it, and will have the same.
        """
        choice = self.session.state.choice
        if choice is None or (has_secrets(self.opened.game) and self._seated != choice.player):
            return
        option = next((one.label for one in choice.options if one.index == index), "")
        key = "undone" if count == 1 else "undone several"
        told = phrase(self.language, key, option=option, count=count)
        self._say(phrase(self.language, "same dice", told=told) if luck else told)

    def _redo(self, count: int) -> None:
        if not self.session.undone:
            raise Refused(phrase(self.language, "nothing to redo"))
        before = self.session.undone
        for _ in range(count):
            self._redo_one()
        self.keeper.went(before - self.session.undone, self.session)
        self._moved()

    def _redo_one(self) -> None:
        """One choice, and those of the machines that follow."""
        if self.session.undone:
            self.session.redo()
        while self.session.undone and not self._decides(self.session.state):
            self.session.redo()

    def _moved(self) -> None:
        """After a jump everybody has read what lies before it; the board tells the rest."""
        state = self.session.state
        for key, (count, _) in self._told.items():
            story = self._new_story()
            read = entries_since(state, 0, key or None)[:count]
            # Told once more to nobody, so that the story knows where it stands.
            for _ in story.lines(read, state, key or None):
                pass
            self._told[key] = (len(read), story)
        self.unsaved = self._stale = True

    # ------------------------------------------------------------ keeping

    def save(self, path: str) -> None:
        """Writes the game to a file; one that another process has written to meanwhile is left alone."""
        known = self.stamps.get(os.path.abspath(path))
        if known is not None and fingerprint(path) != known and os.path.lexists(path):
            self._say(phrase(self.language, "changed meanwhile", path=path))
            path = beside(path)
        try:
            self._write(path)
        except BadSave as problem:
            raise Refused(save_diagnostic(problem, self.language).message) from problem
        self.stamp(path)
        self.unsaved = False
        self.file = path
        self._say(phrase(self.language, "saved", path=path))

    def stamp(self, path: str) -> None:
        """Remembers what a file holds, so that a change by another process is noticed."""
        self.stamps[os.path.abspath(path)] = fingerprint(path)

    def record(self) -> Save:
        """The game as it stands."""
        players = {name: kind for name, kind in self.kinds.items() if kind != HUMAN}
        return self.opened.save(self.session.seed, self.session.choices, players)

    def _write(self, path: str) -> None:
        """The game, with the games of its campaign that came before it."""
        if self.before is None:
            write_save(path, self.record())
        else:
            write_campaign(path, replace(self.before, games=(*self.before.games, self.record())))

    def _load(self, path: str) -> None:
        try:
            save = read_save(path)
        except BadSave as problem:
            raise Refused(save_diagnostic(problem, self.language).message) from problem
        self.session = resumed(self.opened, save, path, self.language)
        self._so_far.clear()
        self.keeper.leave_alone()
        self.file = path
        self.stamp(path)
        self._told.clear()
        self.unsaved, self._stale = False, True
        self._untold = recap_start(self.session.state)
        choices = counted(self.language, "choices", len(save.choices))
        self._say(phrase(self.language, "loaded", path=path, choices=choices))

    def keep(self) -> None:
        """Puts an unfinished game where it will be found again, and says where."""
        if not self.unsaved or self.session.state.over:
            return
        if self.keeper.writer is None:
            self.keeper.begin(self.session)
        if self.keeper.writer is not None:
            self._say(phrase(self.language, "kept as", name=self.keeper.writer.path.stem))
            return
        for path in places_to_keep(self.opened.game.scenario.name, self.file):
            try:
                self._write(path)
            except BadSave as problem:
                self._say(
                    phrase(
                        self.language, "lost place", reason=save_diagnostic(problem, self.language).message
                    )
                )
                continue
            self._say(phrase(self.language, "kept", path=path))
            return


def _height() -> int:
    return shutil.get_terminal_size((100, 24)).lines


def _width() -> int:
    return shutil.get_terminal_size((100, 24)).columns


def _wipe_screen() -> None:
    """Leaves nothing on the screen, above it, or in the history that the arrow keys bring back."""
    clear_screen()
    editing = _line_editing()
    if editing is not None:
        editing.clear_history()


def _line_editing() -> Any:
    """Arrow keys and a history of what was typed, where Python has them."""
    try:
        return import_module("readline")
    except ImportError:
        return None
