"""A part of the step: the candidate built again, the base predicted, and what is handed to the
provider.
"""

from dataclasses import dataclass, field

from mergequeue.apply.handover import (
    Asked,
    HandHead,
    Merges,
    Update,
    carried_by,
    decide_handover,
    decide_pushed,
    is_made_by_provider,
)
from mergequeue.apply.landed import LineCommit, find_landing
from mergequeue.apply.outcomes import Kick, Wait
from mergequeue.apply.predicted import decide_predicted
from mergequeue.apply.replay import decide_replay, decide_settled
from mergequeue.apply.trust import decide_beneath, decide_rebuilt
from mergequeue.candidates.prediction import (
    AboutToLand,
    MergeFirst,
    decide_after_merge,
    decide_prediction,
)
from mergequeue.conflicts.replay import Line, Replay, replay_lines
from mergequeue.documents.capabilities import Capabilities
from mergequeue.documents.plan import Plan, PlannedChange
from mergequeue.documents.verdict import Verdict
from mergequeue.ports import (
    Builder,
    Candidate,
    CandidateRequest,
    Clock,
    CommitFacts,
    GitBuilds,
    GitPushes,
    GitReads,
    MergesTrees,
    Merging,
    RefMove,
    ThreeWay,
)
from mergequeue.vocabulary.identity import Identity
from mergequeue.vocabulary.ids import ChangeId, CommitId, RepoPath, TreeId, branch_ref
from mergequeue.vocabulary.words import Method, ProviderMerges


@dataclass(frozen=True)
class Built:
    """A candidate that is the one that was gated."""

    onto: CommitId
    commit: CommitId
    candidate: Candidate


@dataclass(frozen=True)
class NextBase:
    """What the base is to become."""

    tip: CommitId
    tree: TreeId
    stale: tuple[str, ...]
    below_open: bool
    """Whether the change beneath is still open, so that its content is not yet the base's."""


@dataclass(frozen=True)
class Handed:
    """What the provider is to merge."""

    commit: CommitId
    stale: tuple[str, ...] = ()
    """Required checks that run again on it first, so that it does not merge in this run."""


@dataclass(frozen=True)
class Building:
    """Builds, predicts and pushes."""

    git: GitReads
    trees: MergesTrees
    merging: Merging
    builder: Builder
    builds: GitBuilds
    pushes: GitPushes
    clock: Clock
    plan: Plan
    provider: Capabilities
    committer: Identity | None
    rebuilt: dict[ChangeId, Built] = field(default_factory=dict)
    """What this run built again; a change above is built onto nothing else (facts A10)."""

    def rebuild(self, change: PlannedChange, verdict: Verdict) -> Built | Wait:
        """Return the candidate, built again onto what this run built beneath it: the one gated."""
        known = self.rebuilt.get(change.id)
        if known is not None:
            return known
        onto = self.plan.base_commit
        if verdict.after is not None:
            beneath = self.rebuilt.get(verdict.after)
            if beneath is None:
                return decide_beneath(verdict.after)
            onto = beneath.commit
        request = CandidateRequest(change, change.stack_base, onto, self.plan.commit_date)
        candidate = self.builder.build(request)
        commit = decide_rebuilt(change, verdict, candidate)
        if isinstance(commit, Wait):
            return commit
        self.rebuilt[change.id] = Built(onto, commit, candidate)
        return self.rebuilt[change.id]

    def predict(self, built: Built, tip: CommitId) -> TreeId | Wait:
        """Return the tree that the base will carry, or the wait for a combination that nobody
        validated (facts 3.7).
        """
        landing = AboutToLand(built.onto, built.commit, self.git.tree_of(built.commit), tip)
        moved = () if tip == built.onto else self.git.differences(built.onto, tip)
        prediction = decide_prediction(landing, moved, built.candidate.differences)
        if isinstance(prediction, MergeFirst):
            prediction = decide_after_merge(self.trees.merge_by_paths([prediction.merge])[0])
        return decide_predicted(prediction)

    def landed_at(self, change: PlannedChange, built: Built, tip: CommitId) -> CommitId | None:
        """Return the commit of the base with which the change landed already, by the trees that the
        base carried.
        """
        line = self._line(tip)

        def predicted(before: CommitId) -> TreeId | None:
            tree = self.predict(built, before)
            return None if isinstance(tree, Wait) else tree

        moves = (
            len(self.own_commits(change, self.plan.base_commit))
            if change.method is Method.REBASE
            else 1
        )
        return find_landing(line, predicted, moves=moves)

    def _line(self, tip: CommitId) -> list[LineCommit]:
        """Return the base's own commits since the plan, oldest first; what a merge brought in was
        never the base.
        """
        commits = {commit.id: commit for commit in self.git.line_of(tip, self.plan.base_commit)}
        line: list[LineCommit] = []
        at = tip
        while at in commits:
            line.append(LineCommit(at, commits[at].tree))
            at = commits[at].parents[0]
        return [LineCommit(at, self.git.tree_of(at)), *reversed(line)]

    def hand_over(self, change: PlannedChange, target: NextBase) -> Handed | Wait | Kick:
        """Push an update commit where the provider would not make the tree by itself, and return
        what it is to merge.
        """
        merges = self._merges(change, target)
        above = carried_by(change, self.plan.admitted)
        decided = decide_handover(
            Asked(change, target.tip, merges, target.stale, above), self.provider, self.committer
        )
        match decided:
            case HandHead():
                return Handed(change.head)
            case Update():
                return self._push(change, target, decided)
            case Wait() | Kick():
                return decided

    def replay_obstacle(self, change: PlannedChange, target: NextBase) -> Wait | Kick | None:
        """Return why a change that merges by rebase cannot: its replay does not give the tree."""
        if change.method is not Method.REBASE:
            return None
        refused = decide_settled(self.plan.base, self.rebuilt[change.id].candidate)
        if refused is not None:
            return refused
        on_tip = self._replay(change, target.tip)
        if on_tip.tree == target.tree:
            return None
        base = self.plan.base_commit
        alone = None if target.tip == base else self._replay(change, base)
        return decide_replay(self.plan.base, on_tip, alone=alone)

    def _replay(self, change: PlannedChange, onto: CommitId) -> Replay:
        """Replay the change's own commits as its provider does, merges left out."""
        exact = self.provider.merges is ProviderMerges.EXACT
        line = Line(self.git.tree_of(onto), self.own_commits(change, onto))
        (made,) = replay_lines([line], self.merging.merge if exact else self.trees.merge_by_paths)
        return made

    def _merges(self, change: PlannedChange, target: NextBase) -> Merges:
        tree = target.tree
        if change.method is Method.REBASE:
            return Merges(tree, tree)  # Its replay was found to give it.
        merge = ThreeWay(target.tip, change.head)
        (plain,) = self.trees.merge_by_paths([merge])
        if is_made_by_provider(self.provider.merges, plain.tree, tree):
            return Merges(tree, plain.tree)
        (renamed,) = self.trees.merge_by_renames([merge])
        (settled,) = self.merging.merge([merge])
        own = None
        if change.stack_base is not None and not target.below_open:
            (own,) = self.merging.merge(
                [ThreeWay(target.tip, change.head, recorded=change.stack_base)]
            )
        at_issue: tuple[RepoPath, ...] = tuple(conflict.path for conflict in plain.conflicts)
        if plain.tree is not None:
            at_issue = tuple(
                difference.path for difference in self.git.differences(plain.tree, tree)
            )
        return Merges(tree, plain.tree, renamed.tree, settled, own, at_issue)

    def _push(
        self, change: PlannedChange, target: NextBase, update: Update
    ) -> Handed | Wait | Kick:
        by = (update.committer, self.clock.now())
        commit = self.builds.write_commit(
            target.tree, update.parents, update.message, author=by, committer=by
        )
        # The lease names the head: an empty one would bring a deleted branch back (CASES, B).
        pushed = self.pushes.push(
            [RefMove(branch_ref(change.branch or ""), commit, expected=change.head)]
        )
        return decide_pushed(pushed) or Handed(commit, target.stale)

    def own_commits(self, change: PlannedChange, tip: CommitId) -> tuple[CommitFacts, ...]:
        """Return the change's own commits, oldest first: what its head carries, and neither the
        base nor its stack base does.
        """
        carried: set[CommitId] = set()
        if change.stack_base is not None:
            carried = {commit.id for commit in self.git.line_of(change.stack_base, tip)}
        return tuple(
            commit for commit in self.git.line_of(change.head, tip) if commit.id not in carried
        )
