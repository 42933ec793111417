"""What a step asks of the outside, as Protocols cut by right (DESIGN, rule 3).

    reading git          GitReads, MergesTrees        every step
    building commits     GitBuilds                    builder, applier, merger
    pushing              GitPushes                    applier alone
    reading the provider ProviderReads                lister, planner, applier, merger
    writing to it        ProviderWrites               applier, merger
    running a gate       Gates, Boxes                 validator alone

A step is handed the ports that it may use; what it cannot name it cannot call. The records below are
what the ports take and give: facts and requests, no decision in them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from mergequeue.documents.capabilities import Capabilities
from mergequeue.documents.changes import Change, Listing
from mergequeue.documents.event import Happening
from mergequeue.documents.plan import Plan, PlannedChange
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
from mergequeue.documents.verdict import Verdict
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.identity import Identity
from mergequeue.vocabulary.ids import BranchName, ChangeId, CommitId, RefName, RepoPath, TreeId, Unit
from mergequeue.vocabulary.words import ConflictKind, Rule

# --- git -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Wanted:
    """A commit to fetch: by the reference that should name it, and by its id where that moved or went."""

    commit: CommitId
    ref: RefName | None = None


@dataclass(frozen=True)
class CommitFacts:
    """What a commit says of itself."""

    id: CommitId
    tree: TreeId
    parents: tuple[CommitId, ...]
    author: Identity
    author_date: datetime
    committer: Identity
    committer_date: datetime
    message: str


@dataclass(frozen=True)
class Graph:
    """The commits that some heads carry and a tip does not, in one walk."""

    tip: CommitId
    """The commit whose history is left out."""
    parents: Mapping[CommitId, tuple[CommitId, ...]]
    """Every commit that a head carries and the tip does not, children before parents, each with its parents.

    A parent that is no key, like a head that is no key, is a commit that the tip carries.
    """


@dataclass(frozen=True)
class Difference:
    """One path that two trees hold differently, no renames looked for."""

    path: RepoPath
    old_mode: int
    """The mode as git has it (0o100644, 0o100755, 0o120000, 0o160000); 0 where the path is absent."""
    new_mode: int
    new_id: str
    """The object that the path holds in the new tree; empty where it is absent."""


@dataclass(frozen=True)
class ThreeWay:
    """A three-way merge to make. With no `base`, the merge bases of the two commits are found, and merged first where there are several."""

    ours: CommitId
    theirs: CommitId
    base: CommitId | None = None
    """A chosen merge base, in place of those of the two commits."""
    recorded: CommitId | None = None
    """A commit that counts as merged into `ours` already, as a stack base does (facts 3.4, step 2).

    It is the merge base, then, unless `theirs` took in more of our history since; changes nothing
    where `ours` carries it. Not together with `base`.
    """


@dataclass(frozen=True)
class Conflict:
    """One path that a merge could not settle."""

    path: RepoPath
    kind: ConflictKind


@dataclass(frozen=True)
class Merged:
    """What one rule made of a three-way merge: a tree, or the paths in its way."""

    tree: TreeId | None
    """The clean tree; None where there is a conflict."""
    conflicts: tuple[Conflict, ...] = ()
    unrelated: bool = False
    """Whether the two commits share no history, so that there is nothing to merge from."""
    bases: tuple[CommitId, ...] = ()
    """What it was merged from: the chosen base, or the merge bases."""


@dataclass(frozen=True)
class Settled:
    """What the one merge function made of a three-way merge (DESIGN, Merging)."""

    tree: TreeId | None
    """The clean tree; None where the conflict is the author's."""
    rule: Rule = Rule.PATHS
    """The rule that made the tree; that of the conflicts where there is none."""
    conflicts: tuple[Conflict, ...] = ()
    unrelated: bool = False


class GitReads(Protocol):
    """Reading a repository and its remote; nothing here changes either."""

    def remote_url(self) -> str:
        """Return the address of the remote that the queue works with, without credentials."""

    def list_refs(self, prefixes: Sequence[str]) -> Mapping[RefName, CommitId]:
        """Return the remote's references that start with one of the prefixes, all of one moment.

        A name that is no UTF-8 has its strange bytes as surrogates. Raises GIT_FAILED where the remote
        does not answer.
        """

    def fetch_branch(self, branch: BranchName) -> CommitId:
        """Fetch a branch of the remote with its history and return its commit; raise NO_BASE where there is none."""

    def fetch_commits(self, wanted: Sequence[Wanted]) -> frozenset[CommitId]:
        """Fetch the commits with their history, in one call where the remote allows it.

        Returns those that could not be had. Raises GIT_FAILED where the remote does not answer, and
        SHALLOW where history is cut.
        """

    def graph(self, heads: Sequence[CommitId], tip: CommitId) -> Graph:
        """Return what the heads carry and the tip does not, in one walk."""

    def is_ancestor(self, ancestor: CommitId, descendant: CommitId) -> bool:
        """Return whether the first commit is in the history of the second, or is it."""

    def commit(self, commit: CommitId) -> CommitFacts:
        """Return what a commit says of itself; raise UNDATED where its date does not read."""

    def tree_of(self, commit: CommitId) -> TreeId:
        """Return a commit's tree."""

    def differences(self, old: CommitId | TreeId, new: CommitId | TreeId) -> tuple[Difference, ...]:
        """Return the paths that two trees (or commits' trees) hold differently, sorted by path."""

    def fork_point(self, one: CommitId, other: CommitId) -> CommitId | None:
        """Return the one merge base of two commits; None where there are none or several."""

    def read_file(self, commit: CommitId | TreeId, path: RepoPath) -> bytes | None:
        """Return the content of a regular file in a commit's tree; None where there is none."""

    def paths(self, commit: CommitId | TreeId) -> tuple[RepoPath, ...]:
        """Return every path of a commit's tree, sorted."""

    def commits_touching(
        self, carried_by: CommitId, not_by: CommitId, paths: Sequence[RepoPath], limit: int
    ) -> tuple[str, ...]:
        """Return, newest first, `<12 digits> <subject>` of the commits that touched the paths, merges left out.

        They only explain a conflict: what cannot be listed is left out (facts P11).
        """

    def line_of(self, head: CommitId, not_by: CommitId) -> tuple[CommitFacts, ...]:
        """Return the commits that `head` carries and `not_by` does not, oldest first, in topological order."""


class MergesTrees(Protocol):
    """The two rules, in bulk, on a repository that no attribute or configuration of a checkout reaches."""

    def merge_by_paths(self, merges: Sequence[ThreeWay]) -> tuple[Merged, ...]:
        """Merge path by path, following no rename; only a clean tree is ever compared with another."""

    def merge_by_renames(self, merges: Sequence[ThreeWay]) -> tuple[Merged, ...]:
        """Merge as git's own merge-ort does, with its options at their defaults."""


class Merging(Protocol):
    """The one merge function that every stage calls (the step of `conflicts`)."""

    def merge(self, merges: Sequence[ThreeWay]) -> tuple[Settled, ...]:
        """Merge by paths, and by renames where that conflicts and renames stay within the change's own units."""


class GitBuilds(Protocol):
    """Writing objects into the queue's own store; no reference of anybody's moves."""

    def write_commit(
        self,
        tree: TreeId,
        parents: Sequence[CommitId],
        message: str,
        *,
        author: tuple[Identity, datetime],
        committer: tuple[Identity, datetime],
    ) -> CommitId:
        """Write a commit, its message verbatim and its dates in UTC, and return its id."""

    def write_files(self, files: Mapping[RepoPath, bytes]) -> TreeId:
        """Write a tree that holds these regular files and nothing else, and return its id."""


@dataclass(frozen=True)
class RefMove:
    """A reference of the remote to move, and where it has to be for that."""

    ref: RefName
    new: CommitId | None
    """Where it goes; None deletes it."""
    expected: CommitId | None
    """Where it is; None where it must not exist yet."""


class PushOutcome(StrEnum):
    """What became of a push."""

    DONE = "done"
    STALE = "stale"
    """A reference is no longer where it was expected, so none was moved."""
    REJECTED = "rejected"
    """The remote refused it, and says why."""


@dataclass(frozen=True)
class Pushed:
    """What became of a push, with the remote's words where it refused."""

    outcome: PushOutcome
    reason: str = ""


class GitPushes(Protocol):
    """Moving references of the remote."""

    def push(self, moves: Sequence[RefMove]) -> Pushed:
        """Move all the references or none, each under a lease; raise GIT_FAILED where the remote does not answer."""



# --- facts ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Affected:
    """The units that some paths reach."""

    units: tuple[Unit, ...]
    """Sorted; everything known, where `unbounded_by` is set."""
    unbounded_by: str = ""
    """Why the set is no proof: a path that no unit owns, in words."""


class Facts(Protocol):
    """What the base says of its units; read once from the base commit, never from a candidate."""

    def affected(self, paths: Sequence[RepoPath]) -> Affected:
        """Return the units that a change of these paths can reach, through what depends on them too."""

    def affected_many(self, sets: Sequence[Sequence[RepoPath]]) -> tuple[Affected, ...]:
        """Return `affected` for each set, in one go where that costs a process."""

    def all_units(self) -> tuple[Unit, ...]:
        """Return how every unit is named, for a gate whose reach is not proven."""


class FactsCommand(Protocol):
    """The `--facts` command, run in a checkout of the base commit (tables, What a hook is given)."""

    def ask(self, fact: str, given: bytes) -> bytes:
        """Run the command with the fact's name as its one argument and return its standard output.

        Raises FACTS_FAILED where it ends with anything but 0, HOOK_NOT_STARTED where it cannot be started.
        """


# --- running a gate ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Box:
    """A candidate's private folders."""

    checkout: str
    """The absolute path of its checkout."""
    home: str
    scratch: str
    """Where `--scratch-env` folders lie; `tmp` in it is TMPDIR."""


class Boxes(Protocol):
    """Private folders with a checkout in them, one box a candidate (DESIGN, A candidate on disk)."""

    def open(self, commit: CommitId) -> Box:
        """Make a box whose checkout is `commit`; raise BOX_FAILED where it cannot be made or starts out dirty."""

    def close(self, box: Box) -> None:
        """Remove a box, whatever a hook made of it."""


class GateResult(StrEnum):
    """How a gate ended."""

    GREEN = "green"
    RED = "red"
    CANCELLED = "cancelled"


@dataclass(frozen=True)
class GateRun:
    """A gate to run."""

    box: Box
    units: tuple[Unit, ...]
    """Appended to the gate's own words."""
    tag: str
    """What each line of its output starts with: `<12 digits> #<change>`, or `<12 digits> base`."""


@dataclass(frozen=True)
class GateEnd:
    """How a gate ended, in words where it was not green."""

    result: GateResult
    summary: str = ""
    """What failed: the exit status, the signal, or `busy three times running`."""
    duration_ms: int = 0
    line: str = ""
    """The command as a person would type it, units included."""


class Gates(Protocol):
    """The gate, run as words in a process group of its own."""

    def run(self, run: GateRun) -> GateEnd:
        """Run the gate to its end; raise HOOK_NOT_STARTED where its program cannot be started.

        Exit 75 is tried again, and red the third time running; a death by signal is red. What its
        processes leave behind in their group is killed before this returns. May be called from
        several threads at once.
        """

    def line(self, units: Sequence[Unit]) -> str:
        """Return the command as a person would type it, with these units."""

    def cancel(self) -> None:
        """Send every running gate's process group SIGTERM, and SIGKILL 30 seconds later; later runs are cancelled at once."""

    def cancel_tag(self, tag: str) -> None:
        """Do the same to the running gate with this tag alone."""


# --- verdicts ------------------------------------------------------------------------------------


class VerdictSink(Protocol):
    """Where validate leaves what it decides; each document appears whole, by rename."""

    def begin(self, plan: Plan) -> None:
        """Write the plan; raise OTHER_PLAN where another one is there already."""

    def write(self, verdict: Verdict) -> None:
        """Write one verdict, in place of an older one of the same change."""

    def done(self) -> None:
        """Say that the run has finished."""


@dataclass(frozen=True)
class Poll:
    """What one reading of a source gave."""

    verdicts: tuple[Verdict, ...] = ()
    """Verdicts not given before."""
    unreadable: Mapping[ChangeId, str] = field(default_factory=dict)
    """Changes whose verdict does not read, with why; each is given once."""
    strange: tuple[str, ...] = ()
    """What else was found and left alone, in words."""
    complete: bool = False
    """Whether nothing more will come: known before the listing was made."""


class VerdictSource(Protocol):
    """Where apply reads a plan and verdicts."""

    def plan(self) -> Plan | None:
        """Return the plan, or None where it is not there yet."""

    def poll(self) -> Poll:
        """Return what has come since the last poll."""

    def name(self) -> str:
        """Return the validation run's name for people; empty for a directory."""


# --- the provider --------------------------------------------------------------------------------


class ProviderReads(Protocol):
    """Asking the provider. Each function raises PROVIDER_FAILED, or BAD_ANSWER naming the key that is wrong."""

    def describe(self, question: DescribeQuestion) -> Capabilities:
        """Return what the provider can do; with a status context, also how its repository is wired."""

    def list_changes(self, question: Repository) -> Listing:
        """Return the queued, merged-beneath, unqueued and closed changes."""

    def approvals_at(self, questions: Sequence[ApprovalQuestion]) -> Mapping[ChangeId, Approval | str]:
        """Return each change as it is now; a text in its place says why that one could not be read."""

    def list_green(self, question: GreenQuestion) -> tuple[GreenChange, ...]:
        """Return every open change, whatever its base, whose head carries the status at success."""

    def required_checks(self, question: CheckQuestion) -> tuple[Check, ...]:
        """Return the state of each check that the base requires; none where the provider has no checks."""


class ProviderWrites(Protocol):
    """Changing what the provider holds."""

    def post_status(self, posts: Sequence[StatusPost]) -> None:
        """Record the statuses."""

    def retarget(self, request: RetargetRequest) -> None:
        """Point a change at another base; one that targets it already is a success."""

    def merge_change(self, request: MergeRequest) -> MergeAnswer:
        """Merge a change at the pinned commit, or say why not."""

    def kick_back(self, kick: KickBack) -> None:
        """Hand a change back: show the report, then remove its intent."""

    def mark(self, marks: Sequence[MarkRequest]) -> tuple[str, ...]:
        """Show each change's one mark; returns in words what could not be marked, since that stops nothing."""


# --- the rest of the world -----------------------------------------------------------------------


class Events(Protocol):
    """Where happenings go: lines of JSON, a terminal, or both. A failure to write never stops the queue."""

    def emit(self, happening: Happening) -> None:
        """Tell what happened. May be called from several threads at once."""


class Clock(Protocol):
    """The one reader of the clock."""

    def now(self) -> datetime:
        """Return the time, in UTC."""

    def sleep(self, seconds: float) -> None:
        """Wait; returns early when the program is told to stop."""


class Builder(Protocol):
    """The step that makes candidates, as validator and applier are handed it."""

    def build(self, request: "CandidateRequest") -> "Candidate":
        """Return the candidate; the same commit every time it is asked, in every clone."""


@dataclass(frozen=True)
class CandidateRequest:
    """A candidate to make."""

    change: Change
    stack_base: CommitId | None
    onto: CommitId
    """The base commit, or the candidate of the change right beneath."""
    date: datetime
    """The plan's commit date."""


@dataclass(frozen=True)
class Candidate:
    """A candidate, or why there is none."""

    commit: CommitId | None
    """The merge of the head onto `onto`; None where there is a conflict or a refusal."""
    differences: tuple[Difference, ...] = ()
    """What the candidate changes in what it was built onto."""
    rule: Rule = Rule.PATHS
    conflicts: tuple[Conflict, ...] = ()
    refused: str = ""
    """Why the head can be merged onto nothing, such as a missing history."""


@dataclass(frozen=True)
class Landing:
    """A change to land: what is handed over, and what the base is to be afterwards."""

    change: PlannedChange
    """The plan's record, with the base that it merges into."""
    commit: CommitId
    """What is merged: the change's head, or the update commit that was pushed to its branch."""
    covered: CommitId
    """The commit that a review of its head covers."""
    tip: CommitId
    """The base's tip that the merge was predicted onto."""
    tree: TreeId
    """The tree that the base is predicted to carry."""
    message: str
    """The message of a squash."""
    committer: str = ""
    """`Name <address>` of who commits, for a provider that writes the merge itself."""
    app: str = ""


@dataclass(frozen=True)
class Landed:
    """What became of a landing."""

    tip: CommitId | None = None
    """The base's tip with the change on it; None where it did not merge."""
    by_provider: bool = False
    code: Code | None = None
    """Why it waits, where it did not merge."""
    reason: str = ""
    head: CommitId | None = None
    """The commit that its status belongs to while it waits, where that is not what was handed over."""


class Merger(Protocol):
    """The step that lands a change and alone moves the queue's status, as the applier is handed it."""

    def land(self, landing: Landing) -> Landed:
        """Read everything again, turn the status green, merge, and check what the base then carries.

        Raises UNEXPECTED_TREE and UNEXPECTED_SHAPE where the base is not as predicted, STATUS_FAILED
        where a status could not be posted that had to be. A success not followed through is set back
        before this returns or raises.
        """

    def post_waiting(self, change: Change, commit: CommitId, why: str) -> None:
        """Set the status to pending."""

    def post_kicked(self, change: Change, commit: CommitId) -> None:
        """Set the status to failure."""

    def revoke(self, question: Repository) -> tuple[GreenChange, ...]:
        """Set every success on an open change back to pending, and return those changes."""


Stop = Callable[[], bool]
"""Asked between two pieces of work: whether the program was told to stop."""
