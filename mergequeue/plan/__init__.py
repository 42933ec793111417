"""Which changes are validated, stacked on what, beside what, and in which order (facts 3.2, 3.3).

The step `planner` reads everything once, asks the pure modules, and writes a plan:

- `stacks` says what each change is stacked on, or why that cannot be;
- `review` says which commit an approval has to stand at;
- `carrying` says whether one at an older commit counts for a head that was only moved;
- `reviewers` says what the base's required reviewers make of a change;
- `admission` decides of one change, in the fixed order of facts P8;
- `preflights` says how a change's pre-flights stand, and what is to be done about them;
- `reach` says which units and paths a change touches, from its own diff and from its merge;
- `control` says which marks and requests of people the base lets count, and `pausing` what a pause
  of its queue means;
- `arrange` makes those above a change that is kicked or waits wait with it, and orders stacks;
- `lane` says who goes first;
- `partitions` puts changes that may meet in one line, and names what each is built on;
- `suspecting` says which suspects of a red batch an earlier run left to go on with;
- `trying` are changes in no queue that somebody wants gated, on the base alone;
- `dates` dates the candidates;
- `matrix` spreads a plan over the jobs of a CI; `runs` says whether an event needs another run.

The step's parts: `_intake` fetches the heads and walks the graph, `_approvals` asks for the
approvals, `_merges` merges all in one go, `_deltas` asks for the paths and units, `_preflights` for
the checks of pre-flights, `_trying` plans try runs, and `_draft` holds what is decided so far.
`reviewing` reads for it, and for the applier too, what the reviews cover.

For example, 1 and 2 touch `parser`, 3 is stacked on 2 and touches `docs`, and 4 touches `web`:

    partition 0   1 <- 2 <- 3        3's own delta starts at 2's top
    partition 1   4                  never waits for the others

With 2 kicked back, 3 waits with WAIT_BELOW_KICKED and partition 0 is 1 alone.
"""
