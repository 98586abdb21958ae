"""Hand-written games to time the interpreter against.

`plain_*` are idiomatic Python (a class, a dict, tuples); `tuned_*` are tuned by hand (flat lists, local
variables, neighbours worked out beforehand); `tables_*` go as far as one can: positions are bit patterns, and
what can be looked up by pattern is not worked out.
"""
