"""What an author reads, word for word (facts 2.9)."""

import pytest

from mergequeue.report.kicks import kick_report, kicked_reason
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import CommitId, RefName
from tests.support.graphs import commit_id
from tests.support.listings import BASE, queued

CHANGE = queued("482", "a", title="<b>@everyone</b> [skip ci]", ref=None)
HEAD, ON = commit_id("a")[:12], commit_id("tip")[:12]
TIP = commit_id("tip")

CONFLICT = f"""\
It conflicts with the base in `CHANGELOG.md` and ``a`b``.

Its head `{HEAD}` was merged onto `main` at `{ON}`, with nothing queued ahead of it beneath, so \
the conflict is its own.

Files at issue:

- `CHANGELOG.md`
- ``a`b``

Commits of `main` that touched them:

- `0123456789ab fix: parser`

Merge `main` into it (or rebase it onto that), settle these files, push, and queue it again, with \
the merge method `squash`.
"""

RED = f"""\
The gate is red with it, and green without it: `exit status 2`.

Its head `{HEAD}` was run on `{ON}`, on the way to `main`. Nothing beneath it explains the red, so \
it is its own.

Run it with the base merged in, mend what is red, push, and queue it again: a push of its new head \
to `mq/squash/fix` does that.
"""

REFUSED = f"""\
It is wrong: mend it.

This is about its head `{HEAD}`, looked at on `{ON}` on the way to `main`.

Once that is put right, queue it again, with the merge method `squash`.
"""


def test_a_conflict_names_files_and_commits_whose_it_is_and_what_to_do() -> None:
    report = kick_report(
        Code.KICK_CONFLICT,
        change=CHANGE,
        base=BASE,
        on=TIP,
        paths=["CHANGELOG.md", "a`b"],
        with_=["0123456789ab fix: parser"],
    )

    assert report == CONFLICT


def test_a_red_says_what_failed_and_how_a_branch_queues_it_again() -> None:
    report = kick_report(
        Code.KICK_RED,
        change=CHANGE.model_copy(update={"ref": RefName("refs/heads/mq/squash/fix")}),
        base=BASE,
        on=TIP,
        detail="The gate is red with it, and green without it: `exit status 2`.",
    )

    assert report == RED


def test_a_refusal_starts_with_its_own_sentence() -> None:
    report = kick_report(
        Code.KICK_REFUSED, change=CHANGE, base=BASE, on=TIP, detail="It is wrong: mend it."
    )

    assert report == REFUSED


KICKS = [code for code in Code if code.is_kick]


@pytest.mark.parametrize("code", KICKS)
def test_every_kick_has_a_first_line_of_one_short_sentence_and_says_how_to_go_on(
    code: Code,
) -> None:
    report = kick_report(code, change=CHANGE, base=BASE, on=TIP)

    first, _, rest = report.partition("\n\n")
    assert first.endswith(".")
    assert "\n" not in first
    assert len(first) < 160
    assert HEAD in rest
    assert ON in rest
    assert "queue it again" in rest


@pytest.mark.parametrize("code", KICKS)
def test_no_title_is_ever_shown(code: Code) -> None:
    report = kick_report(code, change=CHANGE, base=BASE, on=TIP, paths=["f"], with_=["c"])

    assert "everyone" not in report
    assert "skip ci" not in report


@pytest.mark.parametrize(
    ("claim", "reason"),
    [
        ("", "It is red."),
        ("It is red.", "It is red."),
        ("exit 2\nthen", "It is red. Its verdict says: exit 2\\x0athen"),
        ("x" * 400, f"It is red. Its verdict says: {'x' * 297}..."),
    ],
)
def test_the_reason_of_a_kick_adds_what_its_verdict_says_and_the_report_does_not(
    claim: str, reason: str
) -> None:
    assert kicked_reason("It is red.\n\nMore.\n", claim) == reason


def test_a_claim_that_starts_as_the_report_does_says_only_what_it_adds() -> None:
    claim = "It conflicts with the base in `a`. a#f: both sides changed the same lines"
    assert kicked_reason("It conflicts with the base in `a`.\n\nMore.\n", claim) == (
        "It conflicts with the base in `a`. "
        "Its verdict says: a#f: both sides changed the same lines"
    )


def test_why_files_are_at_issue_is_text_in_code_spans_and_of_many_a_few() -> None:
    whys = [f"{number}#`f`: <b>@everyone</b>" for number in range(12)]
    report = kick_report(Code.KICK_CONFLICT, change=CHANGE, base=BASE, on=TIP, whys=whys)
    items = [line for line in report.splitlines() if line.startswith("- ")]
    assert items == [f"- ``{why}``" for why in whys[:10]]
    assert "\nand 2 more.\n" in report


@pytest.mark.parametrize(
    ("paths", "where"),
    [
        ([], ""),
        (["a"], " in `a`"),
        (["a", "b", "c"], " in `a`, `b` and `c`"),
        (["a", "b", "c", "d"], " in 4 files"),
        (["a" * 121], " in 1 file"),
        (["a", "b" * 120], " in 2 files"),
    ],
)
def test_the_first_line_of_a_conflict_names_the_files_where_they_are_few_and_short(
    paths: list[str], where: str
) -> None:
    report = kick_report(Code.KICK_CONFLICT, change=CHANGE, base=BASE, on=TIP, paths=paths)

    assert report.startswith(f"It conflicts with the base{where}.\n")


def test_the_first_fifty_files_are_shown_and_the_rest_counted() -> None:
    paths = [f"file {number}" for number in range(53)]

    report = kick_report(Code.KICK_CONFLICT, change=CHANGE, base=BASE, on=TIP, paths=paths)

    assert report.startswith("It conflicts with the base in 53 files.\n")
    assert "- `file 49`\n\nand 3 files more.\n" in report
    assert "file 50" not in report


def test_commits_are_shown_beneath_files_alone() -> None:
    report = kick_report(Code.KICK_REFUSED, change=CHANGE, base=BASE, on=TIP, with_=["c"])

    assert "Commits of" not in report


def test_a_file_name_that_is_markup_or_more_than_a_line_stays_a_code_span() -> None:
    name = '"x\\x0a<!-- @team -->"'

    report = kick_report(Code.KICK_CONFLICT, change=CHANGE, base=BASE, on=TIP, paths=[name])

    assert f"- `{name}`" in report


def test_the_longest_report_stays_under_what_a_comment_holds() -> None:
    names = ["\u20ac" * 4000 + str(number) for number in range(60)]

    report = kick_report(
        Code.KICK_CONFLICT, change=CHANGE, base=BASE, on=TIP, paths=names, with_=names
    )

    assert len(report.encode()) < 60_000


def test_a_detail_of_several_lines_is_one_line() -> None:
    report = kick_report(Code.KICK_REFUSED, change=CHANGE, base=BASE, on=TIP, detail="One.\nTwo.")

    assert report.partition("\n")[0] == "One.\\x0aTwo."


def test_a_commit_is_shown_by_twelve_digits() -> None:
    report = kick_report(Code.KICK_REFUSED, change=CHANGE, base=BASE, on=CommitId("f" * 40))

    assert f"`{'f' * 12}`" in report
    assert "f" * 13 not in report
