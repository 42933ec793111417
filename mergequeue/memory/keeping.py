"""Reading the memory from the remote, and writing it there under a lease."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from mergequeue.documents.memory import Day
from mergequeue.memory.files import (
    files_of,
    is_a_day,
    is_remembered,
    memory_of,
    read_day,
)
from mergequeue.ports import (
    Clock,
    GitBuilds,
    GitPushes,
    GitReads,
    Memory,
    Pushed,
    PushOutcome,
    RefMove,
    Remembered,
    Wanted,
)
from mergequeue.report.plain_git import state_message
from mergequeue.vocabulary import limits
from mergequeue.vocabulary.errors import PROVIDER_FAILED, STATE_MOVED, MergequeueError
from mergequeue.vocabulary.identity import QUEUE
from mergequeue.vocabulary.ids import BranchName, CommitId, RefName, TreeId, short
from mergequeue.vocabulary.records import log_ref, state_ref


@dataclass(frozen=True)
class _Seen:
    """The memory at one moment, and the commit that a lease names."""

    memory: Memory
    commit: CommitId | None


class RemoteMemoryReads:
    """`ReadsMemory` over a reference of the remote."""

    def __init__(self, reads: GitReads, base: BranchName) -> None:
        """Read the memory of the queue of `base`."""
        self._reads = reads
        self._base = base
        self._ref = state_ref(base)
        self._known = _Seen(Memory(), None)

    def recall(self) -> Memory:
        """Return the memory as the remote has it now."""
        return self._look().memory

    def days(self, count: int) -> tuple[Day, ...]:
        """Return the newest days that anything happened on, oldest first."""
        commit = self._look().commit
        if commit is None or count < 1:
            return ()
        paths = [path for path in self._reads.paths(commit) if is_a_day(path)][-count:]
        where = self._where(commit)
        return tuple(read_day(path, self._reads.read_file(commit, path), where) for path in paths)

    def _look(self) -> _Seen:
        for _ in range(limits.STATE_ROUNDS):
            commit = self._reads.list_refs((self._ref,)).get(self._ref)
            if commit == self._known.commit:
                return self._known
            if commit is None:
                self._known = _Seen(Memory(), None)
                return self._known
            if not self._reads.fetch_commits([Wanted(commit, self._ref)]):
                self._known = _Seen(self._read(commit), commit)
                return self._known
        raise PROVIDER_FAILED(f"{self._ref} names a commit that the remote does not give")

    def _read(self, commit: CommitId) -> Memory:
        paths = self._reads.paths(commit)
        wanted = [path for path in paths if is_remembered(path)]
        wanted += [path for path in paths if is_a_day(path)][-1:]
        files = {path: self._reads.read_file(commit, path) for path in wanted}
        return memory_of(files, self._where(commit))

    def _where(self, commit: CommitId) -> str:
        return f"{self._ref} at {short(commit)}"


class RemoteMemory(RemoteMemoryReads):
    """`WritesMemory`: every edit is one push under a lease, or none."""

    def __init__(
        self,
        reads: GitReads,
        builds: GitBuilds,
        pushes: GitPushes,
        clock: Clock,
        base: BranchName,
    ) -> None:
        """Read and write the memory of the queue of `base`."""
        super().__init__(reads, base)
        self._builds = builds
        self._pushes = pushes
        self._clock = clock

    def remember(self, edit: Callable[[Memory], Remembered]) -> Memory:
        """Write what `edit` makes of the memory, anew where another writer came first.

        Raises STATE_MOVED where others come first again and again, PROVIDER_FAILED where the remote
        refuses, GIT_FAILED where it does not answer.
        """
        reason = ""
        for _ in range(limits.STATE_ROUNDS):
            seen = self._look()
            edited = edit(seen.memory)
            if not edited.lines:
                return seen.memory
            pushed = self._push(seen, edited)
            if pushed.outcome is PushOutcome.DONE:
                return edited.memory
            if pushed.outcome is PushOutcome.REJECTED:
                raise PROVIDER_FAILED(f"the remote refused a push to {self._ref}: {pushed.reason}")
            reason = pushed.reason
        raise STATE_MOVED(
            f"{self._ref} moved {limits.STATE_ROUNDS} times while it was written, last: {reason}"
        )

    def _push(self, seen: _Seen, edited: Remembered) -> Pushed:
        now, last = self._clock.now(), seen.commit
        log = None if last is None else self._log_of(last, now)
        message = state_message(edited.lines, log)
        parents = [] if last is None or log is not None else [last]
        signed = (QUEUE, now)
        tree = self._write_tree(seen, edited.memory)
        commit = self._builds.write_commit(tree, parents, message, author=signed, committer=signed)
        kept = [] if log is None else [RefMove(log, last, None)]
        try:
            pushed = self._pushes.push([RefMove(self._ref, commit, last), *kept])
        except MergequeueError:
            if not self._came_through(commit):
                raise
            pushed = Pushed(PushOutcome.DONE)
        if pushed.outcome is PushOutcome.DONE:
            self._known = _Seen(edited.memory, commit)
        return pushed

    def _log_of(self, last: CommitId, now: datetime) -> RefName | None:
        return log_ref(self._base, last, self._reads.committed(last), now)

    def _write_tree(self, seen: _Seen, memory: Memory) -> TreeId:
        files = files_of(memory)
        if seen.commit is None:
            return self._builds.write_files(files)
        days = {path for path in (*self._reads.paths(seen.commit), *files) if is_a_day(path)}
        old = frozenset(sorted(days)[: -limits.DAYS_REMEMBERED])
        return self._builds.write_files(
            files,
            over=self._reads.tree_of(seen.commit),
            keep=lambda path: not is_remembered(path) and path not in old,
        )

    def _came_through(self, commit: CommitId) -> bool:
        """Whether a push that nobody answered is in the history of what the remote has now."""
        now = self._look().commit
        return now is not None and self._reads.is_ancestor(commit, now)
