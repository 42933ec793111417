"""A part of the step: the candidate built again, generated files included."""

from dataclasses import dataclass, field

from mergequeue.apply.generated import (
    Proven,
    Reach,
    Unproven,
    decide_bundle,
    decide_no_bundle,
    decide_not_regenerated,
    decide_proof,
    decide_regenerated,
    decide_taken,
    decide_unread_bundle,
    paths_of,
)
from mergequeue.apply.outcomes import Kick, Wait
from mergequeue.apply.trust import decide_beneath, decide_rebuilt
from mergequeue.candidates.regeneration import places_of
from mergequeue.documents.plan import Plan, PlannedChange
from mergequeue.documents.verdict import Verdict
from mergequeue.ports import (
    Builder,
    Bundles,
    Candidate,
    CandidateRequest,
    Facts,
    Generation,
    GitReads,
    Stale,
    VerdictSource,
)
from mergequeue.vocabulary.errors import UNREADABLE, MergequeueError
from mergequeue.vocabulary.ids import ChangeId, CommitId, RepoPath


@dataclass(frozen=True)
class Built:
    """A candidate that is the one that was gated."""

    onto: CommitId
    commit: CommitId
    candidate: Candidate
    regenerated: frozenset[RepoPath] = frozenset()
    """The generated files in it that the base's regeneration wrote, or validation's checked one."""
    taken: bool = False
    """Whether they are validation's."""


@dataclass(frozen=True)
class _Asked:
    """A candidate to build again."""

    change: PlannedChange
    verdict: Verdict
    request: CandidateRequest
    merge: CommitId
    candidate: Candidate
    """As it was merged."""
    outputs: frozenset[RepoPath]
    """The generated files that its merge touches."""


@dataclass(frozen=True)
class Rebuilding:
    """Builds candidates again, from the pinned heads and the base's own regeneration."""

    git: GitReads
    facts: Facts
    builder: Builder
    bundles: Bundles
    source: VerdictSource
    plan: Plan
    rebuilt: dict[ChangeId, Built] = field(default_factory=dict)
    """What this run built again; a change above is built onto nothing else (facts A10)."""

    def rebuild(self, change: PlannedChange, verdict: Verdict) -> Built | Wait | Kick:
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
        found = self._built(change, verdict, onto)
        if isinstance(found, Built):
            self.rebuilt[change.id] = found
        return found

    def _built(
        self, change: PlannedChange, verdict: Verdict, onto: CommitId
    ) -> Built | Wait | Kick:
        request = CandidateRequest(change, change.stack_base, onto, self.plan.commit_date)
        candidate = self.builder.build(request)
        commit = decide_rebuilt(change, verdict, candidate)
        if not isinstance(commit, Wait):
            return Built(onto, commit, candidate)
        if candidate.merge is None:
            return commit
        outputs = self.facts.outputs(candidate.touched).outputs
        if not outputs:
            return commit
        asked = _Asked(change, verdict, request, candidate.merge, candidate, outputs)
        proof = self._proof(asked)
        match proof:
            case Wait():
                return proof
            case Proven() if self.builder.regenerates:
                return self._regenerated(asked, proof)
            case Proven():
                return self._from_bundle(asked, Unproven(tuple(sorted(outputs)), ""))
            case Unproven():
                return self._from_bundle(asked, proof)

    def _proof(self, asked: _Asked) -> Proven | Unproven | Wait:
        """Return whether the base's regeneration would run nothing that this run merges."""
        onto, base = asked.request.onto, self.plan.base_commit
        beneath = () if onto == base else self.git.differences(base, onto)
        reach = Reach(
            self._own_paths(asked.change),
            frozenset(asked.candidate.touched),
            paths_of(beneath),
            asked.outputs,
        )
        by_change = self.facts.generation(asked.outputs, reach.by_change)
        by_all: Generation = by_change
        if by_change.proven and reach.by_all != reach.by_change:
            by_all = self.facts.generation(asked.outputs, reach.by_all)
        return decide_proof(reach, by_change, by_all)

    def _own_paths(self, change: PlannedChange) -> frozenset[RepoPath]:
        """Return what a change's head differs in from where it left the base.

        Of one that is stacked, what it took over from its stack base is what lies beneath it; where
        it left the base in several places, all counts that differs from the base commit.
        """
        base = self.plan.base_commit
        fork = self.git.fork_point(base, change.head)
        own = paths_of(self.git.differences(fork or base, change.head))
        if change.stack_base is None:
            return own
        return own & paths_of(self.git.differences(change.stack_base, change.head))

    def _regenerated(self, asked: _Asked, proof: Proven) -> Built | Wait | Kick:
        """Run the base's own regeneration on the merge."""
        outputs = tuple(sorted(asked.outputs))
        stale = Stale(asked.merge, proof.units, outputs, asked.candidate.touched)
        found = self.builder.regenerate(stale)
        if found.tree is None:
            return decide_not_regenerated(found)
        made = self.builder.with_tree(asked.request, asked.candidate, found.tree)
        gated = asked.verdict.candidate_commit
        kick = decide_regenerated(made.commit, gated, made.regenerated or outputs)
        return kick or self._accepted(asked, made)

    def _from_bundle(self, asked: _Asked, unproven: Unproven) -> Built | Wait | Kick:
        """Take validation's own commit, where it passes every check."""
        try:
            bundle = self.source.bundle(asked.change.id)
        except MergequeueError as error:
            if error.code != UNREADABLE.code:
                raise
            return decide_unread_bundle(error.problem)
        gated = asked.verdict.candidate_commit
        if bundle is None or gated is None:
            return decide_no_bundle(self.plan.base, unproven)
        with self.bundles.load(bundle, gated, asked.merge) as loaded:
            differences = () if isinstance(loaded, str) else loaded.differences
            paths = paths_of(differences)
            modes = self.git.modes(asked.merge, places_of(paths))
            checked = decide_bundle(loaded, asked.merge, self.facts.outputs(paths), modes)
            if isinstance(checked, Kick):
                return checked
            made = self.builder.with_tree(asked.request, asked.candidate, checked.take())
        return decide_taken(made.commit, gated) or self._accepted(asked, made, taken=True)

    def _accepted(self, asked: _Asked, made: Candidate, *, taken: bool = False) -> Built:
        if made.commit is None:
            raise AssertionError(asked.change.id)
        written = self.facts.outputs(made.regenerated).outputs
        return Built(asked.request.onto, made.commit, made, written, taken)
