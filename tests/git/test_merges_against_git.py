"""The two rules against git itself, on random histories (issue: two rules, one function)."""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mergequeue.git.merges import GitMerges
from mergequeue.git.workshop import open_workshop
from mergequeue.ports import Merged, ThreeWay
from tests.support.histories import (
    CrissCrossPlan,
    ForkPlan,
    calm_criss_crosses,
    criss_crosses,
    forks,
)
from tests.support.oracles import (
    Outcome,
    merge_by_path,
    merge_recursive,
    merge_tree,
    turns_renames_off,
)
from tests.support.repositories import Playground

pytestmark = pytest.mark.slow

_ASKED = settings().max_examples
few = settings(
    # Each example starts git some forty times: `--hypothesis-profile=thorough` tries thousands.
    max_examples=_ASKED if settings.get_profile("dev").max_examples < _ASKED else 20,
    suppress_health_check=[HealthCheck.too_slow],
)


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Playground:
    return Playground(tmp_path_factory.mktemp("playground"))


@pytest.fixture(scope="module")
def merges(ground: Playground) -> Iterator[GitMerges]:
    ground.branch("main", ground.commit({"a": "a\n"}))
    with open_workshop(ground.clone(shared=True), "origin") as workshop:
        yield GitMerges(workshop)


def _outcome(merged: Merged) -> Outcome:
    assert not merged.unrelated
    return Outcome(merged.tree, frozenset(conflict.path for conflict in merged.conflicts))


@few
@given(plans=st.lists(forks, min_size=4, max_size=4))
def test_the_paths_rule_equals_a_real_three_way_merge_by_path(
    ground: Playground, merges: GitMerges, plans: list[ForkPlan]
) -> None:
    written = [plan.write(ground) for plan in plans]
    found = merges.merge_by_paths([ThreeWay(fork.ours, fork.theirs) for fork in written])
    expected = [merge_by_path(ground, fork.base, fork.ours, fork.theirs) for fork in written]
    assert [_outcome(merged) for merged in found] == expected


@few
@given(plans=st.lists(forks, min_size=4, max_size=4))
def test_the_renames_rule_equals_merge_tree(
    ground: Playground, merges: GitMerges, plans: list[ForkPlan]
) -> None:
    written = [plan.write(ground) for plan in plans]
    found = merges.merge_by_renames([ThreeWay(fork.ours, fork.theirs) for fork in written])
    expected = [merge_tree(ground, fork.ours, fork.theirs) for fork in written]
    assert [_outcome(merged) for merged in found] == expected


@few
@given(plans=st.lists(forks, min_size=4, max_size=4))
def test_a_chosen_base_merges_as_the_merge_base_that_it_stands_for(
    ground: Playground, merges: GitMerges, plans: list[ForkPlan]
) -> None:
    written = [plan.write(ground) for plan in plans]
    found = [ThreeWay(fork.ours, fork.theirs) for fork in written]
    chosen = [ThreeWay(fork.ours, fork.theirs, base=fork.base) for fork in written]
    assert merges.merge_by_paths(chosen) == merges.merge_by_paths(found)
    assert merges.merge_by_renames(chosen) == merges.merge_by_renames(found)


@few
@given(plans=st.lists(calm_criss_crosses, min_size=4, max_size=4))
def test_the_paths_rule_merges_the_bases_of_a_criss_cross_first_as_git_does(
    ground: Playground, merges: GitMerges, plans: list[CrissCrossPlan]
) -> None:
    written = [plan.write(ground) for plan in plans]
    found = merges.merge_by_paths([ThreeWay(fork.ours, fork.theirs) for fork in written])
    for fork, merged in zip(written, found, strict=True):
        expected = merge_recursive(ground, list(merged.bases), fork.ours, fork.theirs)
        assert _outcome(merged) == expected


@pytest.mark.skipif(not turns_renames_off(), reason="git before 2.50 always follows renames")
@few
@given(plans=st.lists(st.one_of(forks, criss_crosses), min_size=4, max_size=4))
def test_the_paths_rule_equals_merge_tree_with_renames_off(
    ground: Playground, merges: GitMerges, plans: list[ForkPlan | CrissCrossPlan]
) -> None:
    written = [plan.write(ground) for plan in plans]
    found = merges.merge_by_paths([ThreeWay(fork.ours, fork.theirs) for fork in written])
    off = ("-c", "merge.renames=false")
    expected = [merge_tree(ground, fork.ours, fork.theirs, off) for fork in written]
    assert [merged.tree for merged in found] == [outcome.tree for outcome in expected]


@few
@given(plans=st.lists(criss_crosses, min_size=4, max_size=4))
def test_the_renames_rule_merges_a_criss_cross_as_merge_tree_does(
    ground: Playground, merges: GitMerges, plans: list[CrissCrossPlan]
) -> None:
    written = [plan.write(ground) for plan in plans]
    found = merges.merge_by_renames([ThreeWay(fork.ours, fork.theirs) for fork in written])
    expected = [merge_tree(ground, fork.ours, fork.theirs) for fork in written]
    assert [_outcome(merged) for merged in found] == expected
