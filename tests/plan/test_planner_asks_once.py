"""Planning's questions do not grow with the queue (DESIGN, Merging)."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from mergequeue.vocabulary.words import Method
from tests.support.planning import PlanningQueue
from tests.support.repositories import Content, Playground


@dataclass
class Counted:
    """Passes every call on, and counts it."""

    inner: Any
    calls: Counter[str] = field(default_factory=Counter)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def counted(*args: object, **named: object) -> object:
            self.calls[name] += 1
            return getattr(self.inner, name)(*args, **named)

        return counted


def updated(queue: PlanningQueue, size: int) -> None:
    """Queue changes whose heads merge the base."""
    for number in range(size):
        seen = queue.commit({f"parser/{number}": "new\n"})
        queue.add(str(number), queue.playground.commit({}, parents=(seen, queue.root)))
    queue.advance({"web/x": "base\n"})


def rebased(queue: PlanningQueue, size: int) -> None:
    """Queue changes that were rebased since they were approved, and that merge by rebase."""
    tip = queue.advance({"web/x": "base\n"})
    for number in range(size):
        files: dict[str | bytes, Content] = {f"parser/{number}": "new\n"}
        old = queue.playground.branch(f"refs/kept/{number}", queue.commit(files))
        first = queue.commit({f"parser/{number}": "n\n"}, tip)
        queue.add(str(number), files, on=first, method=Method.REBASE)
        queue.provider.now[str(number)] = {"approved": False, "approved_commit": old}


def asked(
    playground: Playground, size: int, fill: Callable[[PlanningQueue, int], None]
) -> dict[str, int]:
    """Return how often a plan of this many changes asks what costs a process or a request."""
    queue = PlanningQueue(playground, {"parser/a": "one\n"})
    fill(queue, size)
    with queue.planner() as (planner, listing):
        ports = {
            name: Counted(getattr(planner, name))
            for name in ("reads", "trees", "merging", "facts", "provider")
        }
        plan = replace(planner, **ports).plan(listing, depth=8, batch=1)
    assert len(plan.admitted) == size
    counts = sum((port.calls for port in ports.values()), Counter[str]())
    # These answer from memory.
    for name in ("commit", "committed", "tree_of", "differences", "fork_point", "line_of"):
        counts.pop(name, None)
    return dict(counts)


@pytest.mark.parametrize("fill", [updated, rebased])
def test_the_number_of_questions_is_the_same_for_any_queue(
    playground: Playground,
    tmp_path_factory: pytest.TempPathFactory,
    fill: Callable[[PlanningQueue, int], None],
) -> None:
    other = Playground(tmp_path_factory.mktemp("other"))

    assert asked(playground, 2, fill) == asked(other, 12, fill)
