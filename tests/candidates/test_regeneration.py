"""Where files may be regenerated, and which of a regeneration's writes count (facts C11, C12)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergequeue.candidates.regeneration import (
    Refusal,
    decide_before,
    decide_left,
    decide_written,
    paths_to_take,
    places_of,
)
from mergequeue.ports import Difference, Outputs, Stale, Touched
from mergequeue.report import refusals
from mergequeue.vocabulary.ids import CommitId, RepoPath

COMMIT = CommitId("1" * 40)
LINK, FILE, FOLDER = 0o120000, 0o100644, 0o040000


def paths(*names: bytes) -> frozenset[RepoPath]:
    return frozenset(map(RepoPath, names))


def before(outputs: list[bytes], touched: list[bytes], modes: dict[bytes, int]) -> Refusal | None:
    stale = Stale(COMMIT, (), tuple(map(RepoPath, outputs)), tuple(map(RepoPath, touched)))
    return decide_before(stale, {RepoPath(path): mode for path, mode in modes.items()})


def test_nothing_is_in_the_way_of_plain_files() -> None:
    assert before([b"gen/a"], [b"src/a"], {b"gen": FOLDER, b"gen/a": FILE}) is None


@pytest.mark.parametrize("link", [b"gen/deep/a", b"gen/deep", b"gen"])
def test_an_output_at_or_beneath_a_link_is_refused(link: bytes) -> None:
    found = before([b"gen/deep/a", b"gen/b"], [], {link: LINK})
    assert found is not None
    assert found.sentence == refusals.links_refused()
    assert b"gen/deep/a" in found.paths


def test_a_changed_path_that_is_a_link_is_refused_and_a_link_elsewhere_is_not() -> None:
    found = before([b"gen/a"], [b"src/x", b"src/link"], {b"src/link": LINK, b"other": LINK})
    assert found == Refusal(refusals.links_refused(), (RepoPath(b"src/link"),))
    # A name that only starts like a link lies not beneath it.
    assert before([b"gen/a"], [b"src/linked"], {b"src/link": LINK}) is None


@pytest.mark.parametrize("path", [b"gen/a\nb", b"gen/\r"])
def test_an_output_with_a_line_break_is_refused_before_any_link(path: bytes) -> None:
    found = before([path, b"gen/a"], [], {b"gen": LINK})
    assert found == Refusal(refusals.line_break_refused(), (RepoPath(path),))


@given(st.lists(st.lists(st.sampled_from([b"a", b"b", b"cc"]), min_size=1, max_size=4)))
def test_the_places_of_paths_are_they_and_every_folder_above(parts: list[list[bytes]]) -> None:
    given_ = [RepoPath(b"/".join(each)) for each in parts]
    expected = {b"/".join(each[:count]) for each in parts for count in range(1, len(each) + 1)}
    assert places_of(given_) == expected


DECLARED = Outputs(paths(b"gen/a", b"gen/n", b"gen/.git/config"), paths(b"stamp"), paths(b"attrs"))


def test_new_files_have_to_be_declared() -> None:
    left = Touched(paths(b"src/a"), paths(b"gen/n", b"y", b"x"))
    assert decide_left(left, DECLARED) == Refusal(
        refusals.strays_refused(), (RepoPath(b"x"), RepoPath(b"y"))
    )
    assert decide_left(Touched(paths(b"src/a"), paths(b"gen/n", b"attrs")), DECLARED) is None


def test_a_checkout_that_was_tampered_with_is_not_looked_at() -> None:
    found = decide_left(Touched(tampered="it replaced `.git`"), DECLARED)
    assert found == Refusal(refusals.tampered_refused("it replaced `.git`"))


def test_a_declared_file_that_no_checkout_can_hold_is_refused() -> None:
    found = decide_left(Touched(new=paths(b"gen/.git/config")), DECLARED)
    assert found is not None
    assert found.paths == (b"gen/.git/config",)


def test_what_the_build_tool_maintains_is_not_taken() -> None:
    left = Touched(paths(b"attrs", b"gen/a"), paths(b"gen/n"))
    assert paths_to_take(left, DECLARED) == paths(b"gen/a", b"gen/n")


def test_what_differs_has_to_be_declared_as_written_whole_or_in_place() -> None:
    def differing(*names: bytes) -> list[Difference]:
        return [Difference(RepoPath(name), FILE, FILE, "1" * 40) for name in names]

    assert decide_written(differing(b"gen/a", b"stamp"), DECLARED) is None
    assert decide_written((), DECLARED) is None
    found = decide_written(differing(b"gen/a", b"src/a", b"attrs"), DECLARED)
    assert found == Refusal(refusals.strays_refused(), (RepoPath(b"src/a"), RepoPath(b"attrs")))
