"""From lowered programs to the text form of WebAssembly: values, effects, blocks, definitions."""
