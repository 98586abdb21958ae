"""Statements, questions, actions, phases, triggers and victories: what happens."""
