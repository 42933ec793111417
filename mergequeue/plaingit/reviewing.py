"""Reviews of a plain-git queue: a person's or a program's word, kept with the records of a change.

    required = ["jane@acme.example", "Review Bot <bot@acme.example>"]

A required reviewer is named by the address that git knows them by, or by name and address. Nobody
proves who they are here: a review is worth what the right to push the queue's records is.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from mergequeue.documents.review import Review
from mergequeue.documents.state import ChangeState
from mergequeue.plaingit.edits import Edit, changed
from mergequeue.plaingit.intents import Intent
from mergequeue.plaingit.state import State
from mergequeue.report import plain_git as words
from mergequeue.vocabulary import limits
from mergequeue.vocabulary.identity import Identity
from mergequeue.vocabulary.words import ReviewState


@dataclass(frozen=True)
class Given:
    """A review as it is given."""

    by: Identity
    state: ReviewState
    commit: str = ""
    """How the id of the head that was looked at begins; empty for whatever the branch is at."""
    remark: str = ""


def reviewed(state: State, intent: Intent, review: Review) -> Edit:
    """Return the records with a review of a change's head, the newest that one has given."""
    before = state.changes.get(intent.id) or ChangeState(id=intent.id)
    others = [one for one in before.reviews if one.by.casefold() != review.by.casefold()]
    kept = (*others, review)[-limits.REVIEWS_REMEMBERED :]
    line = words.reviewed_line(intent.id, review)
    return changed(state, before.model_copy(update={"reviews": kept}), line)


def told(reviews: Sequence[Review], reviewers: Sequence[str]) -> tuple[Review, ...]:
    """Return the reviews, each with the required reviewers that it counts for."""
    return tuple(
        one.model_copy(
            update={"stands_for": tuple(name for name in reviewers if _is_by(one.by, name))}
        )
        for one in reviews
    )


def _is_by(by: str, name: str) -> bool:
    address = by.rpartition(" <")[2].removesuffix(">")
    return name.casefold() in {by.casefold(), address.casefold()}
