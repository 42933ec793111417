"""The provider with no forge: merge intent is a pushed branch, and what outlives a run is refs of the remote.

`git push origin HEAD:mq/squash/fix-parser` queues a change named `fix-parser`; deleting that branch
withdraws it; merging it is one push of the base, the branch and the records together, under leases.

`intents` and `state` and `edits` and `listing` decide, of data alone; `remote` reads, `journal` writes the
records, `landing` makes the commits of a merge; `reading` and `writing` are the provider's two sides.
"""
