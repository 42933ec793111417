"""From listing to landing, over a provider that merges by itself."""

import pytest

from mergequeue.vocabulary.words import Method
from tests.support.applying import open_queue
from tests.support.forge import Forge
from tests.support.repositories import Playground


@pytest.fixture
def forge(playground: Playground) -> Forge:
    playground.branch("main", playground.commit({"a/one.txt": "1\n2\n3\n", "b/two.txt": "b\n"}))
    return Forge(playground)


def test_a_green_change_merges(forge: Forge) -> None:
    base = forge.playground.tip("main")
    forge.open("1", forge.playground.commit({"a/new.txt": "new\n"}, parents=base))
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        result = queue.apply()
    assert result.failure is None
    assert queue.codes() == {"1": "merged"}
    assert forge.playground.files(forge.playground.tip("main"))[b"a/new.txt"] == b"new\n"
