"""The words of what lands, as the base's file asks for them, over a plain repository."""

from tests.github.queue import run_here
from tests.support.programs import CONFIGURATION, environ, make_project
from tests.support.repositories import Playground

MESSAGE = """
[message]
title = "{title} ({change})"
body = "{description}"
trailers = ["Reviewed-by: {reviewer}", "Change: {change}"]
"""


def test_a_squash_and_a_merge_have_the_words_of_the_base_they_land_on(
    playground: Playground,
) -> None:
    project = make_project(playground, {"mergequeue.toml": CONFIGURATION + MESSAGE})
    project.queue("left", {"one/text": "A\nb\nc\nd\ne\n"})
    project.queue("right", {"two/text": "A\nb\nc\nd\ne\n"}, method="merge")
    project.queue("other", {"rest/text": "s\n"}, method="rebase")
    by = "Jane Doe <jane@example.invalid>"
    approve = ("review", "left", "--approve", "--as", by)
    assert run_here(project.clone, *approve, env=environ()).status == 0

    ran = run_here(project.clone, "run", "--committer", "Q <q@example.invalid>", env=environ())
    assert {e["kind"] for e in ran.last().values()} == {"merged"}

    landed = {
        playground.message(commit)
        for commit in playground.log("main")
        if playground.run("log", "-1", "--format=%cn", commit).strip() == b"Q"
    }
    assert landed == {
        f"Change left (left)\n\nReviewed-by: {by}\nChange: left\n",
        "Change right (right)\n\nChange: right\n",
        "Change other",
    }
