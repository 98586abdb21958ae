"""From merged rules to the typed form: names, types, tables, effects, and what only the whole program shows.

In: `Merged`. Out: `Checked`, with an `ir.Program` if there are no errors, and findings. `values` are what has
a value, `tables` decision tables and charts, `effects` what happens. Left out: scenario data.
"""
