"""Whatever people do and whenever the machine dies, what the queue promises holds (facts 6.8)."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mergequeue.vocabulary.ids import ChangeId, CommitId
from mergequeue.vocabulary.words import EventKind, Method, StackMerge
from tests.support.applying import Queue, open_queue
from tests.support.batch_forge import make_batch_forge
from tests.support.forge import Forge
from tests.support.fuses import Fuse, MachineDied
from tests.support.landings import pull
from tests.support.repositories import Playground
from tests.support.stack_forge import make_stack_forge

UNITS = ("a", "b", "c")


@dataclass(frozen=True)
class Line:
    """The changes of one unit, in queue order."""

    stacked: bool
    method: Method
    reds: tuple[bool, ...]


@dataclass(frozen=True)
class World:
    """A queue, what people do meanwhile, and when the machine dies."""

    lines: tuple[Line, ...]
    in_one_call: str
    """What the provider merges in one call: `stacks`, `batches` or nothing."""
    batch: int
    withdrawn: int | None
    """Which change is taken out while applying; there may be none of that number."""
    push_before: int | None
    """Before which reading of a change somebody pushes to the base."""
    dies_at: int
    after_the_call: bool
    plans_again: bool


reds = st.lists(st.booleans(), min_size=1, max_size=3).map(tuple)
lines = st.builds(Line, st.just(value=False), st.sampled_from(Method), reds) | st.builds(
    Line, st.just(value=True), st.sampled_from([Method.SQUASH, Method.MERGE]), reds
)
worlds = st.builds(
    World,
    st.lists(lines, min_size=1, max_size=2).map(tuple),
    st.sampled_from(["", "stacks", "batches"]),
    st.integers(1, 3),
    st.none() | st.integers(1, 4),
    st.none() | st.integers(0, 6),
    st.integers(1, 90),
    st.booleans(),
    st.booleans(),
)


@dataclass
class Opened:
    """What was opened of a world."""

    forge: Forge
    below: dict[ChangeId, ChangeId]
    red: set[ChangeId]
    paths: dict[ChangeId, bytes]
    people: int = 0
    """How often somebody pushed to the base past the queue."""


def open_world(playground: Playground, world: World) -> Opened:
    stacks = world.in_one_call == "stacks"
    forge = (make_batch_forge if world.in_one_call == "batches" else make_stack_forge)(playground)
    forge.stack_merge = StackMerge.ATOMIC if stacks else StackMerge.SEQUENTIAL
    opened = Opened(forge, {}, set(), {})
    number = 0
    for unit, line in zip(UNITS, world.lines, strict=False):
        start: CommitId = playground.tip("main")
        beneath: ChangeId | None = None
        for red in line.reds:
            number += 1
            id_, path = ChangeId(str(number)), f"{unit}/{number}.txt"
            head = playground.commit({path: f"{number}\n"}, parents=start)
            parent = beneath if stacks else None
            opened.forge.open(id_, head, method=line.method, parent=parent)
            opened.paths[id_] = path.encode()
            opened.red |= {id_} if red else set()
            if line.stacked and beneath:
                opened.below[id_] = beneath
            if line.stacked:
                start, beneath = head, id_
    return opened


def let_people_act(opened: Opened, world: World) -> None:
    forge = opened.forge

    def withdraw(id_: str) -> Callable[[], object]:
        return lambda: setattr(pull(forge, id_), "queued", False)

    def push() -> None:
        opened.people += 1
        forge.push_to_base({f"people/{opened.people}.txt": "by hand\n"})

    if world.withdrawn is not None and str(world.withdrawn) in opened.paths:
        forge.before[f"approvals_at {world.withdrawn}"] = [
            lambda: None,
            withdraw(str(world.withdrawn)),
        ]
    if world.push_before is not None:
        quiet: list[Callable[[], object]] = [lambda: None] * world.push_before
        forge.before["required_checks 1"] = [*quiet, push]


def check_promises(opened: Opened) -> None:
    forge = opened.forge
    merged = [
        id_ for request in forge.merge_requests for id_ in (member.id for member in request.members)
    ]
    landed = {id_ for id_ in opened.paths if pull(forge, id_).landed is not None}
    files = forge.playground.files(forge.playground.tip("main"))
    # I-tree, I-once: the base holds what landed, once each, what people pushed, and nothing else.
    assert {path for path in files if path.endswith(b".txt")} == {
        b"a/one.txt",
        b"b/two.txt",
        *(opened.paths[id_] for id_ in landed),
        *(f"people/{n}.txt".encode() for n in range(1, opened.people + 1)),
    }
    own_line = forge.playground.run("rev-list", "--first-parent", "refs/heads/main").split()
    own_commits = {pull(forge, id_).landed for id_ in landed}  # One merge takes a stack along.
    assert len(own_line) == 1 + len(own_commits) + opened.people
    # I-order: a stacked change after the one beneath it.
    for upper, lower in opened.below.items():
        if upper in merged and pull(forge, upper).landed is not None:
            assert merged.index(lower) < merged.index(upper)
    # I-blame: nobody is blamed for another's red.
    assert {kick.change.id for kick in forge.kicks} <= opened.red
    assert not landed & opened.red
    assert len(forge.kicks) == len({kick.change.id for kick in forge.kicks})


def check_ended(opened: Opened, queue: Queue) -> None:
    # I-green and I-once, of a run that came to its end.
    assert opened.forge.list_green_now() == []
    ends = {EventKind.MERGED, EventKind.KICKED, EventKind.WAITING}
    told = [event.change for event in queue.heard.happenings if event.kind in ends]
    assert len(told) == len(set(told)) == len(queue.ended)


def validated(queue: Queue, opened: Opened, world: World) -> None:
    queue.plan(batch=world.batch)
    queue.judge(red=opened.red, batches=True)


@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow])
@given(worlds)
def test_the_promises_hold_in_every_world(world: World) -> None:
    with TemporaryDirectory() as folder:
        opened = open_world(Playground(Path(folder) / "playground"), world)
        with open_queue(opened.forge, UNITS) as queue:
            validated(queue, opened, world)
            let_people_act(opened, world)
            fuse = Fuse(world.dies_at, world.after_the_call)
            with suppress(MachineDied):
                queue.apply(fuse.guard)
            check_promises(opened)
            for _ in range(4):
                queue.heard.happenings.clear()
                if world.plans_again:
                    validated(queue, opened, world)
                else:
                    queue.source = queue.source.again()
                queue.apply()
                check_promises(opened)
                check_ended(opened, queue)
            validated(queue, opened, world)
            queue.apply()
        check_all_came_to_an_end(opened, world)


def check_all_came_to_an_end(opened: Opened, world: World) -> None:
    """Nothing is lost: whatever is green, queued and has nothing else beneath it is on the base."""
    out = {id_ for id_ in opened.paths if not pull(opened.forge, id_).queued} | opened.red
    for id_ in opened.paths:
        beneath = id_
        while beneath in opened.below and beneath not in out:
            beneath = opened.below[beneath]
        if not out & {id_, beneath} and world.withdrawn is None:
            assert pull(opened.forge, id_).landed is not None
