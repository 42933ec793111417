"""What applying says: in a status, in an event, in a kick-back's detail, and in the commits it
writes.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from mergequeue.documents.changes import Change
from mergequeue.documents.provider import Check
from mergequeue.ports import Candidate, CommitFacts, Resolved
from mergequeue.report.messages import subject_of, unskipped
from mergequeue.report.resolutions import conflict_note, settled_entry
from mergequeue.vocabulary.ids import BranchName, ChangeId, CommitId, RepoPath, TreeId, short
from mergequeue.vocabulary.limits import CLAIM_BYTES, PATHS_SHOWN, STATUS_DESCRIPTION_BYTES
from mergequeue.vocabulary.text import code_span, cut, one_line, path_text
from mergequeue.vocabulary.words import Method

MERGING = "merging"
"""The status of a commit that is about to be merged."""
KICKED = "kicked back: see the newest report"
"""The status of a change that went back (facts K14)."""
SET_BACK = "waiting: set back, no run is merging it"
"""The status of a success that an earlier run left."""

SKIP_BROKEN = (
    "a word of its own that keeps workflows from running was broken in the message of its merge"
)
"""The notice of a message that was changed (CASES, G)."""

_ROOM_FOR_WHAT = 40
"""What a status keeps at least of what a change waits for."""

_NAMED = 3
"""How many paths a one-line reason names."""


def waiting(why: str) -> str:
    """Return the status description of a change that waits, within what a provider shows."""
    return standing(f"waiting: {why}")


def standing(said: str) -> str:
    """Return where a change stands as a status description, within what a provider shows.

    Where it is too long, what it waits for is cut and its last part is not: what ends the wait, or
    when it should land.
    """
    said = one_line(said)
    what, mark, end = said.rpartition("; ")
    room = STATUS_DESCRIPTION_BYTES - len((mark + end).encode())
    if len(said.encode()) > STATUS_DESCRIPTION_BYTES and room >= _ROOM_FOR_WHAT and what:
        return cut(what, room) + mark + end
    return cut(said, STATUS_DESCRIPTION_BYTES)


def dropped_verdict(change: ChangeId) -> str:
    """Return the notice about a verdict on a change that the plan did not admit."""
    return f"dropped a verdict on {change}, which the plan did not admit"


def not_rebuilt(change: ChangeId, candidate: Candidate) -> str:
    """Return why there is no candidate where validation had one."""
    if candidate.refused:
        return f"its candidate cannot be built again: {one_line(candidate.refused)}"
    names = ", ".join(path_text(conflict.path) for conflict in candidate.conflicts[:_NAMED])
    note = conflict_note(candidate.conflicts)
    why = f" ({cut(one_line(note), CLAIM_BYTES)})" if note else ""
    return f"building the candidate of {change} again conflicts in {names}{why}"


def rebuilt_otherwise(built: CommitId, claimed: CommitId | None) -> str:
    """Return that apply built another candidate than the one that was gated."""
    gated = short(claimed or "")
    return f"its candidate, built again, is {short(built)} and not {gated}, which was gated"


def changed_by_both(path: RepoPath | None) -> str:
    """Return that the base and the candidate meet in a combination that nobody validated."""
    where = "what it would change" if path is None else path_text(path)
    return f"what merged since it was validated changed {where} too"


def not_as_expected(base: BranchName, tip: CommitId, tree: TreeId, expected: TreeId) -> str:
    """Return how a base is that should carry another tree, for whoever looks at it by hand."""
    return f"{base} is at {tip} with tree {tree}, and {expected} was expected"


def merged_in_part(what: str, run: Sequence[ChangeId], merged: int) -> str:
    """Return that of a stack or a batch, which merges as a whole, the provider merged only part."""
    done = f"only {', '.join(run[:merged])}" if merged else "none of it"
    return f"the {what} {', '.join(run)} was to merge in one call, and the base carries {done}"


def landed(base: BranchName, tip: CommitId) -> str:
    """Return where a change that merged is now."""
    return f"on {base} as {short(tip)}"


def merged_already(commit: CommitId) -> str:
    """Return why a change counts as merged that this run did not merge."""
    return f"the base carries it already, as {short(commit)}"


def method_not_allowed(method: Method, base: BranchName) -> str:
    """Return the detail of a kick for a merge method that the base does not allow."""
    return f"{code_span(base)} does not allow the merge method {method}."


def shared_branch(others: Sequence[ChangeId]) -> str:
    """Return the detail of a kick for a branch that other open changes have, too."""
    names = _spans(others)
    return (
        f"Its branch is also the branch of {names}, which the queue's status and commits would "
        "reach too. Close one, or give it a branch of its own."
    )


def checks_failed(names: Sequence[str]) -> str:
    """Return the detail of a kick for required checks that failed on what the change would merge
    onto.
    """
    return f"Required checks failed on its head, which carries the base's tip: {_spans(names)}."


def checks_running(checks: Sequence[Check]) -> str:
    """Return what a change with running checks waits for."""
    return "for required checks: " + ", ".join(
        f"{one_line(c.name)} ({one_line(c.reason)})" if c.reason else one_line(c.name)
        for c in checks
    )


def checks_failed_since(names: Sequence[str]) -> str:
    """Return what a change waits for whose checks failed between two readings."""
    return "required checks failed since they were last read: " + ", ".join(
        one_line(name) for name in names
    )


def checks_run_again(names: Sequence[str]) -> str:
    """Return what a change waits for whose checks were started again."""
    return "required checks failed on an older base, and run again: " + ", ".join(
        one_line(name) for name in names
    )


def needs_update(stale: Sequence[str], base: BranchName) -> str:
    """Return what an update commit would be for, as the first half of a sentence."""
    if stale:
        return (
            f"Required checks failed on a head that does not carry the tip of {code_span(base)} "
            f"({_spans(stale)}), so they have to run again on one that does"
        )
    return f"Merging its head onto {code_span(base)} does not by itself give what was validated"


def not_made_by_provider(base: BranchName) -> str:
    """Return the detail of a kick for a tree that no merge of the head gives."""
    return (
        f"Merging its head onto {code_span(base)} does not give what was validated. "
        f"Bring {code_span(base)} into it, and queue it again."
    )


def not_updated_for_rebase(need: str) -> str:
    """Return the detail of a kick for a change that merges by rebase and needs an update commit."""
    return (
        f"{need}; a change that merges by rebase takes the base in only by rewriting its commits. "
        "Rebase it, and queue it again."
    )


def replay_conflicts(base: BranchName, commit: CommitFacts) -> str:
    """Return the detail of a kick for a commit that cannot be replayed onto the base."""
    named = f"{code_span(short(commit.id))} ({code_span(subject_of(commit.message))})"
    return f"Its commit {named} conflicts when it is replayed onto {code_span(base)}."


def replay_differs(base: BranchName) -> str:
    """Return the detail of a kick for commits whose replay leaves another tree."""
    return (
        f"Replaying its commits onto {code_span(base)} one by one does not give what was "
        "validated. Rebase it, or queue it with another merge method."
    )


def not_pushable(need: str) -> str:
    """Return the detail of a kick for a change whose branch the queue cannot push to."""
    return (
        f"{need}; the queue cannot push to its branch. Bring the base into it, and queue it again."
    )


def carried_by_others(head: CommitId, others: Sequence[ChangeId]) -> str:
    """Return the detail of a kick for a head that would be replaced beneath others."""
    return (
        f"Its commits would be replaced by one, and {_spans(others)} is stacked on "
        f"{code_span(short(head))}. Restack it on the base, and queue it again."
    )


def push_refused(reason: str) -> str:
    """Return the detail of a kick for a branch that refused the update commit."""
    return f"Its branch refused the update commit: {code_span(one_line(reason))}"


def update_by_renames(change: Change, paths: Sequence[RepoPath]) -> str:
    """Return the message of an update commit that follows a rename."""
    named = "\n".join(f"  {path_text(path)}" for path in paths[:PATHS_SHOWN])
    return unskipped(
        f"{_brought_in(change)}\n\n"
        f"Merged by the renames rule, since merging by paths does not give this in:\n\n{named}\n"
    )


@dataclass(frozen=True)
class Brought:
    """What bringing the base into a change came to, beside what the provider makes of it."""

    resolved: tuple[Resolved, ...] = ()
    """The source files whose conflicts were settled."""
    generated: tuple[RepoPath, ...] = ()
    """The generated files that conflicted, or were made anew."""
    renames: bool = False
    """Whether a rename was followed."""


def update_with_settled(change: Change, brought: Brought) -> str:
    """Return the message of an update commit that brings the base in."""
    rule = "\nMerged by the renames rule.\n" if brought.renames else ""
    return unskipped(f"{_brought_in(change)}\n{rule}{_settled_files(brought)}")


def update_on_replay(change: Change, generated: Sequence[RepoPath]) -> str:
    """Return the message of the commit that follows the replayed ones of a change."""
    brought = Brought(generated=tuple(generated))
    return unskipped(f"Regenerate files of change {change.id}\n{_settled_files(brought)}")


def update_of_stacked(change: Change, brought: Brought, *, replaced: CommitId | None) -> str:
    """Return the message of an update commit that holds a stacked change's own delta, with what was
    settled and generated for it.
    """
    if replaced is None:
        return unskipped(
            f"{_brought_in(change)}\n\n"
            "It holds what the change itself did since the head it was stacked on.\n"
            f"{_settled_files(brought)}"
        )
    return unskipped(
        f"Restack change {change.id} on {change.base}\n\n"
        "Its commits' own delta on the base's tip, made by the merge queue in place of\n"
        f"{replaced}.\n"
        f"{_settled_files(brought)}"
    )


def _settled_files(brought: Brought) -> str:
    parts = []
    if brought.resolved:
        named = "\n".join(f"  {settled_entry(each)}" for each in brought.resolved)
        parts.append(f"\nConflicts were settled by the merge queue in:\n\n{named}\n")
    if brought.generated:
        shown = [f"  {path_text(path)}" for path in brought.generated[:PATHS_SHOWN]]
        more = len(brought.generated) - PATHS_SHOWN
        named = "\n".join([*shown, *([f"  and {more} more"] if more > 0 else [])])
        parts.append(f"\nGenerated files were merged or made anew:\n\n{named}\n")
    return "".join(parts)


def update_for_checks(change: Change, names: Sequence[str]) -> str:
    """Return the message of an update commit whose one purpose is that checks run again."""
    listed = "\n".join(f"  {one_line(name)}" for name in names)
    return unskipped(
        f"{_brought_in(change)}\n\n"
        f"Required checks failed on an older base, and run again:\n\n{listed}\n"
    )


def _brought_in(change: Change) -> str:
    return f"Merge {change.base} into change {change.id}"


def _spans(names: Sequence[str]) -> str:
    shown = ", ".join(code_span(name) for name in names[:PATHS_SHOWN])
    rest = len(names) - PATHS_SHOWN
    return f"{shown} and {rest} more" if rest > 0 else shown
