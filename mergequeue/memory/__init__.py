"""What the queue remembers between runs, on every provider: files beside each other in one commit.

The commit is under `refs/mergequeue/state/<base>`, written under a lease; its history is the audit
log (DESIGN, The plain-git provider). The plain-git provider keeps its own records in the same tree,
and each leaves the other's alone.

`files` turns the memory into files and back, of data alone; `keeping` reads and writes them.
"""
