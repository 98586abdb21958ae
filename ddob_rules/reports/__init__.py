"""Findings: what they are (diagnostics), how they read (render, explain), what was meant (spelling).

Every stage returns them; only the commands print.
"""
