"""Stacks of pull requests."""
