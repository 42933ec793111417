"""What a candidate with generated files is trusted for (seed 1, Trust model; facts 3.5, 3.6)."""

from dataclasses import dataclass

import pytest

from mergequeue.apply.generated import (
    Proven,
    Reach,
    Unproven,
    decide_bundle,
    decide_no_bundle,
    decide_not_regenerated,
    decide_proof,
    decide_regenerated,
    decide_taken,
)
from mergequeue.apply.outcomes import Kick, Wait
from mergequeue.ports import Bundle, Difference, Generation, Outputs, Regenerated
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import BranchName, CommitId, RepoPath, TreeId, Unit

MERGE, OTHER = CommitId("1" * 40), CommitId("2" * 40)
FILE, EXECUTABLE, LINK, MODULE = 0o100644, 0o100755, 0o120000, 0o160000
UNITS = (Unit("parser"),)
BASE = BranchName("main")


def paths(*names: bytes) -> frozenset[RepoPath]:
    return frozenset(map(RepoPath, names))


REACH = Reach(
    own=paths(b"src/a", b"gen/a"),
    touched=paths(b"src/a", b"gen/a", b"gen/b"),
    beneath=paths(b"tools/x", b"gen/b"),
    outputs=paths(b"gen/a", b"gen/b"),
)


def test_the_proof_is_about_all_that_changed_and_of_generated_files_about_the_changes_own() -> None:
    assert REACH.by_change == paths(b"src/a", b"gen/a")
    assert REACH.by_all == paths(b"src/a", b"gen/a", b"tools/x")


def test_with_nothing_of_its_code_changed_the_bases_regeneration_is_proven() -> None:
    proof = Generation(UNITS)
    assert decide_proof(REACH, proof, proof) == Proven(UNITS)


def test_the_changes_own_code_makes_it_unproven_whatever_lies_beneath() -> None:
    own = Generation(UNITS, (RepoPath(b"src/a"),))
    both = Generation(UNITS, (RepoPath(b"src/a"), RepoPath(b"tools/x")))
    assert decide_proof(REACH, own, both) == Unproven((RepoPath(b"src/a"),), "")


def test_what_nobody_knows_is_unproven_and_names_the_outputs() -> None:
    unknown = Generation(UNITS, (), "the unit parser names no generator")
    found = decide_proof(REACH, unknown, unknown)
    assert found == Unproven(
        (RepoPath(b"gen/a"), RepoPath(b"gen/b")), "the unit parser names no generator"
    )


@pytest.mark.parametrize(
    "both", [Generation(UNITS, (RepoPath(b"tools/x"),)), Generation(UNITS, (), "a lock file")]
)
def test_code_that_lies_beneath_alone_waits_and_blames_nobody(both: Generation) -> None:
    found = decide_proof(REACH, Generation(UNITS), both)
    assert isinstance(found, Wait)
    assert found.code is Code.WAIT_REVALIDATE


def test_where_the_bases_regeneration_makes_otherwise_the_paths_are_named() -> None:
    assert decide_regenerated(MERGE, MERGE, ()) is None
    found = decide_regenerated(MERGE, OTHER, [RepoPath(b"gen/a")])
    assert found is not None
    assert (found.code, found.paths) == (Code.KICK_REFUSED, (b"gen/a",))


def test_what_is_refused_before_it_ran_is_the_changes_and_what_fails_here_is_not() -> None:
    link = decide_not_regenerated(Regenerated(None, "A link.", (RepoPath(b"gen"),)))
    assert link == Kick(Code.KICK_REFUSED, "A link.", (RepoPath(b"gen"),))
    failed = decide_not_regenerated(Regenerated(None, "It failed: `exit status 2`.", ran=True))
    assert isinstance(failed, Wait)
    assert failed.reason.endswith("It failed: exit status 2.")


def test_without_a_bundle_the_change_needs_regeneration() -> None:
    found = decide_no_bundle(BASE, Unproven((RepoPath(b"tools/x"),), ""))
    assert (found.code, found.paths) == (Code.KICK_REGENERATION, (b"tools/x",))
    found = decide_no_bundle(BASE, Unproven((RepoPath(b"gen/a"),), "no unit @team generates it"))
    assert "(`no unit @team generates it`)" in found.detail


@dataclass(frozen=True)
class Loaded:
    """A bundle as it was loaded."""

    parents: tuple[CommitId, ...] = (MERGE,)
    differences: tuple[Difference, ...] = ()

    def take(self) -> TreeId:
        raise AssertionError


def of(path: bytes, old: int, new: int) -> Difference:
    return Difference(RepoPath(path), old, new, "3" * 40 if new else "")


GENERATED = Outputs(paths(b"gen/a", b"gen/b", b"gen/.git/x"), paths(b"stamp"), paths(b"attrs"))


def decided(loaded: Bundle | str, **modes: int) -> Bundle | Kick:
    known = {RepoPath(name.replace("__", "/").encode()): mode for name, mode in modes.items()}
    return decide_bundle(loaded, MERGE, GENERATED, known)


@pytest.mark.parametrize(
    ("old", "new"), [(FILE, FILE), (0, FILE), (EXECUTABLE, EXECUTABLE), (FILE, 0), (EXECUTABLE, 0)]
)
def test_plain_generated_files_of_the_merges_own_modes_are_taken(old: int, new: int) -> None:
    loaded = Loaded(differences=(of(b"gen/a", old, new),))
    assert decided(loaded) is loaded


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (0, EXECUTABLE),
        (FILE, EXECUTABLE),
        (EXECUTABLE, FILE),
        (0, LINK),
        (FILE, LINK),
        (LINK, FILE),
        (LINK, LINK),
        (0, MODULE),
        (MODULE, MODULE),
        (MODULE, FILE),
    ],
    ids=oct,
)
def test_a_link_a_submodule_another_mode_and_a_new_program_are_refused_by_name(
    old: int, new: int
) -> None:
    found = decided(Loaded(differences=(of(b"gen/b", FILE, FILE), of(b"gen/a", old, new))))
    assert isinstance(found, Kick)
    assert (found.code, found.paths) == (Code.KICK_REFUSED, (b"gen/a",))


@pytest.mark.parametrize("path", [b"src/a", b"stamp", b"attrs"])
def test_what_the_base_does_not_declare_as_an_output_is_refused_by_name(path: bytes) -> None:
    found = decided(Loaded(differences=(of(b"gen/a", FILE, FILE), of(path, FILE, FILE))))
    assert isinstance(found, Kick)
    assert (found.code, found.paths) == (Code.KICK_REFUSED, (path,))


def test_a_file_beneath_a_link_of_the_merge_is_refused() -> None:
    found = decided(Loaded(differences=(of(b"gen/a", 0, FILE),)), gen=LINK)
    assert isinstance(found, Kick)
    assert found.paths == (b"gen/a",)


def test_a_path_that_no_checkout_can_hold_is_refused() -> None:
    found = decided(Loaded(differences=(of(b"gen/.git/x", 0, FILE),)))
    assert isinstance(found, Kick)
    assert found.paths == (b"gen/.git/x",)


@pytest.mark.parametrize("parents", [(), (OTHER,), (MERGE, OTHER), (OTHER, MERGE)])
def test_a_commit_on_anything_but_apply_s_own_merge_is_refused(
    parents: tuple[CommitId, ...],
) -> None:
    found = decided(Loaded(parents=parents))
    assert isinstance(found, Kick)
    assert found.code is Code.KICK_REFUSED


def test_what_does_not_load_is_refused_and_its_reason_is_shown_as_text() -> None:
    found = decided("it lacks `@team`")
    assert isinstance(found, Kick)
    assert found.code is Code.KICK_REFUSED
    assert "`` it lacks `@team` ``" in found.detail


def test_a_commit_that_the_queue_never_makes_is_refused() -> None:
    assert decide_taken(MERGE, MERGE) is None
    found = decide_taken(MERGE, OTHER)
    assert found is not None
    assert found.code is Code.KICK_REFUSED
