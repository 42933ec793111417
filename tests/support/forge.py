"""A small provider over a bare repository that merges by itself, as GitHub does: by paths,
following no rename.

forge = Forge(playground)
forge.open("1", head, method=Method.SQUASH)
forge.listing()

It holds pull requests over branches, and decides nothing for the queue: it merges what it is told
to, on its own base, when the queue's status and the required checks are green on the commit that is
pinned. What goes wrong is a knob on its state; what was asked of it is in `calls`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import pygit2
import pygit2.enums

from mergequeue.documents.capabilities import (
    Capabilities,
    Committer,
    Credential,
    RequiredCheck,
    Setup,
)
from mergequeue.documents.changes import (
    Change,
    ClosedChange,
    Listing,
    MergedChange,
    UnqueuedChange,
)
from mergequeue.documents.preflight import NamedCheck, NamedChecksQuestion, RerunRequest
from mergequeue.documents.provider import (
    Approval,
    ApprovalQuestion,
    Check,
    CheckQuestion,
    DescribeQuestion,
    GreenChange,
    GreenQuestion,
    KickBack,
    MarkRequest,
    MergeAnswer,
    MergeRequest,
    Repository,
    RetargetRequest,
    StatusPost,
)
from mergequeue.documents.review import Review
from mergequeue.documents.trying import TryReport
from mergequeue.vocabulary.errors import PROVIDER_FAILED
from mergequeue.vocabulary.ids import BranchName, ChangeId, CommitId, RefName, TreeId
from mergequeue.vocabulary.words import (
    STATUS_CONTEXT,
    CheckState,
    Mark,
    Method,
    ProviderMerges,
    StackMerge,
    StatusState,
)
from tests.support.repositories import Playground

QUEUE_APP = "41"
MAIN = BranchName("main")


class Knob(StrEnum):
    """What the next merge of a change does instead of merging."""

    SAYS_NO = "answers that it did not merge, and did not"
    SAYS_NO_BUT_MERGES = "answers that it did not merge, and did"
    SAYS_YES = "answers that it merged, and did not"
    BASE_MOVES = "somebody else moves the base first, so it does not merge"
    BASE_MOVES_AND_MERGES = "somebody else moves the base first, and it merges all the same"
    WRONG_TREE = "merges, and loses a file"
    WRONG_SHAPE = "merges, and leaves one commit more"
    FAILS = "the call fails before it merges"
    FAILS_AFTER_MERGING = "the call fails after it merged"
    MERGES_ITSELF = "the forge merged it on its own already"


@dataclass
class Pull:
    """One pull request."""

    id: ChangeId
    branch: str
    base: str
    method: Method
    queued: bool = True
    title: str = ""
    parent: ChangeId | None = None
    fork: bool = False
    can_be_pushed_to: bool = True
    is_open: bool = True
    landed: CommitId | None = None
    """What it became on its base."""
    landed_head: CommitId | None = None
    approved_at: set[CommitId] | None = None
    """Where it is approved; None is everywhere. Where that is one commit, it is also the older one
    that is named when it is asked for at another.
    """
    shared_with: tuple[ChangeId, ...] = ()
    mark: Mark = Mark.NONE
    tried: bool = False
    """Whether somebody asks for a try run of it."""
    reviews: list[Review] = field(default_factory=list)
    unreadable: str = ""
    """Why its approval cannot be read."""


@dataclass
class Forge:
    """The pull requests, statuses and checks of one repository."""

    playground: Playground
    base: BranchName = MAIN
    stack_merge: StackMerge = StackMerge.SEQUENTIAL
    batch_merge: StackMerge = StackMerge.SEQUENTIAL
    linear_stacks: bool = False
    merges: ProviderMerges = ProviderMerges.PATHS
    methods: tuple[Method, ...] = tuple(Method)
    shows_status: bool = True
    committer: Committer | None = field(
        default_factory=lambda: Committer(name="queue bot", email="bot@example.invalid")
    )
    pinned_to: str = QUEUE_APP
    """The app that the base requires the queue's status from."""
    required: tuple[str, ...] = ()
    """The checks that the base requires besides the queue's status."""
    pulls: dict[ChangeId, Pull] = field(default_factory=dict)
    statuses: dict[CommitId, tuple[StatusState, str]] = field(default_factory=dict)
    checks: dict[tuple[CommitId, str], CheckState] = field(default_factory=dict)
    """States by commit and name; one that is missing has passed."""
    named: dict[str, NamedCheck] | None = None
    """The newest run of each named check at every head, or of `<change> <check>` at one change's;
    None where it does not tell of any.
    """
    reruns: list[RerunRequest] = field(default_factory=list)
    rerun_refusals: dict[ChangeId, str] = field(default_factory=dict)
    kicks: list[KickBack] = field(default_factory=list)
    tried: list[TryReport] = field(default_factory=list)
    retargets: list[RetargetRequest] = field(default_factory=list)
    posts: list[StatusPost] = field(default_factory=list)
    merge_requests: list[MergeRequest] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)
    """Every call's name, with the change it is about."""
    knobs: dict[ChangeId, list[Knob]] = field(default_factory=dict)
    refusals: dict[ChangeId, str] = field(default_factory=dict)
    """Words with which every merge of a change is refused."""
    before: dict[str, list[Callable[[], object]]] = field(default_factory=dict)
    """What happens right before a call, the first time it is made, the second time, and so on."""
    mark_failures: tuple[str, ...] = ()
    late: dict[ChangeId, list[CommitId | None]] = field(default_factory=dict)
    """Heads that the next answers about a change still show; None is the true one."""

    # --- what people do --------------------------------------------------------------------------

    def open(self, id_: str, head: str, **more: object) -> Pull:
        """Open a pull request from a branch of its own at `head`, queued unless said otherwise."""
        change = ChangeId(id_)
        branch = str(more.pop("branch", f"topic-{id_}"))
        self.playground.branch(branch, head)
        method = more.pop("method", Method.SQUASH)
        assert isinstance(method, Method)
        pull = Pull(change, branch, str(more.pop("base", self.base)), method, title=f"Change {id_}")
        for name, value in more.items():
            setattr(pull, name, value)
        self.pulls[change] = pull
        return pull

    def push(self, id_: str, head: str) -> None:
        """Push to a pull request's branch."""
        self.playground.branch(self.pulls[ChangeId(id_)].branch, head)

    def push_to_base(
        self, files: Mapping[str | bytes, str | None], message: str = "By hand\n"
    ) -> CommitId:
        """Push a commit to the base past the queue."""
        tip = self.playground.tip(self.base)
        return self.playground.branch(
            self.base, self.playground.commit(files, parents=tip, message=message)
        )

    def merge_by_hand(self, id_: str) -> None:
        """Merge a pull request past the queue, as an administrator can."""
        pull = self.pulls[ChangeId(id_)]
        tip, head = self.playground.tip(pull.base), self.head(id_)
        tree = self._tree(pull, head)
        assert tree is not None
        parents = [tip, head] if pull.method is Method.MERGE else [tip]
        self._close(pull, head, self._commit(tree, parents, "Merged by hand\n"))

    def list_green_now(self) -> list[ChangeId]:
        """Return the open pull requests whose head is green."""
        return [
            pull.id
            for pull in self.pulls.values()
            if pull.is_open and self._is_green(self.head(pull.id))
        ]

    def head(self, id_: str) -> CommitId:
        """Return where a pull request's branch is."""
        pull = self.pulls[ChangeId(id_)]
        return pull.landed_head or self.playground.tip(pull.branch)

    # --- ProviderReads ---------------------------------------------------------------------------

    def describe(self, question: DescribeQuestion) -> Capabilities:
        """Return what it can do, with its setup where one is asked for."""
        self._called("describe")
        setup = None
        if question.status_context:
            setup = Setup(
                status_context=question.status_context,
                credential=Credential(id=QUEUE_APP, name="queue"),
                required_checks=(
                    RequiredCheck(context=STATUS_CONTEXT, integration=self.pinned_to),
                    *(RequiredCheck(context=name) for name in self.required),
                ),
            )
        return Capabilities(
            merges=self.merges,
            stack_merge=self.stack_merge,
            batch_merge=self.batch_merge,
            linear_stacks=self.linear_stacks,
            methods=self.methods,
            required_approvals=1,
            named_checks=self.named is not None,
            shows_status=self.shows_status,
            committer=self.committer,
            setup=setup,
        )

    def list_changes(self, question: Repository) -> Listing:
        """Return its four lists, in the order in which the pull requests were opened."""
        self._called("list_changes")
        assert question.base == self.base
        open_ = [pull for pull in self.pulls.values() if pull.is_open]
        queued = [pull for pull in open_ if pull.queued]
        return Listing(
            changes=tuple(self._change(pull) for pull in queued),
            merged=tuple(self._merged_beneath(queued)),
            unqueued=tuple(
                UnqueuedChange(
                    id=pull.id,
                    head=self.head(pull.id),
                    ref=_ref(pull),
                    mark=pull.mark,
                    tried=pull.tried,
                )
                for pull in open_
                if not pull.queued
            ),
            closed=tuple(
                ClosedChange(id=pull.id)
                for pull in self.pulls.values()
                if not pull.is_open
                and pull.mark is not Mark.NONE
                and not self._is_beneath(pull, queued)
            ),
        )

    def approvals_at(
        self, questions: Sequence[ApprovalQuestion]
    ) -> Mapping[ChangeId, Approval | str]:
        """Return each change as it is now."""
        answers: dict[ChangeId, Approval | str] = {}
        for question in questions:
            self._called(f"approvals_at {question.change.id}")
            pull = self.pulls[question.change.id]
            approved = pull.approved_at is None or question.commit in pull.approved_at
            late = self.late.get(pull.id)
            answers[pull.id] = pull.unreadable or Approval(
                approved=approved,
                head=(late.pop(0) if late else None) or self.head(pull.id),
                base=BranchName(pull.base),
                method=pull.method,
                queued=pull.queued and pull.is_open,
                shared_with=pull.shared_with,
                reason="" if approved else "nobody approved it there",
                approved_commit=None if approved else _only(pull.approved_at),
                reviews=tuple(pull.reviews) if question.reviewers else None,
            )
        return answers

    def list_green(self, question: GreenQuestion) -> tuple[GreenChange, ...]:
        """Return every open pull request, whatever its base, whose head is green."""
        self._called("list_green")
        assert question.context == STATUS_CONTEXT
        return tuple(
            GreenChange(id=pull.id, head=self.head(pull.id))
            for pull in self.pulls.values()
            if pull.is_open and self._is_green(self.head(pull.id))
        )

    def required_checks(self, question: CheckQuestion) -> tuple[Check, ...]:
        """Return the required checks at a commit, the queue's own status among them."""
        self._called(f"required_checks {question.change.id}")
        own = CheckState.SUCCESS if self._is_green(question.commit) else CheckState.PENDING
        return (
            Check(name=STATUS_CONTEXT, state=own),
            *(Check(name=name, state=self._check(question.commit, name)) for name in self.required),
        )

    def named_checks(
        self, questions: Sequence[NamedChecksQuestion]
    ) -> Mapping[ChangeId, tuple[NamedCheck, ...] | str]:
        """Return the newest run of each check, the same at every head but for single changes."""
        self._called("named_checks")
        named = self.named or {}
        return {
            one.change.id: tuple(
                named.get(f"{one.change.id} {name}") or named[name] for name in one.names
            )
            for one in questions
        }

    # --- ProviderWrites --------------------------------------------------------------------------

    def post_status(self, posts: Sequence[StatusPost]) -> None:
        """Record statuses; one on a commit that is not there is refused, as a whole."""
        for post in posts:
            self._called(f"post_status {post.change} {post.state}")
        for post in posts:
            assert post.context == STATUS_CONTEXT
            assert len(post.description.encode()) <= 140
            if post.commit not in self.playground.repository:
                raise PROVIDER_FAILED(f"422: no commit {post.commit}")
            self.statuses[post.commit] = (post.state, post.description)
            self.posts.append(post)

    def retarget(self, request: RetargetRequest) -> None:
        """Point a pull request at another base."""
        self._called(f"retarget {request.change}")
        self.retargets.append(request)
        self.pulls[request.change].base = request.base

    def rerun_checks(self, requests: Sequence[RerunRequest]) -> Mapping[ChangeId, str]:
        """Remember what was to be run again."""
        self._called("rerun_checks")
        self.reruns += requests
        return self.rerun_refusals

    def merge_change(self, request: MergeRequest) -> MergeAnswer:
        """Merge a pull request as its base's own rules allow."""
        change = request.change.id
        self._called(f"merge_change {change}")
        self.merge_requests.append(request)
        pull = self.pulls[change]
        queue = self.knobs.get(change)
        knob = queue.pop(0) if queue else None
        match knob:
            case Knob.SAYS_NO:
                return MergeAnswer(merged=False, reason="Pull Request is not mergeable")
            case Knob.SAYS_YES:
                return MergeAnswer(merged=True)
            case Knob.FAILS:
                raise PROVIDER_FAILED("502 Bad Gateway")
            case Knob.BASE_MOVES:
                self.push_to_base({f"outside-{len(self.calls)}": "moved\n"})
                return MergeAnswer(merged=False, reason="Base branch was modified")
            case Knob.BASE_MOVES_AND_MERGES:
                self.push_to_base({f"outside-{len(self.calls)}": "moved\n"})
            case _:
                pass
        refusal = self._refusal(pull, request)
        if refusal:
            return MergeAnswer(merged=False, reason=refusal)
        self._land(pull, request, knob)
        if knob is Knob.FAILS_AFTER_MERGING:
            raise PROVIDER_FAILED("502 Bad Gateway")
        if knob is Knob.SAYS_NO_BUT_MERGES:
            return MergeAnswer(merged=False, reason="Pull Request is closed")
        return MergeAnswer(merged=True, by_provider=knob is Knob.MERGES_ITSELF)

    def kick_back(self, kick: KickBack) -> None:
        """Show the report, then remove the intent."""
        self._called(f"kick_back {kick.change.id}")
        self.kicks.append(kick)
        self.pulls[kick.change.id].queued = False

    def mark(self, marks: Sequence[MarkRequest]) -> tuple[str, ...]:
        """Show each change's one mark."""
        for request in marks:
            self._called(f"mark {request.change} {request.mark or 'none'}")
            self.pulls[request.change].mark = request.mark
        return self.mark_failures

    def report_try(self, report: TryReport) -> None:
        """Show what a try run came to."""
        self._called(f"report the try run of {report.change}")
        self.tried.append(report)

    # --- how it merges ---------------------------------------------------------------------------

    def merged_tree(self, ours: CommitId, theirs: CommitId) -> TreeId | None:
        """Return what merging path by path gives, or None on a conflict: with libgit2, whose engine
        ours does not use.
        """
        repository = self.playground.repository
        base = repository.merge_base(ours, theirs)
        return self._three_way(str(base), ours, theirs)

    def _three_way(self, base: str, ours: str, theirs: str) -> TreeId | None:
        repository = self.playground.repository
        ancestor, mine, other = (repository[one].peel(pygit2.Tree) for one in (base, ours, theirs))
        index = repository.merge_trees(ancestor, mine, other, flags=pygit2.enums.MergeFlag(0))
        if index.conflicts is not None:
            return None
        return TreeId(str(index.write_tree(repository)))

    def _refusal(self, pull: Pull, request: MergeRequest) -> str:
        if pull.id in self.refusals:
            return self.refusals[pull.id]
        if not pull.is_open:
            return "Pull Request is closed"
        if request.commit != self.head(pull.id):
            return "Head branch was modified"
        if not self._is_green(request.commit):
            return f"Required status check {STATUS_CONTEXT} is expected"
        waiting = [
            name
            for name in self.required
            if self._check(request.commit, name) is not CheckState.SUCCESS
        ]
        if waiting:
            return f"Required status check {waiting[0]} is expected"
        if self.merges is ProviderMerges.PATHS and self._tree(pull, request.commit) is None:
            return "Pull Request has merge conflicts"
        return ""

    def _tree(self, pull: Pull, head: CommitId) -> TreeId | None:
        return self.merged_tree(self.playground.tip(pull.base), head)

    def _land(self, pull: Pull, request: MergeRequest, knob: Knob | None) -> None:
        tip, head = self.playground.tip(pull.base), request.commit
        tree = request.tree if self.merges is ProviderMerges.EXACT else self._tree(pull, head)
        assert tree is not None
        if knob is Knob.WRONG_TREE:
            tree = TreeId(self.playground.tree({"lost.txt": "lost\n"}, start=tip))
        if pull.method is Method.REBASE:
            made = self._replayed(tip, head)
        else:
            parents = [tip] if pull.method is Method.SQUASH else [tip, head]
            made = self._commit(tree, parents, f"{pull.title} (#{pull.id})\n\n{request.message}")
        if knob is Knob.WRONG_SHAPE:
            made = self._commit(tree, [made], "One more\n")
        self._close(pull, head, made)

    def _close(self, pull: Pull, head: CommitId, made: CommitId) -> None:
        self.playground.branch(pull.base, made)
        pull.landed, pull.landed_head = made, head
        pull.is_open = pull.queued = False
        if self.playground.tip(pull.branch) == head:
            self.playground.delete_branch(pull.branch)

    def _replayed(self, tip: CommitId, head: CommitId) -> CommitId:
        made = tip
        for commit in reversed(
            self.playground.run("rev-list", "--topo-order", head, f"^{tip}").decode().split()
        ):
            parents = self.playground.repository[commit].peel(pygit2.Commit).parent_ids
            tree = self._three_way(str(parents[0]), made, commit)
            assert tree is not None
            made = self._commit(tree, [made], self.playground.message(commit))
        return made

    def _commit(self, tree: TreeId, parents: list[CommitId], message: str) -> CommitId:
        who = pygit2.Signature("Forge", "forge@example.invalid", 1_800_000_000, 0)
        return CommitId(
            str(
                self.playground.repository.create_commit(
                    None, who, who, message, tree, [pygit2.Oid(hex=parent) for parent in parents]
                )
            )
        )

    # --- what it knows ---------------------------------------------------------------------------

    def _called(self, name: str) -> None:
        self.calls.append(name)
        waiting = self.before.get(name)
        if waiting:
            waiting.pop(0)()

    def _is_green(self, commit: CommitId) -> bool:
        return self.statuses.get(commit, (None,))[0] is StatusState.SUCCESS

    def _check(self, commit: CommitId, name: str) -> CheckState:
        return self.checks.get((commit, name), CheckState.SUCCESS)

    def _change(self, pull: Pull) -> Change:
        return Change(
            id=pull.id,
            head=self.head(pull.id),
            base=BranchName(pull.base),
            method=pull.method,
            repo="owner/repo",
            ref=_ref(pull),
            branch=BranchName(pull.branch) if pull.can_be_pushed_to else None,
            title=pull.title,
            parent=pull.parent,
            fork=pull.fork,
        )

    def _merged_beneath(self, queued: Sequence[Pull]) -> list[MergedChange]:
        return [
            MergedChange(id=pull.id, head=pull.landed_head, commit=pull.landed, method=pull.method)
            for pull in self.pulls.values()
            if pull.landed is not None and pull.landed_head is not None
            if self._is_beneath(pull, queued)
        ]

    def _is_beneath(self, pull: Pull, queued: Sequence[Pull]) -> bool:
        repository = self.playground.repository
        return pull.landed_head is not None and any(
            repository.descendant_of(self.head(other.id), pull.landed_head)
            for other in queued
            if self.head(other.id) != pull.landed_head
        )


def _only(commits: set[CommitId] | None) -> CommitId | None:
    return next(iter(commits)) if commits is not None and len(commits) == 1 else None


def _ref(pull: Pull) -> RefName:
    return RefName(f"refs/heads/{pull.branch}")
