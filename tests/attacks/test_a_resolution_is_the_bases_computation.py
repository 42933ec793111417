"""A resolution is the base's computation: apply settles each conflict itself, as the base says."""

from pathlib import Path

import pytest

from mergequeue.documents.config import AutoResolveTable, Configuration
from mergequeue.vocabulary.words import Method
from tests.support.applying import Queue, open_queue
from tests.support.forge import Forge
from tests.support.forged import forge_verdict
from tests.support.landings import LINES, edit, make_forge, text
from tests.support.programs import make_project
from tests.support.repositories import Playground

LOG = "# Changelog\n\n## Unreleased\n\n- zero\n"


@pytest.fixture
def forge(playground: Playground) -> Forge:
    return make_forge(playground)


def test_a_resolution_is_taken_from_no_verdict(forge: Forge) -> None:
    start = forge.push_to_base({"CHANGELOG.md": LOG})
    heads = [edit(forge, "CHANGELOG.md", f"{LOG}- {id_}\n", on=start) for id_ in ("1", "2")]
    for id_, head in zip(("1", "2"), heads, strict=True):
        forge.open(id_, head)
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        # Settled otherwise: one entry is gone, and one is there that nobody saw.
        claimed = forge.playground.commit(
            {"CHANGELOG.md": f"{LOG}- 2\n- evil\n"}, parents=heads[::-1]
        )
        forge_verdict(queue, 1, candidate_commit=claimed, gated_commit=claimed)
        queue.apply()
    assert queue.codes() == {"1": "merged", "2": "WAIT_REVALIDATE"}
    assert text(forge, "CHANGELOG.md") == f"{LOG}- 1\n"
    assert forge.head("2") == heads[1]


def test_what_may_be_settled_is_no_claim_of_validation(forge: Forge) -> None:
    for id_ in ("1", "2"):
        forge.open(id_, edit(forge, "a/one.txt", f"{LINES}{id_}\n"), method=Method.MERGE)
    with open_queue(forge) as queue:
        settling = AutoResolveTable(allow=("**/*",))
        lax = Queue(forge, queue.workshop, Configuration(auto_resolve=settling))
        lax.plan()
        assert [verdict.code for verdict in lax.judge()] == [None, None]
        queue.source = lax.source
        queue.apply()
    assert queue.codes() == {"1": "merged", "2": "WAIT_REVALIDATE"}
    assert text(forge, "a/one.txt") == f"{LINES}1\n"


def test_no_change_says_of_itself_what_may_be_settled_or_how_files_merge(
    playground: Playground,
) -> None:
    project = make_project(playground, {"one/code.py": "x = 1\n", "one/list": "a\nb\nc\n"})
    opted = '[auto_resolve]\nprose = ["**/*"]\nallow = ["**/*"]\n'
    own: dict[str | bytes, str] = {
        "mergequeue.toml": opted + '[queue]\ngate = "true"\n',
        ".gitattributes": "* merge=union diff=markdown\n",
    }
    planted = project.clone
    (planted / "mergequeue.toml").write_text(own["mergequeue.toml"])
    (planted / ".gitattributes").write_text(own[".gitattributes"])
    _attribute(planted / ".git" / "info")
    project.queue("code", {"one/code.py": "x = 1\ny = 2\n", **own})
    project.queue("list", {"one/list": "a\nb2\nc\ne\n", **own})
    playground.branch(
        "main",
        playground.commit(
            {"one/code.py": "x = 1\nz = 3\n", "one/list": "a\nc\nd\n"},
            parents=playground.tip("main"),
        ),
    )
    ran = project.run()
    ended = ran.last()
    assert {name: ended[name]["code"] for name in ended} == {
        "code": "KICK_CONFLICT",
        "list": "KICK_CONFLICT",
    }
    assert "one/code.py: code (more than comments change)" in ended["code"]["reason"]
    assert project.landed()[b"one/list"] == b"a\nc\nd\n"


def _attribute(info: Path) -> None:
    info.mkdir(exist_ok=True)
    (info / "attributes").write_text("* merge=union\n")


@pytest.mark.parametrize(
    ("name", "base", "one", "other"),
    [
        ("run.sh", 'cat <<"E"\nE\n', 'cat <<"E"\n# one\nE\n', 'cat <<"E"\n# two\nE\n'),
        ("a.py", '"""\n"""\n', '"""\n# one\n"""\n', '"""\n# two\n"""\n'),
        ("a.py", "x = 1\n", "# noqa\nx = 1\n", "# two\nx = 1\n"),
        ("a.go", "\npackage a\n", "//go:build x\n\npackage a\n", "// two\n\npackage a\n"),
        ("a.yml", "a: |\n  x\n", "a: |\n  # one\n  x\n", "a: |\n  # two\n  x\n"),
        ("a.unknown", "x\n", "# one\nx\n", "# two\nx\n"),
    ],
    ids=["here-document", "docstring", "linter", "build", "block of text", "unknown language"],
)
def test_code_that_looks_like_a_comment_is_never_settled(
    forge: Forge, name: str, base: str, one: str, other: str
) -> None:
    start = forge.push_to_base({name: base})
    for id_, content in (("1", one), ("2", other)):
        forge.open(id_, edit(forge, name, content, on=start))
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        queue.apply()
    assert queue.codes() == {"1": "merged", "2": "WAIT_CONFLICT_AHEAD"}
    assert text(forge, name) == one
