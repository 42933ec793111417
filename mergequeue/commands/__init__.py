"""A module a subcommand: each builds the tools that its step needs, and hands the step no others.

`tools` makes what reads git, `providers` what talks to a provider; nothing decides here.
"""
