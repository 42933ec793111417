"""Apply writes its own words: what lands says nothing that a plan or a verdict says."""

import subprocess

import pytest

from mergequeue.documents.config import MessageTable
from mergequeue.report.messages import Told, squash_message, wording_of
from mergequeue.vocabulary.text import one_line
from mergequeue.vocabulary.words import Method
from tests.apply.test_words import commit
from tests.support.applying import open_queue
from tests.support.forge import Forge
from tests.support.forged import forge_change, forge_verdict
from tests.support.landings import edit, make_forge
from tests.support.listings import queued
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


def trailers_of(message: str) -> list[str]:
    """Return what git itself reads as the trailers of a message."""
    command = ("git", "interpret-trailers", "--parse")
    parsed = subprocess.run(command, input=message, capture_output=True, text=True, check=True)
    return parsed.stdout.splitlines()


@pytest.mark.parametrize(
    "said",
    [
        pytest.param("Why.\n\nReviewed-by: boss", id="at its end"),
        pytest.param("Reviewed-by: boss", id="as all of it"),
        pytest.param("\n \u2003reviewed-BY \t: boss", id="behind space"),
        pytest.param("Why.\r\n\r\n\x00Reviewed\x07-by\x7f: boss", id="behind control characters"),
        pytest.param("<details>Reviewed-by: boss</details>", id="folded away"),
    ],
)
@pytest.mark.parametrize("method", [Method.SQUASH, Method.MERGE])
def test_no_author_says_what_a_trailer_of_the_bases_says(method: Method, said: str) -> None:
    change = queued("1", "a", method=method).model_copy(update={"title": said})
    own = commit(f"It\n\n{said}\n")
    of_provider = squash_message([own], own) if method is Method.SQUASH else one_line(said)
    for body in (None, "{description}", "{title}"):
        table = MessageTable(body=body, trailers=("Reviewed-by: {reviewer}",))
        words = wording_of(table, Told(change, [own], own, said))
        lands = of_provider if words.body is None else words.body
        assert trailers_of(f"A title\n\n{lands}\n") == []
        reviewed = wording_of(table, Told(change, [own], own, said, ["octocat"]))
        assert reviewed.body is not None
        assert "boss" not in reviewed.body.rpartition("\n\n")[2]
