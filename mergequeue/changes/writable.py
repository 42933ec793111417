"""Which paths nobody can check out: names that git itself refuses to write, or no system can hold.

A tree can hold any name. One like `.git/hooks/post-checkout` or `../x` is an attack on whoever
checks it out, and git refuses it everywhere; found by a box, it would look like the machine's
fault and stop everybody behind it for good.
"""

import re
from collections.abc import Iterable

from mergequeue.ports import Difference
from mergequeue.vocabulary.ids import RepoPath
from mergequeue.vocabulary.limits import NAME_BYTES, PATH_BYTES

_LINK = 0o120000
_IGNORED = dict.fromkeys(
    [*range(0x200C, 0x2010), *range(0x202A, 0x202F), *range(0x206A, 0x2070), 0xFEFF]
)
"""Characters that macOS does not look at in a name."""

_GIT = re.compile(r"(?:\.git|git~1)[. ]*(?:[\\:].*)?\Z", re.DOTALL)
"""`.git` in the spellings that Windows and macOS take for it, in lower case."""
_GITMODULES = re.compile(
    r"(?:\.gitmodules|gitmod~[1-4]|gi7eb?a?~[0-9]+)[. ]*(?:[\\:].*)?\Z", re.DOTALL
)


def unwritable_path(differences: Iterable[Difference]) -> RepoPath | None:
    """Return the first of the paths put in or changed that no checkout can hold; None for none."""
    return next(
        (each.path for each in differences if each.new_mode and not _can_be_held(each)), None
    )


def _can_be_held(difference: Difference) -> bool:
    names = difference.path.split(b"/")
    if len(difference.path) > PATH_BYTES or any(_is_refused(name) for name in names):
        return False
    return difference.new_mode != _LINK or not _GITMODULES.match(_folded(names[-1]))


def _is_refused(name: bytes) -> bool:
    if name in {b"", b".", b".."} or len(name) > NAME_BYTES:
        return True
    return _GIT.match(_folded(name)) is not None


def _folded(name: bytes) -> str:
    return name.decode("utf-8", errors="surrogateescape").translate(_IGNORED).lower()
