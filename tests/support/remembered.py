"""The queue's memory without a remote: what is written is read back from the very same files."""

from collections.abc import Callable

from mergequeue.documents.memory import Day
from mergequeue.memory.files import files_of, is_a_day, memory_of, read_day
from mergequeue.ports import Memory, Remembered
from mergequeue.vocabulary.errors import MergequeueError
from mergequeue.vocabulary.ids import RepoPath

WHERE = "the memory of a test"


class InMemory:
    """`WritesMemory` in a dictionary."""

    def __init__(self) -> None:
        self._files: dict[RepoPath, bytes] = {}
        self.log: list[str] = []
        self.writes = 0
        self.refuses: MergequeueError | None = None
        """What every writing of it fails with."""

    def recall(self) -> Memory:
        days = sorted(filter(is_a_day, self._files))[-1:]
        kept = {path: raw for path, raw in self._files.items() if not is_a_day(path)}
        return memory_of(kept | {path: self._files[path] for path in days}, WHERE)

    def days(self, count: int) -> tuple[Day, ...]:
        newest = sorted(filter(is_a_day, self._files))[-count:]
        return tuple(read_day(path, self._files[path], WHERE) for path in newest)

    def remember(self, edit: Callable[[Memory], Remembered]) -> Memory:
        if self.refuses is not None:
            raise self.refuses
        edited = edit(self.recall())
        if edited.lines:
            self.writes += 1
            self.log += edited.lines
            past = {path: raw for path, raw in self._files.items() if is_a_day(path)}
            self._files = past | files_of(edited.memory)
        return self.recall()
