from collections.abc import Iterator

import pytest

from tests.plaingit.world import Machine, World, make_world
from tests.support.repositories import Playground


@pytest.fixture
def world(playground: Playground) -> Iterator[World]:
    yield from make_world(playground)


@pytest.fixture
def machine(world: World) -> Machine:
    return world.machine()
