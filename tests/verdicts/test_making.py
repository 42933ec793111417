"""What each fate is written down as."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from mergequeue.documents.plan import Plan, PlannedChange
from mergequeue.ports import Affected, Candidate, Conflict, GateEnd, GateResult, Region, Resolved
from mergequeue.verdicts.actions import Decide
from mergequeue.verdicts.blame import Fate, decide_above
from mergequeue.verdicts.line import Batch
from mergequeue.verdicts.making import Case, FailedPreflight, Gated, verdict_of
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import ChangeId, RepoPath, Unit
from mergequeue.vocabulary.words import ConflictKind, Decision, Rule
from tests.support.graphs import commit_id
from tests.support.listings import BASE, queued

CHANGE = PlannedChange.model_validate(
    {**queued("2", "two").model_dump(by_alias=True), "beneath": ("1",)}
)
PLAN = Plan(
    base=BASE,
    remote_url="remote",
    base_commit=commit_id("base"),
    commit_date=datetime(2024, 1, 1, tzinfo=UTC),
    depth=8,
    batch=2,
)
BATCH = Batch(7, (ChangeId("1"), ChangeId("2")), (), 3)
RED = GateEnd(GateResult.RED, "exit status 1", 1500, "make check u")
CONFLICTS = tuple(
    Conflict(RepoPath(path), ConflictKind.CONTENT) for path in (b"a", b"b", b"c", b"d", b"\xff")
)


def made(**more: object) -> Case:
    values: dict[str, object] = {
        "onto": commit_id("onto"),
        "candidate": Candidate(commit_id("candidate")),
        **more,
    }
    return Case(CHANGE, **values)  # type: ignore[arg-type]  # each test gives a field its type


def decided(fate: Fate, *, halved: bool = False, gated: bool = False) -> Decide:
    return Decide(
        ChangeId("2"), fate, (ChangeId("1"),), BATCH if gated else None, halved, ChangeId("1")
    )


GATED = Gated(commit_id("candidate"), RED)


@pytest.mark.parametrize("fate", [fate for fate in Fate if fate is not Fate.GREEN])
def test_every_fate_has_its_code_and_says_what_ends_it(fate: Fate) -> None:
    failed = FailedPreflight("lint", RED)
    case = made(candidate=Candidate(None, refused="It cannot."), gated=GATED, failed=failed)
    verdict = verdict_of(PLAN, decided(fate, gated=True), case)
    assert verdict.code is fate.code
    assert verdict.reason
    if verdict.decision is Decision.WAIT:
        assert "; " in verdict.reason
        assert "\n" not in verdict.reason


def test_a_red_names_what_failed_and_where_it_ran() -> None:
    case = made(gated=GATED)
    verdict = verdict_of(PLAN, decided(Fate.RED, halved=True, gated=True), case)
    assert verdict.reason == "the gate is red: exit status 1. Halving the batch found it"
    assert verdict.report.startswith(
        "The gate is red with it, and green without it: `exit status 1`.\n"
    )
    assert verdict.report.endswith("\n\nHalving the batch found it.\n")
    assert (verdict.batch, verdict.depth) == (("1", "2"), 3)
    assert (verdict.gate, verdict.duration_ms) == ("make check u", 1500)
    assert (verdict.after, verdict.onto) == ("1", commit_id("onto"))


def test_a_red_that_followed_renames_says_so_to_its_author() -> None:
    candidate = Candidate(commit_id("candidate"), rule=Rule.RENAMES)
    case = made(gated=GATED, candidate=candidate)
    report = verdict_of(PLAN, decided(Fate.RED, gated=True), case).report
    assert report.endswith("\n\nIts candidate was merged by following renames.\n")


RESOLVED = (
    Resolved(RepoPath(b"N.md"), "N.md: prose (it is)", (Region("N.md## Next", 2),)),
    Resolved(RepoPath(b"a.py"), "a.py: comment-only", (Region("a.py#def f()", 1),)),
)
ENTRIES = "N.md: prose (it is); N.md## Next: kind 2. a.py: comment-only; a.py#def f(): kind 1"


def test_what_was_settled_stands_in_the_reason_of_a_green_verdict_an_entry_a_file() -> None:
    candidate = Candidate(commit_id("candidate"), resolved=RESOLVED)
    green = Gated(commit_id("top"), GateEnd(GateResult.GREEN, "", 10, "make check"))
    case = made(gated=green, candidate=candidate)
    assert verdict_of(PLAN, decided(Fate.GREEN, gated=True), case).reason == ENTRIES


def test_a_red_whose_conflicts_were_settled_says_so_to_its_author() -> None:
    candidate = Candidate(commit_id("candidate"), resolved=RESOLVED)
    case = made(gated=GATED, candidate=candidate)
    verdict = verdict_of(PLAN, decided(Fate.RED, gated=True), case)
    settled = "Conflicts were settled in its candidate"
    assert verdict.reason == f"the gate is red: exit status 1. {settled}: {ENTRIES}"
    assert verdict.report.endswith(f"\n\n{settled}: `{ENTRIES}`\n")


@pytest.mark.parametrize("fate", [Fate.CONFLICT_AHEAD, Fate.CONFLICT_WITH_BASE])
def test_a_conflict_says_of_each_file_why_it_stayed_one(fate: Fate) -> None:
    stayed = tuple(replace(each, why=f"{each.path!r}#f: both\n") for each in CONFLICTS[:2])
    case = made(candidate=Candidate(None, conflicts=stayed))
    verdict = verdict_of(PLAN, decided(fate), case)
    assert "(b'a'#f: both\\x0a. b'b'#f: both\\x0a)" in verdict.reason


def test_a_red_without_words_is_red_all_the_same() -> None:
    silent = Gated(commit_id("candidate"), GateEnd(GateResult.RED))
    verdict = verdict_of(PLAN, decided(Fate.RED, gated=True), made(gated=silent))
    assert verdict.reason == "the gate is red"
    assert verdict.report.startswith("The gate is red with it, and green without it.\n")


def test_a_conflict_names_its_files_and_blames_nobody() -> None:
    case = made(candidate=Candidate(None, conflicts=CONFLICTS))
    verdict = verdict_of(PLAN, decided(Fate.CONFLICT_AHEAD), case)
    assert verdict.code is Code.WAIT_CONFLICT_AHEAD
    assert verdict.paths == ("a", "b", "c", "d", r'"\xff"')
    assert verdict.reason == (
        "it conflicts in a, b, c and 2 more with a change ahead of it; "
        "it is tried again once that change has merged or left the queue"
    )
    assert verdict.candidate_commit is None


def test_a_conflict_with_the_base_that_planning_did_not_see_is_looked_at_again() -> None:
    case = made(candidate=Candidate(None, conflicts=CONFLICTS[:1]))
    verdict = verdict_of(PLAN, decided(Fate.CONFLICT_WITH_BASE), case)
    assert verdict.code is Code.WAIT_REVALIDATE
    assert verdict.paths == ("a",)


def test_a_green_one_says_what_was_gated_beyond_the_plan() -> None:
    green = Gated(commit_id("top"), GateEnd(GateResult.GREEN, "", 10, "make check m n"))
    beyond = Affected((Unit("n"),))
    verdict = verdict_of(PLAN, decided(Fate.GREEN, gated=True), made(gated=green, beyond=beyond))
    assert verdict.reason == "its merge reaches n beyond its own diff, and that was gated too"
    assert (verdict.gated_commit, verdict.code) == (commit_id("top"), None)
    beyond = Affected((), "no unit owns x")
    verdict = verdict_of(PLAN, decided(Fate.GREEN, gated=True), made(gated=green, beyond=beyond))
    assert verdict.reason == (
        "its merge changes more than its own diff, and no unit owns x, so all was gated"
    )


def test_a_stacked_one_says_again_why_the_one_below_waits() -> None:
    case = Case(CHANGE, cause=ChangeId("1"), below="the gate is red on it; it goes on later")
    verdict = verdict_of(PLAN, decided(Fate.BELOW), case)
    assert verdict.reason.startswith(
        "change 1, which it is stacked on, waits: the gate is red on it; it goes on later; "
    )


def test_above_a_kick_all_wait_as_above_a_kick_and_above_a_wait_as_above_a_wait() -> None:
    kicks = {fate for fate in Fate if decide_above(fate) is Fate.BELOW_KICKED}
    own = {Fate.RED, Fate.REFUSED, Fate.NOTHING_ON_BASE, Fate.PREFLIGHT_FAILED}
    assert kicks == {*own, Fate.BELOW_KICKED}
