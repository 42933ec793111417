"""Rulesets, and the rules of a branch."""
