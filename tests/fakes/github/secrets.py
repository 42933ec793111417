"""Environments, variables and secrets."""
