"""An update commit is the queue's: its author is nobody whom a head claims."""

import pytest
from pygit2 import Commit

from mergequeue.documents.capabilities import Committer
from tests.support.applying import open_queue
from tests.support.forge import Forge
from tests.support.landings import LINES, edit, make_forge
from tests.support.repositories import Playground


@pytest.fixture
def forge(playground: Playground) -> Forge:
    return make_forge(playground)


def test_an_update_commit_is_the_committers_and_never_the_heads_typed_authors(forge: Forge) -> None:
    forge.committer = Committer(name="queue bot", email="bot@example.invalid")
    one = edit(forge, "a/one.txt", LINES + "added\n")
    two = forge.playground.commit(
        {"a/one.txt": LINES}, parents=one, author=("An Admin", "admin@example.invalid")
    )
    forge.open("1", one)
    forge.open("2", two)
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        queue.apply()
    pushed = forge.playground.repository[forge.merge_requests[1].commit].peel(Commit)
    assert forge.merge_requests[1].commit != two
    assert (pushed.author.email, pushed.committer.email) == ("bot@example.invalid",) * 2
