"""Stacks in any history: what holds whatever changes are listed (facts 6.8)."""

from hypothesis import given, settings
from hypothesis import strategies as st

from mergequeue.changes.decided import Decided
from mergequeue.changes.history import History
from mergequeue.documents.changes import Change
from mergequeue.plan.stacks import Listed, Placed, place_changes
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import ChangeId
from mergequeue.vocabulary.words import Method
from tests.support.graphs import Commits, commit_id
from tests.support.listings import TIP, merged, queued, unqueued


@st.composite
def queues(draw: st.DrawFn) -> tuple[Commits, Listed, History]:
    """Any changes on any commits on a base that moves, some merged into it, some not queued."""
    commits = Commits()
    commits.line("root", "m1", "tip")
    names = ["root", "m1", "tip"]
    for number in range(draw(st.integers(1, 8))):
        first = draw(st.sampled_from(names))
        second = draw(st.sampled_from([None, None, *names]))
        commits.add(str(number), first, *([] if second in {None, first} else [str(second)]))
        names.append(str(number))
    own = names[3:]
    methods = st.sampled_from([Method.SQUASH, Method.SQUASH, Method.MERGE, Method.REBASE])
    heads = draw(st.lists(st.sampled_from(own), min_size=1, max_size=6))
    kinds = [draw(st.sampled_from(["queued", "queued", "merged", "unqueued"])) for _ in heads]
    parents = st.sampled_from([None, None, "0", "1", "2"])
    numbers = map(str, range(len(heads)))
    by_kind = list(zip(kinds, numbers, heads, strict=True))
    listed = Listed(
        tuple(
            queued(id_, head, method=draw(methods), parent=draw(parents))
            for kind, id_, head in by_kind
            if kind == "queued"
        ),
        tuple(merged(id_, head) for kind, id_, head in by_kind if kind == "merged"),
        tuple(unqueued(id_, head) for kind, id_, head in by_kind if kind == "unqueued"),
        frozenset(),
    )
    all_heads = [commit_id(head) for head in heads]
    return commits, listed, History(commits.graph(all_heads, TIP.commit), all_heads)


@settings(max_examples=600)
@given(queues())
def test_whatever_is_listed_each_place_is_what_the_commits_say(
    queue: tuple[Commits, Listed, History],
) -> None:
    commits, listed, history = queue
    places = place_changes(listed, history, TIP, {})

    assert set(places) == {change.id for change in listed.queued}
    for change in listed.queued:
        place = places[change.id]
        waits = isinstance(place, Decided) and place.code is Code.WAIT_UNQUEUED_BELOW
        assert waits == carries_an_unqueued_one(change, listed, history)
        if place == Placed():
            assert carries_no_other(change, listed, commits, history)
        elif isinstance(place, Placed):
            assert starts_beneath(change, place, commits, history)
            assert reaches_the_ground(change, places)


def carries_an_unqueued_one(change: Change, listed: Listed, history: History) -> bool:
    """A head at which an unqueued change stands too is no reason to wait."""
    return any(
        history.carries(change.head, commit) and loose.head != change.head
        for loose in listed.unqueued
        for commit in (loose.head, history.top(loose.head))
    )


def carries_no_other(change: Change, listed: Listed, commits: Commits, history: History) -> bool:
    own = commits.carried(change.head) - commits.carried(TIP.commit)
    others = {history.top(other.head) for other in listed.queued if other.id != change.id}
    return not (others | {other.head for other in listed.merged}) & own


def starts_beneath(change: Change, place: Placed, commits: Commits, history: History) -> bool:
    base = place.stack_base
    return base in commits.carried(change.head) and base not in commits.carried(history.tip)


def reaches_the_ground(change: Change, places: dict[ChangeId, Placed | Decided]) -> bool:
    """No change is stacked on itself, however far down."""
    seen = set()
    at: ChangeId | None = change.id
    while at is not None and at not in seen:
        seen.add(at)
        below = places[at]
        at = below.below if isinstance(below, Placed) else None
    return at is None
