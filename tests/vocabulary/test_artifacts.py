"""What a validation run's artifacts are called."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergequeue.vocabulary.artifacts import (
    ArtifactName,
    SuspectsName,
    parse_artifact,
    parse_suspects,
)
from mergequeue.vocabulary.ids import ChangeId

CHANGES = st.from_regex(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,20}", fullmatch=True).map(ChangeId)


@given(st.none() | CHANGES, st.integers(1, 10**9 - 1))
def test_a_name_says_whose_it_is_and_of_which_attempt(
    change: ChangeId | None, attempt: int
) -> None:
    name = ArtifactName(change, attempt)
    assert parse_artifact(str(name)) == name


def test_the_first_attempt_stands_in_no_name() -> None:
    assert str(ArtifactName(None)) == "mergequeue-plan"
    assert str(ArtifactName(ChangeId("482"))) == "mergequeue-verdict-482"
    assert str(ArtifactName(ChangeId("482"), 2)) == "mergequeue-verdict-482@2"


@pytest.mark.parametrize(
    "name",
    [
        "",
        "coverage",
        "mergequeue-plan-2",
        "mergequeue-plan@0",
        "mergequeue-plan@two",
        "mergequeue-verdict-",
        "mergequeue-verdict-../x",
        "mergequeue-verdict-.hidden",
        "mergequeue-verdict-1@2@3",
        "mergequeue-verdict-1\n",
        "Mergequeue-plan",
    ],
)
def test_any_other_name_is_none_of_the_queues(name: str) -> None:
    assert parse_artifact(name) is None
    assert parse_suspects(name) is None


@given(CHANGES, st.integers(1, 10**9 - 1), st.integers(1, 10**9 - 1))
def test_a_name_says_whose_suspects_it_holds_and_which_came_later(
    job: ChangeId, attempt: int, number: int
) -> None:
    name = SuspectsName(attempt, number, job)
    assert parse_suspects(str(name)) == name
    assert parse_artifact(str(name)) is None
    assert name < SuspectsName(attempt, number + 1, job) < SuspectsName(attempt + 1, 1, job)


@pytest.mark.parametrize(
    "name",
    [
        "mergequeue-suspects-4",
        "mergequeue-suspects-4@1",
        "mergequeue-suspects-4@1.0",
        "mergequeue-suspects-../x@1.1",
        "mergequeue-suspects-@1.1",
        "mergequeue-suspects-4@1.1\n",
    ],
)
def test_any_other_name_holds_no_suspects(name: str) -> None:
    assert parse_suspects(name) is None
