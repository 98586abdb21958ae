"""What editors ask, a module for each thing: from the desk and a place in a text to the answer."""
