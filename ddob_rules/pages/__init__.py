"""Pages for people to print: elements that no author's text can break out of, and one self-contained file."""
