"""Pre-flights that are the provider's checks: planned, run again by apply, remembered (seed 2)."""

from datetime import datetime, timedelta

import pytest

from mergequeue.documents.config import Configuration, PreflightTable, ReviewersTable
from mergequeue.documents.preflight import NamedCheck, NamedState, Preflight, PreflightState
from mergequeue.documents.provider import Reproduction
from mergequeue.documents.verdict import Verdict
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.errors import MergequeueError
from mergequeue.vocabulary.ids import ChangeId, CommitId
from mergequeue.vocabulary.words import Decision, StatusState
from tests.support.applying import NOW, Queue, open_queue
from tests.support.forge import Forge
from tests.support.landings import edit, make_forge, pull
from tests.support.repositories import Playground

BEFORE, AFTER = NOW - timedelta(hours=1), NOW + timedelta(minutes=1)
CHECKED = Configuration(preflight={"test": PreflightTable(check="ci / test")})
COMMANDED = Configuration(preflight={"fmt": PreflightTable(command="make fmt")})
BOTH = Configuration(preflight={"test": PreflightTable(check="ci / test", command="make test")})


@pytest.fixture
def forge(playground: Playground) -> Forge:
    forge = make_forge(playground)
    forge.open("1", edit(forge, "a/new.txt", "new\n"))
    reports(forge, NamedState.PASSED)
    return forge


def reports(
    forge: Forge, state: NamedState, *, ended_at: datetime = BEFORE, id_: str = "7"
) -> None:
    """Let the newest run of the check at every head be this one."""
    check = NamedCheck(name="ci / test", state=state, ended_at=ended_at, id=id_)
    forge.named = {"ci / test": check}


def run(queue: Queue) -> str:
    """Plan, judge and apply; return how the change ended."""
    queue.plan()
    queue.judge()
    queue.apply()
    return queue.code("1")


def planned(queue: Queue, configuration: Configuration) -> Queue:
    queue.configuration = configuration
    return queue


def test_one_whose_check_passed_merges(forge: Forge) -> None:
    with open_queue(forge) as made:
        assert run(planned(made, CHECKED)) == "merged"
    assert forge.reruns == []


def test_one_whose_check_runs_waits_and_holds_up_none_behind_it(forge: Forge) -> None:
    forge.open("2", edit(forge, "a/two.txt", "two\n"))
    assert forge.named is not None
    forge.named["1 ci / test"] = NamedCheck(name="ci / test", state=NamedState.RUNNING)
    with open_queue(forge) as made:
        queue = planned(made, CHECKED)
        run(queue)
        assert queue.codes() == {"1": "WAIT_PREFLIGHT", "2": "merged"}


def test_what_failed_on_an_older_tip_runs_again_and_a_failure_from_then_on_is_its_own(
    forge: Forge,
) -> None:
    forge.push_to_base({"b/more.txt": "more\n"})
    reports(forge, NamedState.FAILED)
    with open_queue(forge) as made:
        queue = planned(made, CHECKED)
        assert run(queue) == "WAIT_PREFLIGHT"
        (rerun,) = forge.reruns
        assert (rerun.change, rerun.commit, rerun.check.id) == ("1", forge.head("1"), "7")
        assert "runs again" in queue.ended["1"].reason
        reports(forge, NamedState.RUNNING)
        assert run(queue) == "WAIT_PREFLIGHT"
        assert len(forge.reruns) == 1
        reports(forge, NamedState.FAILED, ended_at=AFTER)
        assert run(queue) == "KICK_PREFLIGHT"
    assert len(forge.reruns) == 1
    (kick,) = forge.kicks
    assert (kick.code, kick.commit) == (Code.KICK_PREFLIGHT, forge.head("1"))
    assert kick.report.startswith("The pre-flight `test` fails with it.\n")
    assert "mend what fails" in kick.report


def test_once_it_passes_it_joins_a_batch(forge: Forge) -> None:
    forge.push_to_base({"b/more.txt": "more\n"})
    reports(forge, NamedState.FAILED)
    with open_queue(forge) as made:
        queue = planned(made, CHECKED)
        assert run(queue) == "WAIT_PREFLIGHT"
        reports(forge, NamedState.PASSED)
        assert run(queue) == "merged"


def test_what_failed_on_a_head_that_carries_the_tip_goes_back_at_once(forge: Forge) -> None:
    reports(forge, NamedState.FAILED)
    with open_queue(forge) as made:
        assert run(planned(made, CHECKED)) == "KICK_PREFLIGHT"
    assert forge.reruns == []


def test_what_cannot_be_run_again_is_waited_for_in_the_providers_words(forge: Forge) -> None:
    reports(forge, NamedState.CANCELLED)
    forge.rerun_refusals[ChangeId("1")] = "403: no right to do that"
    with open_queue(forge) as made:
        queue = planned(made, CHECKED)
        assert run(queue) == "WAIT_PREFLIGHT"
        reason = queue.ended["1"].reason
    assert "could not be run again: 403: no right to do that; it goes on" in reason
    assert forge.statuses[forge.head("1")][0] is StatusState.PENDING


def test_a_dry_run_has_nothing_run_again(forge: Forge) -> None:
    reports(forge, NamedState.CANCELLED)
    with open_queue(forge) as made:
        queue = planned(made, CHECKED)
        queue.plan()
        queue.apply(dry_run=True)
    assert forge.reruns == []


def test_one_whose_head_moved_since_planning_has_nothing_run_again(forge: Forge) -> None:
    reports(forge, NamedState.CANCELLED)
    with open_queue(forge) as made:
        queue = planned(made, CHECKED)
        queue.plan()
        forge.push("1", edit(forge, "a/new.txt", "newer\n"))
        queue.apply()
    assert forge.reruns == []


def test_a_forged_plan_has_no_other_check_run_again_than_the_bases_own(forge: Forge) -> None:
    """The plan comes from a run whose jobs ran the changes' code (seed 1, Trust model)."""
    reports(forge, NamedState.PASSED)
    assert forge.named is not None
    forge.named["deploy"] = NamedCheck(name="deploy", state=NamedState.CANCELLED, id="9")
    with open_queue(forge) as made:
        queue = planned(made, CHECKED)
        plan = queue.plan()
        (change,) = plan.admitted
        forged = Verdict(
            base_commit=plan.base_commit,
            change=change,
            decision=Decision.WAIT,
            code=Code.WAIT_PREFLIGHT,
            reason="deploy runs again",
            preflights=(Preflight(name="deploy", state=PreflightState.AGAIN),),
        )
        queue.source.document = plan.model_copy(update={"partitions": (), "verdicts": (forged,)})
        queue.apply()
    assert forge.reruns == []


def test_what_passed_is_asked_for_once_a_head(forge: Forge) -> None:
    with open_queue(forge) as made:
        queue = planned(made, CHECKED)
        queue.plan()
        queue.apply()
        assert forge.calls.count("named_checks") == 1
        reports(forge, NamedState.FAILED)
        assert len(queue.plan().admitted) == 1
        assert forge.calls.count("named_checks") == 1
        forge.push("1", edit(forge, "a/new.txt", "newer\n"))
        queue.plan()
    assert forge.calls.count("named_checks") == 2


def test_a_command_is_named_in_the_plan_behind_the_ready_ones_until_it_passed(
    forge: Forge,
) -> None:
    forge.named = None
    with open_queue(forge) as made:
        queue = planned(made, COMMANDED)
        (change,) = queue.plan().admitted
        assert change.preflights == ("fmt",)
        queue.judge()
        passed = Preflight(name="fmt", state=PreflightState.PASSED, duration_ms=5)
        queue.source.verdicts = [
            Verdict(
                base_commit=change_commit(queue),
                change=change,
                decision=Decision.WAIT,
                code=Code.WAIT_BEHIND,
                reason="others went ahead",
                preflights=(passed,),
            )
        ]
        queue.apply()
        forge.open("2", edit(forge, "a/two.txt", "two\n"))
        first, second = queue.plan().admitted
    assert [(first.id, first.preflights), (second.id, second.preflights)] == [
        ("1", ()),
        ("2", ("fmt",)),
    ]


@pytest.mark.parametrize("code", [Code.KICK_PREFLIGHT, Code.KICK_RED])
def test_the_gate_is_shown_as_the_way_to_run_it_again_where_it_says_so(
    forge: Forge, code: Code
) -> None:
    with open_queue(forge) as queue:
        (change,) = queue.plan().admitted
        verdict = Verdict(
            base_commit=change_commit(queue),
            change=change,
            decision=Decision.KICK,
            code=code,
            reason="its pre-flight fmt fails",
            report="It fails.",
        )
        queue.source.verdicts = [verdict]
        queue.apply(reproduce=Reproduction(gate="make check"))
    (kick,) = forge.kicks
    assert (kick.code, kick.reproduce is None) == (code, code is Code.KICK_PREFLIGHT)


def change_commit(queue: Queue) -> CommitId:
    assert queue.source.document is not None
    return queue.source.document.base_commit


def test_ready_ones_stand_before_those_whose_command_has_yet_to_run(forge: Forge) -> None:
    with open_queue(forge) as made:
        queue = planned(made, BOTH)
        reports(forge, NamedState.MISSING)
        forge.open("2", edit(forge, "a/two.txt", "two\n"))
        queue.plan()
        queue.apply()
        remember_passed(queue, "2")
        (line,) = queue.plan().partitions
    assert [(one.id, one.preflights) for one in line] == [("2", ()), ("1", ("test",))]
    assert line[1].beneath == ("2",)


def remember_passed(queue: Queue, id_: str) -> None:
    """Have the queue remember that a change's pre-flight passed."""
    plan = queue.source.document
    assert plan is not None
    change = next(one for one in plan.admitted if one.id == id_)
    passed = change.model_copy(
        update={"passed": (Preflight(name="test", state=PreflightState.PASSED),)}
    )
    queue.source.document = plan.model_copy(update={"partitions": ((passed,),)})
    queue.apply()


def test_pre_flights_run_while_a_review_is_waited_for(forge: Forge) -> None:
    reports(forge, NamedState.CANCELLED)
    pull(forge, "1").reviews.clear()
    reviewed = ReviewersTable(required=("octocat",))
    with open_queue(forge) as made:
        queue = planned(made, CHECKED.model_copy(update={"reviewers": reviewed}))
        assert run(queue) == "WAIT_PREFLIGHT"
        assert len(forge.reruns) == 1
        reports(forge, NamedState.PASSED)
        assert run(queue) == "WAIT_REVIEW"


def test_a_command_runs_while_a_review_is_waited_for_and_joins_no_batch(forge: Forge) -> None:
    forge.named = None
    pull(forge, "1").reviews.clear()
    reviewed = ReviewersTable(required=("octocat",))
    with open_queue(forge) as made:
        queue = planned(made, COMMANDED.model_copy(update={"reviewers": reviewed}))
        (change,) = queue.plan().admitted
        assert (change.preflights, change.alone) == (("fmt",), True)


def test_a_verdict_that_merges_what_was_to_run_alone_is_not_of_its_plan(forge: Forge) -> None:
    forge.named = None
    pull(forge, "1").reviews.clear()
    reviewed = ReviewersTable(required=("octocat",))
    with open_queue(forge) as made:
        queue = planned(made, COMMANDED.model_copy(update={"reviewers": reviewed}))
        assert run(queue) == "WAIT_REVALIDATE"
    assert forge.merge_requests == []


def test_a_check_that_nothing_can_tell_of_is_an_error_that_says_what_to_add(
    forge: Forge,
) -> None:
    forge.named = None
    with open_queue(forge) as made:
        queue = planned(made, CHECKED)
        with pytest.raises(MergequeueError) as raised:
            queue.plan()
    assert raised.value.code == "MQ1011"
    assert "preflight.test" in raised.value.problem
    assert "`command`" in raised.value.remedy
