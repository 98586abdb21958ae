"""Games on disk: saves that prove themselves, replays, sessions with undo, and diaries of games under way.

In: a game and the choices taken. Out: files, and games gone on with.
"""
