"""A merge queue that needs no server: it lists, plans, validates and applies, then it is gone."""

__version__ = "0.1.0"
