"""action-page's step over the fake GitHub: it reads with the job's own token."""

from pathlib import Path

import pytest

from tests.fakes.github.story import GitHub
from tests.github.queue import Queue, queue_of
from tests.github.test_applying_a_run import queued
from tests.support.programs import Ran


@pytest.fixture
def queue(github: GitHub, tmp_path: Path) -> Queue:
    return queue_of(github, tmp_path)


def step(queue: Queue, **inputs: str) -> Ran:
    """Run the step as the runner starts it, with the rights that its job asks for."""
    rights = {"contents": "read", "metadata": "read", "pull_requests": "read"}
    repository = [queue.github.repository.full_name]
    token = queue.github.token("github-actions[bot]", rights, repositories=repository)
    (queue.clone.parent / "output").write_text("")
    environment = {
        "GITHUB_ACTIONS": "true",
        "GITHUB_OUTPUT": str(queue.clone.parent / "output"),
        "GITHUB_REPOSITORY": "acme/acme",
        "GITHUB_TOKEN": token.text,
        "RUNNER_TEMP": str(queue.clone.parent),
        **{f"MERGEQUEUE_INPUT_{name.upper()}": value for name, value in inputs.items()},
    }
    return queue._step(environment, "action", "page")


def test_the_page_links_each_pull_request_that_waits_was_turned_away_or_landed_and_writes_nothing(
    github: GitHub, queue: Queue
) -> None:
    _, bad = queued(github, "one/a", "two/bug")
    github.push(bad, {"two/text": "bug\n"})
    queue.round()
    assert queue.became() == {"1": "merged", "2": "KICK_RED"}
    later = github.open_pull("later", {"one/b": "b\n"})
    github.enable_auto_merge(later, "squash")
    github.wrote()
    ran = step(queue)
    assert ran.status == 0, ran.err
    assert github.wrote() == []
    folder = queue.clone.parent / "mergequeue-page"
    name, value, _ = (queue.clone.parent / "output").read_text().splitlines()
    assert (name.partition("<<")[0], value) == ("folder", str(folder))
    assert [path.name for path in folder.iterdir()] == ["index.html"]
    page = (folder / "index.html").read_text("utf-8")
    for part, number in (("queue", 3), ("away", 2), ("landed", 1)):
        shown = page.partition(f'<h2 id="{part}"')[2].partition("<h2 ")[0]
        assert f'<a href="{github.url}/acme/acme/pull/{number}">{number}</a>' in shown


def test_each_base_has_its_own_page_in_the_one_folder(github: GitHub, queue: Queue) -> None:
    github.commit("release/1.x", {"r": "1\n"})
    for given in ({}, {"base": "release/1.x", "within": "release"}):
        ran = step(queue, **given)
        assert ran.status == 0, ran.err
    folder = queue.clone.parent / "mergequeue-page"
    told = {
        path: path.read_text("utf-8").partition("<title>")[2] for path in folder.rglob("*.html")
    }
    assert told[folder / "index.html"].startswith("Merge queue of main in acme/acme<")
    assert told[folder / "release" / "index.html"].startswith("Merge queue of release/1.x in ")
    for outside in ("../x", "/x", "a/../../x"):
        assert "--within" in step(queue, within=outside).err
    assert not (queue.clone.parent / "x").exists()


def test_a_wrong_base_is_one_annotation_and_no_page(queue: Queue) -> None:
    ran = step(queue, base="a b")
    assert ran.status == 2
    assert (ran.out + ran.err).count("::error") == 1
    assert not (queue.clone.parent / "mergequeue-page").exists()
