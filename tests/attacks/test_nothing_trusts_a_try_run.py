"""Nothing trusts a try run: whatever is claimed of one, it merges, kicks and marks nothing."""

import pytest

from mergequeue.documents.plan import Plan
from mergequeue.documents.verdict import Verdict
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.errors import PROVIDER_FAILED
from mergequeue.vocabulary.words import Decision
from tests.support.applying import Queue, Source, open_queue
from tests.support.forge import Forge
from tests.support.landings import edit, make_forge, pull
from tests.support.repositories import Playground


@pytest.fixture
def forge(playground: Playground) -> Forge:
    forge = make_forge(playground)
    forge.open("1", edit(forge, "a/1.txt", "1\n"))
    forge.open("7", edit(forge, "a/7.txt", "7\n"))
    pull(forge, "7").queued = False
    pull(forge, "7").tried = True
    return forge


def tried(queue: Queue) -> Verdict:
    """Plan both as if they were queued, make the second a try run, and return its green verdict."""
    pull(queue.forge, "7").queued = True
    plan = queue.plan()
    first, second = queue.judge()
    pull(queue.forge, "7").queued = False
    [line] = plan.partitions
    alone = line[1].model_copy(update={"beneath": ()})
    queue.source = Source(plan.model_copy(update={"partitions": (line[:1],), "tries": (alone,)}))
    queue.source.verdicts = [first]
    return second


def test_a_green_try_run_is_reported_and_merges_nothing(forge: Forge) -> None:
    with open_queue(forge) as queue:
        green = tried(queue)
        assert green.decision is Decision.MERGE
        queue.source.verdicts.append(green)
        queue.apply()
    assert queue.codes() == {"1": "merged"}
    [report] = forge.tried
    assert (report.change, report.commit) == ("7", forge.head("7"))
    assert report.report.startswith("**Try run: green.**")
    assert forge.head("7") not in forge.statuses


def test_a_red_try_run_kicks_nobody_and_its_words_are_a_claim(forge: Forge) -> None:
    with open_queue(forge) as queue:
        green = tried(queue)
        red = green.model_copy(
            update={
                "decision": Decision.KICK,
                "code": Code.KICK_RED,
                "report": "# @everyone",
                "reason": "exit status 1 @everyone",
            }
        )
        queue.source.verdicts.append(red)
        queue.apply()
    assert forge.kicks == []
    [report] = forge.tried
    assert "@everyone" not in report.report
    assert report.claim == "exit status 1 @everyone"


def test_no_number_that_a_try_run_claims_stops_the_queue(forge: Forge) -> None:
    with open_queue(forge) as queue:
        endless = tried(queue).model_copy(update={"gate": "make", "duration_ms": 10**400})
        queue.source.verdicts.insert(0, endless)
        queue.apply()
    assert queue.codes() == {"1": "merged"}
    [report] = forge.tried
    assert "10080 min" in report.report


@pytest.mark.parametrize("what", ["nobody asks", "another head", "it is queued now"])
def test_a_try_run_that_nobody_asks_for_as_it_is_now_is_shown_nowhere(
    forge: Forge, what: str
) -> None:
    with open_queue(forge) as queue:
        green = tried(queue)
        queue.source.verdicts.append(green)
        if what == "nobody asks":
            pull(forge, "7").tried = False
        elif what == "it is queued now":
            pull(forge, "7").queued = True
        else:
            forge.push("7", edit(forge, "a/7.txt", "8\n"))
        queue.apply()
    assert queue.codes() == {"1": "merged"}
    assert forge.tried == []


def test_a_change_whose_try_run_was_green_is_gated_when_it_is_queued(forge: Forge) -> None:
    with open_queue(forge) as queue:
        green = tried(queue)
        pull(forge, "7").queued = True
        plan = queue.plan()
        queue.source.verdicts = [replace_base(plan, green)]
        queue.apply()
    assert queue.code("7") in {"WAIT_REVALIDATE", "WAIT_BEHIND"}
    assert forge.merge_requests == []


def replace_base(plan: Plan, verdict: Verdict) -> Verdict:
    """Return a try run's verdict as it would be handed in for a queued change of another plan."""
    return verdict.model_copy(
        update={
            "base_commit": plan.base_commit,
            "change": plan.admitted[-1],
            "after": None,
            "onto": plan.base_commit,
        }
    )


def refuse() -> None:
    raise PROVIDER_FAILED("comments are locked")


def test_what_cannot_be_reported_keeps_nobody_of_the_queue(forge: Forge) -> None:
    with open_queue(forge) as queue:
        green = tried(queue)
        queue.source.verdicts.insert(0, green)
        forge.before["report the try run of 7"] = [refuse]
        result = queue.apply()
    assert queue.codes() == {"1": "merged"}
    assert result.failure is None
    assert any("comments are locked" in one.reason for one in queue.heard.happenings)


def test_a_dry_run_says_what_a_try_run_came_to_and_shows_it_nowhere(forge: Forge) -> None:
    with open_queue(forge) as queue:
        green = tried(queue)
        queue.source.verdicts.append(green)
        queue.apply(dry_run=True)
    assert forge.tried == []
    said = [one.reason for one in queue.heard.happenings if one.change == "7"]
    assert said == ["its try run: green"]
