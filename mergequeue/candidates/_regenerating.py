"""A part of the step: the regeneration run in a box, and the tree that it leaves."""

from dataclasses import dataclass

from mergequeue.candidates.regeneration import (
    Refusal,
    decide_before,
    decide_left,
    decide_written,
    paths_to_take,
    places_of,
)
from mergequeue.ports import (
    Box,
    GateEnd,
    GateResult,
    GitReads,
    Regenerated,
    RegenerationRun,
    RegenerationTools,
    Stale,
    Untaken,
    Watch,
)
from mergequeue.report import refusals
from mergequeue.vocabulary.errors import HOOK_CANCELLED
from mergequeue.vocabulary.ids import TreeId, short


@dataclass(frozen=True)
class Regenerating:
    """Regenerates, with the tools that it is given for that."""

    reads: GitReads
    tools: RegenerationTools

    def run(self, stale: Stale) -> Regenerated:
        """Regenerate in a box of the commit, and read what that left from outside it."""
        places = places_of((*stale.outputs, *stale.touched))
        refusal = decide_before(stale, self.reads.modes(stale.commit, places))
        if refusal is not None:
            return _refused(refusal)
        box = self.tools.boxes.open(stale.commit)
        try:
            return self._in_box(stale, box)
        finally:
            self.tools.boxes.close(box)

    def _in_box(self, stale: Stale, box: Box) -> Regenerated:
        with self.tools.files.watch(box, stale.commit) as watch:
            tag = f"{short(stale.commit)} regenerate"
            end = self.tools.hooks.run(RegenerationRun(box, stale.units, stale.outputs, tag))
            if end.result is GateResult.CANCELLED:
                raise HOOK_CANCELLED(f"the regeneration of {short(stale.commit)} was cancelled")
            if end.result is GateResult.RED:
                sentence = refusals.regeneration_failed_refused(end.line, end.summary)
                return _refused(Refusal(sentence), end)
            taken = self._taken(stale, watch)
        if isinstance(taken, Refusal):
            return _refused(taken, end)
        return Regenerated(taken, ran=True, line=end.line)

    def _taken(self, stale: Stale, watch: Watch) -> TreeId | Refusal:
        touched = watch.touched()
        outputs = self.tools.facts.outputs(touched.changed | touched.new)
        refusal = decide_left(touched, outputs)
        if refusal is not None:
            return refusal
        taken = paths_to_take(touched, outputs)
        tree = watch.tree(taken) if taken else self.reads.tree_of(stale.commit)
        if isinstance(tree, Untaken):
            return Refusal(refusals.tampered_refused(tree.why))
        return decide_written(self.reads.differences(stale.commit, tree), outputs) or tree


def _refused(refusal: Refusal, end: GateEnd | None = None) -> Regenerated:
    line = end.line if end is not None else ""
    return Regenerated(None, refusal.sentence, refusal.paths, ran=end is not None, line=line)
