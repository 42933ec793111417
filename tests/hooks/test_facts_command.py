"""The facts command runs in one box of the base commit, made when it is first asked (facts H10)."""

import os
import threading
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from mergequeue.hooks.facts_command import BoxedFactsCommand
from mergequeue.hooks.leash import Graces
from mergequeue.hooks.surroundings import Surroundings
from mergequeue.ports import Box, Keep
from mergequeue.vocabulary.errors import FACTS_FAILED, HOOK_NOT_STARTED, QueueError
from mergequeue.vocabulary.ids import CommitId
from tests.support.hooks import LONG, UNCONFINED, Lifeline, Shown, make_box

BASE = CommitId("0123456789ab" + "0" * 28)


@dataclass
class CountedBoxes:
    """Boxes without git, which remember what was asked of them."""

    folder: Path
    opened: list[CommitId] = field(default_factory=list)
    closed: list[Box] = field(default_factory=list)

    def open(self, commit: CommitId, *, keep: Keep | None = None, more: bool = False) -> Box:
        del keep, more
        self.opened.append(commit)
        return make_box(self.folder / f"box{len(self.opened)}")

    def close(self, box: Box) -> None:
        self.closed.append(box)


@pytest.fixture
def boxes(tmp_path: Path) -> CountedBoxes:
    return CountedBoxes(tmp_path)


@pytest.fixture
def shown() -> Shown:
    return Shown()


def command(boxes: CountedBoxes, shown: Shown, script: str) -> BoxedFactsCommand:
    around = Surroundings(
        {"PATH": os.environ["PATH"], "GITHUB_TOKEN": "secret"},
        shown.write,
        UNCONFINED,
        graces=Graces(term=LONG, output=LONG),
    )
    words = ("sh", "-c", script, "facts")
    return BoxedFactsCommand(words, surroundings=around, boxes=boxes, base_commit=BASE)


def test_it_is_given_the_fact_and_its_input_and_answers_on_stdout(
    boxes: CountedBoxes, shown: Shown
) -> None:
    with command(boxes, shown, 'echo "working" >&2; printf "%s<" "$@"; cat; env') as facts:
        answer = facts.ask("affected", b"a\nb\xff\n")
    assert answer.startswith(b"affected<a\nb\xff\n")
    assert b"secret" not in answer
    assert shown.lines == ["[0123456789ab facts] working"]


def test_one_box_of_the_base_serves_every_question_and_is_closed_at_the_end(
    boxes: CountedBoxes, shown: Shown
) -> None:
    with command(boxes, shown, "echo x >>asked; cat asked") as facts:
        assert facts.ask("all", b"") == b"x\n"
        assert facts.ask("all", b"") == b"x\nx\n"
        assert boxes.closed == []
    assert boxes.opened == [BASE]
    assert len(boxes.closed) == 1


def test_without_a_question_no_box_is_made(boxes: CountedBoxes, shown: Shown) -> None:
    with command(boxes, shown, "exit 0"):
        pass
    assert (boxes.opened, boxes.closed) == ([], [])


@pytest.mark.parametrize(
    ("script", "problem"),
    [
        ("echo half; echo 'no such unit' >&2; echo >&2; exit 3", "exit status 3: no such unit"),
        ("exit 75", "exit status 75"),
        ("kill -KILL $$", "killed by SIGKILL"),
        ("head -c 34000000 /dev/zero", "more than"),
    ],
)
def test_any_other_end_is_an_error_and_never_an_answer(
    boxes: CountedBoxes, shown: Shown, script: str, problem: str
) -> None:
    with pytest.raises(QueueError) as failed, command(boxes, shown, script) as facts:
        facts.ask("affected", b"")
    assert failed.value.code == FACTS_FAILED.code
    assert problem in failed.value.problem
    assert len(boxes.closed) == 1


def test_one_that_cannot_be_started_is_the_machines_fault(
    boxes: CountedBoxes, shown: Shown
) -> None:
    around = Surroundings({"PATH": "/nowhere"}, shown.write, UNCONFINED)
    facts = BoxedFactsCommand(("nothing",), surroundings=around, boxes=boxes, base_commit=BASE)
    with pytest.raises(QueueError) as failed, facts:
        facts.ask("all", b"")
    assert failed.value.code == HOOK_NOT_STARTED.code
    assert len(boxes.closed) == 1


def test_much_input_and_much_output_at_once_do_not_hang(boxes: CountedBoxes, shown: Shown) -> None:
    given = b"a/path\n" * 300_000
    with command(boxes, shown, "cat; head -c 300000 /dev/zero >&2") as facts:
        assert facts.ask("affected", given) == given


def test_a_command_that_reads_no_input_may_answer(boxes: CountedBoxes, shown: Shown) -> None:
    with command(boxes, shown, "exec <&-; echo answer") as facts:
        assert facts.ask("affected", b"a/path\n" * 300_000) == b"answer\n"


def test_cancelling_ends_it_and_is_no_answer(
    boxes: CountedBoxes, shown: Shown, tmp_path: Path
) -> None:
    lifeline = Lifeline(tmp_path / "lifeline")
    script = f'exec 9>"{lifeline.path}"; printf x >&9; echo ready >&2; sleep 1000'
    with command(boxes, shown, script) as facts:

        def cancel() -> None:
            shown.wait_for("[0123456789ab facts] ready")
            facts.cancel()

        canceller = threading.Thread(target=cancel)
        canceller.start()
        for _ in range(2):
            with pytest.raises(QueueError) as failed:
                facts.ask("all", b"")
            assert failed.value.code == FACTS_FAILED.code
        canceller.join()
    assert lifeline.held_until_now() == 1
