"""When each pull request was queued, as GitHub tells it."""

from datetime import datetime

from mergequeue.documents.provider import Repository
from mergequeue.vocabulary.ids import BranchName
from tests.fakes.github.faults import Fault
from tests.fakes.github.records import Pull
from tests.fakes.github.story import GitHub
from tests.github.conftest import Provider

SQUASH = "merge-queue: squash"


def times(provider: Provider) -> dict[str, datetime | None]:
    listing = provider.reads.list_changes(Repository(base=BranchName("main"), remote_url="x"))
    return {change.id: change.queued_at for change in listing.changes}


def labelled(pull: Pull) -> datetime:
    """Return when a pull request was labelled last."""
    events = [event for event in pull.timeline if event.event == "labeled"]
    return datetime.fromisoformat(events[-1].created_at)


def test_a_label_queues_from_when_it_was_last_put_there(github: GitHub, provider: Provider) -> None:
    pull = github.open_pull("a", {"a": "new\n"})
    github.label(pull, SQUASH)
    first = labelled(pull)
    github.unlabel(pull, SQUASH)
    github.label(pull, SQUASH)
    queued_at = labelled(pull)
    github.label(pull, "something else")
    assert first < queued_at < labelled(pull)
    assert times(provider) == {"1": queued_at}


def test_auto_merge_queues_from_when_it_was_switched_on(github: GitHub, provider: Provider) -> None:
    github.require_checks("merge-queue", app=github.app)
    pull = github.open_pull("a", {"a": "new\n"})
    github.label(pull, SQUASH)
    github.enable_auto_merge(pull, "rebase")
    assert pull.auto_merge is not None
    assert times(provider) == {"1": datetime.fromisoformat(pull.auto_merge.enabled_at)}


def test_a_stack_is_queued_when_its_top_is_labelled(github: GitHub, provider: Provider) -> None:
    lower = github.open_pull("lower", {"a": "a\n"})
    upper = github.open_pull("upper", {"b": "b\n"}, base="lower")
    github.stack(lower, upper)
    github.label(upper, SQUASH)
    assert times(provider) == {"1": labelled(upper), "2": labelled(upper)}


def test_where_github_does_not_tell_nothing_is_held_for_that(
    github: GitHub, provider: Provider
) -> None:
    github.label(github.open_pull("a", {"a": "new\n"}), SQUASH)
    github.faults.add("POST /graphql", Fault.REFUSED, times=1000, status=404)
    assert times(provider) == {"1": None}
