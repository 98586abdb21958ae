"""Hand-written games to time the interpreter against: `plain_*` idiomatic, `tuned_*` tuned by hand."""
