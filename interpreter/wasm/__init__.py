"""The fast engine: from the typed form and a scenario to one WebAssembly module, and a host that runs it.

The module plays exactly the games that the Python engine plays: the same options in the same order, the same
chance, the same positions. A position is one block of memory, which converts to and from a state of the
Python engine. Left out: whatever is for people to read (labels, the journal), which the Python engine tells
by playing the same choices again.
"""
