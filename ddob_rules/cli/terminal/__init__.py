"""A game played in a terminal: the board and the story as text, what is typed, and what one may ask."""
