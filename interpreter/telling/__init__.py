"""From positions to what people read: names, the journal in words, what a seat may see, how things look.

In: a game and a state. Out: texts, views and positions for a seat. What a seat may not see is left out here
and nowhere else.
"""
