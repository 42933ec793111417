"""A part of the step: changes that merge in one call, all of them or none."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from mergequeue.apply.outcomes import Wait
from mergequeue.documents.provider import CheckQuestion, MergeAnswer
from mergequeue.merge._asking import ask, question_of
from mergequeue.merge._showing import Showing
from mergequeue.merge.answers import Failed, NotMerged, ReadAgain, decide_not_merged, waits
from mergequeue.merge.together import BaseLine, Seen, decide_obstacles
from mergequeue.ports import GitReads, Landed, Landing, ProviderReads, ProviderWrites
from mergequeue.vocabulary.errors import UNEXPECTED_SHAPE, UNEXPECTED_TREE
from mergequeue.vocabulary.ids import ChangeId

Decides = Callable[[Sequence[Landing], MergeAnswer | Failed, BaseLine], Seen | NotMerged]
"""What became of them, by what the base carries now."""


@dataclass(frozen=True)
class Together:
    """Merges several changes through the topmost."""

    git: GitReads
    reads: ProviderReads
    writes: ProviderWrites
    showing: Showing

    def land(self, landings: Sequence[Landing], decide: Decides) -> Mapping[ChangeId, Landed]:
        """Read every member again, turn all green from the bottom, merge them through the top, and
        check what the base then carries.

        Raises as the port says; all that is green and not seen on the base goes back to pending.
        """
        obstacles = decide_obstacles(landings, self._read_again(landings))
        if obstacles:
            return {id_: waits(wait) for id_, wait in obstacles.items()}
        carried = 0
        try:
            self.showing.turn_green(landings)
            ending = self._merge(landings, decide)
            carried = len(ending.tips) if isinstance(ending, Seen) else 0
        finally:
            self.showing.set_back(landings[carried:])
        if isinstance(ending, Seen):
            return self._check(landings, ending)
        return {id_: waits(wait) for id_, wait in ending.items()}

    def _read_again(self, landings: Sequence[Landing]) -> tuple[ReadAgain, ...]:
        """Read all members before the base, which is the last that can move unseen."""
        checks = [
            self.reads.required_checks(CheckQuestion(change=one.change, commit=one.commit))
            for one in landings
        ]
        answers = self.reads.approvals_at([question_of(one) for one in landings])
        tip = self.git.fetch_branch(landings[0].change.base)
        return tuple(
            ReadAgain(
                answers[one.change.id],
                read,
                tip,
                carries_tip=self.git.is_ancestor(one.tip, one.commit),
            )
            for one, read in zip(landings, checks, strict=True)
        )

    def _merge(
        self, landings: Sequence[Landing], decide: Decides
    ) -> Seen | Mapping[ChangeId, Wait]:
        answer = ask(self.writes, landings)
        tip = self.git.fetch_branch(landings[-1].change.base)
        line = self.git.line_of(tip, landings[0].tip)
        meaning = decide(landings, answer, BaseLine(tip, line))
        if isinstance(meaning, Seen):
            return meaning
        again = self._read_again(landings)
        return {
            one.change.id: decide_not_merged(one, read, meaning.words)
            for one, read in zip(landings, again, strict=True)
        }

    def _check(self, landings: Sequence[Landing], seen: Seen) -> Mapping[ChangeId, Landed]:
        """Tell which members merged, then hold the base to all of them (facts A21)."""
        self.showing.merged(landings, seen.tips, by_provider=seen.by_provider)
        if seen.wrong_tree:
            raise UNEXPECTED_TREE(seen.wrong_tree)
        if seen.wrong_shape:
            raise UNEXPECTED_SHAPE(seen.wrong_shape)
        return {
            landing.change.id: Landed(tip=tip, by_provider=seen.by_provider)
            for landing, tip in zip(landings, seen.tips, strict=True)
        }
