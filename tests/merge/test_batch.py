"""What became of a batch that was to merge in one call, read from the base alone; no provider here
(seed 2, Landing).
"""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from mergequeue.documents.provider import MergeAnswer
from mergequeue.merge.answers import Failed, NotMerged
from mergequeue.merge.batch import decide_batch_answer
from mergequeue.merge.together import BaseLine, Seen
from mergequeue.ports import CommitFacts, Landing
from mergequeue.vocabulary.identity import QUEUE
from mergequeue.vocabulary.ids import TreeId
from mergequeue.vocabulary.words import Method
from tests.support.graphs import commit_id
from tests.support.planned import landing, planned, tree

DATE = datetime(2030, 1, 1, tzinfo=UTC)
YES, NO, LOST = MergeAnswer(merged=True), MergeAnswer(merged=False, reason="no"), Failed("502")

methods = st.lists(st.sampled_from(Method), min_size=1, max_size=5)


def batch(*of: Method) -> list[Landing]:
    ids = map(str, range(1, len(of) + 1))
    return [
        landing(id_, change=planned(id_, method=method), tree=tree(id_))
        for id_, method in zip(ids, of, strict=True)
    ]


def commit(name: str, made: TreeId, *parents: str) -> CommitFacts:
    above = tuple(commit_id(parent) for parent in parents)
    return CommitFacts(commit_id(name), made, above, QUEUE, DATE, QUEUE, DATE, "")


class Base:
    """A base that commits are put on, from the tip that the batch was predicted onto."""

    def __init__(self) -> None:
        self.names = ["tip"]
        self.line: list[CommitFacts] = []

    def put(self, name: str, made: TreeId, *also: str) -> None:
        self.line.append(commit(name, made, self.names[-1], *also))
        self.names.append(name)

    def land(self, one: Landing, replayed: list[TreeId]) -> None:
        id_ = one.change.id
        match one.change.method:
            case Method.SQUASH:
                self.put(f"on base {id_}", one.tree)
            case Method.MERGE:
                self.line.append(commit(f"head {id_}", tree(f"head {id_}"), "long ago"))
                self.put(f"on base {id_}", one.tree, f"head {id_}")
            case Method.REBASE:
                for number, made in enumerate(replayed):
                    self.put(f"replayed {id_} {number}", made)
                self.put(f"on base {id_}", one.tree)

    @property
    def now(self) -> BaseLine:
        return BaseLine(commit_id(self.names[-1]), tuple(self.line))


def landed(landings: list[Landing], replays: list[list[int]]) -> Base:
    """Return a base that a batch merged into; a replay's commits may hold any tree, such as that of
    the member itself or of the one above it.
    """
    base = Base()
    for one, trees in zip(landings, replays, strict=False):
        base.land(one, [tree(str(number)) for number in trees])
    return base


replays = st.lists(st.lists(st.integers(0, 6), max_size=3), min_size=5, max_size=5)


@given(of=methods, replays=replays, answer=st.sampled_from([YES, NO, LOST]))
def test_a_batch_that_is_on_the_base_merged_whatever_the_answer(
    of: list[Method], replays: list[list[int]], answer: MergeAnswer | Failed
) -> None:
    landings = batch(*of)
    base = landed(landings, replays)
    found = decide_batch_answer(landings, answer, base.now)
    assert isinstance(found, Seen)
    assert (found.wrong_tree, found.wrong_shape) == ("", "")
    assert found.tips[-1] == base.now.tip
    assert len(found.tips) == len(landings)
    if Method.REBASE not in of:
        assert found.tips == tuple(commit_id(f"on base {one.change.id}") for one in landings)


@given(of=methods, merged=st.integers(0, 4), answer=st.sampled_from([YES, NO, LOST]))
def test_a_part_of_a_batch_is_told_as_that_part(
    of: list[Method], merged: int, answer: MergeAnswer | Failed
) -> None:
    landings = batch(*of)
    part = landings[: min(merged, len(of) - 1)]
    found = decide_batch_answer(landings, answer, landed(part, [[]] * 5).now)
    if not part and answer is not YES:
        assert isinstance(found, NotMerged)
        return
    assert isinstance(found, Seen)
    assert found.tips == tuple(commit_id(f"on base {one.change.id}") for one in part)
    assert "was to merge in one call" in found.wrong_tree


@given(of=methods)
def test_more_than_its_members_is_a_wrong_shape(of: list[Method]) -> None:
    landings = batch(*of)
    base = landed(landings, [[]] * 5)
    base.put("somebody else", tree("other"))
    found = decide_batch_answer(landings, YES, base.now)
    assert isinstance(found, Seen)
    if of[-1] is not Method.REBASE:
        assert found.wrong_shape
    assert found.wrong_shape or found.wrong_tree


@given(of=methods, wrong=st.integers(0, 4))
def test_another_tree_is_none_of_its_members(of: list[Method], wrong: int) -> None:
    landings = batch(*of)
    at = min(wrong, len(of) - 1)
    made = [one if place != at else _lost(one) for place, one in enumerate(landings)]
    found = decide_batch_answer(landings, YES, landed(made, [[]] * 5).now)
    assert isinstance(found, Seen)
    assert len(found.tips) == at
    assert found.wrong_tree or found.wrong_shape


def _lost(one: Landing) -> Landing:
    return landing(one.change.id, change=one.change, tree=tree("lost"))


def test_a_merge_of_another_head_is_a_wrong_shape() -> None:
    base = Base()
    base.put("on base 1", tree("1"), "another head")
    found = decide_batch_answer(batch(Method.MERGE, Method.SQUASH), YES, base.now)
    assert isinstance(found, Seen)
    assert (found.tips, found.wrong_tree) == ((), "")
    assert "is not a merge of" in found.wrong_shape


def test_a_base_that_somebody_rewound_is_no_batch() -> None:
    for line in ((), (commit("new root", tree("1")),)):
        tip = line[-1].id if line else commit_id("rewound")
        found = decide_batch_answer(batch(Method.SQUASH), YES, BaseLine(tip, line))
        assert isinstance(found, Seen)
        assert (found.tips, bool(found.wrong_shape)) == ((), True)
