"""What is said of conflicts that were settled, and of those that were not."""

import pytest

from mergequeue.ports import Conflict, Region, Resolved
from mergequeue.report import resolutions
from mergequeue.vocabulary.ids import RepoPath
from mergequeue.vocabulary.words import ConflictKind, Rule

LOG = Resolved(
    RepoPath(b"CHANGELOG.md"),
    'CHANGELOG.md: prose (matches "**/*.md" (built-in default))',
    (Region("CHANGELOG.md### Unreleased", 2),) * 2,
)
ENTRY = (
    'CHANGELOG.md: prose (matches "**/*.md" (built-in default)); CHANGELOG.md### Unreleased: kind 2'
)


def test_an_entry_is_the_classifiers_line_and_each_place_once_with_its_kind() -> None:
    assert resolutions.settled_note([LOG]) == ENTRY
    assert resolutions.settled_note([LOG, LOG]) == f"{ENTRY}. {ENTRY}"
    assert resolutions.settled_note([]) == ""


def test_what_was_done_to_a_merge_is_told_in_one_line_each() -> None:
    notes = resolutions.merge_notes
    assert notes(Rule.PATHS, []) == []
    assert notes(Rule.PATHS, [LOG]) == [ENTRY]
    assert [len(notes(Rule.RENAMES, [])), len(notes(Rule.RENAMES, [LOG]))] == [1, 2]


def test_of_many_files_a_few_are_named_and_the_rest_counted() -> None:
    conflicts = [
        Conflict(RepoPath(b"%d" % number), ConflictKind.CONTENT, f"{number}: why")
        for number in range(13)
    ]
    said = resolutions.conflict_note(conflicts)
    assert said.startswith("0: why. 1: why. ")
    assert said.endswith("9: why. And 3 files more")


@pytest.mark.parametrize("kind", ConflictKind)
def test_every_kind_of_conflict_has_its_reason(kind: ConflictKind) -> None:
    assert resolutions.stayed(RepoPath(b"a\nb"), resolutions.KINDS[kind]).isprintable()


def test_a_place_that_failed_twice_for_one_reason_is_named_once() -> None:
    assert resolutions.unsettled([("a#b", "why"), ("a#b", "why"), ("a#c", "not")]) == (
        "a#b: why; a#c: not"
    )
