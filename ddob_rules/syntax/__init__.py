"""From text to trees: files with places, words of a language, tokens, trees; and back (format, translate).

In: the text of a rule file. Out: a tree whose parts know their places, and findings. Left out: what it means.
"""
