"""Whom the jobs of a validation suspect, as plain files beside the verdicts.

`suspects@482.json` is what the job of 482 said last; an id holds no `@`, so no change's directory
has such a name. Who wrote them ran the changes' code, so one that does not read is told of and left
alone: it holds nobody back.
"""

import os
import re
from collections.abc import Container

from mergequeue.documents.reading import read_document
from mergequeue.documents.suspects import Suspicion
from mergequeue.sources.opening import read_regular
from mergequeue.vocabulary.errors import UNREADABLE, MergequeueError
from mergequeue.vocabulary.ids import ChangeId

SUSPECTS = "suspects.json"
"""What an artifact calls its file."""

_NAME = re.compile(r"suspects@([^@]+)\.json\Z")


def suspects_file(job: ChangeId) -> str:
    """Return the name of the file that holds whom a job suspects."""
    return f"suspects@{job}.json"


class SuspectFiles:
    """What was read of them; each is given when it is new, and when it says something else."""

    def __init__(self) -> None:
        """Start with nothing read."""
        self._read: dict[str, bytes] = {}
        self._unreadable: set[str] = set()

    def poll(
        self, folder: int, admitted: Container[ChangeId]
    ) -> tuple[tuple[Suspicion, ...], tuple[str, ...]]:
        """Return what is new in a folder's files, and why some do not read.

        Only those of jobs whose change the plan admitted are looked at.
        """
        found: list[Suspicion] = []
        strange: list[str] = []
        for name in sorted(os.listdir(folder)):
            job = _NAME.match(name)
            if job is None or job[1] not in admitted:
                continue
            try:
                raw = read_regular(name, folder, name)
                if self._read.get(name) == raw:
                    continue
                self._read[name] = raw
                found.append(_suspicion(raw, name, job[1]))
            except FileNotFoundError:
                continue
            except MergequeueError as error:
                if name not in self._unreadable:
                    strange.append(f"left whom a job suspects alone: {error.problem}")
                self._unreadable.add(name)
        return tuple(found), tuple(strange)


def _suspicion(raw: bytes, name: str, job: str) -> Suspicion:
    suspicion = read_document(raw, Suspicion, name)
    if suspicion.job != job:
        raise UNREADABLE(f"{name} is of the job of {suspicion.job}")
    return suspicion
