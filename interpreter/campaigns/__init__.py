"""Campaigns: games one after the other, what each hands on to the next, and who wins the whole.

In: a plan, and games as they end. Out: which game is next, from which values, and the standing.
"""
