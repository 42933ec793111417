"""Names that cross borders: what is one, what is none, and git's own word on references."""

import subprocess

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mergequeue.vocabulary.ids import (
    branch_ref,
    parse_branch,
    parse_change,
    parse_commit,
    parse_ref,
    short,
)

COMMITS = {"40 digits": "0123456789" * 4, "64 digits": "abcdef01" * 8}
NO_COMMITS = {
    "empty": "",
    "short": "a" * 39,
    "between the two lengths": "a" * 50,
    "long": "a" * 65,
    "upper case": "A" * 40,
    "mixed case": "a" * 39 + "F",
    "no hexadecimal digit": "g" * 40,
    "a line break behind it": "a" * 40 + "\n",
    "a space before it": " " + "a" * 40,
    "digits of another script": "\u0661" * 40,
    "a name": "HEAD",
}
CHANGES = {
    "a number": "12",
    "a name": "add-parser_2.x",
    "an underscore first": "_x",
    "one letter": "a",
    "the longest": "x" * 128,
    "a dot behind": "a.",
}
NO_CHANGES = {
    "the plan's own name": "plan.json",
    "the plan's own name in other case": "Plan.JSON",
    "empty": "",
    "too long": "x" * 129,
    "this folder": ".",
    "the parent folder": "..",
    "hidden": ".git",
    "an option": "-x",
    "a separator": "a/b",
    "the other separator": "a\\b",
    "a space": "a b",
    "a line break": "a\n",
    "NUL": "a\0",
    "a colon": "a:b",
    "another script": "é",
    "a direction mark": "a\u202e",
}
BRANCHES = {"plain": "main", "in folders": "release/1.x", "not in ASCII": "zweig/ä", "at": "a@b"}
NO_BRANCHES = {
    "empty": "",
    "HEAD": "HEAD",
    "at alone": "@",
    "a full reference": "refs/heads/main",
    "an option": "--upload-pack=x",
    "an option below": "a/-b",
    "a revision": "main~1",
    "a reflog": "main@{1}",
    "a range": "a..b",
    "a pattern": "mq/*",
    "a refspec": "a:b",
    "forced": "+a b",
    "hidden": "a/.b",
    "a lock": "a.lock/b",
    "no last part": "a/",
    "no part between": "a//b",
    "a dot behind": "a.",
    "a control character": "a\x7f",
}


@pytest.mark.parametrize("text", COMMITS.values(), ids=COMMITS)
def test_a_full_commit_id_is_one(text: str) -> None:
    assert parse_commit(text) == text


@pytest.mark.parametrize("text", NO_COMMITS.values(), ids=NO_COMMITS)
def test_anything_else_is_no_commit_id(text: str) -> None:
    with pytest.raises(ValueError, match="not a full commit id"):
        parse_commit(text)


@pytest.mark.parametrize("text", CHANGES.values(), ids=CHANGES)
def test_what_can_name_a_folder_is_a_change_id(text: str) -> None:
    assert parse_change(text) == text


@pytest.mark.parametrize("text", NO_CHANGES.values(), ids=NO_CHANGES)
def test_what_could_lead_elsewhere_is_no_change_id(text: str) -> None:
    with pytest.raises(ValueError, match="not a change id"):
        parse_change(text)


@pytest.mark.parametrize("text", BRANCHES.values(), ids=BRANCHES)
def test_a_branch_is_one_and_so_is_its_reference(text: str) -> None:
    assert parse_branch(text) == text
    assert parse_ref(branch_ref(text)) == f"refs/heads/{text}"


@pytest.mark.parametrize("text", NO_BRANCHES.values(), ids=NO_BRANCHES)
def test_what_git_would_read_otherwise_is_no_branch(text: str) -> None:
    with pytest.raises(ValueError, match="not a"):
        parse_branch(text)


@pytest.mark.parametrize("text", ["", "main", "heads/main", "refs", "refs/", "refs//a", "HEAD"])
def test_a_reference_that_is_not_whole_is_none(text: str) -> None:
    with pytest.raises(ValueError, match="not a"):
        parse_ref(text)


def test_a_short_id_is_for_people() -> None:
    assert short("0123456789" * 4) == "012345678901"


# --- git's own word ------------------------------------------------------------------------------

_PIECES = ["a", "heads", "/", ".", "..", "-", "@", "{", "@{", ".lock", "~", "^", ":", "?", "*"]
_PIECES += ["[", "]", "\\", " ", "\x01", "\x7f", "\x85", "é", "\n", "+", "HEAD", "refs", "}"]
names = st.lists(st.sampled_from(_PIECES), min_size=1, max_size=6).map("".join) | st.text(
    st.characters(exclude_characters="\0", codec="utf-8"), min_size=1, max_size=4
)


def accepted(*words: str) -> bool:
    return subprocess.run(["git", "check-ref-format", *words], check=False).returncode == 0


@given(names)
@example("a/.b")
@example("a/b.lock")
@example("a.lock/b")
@example("@")
@example("a@{b")
@example("a.")
def test_a_reference_is_one_just_where_git_says_so(name: str) -> None:
    """Only a part that begins like an option is refused beyond what git refuses."""
    ref = f"refs/{name}"
    try:
        parse_ref(ref)
    except ValueError:
        assert not accepted(ref) or any(part.startswith("-") for part in name.split("/"))
    else:
        assert accepted(ref)


@given(names)
def test_a_branch_is_one_only_where_git_says_so(name: str) -> None:
    try:
        parse_branch(name)
    except ValueError:
        return
    assert accepted(branch_ref(name))


def test_nul_is_refused_though_nobody_can_ask_git_about_it() -> None:
    with pytest.raises(ValueError, match="check-ref-format"):
        parse_ref("refs/heads/a\0b")
