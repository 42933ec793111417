"""What a person does, from the command to the merged base, through the program's own steps over the
fake GitHub (tables, What a person does).
"""

import json
from pathlib import Path

import pytest

from tests.fakes.github.faults import Fault
from tests.fakes.github.records import Pull
from tests.fakes.github.story import GitHub
from tests.github.person import gh
from tests.github.queue import Queue, queue_of

SQUASH = "merge-queue: squash"
QUEUED, KICKED = "merge-queue: queued", "merge-queue: kicked back"


@pytest.fixture
def queue(github: GitHub, tmp_path: Path) -> Queue:
    return queue_of(github, tmp_path)


def shown(github: GitHub, pull: Pull) -> tuple[str, str]:
    """Return the queue's newest status of a head."""
    status = github.repository.statuses[pull.head_sha][-1]
    return status.state, status.description or ""


def label(github: GitHub, folder: Path, pull: Pull) -> None:
    """Label a pull request with `gh`, as somebody does in a repository that has the label."""
    gh(github, folder / "gh", "label", "create", SQUASH, "--force")
    gh(github, folder / "gh", "pr", "edit", str(pull.number), "--add-label", SQUASH)


def nothing_is_green(github: GitHub) -> bool:
    return not any(
        shown(github, pull)[0] == "success"
        for pull in github.repository.pulls.values()
        if pull.state == "open" and pull.head_sha in github.repository.statuses
    )


# --- queue a pull request ------------------------------------------------------------------------


def test_auto_merge_lands_each_with_its_own_method(
    github: GitHub, queue: Queue, tmp_path: Path
) -> None:
    pulls = {}
    for method, name in [("squash", "one/a"), ("merge", "two/b"), ("rebase", "one/c")]:
        pulls[method] = github.open_pull(method, {name: "new\n"})
        number = str(pulls[method].number)
        gh(github, tmp_path / "gh", "pr", "merge", number, "--auto", f"--{method}")
    queue.round()
    assert queue.became() == {"1": "merged", "2": "merged", "3": "merged"}
    assert {"one/a", "two/b", "one/c"} <= set(github.files())
    merge = github.repository.git.object(pulls["merge"].merge_commit or "")
    assert [str(parent) for parent in merge.parent_ids][1:] == [pulls["merge"].head_sha]
    assert all(pull.merged for pull in pulls.values())
    assert [pull.labels for pull in pulls.values()] == [[], [], []]
    github.wrote()


def test_one_that_github_calls_conflicting_is_queued_by_label_and_lands(
    github: GitHub, queue: Queue, tmp_path: Path
) -> None:
    pull = github.open_pull("topic", {"one/text": "a\nb\nc\nd\nmine\n"})
    github.commit("main", {"one/text": None, "one/moved": "a\nb\nc\nd\ne\n"}, by="admin")
    label(github, tmp_path, pull)
    queue.round()
    assert queue.became() == {"1": "merged"}
    assert github.files()["one/moved"] == "a\nb\nc\nd\nmine\n"
    assert pull.labels == []
    github.wrote()


def test_a_stack_is_queued_by_the_label_on_its_top_and_lands_in_order(
    github: GitHub, queue: Queue, tmp_path: Path
) -> None:
    lower = github.open_pull("lower", {"one/text": "A\nb\nc\nd\ne\n"})
    upper = github.open_pull("upper", {"one/text": "A\nB\nc\nd\ne\n"}, base="lower")
    github.stack(lower, upper)
    label(github, tmp_path, upper)
    for _ in range(3):
        queue.round()
        if upper.merged:
            break
    assert lower.merged
    assert upper.merged
    assert github.files()["one/text"] == "A\nB\nc\nd\ne\n"
    assert upper.labels == []
    github.wrote()


# --- take it out, list, learn why ----------------------------------------------------------------


@pytest.mark.parametrize("by_label", [False, True])
def test_one_that_is_taken_out_is_not_merged_and_loses_the_queues_labels(
    github: GitHub, queue: Queue, tmp_path: Path, *, by_label: bool
) -> None:
    pull = github.open_pull("topic", {"one/a": "new\n"})
    if by_label:
        github.label(pull, SQUASH)
    else:
        github.enable_auto_merge(pull, "squash")
    queue.plan()
    queue.validate()
    if by_label:
        gh(github, tmp_path / "gh", "pr", "edit", "1", "--remove-label", SQUASH)
    else:
        gh(github, tmp_path / "gh", "pr", "merge", "1", "--disable-auto")
    github.label(pull, QUEUED, by="acme-queue[bot]")
    queue.apply()
    assert queue.became() == {"1": "WAIT_WITHDRAWN"}
    assert not pull.merged
    assert pull.labels == []
    assert pull.comments == []
    github.wrote()


def test_the_listing_names_who_is_queued(github: GitHub, queue: Queue) -> None:
    github.enable_auto_merge(github.open_pull("topic", {"one/a": "new\n"}), "rebase")
    github.open_pull("other", {"one/b": "new\n"})
    queue.plan()
    listing = json.loads((queue.clone / "listing.json").read_text())
    assert [(one["id"], one["method"]) for one in listing["changes"]] == [("1", "rebase")]
    assert [one["id"] for one in listing["unqueued"]] == ["2"]


def test_the_status_of_one_that_waits_says_why_and_what_ends_it(
    github: GitHub, queue: Queue
) -> None:
    github.require_reviews(1)
    pull = github.open_pull("topic", {"one/a": "new\n"})
    github.enable_auto_merge(pull, "squash")
    queue.round()
    assert queue.became() == {"1": "WAIT_NOT_APPROVED"}
    state, why = shown(github, pull)
    assert state == "pending"
    assert why.startswith("waiting: it is not approved at ")
    assert why.endswith("it goes on once it is approved at its head")
    assert pull.labels == [QUEUED]
    github.approve(pull)
    queue.round()
    assert queue.became() == {"1": "merged"}
    github.wrote()


def test_the_newest_comment_says_why_one_was_kicked_back_and_how_to_queue_it_again(
    github: GitHub, queue: Queue, tmp_path: Path
) -> None:
    pull = github.open_pull("topic", {"one/a": "a bug\n"})
    github.enable_auto_merge(pull, "squash")
    queue.round()
    assert queue.became() == {"1": "KICK_RED"}
    (comment,) = pull.comments
    assert comment.body.startswith("The gate is red with it, and green without it")
    assert pull.labels == [KICKED]
    assert pull.auto_merge is None
    assert shown(github, pull)[0] == "failure"
    github.push(pull, {"one/a": "no more\n"})
    (line,) = [line for line in comment.body.splitlines() if line.startswith("gh pr merge")]
    gh(github, tmp_path / "gh", *line.split()[1:])
    queue.round()
    assert queue.became() == {"1": "merged"}
    assert pull.labels == []
    github.wrote()


def test_one_that_was_merged_past_the_queue_is_planned_around(github: GitHub, queue: Queue) -> None:
    first = github.open_pull("first", {"one/a": "new\n"})
    second = github.open_pull("second", {"one/b": "new\n"})
    for pull in (first, second):
        github.enable_auto_merge(pull, "squash")
    queue.plan()
    queue.validate()
    github.merge(first, "squash", by="admin")
    queue.apply()
    assert queue.became()["1"] == "merged"
    queue.round()
    assert second.merged
    assert {"one/a", "one/b"} <= set(github.files())
    github.wrote()


# --- what the base requires besides --------------------------------------------------------------


def test_a_required_check_that_never_reported_is_named_in_the_status(
    github: GitHub, queue: Queue
) -> None:
    github.require_checks("CI Gate")
    pull = github.open_pull("topic", {"one/a": "new\n"})
    github.enable_auto_merge(pull, "squash")
    github.status(pull, "Type Check & Test", by="author")
    queue.round()
    assert queue.became() == {"1": "WAIT_CHECKS"}
    why = shown(github, pull)[1]
    assert "CI Gate" in why
    assert "Type Check & Test" in queue.last.err
    github.status(pull, "CI Gate", by="author")
    queue.round()
    assert queue.became() == {"1": "merged"}
    github.wrote()


def test_a_check_that_fails_on_an_old_base_is_run_again_on_an_update_commit(
    github: GitHub, queue: Queue
) -> None:
    github.require_checks("test")
    pull = github.open_pull("topic", {"one/a": "new\n"})
    github.enable_auto_merge(pull, "squash")
    head = pull.head_sha
    github.status(pull, "test", "failure", by="author")
    github.commit("main", {"one/b": "fixed\n"}, by="admin")
    queue.round()
    assert queue.became() == {"1": "WAIT_CHECKS"}
    assert pull.head_sha != head
    assert github.repository.git.contains(pull.head_sha, github.tip())
    github.status(pull, "test", by="author")
    queue.round()
    assert queue.became() == {"1": "merged"}
    github.wrote()


def test_one_from_a_fork_is_refused_and_told_so(github: GitHub, queue: Queue) -> None:
    fork = github.fork("outsider")
    pull = github.open_pull("topic", {"one/a": "new\n"}, fork=fork, author="outsider")
    github.label(pull, SQUASH)
    queue.round()
    assert queue.became() == {"1": "KICK_REFUSED"}
    (comment,) = pull.comments
    assert comment.body.startswith("Its branch is in a fork, which the queue cannot push to:")
    assert "The job that judged it says" not in comment.body
    assert pull.labels == [KICKED]
    github.wrote()


def test_what_an_earlier_run_left_green_is_set_back(github: GitHub, queue: Queue) -> None:
    github.require_checks("build")
    pull = github.open_pull("topic", {"one/a": "new\n"}, draft=True)
    github.status(pull, "merge-queue", "success")
    queue.round()
    assert nothing_is_green(github)
    github.wrote()


# --- what GitHub does besides --------------------------------------------------------------------


@pytest.mark.parametrize("fault", [Fault.REFUSED, Fault.DONE_AND_BROKEN])
def test_a_merge_whose_answer_is_lost_lands_once(
    github: GitHub, queue: Queue, fault: Fault
) -> None:
    pull = github.open_pull("topic", {"one/a": "new\n"})
    github.label(pull, SQUASH)
    tip = github.tip()
    github.faults.add("PUT .*/merge", fault, status=502)
    queue.round()
    assert queue.became() == {"1": "merged"}
    assert [str(one) for one in github.repository.git.object(github.tip()).parent_ids] == [tip]
    assert pull.labels == []
    github.wrote()


def test_one_that_github_refuses_waits_with_its_words_and_holds_no_other_partition(
    github: GitHub, queue: Queue
) -> None:
    github.mergeable_is_unknown = True
    pulls = [
        github.open_pull("one", {"one/a": "new\n"}),
        github.open_pull("above", {"one/b": "new\n"}),
        github.open_pull("two", {"two/a": "new\n"}),
    ]
    for pull in pulls:
        github.label(pull, SQUASH)
    github.refused_merges[1] = (405, "A conversation must be resolved.")
    queue.round()
    assert queue.became() == {"1": "WAIT_PROVIDER_REFUSED", "2": "WAIT_BEHIND", "3": "merged"}
    state, why = shown(github, pulls[0])
    assert state == "pending"
    assert "A conversation must be resolved. (405)" in why
    assert why.endswith("the next run tries again")
    assert "A conversation must be resolved." in queue.last.err
    assert nothing_is_green(github)
    assert len(github.wrote("merge of #1")) == 1
    github.wrote()


def test_one_whose_branch_is_anothers_too_is_told_which(github: GitHub, queue: Queue) -> None:
    github.commit("release", {"r": "r\n"})
    pull = github.open_pull("topic", {"one/a": "new\n"})
    github.open_pull("topic", None, base="release")
    github.label(pull, SQUASH)
    queue.round()
    assert queue.became() == {"1": "KICK_REFUSED"}
    assert "Its branch is also the branch of `2`" in pull.comments[0].body
    assert nothing_is_green(github)
    github.wrote()


def test_a_head_that_moves_after_it_was_listed_is_told_so_on_its_new_head(
    github: GitHub, queue: Queue
) -> None:
    pull = github.open_pull("topic", {"one/a": "new\n"})
    github.enable_auto_merge(pull, "squash")
    queue.plan()
    old = pull.head_sha
    queue.validate()
    github.push(pull, {"one/a": "newer\n"})
    queue.apply()
    assert queue.became() == {"1": "WAIT_HEAD_MOVED"}
    assert old not in github.repository.statuses
    assert shown(github, pull)[0] == "pending"
    queue.round()
    assert queue.became() == {"1": "merged"}
    github.wrote()


def test_a_stack_that_github_restacks_as_it_merges_lands_all_the_same(
    github: GitHub, queue: Queue
) -> None:
    github.restacks = True
    lower = github.open_pull("lower", {"one/text": "A\nb\nc\nd\ne\n"})
    upper = github.open_pull("upper", {"one/text": "A\nB\nc\nd\ne\n"}, base="lower")
    github.stack(lower, upper)
    github.label(upper, SQUASH)
    for _ in range(3):
        queue.round()
        if upper.merged:
            break
    assert upper.merged
    assert github.files()["one/text"] == "A\nB\nc\nd\ne\n"
    github.wrote()


def test_on_enterprise_server_the_same_steps_do_the_same(github: GitHub, tmp_path: Path) -> None:
    github.enterprise = True
    queue = queue_of(github, tmp_path)
    pulls = [
        github.open_pull("one", {"one/a": "x\n"}),
        github.open_pull("bad", {"two/a": "a bug\n"}),
    ]
    for pull in pulls:
        github.label(pull, SQUASH)
    queue.round()
    assert queue.became() == {"1": "merged", "2": "KICK_RED"}
    github.wrote()
