"""A turned-away change stays its author's: nothing is pushed to it that takes judgement."""

from collections.abc import Iterator

import pytest

from mergequeue.conflicts.merging import TwoRuleMerging
from mergequeue.documents.changes import Change
from mergequeue.documents.config import Configuration
from mergequeue.documents.keeping import TurnedAwayChange
from mergequeue.facts.lenient import LenientFacts
from mergequeue.facts.units import UnitFacts
from mergequeue.git.merges import GitMerges
from mergequeue.git.workshop import Workshop, open_workshop
from mergequeue.keep.decisions import (
    Bring,
    Left,
    decide_merge,
    message_of_bringing,
    note_of_bringing,
)
from mergequeue.ports import Merging, ThreeWay
from mergequeue.report.keeping import note_comment, note_of
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import BranchName, ChangeId
from mergequeue.vocabulary.words import Method
from tests.support.repositories import Content, Playground

Files = dict[str | bytes, Content]
NAME = "[skip ci] `@team` <!-- mergequeue keeper {}.py"
START: Files = {"a": "1\n2\n3\n4\n", "b": "1\n", "bin": b"\0\1", NAME: "1\n"}

JUDGEMENT: dict[str, tuple[Files, Files]] = {
    "the same line": ({"a": "1\nx\n3\n4\n"}, {"a": "1\ny\n3\n4\n"}),
    "lines side by side": ({"a": "1\nx\n3\n4\n"}, {"a": "1\n2\ny\n4\n"}),
    "an addition where a line went": ({"a": "1\n3\n4\n"}, {"a": "1\n2\nx\n3\n4\n"}),
    "an addition beside an edit": ({"a": "1\nx\n3\n4\n"}, {"a": "1\n2\ny\n3\n4\n"}),
    "an edit of what went": ({"b": None}, {"b": "2\n"}),
    "two files of one name": ({"new": "x\n"}, {"new": "y\n"}),
    "a binary": ({"bin": b"\0\2"}, {"bin": b"\0\3"}),
    "a file and a folder": ({"new": "x\n"}, {"new/x": "y\n"}),
    "a link": ({"b": (0o120000, b"a")}, {"b": "2\n"}),
    "no last line feed": ({"b": "1\nx"}, {"b": "1\ny"}),
    "one of two that settles": (
        {"a": "1\n2\n3\n4\nx\n", "b": "2\n"},
        {"a": "1\n2\n3\n4\ny\n", "b": "3\n"},
    ),
}


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Playground, Workshop]]:
    """A repository for all of these, and a workshop on a clone of it."""
    playground = Playground(tmp_path_factory.mktemp("kept") / "playground")
    playground.branch("main", playground.commit(START))
    with open_workshop(playground.clone(), "origin") as shop:
        yield playground, shop


def decided(
    shared: tuple[Playground, Workshop], ours: Files, theirs: Files
) -> tuple[TurnedAwayChange, object]:
    """Return a turned-away change and what becomes of it, of what both sides did to START."""
    playground, shop = shared
    base = playground.tip("main")
    tip, head = (playground.commit(files, parents=base) for files in (ours, theirs))
    for name, commit in (("ours", tip), ("theirs", head)):
        playground.branch(name, commit)
        shop.reads.fetch_branch(BranchName(name))
    facts = UnitFacts(Configuration())
    trees = GitMerges(shop)

    def made(merging: Merging) -> object:
        return merging.merge([ThreeWay(tip, head)])[0]

    own = TwoRuleMerging(trees, shop.reads, facts)
    lenient = TwoRuleMerging(trees, shop.reads, LenientFacts(facts))
    change = Change(
        id=ChangeId("7"),
        head=head,
        base=BranchName("main"),
        method=Method.SQUASH,
        branch=BranchName("theirs"),
    )
    turned = TurnedAwayChange(
        change=change, code=Code.KICK_CONFLICT, commit=head, off=False, in_stack=False, notes=()
    )
    results = [made(own), made(lenient)]
    return turned, decide_merge(turned, tip, *results, attempts=3)  # type: ignore[arg-type]  # two merges


@pytest.mark.parametrize("name", list(JUDGEMENT))
def test_what_takes_judgement_is_never_pushed(
    shared: tuple[Playground, Workshop], name: str
) -> None:
    _, became = decided(shared, *JUDGEMENT[name])
    assert isinstance(became, Left), became


def test_no_file_name_is_anything_but_text_in_what_the_keeper_says_and_commits(
    shared: tuple[Playground, Workshop],
) -> None:
    turned, became = decided(shared, {NAME: "1\nx\n"}, {NAME: "1\ny\n"})
    assert isinstance(became, Bring), became
    message = message_of_bringing(turned, BranchName("main"), became.resolved)
    assert "[skip ci]" not in message
    head = turned.change.head
    note = note_of_bringing(turned, head, head, became.resolved)
    comment = note_comment(note)
    assert f"``{NAME}#line 2``" in comment
    assert note_of(comment) == note
    assert note_of(comment.rpartition("\n")[0]) is None
