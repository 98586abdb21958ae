"""Second opinions on classic games: small, slow, plain Python that shares no code with the interpreter."""
