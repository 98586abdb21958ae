"""Players of the computer: at random, one step ahead (foresight), or by search.

In: a state. Out: the number of an option. None of them sees what its seat may not see.
"""
