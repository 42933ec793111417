"""Which validation runs apply follows: the base's own, and no other (seed 1, Trust model; MQ3027).

A pull request's event runs the pull request's own copy of the definition, a fork's included, so
such a run could hold any plan and any verdict. What counts is who could have changed what ran: a
push or a dispatch on the base, of the repository itself, of the definition that apply was told.
"""

from mergequeue.documents.provider import RunOrigin
from mergequeue.vocabulary.ids import BranchName
from mergequeue.vocabulary.text import quoted


def decide_run(run: RunOrigin, base: BranchName, definition: str) -> str:
    """Return why a run may not be believed; empty where it may (facts F1, in its order)."""
    if run.head_repo != run.repo:
        return f"ran a commit of {quoted(run.head_repo or 'a repository that is gone')}"
    if not run.branch_event:
        return f"was started by {quoted(run.event)}, which may run another branch's definition"
    if run.head_branch != base:
        return f"ran on {quoted(run.head_branch)}, and apply was given {base}"
    # GitHub names the branch behind the file's path at times.
    if run.definition not in {
        definition,
        f"{definition}@{base}",
        f"{definition}@refs/heads/{base}",
    }:
        return f"ran {quoted(run.definition)}, and apply was given {quoted(definition)}"
    return ""
