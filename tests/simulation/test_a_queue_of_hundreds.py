"""A queue of more than a hundred changes over plain git, against what a model says of it.

Seed 2, When a batch fails; Running ahead. The gate is a real one, in the real sandbox; what the
model says comes from the names of the changes alone.
"""

import math
import random
from collections.abc import Collection, Sequence

import pytest

from tests.support.programs import make_project
from tests.support.repositories import Playground

pytestmark = pytest.mark.slow

CHANGES = 120
BATCH = 8
DEPTH = 2
GATE = """\
for file in changes/bad-*; do test ! -e "$file" || { echo "$file is bad"; exit 1; }; done
for file in changes/first-*; do
  other="changes/second-${file#changes/first-}"
  test ! -e "$file" || test ! -e "$other" || { echo "$file meets $other"; exit 1; }
done
"""
TOML = """\
[queue]
gate = "sh gate"
"""


def names(seed: int) -> list[str]:
    """Return the changes in queue order: most are good, some bad, some break one ahead of them."""
    draw = random.Random(seed)
    made = [f"good-{number:03}" for number in range(CHANGES)]
    for number in draw.sample(range(CHANGES), 5):
        made[number] = f"bad-{number:03}"
    first, second = sorted(draw.sample([n for n, name in enumerate(made) if "good" in name], 2))
    made[first], made[second] = f"first-{first}", f"second-{first}"
    return made


def is_red(there: Collection[str]) -> bool:
    """Return what the gate says of a tree that holds these changes."""
    firsts = {name.removeprefix("first-") for name in there if name.startswith("first-")}
    return any(name.startswith("bad-") for name in there) or any(
        f"second-{first}" in there for first in firsts
    )


def modelled(order: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return which changes land, and which go back, when each is tried on those that landed."""
    landed: list[str] = []
    back: list[str] = []
    for name in order:
        (back if is_red([*landed, name]) else landed).append(name)
    return landed, back


def test_every_good_change_lands_and_only_what_broke_its_batch_goes_back(
    playground: Playground,
) -> None:
    project = make_project(playground, {"mergequeue.toml": TOML, "gate": GATE})
    order = names(2)
    # An intent's place is its name's, until a run has recorded it.
    ids = {f"{place:03}-{name}": name for place, name in enumerate(order)}
    for id_, name in ids.items():
        project.queue(id_, {f"changes/{name}": "here\n"})
    landed, back = modelled(order)
    ran = project.run(f"--batch={BATCH}", f"--depth={DEPTH}")
    assert ran.status == 0, ran.err
    last = ran.last()
    assert {ids[id_]: event.get("code", "") for id_, event in last.items()} == {
        **dict.fromkeys(landed, ""),
        **dict.fromkeys(back, "KICK_RED"),
    }
    there = {path.decode() for path in project.landed() if path.startswith(b"changes/")}
    assert there == {f"changes/{name}" for name in landed}
    gates = [event for event in ran.events if event["kind"] == "gate"]
    halving = len(back) * (2 * math.ceil(math.log2(BATCH)) + 1)
    ahead = len(back) * (DEPTH - 1)
    assert len(gates) <= math.ceil(CHANGES / BATCH) + halving + ahead
