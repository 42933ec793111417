"""Why a change waits, and what ends the wait (CASES I: no wait without an end)."""

from mergequeue.vocabulary.codes import MEANINGS, Code
from mergequeue.vocabulary.text import one_line

_ENDS: dict[Code, str] = {
    Code.WAIT_NOT_APPROVED: "it goes on once it is approved at its head",
    Code.WAIT_HEAD_MOVED: "the next run takes its new head",
    Code.WAIT_BEHIND: "the next run validates it again",
    Code.WAIT_CONFLICT_AHEAD: "it is tried again once that change has merged or left the queue",
    Code.WAIT_REVALIDATE: "the next run validates it again",
    Code.WAIT_BRANCH_MOVED: "the next run takes its branch as it is then",
    Code.WAIT_PROVIDER_REFUSED: "the next run tries again",
    Code.WAIT_BELOW: "it goes on once that change has merged",
    Code.WAIT_BELOW_KICKED: (
        "it goes on once that change is queued again and merges, or once it is rebased off it"
    ),
    Code.WAIT_RESTACK: "it goes on once it is rebased onto that change's head",
    Code.WAIT_RETARGET: "it goes on once it is pointed at the queue's base",
    Code.WAIT_METHOD_CHANGED: "the next run validates it under its new method",
    Code.WAIT_WITHDRAWN: "it goes on once it is queued again",
    Code.WAIT_UNQUEUED_BELOW: (
        "it goes on once that change is queued or merged, or once it is rebased off it"
    ),
    Code.WAIT_NO_COMMITTER: "it goes on once --committer, or user.name and user.email, name one",
    Code.WAIT_BASE_RED: "it goes on once the gate is green there",
    Code.WAIT_CHECKS: "it goes on once they have ended",
    Code.WAIT_PREFLIGHT: "it goes on once they have passed",
    Code.WAIT_REVIEW: "it goes on once they have reviewed it",
    Code.WAIT_PAUSED: "it goes on once somebody resumes the queue",
}


def wait_reason(code: Code, *, detail: str = "") -> str:
    """Return one line: what it waits for, and what ends that.

    `detail` says what exactly, in place of the code's own meaning; it is shown as plain text.
    """
    what = one_line(detail or MEANINGS[code]).rstrip(".")
    return f"{what}; {_ENDS[code]}"
