"""How two trees merge, and whose a conflict is (DESIGN, Merging).

- `rule` says which of the two rules makes a merge, and when neither may;
- `replay` puts a change's commits on the base one by one, as a rebase does;
- `merging` is the step: the one merge function that every stage calls.

The rules themselves are a tool's: `git.paths_rule`, and git's own engine for renames.
"""
