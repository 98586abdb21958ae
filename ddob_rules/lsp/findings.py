"""From our findings to those that an editor underlines, file by file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from lsprotocol import types

from ddob_rules.lsp.positions import Ruler, file_of, uri_of
from ddob_rules.reports.diagnostics import Diagnostic, Label
from ddob_rules.reports.spelling import meant_in
from ddob_rules.resources import error_page

#: Findings about what could as well not be there: editors show it pale.
_UNNECESSARY = {"W0201", "W0203", "W0204", "W0206", "W0401", "W0402", "W0501"}
_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "hint": types.DiagnosticSeverity.Hint,
}


def by_file(findings: Iterable[Diagnostic]) -> dict[Path, list[Diagnostic]]:
    """The findings of each file; those without a place are nobody's."""
    found: dict[Path, list[Diagnostic]] = {}
    for finding in findings:
        if finding.primary is not None:
            found.setdefault(file_of(finding.primary.source.path), []).append(finding)
    return found


def shown_finding(finding: Diagnostic, ruler: Ruler, language: str = "en") -> types.Diagnostic:
    place = finding.primary
    assert place is not None
    advice = f"\n{finding.help}" if finding.help else ""
    notes = "".join(f"\n{note}" for note in finding.notes)
    page = error_page(finding.code, language)
    return types.Diagnostic(
        range=ruler.finding_range(place),
        message=f"{finding.message}{notes}{advice}",
        severity=_SEVERITIES[finding.severity],
        code=finding.code,
        code_description=types.CodeDescription(page.as_uri()) if page is not None else None,
        source="ddob",
        tags=[types.DiagnosticTag.Unnecessary] if finding.code in _UNNECESSARY else None,
        related_information=[_related(label, ruler) for label in finding.spans[1:]] or None,
        data={
            "meant": meant_in(finding.help) or "",
            "arguments": dict(finding.arguments),
            "rule": finding.rule,
        },
    )


def _related(label: Label, ruler: Ruler) -> types.DiagnosticRelatedInformation:
    address = uri_of(file_of(label.span.source.path))
    text = label.text or label.origin or "see also"
    return types.DiagnosticRelatedInformation(types.Location(address, ruler.range(label.span)), text)
