"""Texts of rules in other languages: which there are, and the catalogues that translate them."""
