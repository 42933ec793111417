"""What is remembered merges nothing: whoever can push can write it, and it is a claim like others.

It delays, orders, turns away and explains (DESIGN, The plain-git provider).
"""

from datetime import UTC, datetime

from mergequeue.documents.memory import Entry, FailedLanding, Hints, Suspected
from mergequeue.documents.provider import Pin
from mergequeue.memory.files import files_of
from mergequeue.ports import Memory
from mergequeue.vocabulary.errors import BAD_STATE
from mergequeue.vocabulary.ids import ChangeId, CommitId
from tests.support.programs import CONFIGURATION, Project, make_project
from tests.support.repositories import Content, Playground

STATE = "refs/mergequeue/state/main"
LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
PREFLIGHT = """
[preflight.lint]
command = "true"
"""


def remembered(project: Project, files: dict[str | bytes, Content]) -> None:
    """Put files where the queue keeps its records, as anybody who can push may."""
    project.playground.run("update-ref", STATE, project.playground.commit(files))


def forged(*heads: tuple[str, CommitId], tip: CommitId) -> dict[str | bytes, Content]:
    """Return a memory that has nothing but good to say of these changes, and of others ill."""
    entries = {
        ChangeId(id_): Entry(
            id=ChangeId(id_),
            head=head,
            first_queued_at=LONG_AGO,
            queued_at=LONG_AGO,
            head_at=LONG_AGO,
            preflights=("lint",),
        )
        for id_, head in heads
    }
    pins = tuple(Pin(id=ChangeId(id_), commit=head) for id_, head in heads)
    hints = Hints(
        suspects=(Suspected(base_commit=tip, changes=pins[-1:]),),
        landings=(FailedLanding(tip=tip, changes=pins[:1], count=1, error="no"),),
    )
    return {bytes(path): raw for path, raw in files_of(Memory(None, hints, entries)).items()}


def test_whatever_is_remembered_red_is_kicked_back_and_green_is_blamed_for_nothing(
    playground: Playground,
) -> None:
    project = make_project(playground, {"mergequeue.toml": f"{CONFIGURATION}{PREFLIGHT}"})
    red = project.queue("a-red", {"one/text": "bug\n"})
    good = project.queue("b-good", {"two/text": "A\nb\nc\nd\ne\n"})
    remembered(project, forged(("a-red", red), ("b-good", good), tip=project.base))
    ran = project.run()
    assert ran.status == 0, ran.err
    last = ran.last()
    assert (last["a-red"]["code"], last["b-good"]["kind"]) == ("KICK_RED", "merged")
    assert project.landed()[b"one/text"] == b"a\nb\nc\nd\ne\n"


def test_a_memory_that_does_not_read_stops_the_queue_before_anything_merges(
    playground: Playground,
) -> None:
    project = make_project(playground)
    project.queue("good", {"one/text": "A\nb\nc\nd\ne\n"})
    remembered(project, {"queue/pause.json": "{}"})
    ran = project.run()
    assert (ran.status, BAD_STATE.code in ran.err) == (1, True)
    assert "queue/pause.json of refs/mergequeue/state/main" in ran.err
    assert project.playground.tip("main") == project.base
