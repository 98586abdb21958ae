"""What runs: a game (code with a scenario's data), its states, questions and answers, chance, failures.

In: `Code` and `Scenario`. Out: `Game` and `State`. Nothing of a position is anywhere but in its state.
"""
