from mergequeue.changes.decided import MERGED, kick, planning_verdict, refuse, wait
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.words import Decision
from tests.support.graphs import commit_id
from tests.support.listings import TIP, queued

CHANGE = queued("1", "a")


def test_a_kicks_reason_is_the_first_line_of_its_report() -> None:
    kicked = kick(Code.KICK_CONFLICT, CHANGE, TIP, paths=["f"], with_=["0123456789ab Touch f"])

    verdict = planning_verdict(CHANGE, kicked, TIP.commit)

    assert verdict.decision is Decision.KICK
    assert verdict.reason == "It conflicts with the base in `f`."
    assert verdict.report.startswith(verdict.reason + "\n")
    assert (verdict.paths, verdict.with_) == (("f",), ("0123456789ab Touch f",))


def test_a_refusal_starts_with_its_sentence() -> None:
    assert refuse(CHANGE, TIP, "It is wrong: mend it.").reason == "It is wrong: mend it."


def test_a_verdict_on_a_head_that_moved_is_about_the_new_one() -> None:
    moved = wait(Code.WAIT_HEAD_MOVED, head=commit_id("new"))
    verdict = planning_verdict(CHANGE, moved, TIP.commit)

    assert verdict.change == CHANGE.model_copy(update={"head": commit_id("new")})


def test_a_merged_change_has_no_code() -> None:
    verdict = planning_verdict(CHANGE, MERGED, TIP.commit)

    assert (verdict.decision, verdict.code) == (Decision.MERGED, None)
