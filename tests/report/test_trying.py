"""What is said of a try run: in the queue's own words, whatever a change's code claims."""

import pytest

from mergequeue.documents.trying import TryReport
from mergequeue.documents.verdict import Verdict
from mergequeue.report.github_try import try_comment
from mergequeue.report.trying import NO_MERGE, try_lines, try_report
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import BranchName, ChangeId, CommitId
from mergequeue.vocabulary.words import Decision, Method
from tests.support.listings import queued

MAIN = BranchName("main")
BASE = CommitId("b" * 40)
HOSTILE = "@everyone ```\n# x"


def verdict(decision: Decision, code: Code | None = None, **more: object) -> Verdict:
    given: dict[str, object] = {
        "base_commit": BASE,
        "change": queued("7", "head"),
        "decision": decision,
        "code": code,
    }
    if decision is Decision.MERGE:
        commits = dict.fromkeys(("onto", "candidate_commit", "gated_commit"), BASE)
        given |= {**commits, "method": Method.SQUASH, "batch": (ChangeId("7"),), "depth": 1}
    if decision is Decision.KICK:
        given["report"] = HOSTILE
    return Verdict.model_validate({**given, **more})


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (
            verdict(Decision.MERGE, gate="make check", duration_ms=192_000),
            "passed its gate in 3 min",
        ),
        (verdict(Decision.MERGE), "there was nothing to gate"),
        (verdict(Decision.MERGED), "there is nothing to try"),
        (verdict(Decision.KICK, Code.KICK_RED, gate="make check"), "Try run: red."),
        (verdict(Decision.KICK, Code.KICK_CONFLICT), "it could not merge"),
        (verdict(Decision.WAIT, Code.WAIT_BASE_RED), "Try run: undecided."),
    ],
)
def test_each_end_is_said_with_what_it_means_and_that_nothing_comes_of_it(
    found: Verdict, said: str
) -> None:
    report = try_report(found, MAIN, BASE)
    assert said in report
    assert report.endswith(NO_MERGE)
    assert "@everyone" not in report


def test_what_the_changes_code_claims_is_text_in_a_fence() -> None:
    report = TryReport(
        change=ChangeId("7"),
        commit=BASE,
        report="**Try run: red.**",
        claim=HOSTILE,
        source="acme/acme/runs/12",
    )
    body = try_comment(report, "https://github.com")
    assert "````\n@everyone ```\n# x\n````" in body
    assert "(https://github.com/acme/acme/actions/runs/12)" in body


def test_a_terminal_is_shown_no_control_character() -> None:
    red = verdict(Decision.KICK, Code.KICK_RED, gate="make check", reason="\x1b[2J red")
    lines = try_lines(ChangeId("7"), red, None)
    assert lines[0] == "7: try run red"
    assert lines[-1].strip() == NO_MERGE
    assert all(line.isprintable() for line in lines)
