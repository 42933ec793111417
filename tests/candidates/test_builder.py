"""Candidates: the same commit in every clone, for every user (facts 3.4, I-same)."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mergequeue.candidates.builder import CandidateBuilder
from mergequeue.conflicts.merging import TwoRuleMerging
from mergequeue.documents.changes import Change
from mergequeue.documents.config import Configuration
from mergequeue.facts.units import UnitFacts
from mergequeue.git.merges import GitMerges
from mergequeue.git.workshop import Workshop, open_workshop
from mergequeue.ports import Candidate, CandidateRequest
from mergequeue.vocabulary.identity import QUEUE, candidate_message, recording_message
from mergequeue.vocabulary.ids import BranchName, ChangeId, CommitId
from mergequeue.vocabulary.words import ConflictKind, Method, Rule
from tests.support.histories import BASE, Edit, commit_files, edited, edits
from tests.support.repositories import Playground

DATE = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
LINES = "".join(f"{number}\n" for number in range(20))

HOSTILE = {
    "commit.gpgSign": "true",
    "gpg.program": "/bin/false",
    "user.name": "Somebody Else",
    "user.email": "somebody@example.invalid",
    "merge.renames": "false",
    "merge.directoryRenames": "true",
    "merge.default": "union",
    "merge.conflictStyle": "diff3",
    "merge.renormalize": "true",
    "diff.algorithm": "patience",
    "diff.renames": "copies",
    "core.autocrlf": "true",
    "core.hooksPath": "/nonexistent",
    "i18n.commitEncoding": "latin1",
    "init.defaultBranch": "trunk",
}


def request(
    head: CommitId, onto: CommitId, *, stack_base: CommitId | None = None, id_: str = "7"
) -> CandidateRequest:
    change = Change(id=ChangeId(id_), head=head, base=BranchName("main"), method=Method.SQUASH)
    return CandidateRequest(change, stack_base, onto, DATE)


def builder(workshop: Workshop) -> CandidateBuilder:
    merging = TwoRuleMerging(GitMerges(workshop), workshop.reads, UnitFacts(Configuration()))
    return CandidateBuilder(workshop.reads, merging, workshop.builds)


@pytest.fixture
def main(playground: Playground) -> CommitId:
    return playground.branch("main", playground.commit({"f": LINES}))


@pytest.fixture
def workshop(playground: Playground, main: CommitId) -> Iterator[Workshop]:
    assert playground.tip("main") == main
    with open_workshop(playground.clone(shared=True), "origin") as opened:
        yield opened


def test_a_candidate_is_a_merge_commit_of_what_it_stands_on_and_the_head(
    playground: Playground, workshop: Workshop, main: CommitId
) -> None:
    head = playground.commit({"g": "new\n"}, parents=main)
    onto = playground.commit({"h": "other\n"}, parents=main)
    candidate = builder(workshop).build(request(head, onto))
    assert candidate.commit is not None
    facts = workshop.reads.commit(candidate.commit)
    assert facts.parents == (onto, head)
    assert facts.tree == playground.tree({"g": "new\n"}, start=onto)
    assert (facts.author, facts.committer) == (QUEUE, QUEUE)
    assert (facts.author_date, facts.committer_date) == (DATE, DATE)
    assert facts.message == candidate_message(ChangeId("7"))
    assert [each.path for each in candidate.differences] == [b"g"]
    assert candidate.rule is Rule.PATHS


def test_a_head_right_on_top_is_merged_and_never_fast_forwarded(
    playground: Playground, workshop: Workshop, main: CommitId
) -> None:
    head = playground.commit({"g": "new\n"}, parents=main)
    candidate = builder(workshop).build(request(head, main))
    assert candidate.commit is not None
    assert workshop.reads.commit(candidate.commit).parents == (main, head)


def test_a_change_that_changes_nothing_has_a_candidate_without_differences(
    playground: Playground, workshop: Workshop, main: CommitId
) -> None:
    head = playground.commit({}, parents=main, message="nothing\n")
    candidate = builder(workshop).build(request(head, main))
    assert candidate.commit is not None
    assert candidate.differences == ()
    assert workshop.reads.tree_of(candidate.commit) == workshop.reads.tree_of(main)


def test_a_conflict_makes_no_candidate_and_names_the_paths(
    playground: Playground, workshop: Workshop, main: CommitId
) -> None:
    head = playground.commit({"f": "theirs\n"}, parents=main)
    onto = playground.commit({"f": "ours\n"}, parents=main)
    candidate = builder(workshop).build(request(head, onto))
    assert candidate.commit is None
    assert [(each.path, each.kind) for each in candidate.conflicts] == [
        (b"f", ConflictKind.CONTENT)
    ]
    assert candidate.refused == ""


def test_a_head_without_a_shared_history_is_refused_in_words(
    playground: Playground, workshop: Workshop, main: CommitId
) -> None:
    orphan = playground.commit({"f": LINES})
    candidate = builder(workshop).build(request(orphan, main))
    assert candidate.commit is None
    assert "shares no history" in candidate.refused
    assert candidate.conflicts == ()


def test_an_edit_that_follows_a_rename_says_which_rule_made_it(
    playground: Playground, workshop: Workshop, main: CommitId
) -> None:
    onto = playground.commit({"f": None, "renamed": LINES}, parents=main)
    head = playground.commit({"f": LINES.replace("\n5\n", "\nedited\n")}, parents=main)
    candidate = builder(workshop).build(request(head, onto))
    assert candidate.rule is Rule.RENAMES
    assert [each.path for each in candidate.differences] == [b"renamed"]


# --- stacks ---------------------------------------------------------------------------------------


def test_a_line_that_the_upper_change_deletes_stays_deleted_after_the_lower_was_squashed(
    playground: Playground, workshop: Workshop, main: CommitId
) -> None:
    lower = playground.commit({"f": LINES + "lower\n"}, parents=main)
    upper = playground.commit({"f": LINES, "g": "upper\n"}, parents=lower)
    squashed = playground.commit({"f": LINES + "lower\n"}, parents=main)
    candidate = builder(workshop).build(request(upper, squashed, stack_base=lower))
    assert candidate.commit is not None
    facts = workshop.reads.commit(candidate.commit)
    assert playground.tree({"f": LINES, "g": "upper\n"}) == facts.tree
    recording = workshop.reads.commit(facts.parents[0])
    assert facts.parents[1] == upper
    assert recording.parents == (squashed, lower)
    assert recording.tree == workshop.reads.tree_of(squashed)
    assert recording.message == recording_message(ChangeId("7"), lower)
    assert (recording.author, recording.committer_date) == (QUEUE, DATE)


def test_an_edit_on_a_file_of_the_squashed_lower_change_is_no_conflict(
    playground: Playground, workshop: Workshop, main: CommitId
) -> None:
    lower = playground.commit({"g": "added\n"}, parents=main)
    upper = playground.commit({"g": "edited\n"}, parents=lower)
    squashed = playground.commit({"g": "added\n"}, parents=main)
    built = builder(workshop)
    candidate = built.build(request(upper, squashed, stack_base=lower))
    assert candidate.commit is not None
    tree = workshop.reads.tree_of(candidate.commit)
    assert tree == playground.tree({"g": "edited\n"}, start=main)
    # Without the stack base it is one, which nobody made.
    assert built.build(request(upper, squashed)).conflicts


def test_a_stack_base_that_is_carried_already_leaves_no_recording_commit(
    playground: Playground, workshop: Workshop, main: CommitId
) -> None:
    lower = playground.commit({"g": "added\n"}, parents=main)
    upper = playground.commit({"g": "edited\n"}, parents=lower)
    beneath = builder(workshop).build(request(lower, main, id_="6")).commit
    assert beneath is not None
    candidate = builder(workshop).build(request(upper, beneath, stack_base=lower))
    assert candidate.commit is not None
    assert workshop.reads.commit(candidate.commit).parents == (beneath, upper)


def test_a_stack_conflicts_where_its_own_change_does(
    playground: Playground, workshop: Workshop, main: CommitId
) -> None:
    lower = playground.commit({"g": "added\n"}, parents=main)
    upper = playground.commit({"f": "upper\n"}, parents=lower)
    squashed = playground.commit({"g": "added\n"}, parents=main)
    onto = playground.commit({"f": "moved\n"}, parents=squashed)
    candidate = builder(workshop).build(request(upper, onto, stack_base=lower))
    assert [each.path for each in candidate.conflicts] == [b"f"]


# --- the same commit everywhere -------------------------------------------------------------------


@contextmanager
def elsewhere(playground: Playground, name: str, settings_: dict[str, str]) -> Iterator[Workshop]:
    """Open a workshop on a clone of another user's, with settings of that user and of the clone."""
    home = playground.folder / f"home-{name}"
    (home / "templates/hooks").mkdir(parents=True)
    clone = playground.clone(name, shared=True)
    for key, value in settings_.items():
        playground.run("config", key, value, cwd=clone)
        playground.run("config", "--file", str(home / ".gitconfig"), key, value)
    playground.run(
        "config", "--file", str(home / ".gitconfig"), "init.templateDir", str(home / "templates")
    )
    refuse = home / "templates/hooks/pre-commit"
    refuse.write_text("#!/bin/sh\nexit 1\n")
    refuse.chmod(0o755)
    (clone / ".gitattributes").write_text("* merge=union\n")
    path = Path("/usr/local/bin:/usr/bin:/bin")
    outer = {"HOME": str(home), "PATH": str(path), "TZ": "Asia/Kathmandu", "LC_ALL": "C"}
    if settings_:
        outer |= {"GIT_AUTHOR_NAME": "Env", "GIT_COMMITTER_DATE": "1 +0000"}
    with open_workshop(clone, "origin", outer) as opened:
        yield opened


def chain(workshop: Workshop, onto: CommitId, heads: Sequence[CommitId]) -> list[Candidate]:
    """Build candidates on each other; one that cannot be built is left out of what is beneath."""
    built = builder(workshop)
    candidates = []
    for number, head in enumerate(heads):
        candidate = built.build(request(head, onto, id_=str(number)))
        candidates.append(candidate)
        onto = candidate.commit or onto
    return candidates


@pytest.mark.slow
def test_two_clones_of_two_users_make_the_same_commits(tmp_path: Path) -> None:
    ground = Playground(tmp_path / "ground")
    main = ground.commit({"f": LINES, "old": LINES})
    ground.branch("main", main)
    lower = ground.commit({"g": "added\n"}, parents=main)
    upper = ground.commit({"g": "edited\n"}, parents=lower)
    squashed = ground.commit({"g": "added\n"}, parents=main)
    onto = ground.commit({"old": None, "new": LINES}, parents=squashed)
    rename = ground.commit({"old": LINES.replace("\n5\n", "\nedited\n")}, parents=main)
    conflict = ground.commit({"f": "one\n"}, parents=main)
    clash = ground.commit({"f": "other\n"}, parents=main)
    made = []
    for name, settings_ in {"calm": {}, "hostile": HOSTILE}.items():
        with elsewhere(ground, name, settings_) as workshop:
            stacked = builder(workshop).build(request(upper, onto, stack_base=lower))
            assert stacked.commit is not None
            made.append([stacked, *chain(workshop, stacked.commit, [rename, conflict, clash])])
    assert made[0] == made[1]
    assert [candidate.commit is None for candidate in made[0]] == [False, False, False, True]
    assert made[0][1].rule is Rule.RENAMES


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Playground:
    ground = Playground(tmp_path_factory.mktemp("ground"))
    ground.branch("main", ground.commit({"f": "1"}))
    return ground


@pytest.fixture(scope="module")
def two_places(ground: Playground) -> Iterator[tuple[Workshop, Workshop]]:
    with elsewhere(ground, "calm", {}) as one, elsewhere(ground, "hostile", HOSTILE) as other:
        yield one, other


@pytest.mark.slow
@settings(max_examples=10, suppress_health_check=[HealthCheck.too_slow])
@given(tip=edits, changes=st.lists(edits, min_size=1, max_size=4))
def test_rebuilding_a_chain_elsewhere_gives_equal_ids(
    ground: Playground,
    two_places: tuple[Workshop, Workshop],
    tip: tuple[Edit, ...],
    changes: list[tuple[Edit, ...]],
) -> None:
    base = commit_files(ground, BASE)
    onto = commit_files(ground, edited(BASE, tip), base)
    heads = [commit_files(ground, edited(BASE, change), base) for change in changes]
    one, other = (chain(workshop, onto, heads) for workshop in two_places)
    assert one == other
