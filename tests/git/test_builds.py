"""What the queue writes is what git would write, and the same everywhere."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone

import pytest

from mergequeue.git.workshop import Workshop, open_workshop
from mergequeue.vocabulary.errors import GIT_FAILED, MergequeueError
from mergequeue.vocabulary.identity import QUEUE, Identity
from mergequeue.vocabulary.ids import CommitId, RepoPath, TreeId
from tests.support.repositories import Playground

DATE = datetime(2024, 2, 29, 12, 0, 1, tzinfo=UTC)


@pytest.fixture
def workshop(playground: Playground) -> Iterator[Workshop]:
    playground.branch("main", playground.commit({"f": "1", "d/g": "2"}))
    with open_workshop(playground.clone(), "origin") as opened:
        yield opened


def write(
    workshop: Workshop,
    tree: TreeId,
    parents: list[CommitId],
    message: str = "m\n",
    who: Identity = QUEUE,
    date: datetime = DATE,
) -> CommitId:
    return workshop.builds.write_commit(
        tree, parents, message, author=(who, date), committer=(QUEUE, DATE)
    )


def test_a_commit_is_the_one_that_git_writes(playground: Playground, workshop: Workshop) -> None:
    main = playground.tip("main")
    tree = workshop.reads.tree_of(main)
    made = write(workshop, tree, [main], "subject\n\nbody ü\n  \n", Identity("Ü", "u@x.invalid"))
    variables = {
        "GIT_AUTHOR_NAME": "Ü",
        "GIT_AUTHOR_EMAIL": "u@x.invalid",
        "GIT_AUTHOR_DATE": f"{int(DATE.timestamp())} +0000",
        "GIT_COMMITTER_NAME": QUEUE.name,
        "GIT_COMMITTER_EMAIL": QUEUE.email,
        "GIT_COMMITTER_DATE": f"{int(DATE.timestamp())} +0000",
    }
    words = ["commit-tree", tree, "-p", main]
    stdin = "subject\n\nbody ü\n  \n".encode()
    assert workshop.git.run(*words, stdin=stdin, variables=variables).out.decode().strip() == made
    assert workshop.git.run("fsck", "--strict", made).out == b""


def test_two_workshops_on_differently_configured_clones_write_one_id(
    playground: Playground, workshop: Workshop
) -> None:
    main = playground.tip("main")
    other = playground.clone("other")
    for key, value in {
        "user.name": "Somebody",
        "commit.gpgSign": "true",
        "i18n.commitEncoding": "ISO-8859-1",
        "core.autocrlf": "true",
    }.items():
        playground.run("config", key, value, cwd=other)
    with open_workshop(other, "origin") as second:
        ids = {
            write(each, each.reads.tree_of(main), [main], "ü\r\n") for each in (workshop, second)
        }
    assert len(ids) == 1


def test_a_date_of_any_zone_is_written_in_utc(playground: Playground, workshop: Workshop) -> None:
    tree = workshop.reads.tree_of(playground.tip("main"))
    zoned = DATE.astimezone(timezone(timedelta(hours=5, minutes=30)))
    assert write(workshop, tree, [], date=zoned) == write(workshop, tree, [])


def test_a_message_and_its_author_read_back_as_they_were_given(
    playground: Playground, workshop: Workshop
) -> None:
    tree = workshop.reads.tree_of(playground.tip("main"))
    for message in ("", "no line break", "# not a comment\n", "a\n\n\n\nb  \n", "\N{SNOWMAN}\n"):
        facts = workshop.reads.commit(write(workshop, tree, [], message))
        assert (facts.message, facts.author, facts.author_date) == (message, QUEUE, DATE)


def test_nobodys_name_breaks_out_of_its_line(playground: Playground, workshop: Workshop) -> None:
    tree = workshop.reads.tree_of(playground.tip("main"))
    odd = Identity("A\nparent " + "1" * 40, "a@x> 5 +0000\ncommitter <b")
    facts = workshop.reads.commit(write(workshop, tree, [], "nul \0 here", odd))
    assert facts.parents == ()
    assert facts.author.email == "a@x 5 +0000committer b"
    assert facts.message == "nul \N{REPLACEMENT CHARACTER} here"


def test_a_commit_of_what_is_not_there_is_an_error(
    playground: Playground, workshop: Workshop
) -> None:
    main = playground.tip("main")
    tree = workshop.reads.tree_of(main)
    for bad_tree, parents in (
        (TreeId("1" * 40), [main]),
        (tree, [CommitId("1" * 40)]),
        (TreeId(main), []),
        (tree, [CommitId(tree)]),
    ):
        with pytest.raises(MergequeueError) as error:
            write(workshop, bad_tree, parents)
        assert error.value.code == GIT_FAILED.code


def test_files_make_the_tree_that_git_makes(playground: Playground, workshop: Workshop) -> None:
    files = {b"a": b"1", b"a-b": b"2", b"d/x": b"3", b"d.x": b"4", b"d/e/\xff": b"", b"d0": b"5"}
    made = workshop.builds.write_files({RepoPath(path): text for path, text in files.items()})
    assert made == playground.tree(files)
    assert workshop.builds.write_files({}) == "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
    for clash in (
        {RepoPath(b"a"): b"", RepoPath(b"a/b"): b""},
        {RepoPath(b"a/b"): b"", RepoPath(b"a"): b""},
    ):
        with pytest.raises(ValueError, match="both a file and a folder"):
            workshop.builds.write_files(clash)
