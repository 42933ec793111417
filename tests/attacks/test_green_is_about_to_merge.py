"""The status is green on the one commit that is about to merge, and at no other time."""

from collections.abc import Callable
from pathlib import Path

import pytest

from mergequeue.vocabulary.words import StatusState
from tests.fakes.github.story import GitHub
from tests.github.queue import STATUS, queue_of
from tests.support.applying import open_queue
from tests.support.forge import Forge
from tests.support.landings import edit, make_forge, pull, stack, text
from tests.support.repositories import Playground


@pytest.fixture
def forge(playground: Playground) -> Forge:
    return make_forge(playground)


@pytest.mark.parametrize("moment", ["before it is read", "before its merge", "while it merges"])
def test_a_push_after_validation_merges_nothing_and_is_not_green(forge: Forge, moment: str) -> None:
    forge.open("1", edit(forge, "a/new.txt", "new\n"))
    late = edit(forge, "a/evil.txt", "evil\n")

    def push() -> None:
        forge.push("1", late)

    name, reading = {
        "before it is read": ("approvals_at 1", 0),
        "before its merge": ("approvals_at 1", 1),
        "while it merges": ("merge_change 1", 0),
    }[moment]
    quiet: list[Callable[[], object]] = [lambda: None] * reading
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        forge.before[name] = [*quiet, push]
        queue.apply()
    assert queue.code("1") == "WAIT_HEAD_MOVED"
    assert text(forge, "a/evil.txt") is None
    assert forge.list_green_now() == []


def test_a_green_status_on_a_branch_that_another_change_shares_merges_neither(forge: Forge) -> None:
    head = edit(forge, "a/new.txt", "new\n")
    forge.open("5", head)
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        pull(forge, "5").shared_with = (pull(forge, "5").id,)
        queue.apply()
    assert queue.codes() == {"5": "KICK_REFUSED"}
    assert StatusState.SUCCESS not in [post.state for post in forge.posts]


def test_the_status_is_green_at_no_other_time_than_during_the_merge(forge: Forge) -> None:
    stack(forge)
    seen: list[list[str]] = []

    def look() -> None:
        seen.append([str(id_) for id_ in forge.list_green_now()])

    for id_ in ("1", "2", "3"):
        forge.before[f"merge_change {id_}"] = [look]
        forge.before[f"approvals_at {id_}"] = [look, look, look]
        forge.before[f"mark {id_} none"] = [look]
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        queue.apply()
    assert [greens for greens in seen if greens] == [["1"], ["2"], ["3"]]
    assert len(seen) == 15


def test_a_status_merges_no_other_pull_request_of_that_commit_into_another_base(
    github: GitHub, tmp_path: Path
) -> None:
    queue = queue_of(github, tmp_path)
    github.require_checks(STATUS, app=github.app, name="release", branch="release")
    github.commit("release", {"one/release": "r\n"}, by="admin")
    fix = github.open_pull("hotfix", {"one/fix": "fix\n"})
    github.move("hotfix-too", fix.head_sha)
    other = github.open_pull("hotfix-too", None, base="release")
    for each in (other, fix):
        github.enable_auto_merge(each, "squash")
    queue.round()
    assert (queue.became(), other.merged) == ({"1": "KICK_REFUSED"}, False)
    assert "queue it by label" in fix.comments[0].body

    github.disable_auto_merge(other)
    github.label(other, "merge-queue: squash")
    github.enable_auto_merge(fix, "squash")
    queue.round()
    assert (queue.became(), other.merged) == ({"1": "merged"}, False)
    github.wrote()
