"""What makes a change acceptable on its own, and who carries whose commits.

A listing comes from the provider through the step `lister`. The rest is pure:

- `history` answers every question of ancestry from one walk of the graph;
- `acceptable` decides of a change what needs no other change's verdict (seed 1, Input);
- `writable` finds a path that no checkout can hold;
- `decided` is what was decided of a change, as a value: its code, its reason, its report.

The walk holds what some heads carry and the tip does not, so a commit is either somebody's own or
on the base. In

    tip ── a ── b ── m        m is a change that was updated: it merges the base into b
                └─── c        c is another, made on b

the top of m is b, and m's own commits are a, b and m. That c is stacked on m's change, though it
does not carry m, is seen by its top (facts 3.3).
"""
