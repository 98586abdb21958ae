"""The table: what a seat sees of a game and may do in it, as data that any face can draw.

In: a game and a state. Out: plain data, ready for JSON: a `book` of what never changes, and a `table` of all
that a seat sees now. There is no terminal and no page in it, and nothing that the seat may not see.
"""

from interpreter.table.book import book_of
from interpreter.table.described import Describing
from interpreter.table.news import merged, news_between
from interpreter.table.position import open_spaces, table_of

__all__ = ["Describing", "book_of", "merged", "news_between", "open_spaces", "table_of"]
