"""The words of what lands, as the base's file asks for them, over a plain repository."""

from tests.support.programs import CONFIGURATION, make_project, run_program
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
    assert run_program(project.clone, "review", "left", "--approve", "--as", by).status == 0

    assert {e["kind"] for e in project.run().last().values()} == {"merged"}

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
