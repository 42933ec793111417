"""What the plain-git provider says: refusals, reasons, its audit log, and how it is set up."""

from collections.abc import Sequence

from mergequeue.documents.capabilities import Step
from mergequeue.documents.provider import MergeMember
from mergequeue.documents.review import Review
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import ChangeId, CommitId, short
from mergequeue.vocabulary.text import code_span, cut, one_line
from mergequeue.vocabulary.words import Mark, Method, ReviewState, StatusState

_NAME_BYTES = 200
_NAMES = 5

_MARKED = {
    Mark.QUEUED: "queued",
    Mark.KICKED_BACK: "marked as kicked back",
    Mark.NEEDS_REGENERATION: "marked as in need of regeneration",
    Mark.NONE: "left the queue",
}


_REVIEWED = {
    ReviewState.APPROVED: "approved",
    ReviewState.CHANGES_REQUESTED: "asked for changes to",
    ReviewState.COMMENTED: "commented on",
    ReviewState.DISMISSED: "took back what was said of",
}


def branch_text(branch: str) -> str:
    """Return a branch's name as a code span that says the same to people and to Markdown."""
    return code_span(cut(branch, _NAME_BYTES))


def collision_refusal(branches: Sequence[str], id_: ChangeId) -> str:
    """Return why branches whose names give one change id are all refused."""
    names = ", ".join(branch_text(branch) for branch in branches[:_NAMES])
    more = f" and {len(branches) - _NAMES} more" if len(branches) > _NAMES else ""
    return (
        f"{names}{more} all give the change id {id_}, since `/` is written as `.` in it; "
        "delete all but one of them, or push under another name"
    )


def name_refusal(branch: str) -> str:
    """Return why a branch whose name gives no change id is refused."""
    return (
        f"{branch_text(branch)} gives no change id: what follows the method is 1 to 128 letters, "
        "digits, `.`, `_`, `-` and `/`, starting with a letter, a digit or `_`; "
        "push it under such a name and delete this branch"
    )


def kept_refusal(branch: str) -> str:
    """Return why a branch is refused whose id the queue keeps for itself."""
    return (
        f"{branch_text(branch)} is named as the queue names things of its own; "
        "push it under another name and delete this branch"
    )


def date_refusal(head: CommitId) -> str:
    """Return why a branch whose head cannot be dated is refused."""
    return f"its head {short(head)} has no readable date; write that commit anew and push again"


def gone_reason(branch: str) -> str:
    """Return why a change whose branch was deleted is not queued."""
    return f"its branch {branch_text(branch)} is gone"


def merged_reason(commit: CommitId) -> str:
    """Return why a change that the queue merged is not queued."""
    return f"it has merged, as {short(commit)}"


def kicked_reason(code: Code, head: CommitId) -> str:
    """Return why a change that was kicked back is not queued."""
    return (
        f"it was kicked back at {short(head)} with {code}; a new push, "
        "or `mergequeue requeue`, queues it again"
    )


def base_moved_reason(base: str, expected: CommitId, found: CommitId | None) -> str:
    """Return why a merge onto another tip than the base's was not made."""
    now = f"at {short(found)}" if found else "gone"
    return f"{base} is {now}, and no longer at {short(expected)}"


def head_moved_reason(expected: CommitId, found: CommitId) -> str:
    """Return why a merge of another commit than the branch's was not made."""
    return f"its branch is at {short(found)}, and no longer at {short(expected)}"


def method_moved_reason(expected: Method, found: Method) -> str:
    """Return why a merge by another method than the branch asks for now was not made."""
    return f"its branch asks for {found} now, and no longer for {expected}"


def replay_conflict_reason(commit: CommitId, subject: str, paths: Sequence[str]) -> str:
    """Return why a rebase whose replay conflicts was not made."""
    shown = ", ".join(code_span(path) for path in paths[:_NAMES])
    return f"replaying {short(commit)} ({code_span(subject)}) conflicts in {shown}"


def replay_differs_reason() -> str:
    """Return why a rebase whose last tree is not the predicted one was not made."""
    return "replaying its commits one by one does not give the tree that was gated"


def no_history_reason(commit: CommitId) -> str:
    """Return why a rebase that holds a commit without parents was not made."""
    return f"{short(commit)} has no parent, so it cannot be replayed"


def nothing_left_reason() -> str:
    """Return why a rebase of commits that the base already has was not made."""
    return "replaying its commits leaves nothing that the base does not have"


def mark_without_branch(id_: ChangeId) -> str:
    """Return why a mark was not recorded: its change has no branch."""
    return f"{id_} has no branch any more, so it shows no mark"


def mark_of_kicked(id_: ChangeId, head: CommitId) -> str:
    """Return why a change was not marked as queued: it was kicked back as it stands."""
    return f"{id_} was kicked back at {short(head)}, so it is not marked as queued"


def mark_without_kick(id_: ChangeId) -> str:
    """Return why a change was not marked as kicked back: it was queued again meanwhile."""
    return f"{id_} was queued again, so it is not marked as kicked back"


def marked_line(id_: ChangeId, mark: Mark) -> str:
    """Return the audit log's line for a mark."""
    return f"{id_}: {_MARKED[mark]}"


def status_line(id_: ChangeId, state: StatusState, commit: CommitId, description: str) -> str:
    """Return the audit log's line for a status."""
    return f"{id_}: status {state} on {short(commit)}: {description}"


def kicked_line(id_: ChangeId, code: Code, head: CommitId) -> str:
    """Return the audit log's line for a kick-back."""
    return f"{id_}: kicked back at {short(head)}, {code}"


def requeued_line(id_: ChangeId, head: CommitId) -> str:
    """Return the audit log's line for a change that a person queued again."""
    return f"{id_}: queued again by hand at {short(head)}"


def reviewed_line(id_: ChangeId, review: Review) -> str:
    """Return the audit log's line for a review."""
    said = _REVIEWED[review.state]
    where = short(review.commit) if review.commit else "a head that is gone"
    return f"{id_}: {one_line(review.by)} {said} {where}"


def priority_line(id_: ChangeId, *, first: bool) -> str:
    """Return the audit log's line for a change that a person had go first, or no longer."""
    return f"{id_}: {'goes' if first else 'no longer goes'} before all others"


def merged_line(id_: ChangeId, head: CommitId, commit: CommitId) -> str:
    """Return the audit log's line for a merge."""
    return f"{id_}: merged {short(head)} as {short(commit)}"


def state_message(lines: Sequence[str], log: str | None = None) -> str:
    """Return the message of a commit of the state: what happened, one line each.

    `log` is the reference that keeps what happened before, where this commit starts anew.
    """
    before = "" if log is None else f"\nWhat happened before is kept as {log}\n"
    if len(lines) == 1:
        return f"{lines[0]}\n{before}"
    each = "".join(f"{line}\n" for line in lines)
    return f"{lines[0]}, and {len(lines) - 1} more\n\n{each}{before}"


def squash_message(own: str, member: MergeMember) -> str:
    """Return the message of a squash: its title, and what it is made of where that says more.

    `own` is the change's own title; the words that the base's file asks for win.
    """
    title = member.title or own
    if member.body is not None:
        return _message(title, member.body)
    said = member.message.strip()
    return _message(title, "" if title and said.removeprefix("*").strip() in {"", own} else said)


def merge_message(id_: ChangeId, own: str, title: str = "", body: str | None = None) -> str:
    """Return the message of a merge commit on the base; the words that its file asks for win."""
    return _message(title or f"Merge {id_}", own if body is None else body)


def _message(title: str, body: str) -> str:
    return "\n\n".join(part for part in (title, body.strip()) if part) + "\n"


def setup_steps(base: str, remote: str) -> tuple[Step, ...]:
    """Return how people use a plain repository's queue, and what to protect on the remote."""
    return (
        Step(
            title="Queue what you have checked out (or mq/merge/, mq/rebase/)",
            command=f"git push {remote} HEAD:mq/squash/<name>",
        ),
        Step(title="Take it out again", command=f"git push {remote} --delete mq/squash/<name>"),
        Step(
            title=(
                f"On the remote, let only whoever runs apply push to {base} and refs/mergequeue/, "
                "and let them delete mq/*: plain git does that in an update hook"
            ),
            url="https://git-scm.com/docs/githooks#update",
        ),
    )
