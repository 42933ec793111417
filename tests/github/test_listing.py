"""The four lists, over the fake GitHub in pages of two (facts 1.5; issue 5, Listing)."""

from datetime import datetime

from mergequeue.documents.changes import Change, Listing
from mergequeue.documents.provider import Repository
from mergequeue.vocabulary.ids import BranchName, ChangeId
from mergequeue.vocabulary.words import Mark, Method
from tests.fakes.github.records import Pull
from tests.fakes.github.story import GitHub
from tests.github.conftest import Provider

MAIN = BranchName("main")
SQUASH = "merge-queue: squash"


def listing(provider: Provider) -> Listing:
    return provider.reads.list_changes(Repository(base=MAIN, remote_url="x"))


def queued(provider: Provider) -> list[str]:
    return [change.id for change in listing(provider).changes]


def opened(github: GitHub, name: str, **more: object) -> Pull:
    return github.open_pull(name, {f"{name}.txt": f"{name}\n"}, **more)  # type: ignore[arg-type]  # the story's own words


def test_a_pull_request_with_auto_merge_is_queued(github: GitHub, provider: Provider) -> None:
    github.require_checks("merge-queue", app=github.app)
    pull = opened(github, "fix-parser")
    github.enable_auto_merge(pull, "rebase")
    (change,) = listing(provider).changes
    assert change == Change(
        id=ChangeId("1"),
        head=pull.head_sha,  # type: ignore[arg-type]  # the fake's text
        base=MAIN,
        method=Method.REBASE,
        repo="acme/acme",
        ref="refs/pull/1/head",  # type: ignore[arg-type]  # as above
        branch=BranchName("fix-parser"),
        title="Fix parser",
        queued_at=datetime.fromisoformat(pull.auto_merge.enabled_at),  # type: ignore[union-attr]  # it is on
    )


def test_a_label_queues_where_someone_with_write_access_set_it(
    github: GitHub, provider: Provider
) -> None:
    for name, by in [("a", "maintainer"), ("b", "reader"), ("c", "outsider"), ("d", "admin")]:
        github.label(opened(github, name), SQUASH, by=by)
    assert queued(provider) == ["1", "4"]
    assert [change.id for change in listing(provider).unqueued] == ["2", "3"]


def test_the_one_who_set_a_label_last_decides(github: GitHub, provider: Provider) -> None:
    pull = opened(github, "a")
    github.label(pull, SQUASH, by="maintainer")
    github.unlabel(pull, SQUASH)
    for number in range(5):
        github.label(pull, f"other-{number}", by="maintainer")
    github.label(pull, SQUASH, by="reader")
    for number in range(5, 9):
        github.label(pull, f"other-{number}", by="maintainer")
    assert queued(provider) == []


def test_every_one_is_listed_in_the_order_in_which_it_was_opened(
    github: GitHub, provider: Provider
) -> None:
    github.require_checks("merge-queue", app=github.app)
    for name in "abcde":
        github.enable_auto_merge(opened(github, name))
    found = listing(provider)
    assert [change.id for change in found.changes] == ["1", "2", "3", "4", "5"]


def test_drafts_other_bases_and_what_nobody_queued_are_unqueued(
    github: GitHub, provider: Provider
) -> None:
    github.commit("release", {"r": "r\n"})
    opened(github, "a")
    github.label(opened(github, "b", draft=True), SQUASH)
    github.label(opened(github, "c", base="release"), SQUASH)
    github.label(opened(github, "d"), "merge-queue: queued")
    found = listing(provider)
    assert found.changes == ()
    assert [(change.id, change.mark) for change in found.unqueued] == [
        ("1", Mark.NONE),
        ("2", Mark.NONE),
        ("3", Mark.NONE),
        ("4", Mark.QUEUED),
    ]


def test_forks_are_listed_as_forks_also_where_they_are_gone(
    github: GitHub, provider: Provider
) -> None:
    fork = github.fork("outsider")
    gone = github.fork("reader")
    for name, source in [("a", fork), ("b", gone)]:
        github.label(opened(github, name, fork=source, author=source.owner), SQUASH)
    github.label(opened(github, "c"), SQUASH)
    github.delete_fork(gone)
    found = listing(provider)
    assert [(one.id, one.fork, one.branch) for one in found.changes] == [
        ("1", True, None),
        ("2", True, None),
        ("3", False, "c"),
    ]


def test_a_label_on_the_top_of_a_stack_queues_the_stack(github: GitHub, provider: Provider) -> None:
    lower = opened(github, "a")
    middle = opened(github, "b", base="a")
    top = opened(github, "c", base="b")
    github.stack(lower, middle, top)
    github.label(top, SQUASH)
    found = listing(provider)
    assert [(one.id, one.base, one.parent) for one in found.changes] == [
        ("1", "main", None),
        ("2", "main", "1"),
        ("3", "main", "2"),
    ]


def test_what_merged_beneath_is_listed_with_what_it_became(
    github: GitHub, provider: Provider
) -> None:
    lower = opened(github, "a")
    upper = opened(github, "b", base="a")
    head = lower.head_sha
    commit = github.merge(lower, "squash")
    github.retarget(upper, "main")
    github.label(upper, SQUASH)
    (merged,) = listing(provider).merged
    assert (merged.id, merged.head, merged.commit, merged.method) == (
        "1",
        head,
        commit,
        Method.SQUASH,
    )


def test_one_that_merged_at_another_head_than_is_carried_is_not_beneath(
    github: GitHub, provider: Provider
) -> None:
    lower = opened(github, "a")
    upper = opened(github, "b", base="a")
    github.push(lower, {"a.txt": "more\n"})
    github.merge(lower, "squash")
    github.retarget(upper, "main")
    github.label(upper, SQUASH)
    assert listing(provider).merged == ()


def test_closed_pull_requests_that_still_show_a_label_are_listed(
    github: GitHub, provider: Provider
) -> None:
    for name, label in [("a", "merge-queue: kicked back"), ("b", SQUASH), ("c", "bug")]:
        pull = opened(github, name)
        github.label(pull, label)
        github.close(pull)
    assert {one.id for one in listing(provider).closed} == {"1", "2"}


def test_one_that_closes_while_pages_are_read_hides_no_other(
    github: GitHub, provider: Provider
) -> None:
    github.page_size = 100
    pulls = [github.open_pull(f"t{number}", {f"{number}": "x\n"}) for number in range(102)]
    provider.when_asked("GET", "page=2", 1, lambda: github.close(pulls[0]))
    found = listing(provider)
    assert [change.id for change in found.unqueued] == [str(number) for number in range(2, 103)]


def test_a_title_that_no_rule_takes_is_refused_before_anything_is_gated(
    github: GitHub, provider: Provider
) -> None:
    rule = {"operator": "regex", "pattern": r"^(feat|fix): .+", "negate": False, "name": "titles"}
    github.add_ruleset({"type": "commit_message_pattern", "parameters": rule})
    for name, title in [("a", "fix: the parser"), ("b", "The parser"), ("c", "Fix it")]:
        opened(github, name, title=title, labels=(SQUASH if name != "c" else "merge-queue: merge",))
    refused = [change.refused for change in listing(provider).changes]
    assert refused[::2] == ["", ""]
    assert refused[1].startswith(
        "a rule of the base about commit messages (regex `^(feat|fix): .+`)"
    )
