"""Boards: from grids and links to who is next to whom, how far, in sight, reachable and matched.

In: the spaces of a scenario by number. Out: `Board` and functions over numbers of spaces. Left out: what
stands on them, and what rules make of it.
"""
