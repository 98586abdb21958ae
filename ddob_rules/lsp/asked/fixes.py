"""Quick fixes: from a finding to the edits that mend it, where there is little doubt about what was meant.

Every "did you mean" has one. The others are for the commonest slips; what could be meant in two ways is left
to the author.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from lsprotocol import types

from ddob_rules.lsp.positions import Ruler
from ddob_rules.syntax.mending import lined_up
from ddob_rules.syntax.nodes import Node, overlay, rules
from ddob_rules.syntax.parse import ParsedFile
from ddob_rules.syntax.source import Source, Span
from ddob_rules.syntax.words import words

_SAID = {
    "en": {
        "meant": "Write `{name}`", "tab": "Indent with blanks", "quote": "Close the text",
        "bracket": "Close the bracket", "remove": "Remove `{name}`", "do": "Add a `do` block",
        "header": "Add a header", "swap": "Write {low} first", "after": "Come after rule {name}",
        "amend": "Amend rule {name}", "declare": "Declare `{name}` as a variable", "colon": "Add `{name}`",
        "deep": "Line it up with the line above",
    },
    "fr": {
        "meant": "Écrire `{name}`", "tab": "Indenter par des espaces", "quote": "Fermer le texte",
        "bracket": "Fermer la parenthèse", "remove": "Supprimer `{name}`", "do": "Ajouter un bloc `do`",
        "header": "Ajouter un en-tête", "swap": "Écrire {low} d'abord", "after": "Venir après {name}",
        "amend": "Amender la règle {name}", "declare": "Déclarer `{name}` comme variable",
        "colon": "Ajouter `{name}`", "deep": "Aligner sur la ligne au-dessus",
    },
}  # fmt: skip
_CLOSING = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding as the editor hands it back, in the file that it is about."""

    code: str
    meant: str
    arguments: dict[str, str]
    rule: str
    start: int
    end: int
    parsed: ParsedFile

    @property
    def source(self) -> Source:
        return self.parsed.source

    @property
    def line(self) -> int:
        return self.source.position(self.start)[0]


@dataclass(frozen=True, slots=True)
class Fix:
    """A title, and the stretches that are replaced."""

    said: str
    names: dict[str, str]
    edits: tuple[tuple[int, int, str], ...]

    def title(self, language: str) -> str:
        return _SAID.get(language, _SAID["en"])[self.said].format(**self.names)


def fixes_of(finding: Finding) -> Iterator[Fix]:
    """The most likely first."""
    if finding.meant:
        yield Fix("meant", {"name": finding.meant}, ((finding.start, finding.end, finding.meant),))
    make = _FIXES.get(finding.code)
    if make is not None:
        yield from make(finding)


def _tab(finding: Finding) -> Iterator[Fix]:
    edits = []
    for number, line in enumerate(finding.source.lines, start=finding.source.first_line):
        blanks = line[: len(line) - len(line.lstrip(" \t"))]
        if "\t" in blanks:
            start = finding.source.offset(number, 1)
            edits.append((start, start + len(blanks), blanks.replace("\t", "  ")))
    yield Fix("tab", {}, tuple(edits))


def _habit(finding: Finding) -> Iterator[Fix]:
    meant = finding.arguments.get("edit")
    if meant is not None:
        said = "meant" if meant.strip() else "remove"
        name = meant.strip() or finding.arguments.get("text", "")
        yield Fix(said, {"name": name}, ((finding.start, finding.end, meant),))


def _colon(finding: Finding) -> Iterator[Fix]:
    sign = ":" if finding.arguments.get("sign") == ":" else " "
    yield Fix("colon", {"name": sign}, ((finding.start, finding.start, sign),))


def _deep(finding: Finding) -> Iterator[Fix]:
    moved = lined_up(finding.source, finding.start)
    yield Fix("deep", {}, tuple((edit.start, edit.end, edit.text) for edit in moved))


def _quote(finding: Finding) -> Iterator[Fix]:
    end = finding.source.line_span(finding.line).end
    text = finding.source.line_text(finding.line).rstrip()
    colon = end - 1 if text.endswith(":") else end
    yield Fix("quote", {}, ((colon, colon, '"'),))


def _bracket(finding: Finding) -> Iterator[Fix]:
    opened = finding.source.text[finding.start : finding.start + 1]
    text = finding.source.line_text(finding.line)
    end = finding.source.offset(finding.line, len(text.rstrip().rstrip(":")) + 1)
    if opened in _CLOSING:
        yield Fix("bracket", {}, ((end, end, _CLOSING[opened]),))


def _remove(finding: Finding) -> Iterator[Fix]:
    """The declaration whose name stands at the finding, with its lines."""
    for start in finding.parsed.items:
        for node in _declarations(start.item):
            if _stands_at(node, finding):
                first = finding.source.offset(node.span.line, 1)
                last = _last_line(node)
                end = finding.source.line_span(last).end
                end = min(end + 1, len(finding.source.text))
                name = finding.arguments.get("name", "")
                yield Fix("remove", {"name": name}, ((first, end, ""),))
                return


def _declarations(item: Node) -> Iterator[Node]:
    if isinstance(item, rules.Rule):
        yield from (inner for inner in item.declarations if isinstance(inner, Node))
    else:
        yield item


def _stands_at(node: Node, finding: Finding) -> bool:
    return node.span.line <= finding.line <= _last_line(node)


def _last_line(node: Node) -> int:
    """The last line that is not blank: the end of a block is where the next thing begins."""
    text = node.span.text.rstrip()
    return node.span.line + text.count("\n")


def _do(finding: Finding) -> Iterator[Fix]:
    language = words(finding.parsed.language)
    do, todo = language.spellings["_DO"][0], language.spellings["_TODO"][0]
    for start in finding.parsed.items:
        for node in _declarations(start.item):
            if isinstance(node, rules.Action) and _stands_at(node, finding):
                end = finding.source.line_span(_last_line(node)).end
                indentation = " " * (node.span.column + 1)
                text = f'\n{indentation}{do}:\n{indentation}  {todo} "..."'
                yield Fix("do", {}, ((end, end, text),))


def _header(finding: Finding) -> Iterator[Fix]:
    language = words(finding.parsed.language)
    begin = language.spellings["_RULESET"][0]
    name = re.sub(r"\W+", "_", finding.source.path.rsplit("/", 1)[-1].removesuffix(".rules")) or "game"
    edition = language.spellings["_EDITION"][0]
    text = f'{begin} {name} "{name.replace("_", " ").capitalize()}" {edition} "1"\n\n'
    start = 0
    if finding.source.text.startswith(("language ", "langue ")):
        start = finding.source.text.find("\n") + 1
    yield Fix("header", {}, ((start, start, text),))


def _swap(finding: Finding) -> Iterator[Fix]:
    low, high = finding.arguments.get("low", ""), finding.arguments.get("high", "")
    text = finding.source.text[finding.start : finding.end]
    if text.count(low) == 1 and text.count(high) == 1 and low != high:
        swapped = text.replace(low, "\0").replace(high, low).replace("\0", high)
        yield Fix("swap", {"low": high}, ((finding.start, finding.end, swapped),))


def _after(finding: Finding) -> Iterator[Fix]:
    """`after N` behind the list of rules that the rule amends."""
    amendment = _amendment(finding)
    first = finding.arguments.get("first", "")
    if amendment is None or not first:
        return
    after = words(finding.parsed.language).spellings["_AFTER_RULE"][0]
    if amendment.after is not None:
        place, text = amendment.after.span, f", {first}"
    else:
        place, text = amendment.rules.span, f" {after} {first}"
    end = _offset_of(finding, place)
    yield Fix("after", {"name": first}, ((end, end, text),))


def _amend(finding: Finding) -> Iterator[Fix]:
    """Amends the rule to which what is changed belongs."""
    amendment = _amendment(finding)
    owner = finding.arguments.get("owner") or finding.arguments.get("other", "")
    if amendment is None or not owner:
        return
    if finding.code == "E0504":
        yield Fix("amend", {"name": owner}, ((finding.start, finding.end, owner),))
        return
    end = _offset_of(finding, amendment.rules.span)
    start = end - (amendment.rules.span.end - amendment.rules.span.start)
    yield Fix("amend", {"name": owner}, ((start, end, owner),))


def _amendment(finding: Finding) -> overlay.Amendment | None:
    for start in finding.parsed.items:
        rule = start.item
        if isinstance(rule, rules.Rule) and rule.span.line <= finding.line <= _last_line(rule):
            return rule.amendment
    return None


def _offset_of(finding: Finding, span: Span) -> int:
    """Where a stretch of an item ends in the file."""
    return finding.source.offset(span.end_line, span.end_column)


def _declare(finding: Finding) -> Iterator[Fix]:
    """A variable at the end of the rule that misses it."""
    name = finding.arguments.get("name", "")
    if not re.fullmatch(r"[^\W\d]\w*", name):
        return
    language = words(finding.parsed.language)
    variable, number = language.spellings["_VARIABLE"][0], language.builtin.get("number", "number")
    for start in finding.parsed.items:
        rule = start.item
        if isinstance(rule, rules.Rule) and rule.span.line <= finding.line <= _last_line(rule):
            end = finding.source.line_span(_last_line(rule)).end
            yield Fix("declare", {"name": name}, ((end, end, f"\n  {variable} {name}: {number} = 0"),))


_FIXES: dict[str, Callable[[Finding], Iterator[Fix]]] = {
    "E0102": _tab, "E0104": _quote, "E0105": _bracket, "E0116": _habit, "E0117": _colon,
    "E0118": _deep,
    "E0130": _header, "E0201": _declare, "E0231": _swap,
    "E0402": _do, "E0503": _after, "E0504": _amend, "E0508": _amend, "W0201": _remove, "W0203": _remove,
    "W0501": _remove,
}  # fmt: skip


def shown_fix(
    fix: Fix, finding: types.Diagnostic, uri: str, source: Source, ruler: Ruler, language: str, first: bool
) -> types.CodeAction:
    edits = [
        types.TextEdit(types.Range(ruler.position(source, start), ruler.position(source, end)), text)
        for start, end, text in fix.edits
    ]
    return types.CodeAction(
        title=fix.title(language), kind=types.CodeActionKind.QuickFix, diagnostics=[finding],
        is_preferred=first, edit=types.WorkspaceEdit(changes={uri: edits}),
    )  # fmt: skip
