"""Apply writes its own words: what lands says nothing that a plan or a verdict says."""

import pytest

from tests.support.applying import open_queue
from tests.support.forge import Forge
from tests.support.forged import forge_change, forge_verdict
from tests.support.landings import edit, make_forge
from tests.support.repositories import Playground


@pytest.fixture
def forge(playground: Playground) -> Forge:
    return make_forge(playground)


def test_the_squash_message_holds_no_word_of_a_plan_or_a_verdict(forge: Forge) -> None:
    forge.open("1", edit(forge, "a/new.txt", "new\n", message="feat: the author's subject\n"))
    with open_queue(forge) as queue:
        queue.plan()
        forge_change(queue, "1", title="Forged title")
        queue.judge()
        forge_verdict(queue, reason="Forged reason", report="Forged report")
        queue.apply()
    (request,) = forge.merge_requests
    assert request.message == "* feat: the author's subject\n"
    assert request.change.title == "Change 1"
    assert "Forged" not in forge.playground.message(forge.playground.tip("main"))
