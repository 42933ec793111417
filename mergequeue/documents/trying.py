"""What a try run came to, as the provider is asked to show it."""

from mergequeue.documents.record import ChangeId, CommitId, NonEmpty, Record


class TryReport(Record):
    """A try run that is over: the provider shows the report, and takes the request off."""

    change: ChangeId
    repo: str = ""
    commit: CommitId
    """The head that was tried."""
    report: NonEmpty
    """Markdown in the queue's own words."""
    claim: str = ""
    """What the verdict said: text, never markup."""
    source: str = ""
    """The validation run that apply followed; empty for a directory."""
