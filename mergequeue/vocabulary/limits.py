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

MATCHED_CHARACTERS = 2000
"""How much of a line of a gate's output is compared with the patterns of a retry.

A line is a change's to write, and an expression may take long on a long one."""

LANDINGS_TRIED = 3
"""The same changes that fail to land on the same tip this many times running leave the queue (seed
2, Landing)."""

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

DAYS_REMEMBERED = 92
"""How many days the queue's memory says what happened on, the newest."""

REVIEWS_REMEMBERED = 100
"""How many people's newest reviews of one change plain git's records keep, the newest."""

NOTES_REMEMBERED = 50
"""How many of its notes on one change the keeper finds again on plain git, the newest."""

KEEPER_ATTEMPTS = 3
"""How many times the keeper brings one change up to date, unless set.

One that conflicts again and again has something to settle."""

GATES_A_DAY = 4096
"""How many gates of one day are remembered; what verdicts claim beyond that is not counted."""

GATED_A_DAY = 65_536
"""How many changes the gates of one day name in all, as far as they are remembered: a file of the
queue's memory is never larger than what is read of one."""

RETRIES_COUNTED = 1000
"""What a claim of more retries than that is taken for."""

LONGEST_MS = 7 * 24 * 60 * 60 * 1000
"""What a claim of more time than a week is taken for: no job of a CI runs longer."""

DAYS_GONE_BY = 14
"""From how many of the newest days it is reckoned when a change should land."""

TOLD_AT_ONCE = 10
"""How many changes are told where they stand before apply looks at its source again.

Each may be a request, and GitHub takes 80 such a minute (CASES D)."""

STATE_ROUNDS = 8
"""How often the state is read again and written anew when another writer came first.

Each round lost is one that the other won."""

TITLE_BYTES = 256
"""How much of a commit's subject is a change's title where nothing else names it."""

ALLOCATIONS_A_COLLECTION = 250_000
"""After how many new objects Python looks for cycles.

Planning makes records by the hundred thousand and no cycles; at Python's own pace, looking for some
took a sixth of its time."""

ANSWER_BYTES = 32 * 1024 * 1024
"""A longer answer of GitHub's is an error, and never a shorter one (facts 1.1)."""

REMEMBERED_BYTES = 64 * 1024 * 1024
"""How much of GitHub's answers is kept in memory, to ask only whether they changed."""

REQUEST_SECONDS = 60.0
"""How long nothing may come on a connection (facts 1.1)."""

ANSWER_SECONDS = 300.0
"""How long a whole answer may take once it has begun."""

READ_TRIES = 4
"""How often a read is asked when GitHub breaks or does not answer."""

LIMIT_TRIES = 3
"""How often a rate limit is waited for, for one request."""

LIMIT_WAIT_SECONDS = 900.0
"""The longest that a rate limit is waited for; GitHub's hourly one may take four times as long."""

ODD_REFUSAL_SECONDS = 60.0
"""The pause after a 403 that names no reason we know, and where a limit names no end (CASES D)."""

WRITES_A_MINUTE = 80
"""GitHub's secondary limit for what makes content, each minute (CASES D)."""

WRITES_AN_HOUR = 500
"""The same, each hour."""

REDIRECTS = 10
"""How often a request follows a redirect (facts F4)."""

ARTIFACT_BYTES = 32 * 1024 * 1024
"""An artifact whose download is longer holds its change (facts F5)."""

ARTIFACT_ENTRIES = 64
"""How many files an artifact may hold (facts F5)."""

UNPACKED_BYTES = 64 * 1024 * 1024
"""How much an artifact's files may come to (facts F5)."""

TOKEN_SPARE_SECONDS = 300.0
"""An app's token with less time left than this is replaced by a new one (CASES D)."""

SUMMARY_BYTES = 1_000_000
"""Of a longer summary of a step GitHub would show nothing (its limit is 1 MiB)."""

ISSUE_BYTES = 65_536
"""A longer text GitHub refuses in an issue: it counts characters, and none is less than a byte."""

REGENERATED_BYTES = 64 * 1024 * 1024
"""How much one regeneration may write: what an artifact may unpack to (facts F5)."""

REGENERATED_FILES = 100_000
"""How many files a regeneration may add to a checkout before nobody looks at them one by one."""

BUNDLE_BYTES = 32 * 1024 * 1024
"""A bundle larger than this is refused unread: as large as an artifact may be (facts F5)."""

SETTLED_FILES = 50
"""In so many conflicting source files of one merge settling is tried; in more, in none.

A change and the base that drifted apart in more files is not what settling is for."""

SETTLED_BYTES = 1024 * 1024
"""A version of a file larger than this is not settled: it is compared line by line in memory."""

SETTLED_EDITS = 2000
"""How many lines a side may take out and put in at most for its file to settle (facts 3.16)."""

CLASSIFIED_BYTES = 128 * 1024
"""How much of a file is read for comments: a slow lexer takes a second or two for that."""

LABEL_PAGES = 30
"""How many pages of a pull request's history are read to find who set its label (facts 1.5)."""

GITHUB_POLL_SECONDS = 5.0
"""How often a pull request is read while GitHub merges it (facts 1.9)."""

AUTO_MERGE_POLLS = 12
"""How often it is read before the queue merges it itself: about a minute (facts 1.9)."""

STACK_MERGE_POLLS = 60
"""How often a stack's merge is looked at before it is given up: five minutes (facts 1.9)."""

CACHE_REQUEST_BYTES = 64 * 1024
"""How large a lookup in the signed cache may be (facts 3.19)."""

CACHE_ANSWER_BYTES = 1024 * 1024
"""How large the answer to one may be (facts 3.19)."""

CACHE_SECONDS = 30.0
"""How long nothing may come on a connection of a lookup."""

CACHE_REQUEST_SECONDS = 120.0
"""How long a hook's connection to the cache proxy is held at most."""

CACHE_CONNECTIONS = 64
"""How many lookups are served at once; more are turned away, and find nothing in the cache."""
