"""Two versions of rules: what differs (diff), and what that does to saved games (impact, blame).

In: checked stacks. Out: changes, each with its rule and both places.
"""
