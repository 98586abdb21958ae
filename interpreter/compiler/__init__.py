"""From the typed form to Python source that a person can read, and from that to code.

In: `ir.Program`. Out: `Code`, which depends on the program alone; a game gives it a scenario's data. Emitters
(emit, effects, offers, blocks) only write: no text of an author gets into source but through `emit.quoted`
and `passes.analysis.identifier`. Left out: running it.
"""
