"""A game that is played at a table: answers, computers, undo, and the diary that has all of it on disk.

Nothing here waits or knows a network: calls run in a thread of their own, one after the other. Every choice
is on the disk before anybody is told of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakKeyDictionary

from ddob_rules.cli.games import HUMAN, Opened, automatic_choice
from ddob_rules.serve.campaigns import Under
from ddob_rules.serve.words import word
from interpreter.compiler.blocks import DONE
from interpreter.failures import BadChoice, RuleFailure
from interpreter.ir import PLAYER
from interpreter.machine.game import Game
from interpreter.machine.state import State
from interpreter.records.diaries import Taken, Writer, unseal
from interpreter.records.saves import offered
from interpreter.records.session import Session
from interpreter.table import Describing, book_of, open_spaces, table_of
from interpreter.table.asking import length_of
from interpreter.table.at_once import is_asked_at_once, positions_ahead, same_round
from interpreter.table.question import option_number
from interpreter.table.seen import Seen
from interpreter.table.story import story_of
from interpreter.telling.facts import Changed, Journal, Moved, newest_first

# More lines of the story than this are not sent at once.
_STORY = 80
#: By game and seat, what was described at the table that was opened last.
_DESCRIBING: WeakKeyDictionary[Game, dict[str, Describing]] = WeakKeyDictionary()


class No(Exception):
    """A wish that cannot be fulfilled, in words for the one who has it."""


@dataclass(slots=True)
class Step:
    """What is known of a choice besides itself, for undo: who made it, and why it stands."""

    player: str
    decided: bool  # somebody thought about it: it was no only option, and no computer's
    settled: str  # chance, revealed, or nothing
    length: int  # of the journal after it
    asked: int  # which question of the rules it answered
    taken: str = ""  # what was chosen, where several things are chosen one by one


@dataclass(frozen=True, slots=True)
class _Before:
    """What a position was like before a choice."""

    player: str
    decided: bool
    rng: int
    happened: Any
    asked: int
    taken: str


@dataclass(slots=True)
class Page:
    """What a seat was last told: its table, the whole story so far, and the journal it was made of."""

    table: dict[str, Any]
    story: list[dict[str, Any]]
    n: int
    epoch: int
    journal: Journal


@dataclass(frozen=True, slots=True)
class Vote:
    """Somebody asks to take back more than is free: to which choice, and who has agreed."""

    by: str
    to: int
    agreed: frozenset[str]


class Playing:
    """One game. `n` rises with every change; `epoch` when the past has changed, so that news do not do."""

    def __init__(
        self,
        ident: str,
        opened: Opened,
        session: Session,
        writer: Writer | None,
        kinds: dict[str, str],
        under: Under | None = None,
        sealed: Mapping[str, Sequence[Taken]] | None = None,
    ) -> None:
        self.ident = ident
        self.under = under  # the campaign that the game is one of
        self.opened = opened
        self.session = session
        self.writer = writer
        self.kinds = kinds
        self.book = book_of(opened.game, opened.language)
        self.n = len(session.choices)
        self.epoch = 0
        self.note = ""
        self.failure = ""
        self.vote: Vote | None = None
        self.steps: list[Step] = []
        #: By seat, answers to what is asked of all at once that the rules have not come to yet.
        self.sealed = {seat: list(answers) for seat, answers in (sealed or {}).items()}
        self._posed: dict[str, tuple[object, int]] = {}
        self.pages: dict[str, Page] = {}
        self._describing: dict[str, Describing] = {}
        self._open_spaces = open_spaces(opened.game)
        self._remember()
        self._keep_what_is_asked()

    @property
    def state(self) -> State:
        return self.session.state

    @property
    def people(self) -> tuple[str, ...]:
        """The seats of persons."""
        return tuple(seat for seat in self.opened.game.seats if self.kinds[seat] == HUMAN)

    # ------------------------------------------------------------ going on

    def answer(self, seat: str, question: int, number: int) -> None:
        """Takes an answer of a seat; where all are asked at once, the rules may come to it later."""
        position = self.position(seat)
        if position.choice is None or position.choice.player != seat:
            raise No(word(self.opened.language, "not asked"))
        if question != self._number_of(seat, position):
            raise No(word(self.opened.language, "late"))
        option = option_number(Seen(position, seat), number)
        if option is None:
            raise No(word(self.opened.language, "no such answer"))
        if position is self.state:
            self.take(option)
        else:
            taken = Taken(key=offered(position)[option], option=option)
            self._seal(seat, [*self.sealed.get(seat, ()), taken])

    def position(self, seat: str) -> State:
        """The position as it is, or one in which a seat is asked before the rules come to it."""
        ahead, given = self._ahead(seat), self.sealed.get(seat, ())
        return ahead[-1] if len(ahead) > len(given) else self.state

    def _ahead(self, seat: str) -> list[State]:
        """Where a person is asked already: before each of the answers that are sealed, and after them."""
        if seat not in self.people:
            return []
        options = [taken.option for taken in self.sealed.get(seat, ())]
        return positions_ahead(self.state, self.opened.game.players.index(seat), options)

    def asked(self) -> list[str]:
        """The seats that have something to answer now."""
        state = self.state
        if state.choice is None:
            return []
        now = state.game.player_name(state.player)
        return [
            seat for seat in self.opened.game.seats if seat == now or self.position(seat) is not self.state
        ]

    def _keep_what_is_asked(self) -> None:
        """Of what was sealed when the game was kept, what is asked in this round."""
        for seat, answers in self.sealed.items():
            asked = zip(self._ahead(seat) or [self.state], answers, strict=False)
            if not is_asked_at_once(self.state) or not all(
                _fits(position, taken) for position, taken in asked
            ):
                answers.clear()

    def _number_of(self, seat: str, position: State) -> int:
        """The number of a question: another for each, the same as long as only others answer theirs."""
        if not is_asked_at_once(position):
            return self.n
        asked = (position.ask, tuple(position.options), self.epoch)
        if seat not in self._posed or self._posed[seat][0] != asked:
            self._posed[seat] = (asked, self.n)
        return self._posed[seat][1]

    def _seal(self, seat: str, answers: list[Taken]) -> None:
        """Keeps what a seat has answered until the rules come to it."""
        self.sealed[seat] = answers
        if self.writer is not None:
            self.writer.sealed(seat, answers, self.state)
        self._posed.pop(seat, None)
        self.n += 1
        self.note = ""

    def _open(self, player: str, key: str, before: State) -> None:
        """What was taken is sealed no more; nor is anything, once all have answered."""
        unseal(self.sealed.get(player, []), key)
        if not same_round(before, self.state):
            self.sealed.clear()

    def given(self) -> int | None:
        """What is known to be answered next: what was sealed, or the only answer; None if neither is."""
        state = self.state
        if len(state.options) == 1:
            return 0
        seat = state.game.player_name(state.player)
        for taken in self.sealed.get(seat, ())[:1]:
            if _fits(state, taken):
                return taken.option
            self._seal(seat, [])  # the rules ask something else than they did
        return None

    def take(self, option: int, *, sure: bool = True) -> None:
        """Takes an option and writes it down; if not `sure`, `make_sure` before anybody is told of it."""
        state = self.state
        keys = offered(state)
        before, asked_before = self._before(option), state.copy() if self.sealed else None
        try:
            self.session.apply(option)
        except (BadChoice, RuleFailure) as failure:
            self.failure = str(failure)
            raise No(str(failure)) from failure
        if self.writer is not None:
            self.writer.took(Taken(key=keys[option], option=option), self.state, sure=sure)
            self._close_campaign(self.writer)
        self.steps.append(self._step(before))
        if asked_before is not None:
            self._open(before.player, keys[option], asked_before)
        self._posed.pop(before.player, None)
        self.n += 1
        self.note = self.failure = ""
        self.vote = None  # the game has gone on

    @property
    def moment(self) -> tuple[int, int]:
        """Where the game is: the same as long as nothing was taken, or taken back."""
        return self.epoch, len(self.steps)

    def make_sure(self) -> None:
        """Returns when everything that was taken is on the disk."""
        if self.writer is not None:
            self.writer.make_sure()

    def _close_campaign(self, writer: Writer) -> None:
        """After the last game of a campaign nothing is to come."""
        if self.state.over and self.under is not None and "next" not in self.under.told(self.session):
            writer.campaign_over(self.state)

    def waits(self) -> bool:
        """Whether a person has to decide now; else the game goes on by itself, if it is not over."""
        state = self.state
        if state.over or self.failure:
            return True
        return self._kind() == HUMAN and self.given() is None

    def _kind(self) -> str:
        return self.kinds[self.opened.game.player_name(self.state.player)]

    def thinker(self) -> tuple[State, str, int] | None:
        """What a computer needs to choose; None if there is nothing to choose."""
        if self.given() is not None:
            return None
        return self.state.copy(), self._kind(), self.session.seed

    def _before(self, option: int) -> _Before:
        state = self.state
        player = state.game.player_name(state.player)
        return _Before(
            player,
            self._decides(),
            state.rng,
            state.happened,
            state.ask,
            _one_of_several(state, player, option),
        )

    def _decides(self) -> bool:
        return self._kind() == HUMAN and len(self.state.options) > 1

    def _step(self, before: _Before) -> Step:
        state, happened = self.state, before.happened
        settled = "chance" if state.rng != before.rng else "shown" if _reveals(state, happened) else ""
        length, link = self._length(), state.happened
        while link is not None and link is not happened:
            length, link = length + 1, link[1]
        return Step(before.player, before.decided, settled, length, before.asked, before.taken)

    def _length(self) -> int:
        """How many entries the journal has."""
        return self.steps[-1].length if self.steps else length_of(self.session.at(0))

    def _remember(self) -> None:
        """Goes through the choices so far once, for what is known of each of them."""
        choices, state = self.session.choices, self.session.at(0)
        now = self.session.state
        for option in choices:
            self.session.state = state
            before = self._before(option)
            state.take(option)
            self.steps.append(self._step(before))
        self.session.state = now

    # ------------------------------------------------------------ back and forth

    def back(self) -> tuple[int, str]:
        """The choice down to which undo is free, and why not further."""
        if not self.steps:
            return 0, ""
        last = next((step.player for step in reversed(self.steps) if step.decided), "")
        number = len(self.steps)
        while number:
            step = self.steps[number - 1]
            if step.settled:
                return number, word(self.opened.language, step.settled)
            if step.player != last:
                return number, word(self.opened.language, "another seat")
            number -= 1
        return 0, ""

    def undo(self, seat: str, to: int | None, *, alone: bool, held: frozenset[str] = frozenset()) -> None:
        """Takes back to a choice, or the last one that was decided; `alone`: nobody else is concerned.

        What is not free the others must agree to; `held` are the seats of the one who asks.
        """
        if to is None and self.sealed.get(seat):
            self._seal(seat, self.sealed[seat][:-1])
            return
        count = len(self.steps)
        decided = [number for number, step in enumerate(self.steps) if step.decided]
        if to is None:
            own = decided if alone else [number for number in decided if self.steps[number].player == seat]
            if not own:
                raise No(word(self.opened.language, "nothing to undo"))
            to = own[-1]
        if not 0 <= to < count:
            raise No(word(self.opened.language, "nothing to undo"))
        if to < self.back()[0] and not alone:
            self._ask_all(Vote(seat, to, held | {seat}))
            return
        self._go_back(seat, to)

    def _ask_all(self, vote: Vote) -> None:
        """Asks those who have not agreed; if all have, it is done."""
        if vote.agreed >= set(self.people):
            self._go_back(vote.by, vote.to)
            return
        self.vote = vote
        self.n += 1

    def cast(self, seat: str, agrees: bool, held: frozenset[str] = frozenset()) -> None:
        """An answer to a vote; one who asked takes it back by disagreeing."""
        vote = self.vote
        if vote is None or seat not in self.people:
            raise No(word(self.opened.language, "no vote"))
        if agrees:
            self._ask_all(replace(vote, agreed=vote.agreed | held | {seat}))
            return
        self.vote = None
        self.n += 1
        self.note = word(self.opened.language, "disagreed").format(player=self._title(seat))

    def _go_back(self, seat: str, to: int) -> None:
        count = len(self.steps)
        self.session.undo(count - to)
        if self.writer is not None:
            self.writer.went_back(count - to, self.state)
        del self.steps[to:]
        self._jumped(
            word(self.opened.language, "took back").format(player=self._title(seat), count=count - to)
        )

    def redo(self, seat: str) -> None:
        """Makes what was taken back again, up to the next decision."""
        if not self.session.undone:
            raise No(word(self.opened.language, "nothing to redo"))
        count = 0
        while self.session.undone and (count == 0 or not self._decides()):
            before = self._before(self.session.next_undone)
            self.session.redo()
            self.steps.append(self._step(before))
            count += 1
        if self.writer is not None:
            self.writer.went_forth(count, self.state)
            self._close_campaign(self.writer)
        self._jumped(word(self.opened.language, "made again").format(player=self._title(seat), count=count))

    def renew(self, opened: Opened, session: Session, note: str) -> None:
        """Goes on under other rules, as far as the game could be followed."""
        gone = len(self.session.choices) - len(session.choices)
        for seat in list(self.sealed):
            self._seal(seat, [])
        self.opened, self.session, self.pages, self.steps = opened, session, {}, []
        self._describing, self._open_spaces = {}, open_spaces(opened.game)
        self.book = book_of(opened.game, opened.language)
        self._remember()
        if self.writer is not None and gone > 0:
            self.writer.went_back(gone, self.state)
        self._jumped(note)

    def _jumped(self, note: str) -> None:
        self.n += 1
        self.epoch += 1
        self.note, self.failure, self.vote = note, "", None
        self.sealed, self._posed = {}, {}

    def _title(self, seat: str) -> str:
        game = self.opened.game
        return game.names.shown(game.players.index(seat), PLAYER) if seat in game.players else seat

    # ------------------------------------------------------------ telling

    def page(self, seat: str) -> Page:
        """What a seat sees now; made once for all who look."""
        known = self.pages.get(seat)
        if known is not None and (known.n, known.epoch) == (self.n, self.epoch):
            return known
        state = self.state
        table = table_of(
            self.position(seat),
            seat,
            book=self.book,
            story=False,
            spaces=self._same_spaces(),
            describing=self._describing_for(seat),
        )
        if known is not None and known.epoch == self.epoch:
            fresh = story_of(Seen(state, seat), known.table["told"], known.journal)
            story = [*known.story, *fresh]
        else:
            story = story_of(Seen(state, seat))
        told = self._length()
        if self.note:
            story = [*story, {"n": told, "what": "note", "text": self.note}]
        self._dress(table)
        table["story"], table["told"] = story[-_STORY:], told
        page = self.pages[seat] = Page(table, story, self.n, self.epoch, state.happened)
        return page

    def _describing_for(self, seat: str) -> Describing:
        """What was described for the seat last; at first, what was for that seat at another table."""
        if seat not in self._describing:
            game = self.opened.game
            others = _DESCRIBING.setdefault(game, {})
            others[seat] = self._describing[seat] = (
                others[seat].copy() if seat in others else Describing(game, self.book)
            )
        return self._describing[seat]

    def _same_spaces(self) -> dict[str, Any] | None:
        """The spaces as another seat was just told of them, if all see the same of them."""
        if not self._open_spaces:
            return None
        fresh = (page for page in self.pages.values() if (page.n, page.epoch) == (self.n, self.epoch))
        return next((page.table["spaces"] for page in fresh), None)

    def _dress(self, table: dict[str, Any]) -> None:
        """What the table of a position does not know: the game around it."""
        table["table"], table["n"] = self.ident, self.n
        table["choice"] = table["choices"] = len(self.steps)
        table["asked"] = self.asked()
        if self.under is not None:
            table["campaign"] = self.under.told(self.session)
        table["undone"] = self.session.undone
        to, why = self.back()
        table["back"] = {"to": to, "why": why}
        if not any(step.decided for step in self.steps):
            table["back"]["none"] = True
        if self.sealed.get(table["seat"]):
            table["back"] = {"to": len(self.steps) - 1, "why": ""}  # what is sealed can be opened again
        if self.vote is not None:
            table["vote"] = {
                "by": self.vote.by,
                "to": self.vote.to,
                "agreed": [seat for seat in self.people if seat in self.vote.agreed],
                "of": list(self.people),
            }
        if table["question"] is not None:
            table["question"]["q"] = self._number_of(table["seat"], self.position(table["seat"]))
            if table["question"]["sort"] in ("some", "order"):
                table["question"]["chosen"] = self._chosen(table["seat"])

    def _chosen(self, seat: str) -> list[str]:
        """What a seat has chosen before for the same question, where several things are chosen one by one.

        What others have chosen at once is sealed; what is on offer again answered an earlier question.
        """
        state, found = self.position(seat), list[str]()
        if state is not self.state:
            before = zip(self._ahead(seat), self.sealed.get(seat, ()), strict=False)
            return [_one_of_several(one, seat, taken.option) for one, taken in before if one.ask == state.ask]
        kind, seen = state.game.code.asks[state.ask].type, Seen(state, seat)
        offered = {seen.calling(value, kind) for value in state.options if value != DONE}
        for step in reversed(self.steps):
            if not step.taken or (step.asked, step.player) != (state.ask, seat) or step.taken in offered:
                break
            found.insert(0, step.taken)
        return found

    def at(self, seat: str, choice: int) -> dict[str, Any]:
        """The table of a seat after so many choices: it knows no more than it did then."""
        if not 0 <= choice <= len(self.steps):
            raise No(word(self.opened.language, "no such choice"))
        table = table_of(self.session.at(choice), seat, book=self.book)
        table.update({"table": self.ident, "past": True, "question": None, "choices": len(self.steps)})
        return table


def thought(state: State, kind: str, seed: int) -> int:
    """What a computer chooses."""
    return automatic_choice(state, kind, seed)


def _fits(position: State, taken: Taken) -> bool:
    """Whether an answer is one of those on offer."""
    keys = offered(position)
    return 0 <= taken.option < len(keys) and keys[taken.option] == taken.key


def _one_of_several(state: State, player: str, option: int) -> str:
    """What an option chooses, as the player's messages name it; empty where it is not one of several."""
    ask = state.game.code.asks[state.ask]
    value = state.options[option]
    if ask.sort not in ("some", "order") or value == DONE:
        return ""
    return Seen(state, player).calling(value, ask.type)


def _reveals(state: State, since: Any) -> bool:
    """Whether something was shown that somebody did not see before."""
    game = state.game
    for fact in newest_first(state.happened, since):
        match fact:
            case Changed(column=name, new=True) if game.columns[name].attribute == "face_up":
                return True
            case Moved(old=old):
                pile = game.pile_kind.get(old)
                if pile is not None and pile.seen is not None:
                    return True
    return False
