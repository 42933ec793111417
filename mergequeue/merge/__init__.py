"""What a merge must leave behind, and what a provider's answer to it means (seed 1, Applying).

- `status`: the only legal moves of the queue's status; nothing else can write a success;
- `answers`: what became of a merge, told by what the base carries and never by the answer's number;
- `shape`: the history that each method leaves;
- `together`: both for changes that merge in one call, by what `stack` or `batch` finds of them on
  the base.

`merger` is the step; `_asking` asks for a merge, `_together` merges several in one call, `_showing`
moves statuses and tells what merged.

482 is to land on tip 1a2b with tree 3c4d: it reads the change and the base once more, turns the
status green, asks for the merge, and reads the base. Tree 3c4d on a new tip: merged, once its shape
is right. Anything else: the status goes back to pending, and the change waits or all stops.
"""
