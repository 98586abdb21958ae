"""Many games: how they end (simulation), what goes wrong in them (fuzz, leaks), what every engine must do.

In: how to make a game. Out: counts, findings, recordings.
"""
