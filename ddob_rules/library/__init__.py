"""What lies where: rulesets and scenarios by name, the heads of scenario files, and what is stored of them.

In: a name. Out: files, YAML with its places, and stored programs. Left out: what a scenario says.
"""
