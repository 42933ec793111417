"""A part of the step: one change examined, predicted, handed over and merged."""

from collections.abc import Collection
from dataclasses import dataclass, field

from mergequeue.apply._asking import Asking
from mergequeue.apply._building import Building, Handed, NextBase
from mergequeue.apply._failing import Failing
from mergequeue.apply._proving import Proving
from mergequeue.apply._rebuilding import Built, Rebuilding
from mergequeue.apply._telling import Telling
from mergequeue.apply.checks import decide_rerun
from mergequeue.apply.outcomes import Kick, Wait
from mergequeue.apply.pausing import decide_paused
from mergequeue.apply.predicted import decide_adds_something
from mergequeue.apply.ready import Ending
from mergequeue.apply.run import Settings
from mergequeue.apply.trust import decide_tip
from mergequeue.documents.changes import Change
from mergequeue.documents.event import Happening
from mergequeue.documents.plan import Plan, PlannedChange
from mergequeue.documents.verdict import Verdict
from mergequeue.plan.review import Coverage
from mergequeue.ports import GitReads, Landed, Landing, Merger, ReadsMemory, Wanted
from mergequeue.report import applying, regenerating, resolutions, reviews
from mergequeue.report.messages import holds_skip, squash_message
from mergequeue.vocabulary.errors import PLAN_DISAGREES
from mergequeue.vocabulary.ids import BranchName, ChangeId, CommitId, short
from mergequeue.vocabulary.words import EventKind, Method


@dataclass(frozen=True)
class Examined:
    """A change that nothing keeps from merging, as far as can be told before its merge is
    predicted.
    """

    tip: CommitId
    covered: Coverage
    built: Built
    stale: tuple[str, ...]


@dataclass(frozen=True)
class OnBase:
    """A change that has merged already."""

    commit: CommitId


@dataclass(frozen=True)
class Landings:
    """Takes one change after the other to the base."""

    git: GitReads
    asking: Asking
    proving: Proving
    rebuilding: Rebuilding
    building: Building
    telling: Telling
    merger: Merger
    failing: Failing
    memory: ReadsMemory
    plan: Plan
    settings: Settings
    confirmed: dict[ChangeId, PlannedChange] = field(default_factory=dict)
    """The changes whose head the provider confirmed in this run."""
    _tips: set[CommitId] = field(default_factory=set)

    def land(self, change: PlannedChange, verdict: Verdict) -> None:
        """Examine the change as it is now and merge it, or settle it otherwise."""
        found = self.examine(change, verdict)
        if not isinstance(found, Examined):
            self.settle(change, found)
        elif self.settings.dry_run:
            reason = f"would merge, as validated in {short(found.built.commit)}"
            self.telling.would_merge(change, reason)
        else:
            settled = self._merge(change, found)
            if isinstance(settled, Landed):
                self.telling.merged(change, settled.tip)
            else:
                self.settle(change, settled)

    def run_checks_again(self, change: PlannedChange, found: Examined) -> None:
        """Have a change's required checks run again on a head that carries the base's tip, with
        nothing of what is beneath it in its batch; it merges in no run that does so.
        """
        below_open = change.below is not None and not self._is_merged(change.below)
        tree = self.building.merge_alone(change, found.tip, below_open=below_open)
        if isinstance(tree, Wait):
            self.settle(change, tree)
            return
        target = NextBase(found.tip, tree, found.stale, below_open)
        handed = self.building.hand_over(change, target)
        again = decide_rerun(found.stale, handed.commit) if isinstance(handed, Handed) else handed
        self.settle(change, again)

    def carries(self, change: Change) -> bool:
        """Whether the base carries a change's head."""
        missing = self.git.fetch_commits([Wanted(change.head, change.ref)])
        return not missing and self.git.is_ancestor(change.head, self._tip())

    def built_beneath(self, verdict: Verdict) -> CommitId:
        """Return what this run itself built beneath a change; the base commit where it was none."""
        built = None if verdict.after is None else self.rebuilding.rebuilt.get(verdict.after)
        return self.plan.base_commit if built is None else built.commit

    def settle(self, change: PlannedChange, found: Wait | Kick | OnBase) -> None:
        """Carry out what was found of a green change that does not merge now."""
        match found:
            case Wait():
                self.telling.waits(change, found, green=True)
            case Kick():
                self.telling.kick(change, found, self.asking.now(change), self._tip())
            case OnBase(commit=commit):
                self.telling.merged_already(change, commit, applying.merged_already(commit))

    def examine(
        self, change: PlannedChange, verdict: Verdict, beneath: Collection[ChangeId] = ()
    ) -> Examined | Wait | Kick | OnBase:
        """Return what the change is now, with those `beneath` it in its batch taken for merged."""
        pause = self.memory.recall().pause
        self.telling.pause = pause
        if pause is not None:
            return decide_paused(pause)
        tip = self._tip()
        if self.settings.dry_run:
            built = self.rebuilding.rebuild(change, verdict)
            return (
                Examined(tip, Coverage(change.head), built, ())
                if isinstance(built, Built)
                else built
            )
        below_open = (
            change.below is not None
            and change.below not in beneath
            and not self._is_merged(change.below)
        )
        covered = self.asking.covered(change, tip, below_open=below_open)
        found = self._now(change, covered.target, tip, beneath)
        checks = self.asking.checks(change, tip) if found is None else found
        if isinstance(checks, Wait | Kick):
            landed = (
                self._landed(change, verdict, tip)
                if isinstance(checks, Wait) and checks.gone
                else None
            )
            return checks if landed is None else landed
        built = self._rebuild(change, verdict)
        if not isinstance(built, Built):
            return built
        unproven = self.proving.prove(change, covered.owed)
        if unproven is not None:
            return unproven
        self.confirmed[change.id] = change
        return Examined(tip, covered, built, checks.names if checks is not None else ())

    def _now(
        self,
        change: PlannedChange,
        covered: CommitId,
        tip: CommitId,
        beneath: Collection[ChangeId],
    ) -> Wait | Kick | None:
        found = self.asking.stack(change, self.confirmed) or self.asking.current(
            change,
            covered,
            self._below_branch(change, beneath),
            tip=tip,
            is_next=change.below not in beneath,
        )
        old = self.asking.carried.get(change.id)
        if found is None and old is not None:
            self.telling.notice(reviews.carried_over(old, covered), change.id)
        return found

    def _landed(self, change: PlannedChange, verdict: Verdict, tip: CommitId) -> OnBase | None:
        """Return where a change landed that the provider has no longer as queued, if it did."""
        built = self._rebuild(change, verdict)
        commit = None
        if isinstance(built, Built):
            commit = self.building.landed_at(change, built, tip)
        if commit is None:
            return None
        self.confirmed[change.id] = change
        return OnBase(commit)

    def _rebuild(self, change: PlannedChange, verdict: Verdict) -> Built | Wait | Kick:
        known = change.id in self.rebuilding.rebuilt
        built = self.rebuilding.rebuild(change, verdict)
        if isinstance(built, Built) and not known:
            made = built.candidate
            for reason in resolutions.merge_notes(made.rule, made.resolved):
                resolved = Happening(
                    kind=EventKind.RESOLVED,
                    change=change.id,
                    commit=made.merge or built.commit,
                    reason=reason,
                )
                self.telling.emit(resolved)
            if built.taken:
                self.telling.notice(regenerating.TAKEN, change.id)
        return built

    def _merge(self, change: PlannedChange, found: Examined) -> Wait | Kick | Landed:
        """Predict, hand over and merge."""
        tree = self.building.predict(found.built, found.tip)
        if isinstance(tree, Wait):
            return tree
        nothing = decide_adds_something(tree, self.git.tree_of(found.tip), self.plan.base)
        if nothing is not None:
            return nothing
        below_open = change.below is not None and not self._is_merged(change.below)
        regenerated = found.built.regenerated
        target = NextBase(found.tip, tree, found.stale, below_open, regenerated)
        replayed = self.building.replay(change, found.built, target)
        if not isinstance(replayed, NextBase):
            return replayed
        handed = self.building.hand_over(change, replayed)
        if not isinstance(handed, Handed):
            return handed
        if handed.stale:
            return decide_rerun(handed.stale, handed.commit)
        self.tell_skip(change, found)
        landing = self.landing(change, found, target, handed)
        landed = self.merger.land(landing)
        if landed.code is None:
            return landed
        wait = Wait(landed.code, landed.reason, head=landed.head or handed.commit)
        return self.failing.count([landing], [wait]) or wait

    def tell_skip(self, change: PlannedChange, found: Examined) -> None:
        """Say so where a word of a message is broken on purpose."""
        texts = [self.asking.reviewers.description(change)]
        if change.method is Method.SQUASH:
            own = self.building.own_commits(change, found.tip)
            texts += [commit.message for commit in own]
        if holds_skip(texts):
            self.telling.notice(applying.SKIP_BROKEN, change.id)

    def landing(
        self, change: PlannedChange, found: Examined, target: NextBase, handed: Handed
    ) -> Landing:
        """Return what the merger is asked to land."""
        own = self.building.own_commits(change, found.tip)
        head = self.git.commit(change.head)
        wording = self.asking.reviewers.wording(change, found.covered.target, own, head)
        committer = self.building.committer
        return Landing(
            change=change.model_copy(update={"base": self.plan.base}),
            commit=handed.commit,
            covered=found.covered.target,
            reviewers=self.asking.reviewers.asked,
            carried=self.asking.carried.get(change.id),
            tip=target.tip,
            tree=target.tree,
            message=squash_message(own, head),
            title=wording.title,
            body=wording.body,
            on_top=handed.on_top,
            committer="" if committer is None else str(committer),
            app=self.settings.app,
        )

    def _tip(self) -> CommitId:
        """Return the base's tip, which has to carry the plan's base commit (facts A9)."""
        tip = self.git.fetch_branch(self.plan.base)
        if tip not in self._tips:
            problem = decide_tip(
                self.plan, tip, carries_base_commit=self.git.is_ancestor(self.plan.base_commit, tip)
            )
            if problem:
                raise PLAN_DISAGREES(problem)
            self._tips.add(tip)
        return tip

    def _is_merged(self, change: ChangeId) -> bool:
        return self.telling.endings.get(change) is Ending.MERGED

    def _below_branch(
        self, change: PlannedChange, beneath: Collection[ChangeId]
    ) -> BranchName | None:
        """Return the branch of the change beneath, once that one has merged in this run (facts
        A12), or where it is about to.
        """
        if change.below is None:
            return None
        merged = change.below in beneath or self._is_merged(change.below)
        below = self.confirmed.get(change.below) if merged else None
        return None if below is None else below.branch
