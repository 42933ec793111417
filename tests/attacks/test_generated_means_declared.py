"""Generated means declared, on the base: an attribute makes nothing generated, nor does a change's
own configuration.
"""

from collections.abc import Iterator

import pytest

from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.words import Method
from tests.support.repositories import Playground
from tests.support.works import Works, make_works_forge, open_works


@pytest.fixture
def works(playground: Playground) -> Iterator[Works]:
    with open_works(make_works_forge(playground)) as opened:
        yield opened


def conflicting(works: Works, more: dict[str, str]) -> None:
    """Open a change that conflicts with the base in a source file."""
    head = works.forge.playground.commit(
        {"src/a.txt": "mine\n", **more}, parents=works.forge.playground.tip("main")
    )
    works.forge.push_to_base({"src/a.txt": "theirs\n", "gen/list": "theirs\nm\n"})
    works.forge.open("1", head, method=Method.SQUASH)


@pytest.mark.parametrize(
    "more",
    [
        {".gitattributes": "* linguist-generated merge=ours\nsrc/a.txt merge=union\n"},
        {"mergequeue.toml": '[unit.x]\npaths = ["**"]\noutputs = ["**"]\ngenerator = ["x"]\n'},
    ],
    ids=["an attribute", "its own configuration"],
)
def test_a_conflict_in_what_the_base_does_not_declare_is_the_authors(
    works: Works, more: dict[str, str]
) -> None:
    conflicting(works, more)
    works.run()
    assert works.queue.codes() == {"1": Code.KICK_CONFLICT}
    assert "src/a.txt" in works.forge.kicks[-1].paths
    assert works.text("src/a.txt") == "theirs\n"


def test_a_conflict_in_what_it_rewrites_in_place_is_the_authors(works: Works) -> None:
    tip = works.forge.playground.tip("main")
    head = works.forge.playground.commit({"version": "mine\n"}, parents=tip)
    works.forge.push_to_base({"version": "theirs\n"})
    works.forge.open("1", head)
    works.run()
    assert works.queue.codes() == {"1": Code.KICK_CONFLICT}


def test_the_change_cannot_have_more_regenerated_than_the_base_declares(works: Works) -> None:
    toml = works.forge.playground.files(works.forge.playground.tip("main"))[b"mergequeue.toml"]
    wider = toml.decode().replace('outputs = ["gen/**"]', 'outputs = ["gen/**", "src/new"]')
    works.open(
        "1",
        "b",
        files={
            "mergequeue.toml": wider,
            "tools/settings": "EXTRA='echo new > src/new' GATED=true\n",
        },
    )
    works.run()
    assert works.queue.codes() == {"1": Code.KICK_REFUSED}
    assert works.forge.kicks[-1].paths == ("src/new",)
