"""The provider with no forge: intent is a pushed branch, and what outlives a run is a reference.

`git push origin HEAD:mq/squash/fix-parser` queues a change named `fix-parser`; deleting that branch
withdraws it; merging it is one push of the base, the branch and the records together, under leases.

`intents`, `state`, `edits` and `listing` decide, of data alone; `remote` reads, `journal` writes
the records, `landing` makes the commits of a merge; `reading` and `writing` are the provider, and
`keeping` is what is read and written of turned-away changes, and `reviewing` keeps reviews.
"""
