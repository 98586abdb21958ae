"""From lines that somebody types to a game that is played: shows the position, asks, and obeys.

It works the same at a terminal and in a pipe; only a terminal is cleared between two players who must not see
each other's secrets. Where a game is kept that was left early is decided here too; who plays is not.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path

import click

from ddob_rules.cli.board import Drawing, piece_lines, thing_lines
from ddob_rules.cli.games import HUMAN, Opened, automatic_choice, failure_diagnostic, save_diagnostic
from ddob_rules.cli.output import harmless, in_colour, print_diagnostics
from ddob_rules.cli.phrases import COMMAND_WORDS, NOT_WORDS, counted, help_text, phrase
from ddob_rules.cli.story import Discretion, Story, entries_since, has_secrets, place_of
from ddob_rules.differences import describe_difference
from ddob_rules.format import display_width
from ddob_rules.spelling import did_you_mean
from interpreter.choice import Choice, Option
from interpreter.failures import RuleFailure
from interpreter.replays import replay
from interpreter.saves import BadSave, Save, read_save, write_save
from interpreter.session import Session
from interpreter.state import State

# So many lines of the journal are shown unless more are asked for.
_LOG_LINES = 20


class Refused(Exception):
    """What was typed cannot be done; the text says why. Nothing has changed."""


@dataclass(slots=True)
class Table:
    """One game, those who sit at it, and what each of them has been told."""

    opened: Opened
    session: Session
    kinds: dict[str, str]
    terminal: bool
    language: str = "en"
    file: str = ""  # the save that the game came from
    unsaved: bool = False
    _stale: bool = True
    _told: dict[str, int] = field(default_factory=dict)  # seat -> journal entries that it has read
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
            if not state.over and self._kind(state) != HUMAN:
                self._automatic(state)
                continue
            self._show(state)
            if state.over and HUMAN not in self.kinds.values():
                return
            try:
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

    def _automatic(self, state: State) -> None:
        self._take(automatic_choice(state, self._kind(state), self.session.seed))

    def _take(self, option: Option | int) -> None:
        try:
            self.session.apply(option)
        except RuleFailure as failure:
            print_diagnostics([failure_diagnostic(failure, self.language)], language=self.language)
            if self._kind(self.session.state) != HUMAN:
                raise click.exceptions.Exit(1) from failure
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
        entries = entries_since(state, self._told.get(key, 0))
        self._told[key] = self._told.get(key, 0) + len(entries)
        for line in Story(self.opened.game, self.language).lines(entries, state, seat):
            click.echo(line)

    def _board(self, state: State) -> None:
        view = self.opened.game.view(state, self.seat)
        width = shutil.get_terminal_size((100, 24)).columns
        drawing = Drawing(self.opened.game, view, width, in_colour(), self.language)
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
        asked = phrase(self.language, "asks", player=player, prompt=choice.prompt, rule=choice.rule)
        self._say(asked, bold=True)
        for line in _in_columns(_listed(choice), shutil.get_terminal_size((100, 24)).columns):
            click.echo(line)

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
            option = _chosen(choice, line, self.language)
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
                click.echo(help_text(self.language, self._example()))
            case "board":
                self._board(self.session.state)
            case "pieces":
                view = self.opened.game.view(self.session.state, self.seat)
                click.echo("\n".join(piece_lines(self.opened.game, view, self.language)))
            case "look":
                self._look(self._needed(command, rest, "a thing"))
            case "why":
                self._why(rest)
            case "rule":
                self._rule(self._needed(command, rest, "a rule"))
            case "log":
                self._log(self._number(rest, _LOG_LINES))
            case "undo":
                self._undo(self._number(rest, 1))
            case "redo":
                self._redo(self._number(rest, 1))
            case "save":
                self.save(self._needed(command, rest, "a file"))
            case "load":
                self._load(self._needed(command, rest, "a file"))
        return True

    def _example(self) -> str:
        action = next(iter(self.opened.game.program.actions), None)
        if action is None:
            return "ACTION"
        return " ".join([action.name, *(parameter.name for parameter in action.parameters)])

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

    # ------------------------------------------------------------ asking why

    def _why(self, rest: str) -> None:
        first, _, more = rest.partition(" ")
        if not rest:
            self._why_asked()
        elif first.casefold() in NOT_WORDS:
            self._why_not(more)
        else:
            self._history(rest)

    def _why_asked(self) -> None:
        choice = self.session.state.choice
        if choice is None:
            raise Refused(phrase(self.language, "finished"))
        title = self._rule_title(choice.rule)
        place = place_of(choice.site)
        self._say(phrase(self.language, "asked by", rule=choice.rule, title=title, place=place))

    def _history(self, name: str) -> None:
        state = self.session.state
        thing = self._visible(name)
        discretion = Discretion(self.opened.game, state, self.seat)
        found = [(entry, discretion.text(entry)) for entry in state.why(thing)]
        lines = [
            f"{text} [{entry.rule}]  {place_of(entry.site)}" if entry.site is not None else text
            for entry, text in found
            if text
        ]
        for line in lines or [phrase(self.language, "no history", name=thing)]:
            self._say(line)

    def _visible(self, name: str) -> str:
        """The thing of this name that the seat can see."""
        view = self.opened.game.view(self.session.state, self.seat)
        counted_things = [value for values in view["each"].values() for value in values]
        known = [*view["pieces"], *view["spaces"], *view["piles"], *view["variables"], *counted_things]
        for thing in known:
            if thing.casefold() == name.casefold():
                return str(thing)
        advice = did_you_mean(name, known, self.language)
        told = phrase(self.language, "no thing", name=name[:200])
        raise Refused(f"{told}; {advice}" if advice else told)

    def _look(self, name: str) -> None:
        view = self.opened.game.view(self.session.state, self.seat)
        for line in thing_lines(self.opened.game, view, self._visible(name)):
            self._say(line)

    def _why_not(self, rest: str) -> None:
        state = self.session.state
        words = _words(rest)
        if not words:
            raise Refused(phrase(self.language, "needs", command="why not", what=self._example()))
        wanted = words[0].casefold()
        actions = self.opened.game.program.actions
        titles = {action.name: self.opened.game.names.action_title(action) for action in actions}
        action = next((n for n, title in titles.items() if wanted in (n.casefold(), title.casefold())), words[0])
        discretion = Discretion(self.opened.game, state, self.seat)
        for word in words[1:]:
            if not discretion.sees_piece(word):
                raise Refused(phrase(self.language, "not seen", name=word))
        refusal = state.why_not(action, *words[1:], player=self.seat)
        told = str(refusal) if refusal is not None else phrase(self.language, "allowed")
        if action not in titles:
            told = "; ".join(filter(None, (told, did_you_mean(action, titles, self.language))))
        self._say(told)

    def _rule_title(self, number: str) -> str:
        rule = next((rule for rule in self.opened.game.program.rules if rule.id == number), None)
        return self.opened.game.names.title(f"rule {number}", rule.title) if rule is not None else ""

    def _rule(self, number: str) -> None:
        rules = {rule.id: rule for rule in self.opened.game.program.rules}
        rule = rules.get(number)
        if rule is None:
            told, advice = phrase(self.language, "no rule", rule=number[:40]), did_you_mean(number, rules, self.language)
            raise Refused(f"{told}; {advice}" if advice else told)
        names = self.opened.game.names
        place = f"{rule.file}:{rule.line}"
        title = names.title(f"rule {rule.id}", rule.title)
        self._say(phrase(self.language, "rule place", rule=rule.id, title=title, place=place))
        text = names.title(f"rule {rule.id} text", rule.text)
        if text:
            self._say(f"  {text}")

    def _log(self, count: int) -> None:
        state = self.session.state
        story = Story(self.opened.game, self.language)
        lines = list(story.lines(entries_since(state, 0), state, self.seat))
        for line in lines[-count:] or [phrase(self.language, "no log")]:
            click.echo(line)

    # ------------------------------------------------------------ back and forth

    def _undo(self, count: int) -> None:
        """Takes back so many choices of humans, with all that machines chose after them."""
        made = self.session.choices
        state = self.opened.game.start(self.session.seed)
        human = []
        for number, index in enumerate(made):
            if self._kind(state) == HUMAN:
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
        while self.session.undone and self._kind(self.session.state) != HUMAN:
            self.session.redo()

    def _moved(self) -> None:
        """After a jump everybody has read what lies before it; the board tells the rest."""
        length = len(entries_since(self.session.state, 0))
        self._told = {key: min(count, length) for key, count in self._told.items()}
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
        for path in self._places():
            try:
                write_save(path, save)
            except BadSave as problem:
                self._say(phrase(self.language, "lost place", reason=save_diagnostic(problem, self.language).message))
                continue
            self._say(phrase(self.language, "kept", path=path))
            return

    def _places(self) -> list[str]:
        """The current folder, else the system's folder for such files. No other game is written over."""
        plain = re.sub(r"[^\w.-]+", "-", self.opened.game.scenario.name) or "game"
        found = []
        for folder in (Path(), Path(tempfile.gettempdir())):
            names = [f"ddob-{plain}.save.json", *(f"ddob-{plain}-{number}.save.json" for number in range(2, 1000))]
            own = os.path.abspath(self.file) if self.file else ""
            free = (n for n in names if not (folder / n).exists() or os.path.abspath(folder / n) == own)
            found.append(str(folder / next(free, names[0])))
        return found


def resumed(opened: Opened, save: Save, path: str, language: str) -> Session:
    """The game of a save, gone through to where it stood. Raises `Refused` if it is not a game of these rules."""
    game = opened.source
    theirs, ours = (save.ruleset, save.scenario), (game.program.name, opened.word)
    if save.ruleset != game.program.name or (save.scenario != opened.word and save.scenario_hash != game.scenario.hash):
        names = [f"{scenario} ({ruleset})" for ruleset, scenario in (theirs, ours)]
        raise Refused(phrase(language, "other game", path=path, theirs=names[0], ours=names[1]))
    found = replay(game, save, rules=opened.rules)
    told = ""
    if found.difference is not None:
        text = describe_difference(found.difference, len(save.choices), game.program, language=language)
        told = phrase(language, "other rules", path=path, text=text)
    if found.stopped is not None or found.state is None:
        raise Refused(told)
    if told:
        click.echo(harmless(told), err=True)
    return Session(opened.game, save.seed, found.state.choices)


# ---------------------------------------------------------------- options


def _handles(choice: Choice) -> list[str]:
    """What is typed for each option: its number, or the number that it is."""
    if choice.sort == "number":
        return [option.label for option in choice.options]
    return [str(number) for number in range(1, len(choice) + 1)]


def _listed(choice: Choice) -> list[str]:
    handles = _handles(choice)
    widest = max((len(handle) for handle in handles), default=0)
    pairs = zip(handles, choice.options, strict=True)
    return [
        handle if handle == option.label else f"{handle:>{widest}}) {harmless(option.label)}"
        for handle, option in pairs
    ]


def _chosen(choice: Choice, line: str, language: str) -> Option | None:
    """The option that a line means, or None if it means none."""
    options = choice.options
    if not line:
        return options[0] if len(options) == 1 else None
    handles = _handles(choice)
    if line in handles:
        return options[handles.index(line)]
    wanted = line.casefold()
    for texts in ([option.key for option in options], [option.label for option in options]):
        found = [option for option, text in zip(options, texts, strict=True) if text.casefold() == wanted]
        if len(found) == 1:
            return found[0]
    if line.lstrip("-").isdigit():
        raise Refused(phrase(language, "no option", number=line[:20], count=len(options)))
    return None


def _in_columns(texts: Sequence[str], width: int) -> list[str]:
    """Texts side by side, read down the columns, as many as fit."""
    if not texts:
        return []
    widest = max(map(display_width, texts)) + 3
    # A short list is easier to read as a list.
    columns = max(1, (width - 2) // widest) if len(texts) > 4 else 1
    height = -(-len(texts) // columns)
    lines = []
    for row in range(height):
        cells = texts[row::height]
        lines.append("  " + "".join(cell + " " * (widest - display_width(cell)) for cell in cells).rstrip())
    return lines


def _words(text: str) -> list[str]:
    """`mark(a1, b2)` and `mark a1 b2` are the same; quotes hold names with blanks together."""
    try:
        return shlex.split(re.sub(r"[(),]", " ", text))
    except ValueError:
        return text.split()


def _line_editing() -> None:
    """Arrow keys and a history of what was typed, where Python has them."""
    try:
        import_module("readline")
    except ImportError:
        return
