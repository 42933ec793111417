"""Which changed paths are code of a regeneration, whoever declares its units.

A program inside the checkout that the `regenerate` words name is code of every regeneration, and so
is `mergequeue.toml`, which says what the words and the generators are (DESIGN, Facts).
"""

import os.path
from collections.abc import Collection, Sequence

from mergequeue.documents.config import FILE
from mergequeue.vocabulary.ids import RepoPath


def code_of_words(words: Sequence[str], changed: Collection[RepoPath]) -> frozenset[RepoPath]:
    """Return the changed paths that are `mergequeue.toml`, or that the words name.

    A word names a file of the checkout, or a folder and what is in it; so does what follows the `=`
    of one. The first word without a `/` is a program of PATH, which is never in the checkout.
    """
    named = {FILE.encode(), *_named_by(words)}
    return frozenset(path for path in changed if not named.isdisjoint(_path_and_folders(path)))


def _named_by(words: Sequence[str]) -> frozenset[bytes]:
    program, *rest = words or ("",)
    candidates = [*([program] if "/" in program else []), *rest]
    candidates += [word.partition("=")[2] for word in rest if "=" in word]
    plain = (os.path.normpath(word) for word in candidates if word and not word.startswith("/"))
    return frozenset(os.fsencode(word) for word in plain if word != "." and word[:2] != "..")


def _path_and_folders(path: RepoPath) -> frozenset[bytes]:
    parts = path.split(b"/")
    return frozenset(b"/".join(parts[:count]) for count in range(1, len(parts) + 1))
