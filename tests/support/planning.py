"""A queue to plan over a real repository, and the provider that lists it, as a simulator in memory.

queue = PlanningQueue(playground)           # main holds mergequeue.toml and some files
queue.add("1", {"parser/a": "new\n"})
plan = queue.plan()
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from bench.provider import Listed, approve
from mergequeue.changes.lister import Lister
from mergequeue.conflicts.merging import TwoRuleMerging
from mergequeue.documents.capabilities import Capabilities
from mergequeue.documents.changes import Change, Changes, Listing, MergedChange, UnqueuedChange
from mergequeue.documents.plan import Plan
from mergequeue.documents.provider import (
    Approval,
    ApprovalQuestion,
    DescribeQuestion,
    Repository,
)
from mergequeue.facts.configuration import load_configuration
from mergequeue.facts.units import UnitFacts
from mergequeue.git.merges import GitMerges
from mergequeue.git.workshop import open_workshop
from mergequeue.plan.planner import Planner
from mergequeue.vocabulary.ids import BranchName, ChangeId, CommitId, RefName
from mergequeue.vocabulary.words import Method
from tests.support.heard import Heard
from tests.support.repositories import Content, Playground

UNITS = """
[unit.parser]
paths = ["parser/**"]
[unit.web]
paths = ["web/**"]
[unit.docs]
paths = ["docs/**", "Docs/**"]
"""


@dataclass
class ListingProvider(Listed):
    """A provider whose changes are what a test puts there, and any answer what it says by now."""

    changes: list[Change] = field(default_factory=list)
    merged: list[MergedChange] = field(default_factory=list)
    unqueued: list[UnqueuedChange] = field(default_factory=list)
    methods: tuple[Method, ...] = tuple(Method)
    now: dict[str, Mapping[str, object]] = field(default_factory=dict)
    """What differs from the listing by now: fields of an approval, by change."""
    unreadable: dict[str, str] = field(default_factory=dict)
    asked: list[tuple[ApprovalQuestion, ...]] = field(default_factory=list)
    """Every call of `approvals_at`."""

    def describe(self, question: DescribeQuestion) -> Capabilities:
        return super().describe(question).model_copy(update={"methods": self.methods})

    def list_changes(self, question: Repository) -> Listing:
        del question
        return Listing(
            changes=tuple(self.changes),
            merged=tuple(self.merged),
            unqueued=tuple(self.unqueued),
        )

    def approvals_at(
        self, questions: Sequence[ApprovalQuestion]
    ) -> Mapping[ChangeId, Approval | str]:
        self.asked.append(tuple(questions))
        now = {
            id_: Approval.model_validate(dict(approval) | dict(self.now.get(id_, {})))
            for id_, approval in approve(questions).items()
        }
        return {id_: self.unreadable.get(id_, approval) for id_, approval in now.items()}


class PlanningQueue:
    """A repository with a base called main, and changes queued to it."""

    def __init__(
        self, playground: Playground, files: Mapping[str | bytes, Content], units: str = UNITS
    ) -> None:
        self.playground = playground
        self.provider = ListingProvider()
        self.heard = Heard()
        self.root = playground.branch(
            "main", playground.commit({"mergequeue.toml": units, **files})
        )

    @property
    def tip(self) -> CommitId:
        """The base's commit."""
        return self.playground.tip("main")

    def advance(self, files: Mapping[str | bytes, Content], **more: object) -> CommitId:
        """Put a commit on the base."""
        return self.playground.branch(
            "main",
            self.playground.commit(
                files, parents=self.tip, message=str(more.get("message", "Base\n"))
            ),
        )

    def commit(
        self, files: Mapping[str | bytes, Content], *parents: CommitId, date: int | None = None
    ) -> CommitId:
        """Write a commit on the base's first commit, or on others."""
        return self.playground.commit(files, parents=parents or (self.root,), date=date)

    def add(
        self,
        id_: str,
        change: Mapping[str | bytes, Content] | CommitId,
        on: CommitId | None = None,
        **more: object,
    ) -> CommitId:
        """Queue a change: a commit, or the files of one on the base's first or on another."""
        head = change if isinstance(change, str) else self.commit(change, on or self.root)
        fields: dict[str, object] = {
            "id": id_,
            "head": head,
            "base": "main",
            "method": Method.SQUASH,
            "ref": RefName(f"refs/heads/mq/squash/{id_}"),
        }
        listed = Change.model_validate(fields | more)
        if listed.ref is not None:
            self.playground.branch(listed.ref, head)
        self.provider.changes.append(listed)
        return head

    def leave_unqueued(self, id_: str, head: CommitId) -> None:
        """Open a change without queueing it."""
        ref = RefName(f"refs/heads/{id_}")
        self.playground.branch(ref, head)
        self.provider.unqueued.append(UnqueuedChange(id=ChangeId(id_), head=head, ref=ref))

    def merge_by_squash(self, id_: str, head: CommitId) -> CommitId:
        """List a change as squashed onto the base, and do that."""
        squash = self.advance(dict(self.playground.files(head).items()))
        self.playground.branch(f"refs/kept/{id_}", head)
        self.provider.merged.append(
            MergedChange(id=ChangeId(id_), head=head, commit=squash, method=Method.SQUASH)
        )
        return squash

    def plan(self, **changed: object) -> Plan:
        """List and plan, as the commands do; `changed` are fields of the listing to replace."""
        with self.planner() as (planner, listing):
            return planner.plan(listing.model_copy(update=changed), depth=8, batch=1)

    @contextmanager
    def planner(self) -> Iterator[tuple[Planner, Changes]]:
        """Open a planner on a clone, with the listing as it is now."""
        self.heard.happenings.clear()
        clone = self.playground.folder / "clone"
        if not clone.exists():
            self.playground.clone("clone")
        with open_workshop(clone, "origin") as workshop:
            reads = workshop.reads
            facts = UnitFacts(load_configuration(reads, reads.fetch_branch(BranchName("main"))))
            trees = GitMerges(workshop)
            planner = Planner(
                reads=reads,
                trees=trees,
                merging=TwoRuleMerging(trees, reads, facts),
                facts=facts,
                provider=self.provider,
                events=self.heard,
            )
            yield planner, Lister(self.provider).list(BranchName("main"), reads.remote_url())
