"""What can be proven of rules that are right: what never happens, what nobody reads, what nobody is told.

Everything here is about a checked program; nothing in it is an error.
"""
