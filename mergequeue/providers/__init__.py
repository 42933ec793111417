"""A person's own provider: a Python class, loaded from one file, whose every answer is checked.

`loading` finds the class and makes one of it; `checked` wraps that in the two sides that steps are handed.
"""
