"""Rulesets laid on one another: books of numbered rules, and what overlays make of them.

In: trees. Out: `Merged`, every declaration with its versions, the base first. Left out: types.
"""
