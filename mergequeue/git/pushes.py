"""Pushing: all references or none, each under a lease, and the remote's own words where it refuses.

A lease always names where a reference has to be. `expected=None` says that it must not exist, and
git holds the remote to that: it never creates a branch anew that was deleted meanwhile (CASES B).
"""

import re
from collections.abc import Sequence

from mergequeue.git.fetch import Fetches
from mergequeue.git.process import Ran
from mergequeue.git.remote import NAME
from mergequeue.git.store import Store
from mergequeue.ports import Pushed, PushOutcome, RefMove
from mergequeue.vocabulary.errors import GIT_FAILED, MergequeueError
from mergequeue.vocabulary.text import one_line

_ANY_STATUS = range(256)
_REFUSED = re.compile(r"!\t(?P<move>[^\t]*)\t(?P<what>\[[^\]]*\])(?: \((?P<why>.*?)\)?)?$")
_STALE = ("stale info", "cannot lock ref", "failed to update ref", "incorrect old value")
_OTHERS = ("atomic push fail", "atomic transaction failed", "transaction aborted")
"""Why a reference was not moved where another one is at fault."""


class Pushes:
    """`GitPushes` from a store."""

    def __init__(self, store: Store, fetches: Fetches) -> None:
        self._store = store
        self._fetches = fetches

    def push(self, moves: Sequence[RefMove]) -> Pushed:
        """Move all the references or none; raise GIT_FAILED where the remote does not answer."""
        if not moves:
            return Pushed(PushOutcome.DONE)
        ran = self._store.transport.run(
            "push",
            "--porcelain",
            "--atomic",
            "--no-verify",
            *(f"--force-with-lease={move.ref}:{move.expected or ''}" for move in moves),
            NAME,
            *(f"{move.new or ''}:{move.ref}" for move in moves),
            expect=_ANY_STATUS,
        )
        if ran.status == 0:
            return Pushed(PushOutcome.DONE)
        return self._understood(moves, ran)

    def _understood(self, moves: Sequence[RefMove], ran: Ran) -> Pushed:
        """Tell a stale lease, a refusal and a failure apart: by git's report, then by the facts."""
        refusals = [
            found
            for line in ran.out.decode("utf-8", errors="replace").splitlines()
            if (found := _REFUSED.match(line))
        ]
        reason = self._reason(refusals, ran)
        try:
            there = self._fetches.list_refs([move.ref for move in moves])
        except MergequeueError as error:
            raise GIT_FAILED(f"git push failed: {self._store.transport.said(ran.err)}") from error
        if not refusals and all(there.get(move.ref) == move.new for move in moves):
            # The answer was lost, and not the push.
            return Pushed(PushOutcome.DONE)
        # Where no reference was refused for itself, the remote could not lock or move one.
        own = [why for found in refusals if not (why := _why(found)).startswith(_OTHERS)]
        stale = any(why.startswith(_STALE) for why in own) or bool(refusals and not own)
        if stale or any(there.get(move.ref) != move.expected for move in moves):
            return Pushed(PushOutcome.STALE, reason)
        if refusals:
            return Pushed(PushOutcome.REJECTED, reason)
        raise GIT_FAILED(f"git push failed: {self._store.transport.said(ran.err)}")

    def _reason(self, refusals: Sequence[re.Match[str]], ran: Ran) -> str:
        """Return what the remote said, all of it, on one line."""
        said = []
        for found in refusals:
            why = _why(found)
            if not why.startswith(_OTHERS):
                said.append(f"{found['move'].rpartition(':')[2]}: {why}")
        said += [
            words
            for line in ran.err.decode("utf-8", errors="replace").splitlines()
            if line.startswith("remote:") and (words := line.removeprefix("remote:").strip())
        ]
        shown = "; ".join(dict.fromkeys(said)) or self._store.transport.said(ran.err)
        return one_line(self._store.transport.masked(shown))


def _why(found: re.Match[str]) -> str:
    return found["why"] or found["what"]
