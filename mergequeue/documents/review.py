"""A review of a change, as a provider tells of it and as the queue's own records keep it."""

from mergequeue.documents.moment import Moment
from mergequeue.documents.record import CommitId, NonEmpty, Record
from mergequeue.vocabulary.words import ReviewState


class Review(Record):
    """One review, by one account."""

    by: NonEmpty
    """Who gave it, by the name that no other account has."""
    state: ReviewState
    commit: CommitId | None
    """The head that it was given on; None where that commit is gone."""
    at: Moment
    stands_for: tuple[NonEmpty, ...] = ()
    """Whose review it is, among the reviewers that were asked about, as each was written there: the
    account itself, and the teams that it is in.
    """
    collaborator: bool = False
    """Whether a person gave it who may push to the base's repository."""
    remark: str = ""
    """What was said with it, as text for people."""
