"""From a text and the same text laid out anew to the edits between them, line by line.

An editor that is handed the whole text loses the cursor and the folds; these edits touch only what changes.
"""

from __future__ import annotations

from difflib import SequenceMatcher

from lsprotocol import types

from ddob_rules.lsp.positions import Ruler


def edits_of(before: str, after: str, ruler: Ruler) -> list[types.TextEdit]:
    """The edits, in the line ends that the text has."""
    end = "\r\n" if "\r\n" in before else "\n"
    old = before.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    new = after.split("\n")
    edits: list[types.TextEdit] = []
    for tag, start, stop, first, last in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        text = "".join(line + end for line in new[first:last])
        begin, finish = types.Position(start, 0), types.Position(stop, 0)
        if stop == len(old):  # the last line has no end that could be replaced with it
            finish = types.Position(len(old) - 1, ruler.length(old[-1]))
            text = end.join(new[first:last])
            if start == stop:
                begin, text = finish, end + text
            elif first == last and start > 0:
                begin = types.Position(start - 1, ruler.length(old[start - 1]))
        edits.append(types.TextEdit(types.Range(begin, finish), text))
    return edits
