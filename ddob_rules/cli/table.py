"""From lines that somebody types to a game that is played: shows the position, asks, and obeys.

It works the same at a terminal and in a pipe; only a terminal is cleared between two players who must not see
each other's secrets. Who plays is decided elsewhere.
"""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass, field
from importlib import import_module
from io import TextIOWrapper

import click

from ddob_rules.cli.answers import Refused, chosen, in_columns, listed
from ddob_rules.cli.board import Drawing
from ddob_rules.cli.enquiry import Enquiry
from ddob_rules.cli.focus import places_asked_about
from ddob_rules.cli.games import HUMAN, Opened, automatic_choice, failure_diagnostic, save_diagnostic
from ddob_rules.cli.keeping import places_to_keep, resumed
from ddob_rules.cli.output import harmless, in_colour, print_diagnostics
from ddob_rules.cli.phrases import COMMAND_WORDS, counted, help_text, phrase
from ddob_rules.cli.story import Story, entries_since, has_secrets
from ddob_rules.spelling import did_you_mean
from interpreter.choice import Choice, Option
from interpreter.failures import RuleFailure
from interpreter.saves import BadSave, Save, read_save, write_save
from interpreter.session import Session
from interpreter.showing import Showing
from interpreter.state import State

# So many lines of the journal are shown unless more are asked for.
_LOG_LINES = 20


@dataclass(slots=True)
class Table:
    """One game, those who sit at it, and what each of them has been told."""

    opened: Opened
    session: Session
    kinds: dict[str, str]
    terminal: bool
    language: str = "en"
    file: str = ""  # the save that the game came from
    ask_always: bool = False  # also where there is but one option
    unsaved: bool = False
    _stale: bool = True
    _about: frozenset[str] = frozenset()  # the places that the last question about any was about
    _told: dict[str, tuple[int, Story]] = field(default_factory=dict)  # seat -> journal entries it has read
    _seated: str = ""

    # ------------------------------------------------------------ playing

    def play(self) -> None:
        """Plays until the end of the input, or until somebody leaves. A keyboard interrupt goes through."""
        if isinstance(sys.stdin, TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")
        if self.terminal:
            _line_editing()
        while True:
            state = self.session.state
            if not state.over and not self._decides(state):
                self._automatic(state)
                continue
            try:
                self._show(state)
                if state.over and HUMAN not in self.kinds.values():
                    return
                line = self._read()
            except EOFError:
                click.echo()
                return
            try:
                if not self._obey(line.strip()):
                    return
            except Refused as refusal:
                self._say(str(refusal))

    def _kind(self, state: State) -> str:
        return self.kinds[state.game.player_name(state.player)]

    def _decides(self, state: State) -> bool:
        """Whether a human has something to decide: the only option there is takes itself."""
        return self._kind(state) == HUMAN and (self.ask_always or len(state.options) > 1)

    def _automatic(self, state: State) -> None:
        kind = self._kind(state)
        self._take(0 if kind == HUMAN else automatic_choice(state, kind, self.session.seed))

    def _take(self, option: Option | int) -> None:
        try:
            self.session.apply(option)
        except RuleFailure as failure:
            print_diagnostics([failure_diagnostic(failure, self.language)], language=self.language)
            if self._kind(self.session.state) != HUMAN:
                raise click.exceptions.Exit(1) from failure
            self.ask_always = self._stale = True  # so that it can be taken back even if it is the only option
            return
        self.unsaved = self._stale = True

    def _read(self) -> str:
        if self.terminal:
            return input("> ")
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        # A transcript of a pipe is readable only with what was typed.
        click.echo(f"> {harmless(line.rstrip())}")
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
        self._news(state, seat)
        click.echo()
        self._board(state)
        if state.over:
            self._result(state)
        else:
            self._question(state)

    def _hand_over(self, before: str, seat: str) -> None:
        """Nobody reads the screen of another: only where there are secrets, and a screen."""
        if not self.terminal or not before or before == seat or not has_secrets(self.opened.game):
            return
        click.clear()
        input(phrase(self.language, "hand over", player=self._player_title(seat)) + " ")
        click.clear()

    def _news(self, state: State, seat: str | None) -> None:
        key = (seat or "") if has_secrets(self.opened.game) else ""
        count, story = self._told.get(key) or (0, Story(self.opened.game, self.language))
        entries = entries_since(state, count)
        self._told[key] = (count + len(entries), story)
        for line in story.lines(entries, state, seat):
            click.echo(line)

    def _board(self, state: State, whole: bool = False) -> None:
        """The board as the seat sees it: of a big map the part that the question is about, or all of it."""
        game = self.opened.game
        view = game.view(state, self.seat)
        if not whole:
            self._about = places_asked_about(view, state.choice) or self._about
        about = None if whole else self._about
        drawing = Drawing(
            game, view, _width(), in_colour(), self.language, Showing(game, state, self.seat), about
        )
        for line in drawing.lines():
            click.echo(line, color=in_colour())

    def _result(self, state: State) -> None:
        text = entries_since(state, 0)[-1].text
        assert state.result is not None
        reason = f": {state.result[1]}" if state.result[1] else ""
        click.echo()
        self._say(phrase(self.language, "over", text=text + reason), bold=True)

    def _question(self, state: State) -> None:
        choice = state.choice
        assert choice is not None
        player = self._player_title(choice.player)
        click.echo()
        turn = self.opened.game.names.text("turn").format(new=state.turn)
        prompt = self._phase_of(state) if choice.sort == "offer" else choice.prompt
        asked = phrase(
            self.language, "asks", turn=turn, player=player, prompt=prompt or choice.prompt, rule=choice.rule
        )
        self._say(asked[:1].upper() + asked[1:], bold=True)
        for line in in_columns(listed(choice), _width()):
            click.echo(line)

    def _phase_of(self, state: State) -> str:
        """The phase, if it is gone through for something else than players: then its title is not enough."""
        link = state.happened
        while link is not None and link[0][1] != "phase":
            link = link[1]
        each = link[0][2] if link is not None else ()
        if link is None or not isinstance(each, tuple) or any(key == "enum player" for key, _ in each):
            return ""
        return self.opened.game.names.entry(0, link[0]).text

    def _player_title(self, name: str) -> str:
        players = self.opened.game.players
        return self.opened.game.names.shown(players.index(name), "enum player") if name in players else name

    def _say(self, text: str, bold: bool = False) -> None:
        shown = harmless(text)
        click.echo(click.style(shown, bold=True) if bold and in_colour() else shown, color=in_colour())

    # ------------------------------------------------------------ obeying

    def _obey(self, line: str) -> bool:
        """Does what a line says; false if it says to leave."""
        choice = self.session.state.choice
        if choice is not None and not line.startswith("/"):
            option = chosen(choice, line, self.language)
            if option is not None:
                self._take(option)
                return True
        if not line:
            return True
        word, _, rest = line.removeprefix("/").partition(" ")
        command = next((name for name, words in COMMAND_WORDS.items() if word.casefold() in words), None)
        if command is None:
            raise Refused(self._misunderstood(line, choice))
        return self._command(command, rest.strip())

    def _misunderstood(self, line: str, choice: Choice | None) -> str:
        if choice is None:
            return phrase(self.language, "finished")
        known = [*(option.label for option in choice.options), *COMMAND_WORDS]
        advice = did_you_mean(line, known, self.language)
        key = "did you mean" if advice else "no such input"
        return phrase(self.language, key, line=line[:200], advice=advice)

    def _command(self, command: str, rest: str) -> bool:
        match command:
            case "quit":
                return False
            case "help":
                click.echo(help_text(self.language, self._enquiry.example()))
            case "board":
                self._board(self.session.state, whole=True)
            case "show":
                self._enquiry.show(self._needed(command, rest, "a thing"), _width())
            case "try":
                self._enquiry.try_out(self._number(rest, 0))
            case "pieces":
                self._enquiry.pieces()
            case "look":
                self._enquiry.look(self._needed(command, rest, "a thing"))
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

    @property
    def _enquiry(self) -> Enquiry:
        return Enquiry(self.opened, self.session.state, self.seat, self.language)

    def _needed(self, command: str, rest: str, what: str) -> str:
        if not rest:
            raise Refused(phrase(self.language, "needs", command=command, what=phrase(self.language, what)))
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
        self.session.undo(len(made) - human[-min(count, len(human))])
        self._moved()

    def _redo(self, count: int) -> None:
        if not self.session.undone:
            raise Refused(phrase(self.language, "nothing to redo"))
        for _ in range(count):
            self._redo_one()
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
        entries = entries_since(state, 0)
        for key, (count, _) in self._told.items():
            story = Story(self.opened.game, self.language)
            read = entries[:count]
            # Told once more to nobody, so that the story knows where it stands.
            for _ in story.lines(read, state, key or None):
                pass
            self._told[key] = (len(read), story)
        self.unsaved = self._stale = True

    # ------------------------------------------------------------ keeping

    def save(self, path: str) -> None:
        """Writes the game to a file."""
        try:
            write_save(path, self._record())
        except BadSave as problem:
            raise Refused(save_diagnostic(problem, self.language).message) from problem
        self.unsaved = False
        self.file = path
        self._say(phrase(self.language, "saved", path=path))

    def _record(self) -> Save:
        players = {name: kind for name, kind in self.kinds.items() if kind != HUMAN}
        return self.opened.save(self.session.seed, self.session.choices, players)

    def _load(self, path: str) -> None:
        try:
            save = read_save(path)
        except BadSave as problem:
            raise Refused(save_diagnostic(problem, self.language).message) from problem
        self.session = resumed(self.opened, save, path, self.language)
        self.file = path
        self._told.clear()
        self.unsaved, self._stale = False, True
        choices = counted(self.language, "choices", len(save.choices))
        self._say(phrase(self.language, "loaded", path=path, choices=choices))

    def keep(self) -> None:
        """Puts an unfinished game where it will be found again, and says where."""
        if not self.unsaved or self.session.state.over:
            return
        save = self._record()
        for path in places_to_keep(self.opened.game.scenario.name, self.file):
            try:
                write_save(path, save)
            except BadSave as problem:
                self._say(
                    phrase(
                        self.language, "lost place", reason=save_diagnostic(problem, self.language).message
                    )
                )
                continue
            self._say(phrase(self.language, "kept", path=path))
            return


def _width() -> int:
    return shutil.get_terminal_size((100, 24)).columns


def _line_editing() -> None:
    """Arrow keys and a history of what was typed, where Python has them."""
    try:
        import_module("readline")
    except ImportError:
        return
