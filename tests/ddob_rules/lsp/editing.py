"""An editor for tests: a client that speaks the protocol with `ddob lsp`, one request after the other."""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest
from lsprotocol import types
from pygls.protocol import default_converter

pytest_lsp = pytest.importorskip("pytest_lsp")

Answer = TypeVar("Answer")
#: Seconds that a machine with much else to do may need to answer.
PATIENCE = 120

SMALL = """\
ruleset small "Small" edition "1"
players red "Red", blue "Blue"

rule 1 "Units":
  "Units have steps."
  enum ground: clear, woods
  space hex on hex board:
    ground: ground
  piece unit:
    owner: player
    steps: number = 2
  value limit = 2 until turn 4, 3 from turn 5
  define strong(u: unit): flag = u.steps > limit

rule 2 "Turns":
  sequence turn:
    phase orders for each p in player: p may take actions
  action rest "Rest" (u: unit) by p in orders:
    when u.owner = p  else "not yours" (2)
    when not strong(u)  else "it is strong" (1)
    do: hit(u)
  procedure hit(u: unit):
    decrease u.steps by 1
    if u.steps <= 0: remove u
"""

OVERLAY = """\
ruleset harder "Harder" edition "1" extends small

rule 1-hard "Harder units" amends 1:
  "Units are strong with two steps."
  value limit = 1
"""

SCENARIO = """\
scenario: first
title: First
ruleset: small
boards:
  hex:
    layout: {shape: hex, orientation: pointy, shifted: even}
    numbering: "{letter}{row}"
    legend:
      ".": {ground: clear}
      "w": {ground: woods}
    rows:
      - ". w ."
      - " w . ."
pieces:
  unit:
    - {id: R1, owner: red, at: a1}
    - {id: B1, owner: blue, at: b2}
"""


def _client() -> Any:
    """A client that knows which version of a text the findings are about, as editors do."""
    client = pytest_lsp.LanguageClient(converter_factory=default_converter)
    client.versions = {}
    client.edits = []

    def findings(params: types.PublishDiagnosticsParams) -> None:
        client.diagnostics[params.uri] = params.diagnostics
        client.versions[params.uri] = params.version

    def log(params: types.LogMessageParams) -> None:
        client.log_messages.append(params)

    def show(params: types.ShowMessageParams) -> None:
        client.messages.append(params)

    client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(findings)
    client.feature(types.WINDOW_LOG_MESSAGE)(log)
    client.feature(types.WINDOW_SHOW_MESSAGE)(show)
    return client


class Editor:
    """What an author does, and what the editor is told."""

    def __init__(self, folder: Path, loop: asyncio.AbstractEventLoop, client: Any) -> None:
        self.folder = folder
        self.client = client
        self._loop = loop
        self._versions: dict[str, int | None] = {}

    def in_folder(self, name: str) -> Editor:
        """The same editor with another game, in a folder of the workspace."""
        return Editor(self.folder / name, self._loop, self.client)

    def leave(self) -> None:
        """Closes what is open, and throws the folder away."""
        for uri in list(self._versions):
            document = types.TextDocumentIdentifier(uri)
            self.client.text_document_did_close(types.DidCloseTextDocumentParams(document))
        self._versions.clear()
        shutil.rmtree(self.folder)

    def uri(self, name: str) -> str:
        return (self.folder / name).resolve().as_uri()

    def wait(self, work: Coroutine[Any, Any, Answer]) -> Answer:
        return self._loop.run_until_complete(asyncio.wait_for(work, PATIENCE))

    def open(self, name: str, text: str | None = None, language: str = "ddob") -> list[types.Diagnostic]:
        """Opens a file, and gives its findings."""
        uri = self.uri(name)
        text = (self.folder / name).read_text("utf-8") if text is None else text
        self._versions[uri] = 1
        item = types.TextDocumentItem(uri, language, 1, text)
        self.client.diagnostics.pop(uri, None)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return self.findings(name)

    def change(self, name: str, text: str) -> list[types.Diagnostic]:
        """Types something, and gives the findings of the file after it."""
        uri = self.uri(name)
        version = (self._versions[uri] or 0) + 1
        self._versions[uri] = version
        self.client.diagnostics.pop(uri, None)
        document = types.VersionedTextDocumentIdentifier(version, uri)
        change = types.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))
        return self.findings(name)

    def close(self, name: str) -> None:
        document = types.TextDocumentIdentifier(self.uri(name))
        self._versions.pop(document.uri, None)
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(document))

    def findings(self, name: str, code: str = "") -> list[types.Diagnostic]:
        """The findings of a file, once there are some; with `code`, once there is one of that code."""

        async def told() -> list[types.Diagnostic]:
            uri = self.uri(name)
            while True:
                found = list(self.client.diagnostics.get(uri, []))
                current = self.client.versions.get(uri) == self._versions.get(uri)
                if (
                    uri in self.client.diagnostics
                    and current
                    and (not code or any(one.code == code for one in found))
                ):
                    return found
                await asyncio.sleep(0.02)

        return self.wait(told())

    def document(self, name: str) -> types.TextDocumentIdentifier:
        return types.TextDocumentIdentifier(self.uri(name))

    def ask(self, method: str, params: object) -> Any:
        """The answer to a request, such as `text_document_hover`."""
        return self.wait(getattr(self.client, f"{method}_async")(params))

    @property
    def complaints(self) -> list[str]:
        """What the server has said of its own mistakes."""
        return [one.message for one in self.client.log_messages if one.type == types.MessageType.Error]


@contextmanager
def editing(folder: Path, *arguments: str) -> Iterator[Editor]:
    """An editor with a server of its own, in a folder; a server that fails fails the test."""
    loop = asyncio.new_event_loop()
    command = [sys.executable, "-m", "ddob_rules", "lsp", *arguments]
    config = pytest_lsp.ClientServerConfig(server_command=command, client_factory=_client)
    client = loop.run_until_complete(asyncio.wait_for(config.start(), PATIENCE))
    editor = Editor(folder, loop, client)
    try:
        params = types.InitializeParams(
            capabilities=pytest_lsp.client_capabilities("visual-studio-code"),
            root_uri=folder.resolve().as_uri(),
            workspace_folders=[types.WorkspaceFolder(folder.resolve().as_uri(), folder.name)],
        )
        editor.wait(client.initialize_session(params))
        yield editor
        assert editor.complaints == []
    finally:
        editor.wait(client.shutdown_session())
        editor.wait(client.stop())
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()


def place_of(text: str, mark: str, before: int = 0) -> types.Position:
    """Where a mark stands in a text, `before` letters into it, as an editor counts."""
    offset = text.index(mark) + before
    line = text.count("\n", 0, offset)
    column = text[text.rfind("\n", 0, offset) + 1 : offset]
    return types.Position(line, len(column.encode("utf-16-le")) // 2)


def small_game(folder: Path) -> None:
    """A small game with an overlay and a scenario."""
    for name, text in {
        "small/small.rules": SMALL,
        "harder/harder.rules": OVERLAY,
        "small/scenarios/first.yaml": SCENARIO,
    }.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
