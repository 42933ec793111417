"""Merging a pull request."""
