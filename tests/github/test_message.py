"""The words of what lands, as the base's file asks for them, over the fake GitHub."""

from pathlib import Path

from tests.fakes.github.records import Pull
from tests.fakes.github.story import GitHub
from tests.github.queue import queue_of
from tests.support.programs import CONFIGURATION

MESSAGE = """
[message]
title = "{title} [{change}]"
body = "{description}"
trailers = ["Reviewed-by: {reviewer}", "Pull-request: https://example.invalid/{change}"]
"""
BODY = (
    "Fixes #7, @octocat.\r\n\r\n<details><summary>How</summary>\r\n\r\nSo [skip ci].\r\n</details>"
)


def landed(github: GitHub, pull: Pull) -> str:
    """Return the message of what a pull request became."""
    assert pull.merge_commit is not None
    return github.repository.git.object(pull.merge_commit).message


def test_a_description_and_who_approved_stand_in_the_message_and_auto_merges_words_win(
    github: GitHub, tmp_path: Path
) -> None:
    queue = queue_of(github, tmp_path)
    github.commit("main", {"mergequeue.toml": CONFIGURATION + MESSAGE}, "Words", by="admin")
    squash = github.open_pull("squash", {"one/new": "new\n"}, title="Mend it", body=BODY)
    merge = github.open_pull("merge", {"two/new": "new\n"}, title="Add it")
    typed = github.open_pull("typed", {"rest/new": "new\n"}, title="Move it", body="Unsaid.")
    github.label(squash, "merge-queue: squash")
    github.label(merge, "merge-queue: merge")
    github.enable_auto_merge(typed, "squash", title="Typed", message="Typed too")
    for by in ("reviewer", "maintainer"):
        github.approve(squash, by=by)
    github.review(squash, "COMMENTED", by="admin")

    queue.round()

    assert queue.became() == dict.fromkeys("123", "merged")
    assert landed(github, squash) == (
        "Mend it [1]\n\nFixes #7, @octocat.\n\nHow\n\nSo (skip ci).\n\n"
        "Reviewed-by: reviewer\nReviewed-by: maintainer\n"
        "Pull-request: https://example.invalid/1"
    )
    assert landed(github, merge) == "Add it [2]\n\nPull-request: https://example.invalid/2"
    assert landed(github, typed) == "Typed\n\nTyped too"
    assert "was broken in the message" in queue.last.err
    github.wrote()
