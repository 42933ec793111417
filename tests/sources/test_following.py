"""A validation run as a source, over the fake GitHub (facts 1.10, 2.7, 3.17; CASES D, H)."""

from pathlib import Path

import pytest

from mergequeue.ports import VerdictSource
from mergequeue.vocabulary import limits
from mergequeue.vocabulary.errors import (
    CREDENTIAL_REFUSED,
    NO_SOURCE,
    PROVIDER_FAILED,
    SOURCE_INCOMPLETE,
    UNTRUSTED_RUN,
    MergequeueError,
)
from mergequeue.vocabulary.ids import ChangeId
from tests.fakes.github.faults import Fault
from tests.fakes.github.runrecords import Run
from tests.fakes.github.runverbs import finish, rerun, start_run, upload, zipped
from tests.fakes.github.story import GitHub
from tests.support.runs import ACME, Following, asked_for, follow, upload_plan, upload_verdict
from tests.support.verdicts import ALL, plan, verdict

ONE, TWO = ChangeId("1"), ChangeId("2")


@pytest.fixture
def run(github: GitHub) -> Run:
    run = start_run(github)
    upload_plan(github, run, plan())
    return run


@pytest.fixture
def followed(github: GitHub, run: Run, tmp_path: Path) -> Following:
    return follow(github, run, tmp_path / "run")


def test_it_is_the_port_that_apply_is_handed(followed: Following, run: Run) -> None:
    source: VerdictSource = followed.source
    assert source.plan() == plan()
    assert source.name() == f"acme/acme/runs/{run.id}"


def test_a_verdict_is_there_as_soon_as_it_is_uploaded_while_the_run_goes_on(
    github: GitHub, run: Run, followed: Following
) -> None:
    source = followed.source
    assert source.plan() == plan()
    assert source.poll(ALL).verdicts == ()
    upload_verdict(github, run, verdict("1"))
    first = source.poll(ALL)
    assert (first.verdicts, first.complete) == ((verdict("1"),), False)
    upload_verdict(github, run, verdict("2"), more={"candidate.bundle": b"bundle"})
    finish(github, None, run)
    second = source.poll(ALL)
    assert (second.verdicts, second.complete) == ((verdict("2"),), True)
    assert source.bundle(TWO) == b"bundle"
    assert source.bundle(ONE) is None


def test_an_enterprise_server_is_followed_at_its_own_addresses(
    github: GitHub, tmp_path: Path
) -> None:
    github.enterprise = True
    run = start_run(github)
    upload_plan(github, run, plan())
    assert follow(github, run, tmp_path / "run").source.plan() == plan()
    api = [seen.path for seen in github.log.requests if seen.operation != "blob"]
    assert all(path.startswith("/api/v3/") for path in api)


def test_a_listing_is_read_to_its_last_page(github: GitHub, run: Run, followed: Following) -> None:
    for number in range(7):
        upload_verdict(github, run, verdict(f"v{number}"))
    assert len(followed.source.poll(ALL).verdicts) == 7


def test_following_costs_nothing_while_nothing_changes(
    github: GitHub, run: Run, followed: Following
) -> None:
    upload_verdict(github, run, verdict("1"))
    followed.source.plan()
    followed.source.poll(ALL)
    spent = github.limits.spent
    for _ in range(5):
        followed.source.poll(ALL)
    assert github.limits.spent == spent


def test_that_a_run_is_over_is_read_before_what_it_has_uploaded(
    github: GitHub, followed: Following
) -> None:
    followed.source.poll(ALL)
    asked = [seen.operation.rpartition("/")[2] for seen in github.log.requests]
    assert asked[:2] == ["{run_id}", "artifacts"]


def test_each_artifact_is_fetched_once(github: GitHub, run: Run, followed: Following) -> None:
    upload_verdict(github, run, verdict("1"))
    upload(github, run, "mergequeue-verdict-2", b"no zip")
    upload(github, run, "coverage", {"a": "b"})
    polls = [followed.source.poll(ALL) for _ in range(3)]
    assert [len(poll.verdicts) for poll in polls] == [1, 0, 0]
    assert [list(poll.unreadable) for poll in polls] == [[TWO], [], []]
    assert len(asked_for(github, "blob")) == 3


def test_nothing_is_read_before_there_is_a_plan_that_could_vouch_for_it(
    github: GitHub, tmp_path: Path
) -> None:
    run = start_run(github)
    upload_verdict(github, run, verdict("1"))
    source = follow(github, run, tmp_path / "run").source
    assert source.plan() is None
    assert source.poll(None) == source.poll(None)
    upload_plan(github, run, plan())
    assert source.plan() == plan()
    assert source.poll(ALL).verdicts == (verdict("1"),)


def test_what_the_plan_did_not_admit_is_named_and_never_fetched(
    github: GitHub, run: Run, followed: Following
) -> None:
    upload_verdict(github, run, verdict("1"))
    followed.source.plan()
    fetched = len(asked_for(github, "blob"))
    poll = followed.source.poll({TWO})
    assert poll.verdicts == ()
    assert "mergequeue-verdict-1" in poll.strange[0]
    assert followed.source.poll({TWO}).strange == ()
    assert len(asked_for(github, "blob")) == fetched


def test_a_run_that_ended_without_a_plan_has_none(github: GitHub, tmp_path: Path) -> None:
    run = start_run(github)
    finish(github, None, run, "cancelled")
    source = follow(github, run, tmp_path / "run").source
    assert source.plan() is None
    assert source.poll(None).complete


# --- what holds one change -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"", "no archive"),
        (zipped({}), "verdict.json is not there"),
        (zipped({"verdict.json": b"{"}), "JSON"),
        (zipped({"verdict.json": b"{}"}), "schema"),
        (zipped({"../verdict.json": b"{}"}), "does not name a place in it"),
        (zipped({str(number): b"" for number in range(65)}), "more than 64 files"),
        (bytes(limits.ARTIFACT_BYTES + 1), "it has more than"),
    ],
)
def test_an_artifact_that_is_not_what_it_should_be_holds_its_change_alone(
    github: GitHub, run: Run, followed: Following, raw: bytes, words: str
) -> None:
    upload(github, run, "mergequeue-verdict-1", raw)
    upload_verdict(github, run, verdict("2"))
    poll = followed.source.poll(ALL)
    assert words in poll.unreadable[ONE]
    assert poll.verdicts == (verdict("2"),)


def test_a_verdict_on_another_change_than_its_name_says_is_none(
    github: GitHub, run: Run, followed: Following
) -> None:
    upload_verdict(github, run, verdict("2"), name="mergequeue-verdict-1")
    poll = followed.source.poll(ALL)
    assert poll.verdicts == ()
    assert "verdict of 2" in poll.unreadable[ONE]


def test_an_expired_artifact_holds_its_change_alone(
    github: GitHub, run: Run, followed: Following
) -> None:
    upload_verdict(github, run, verdict("1"))
    run.artifacts[-1].expired = True
    upload_verdict(github, run, verdict("2"))
    poll = followed.source.poll(ALL)
    assert "it has expired" in poll.unreadable[ONE]
    assert poll.verdicts == (verdict("2"),)


def test_a_download_that_breaks_off_is_made_again_and_one_that_never_works_is_given_up(
    github: GitHub, run: Run, followed: Following
) -> None:
    upload_verdict(github, run, verdict("1"))
    github.faults.add("GET /_blobs/", Fault.CUT, times=2)
    assert followed.source.poll(ALL).verdicts == (verdict("1"),)
    upload_verdict(github, run, verdict("2"))
    github.faults.add("GET .*/zip", Fault.REFUSED, times=4, status=503)
    assert "503, 4 times" in followed.source.poll(ALL).unreadable[TWO]


def test_a_401_says_nothing_of_a_change(github: GitHub, run: Run, followed: Following) -> None:
    upload_verdict(github, run, verdict("1"))
    github.faults.add("GET .*/zip", Fault.REFUSED, status=401, times=2)
    with pytest.raises(MergequeueError) as caught:
        followed.source.plan()
    assert caught.value.code == CREDENTIAL_REFUSED.code


def test_a_credential_that_ran_out_since_the_listing_is_asked_for_again(
    github: GitHub, run: Run, followed: Following
) -> None:
    upload_verdict(github, run, verdict("1"))
    github.faults.add("GET .*/zip", Fault.REFUSED, status=401)
    assert followed.source.plan() == plan()


# --- what stops apply ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "raw", [b"no zip", zipped({"other.json": b"{}"}), zipped({"../plan.json": b"{}"})]
)
def test_a_plan_that_cannot_be_had_stops_apply(github: GitHub, tmp_path: Path, raw: bytes) -> None:
    run = start_run(github)
    upload(github, run, "mergequeue-plan", raw)
    with pytest.raises(MergequeueError) as caught:
        follow(github, run, tmp_path / "run").source.plan()
    assert caught.value.code == SOURCE_INCOMPLETE.code


def test_a_listing_that_fails_stops_apply(github: GitHub, followed: Following) -> None:
    github.faults.add("GET .*/artifacts", Fault.REFUSED, times=4, status=500)
    with pytest.raises(MergequeueError) as caught:
        followed.source.poll(ALL)
    assert caught.value.code == PROVIDER_FAILED.code


@pytest.mark.parametrize("token", ["no such token", "without actions"])
def test_a_run_that_is_not_there_is_told_from_one_without_verdicts(
    github: GitHub, tmp_path: Path, token: str
) -> None:
    made = github.token("acme-queue[bot]", {"contents": "read"})
    run = "acme/acme/runs/99" if token == "no such token" else start_run(github)
    followed = follow(
        github, run, tmp_path / "run", token="" if isinstance(run, str) else made.text
    )
    with pytest.raises(MergequeueError) as caught:
        followed.source.plan()
    if isinstance(run, str):
        assert caught.value.code == NO_SOURCE.code
        assert "actions: read" in caught.value.remedy
    else:
        assert "not accessible by integration" in caught.value.problem


@pytest.mark.parametrize(
    "name",
    ["acme/acme", "acme/acme/runs/0", "acme/acme/runs/x", "acme/acme/runs/1/attempts/2", "7"],
)
def test_a_name_of_another_form_is_no_run(github: GitHub, tmp_path: Path, name: str) -> None:
    with pytest.raises(MergequeueError) as caught:
        follow(github, name, tmp_path / "run").source.plan()
    assert caught.value.code == NO_SOURCE.code
    assert github.log.requests == []


# --- attempts ------------------------------------------------------------------------------------


def test_a_re_runs_verdict_is_the_one_that_counts(
    github: GitHub, run: Run, followed: Following
) -> None:
    upload_verdict(github, run, verdict("1", "first"))
    upload_verdict(github, run, verdict("2", "first"))
    rerun(github, None, run, only_failed=True)
    upload_verdict(github, run, verdict("1", "again"), name="mergequeue-verdict-1@2")
    rerun(github, None, run, only_failed=True)
    upload_verdict(github, run, verdict("1", "third"), name="mergequeue-verdict-1@3")
    told = {it.change.id: it.reason for it in followed.source.poll(ALL).verdicts}
    assert told == {ONE: "third", TWO: "first"}


def test_of_one_name_in_several_attempts_the_newest_counts_by_when_each_began(
    github: GitHub, run: Run, followed: Following
) -> None:
    upload_verdict(github, run, verdict("1", "first"))
    rerun(github, None, run)
    upload_verdict(github, run, verdict("1", "second"))
    assert [it.reason for it in followed.source.poll(ALL).verdicts] == ["second"]


def test_two_of_one_attempt_hold_their_change(
    github: GitHub, run: Run, followed: Following
) -> None:
    rerun(github, None, run)
    upload_verdict(github, run, verdict("1", "one"))
    upload_verdict(github, run, verdict("1", "other"))
    upload_verdict(github, run, verdict("2"))
    poll = followed.source.poll(ALL)
    assert "uploaded twice in attempt 2" in poll.unreadable[ONE]
    assert poll.verdicts == (verdict("2"),)


def test_a_run_is_named_without_regard_to_letters_case(
    github: GitHub, run: Run, tmp_path: Path
) -> None:
    assert follow(github, f"Acme/ACME/runs/{run.id}", tmp_path / "x", repo=ACME).source.plan()


def test_another_repositorys_run_is_not_followed(github: GitHub, tmp_path: Path) -> None:
    with pytest.raises(MergequeueError) as caught:
        follow(github, "other/acme/runs/7", tmp_path / "run").source.plan()
    assert caught.value.code == UNTRUSTED_RUN.code
    assert github.log.requests == []
