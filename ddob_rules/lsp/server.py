"""The server: what the protocol asks, handed to the desk, and what the desk finds, told to the editor.

A request that fails is told to the editor's log and answered with nothing: an editor that loses its server
loses more than one answer.
"""

from __future__ import annotations

import asyncio
import os
import traceback
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from ddob_rules import __version__
from ddob_rules.examples import Report, run_examples
from ddob_rules.lsp.asked.hints import Results
from ddob_rules.lsp.desk import TRIED, Desk, Stack
from ddob_rules.lsp.findings import by_file, shown_finding
from ddob_rules.lsp.positions import Ruler, path_of, uri_of
from ddob_rules.reports.diagnostics import Diagnostic, fill

Answer = TypeVar("Answer")

#: Seconds after a key before the rules are checked, and before scenarios, examples and catalogues are.
_SOON = 0.1
_LATER = 0.8


_SAID = {
    "en": {"findings": "mend the findings first", "run": "{count|# example|# examples} run, {failed} failed"},
    "fr": {
        "findings": "corrigez d'abord les erreurs",
        "run": "{count|# exemple joué|# exemples joués}, {failed} en échec",
    },
}


class Server(LanguageServer):
    """The server, with the desk of its editor."""

    def __init__(self, language: str = "en") -> None:
        super().__init__("ddob", __version__, text_document_sync_kind=types.TextDocumentSyncKind.Full)
        self.desk = Desk(language)
        self.soon: asyncio.TimerHandle | None = None
        self.later: asyncio.TimerHandle | None = None
        self.versions: dict[Path, int | None] = {}  # of the texts, as the editor counts them
        self.edition = 0  # counts edits: what was begun under an earlier one is late
        self.rules: dict[Stack, list[Diagnostic]] = {}
        self.relatives: dict[Stack, list[Diagnostic]] = {}
        self.others: dict[Path, list[Diagnostic]] = {}
        self.told: set[Path] = set()
        self.turn = 1  # on which hints tell the values of values
        self.results: dict[Path, Results] = {}  # of examples, by folder
        self.failures: dict[Path, list[Diagnostic]] = {}
        # Not the pool of the library, whose threads wait for the editor's next word.
        self.thorough = ThreadPoolExecutor(max_workers=1)
        self.examined: Future[Any] | None = None

    @property
    def ruler(self) -> Ruler:
        return Ruler(self.workspace.position_encoding)

    # ------------------------------------------------------------ findings

    def edited(self, path: Path | None = None) -> None:
        """Something has changed: check soon, and thoroughly later. What was found in the file is late."""
        self.edition += 1
        self.failures.clear()
        for group in (self.relatives.values(), self.others.values()):
            for findings in group:
                findings[:] = [one for one in findings if path not in by_file([one])]
        for handle in (self.soon, self.later):
            if handle is not None:
                handle.cancel()
        loop = asyncio.get_running_loop()
        self.soon = loop.call_later(_SOON, self._steadily, self.check_rules)
        self.later = loop.call_later(_LATER, self._steadily, self.check_the_rest)

    def check_rules(self) -> None:
        stacks = self.desk.stacks()
        self.rules = {stack: self.desk.findings(stack) for stack in stacks}
        self.publish()

    def check_relatives(self) -> None:
        """Rulesets in the author's folders that stand on what is open, one by one between two keys."""
        root = Path.cwd().resolve()
        open_rules = [path for path in self.desk.texts if path.suffix == ".rules" and root in path.parents]
        stacks = {stack: None for path in open_rules for stack in self.desk.related_stacks(path)}
        waiting = [stack for stack in stacks if stack not in self.rules and stack.near is not None]
        waiting = [stack for stack in waiting if root in Path(stack.near or root).resolve().parents]
        self.relatives = {stack: self.relatives.get(stack, []) for stack in waiting}
        edition = self.edition

        def check_next() -> None:
            if waiting and edition == self.edition:
                stack = waiting.pop(0)
                self.relatives[stack] = list(self.desk.check(stack).problems)
                self.publish()
                asyncio.get_running_loop().call_later(_SOON, self._steadily, check_next)

        check_next()

    def check_the_rest(self) -> None:
        """Scenarios, examples, catalogues: in another thread, one file after the other."""
        self.check_relatives()
        if self.examined is not None and not self.examined.done():
            self.later = asyncio.get_running_loop().call_later(_LATER, self._steadily, self.check_the_rest)
            return
        edition, paths, loop = self.edition, list(self.desk.texts), asyncio.get_running_loop()

        def examine() -> None:
            found: dict[Path, list[Diagnostic]] = {}
            for path in paths:
                if edition != self.edition:
                    return
                try:
                    found[path] = self.desk.examine(path)
                except Exception:
                    self._tell_failure()
            loop.call_soon_threadsafe(self._take, edition, found)

        self.examined = self.thorough.submit(examine)

    def _take(self, edition: int, found: dict[Path, list[Diagnostic]]) -> None:
        if edition == self.edition:
            self.others = found
            self.publish()

    def publish(self) -> None:
        """Tells the findings of every file that has some, and that the others have none any more."""
        everything = [
            finding
            for findings in self._everything()
            for finding in findings
            if TRIED not in finding.message  # seen by the thread while a completion was being looked for
        ]
        found = by_file(dict.fromkeys(everything))
        for path in sorted({*found, *self.told, *self.desk.texts}):
            shown = [shown_finding(one, self.ruler, self.desk.language) for one in found.get(path, [])]
            self.text_document_publish_diagnostics(
                types.PublishDiagnosticsParams(uri_of(path), _unique(shown), self.versions.get(path))
            )
        self.told = set(found)

    def _everything(self) -> list[list[Diagnostic]]:
        groups = (self.rules, self.relatives, self.others, self.failures)
        return [findings for group in groups for findings in group.values()]

    # ------------------------------------------------------------ examples

    def run_examples(self, uri: str, title: str) -> None:
        """Runs one example, or all of them with how much of the rules they reach, and tells how it went."""
        path = path_of(uri)
        stack = next(iter(self.desk.stacks_of(path)), None) if path is not None else None
        loaded = self.desk.check(stack) if stack is not None else None
        if (
            path is None
            or stack is None
            or loaded is None
            or loaded.checked is None
            or loaded.program is None
        ):
            self._say(_SAID[self.desk.language]["findings"])
            return
        checked, overlays, loop = loaded.checked, stack.overlays, asyncio.get_running_loop()

        def run() -> None:
            try:
                found = run_examples(
                    checked, overlays, cover=not title, only=title, brought=bool(stack.extra)
                )
                loop.call_soon_threadsafe(self._tell_outcomes, path, found, not title)
            except Exception:
                self._tell_failure()

        self.thorough.submit(run)

    def _tell_outcomes(self, path: Path, found: Report, everything: bool) -> None:
        results = self.results.setdefault(path.parent, Results())
        for outcome in found.outcomes:
            results.outcomes[outcome.title] = outcome.passed
        if everything:
            results.reached = found.coverage.by_rule()
        self.failures[path] = [problem for outcome in found.outcomes for problem in outcome.problems]
        failed = sum(not outcome.passed for outcome in found.outcomes)
        told = {"count": str(len(found.outcomes)), "failed": str(failed)}
        self._say(fill(_SAID[self.desk.language]["run"], told, self.desk.language))
        self.publish()
        wishes = self.client_capabilities.workspace
        if wishes is not None and wishes.code_lens is not None and wishes.code_lens.refresh_support:
            self.workspace_code_lens_refresh(None)

    def _say(self, text: str) -> None:
        self.window_show_message(types.ShowMessageParams(types.MessageType.Info, text))

    # ------------------------------------------------------------ steadiness

    def _steadily(self, work: Callable[[], None]) -> None:
        try:
            work()
        except Exception:
            self._tell_failure()

    def answered(self, work: Callable[[], Answer], otherwise: Answer) -> Answer:
        """What a request is answered; if that fails, something harmless."""
        try:
            return work()
        except Exception:
            self._tell_failure()
            return otherwise

    def shutdown(self) -> None:
        """The editor has gone: nobody waits for what is still being looked at."""
        self.edition += 1
        self.thorough.shutdown(wait=False, cancel_futures=True)
        super().shutdown()  # type: ignore[no-untyped-call]

    def _tell_failure(self) -> None:
        text = f"this is a mistake in ddob itself, please report it:\n{traceback.format_exc()}"
        self.window_log_message(types.LogMessageParams(types.MessageType.Error, text))


def _unique(findings: list[types.Diagnostic]) -> list[types.Diagnostic]:
    """A file may be part of several stacks, in which it says the same."""
    found: dict[tuple[Any, ...], types.Diagnostic] = {}
    for finding in findings:
        start, end = finding.range.start, finding.range.end
        key = (finding.code, finding.message, start.line, start.character, end.line, end.character)
        found.setdefault(key, finding)
    return list(found.values())


def make_server(language: str = "en") -> Server:
    """A server that looks at what the author does; what it is asked is the business of `answers`."""
    server = Server(language)

    @server.feature(types.INITIALIZED)
    def initialized(_: types.InitializedParams) -> None:
        root = path_of(server.workspace.root_uri or "")
        if root is not None and root.is_dir():
            os.chdir(root)  # names of rulesets are looked for from the current folder

    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        wishes = params.initialization_options
        turn = wishes.get("turn") if isinstance(wishes, dict) else None
        server.turn = turn if isinstance(turn, int) and turn >= 0 else 1

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        _put(server, params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeTextDocumentParams) -> None:
        _put(server, params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def saved(params: types.DidSaveTextDocumentParams) -> None:
        _put(server, params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        path = path_of(params.text_document.uri)
        if path is not None:
            server.desk.take(path)
            server.others.pop(path, None)
            server.versions.pop(path, None)
            server.edited()

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def watched(_: types.DidChangeWatchedFilesParams) -> None:
        server.desk.look_again()
        server.edited()

    return server


def _put(server: Server, uri: str) -> None:
    path = path_of(uri)
    if path is not None and path.suffix in (".rules", ".yaml", ".yml"):
        document = server.workspace.get_text_document(uri)
        server.desk.put(path, document.source)
        server.versions[path] = document.version
        server.edited(path)


def serve(language: str = "en") -> None:
    """Speaks with an editor over standard input and output until it goes."""
    from ddob_rules.lsp.answers import register

    server = make_server(language)
    register(server)
    server.start_io()
