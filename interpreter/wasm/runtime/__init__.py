"""What every module has, whatever its rules: written by hand in the text form of WebAssembly."""
