"""A validation run as a source: the same directory of verdicts, filled by downloads (facts 3.17).

Who could have written the run is asked at every listing, before anything of it is fetched. What an
artifact holds, its name says (`vocabulary/artifacts`). Each is fetched once; one that cannot be
had, or holds what it may not, holds its change back and no other (facts 2.7). Where a run was run
again, the newest attempt's counts; two of one attempt count as none, since nobody can say which is
meant (CASES H).
"""

import uuid
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from mergequeue.documents.plan import Plan
from mergequeue.documents.provider import Artifact, ArtifactQuestion, RunListing, RunOrigin
from mergequeue.ports import Downloads, ListsArtifacts, Poll
from mergequeue.sources.archives import files_of
from mergequeue.sources.directory import BUNDLE, PLAN, VERDICT, DirectorySource
from mergequeue.sources.suspects import SUSPECTS, suspects_file
from mergequeue.vocabulary.artifacts import SuspectsName, parse_artifact, parse_suspects
from mergequeue.vocabulary.errors import (
    CREDENTIAL_REFUSED,
    SOURCE_INCOMPLETE,
    UNREADABLE,
    UNTRUSTED_RUN,
    MergequeueError,
)
from mergequeue.vocabulary.ids import ChangeId
from mergequeue.vocabulary.text import quoted

_RUN_AGAIN = "Run the validation again; its plan job says why it left no plan that can be read."


@dataclass(frozen=True)
class _Chosen:
    """The artifact that counts, of those that hold the same."""

    artifact: Artifact
    attempt: int
    is_one: bool = True
    """Whether it is the only one of its attempt."""

    @property
    def what(self) -> str:
        """Return how errors call it."""
        return f"artifact {self.artifact.name}"


class RunSource:
    """The `VerdictSource` port over a validation run."""

    def __init__(
        self,
        run: str,
        folder: Path,
        lists: ListsArtifacts,
        downloads: Downloads,
        vouch: Callable[[RunOrigin], str],
    ) -> None:
        """Follow `run`, as the provider names it, and keep what it uploaded in `folder`.

        `vouch` says why a run may not be believed; nothing where it may.
        """
        self._run = run
        self._folder = folder
        self._lists = lists
        self._downloads = downloads
        self._vouch = vouch
        self._directory = DirectorySource(folder)
        self._fetched: set[ChangeId] = set()
        self._suspects: dict[ChangeId, SuspectsName] = {}
        self._has_plan = False

    def name(self) -> str:
        """Return the run as the provider names it."""
        return self._run

    def plan(self) -> Plan | None:
        """Return the plan, or None where the run has not uploaded it yet.

        Raises UNTRUSTED_RUN, the provider's errors, and SOURCE_INCOMPLETE where it cannot be had.
        """
        self._fetch_plan(self._listing())
        return self._directory.plan() if self._has_plan else None

    def poll(self, admitted: Container[ChangeId] | None) -> Poll:
        """Return the verdicts of admitted changes that have come since the last poll.

        Raises UNTRUSTED_RUN and the provider's errors.
        """
        listing = self._listing()
        self._fetch_plan(listing)
        unreadable: dict[ChangeId, str] = {}
        strange: list[str] = []
        for change, chosen in self._new_of(listing) if admitted is not None else ():
            if change not in (admitted or ()):
                strange.append(f"left {chosen.what} alone, since the plan did not admit its change")
                continue
            try:
                self._put(change, self._files(chosen, listing.headers))
            except MergequeueError as error:
                if error.code != UNREADABLE.code:
                    raise
                unreadable[change] = error.problem
        strange += self._fetch_suspects(listing, admitted or ())
        poll = self._directory.poll(admitted)
        return replace(
            poll,
            unreadable={**poll.unreadable, **unreadable},
            strange=(*poll.strange, *strange),
            complete=listing.complete,
        )

    def bundle(self, change: ChangeId) -> bytes | None:
        """Return the bundle beside a change's verdict; None where there is none."""
        return self._directory.bundle(change)

    def _listing(self) -> RunListing:
        """Return what the run has uploaded; raise UNTRUSTED_RUN where it may not be believed."""
        listing = self._lists.list_artifacts(ArtifactQuestion(source=self._run))
        problem = self._vouch(listing.run)
        if problem:
            raise UNTRUSTED_RUN(f"run {quoted(self._run)} {problem}")
        return listing

    def _new_of(self, listing: RunListing) -> Sequence[tuple[ChangeId, _Chosen]]:
        """Return the verdicts that were not fetched yet; each is given once (facts F3)."""
        new = [
            (change, chosen)
            for change, chosen in _newest(listing.artifacts).items()
            if change is not None and change not in self._fetched
        ]
        self._fetched.update(change for change, _ in new)
        return new

    def _fetch_suspects(self, listing: RunListing, admitted: Container[ChangeId]) -> list[str]:
        """Fetch whom each job suspects now, where that is new; return what cannot be had: a hint
        that is missing holds nobody back.
        """
        strange: list[str] = []
        for name, artifact in _newest_suspects(listing.artifacts).items():
            if name.job not in admitted or self._suspects.get(name.job) == name:
                continue
            self._suspects[name.job] = name
            try:
                files = self._files(_Chosen(artifact, name.attempt), listing.headers)
            except MergequeueError as error:
                if error.code != UNREADABLE.code:
                    raise
                strange.append(f"left whom a job suspects alone: {error.problem}")
                continue
            self._write(suspects_file(name.job), files.get(SUSPECTS, b""))
        return strange

    def _fetch_plan(self, listing: RunListing) -> None:
        chosen = None if self._has_plan else _newest(listing.artifacts).get(None)
        if chosen is None:
            return
        try:
            files = self._files(chosen, listing.headers)
        except MergequeueError as error:
            if error.code != UNREADABLE.code:
                raise
            raise SOURCE_INCOMPLETE(error.problem, _RUN_AGAIN) from error
        if PLAN not in files:
            raise SOURCE_INCOMPLETE(f"{chosen.what} holds no {PLAN}", _RUN_AGAIN)
        self._write(PLAN, files[PLAN])
        self._has_plan = True

    def _files(self, chosen: _Chosen, headers: Mapping[str, str]) -> Mapping[str, bytes]:
        if not chosen.is_one:
            raise UNREADABLE(f"{chosen.what} was uploaded twice in attempt {chosen.attempt}")
        return files_of(self._fetch(chosen, headers), chosen.what)

    def _fetch(self, chosen: _Chosen, headers: Mapping[str, str]) -> bytes:
        try:
            return self._downloads.fetch(chosen.artifact.url, headers, chosen.what)
        except MergequeueError as error:
            if error.code != CREDENTIAL_REFUSED.code:
                raise
        # What ran out since the listing, the next one is made with anew.
        return self._downloads.fetch(chosen.artifact.url, self._listing().headers, chosen.what)

    def _write(self, name: str, content: bytes) -> None:
        beside = self._folder / f".{uuid.uuid4().hex}"
        beside.write_bytes(content)
        beside.rename(self._folder / name)

    def _put(self, change: ChangeId, files: Mapping[str, bytes]) -> None:
        """Write what apply reads into the change's directory, which appears whole (facts F6)."""
        beside = self._folder / f".{uuid.uuid4().hex}"
        beside.mkdir()
        for name in (VERDICT, BUNDLE):
            if name in files:
                (beside / name).write_bytes(files[name])
        beside.rename(self._folder / change)


def _newest(artifacts: Iterable[Artifact]) -> Mapping[ChangeId | None, _Chosen]:
    """Return the newest attempt's artifact of each change's verdict, and of the plan under None."""
    found: dict[ChangeId | None, _Chosen] = {}
    for artifact in artifacts:
        name = parse_artifact(artifact.name)
        if name is None:
            continue
        attempt = max(name.attempt, artifact.attempt)
        known = found.get(name.change)
        if known is None or attempt > known.attempt:
            found[name.change] = _Chosen(artifact, attempt)
        elif attempt == known.attempt:
            found[name.change] = replace(known, is_one=False)
    return found


def _newest_suspects(artifacts: Iterable[Artifact]) -> Mapping[SuspectsName, Artifact]:
    """Return the artifact that each job told of last."""
    found: dict[ChangeId, tuple[SuspectsName, Artifact]] = {}
    for artifact in artifacts:
        name = parse_suspects(artifact.name)
        if name is not None and (name.job not in found or found[name.job][0] < name):
            found[name.job] = name, artifact
    return dict(found.values())
