"""A part of the step: every change merged onto the tip or onto what it is stacked on, and the units
of what that touches.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from mergequeue.changes import acceptable
from mergequeue.changes.decided import Decided, Tip
from mergequeue.conflicts.replay import Line, replay_lines
from mergequeue.documents.changes import Change
from mergequeue.documents.event import Happening
from mergequeue.plan import admission
from mergequeue.plan._deltas import read_delta, read_reaches
from mergequeue.plan._draft import Draft
from mergequeue.ports import Events, Facts, GitReads, MergesTrees, Merging, Settled, ThreeWay
from mergequeue.report import notices
from mergequeue.vocabulary.ids import ChangeId, TreeId
from mergequeue.vocabulary.limits import BASE_COMMITS_SHOWN
from mergequeue.vocabulary.words import EventKind, Method, ProviderMerges


@dataclass(frozen=True)
class Merges:
    """Merges the changes of a draft, all in one go, and decides by what that shows."""

    reads: GitReads
    trees: MergesTrees
    merging: Merging
    facts: Facts
    events: Events

    def decide(self, draft: Draft) -> None:
        """Merge every change with nothing open beneath it, and read what each one touches."""
        history, tip = draft.intake.history, draft.tip
        alone = draft.on_base()
        merges = [
            ThreeWay(tip.commit, change.head, recorded=draft.place(change).stack_base)
            for change in alone
        ]
        settled = self.merging.merge(merges) if merges else ()
        tip_tree = self.reads.tree_of(tip.commit)
        merged: dict[ChangeId, Settled] = {}
        for change, made in zip(alone, settled, strict=True):
            merged[change.id] = made
            draft.decide(change, self._decide_merge(change, made, tip_tree, tip))
        self._decide_replays(draft, merged)
        for change in draft.left():
            place = draft.place(change)
            delta = read_delta(self.reads, history, change, place, merged.get(change.id))
            draft.deltas[change.id] = delta
            draft.decide(change, admission.decide_delta(change, place.below, delta.own, tip))

    def _decide_replays(self, draft: Draft, merged: Mapping[ChangeId, Settled]) -> None:
        """Replay the commits of every change that merges by rebase, as its provider will."""
        rebased = [change for change in draft.on_base() if change.method is Method.REBASE]
        onto = self.reads.tree_of(draft.tip.commit)
        lines = [
            Line(onto, self.reads.line_of(change.head, draft.tip.commit)) for change in rebased
        ]
        exact = draft.merges is ProviderMerges.EXACT
        replays = replay_lines(lines, self.merging.merge if exact else self.trees.merge_by_paths)
        for change, replay in zip(rebased, replays, strict=True):
            settled = merged[change.id]
            draft.decide(change, admission.decide_replay(change, replay, settled, draft.tip))

    def _decide_merge(
        self, change: Change, made: Settled, tip_tree: TreeId, tip: Tip
    ) -> Decided | None:
        touching: tuple[str, ...] = ()
        if made.conflicts:
            paths = [conflict.path for conflict in made.conflicts]
            touching = self.reads.commits_touching(
                tip.commit, change.head, paths, BASE_COMMITS_SHOWN
            )
        return admission.decide_merge(
            admission.MergedOntoTip(change, made, tip_tree), touching, tip
        )

    def decide_reaches(self, draft: Draft) -> None:
        """Find the units of every change that is left."""
        left = draft.left()
        deltas = [draft.deltas[change.id] for change in left]
        for change, reach in zip(left, read_reaches(self.facts, left, deltas), strict=True):
            draft.reaches[change.id] = reach
            if reach.merge_only:
                reason = notices.reaches_further(reach.merge_only)
                self.events.emit(Happening(kind=EventKind.NOTICE, change=change.id, reason=reason))
            units = reach.affected or ()
            draft.decide(change, acceptable.decide_units(change, units, draft.tip))
