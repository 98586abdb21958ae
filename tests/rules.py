"""From texts to checked rulesets, without touching the disk: what tests of the checker begin with."""

from __future__ import annotations

from pathlib import Path

from ddob_rules.check.program import Checked, check
from ddob_rules.check.scope import Vocabulary
from ddob_rules.reports.diagnostics import Diagnostic
from ddob_rules.stack.book import Book, book_from_sources
from ddob_rules.stack.overlay import Merged
from ddob_rules.syntax.source import Source


def check_text(*texts: str) -> Checked:
    """Checks a stack of rulesets, base first, each given as the text of its only file."""
    books: list[Book] = []
    problems: list[Diagnostic] = []
    for number, text in enumerate(texts, start=1):
        source = Source(f"book-{number}.rules", text)
        book, found = book_from_sources([source], Path(f"book-{number}"))
        if book is None:
            problems.extend(found)
        else:
            books.append(book)
    if problems:
        # Without its header a text is no book, and a stack with a book missing says nothing about the others.
        return Checked(books, Merged(books), Vocabulary(), None, problems)
    return check(books)


def program_texts(text: str) -> list[tuple[int, list[str]]]:
    """The programs of a case file: the line each begins on, and its books, with the marks left in.

    Programs are split by a line `---`, the books of one program by a line `--- overlay`. Every book is padded
    with empty lines, so that its lines are counted as in the file.
    """
    programs: list[tuple[int, list[str]]] = []
    books: list[list[str]] = [[]]
    start = 1
    lines = text.split("\n")
    for number, line in enumerate(lines, start=1):
        if line in ("---", "--- overlay"):
            if line == "---":
                programs.append((start, ["\n".join(book) for book in books]))
                books, start = [], number + 1
            books.append([""] * number)
        else:
            books[-1].append(line)
    programs.append((start, ["\n".join(book) for book in books]))
    return programs
