"""What `describe` prints, made so that all of it can be pasted into a shell.

Every fact is a comment, each step a comment and its command.
"""

from collections.abc import Sequence

from mergequeue.documents.capabilities import Capabilities
from mergequeue.vocabulary.ids import ChangeId, CommitId, short
from mergequeue.vocabulary.text import one_line


def setup_text(described: Capabilities, base: str, remote_url: str) -> str:
    """Return the text form of a provider's capabilities and setup (facts 1.12)."""
    committer = described.committer
    facts = [
        f"the queue merges into {base} of {remote_url}",
        f"merge methods: {', '.join(described.methods)}",
        f"approvals required: {described.required_approvals}",
        f"a change is queued by: {described.queue_label}<method>" if described.queue_label else "",
        f"merges are committed by: {committer.name} <{committer.email}>"
        if committer
        else "merges are committed by: nobody known; pass --committer to apply and run",
    ]
    setup = described.setup
    if setup is not None:
        facts += [
            f"required check: {check.context}"
            + (f", from {check.integration} alone" if check.integration else "")
            for check in setup.required_checks
        ]
        facts += [
            f"{each.name} is {each.value}, and should be {each.want}" for each in setup.settings
        ]
        facts += [f"mind: {warning}" for warning in setup.warnings]
    lines = [f"# {one_line(fact)}" for fact in facts if fact]
    for number, step in enumerate(setup.steps if setup else (), 1):
        lines += ["", f"# {number}. {one_line(step.title)}"]
        lines.append(step.command or f"# open {one_line(step.url)}")
    return "\n".join(lines) + "\n"


def requeue_answer(change: str, *, was_out: bool) -> str:
    """Return what came of queueing a kicked-back change again."""
    if was_out:
        return f"{change} is queued again, as it stands; the next run takes it"
    return f"{change} is in the queue already; nothing was written"


def review_answer(change: ChangeId, head: CommitId, by: str, required: Sequence[str]) -> str:
    """Return what came of a review, and whether anything waits for it."""
    said = f"{change} is reviewed at {short(head)} by {one_line(by)}"
    if not required:
        return f"{said}, though mergequeue.toml on the base requires no reviewers"
    return f"{said}; the next run reads it"
