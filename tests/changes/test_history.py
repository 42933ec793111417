from hypothesis import given
from hypothesis import strategies as st

from mergequeue.changes.history import BaseMerge, History
from tests.support.graphs import Commits, commit_id


def test_what_a_head_carries_and_the_tip_does_not_is_its_own() -> None:
    commits = Commits()
    tip = commits.line("root", "tip")
    head = commits.line("root", "a", "b")
    history = History(commits.graph([head], tip), [head])

    assert history.listed(history.own(head)) == [commit_id("b"), commit_id("a")]
    assert history.carries(head, commit_id("a"))
    assert not history.carries(head, commit_id("root"))
    assert history.on_tip(commit_id("root"))
    assert not history.on_tip(head)


def test_merges_of_the_base_are_peeled_off_a_head() -> None:
    commits = Commits()
    commits.line("root", "m1", "tip")
    commits.line("root", "a")
    commits.add("update 1", "a", "m1")
    head = commits.add("update 2", "update 1", "tip")
    history = History(commits.graph([head], commit_id("tip")), [head])

    assert history.top(head) == commit_id("a")
    assert history.base_merges(head) == (
        BaseMerge(head, commit_id("update 1"), commit_id("tip")),
        BaseMerge(commit_id("update 1"), commit_id("a"), commit_id("m1")),
    )


def test_a_merge_of_an_old_commit_of_the_base_is_a_merge_of_the_base() -> None:
    commits = Commits()
    commits.line("root", "old", "tip")
    commits.line("root", "a")
    head = commits.add("update", "a", "old")
    history = History(commits.graph([head], commit_id("tip")), [head])

    assert history.top(head) == commit_id("a")


def test_a_merge_of_anything_else_is_a_commit_like_any_other() -> None:
    commits = Commits()
    tip = commits.line("root", "tip")
    commits.line("root", "a")
    commits.line("root", "b")
    head = commits.add("both", "a", "b")
    history = History(commits.graph([head], tip), [head])

    assert history.top(head) == head


def test_a_merge_of_three_is_not_peeled() -> None:
    commits = Commits()
    commits.line("root", "m1", "tip")
    commits.line("root", "a")
    head = commits.add("octopus", "a", "m1", "tip")
    history = History(commits.graph([head], commit_id("tip")), [head])

    assert history.top(head) == head


def test_a_merge_of_two_commits_of_the_base_is_what_the_change_has_of_its_own() -> None:
    commits = Commits()
    commits.line("root", "m1", "m2", "tip")
    head = commits.add("evil", "m1", "m2")
    history = History(commits.graph([head], commit_id("tip")), [head])

    assert history.top(head) == head


def test_peeling_stops_at_eight_merges() -> None:
    commits = Commits()
    commits.line("root", *(f"m{number}" for number in range(9)))
    tip = commit_id("m8")
    commits.line("root", "a")
    below = "a"
    for number in range(9):
        commits.add(f"update {number}", below, f"m{number}")
        below = f"update {number}"
    head = commit_id(below)
    history = History(commits.graph([head], tip), [head])

    assert history.top(head) == commit_id("update 0")
    assert len(history.base_merges(head)) == 8


def test_the_newest_commit_of_another_change_that_a_head_carries_is_found() -> None:
    commits = Commits()
    tip = commits.line("root", "tip")
    merged = commits.line("root", "a", "b", "update commit")
    upper = commits.line("root", "a", "b", "c")
    history = History(commits.graph([merged, upper], tip), [merged, upper])

    assert history.newest_carried(merged, upper) == commit_id("b")
    assert history.newest_carried(upper, commit_id("tip")) is None


def test_where_a_head_forked_from_the_base_is_known_without_asking_git() -> None:
    commits = Commits()
    commits.line("root", "m1", "tip")
    commits.line("root", "a", "b")
    head = commits.add("update", "b", "m1")
    orphan = commits.line("other root", "x")
    history = History(commits.graph([head, orphan], commit_id("tip")), [head, orphan])

    assert set(history.forks(head)) == {commit_id("root"), commit_id("m1")}
    assert history.forks(orphan) == ()
    assert history.forks(commit_id("root")) == (commit_id("root"),)


def test_whether_the_base_was_merged_in_after_a_commit_is_known() -> None:
    commits = Commits()
    commits.line("root", "m1", "tip")
    lower = commits.line("root", "a")
    plain = commits.line("a", "b")
    updated = commits.add("update", "b", "m1")
    heads = [plain, updated]
    history = History(commits.graph(heads, commit_id("tip")), heads)

    assert not history.meets_base_since(plain, lower)
    assert history.meets_base_since(updated, lower)


@st.composite
def histories(draw: st.DrawFn) -> tuple[Commits, list[str]]:
    """Any history of up to 14 commits, some of them roots and some merges."""
    commits = Commits()
    names: list[str] = []
    for number in range(draw(st.integers(2, 14))):
        count = draw(st.integers(0, min(2, len(names))))
        parents = draw(st.permutations(names))[:count] if names else []
        commits.add(str(number), *parents)
        names.append(str(number))
    return commits, names


@given(histories(), st.data())
def test_every_answer_is_that_of_walking_by_hand(
    made: tuple[Commits, list[str]], data: st.DataObject
) -> None:
    commits, names = made
    tip = commit_id(data.draw(st.sampled_from(names)))
    heads = [commit_id(n) for n in data.draw(st.lists(st.sampled_from(names), unique=True))]
    history = History(commits.graph(heads, tip), heads)
    base = commits.carried(tip)

    for head in heads:
        own = commits.carried(head) - base
        assert set(history.listed(history.own(head))) == own
        assert history.on_tip(head) == (head in base)
        assert commits.carried(history.top(head)) - base <= own
        outside = {p for c in own for p in commits.parents[c] if p in base}
        assert set(history.forks(head)) == (outside or ({head} if head in base else set()))
        for commit in own:
            assert history.carries(head, commit)
            assert set(history.listed(history.own(commit))) == commits.carried(commit) - base
        for other in heads:
            shared = own & commits.carried(other)
            newest = history.newest_carried(head, other)
            assert (newest in shared) if shared else newest is None
            newer = [c for c in shared if newest != c and newest in commits.carried(c)]
            assert not newer
            assert history.carries(head, other) == (other in own)
