"""What a batch leaves on the base when it merges in one call: each change its own commits, in the
shape of its own method, onto those of the one beneath (seed 2, Landing; pure).

The base's own line is read from the old tip upwards, each member matched by its tree and its shape.
A rebase leaves as many commits as it does, and more than one of them may hold its tree, so every
place is kept at which a member may end, until those above it say which it was.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from mergequeue.documents.provider import MergeAnswer
from mergequeue.merge.answers import Failed, NotMerged
from mergequeue.merge.shape import shape_problem, tree_problem
from mergequeue.merge.together import BaseLine, Seen, decide_together
from mergequeue.ports import CommitFacts, Landing
from mergequeue.report import applying
from mergequeue.vocabulary.ids import CommitId, short
from mergequeue.vocabulary.words import Method

_Ends = Mapping[int, int]
"""The places of the base's line at which a member may end, each with where it then starts."""


def decide_batch_answer(
    landings: Sequence[Landing], answer: MergeAnswer | Failed, base: BaseLine
) -> Seen | NotMerged:
    """Return what became of a batch, by what the base carries now."""
    return decide_together(landings, answer, base, _seen(landings, base))


def _seen(landings: Sequence[Landing], base: BaseLine) -> Seen:
    line = _own_line(landings[0].tip, base)
    if line is None:
        wrong = f"{short(base.tip)} does not follow {short(landings[0].tip)}"
        return Seen((), wrong_shape=_of(landings, wrong))
    found = _matched(landings, line)
    if len(found) == len(landings) and len(line) in found[-1]:
        return Seen(_tips(found, len(line), line))
    end = max(found[-1]) if found else 0
    tips = _tips(found, end, line)
    if end == len(line):
        ids = [one.change.id for one in landings]
        return Seen(tips, wrong_tree=applying.merged_in_part("batch", ids, len(found)))
    if len(found) == len(landings):
        wrong = f"{short(tips[-1])} to {short(base.tip)} is more than its members"
        return Seen(tips, wrong_shape=_of(landings, wrong))
    return _unlike(landings[len(found)], tips, line, end)


def _unlike(
    landing: Landing, tips: tuple[CommitId, ...], line: Sequence[CommitFacts], start: int
) -> Seen:
    """Return what is wrong with the commits that stand where a member was to follow."""
    at = tips[-1] if tips else landing.tip
    end = line[-1] if landing.change.method is Method.REBASE else line[start]
    wrong = _shape_problem(landing, at, line[start : line.index(end) + 1])
    if wrong:
        return Seen(tips, wrong_shape=wrong)
    return Seen(tips, wrong_tree=tree_problem(landing, end.id, end.tree))


def _own_line(tip: CommitId, base: BaseLine) -> tuple[CommitFacts, ...] | None:
    """Return the base's own commits on its old tip, oldest first; what merges brought in was never
    the base. None where the old tip is not beneath them.
    """
    known = {commit.id: commit for commit in base.line}
    line: list[CommitFacts] = []
    at = base.tip
    while at != tip:
        commit = known.get(at)
        if commit is None or not commit.parents:
            return None
        line.append(commit)
        at = commit.parents[0]
    return tuple(reversed(line))


def _matched(landings: Sequence[Landing], line: Sequence[CommitFacts]) -> list[_Ends]:
    """Return where each member may end, lowest first, as far up as there is any place."""
    found: list[_Ends] = []
    starts = [0]
    for landing in landings:
        ends = {end: start for start in reversed(starts) for end in _ends_of(landing, line, start)}
        if not ends:
            break
        found.append(ends)
        starts = sorted(ends)
    return found


def _ends_of(landing: Landing, line: Sequence[CommitFacts], start: int) -> Iterator[int]:
    at = line[start - 1].id if start else landing.tip
    last = len(line) if landing.change.method is Method.REBASE else start + 1
    for end in range(start + 1, min(last, len(line)) + 1):
        has_shape = not _shape_problem(landing, at, line[start:end])
        if has_shape and line[end - 1].tree == landing.tree:
            yield end


def _shape_problem(landing: Landing, at: CommitId, commits: Sequence[CommitFacts]) -> str:
    return shape_problem(replace(landing, tip=at), commits[-1], commits)


def _tips(found: Sequence[_Ends], end: int, line: Sequence[CommitFacts]) -> tuple[CommitId, ...]:
    tips: list[CommitId] = []
    for ends in reversed(found):
        tips.append(line[end - 1].id)
        end = ends[end]
    return tuple(reversed(tips))


def _of(landings: Sequence[Landing], wrong: str) -> str:
    ids = ", ".join(one.change.id for one in landings)
    return f"merging the batch {ids}: {wrong}"
