"""Merge bases of many pairs in one walk are those that git finds for each pair."""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mergequeue.git.commit_graph import find_merge_bases, is_carried
from mergequeue.git.merge_objects import MergeObjects
from mergequeue.git.workshop import Workshop, open_workshop
from mergequeue.vocabulary.ids import CommitId
from tests.support.repositories import Playground

# Each commit: two numbers that say which earlier ones are its parents, and its date.
histories = st.lists(
    st.tuples(st.integers(0, 30), st.integers(0, 30), st.integers(1, 40)), min_size=3, max_size=14
)


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Playground:
    ground = Playground(tmp_path_factory.mktemp("playground"))
    ground.branch("main", ground.commit({"a": "a\n"}))
    return ground


@pytest.fixture(scope="module")
def workshop(ground: Playground) -> Iterator[Workshop]:
    with open_workshop(ground.clone(shared=True), "origin") as opened:
        yield opened


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(plan=histories)
def test_merge_bases_are_those_of_git_whatever_the_dates_say(
    ground: Playground, workshop: Workshop, plan: list[tuple[int, int, int]]
) -> None:
    commits = written(ground, plan)
    ours, heads = commits[-1], commits[:-1]
    objects = MergeObjects(workshop.trees)
    found = find_merge_bases(objects, [ours], heads)
    assert found.keys() == set(heads)
    words = [ground.run("rev-list", "--parents", "--topo-order", *commits).decode().splitlines()]
    above = {line.split()[0]: line.split()[1:] for line in words[0]}
    for head in heads:
        assert set(found[head]) == best_common(above, ours, head)
        assert is_carried(objects, head, ours) == (head in carried(above, ours))


def test_several_commits_of_ours_count_as_one_history(
    ground: Playground, workshop: Workshop
) -> None:
    root = ground.commit({"a": "1"})
    one, other = ground.commit({"b": "1"}, parents=root), ground.commit({"c": "1"}, parents=root)
    head = ground.commit({"d": "1"}, parents=[one, other])
    objects = MergeObjects(workshop.trees)
    assert find_merge_bases(objects, [one], [head]) == {head: (one,)}
    assert set(find_merge_bases(objects, [one, other], [head])[head]) == {one, other}


def written(ground: Playground, plan: list[tuple[int, int, int]]) -> list[CommitId]:
    commits: list[CommitId] = []
    for number, (first, second, date) in enumerate(plan):
        # A number past what is there leaves the parent out, and so makes a root.
        chosen = dict.fromkeys(commits[each] for each in (first, second) if each < number)
        message = f"{number} {len(commits)}"
        commits.append(ground.commit(parents=list(chosen), date=date * 1000, message=message))
    return list(dict.fromkeys(commits))


def carried(above: dict[str, list[str]], commit: str) -> set[str]:
    found: set[str] = set()
    queue = [commit]
    while queue:
        each = queue.pop()
        if each not in found:
            found.add(each)
            queue += above[each]
    return found


def best_common(above: dict[str, list[str]], one: str, other: str) -> set[str]:
    common = carried(above, one) & carried(above, other)
    beneath = {each for commit in common for up in above[commit] for each in carried(above, up)}
    return common - beneath
