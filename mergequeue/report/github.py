"""What the GitHub provider says: why one pull request is not queued, not read, or not merged."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from mergequeue.report.messages import unskipped
from mergequeue.vocabulary.ids import ChangeId, CommitId, short
from mergequeue.vocabulary.text import code_span, one_line, quoted
from mergequeue.vocabulary.words import Method

_NAMED = 5

INTENT_GONE = (
    "neither auto-merge nor a label of the queue is on any more (GitHub takes auto-merge off "
    "when somebody without write access pushes, or when the base is changed)"
)
IS_DRAFT = "it is a draft"
CLOSED_MEANWHILE = "it is closed"
MERGED_MEANWHILE = "it has merged"
REVIEW_STILL_REQUIRED = "GitHub still wants a review, such as a code owner's"
NO_WORDS = "GitHub gave no reason"
NATIVE_QUEUE = "GitHub put it into its own merge queue: turn that off, or this one"
STACK_UNREAD = "GitHub does not say which place in its stack it has"
STACK_MERGE_SLOW = "GitHub did not end the merge of its stack in five minutes"
LISTING_MOVES = "the open pull requests change faster than they can be listed"
NEEDS_PUSH = "Give the credential contents: write, which shows a repository's merge methods."
ALLOW_A_METHOD = "Allow one merge method in the repository's settings and in every rule alike."


def needs(permission: str) -> str:
    """Return what to do where GitHub does not show something to the credential."""
    return (
        f"See that the repository has it, and that the credential has the permission {permission}."
    )


def nobody_labelled(label: str) -> str:
    """Return why a label counts for nothing: who put it there is not known."""
    return f"nobody is on record as having set {label!r}"


def timeline_too_long(number: int) -> str:
    """Return why a label counts for nothing: its history is too long to be read."""
    return f"the history of #{number} is too long to find who set its label"


def label_is_nothing(number: int, label: str, why: str) -> str:
    """Return the line about a pull request whose label asks for nothing."""
    return f"#{number}: the label {label!r} counts for nothing: {one_line(why)}"


def labeler_gone(label: str) -> str:
    """Return why a label counts for nothing: the account that set it is gone."""
    return f"the account that set {label!r} is gone"


def labeler_cannot_write(label: str, login: str) -> str:
    """Return why a label counts for nothing: only write access queues."""
    return f"{one_line(login)} set {label!r} and has no write access"


def account_unknown(login: str) -> str:
    """Return that what an account may do cannot be told."""
    return f"what {one_line(login)} may do here is not known"


def reviewers_unread(why: str) -> str:
    """Return that reviews count for nothing while what their authors may do is not known."""
    return f"a reviewer's permission could not be read: {one_line(why)}"


def held(number: int, why: str) -> str:
    """Return the line about a pull request that is held back, and nothing else for it."""
    return f"#{number} is left alone for now: {one_line(why)}"


def not_queued(number: int, why: str) -> str:
    """Return the line about a pull request whose label counts for nothing."""
    return f"#{number} is not queued: {one_line(why)}"


def no_team_name(name: str) -> str:
    """Return that a required reviewer is written as no team is."""
    return f"{quoted(name)} is no team: one is written as @organization/team"


def team_hidden(name: str) -> str:
    """Return that the members of a team are not shown, and what shows them."""
    return (
        f"GitHub shows no members of {quoted(name)} to this credential; it takes an app whose "
        "organization lets it read members, and a team that is there"
    )


def beneath_unread(number: int, why: str) -> str:
    """Return that what merged beneath a pull request could not be read."""
    return f"what merged beneath #{number} could not be read: {one_line(why)}"


def pull_unread(why: str) -> str:
    """Return that a pull request does not read."""
    return f"it could not be read: {one_line(why)}"


def unread(why: str) -> str:
    """Return why one change's standing is not known."""
    return one_line(why)


def no_number(change: str) -> str:
    """Return why an id can be no pull request's."""
    return f"{one_line(change)} is no number of a pull request"


def other_repository(named: str, here: str) -> str:
    """Return why a change is not written to."""
    return f"the change is of {one_line(named)}, and this is {here}"


def strange_base(number: int) -> str:
    """Return why a pull request's target cannot be told."""
    return f"#{number} targets a branch whose name the queue does not take"


def too_many_pulls(commit: CommitId) -> str:
    """Return why what merged beneath is not known: a list was cut."""
    return f"more than 20 pull requests hold commit {short(commit)}, and GitHub lists no more"


def too_many_commits(number: int) -> str:
    """Return why what merged beneath is not known: GitHub lists no more commits."""
    return f"GitHub lists no more than 250 commits of #{number}"


def methods_unknown(repo: str) -> str:
    """Return why the merge methods are not known."""
    return f"which merge methods {repo} allows is not shown to this credential"


def methods_half_shown(repo: str, shown: Collection[Method]) -> str:
    """Return that an answer names some of the merge methods, and not all."""
    return f"GET /repos/{repo}: of the merge methods only {', '.join(sorted(shown))} are there"


def no_method_left(repo: str) -> str:
    """Return that settings and rules have no merge method in common."""
    return f"the settings and the rules of {repo} have no merge method in common"


def changes_requested(logins: Sequence[str]) -> str:
    """Return why a change is not approved: somebody wants it changed."""
    named = ", ".join(one_line(login) for login in logins[:_NAMED])
    return f"{named} requested changes" if named else "changes are requested"


def approvals_short(found: int, needed: int) -> str:
    """Return how many approvals there are of those that are needed."""
    return f"it has {found} of {needed} approvals there"


def never_reported(others: Sequence[str], *, by_another_app: bool) -> str:
    """Return that nothing reported a required check at a head, and what was reported there."""
    if by_another_app:
        return "reported by another app than the one that the rule names"
    if not others:
        return "nothing has reported it there"
    return f"nothing has reported it there; reported are {', '.join(map(one_line, others))}"


def unknown_status(context: str, state: str) -> str:
    """Return that a status has a state that GitHub does not document."""
    return f"the status {one_line(context)} has the unknown state {one_line(state)}"


def head_unread(number: int, why: str) -> str:
    """Return why no status was posted: the head is not known."""
    return f"the head of #{number} could not be read: {one_line(why)}"


def status_not_on_head(change: ChangeId, commit: CommitId, head: CommitId) -> str:
    """Return why a status was not posted: it belongs on the head alone."""
    return f"{short(commit)} is not the head of #{change}, which is {short(head)}"


def not_marked(number: int, why: str) -> str:
    """Return why a change does not show its mark."""
    return f"#{number} could not be labelled: {one_line(why)}"


def not_minimized(number: int, why: str) -> str:
    """Return that an older comment is still shown."""
    return f"an older comment on #{number} could not be hidden: {one_line(why)}"


def merges_elsewhere(target: str, base: str) -> str:
    """Return why a merge was not asked for: it would go to another branch."""
    return f"it targets {one_line(target)}, and not {base}"


def head_moved(expected: CommitId, found: CommitId) -> str:
    """Return why a merge of another commit than the head was not asked for."""
    return f"its head is {short(found)}, and no longer {short(expected)}"


def member_moved(change: ChangeId, expected: CommitId, found: CommitId) -> str:
    """Return why a stack was not merged: a member of it moved."""
    return f"the head of #{change}, beneath it, is {short(found)}, and no longer {short(expected)}"


def would_merge_too(others: Sequence[ChangeId]) -> str:
    """Return why a member of a stack was not merged: the call would take others with it."""
    return f"merging it would merge {', '.join(f'#{id_}' for id_ in others)} beneath it, too"


def other_merge_running(head: str) -> str:
    """Return why a stack was not merged: GitHub is merging it as it was."""
    return f"GitHub is already merging it at {short(one_line(head))}"


def refused(status: int, message: str) -> str:
    """Return GitHub's refusal of a merge in its own words."""
    return f"{one_line(message) or NO_WORDS} ({status})"


def title_refused(operator: str, pattern: str) -> str:
    """Return why GitHub will not merge a change: a rule about messages forbids its title."""
    rule = f"{one_line(operator).replace('_', ' ')} {code_span(pattern)}"
    return f"a rule of the base about commit messages ({rule}) does not take its title"


def green_elsewhere(number: int, base: str) -> str:
    """Return why a change is not merged: the status on its head would merge another one, too."""
    return (
        f"#{number}, which GitHub itself is to merge into {code_span(base)}, has the same head, "
        "and the queue's status on it would merge that one unvalidated: add a commit to one of "
        "the two, or take auto-merge off the other and queue it by label"
    )


def squash_title(title: str, number: int) -> str:
    """Return the title of a squash that nobody gave another one."""
    return f"{title} (#{number})"


@dataclass(frozen=True)
class Authored:
    """What people wrote that becomes part of a merge's message."""

    number: int
    title: str
    branch: str
    owner: str
    commit_title: str = ""
    """What was typed when auto-merge was enabled, as the message beneath."""
    commit_message: str = ""


@dataclass(frozen=True)
class Worded:
    """The words that the queue asks a merge for."""

    squash: str
    """The message of a squash, in the queue's own words."""
    title: str = ""
    """The title that the base's file asks for; empty for none."""
    body: str | None = None
    """What it asks to stand beneath that; None for nothing."""


def merge_words(method: Method, said: Authored, asked: Worded) -> tuple[str, str]:
    """Return the title and the message of a merge; both empty for a rebase, which has neither.

    What was typed with auto-merge wins, then what the base's file asks for; no word in them keeps
    workflows from running (CASES G).
    """
    if method is Method.REBASE:
        return "", ""
    source = f"{said.owner}/{said.branch}" if said.owner else said.branch
    title, message = (
        (squash_title(said.title, said.number), asked.squash)
        if method is Method.SQUASH
        else (f"Merge pull request #{said.number} from {source}", said.title)
    )
    message = message if asked.body is None else asked.body
    return (
        unskipped(said.commit_title or asked.title or title),
        unskipped(said.commit_message or message),
    )
