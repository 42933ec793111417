"""How two trees merge, and whose a conflict is (DESIGN, Merging).

- `rule` says which of the two rules makes a merge, and when neither may;
- `merging` is the step: the one merge function that every stage calls.

The rules themselves are a tool's: `git.paths_rule`, and git's own engine for renames.
"""
