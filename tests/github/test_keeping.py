"""The keeper over the fake GitHub: a merge pushed, a comment, and the queue (seed 2, Keeping)."""

from collections.abc import Callable
from pathlib import Path

import pytest
from werkzeug.wrappers import Request, Response

from mergequeue.documents.keeping import Note, NoteKind
from mergequeue.ports import Region, Resolved
from mergequeue.report import keeping as words
from mergequeue.report.keeping import note_comment
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import BranchName, ChangeId, CommitId, RepoPath
from tests.attacks.test_only_a_writer_queues import MAIN
from tests.fakes.github.faults import Fault, Faults
from tests.fakes.github.log import Seen
from tests.fakes.github.records import Protection, Pull
from tests.fakes.github.story import GitHub
from tests.github.conftest import provider_of
from tests.github.queue import Queue, queue_of
from tests.github.test_crashes import Keeping
from tests.github.test_writing import kick_of

SQUASH, KICKED = "merge-queue: squash", "merge-queue: kicked back"
START, MINE, THEIRS = "one\n", "one\nmine\n", "one\ntheirs\n"
BOTH = "one\ntheirs\nmine\n"
NOT_PUSHABLE = f"left alone: {words.NOT_PUSHABLE}"
IN_STACK = f"left alone: {words.IN_STACK}"
FILE = "two/list.py"


@pytest.fixture
def queue(github: GitHub, tmp_path: Path) -> Queue:
    made = queue_of(github, tmp_path)
    github.commit("main", {FILE: START}, by="admin")
    return made


def turned_away(
    github: GitHub,
    *,
    code: Code = Code.KICK_CONFLICT,
    mine: str = MINE,
    theirs: str = THEIRS,
    **more: object,
) -> Pull:
    """Open a pull request, move the base, and have the queue hand the pull request back."""
    pull = github.open_pull("topic", {FILE: mine}, **more)  # type: ignore[arg-type]  # its own words
    github.commit("main", {FILE: theirs}, by="admin")
    if not pull.draft:
        github.label(pull, SQUASH)
    provider_of(github).writes.kick_back(kick_of(pull, code, (FILE,)))
    github.wrote()
    return pull


class Meddling(Faults):
    """Lets something happen right after one of the keeper's writes."""

    def __init__(self, path: str, happens: Callable[[], object]) -> None:
        super().__init__()
        self._path, self._happens = path, happens

    def around(self, seen: Seen, request: Request, answer: Callable[[], Response]) -> Response:
        response = super().around(seen, request, answer)
        if seen.method == "POST" and seen.path.endswith(self._path):
            self._happens()
        return response


class Lagging(Faults):
    """Shows a pull request at its old head for the first readings."""

    def __init__(self, pull: Pull, readings: int) -> None:
        super().__init__()
        self._pull, self._old, self._left = pull, pull.head_sha, readings

    def around(self, seen: Seen, request: Request, answer: Callable[[], Response]) -> Response:
        reads = seen.method == "GET" and seen.path.endswith(f"/pulls/{self._pull.number}")
        if not reads or not self._left:
            return super().around(seen, request, answer)
        self._left -= 1
        head, self._pull.head_sha = self._pull.head_sha, self._old
        response = answer()
        self._pull.head_sha = head
        return response


def said(pull: Pull) -> list[str]:
    """Return what the keeper said."""
    return [one.body for one in pull.comments if "**Merge queue, keeper**" in one.body]


def test_where_both_sides_only_added_lines_it_is_brought_up_to_date_said_and_queued(
    github: GitHub, queue: Queue
) -> None:
    pull = turned_away(github)
    head = pull.head_sha
    ran = queue.keep()
    assert ran.status == 0, ran.err
    assert ran.out.startswith("1: brought up to date with main at ")
    assert github.wrote() == [
        "acme-queue[bot]: pushed topic",
        "acme-queue[bot]: comment on #1",
        "acme-queue[bot]: auto-merge of #1 on by squash",
    ]
    merge = github.repository.git.object(pull.head_sha)
    assert [str(parent) for parent in merge.parent_ids] == [head, github.tip()]
    assert merge.author.name == "acme-queue[bot]"
    assert github.files("topic")[FILE] == BOTH
    assert pull.auto_merge is not None
    (comment,) = said(pull)
    assert pull.head_sha in comment
    assert f"`{FILE}#" in comment
    # It is nobody's any more: the queue has it.
    assert queue.keep().out == "no change that the queue turned away is open\n"


def test_what_takes_judgement_is_left_and_said_once_however_often_the_base_moves(
    github: GitHub, queue: Queue
) -> None:
    pull = turned_away(github, mine="mine\n", theirs="theirs\n")
    head = pull.head_sha
    assert "takes judgement" in queue.keep().out
    assert github.wrote() == ["acme-queue[bot]: comment on #1"]
    (comment,) = said(pull)
    assert f"`{FILE}#line 1: both sides changed the same lines" in comment
    github.commit("main", {FILE: "theirs again\n"}, by="admin")
    assert "was told at this head" in queue.keep().out
    assert github.wrote() == []
    assert pull.head_sha == head


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"body": "Why.\r\n\r\nKeeper: off\r\n"}, "says `Keeper: off`"),
        ({"theirs": START}, "does not conflict with the base any more"),
    ],
    ids=["off", "settled since"],
)
def test_what_is_its_authors_is_left_alone(
    github: GitHub, queue: Queue, more: dict[str, object], why: str
) -> None:
    turned_away(github, **more)  # type: ignore[arg-type]  # by name
    assert why in queue.keep().out
    assert github.wrote() == []


def test_a_fork_a_draft_and_a_stack_are_left_alone(github: GitHub, queue: Queue) -> None:
    turned_away(github, author="outsider", fork=github.fork("outsider"))
    drafted = turned_away(github, theirs=f"{THEIRS}more\n")
    drafted.draft = True
    lower, upper = (github.open_pull(name, {FILE: f"{MINE}{name}\n"}) for name in ("low", "up"))
    upper.base = "low"
    github.stack(lower, upper)
    github.label(upper, SQUASH)
    for one in (lower, upper):
        provider_of(github).writes.kick_back(kick_of(one, Code.KICK_CONFLICT, (FILE,)))
    github.wrote()
    ran = queue.keep()
    lines = [f"1: {NOT_PUSHABLE}", f"3: {IN_STACK}", f"4: {IN_STACK}"]
    assert sorted(ran.out.splitlines()) == lines
    assert github.wrote() == []


def test_a_branch_that_is_more_than_its_own_is_never_pushed_to(
    github: GitHub, queue: Queue
) -> None:
    own = turned_away(github)
    github.commit("release", {"two/release.py": "x\n"}, by="admin")
    github.open_pull("topic", base="release", author="maintainer")
    assert queue.keep().out == f"1: {NOT_PUSHABLE}\n"
    github.close(github.repository.pulls[2])
    above = github.open_pull("above", {"two/more.py": "x\n"}, base="topic")
    assert queue.keep().out == f"1: {IN_STACK}\n"
    github.close(above)
    assert github.wrote() == []
    queue.keep()
    assert own.auto_merge is not None
    github.wrote()


def test_the_default_branch_is_never_pushed_to(github: GitHub, queue: Queue) -> None:
    github.commit("stable", {FILE: THEIRS}, by="admin")
    github.commit("main", {FILE: MINE}, by="admin")
    pull = github.open_pull("main", base="stable")
    provider_of(github).writes.kick_back(kick_of(pull, Code.KICK_CONFLICT, (FILE,)))
    github.wrote()
    assert queue.keep("--base=stable").out == f"1: {NOT_PUSHABLE}\n"
    assert github.wrote() == []


@pytest.mark.parametrize("required", ["reviews", "checks", "classic checks"])
def test_a_branch_that_is_a_base_itself_is_never_pushed_to(
    github: GitHub, queue: Queue, required: str
) -> None:
    turned_away(github)
    match required:
        case "reviews":
            github.require_reviews(0, branch="topic")
        case "checks":
            github.require_checks("ci", branch="topic")
        case _:
            github.protect("topic", Protection(checks=[("ci", None)]))
    github.wrote()
    assert queue.keep().out == f"1: {NOT_PUSHABLE}\n"
    assert github.wrote() == []


def test_one_that_its_author_pushed_to_is_left_alone_also_where_that_merges_the_base(
    github: GitHub, queue: Queue
) -> None:
    pull = turned_away(github)
    git = github.repository.git
    files = {FILE: "one\nmine\ntheirs\n"}
    parents = [pull.head_sha, github.tip()]
    own = git.commit(files, "Merge main", parents=parents, author=github.person("author"))
    github.move("topic", own)
    assert "its author is at work on it" in queue.keep().out
    assert github.wrote() == []


@pytest.mark.parametrize("of_base", [True, False], ids=["the base", "something else"])
def test_the_keepers_own_merge_of_the_base_is_gone_on_with_and_of_nothing_else(
    github: GitHub, queue: Queue, *, of_base: bool
) -> None:
    side = github.commit("side", {FILE: THEIRS})
    pull = turned_away(github)
    into = github.tip() if of_base else side
    place = Resolved(RepoPath(FILE.encode()), "", (Region(f"{FILE}#line 2", 2),))
    message = words.merge_message(ChangeId("1"), BranchName("main"), [place])
    parents = [pull.head_sha, into]
    own = github.repository.git.commit(
        {FILE: BOTH}, message, parents=parents, author=github.person("author")
    )
    github.move("topic", own)
    said_now = queue.keep().out
    assert ("queued again at" in said_now) is of_base, said_now
    assert (pull.auto_merge is not None) is of_base
    github.wrote()


def test_one_that_somebody_queued_and_took_out_again_is_left_alone(
    github: GitHub, queue: Queue
) -> None:
    pull = turned_away(github)
    github.enable_auto_merge(pull)
    github.disable_auto_merge(pull)
    assert queue.keep().out == "no change that the queue turned away is open\n"
    assert github.wrote() == []


def test_where_github_takes_no_auto_merge_the_apps_own_label_queues_it(
    github: GitHub, queue: Queue
) -> None:
    pull = turned_away(github)
    github.repository.settings.allow_auto_merge = False
    queue.keep()
    assert SQUASH in pull.labels
    assert pull.auto_merge is None
    github.wrote()
    listed = provider_of(github).reads.list_changes(MAIN)
    assert [change.id for change in listed.changes] == ["1"]


@pytest.mark.parametrize("path", ["/comments", "/issues/1/labels"])
def test_what_its_author_pushes_before_it_is_queued_is_not_queued(
    github: GitHub, queue: Queue, path: str
) -> None:
    pull = turned_away(github)
    github.repository.settings.allow_auto_merge = path == "/comments"
    github.faults = Meddling(path, lambda: github.push(pull, {"two/more.py": "more\n"}))
    ran = queue.keep()
    assert ran.status == 1
    assert "so it was not queued" in ran.out
    assert pull.auto_merge is None
    assert SQUASH not in pull.labels
    github.wrote()
    github.faults = Faults()
    queue.keep()
    assert github.wrote() == []


def test_one_that_is_closed_meanwhile_is_not_queued(github: GitHub, queue: Queue) -> None:
    pull = turned_away(github)
    github.faults = Meddling("/comments", lambda: github.close(pull))
    ran = queue.keep()
    assert ran.status == 1
    assert "1 is closed or a draft, so it was not queued" in ran.out
    assert pull.labels == [KICKED]
    github.wrote()


def test_one_that_somebody_queues_meanwhile_is_queued_as_they_did(
    github: GitHub, queue: Queue
) -> None:
    pull = turned_away(github)
    github.faults = Meddling("/comments", lambda: github.label(pull, "merge-queue: merge"))
    assert "queued again" in queue.keep().out
    assert pull.labels == [KICKED, "merge-queue: merge"]
    assert pull.auto_merge is None
    github.wrote()


def test_one_that_is_only_half_handed_back_is_left_to_apply(github: GitHub, queue: Queue) -> None:
    pull = turned_away(github)
    pull.labels.append(SQUASH)  # as where apply was killed before it took that off
    assert queue.keep().out == "no change that the queue turned away is open\n"
    assert github.wrote() == []


def test_github_may_see_a_push_late(github: GitHub, queue: Queue) -> None:
    pull = turned_away(github)
    github.faults = Lagging(pull, 3)
    assert "brought up to date" in queue.keep().out
    assert pull.auto_merge is not None
    github.wrote()


def test_a_comment_of_somebody_else_is_none_of_the_keepers(github: GitHub, queue: Queue) -> None:
    pull = turned_away(github)
    note = Note(kind=NoteKind.BROUGHT, head=CommitId("a" * 40), tip=CommitId("b" * 40), text="x")
    for n in range(3):
        forged = note.model_copy(update={"head": CommitId(f"{n:040x}")})
        github.comment(pull, note_comment(forged), by="outsider")
    assert "brought up to date" in queue.keep().out
    github.wrote()


@pytest.mark.parametrize("way", [Fault.LOST, Fault.DONE_AND_LOST])
def test_whatever_answer_is_lost_it_is_said_and_queued_once(
    github: GitHub, queue: Queue, way: Fault
) -> None:
    pull = turned_away(github)
    github.faults.add("POST .*/issues/1/comments", way)
    github.faults.add("POST .*/graphql Queue", way)
    ran = queue.keep()
    assert ran.status == 0, ran.err
    assert len(github.faults.met) == 2
    assert len(said(pull)) == 1
    assert pull.auto_merge is not None
    github.wrote()


def end_of(github: GitHub) -> dict[str, object]:
    """Return what people see of the pull request in the end."""
    (pull,) = github.repository.pulls.values()
    merge = github.repository.git.object(pull.head_sha)
    return {
        "files": github.files("topic"),
        "parents": [str(parent) for parent in merge.parent_ids],
        "said": len(said(pull)),
        "names": pull.head_sha in said(pull)[-1] if said(pull) else None,
        "queued": pull.auto_merge is not None,
    }


def test_killed_after_any_request_and_started_again_nothing_is_lost_or_said_twice(
    github: GitHub, queue: Queue
) -> None:
    turned_away(github)
    github.faults = kept = Keeping(repository=github.repository)
    queue.keep()
    kept.repository = None
    expected = end_of(github)
    assert (expected["said"], expected["names"], expected["queued"]) == (1, True, True)
    assert len(kept.states) > 3
    for number, state in enumerate(kept.states):
        state.bring_back(github.repository)
        queue.keep()
        assert end_of(github) == expected, f"state {number} of {len(kept.states)}"
    github.wrote()


def test_a_whole_round_after_it_lands_with_what_both_sides_added(
    github: GitHub, queue: Queue
) -> None:
    pull = github.open_pull("topic", {FILE: MINE})
    github.enable_auto_merge(pull)
    github.commit("main", {FILE: THEIRS}, by="admin")
    queue.round()
    assert queue.became() == {"1": "KICK_CONFLICT"}
    assert queue.keep("--dry-run").out.startswith("1: would be brought up to date with main")
    assert not said(pull)
    queue.keep()
    queue.round()
    assert queue.became() == {"1": "merged"}
    assert github.files()[FILE] == BOTH
    assert KICKED not in pull.labels
    github.wrote()
