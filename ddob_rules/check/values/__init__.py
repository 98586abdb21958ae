"""Expressions, definitions and priorities: what has a value."""
