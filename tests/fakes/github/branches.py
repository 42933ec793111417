"""Branches and refs."""
