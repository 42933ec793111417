"""The step that asks the provider what is queued."""

from mergequeue.documents.changes import Changes
from mergequeue.documents.provider import Repository
from mergequeue.ports import ProviderReads
from mergequeue.vocabulary.ids import BranchName


class Lister:
    """Lists the changes of one base."""

    def __init__(self, provider: ProviderReads) -> None:
        self._provider = provider

    def list(self, base: BranchName, remote_url: str) -> Changes:
        """Return the provider's four lists as the document that planning takes.

        Raises PROVIDER_FAILED or BAD_ANSWER as the provider does.
        """
        listing = self._provider.list_changes(Repository(base=base, remote_url=remote_url))
        return Changes(
            base=base,
            remote_url=remote_url,
            changes=listing.changes,
            merged=listing.merged,
            unqueued=listing.unqueued,
            closed=listing.closed,
        )
