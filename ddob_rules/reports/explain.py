"""From the code of a diagnostic to the page that explains it, with an example and how to fix it.

The pages are Markdown and are given as they stand; laying them out for a terminal is left to the command.
"""

from __future__ import annotations

from ddob_rules.resources import error_page


def explain(code: str, language: str = "en") -> str | None:
    """The page of a code, in `language` if it has been translated, or None if there is no such code."""
    page = error_page(code.strip().upper(), language)
    return None if page is None else page.read_text(encoding="utf-8")
