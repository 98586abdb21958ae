"""The whole rulebook in force, printed: rules and what amends them, examples of play, index of terms."""
