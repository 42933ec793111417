"""The two rules against git itself, on random histories (issue: two rules, one function)."""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mergequeue.git.merges import GitMerges
from mergequeue.git.workshop import open_workshop
from mergequeue.ports import Merged, ThreeWay
from tests.support.histories import CrissCrossPlan, ForkPlan, criss_crosses, forks
from tests.support.oracles import Outcome, merge_by_path, merge_recursive, merge_tree
from tests.support.repositories import Playground

pytestmark = pytest.mark.slow


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


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(plans=st.lists(forks, min_size=4, max_size=4))
def test_the_paths_rule_equals_a_real_three_way_merge_by_path(
    ground: Playground, merges: GitMerges, plans: list[ForkPlan]
) -> None:
    written = [plan.write(ground) for plan in plans]
    found = merges.merge_by_paths([ThreeWay(fork.ours, fork.theirs) for fork in written])
    expected = [merge_by_path(ground, fork.base, fork.ours, fork.theirs) for fork in written]
    assert [_outcome(merged) for merged in found] == expected


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(plans=st.lists(forks, min_size=4, max_size=4))
def test_the_renames_rule_equals_merge_tree(
    ground: Playground, merges: GitMerges, plans: list[ForkPlan]
) -> None:
    written = [plan.write(ground) for plan in plans]
    found = merges.merge_by_renames([ThreeWay(fork.ours, fork.theirs) for fork in written])
    expected = [merge_tree(ground, fork.ours, fork.theirs) for fork in written]
    assert [_outcome(merged) for merged in found] == expected


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(plans=st.lists(forks, min_size=4, max_size=4))
def test_a_chosen_base_merges_as_the_merge_base_that_it_stands_for(
    ground: Playground, merges: GitMerges, plans: list[ForkPlan]
) -> None:
    written = [plan.write(ground) for plan in plans]
    found = [ThreeWay(fork.ours, fork.theirs) for fork in written]
    chosen = [ThreeWay(fork.ours, fork.theirs, base=fork.base) for fork in written]
    assert merges.merge_by_paths(chosen) == merges.merge_by_paths(found)
    assert merges.merge_by_renames(chosen) == merges.merge_by_renames(found)


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(plan=criss_crosses)
def test_the_paths_rule_merges_the_bases_of_a_criss_cross_first_as_git_does(
    ground: Playground, merges: GitMerges, plan: CrissCrossPlan
) -> None:
    fork = plan.write(ground)
    (found,) = merges.merge_by_paths([ThreeWay(fork.ours, fork.theirs)])
    expected = merge_recursive(ground, list(found.bases), fork.ours, fork.theirs)
    assert _outcome(found) == expected


@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow])
@given(plan=criss_crosses)
def test_the_renames_rule_merges_a_criss_cross_as_merge_tree_does(
    ground: Playground, merges: GitMerges, plan: CrissCrossPlan
) -> None:
    fork = plan.write(ground)
    (found,) = merges.merge_by_renames([ThreeWay(fork.ours, fork.theirs)])
    assert _outcome(found) == merge_tree(ground, fork.ours, fork.theirs)
