"""A part of the step: the candidate built again, the base predicted, and what is handed to the
provider.
"""

from dataclasses import dataclass, replace

from mergequeue.apply._rebuilding import Built
from mergequeue.apply.generated import paths_of
from mergequeue.apply.handover import (
    Asked,
    HandHead,
    Merges,
    Update,
    carried_by,
    decide_handover,
    decide_not_on_replay,
    decide_pushed,
    is_made_by_provider,
)
from mergequeue.apply.landed import LineCommit, find_landing
from mergequeue.apply.outcomes import Kick, Wait
from mergequeue.apply.predicted import decide_predicted
from mergequeue.apply.replay import decide_replay, decide_settled
from mergequeue.candidates.prediction import (
    AboutToLand,
    Carries,
    MergeFirst,
    Revalidate,
    decide_after_merge,
    decide_prediction,
)
from mergequeue.conflicts.replay import Line, Replay, replay_lines
from mergequeue.documents.capabilities import Capabilities
from mergequeue.documents.plan import Plan, PlannedChange
from mergequeue.ports import (
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
from mergequeue.report import applying
from mergequeue.vocabulary.identity import Identity
from mergequeue.vocabulary.ids import CommitId, RepoPath, TreeId, branch_ref
from mergequeue.vocabulary.words import Method, ProviderMerges


@dataclass(frozen=True)
class NextBase:
    """What the base is to become."""

    tip: CommitId
    tree: TreeId
    stale: tuple[str, ...]
    below_open: bool
    """Whether the change beneath is still open, so that its content is not yet the base's."""
    regenerated: frozenset[RepoPath] = frozenset()
    """The generated files in which it may be what no merge gives."""
    beneath: TreeId | None = None
    """The tree that those leave on the base which merge beneath it in the same call; None where it
    is the tip's own.
    """
    replayed: Replay | None = None
    """What the provider leaves by itself of a change that merges by rebase."""


@dataclass(frozen=True)
class Handed:
    """What the provider is to merge."""

    commit: CommitId
    stale: tuple[str, ...] = ()
    """Required checks that run again on it first, so that it does not merge in this run."""
    on_top: str = ""
    """The message of the commit with which a provider that writes the tree ends a replay."""


Found = NextBase | Wait | Kick
"""What the base is to become, or why it cannot."""


@dataclass(frozen=True)
class Building:
    """Predicts and pushes."""

    git: GitReads
    trees: MergesTrees
    merging: Merging
    builds: GitBuilds
    pushes: GitPushes
    clock: Clock
    plan: Plan
    provider: Capabilities
    committer: Identity | None

    def predict(
        self, built: Built, tip: CommitId, *, since: CommitId | None = None
    ) -> TreeId | Wait:
        """Return the tree that the base will carry, or the wait for a combination that nobody
        validated (facts 3.7).

        `since` is what the lowest was built onto of those that merge in the same call.
        """
        onto, made = built.onto, built.candidate.differences
        if since is not None and since != onto:
            onto, made = since, self.git.differences(since, built.commit)
        landing = AboutToLand(onto, built.commit, self.git.tree_of(built.commit), tip)
        moved = () if tip == onto else self.git.differences(onto, tip)
        prediction = decide_prediction(landing, moved, made)
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

        moves = [1]
        if change.method is Method.REBASE:
            moves = [len(self.own_commits(change, self.plan.base_commit))]
            moves += [moves[0] + 1] if built.regenerated else []
        found = (find_landing(line, predicted, moves=number) for number in moves)
        return next(filter(None, found), None)

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
                return Handed(change.head, on_top=self._on_top(change, target))
            case Update():
                return self._push(change, target, decided)
            case Wait() | Kick():
                return decided

    def replay(self, change: PlannedChange, built: Built, target: NextBase) -> Found:
        """Return the base to be with what replaying a change gives that merges by rebase, or why it
        cannot merge that way.
        """
        if change.method is not Method.REBASE:
            return target
        refused = decide_settled(self.plan.base, built.candidate)
        if refused is not None:
            return refused
        on_tip = self._replay(change, target.tip, target.beneath)
        if on_tip.tree is not None:
            off = paths_of(self.git.differences(on_tip.tree, target.tree))
            if off <= target.regenerated:
                return replace(target, replayed=on_tip)
        base = self.plan.base_commit
        is_alone = target.tip == base and target.beneath is None
        alone = None if is_alone else self._replay(change, base)
        return decide_replay(self.plan.base, on_tip, alone=alone)

    def _on_top(self, change: PlannedChange, target: NextBase) -> str:
        """Return the message of what a replay lacks; nothing where it lacks nothing."""
        if target.replayed is None or target.replayed.tree == target.tree:
            return ""
        return applying.update_on_replay(change, sorted(target.regenerated))

    def _replay(
        self, change: PlannedChange, onto: CommitId, beneath: TreeId | None = None
    ) -> Replay:
        """Replay the change's own commits as its provider does, merges left out."""
        exact = self.provider.merges is ProviderMerges.EXACT
        line = Line(beneath or self.git.tree_of(onto), self.own_commits(change, onto))
        (made,) = replay_lines([line], self.merging.merge if exact else self.trees.merge_by_paths)
        return made

    def merge_alone(
        self, change: PlannedChange, tip: CommitId, *, below_open: bool
    ) -> TreeId | Wait:
        """Return the tree of a change's head merged onto the base's tip, without what is beneath it
        in its batch, or the wait where that conflicts.
        """
        recorded = None if below_open else change.stack_base
        (made,) = self.merging.merge([ThreeWay(tip, change.head, recorded=recorded)])
        return decide_predicted(Revalidate(None) if made.tree is None else Carries(made.tree))

    def _merges(self, change: PlannedChange, target: NextBase) -> Merges:
        tree = target.tree
        if target.replayed is not None:
            return Merges(tree, target.replayed.tree, regenerated=target.regenerated)
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
            at_issue = tuple(sorted(self._off(plain.tree, tree)))
        return Merges(
            tree,
            plain.tree,
            renamed.tree,
            settled,
            own,
            at_issue,
            regenerated=target.regenerated,
            off_settled=self._off(settled.tree, tree),
            off_stack_base=self._off(own.tree if own is not None else None, tree),
        )

    def _off(self, made: TreeId | None, tree: TreeId) -> frozenset[RepoPath]:
        """Return where the predicted tree is not what a merge gives."""
        return frozenset() if made is None else paths_of(self.git.differences(made, tree))

    def _push(
        self, change: PlannedChange, target: NextBase, update: Update
    ) -> Handed | Wait | Kick:
        by = (update.committer, self.clock.now())
        commit = self.builds.write_commit(
            target.tree, update.parents, update.message, author=by, committer=by
        )
        if target.replayed is not None and not self._is_replayed(change, target, commit):
            return decide_not_on_replay(change, target.regenerated)
        # The lease names the head: an empty one would bring a deleted branch back (CASES, B).
        pushed = self.pushes.push(
            [RefMove(branch_ref(change.branch or ""), commit, expected=change.head)]
        )
        return decide_pushed(pushed) or Handed(commit, target.stale)

    def _is_replayed(self, change: PlannedChange, target: NextBase, commit: CommitId) -> bool:
        """Whether a commit on the head, replayed behind the others, gives the predicted tree."""
        onto = target.replayed.tree if target.replayed is not None else None
        if onto is None:
            return False
        (made,) = self.trees.merge_by_paths([ThreeWay(onto, commit, change.head)])
        return made.tree == target.tree

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
