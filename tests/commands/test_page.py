"""`mergequeue page`: the queue of a real repository as a page."""

from pathlib import Path

import pytest

from tests.support.programs import Project, make_project, run_program
from tests.support.repositories import Playground


@pytest.fixture
def project(playground: Playground) -> Project:
    return make_project(playground)


def test_the_page_shows_what_landed_was_turned_away_and_waits_and_writes_nothing_else(
    project: Project, tmp_path: Path
) -> None:
    project.queue("merges", {"one/text": "A\nb\nc\nd\ne\n"})
    project.queue("red", {"two/text": "bug\n"})
    assert project.run().status == 0
    project.queue("later", {"one/more": "m\n"}, method="rebase")
    before = project.playground.refs()
    out = tmp_path / "made" / "here"
    ran = run_program(project.clone, "page", "--out", str(out))
    assert ran.status == 0, ran.err
    assert (ran.out, ran.err) == (f"{out / 'index.html'}\n", "")
    assert [path.name for path in out.iterdir()] == ["index.html"]
    assert project.playground.refs() == before
    page = (out / "index.html").read_text("utf-8")
    landed = page.partition('id="landed"')[2].partition("</table>")[0]
    assert "<b>merges</b>" in landed
    assert project.playground.tip("main")[:12] in landed
    away = page.partition('id="away"')[2].partition("</section>")[0]
    assert "<b>red</b>" in away
    assert "KICK_RED" in away
    waits = page.partition('id="change-later"')[2].partition("</li>")[0]
    assert "Queued, 1st of 1" in waits
    assert "no run has seen it yet" in waits
    assert "https:" not in page.partition("</head>")[2].partition("<script>")[0]


def test_the_page_of_a_queue_that_nobody_ran_says_so(project: Project, tmp_path: Path) -> None:
    project.queue("fix", {"one/more": "m\n"})
    ran = run_program(project.clone, "page", "--out", str(tmp_path))
    assert ran.status == 0, ran.err
    page = (tmp_path / "index.html").read_text("utf-8")
    assert "no run has looked at the queue yet" in page
    assert 'id="change-fix"' in page


def test_a_place_that_cannot_be_written_and_a_base_that_there_is_not_are_errors(
    project: Project, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    for words, code in (
        (("--out", str(tmp_path / "file")), "MQ1001"),
        (("--out", str(tmp_path / "new"), "--base", "nope"), "MQ1010"),
        ((), "MQ1001"),
    ):
        ran = run_program(project.clone, "page", *words)
        assert (ran.status, ran.out) == (2, "")
        assert code in ran.err
    assert not (tmp_path / "new" / "index.html").exists()
