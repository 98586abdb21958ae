"""From the typed form to one that engines write code from: passes that rewrite it, and what is known of it.

In: `ir.Program`. Out: `Lowered`, which every engine plays. Each pass works on the typed form and can be
tested by itself; none knows what code will be written. Left out: a scenario's data.
"""
