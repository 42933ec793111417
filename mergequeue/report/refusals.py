"""Why a change is refused: one sentence each, ending in what its author does about it.

Markdown; whatever somebody else typed is a code span.
"""

from mergequeue.vocabulary.ids import BranchName, ChangeId, RepoPath
from mergequeue.vocabulary.limits import CLAIM_BYTES, PATH_BYTES_SHOWN, STACK_DEPTH
from mergequeue.vocabulary.text import code_span, cut, path_text
from mergequeue.vocabulary.words import Method


def fork_refused(repository: str) -> str:
    """It is in a repository that the queue cannot push to."""
    where = f"to {code_span(repository)}" if repository else "to the repository itself"
    return (
        f"Its branch is in a fork, which the queue cannot push to: push the branch {where} and "
        "open the change from there."
    )


def provider_refused(reason: str) -> str:
    """The provider says that it can never merge it.

    Its words are one code span, without the ones that it put into them itself.
    """
    words = reason.replace("`", "")
    return f"The provider can never merge it, and says: {code_span(cut(words, CLAIM_BYTES))}."


def one_head_refused(other: ChangeId) -> str:
    """Two queued changes are one commit."""
    return (
        f"It is the same commit as change {code_span(other)}, queued for the same base: take one "
        "of the two out of the queue, or add to one."
    )


def method_refused(method: Method, allowed: tuple[Method, ...]) -> str:
    """The base does not allow its method."""
    names = ", ".join(code_span(name) for name in allowed)
    return (
        f"The base does not allow the merge method {code_span(method)}: queue it with one of "
        f"{names}."
    )


def settled_rebase_refused(base: BranchName) -> str:
    """What settled its conflicts cannot be put into commits that are replayed."""
    return (
        f"It conflicts with {code_span(base)} in what the queue settles only by bringing the base "
        f"into its branch, and its merge method is {code_span(Method.REBASE)}: rebase it onto "
        f"{code_span(base)}, or queue it with another method."
    )


def no_history_refused(base: BranchName) -> str:
    """It has no commit in common with the base."""
    return (
        f"It shares no history with {code_span(base)}: put its commits on a branch that starts "
        "from there."
    )


def unwritable_refused(path: RepoPath) -> str:
    """It puts in a path that git refuses to check out."""
    return (
        f"It holds {code_span(cut(path_text(path), PATH_BYTES_SHOWN))}, which no checkout can "
        "hold: take it out of its commits."
    )


def adds_nothing_refused(base: BranchName) -> str:
    """Merging it would leave the base as it is."""
    return (
        f"It changes nothing on {code_span(base)}: close it, or push what it was meant to change."
    )


def adds_nothing_to_stack_refused(below: ChangeId) -> str:
    """It has no delta of its own."""
    return (
        f"It changes nothing on change {code_span(below)}, which it is stacked on: close it, or "
        "push what it was meant to change."
    )


def unit_refused(unit: str) -> str:
    """A unit's name would read as an option of the gate."""
    named = (
        f"is named {code_span(unit)}, which a gate would read as an option"
        if unit
        else "has an empty name"
    )
    return f"A unit that it affects {named}: rename the folder or the unit."


def depth_refused(count: int) -> str:
    """Too many open changes lie beneath it."""
    return (
        f"It is stacked on {count} open changes, and the queue merges stacks of at most "
        f"{STACK_DEPTH} beneath one: let the lower ones merge first."
    )


def stacked_rebase_refused(below: ChangeId) -> str:
    """What a rebase of a stacked change leaves is not predicted."""
    return (
        f"It is stacked on change {code_span(below)} and its merge method is "
        f"{code_span(Method.REBASE)}, which the queue cannot predict in a stack: queue it with the "
        "method of that change, or rebase it onto the base."
    )


def mixed_methods_refused(method: Method, below: ChangeId, below_method: Method) -> str:
    """A squashed change beneath a merged one appears twice in the log."""
    return (
        f"It is to merge by {code_span(method)}, and change {code_span(below)}, which it is "
        f"stacked on, by {code_span(below_method)}: queue the whole stack with one method."
    )


def unrelated_refused(one: ChangeId, other: ChangeId) -> str:
    """It is built on two changes side by side."""
    return (
        f"It is built on the changes {code_span(one)} and {code_span(other)}, neither of which is "
        "built on the other: rebase one of them onto the other, and this one onto that."
    )


def cycle_refused(others: tuple[ChangeId, ...]) -> str:
    """The changes stand on each other."""
    names = ", ".join(code_span(other) for other in others)
    return (
        f"It and {names} are stacked on each other in a cycle, as changes with the same commits "
        "are: take all but one out of the queue."
    )


def links_refused() -> str:
    """A link could lead a regeneration's writes out of the checkout."""
    return (
        "Its merge needs files regenerated, and these are symbolic links, or lie beneath one: "
        "nothing is regenerated where a link could lead elsewhere. Make them files."
    )


def line_break_refused() -> str:
    """A path that would read as two cannot be told to a hook."""
    return (
        "Its merge needs files regenerated whose names hold a line break, which no hook can be "
        "told: name them otherwise."
    )


def regeneration_failed_refused(line: str, summary: str) -> str:
    """The regeneration failed on its candidate."""
    failed = f": {code_span(summary)}" if summary else ""
    return (
        f"Regenerating its files with {code_span(cut(line, CLAIM_BYTES))} failed{failed}. Run that "
        "with the base merged in, and mend what breaks it."
    )


def strays_refused() -> str:
    """The regeneration wrote what no unit declares."""
    return (
        "Its regeneration wrote files that nothing on the base declares as written by it: let it "
        "write none of these, ignore them, or declare them on the base first."
    )


def tampered_refused(what: str) -> str:
    """The regeneration left its checkout as the queue cannot read it."""
    return (
        f"Its regeneration cannot be taken, since {what}: let it write generated files and nothing "
        "else."
    )
