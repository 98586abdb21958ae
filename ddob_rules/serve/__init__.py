"""The table in a browser: a server that keeps games, seats people, and sends each seat what it may see."""
