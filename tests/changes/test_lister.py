from mergequeue.changes.lister import Lister
from mergequeue.vocabulary.ids import BranchName
from tests.support.listings import merged, queued, unqueued
from tests.support.planning import ListingProvider


def test_what_the_provider_lists_is_the_document_with_what_was_asked_for() -> None:
    provider = ListingProvider(
        [queued("2", "b"), queued("1", "a")], [merged("3", "c")], [unqueued("4", "d")]
    )

    listed = Lister(provider).list(BranchName("main"), "https://example.invalid/acme")

    assert [change.id for change in listed.changes] == ["2", "1"]
    assert [change.id for change in listed.merged] == ["3"]
    assert [change.id for change in listed.unqueued] == ["4"]
    assert (listed.base, listed.remote_url) == ("main", "https://example.invalid/acme")
