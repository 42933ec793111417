"""A person's own provider: a Python class, loaded from one file, whose every answer is checked.

`loading` finds the class and makes one of it, `answers` says which keys an answer must have, and
`checked` wraps the provider in the two sides that steps are handed, and `keeping` in the one that
the keeper is.
"""
