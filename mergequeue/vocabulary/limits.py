"""Every limit of the program, with its reason. Each is checked while reading, never after."""

DOCUMENT_BYTES = 32 * 1024 * 1024
"""A document larger than this is refused unread.

A plan of 1,000 changes in one line has 9 MB, since each change names all that it is built on."""

STACK_DEPTH = 16
"""How many unmerged changes may lie beneath one (seed 1, Stacks)."""

PEELED_MERGES = 8
"""How many merges of the base are looked through when the top of a change is sought (facts S12)."""

BASE_COMMITS_SHOWN = 10
"""How many commits of the base a conflict's report names (facts P11)."""

PATHS_SHOWN = 50
"""How many files a report lists before it only counts (facts K7)."""

PATH_BYTES_SHOWN = 200
"""How much of a file's name or a commit's subject a report shows.

With 50 of each it stays under GitHub's 65,536 (facts K13)."""

NAME_BYTES = 255
"""The longest name of a file that the usual file systems hold."""

PATH_BYTES = 4000
"""The longest path that can be checked out: systems allow 4,096 bytes at most."""

CLAIM_BYTES = 4096
"""How much of what a verdict claims is shown (seed 1, Trust model)."""

STATUS_DESCRIPTION_BYTES = 140
"""GitHub's limit for a status's description (facts 1.7)."""

DEPTH = 8
"""Batches of a partition in flight at once, unless set (DESIGN, Rulings 5)."""

BATCH = 1
"""Changes that one gate run checks at its top, unless set."""

BUSY_TRIES = 3
"""Exit 75 this many times running is red (facts H5)."""

BUSY_PAUSE_SECONDS = 5.0
"""How long a busy gate is left alone before it is tried again (facts H5)."""

TERM_GRACE_SECONDS = 30.0
"""From SIGTERM to SIGKILL when the queue is cancelled (seed 1, Hooks)."""

OUTPUT_GRACE_SECONDS = 5.0
"""How long output is awaited after a hook's exit, when what left its group holds it (facts H7)."""

POLL_SECONDS = 10.0
"""How often a followed source is read, unless set."""

POLL_FLOOR_SECONDS = 0.01
"""The shortest pause between two reads of a followed source (facts A32)."""

OLDEST_GIT = (2, 39)
"""The first git with `merge-tree --write-tree --stdin` that the queue is tested on (DESIGN)."""

BUSY_EXIT = 75
"""EX_TEMPFAIL: the gate could not run now, and says so."""

MERGES_REMEMBERED = 256
"""How many of its merges plain git's state keeps, the newest.

A change stacked on a squashed one finds its stack base there for as long as both are young, and the
state stays small however long it is kept."""

STATE_ROUNDS = 8
"""How often the state is read again and written anew when another writer came first.

Each round lost is one that the other won."""

TITLE_BYTES = 256
"""How much of a commit's subject is a change's title where nothing else names it."""

ALLOCATIONS_A_COLLECTION = 50_000
"""After how many new objects Python looks for cycles.

Planning makes records by the hundred thousand and no cycles; at Python's own pace, looking for some
took a sixth of its time."""
