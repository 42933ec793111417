"""Pull requests as GitHub's REST API has them, and reading a list of them item by item."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated

from pydantic import BeforeValidator, Field

from mergequeue.documents.record import CommitId
from mergequeue.github.answers import Body, GitHubRecord
from mergequeue.report import github as words
from mergequeue.vocabulary.errors import BAD_ANSWER, MergequeueError
from mergequeue.vocabulary.ids import BranchName, ChangeId, RefName, parse_branch
from mergequeue.vocabulary.words import Method

OPEN = "open"
_NUMBER = re.compile(r"[1-9][0-9]{0,17}\Z")


def _lowered(value: object) -> object:
    return value.lower() if isinstance(value, str) else value


AnyCaseMethod = Annotated[Method, BeforeValidator(_lowered)]
"""A merge method in whatever case GitHub writes it."""


class RepositoryRecord(GitHubRecord):
    """A repository, told apart by its id: names change, and differ in case."""

    id: int
    full_name: str
    default_branch: str = ""
    """Empty where GitHub gives the repository in short."""


class Account(GitHubRecord):
    """Who did something."""

    login: str


class HeadSide(GitHubRecord):
    """Where a pull request's commits are."""

    ref: str
    sha: CommitId
    repo: RepositoryRecord | None
    """None where the fork was deleted."""


class BaseSide(GitHubRecord):
    """Where a pull request merges."""

    ref: str
    repo: RepositoryRecord


class Label(GitHubRecord):
    """A label."""

    name: str


class AutoMerge(GitHubRecord):
    """Auto-merge, as somebody enabled it."""

    merge_method: AnyCaseMethod
    commit_title: str | None
    commit_message: str | None


class StackBase(GitHubRecord):
    """The branch that a whole stack merges into."""

    ref: str


class StackPlace(GitHubRecord):
    """A pull request's place in a stack; all but the base is optional in GitHub's description."""

    base: StackBase
    id: int | None = None
    position: int | None = None
    """1 is the bottom."""
    size: int | None = None

    @property
    def is_top(self) -> bool:
        """Whether it is the stack's top."""
        return self.position is not None and self.position == self.size


class Pull(GitHubRecord):
    """A pull request."""

    number: Annotated[int, Field(gt=0)]
    state: str
    draft: bool
    title: str
    body: str | None = None
    """Its description."""
    head: HeadSide
    base: BaseSide
    labels: tuple[Label, ...]
    auto_merge: AutoMerge | None
    stack: StackPlace | None = None
    """Absent where the host knows no stacks."""

    @property
    def id(self) -> ChangeId:
        """What the queue calls it."""
        return ChangeId(str(self.number))

    @property
    def is_fork(self) -> bool:
        """Whether its branch is in another repository, or in none any more."""
        return self.head.repo is None or self.head.repo.id != self.base.repo.id

    @property
    def label_names(self) -> tuple[str, ...]:
        """Its labels in GitHub's order."""
        return tuple(label.name for label in self.labels)

    @property
    def branch(self) -> BranchName | None:
        """Its branch; None where nothing may be pushed there."""
        return None if self.is_fork else branch_named(self.head.ref)


class WholePull(Pull):
    """A pull request read by itself, which says more than a list does."""

    node_id: str
    merged: bool
    merged_by: Account | None
    merge_commit_sha: str | None


def branch_named(name: str) -> BranchName | None:
    """Return a branch's name; None for one that the queue's documents do not take."""
    try:
        return parse_branch(name)
    except ValueError:
        return None


def number_of(change: ChangeId) -> int:
    """Return a change's number; raise BAD_ANSWER for an id that names no pull request."""
    if not _NUMBER.match(change):
        raise BAD_ANSWER(words.no_number(change))
    return int(change)


def head_ref(number: int) -> RefName:
    """Return the reference that names a pull request's head at the remote."""
    return RefName(f"refs/pull/{number}/head")


class _Sha(GitHubRecord):
    sha: CommitId


class _Stub(GitHubRecord):
    number: Annotated[int, Field(gt=0)]
    head: _Sha


@dataclass(frozen=True)
class Unread:
    """A pull request that does not read as one, and why; it holds nobody but itself."""

    number: int
    head: CommitId
    problem: str


@dataclass(frozen=True)
class Pulls:
    """A list of pull requests by number, in the order in which GitHub gave them."""

    read: Mapping[int, Pull]
    unread: Mapping[int, Unread] = field(default_factory=dict)

    def top_of(self, pull: Pull) -> Pull | None:
        """Return the open top of a pull request's stack; None where there is none."""
        place = pull.stack
        if place is None or place.id is None:
            return None
        return next((member for member in self.members(place.id) if _is_top(member)), None)

    def members(self, stack: int) -> list[Pull]:
        """Return the open members of a stack, the lowest first."""
        found = [pull for pull in self.read.values() if pull.stack and pull.stack.id == stack]
        return sorted(found, key=lambda pull: (pull.stack and pull.stack.position) or 0)

    def sharing_branch_with(self, pull: Pull) -> tuple[ChangeId, ...]:
        """Return the other open pull requests whose head is the branch of this one."""
        repo = pull.head.repo
        if repo is None:
            return ()
        return tuple(
            other.id
            for other in self.read.values()
            if other.number != pull.number
            and other.head.ref == pull.head.ref
            and other.head.repo is not None
            and other.head.repo.id == repo.id
        )


def _is_top(pull: Pull) -> bool:
    return pull.stack is not None and pull.stack.is_top


def read_pulls(bodies: Iterable[Body]) -> Pulls:
    """Return the items of a list; one that names neither its number nor its head fails them all.

    Such a one could be beneath any other, so a list without it would read as a shorter queue.
    """
    read: dict[int, Pull] = {}
    unread: dict[int, Unread] = {}
    for body in bodies:
        stub = body.read(_Stub)
        try:
            read[stub.number] = body.read(Pull)
        except MergequeueError as error:
            unread[stub.number] = Unread(stub.number, stub.head.sha, error.problem)
    return Pulls(read, unread)
