"""How two trees merge, and whose a conflict is (DESIGN, Merging; facts 3.16).

- `rule` says which of the two rules makes a merge, when neither may, and which conflicts are of
  generated files;
- `regions` are the lines that both sides changed of one file, `settling` says how those settle, and
  `declarations` where they stand;
- `replay` puts a change's commits on the base one by one, as a rebase does;
- `merging` is the step: the one merge function that every stage calls; `_resolving`, a part of it,
  has the conflicts settled that both rules leave.

The rules themselves are a tool's: `git.paths_rule`, and git's own engine for renames. So is the
class of risk of an edit: `facts.risk`.

Example: main and a change each add an entry to `CHANGELOG.md`. By paths it conflicts, and by
renames too; its one region holds no line of the merge base (kind 2); the file is prose. So the
merge has main's entry, then the change's, and plan, validate and apply each come to that tree.
"""
