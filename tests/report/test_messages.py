"""The messages of what lands, as the base's file asks for them (issue 7, Control; CASES G)."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergequeue.documents.config import MessageTable
from mergequeue.report import github
from mergequeue.report.messages import Told, Wording, unfolded, wording_of
from mergequeue.vocabulary.words import Method
from tests.apply.test_words import BEN, commit
from tests.support.listings import queued

FIRST = commit("fix: the parser\n\nAt length.\n\nReviewed-by: Cy <cy@example.invalid>\n")
SECOND = commit("test: it\n", author=BEN)
LAST = commit("docs: it\n\nWhy so.\n\nMore of it.\n\nRefs: 7\n")
HOSTILE = "{change.__class__} {0} {title!r} %s {{"


def told(
    method: Method = Method.SQUASH,
    *,
    description: str | None = None,
    reviewers: Sequence[str] = (),
    title: str = "Mend the parser",
) -> Told:
    change = queued("482", "a", method=method).model_copy(update={"title": title})
    return Told(change, [FIRST, SECOND, LAST], LAST, description, reviewers)


def worded(given_told: Told, **table: object) -> Wording:
    return wording_of(MessageTable.model_validate(table), given_told)


def test_without_the_table_the_providers_own_words_stand() -> None:
    assert worded(told(), title="") == Wording()


def test_a_title_and_a_body_say_what_the_base_asks_for() -> None:
    words = worded(
        told(description="Because.\r\n"),
        title="[{base}] {title} (#{change}, {method})",
        body="{description}\n\n{commits}\n\nBy {author} {{}}",
    )

    assert words.title == "[main] Mend the parser (#482, squash)"
    assert words.body == (
        "Because.\n\n* fix: the parser\n\n* test: it\n\n* docs: it\n\n"
        "By Ann <ann@example.invalid> {}\n\n"
        "Reviewed-by: Cy <cy@example.invalid>\n"
        "Co-authored-by: Ben <Ben@Example.invalid>\n"
        "Refs: 7"
    )


def test_what_a_head_says_beneath_its_subject_stands_where_nobody_describes_the_change() -> None:
    assert worded(told(Method.MERGE), body="{description}").body == "Why so.\n\nMore of it."
    assert worded(told(Method.MERGE, description=""), body="{description}").body == ""


def test_trailers_name_everybody_once_beneath_the_providers_own_body() -> None:
    trailers = (
        "Reviewed-by: {reviewer}",
        "Co-authored-by: {co_author}",
        "Change: https://example.invalid/{change}",
    )
    reviewers = ("octocat", "hubot", "octocat")

    squash = worded(told(reviewers=reviewers), trailers=trailers)
    merge = worded(told(Method.MERGE, reviewers=reviewers), trailers=trailers)

    mine = "Reviewed-by: octocat\nReviewed-by: hubot\n{}Change: https://example.invalid/482"
    assert squash.title == merge.title == ""
    assert squash.body == (
        "* fix: the parser\n\n* test: it\n\n* docs: it\n\n"
        "Co-authored-by: Ben <Ben@Example.invalid>\nRefs: 7\n" + mine.format("")
    )
    co_author = "Co-authored-by: Ben <Ben@Example.invalid>\n"
    assert merge.body == "Mend the parser\n\n" + mine.format(co_author)


def test_a_trailer_that_names_nobody_has_no_line() -> None:
    words = worded(told(Method.MERGE), trailers=("Reviewed-by: {reviewer}",))
    assert words == Wording()


def test_one_commit_that_says_what_the_title_says_is_not_said_again() -> None:
    one = replace(told(title="docs: it"), commits=[LAST])
    wording = worded(one, title="{title} ({change})", trailers=("Change: {change}",))
    assert wording == Wording("docs: it (482)", "Refs: 7\nChange: 482")


def test_a_rebase_keeps_the_messages_of_its_commits() -> None:
    assert worded(told(Method.REBASE), title="x", body="y", trailers=("A: b",)) == Wording()


def test_what_a_change_says_is_text_and_no_template_and_keeps_workflows_running() -> None:
    words = worded(
        told(
            description=f"{HOSTILE} [skip ci]\x1b[0m\x00 @octocat",
            title=f"{HOSTILE}\n\x07[no ci] \u200d",
        ),
        title="{title}",
        body="{description}",
    )

    assert words.title == f"{HOSTILE} (no ci) \u200d"
    assert words.body is not None
    assert words.body.startswith(f"{HOSTILE} (skip ci)[0m @octocat")


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("a\n<details>\n<summary>How</summary>\n\nSo.\n</details>\nb", "a\nHow\n\nSo.\nb"),
        ("<details open><summary>How</summary>So.</details>", "How\nSo."),
        ("```\n<details>\n```\n<DETAILS>x", "```\n<details>\n```\nx"),
        ("~~~~\n~~~\n<summary>\n~~~~\n<summary>s</summary>", "~~~~\n~~~\n<summary>\n~~~~\ns"),
        ("````md\n```\n<details>\n```\n````", "````md\n```\n<details>\n```\n````"),
        ("<detailsx> a < b <b>bold</b>", "<detailsx> a < b <b>bold</b>"),
        ("a\r\n\r\n\r\n\r\nb", "a\n\nb"),
    ],
)
def test_what_a_description_folds_away_is_unfolded_outside_code(text: str, plain: str) -> None:
    assert unfolded(text) == plain


@given(st.text(alphabet="ab>`~#*\n"))
def test_unfolding_leaves_what_folds_nothing_away(text: str) -> None:
    lines = [line for line in text.split("\n") if line]
    assert [line for line in unfolded(text).split("\n") if line] == lines


@pytest.mark.parametrize("method", [Method.SQUASH, Method.MERGE])
def test_on_github_the_bases_words_win_over_githubs_and_those_typed_win_over_them(
    method: Method,
) -> None:
    said = github.Authored(482, "Mend", "topic", "acme")
    asked = github.Worded("* own\n", "The title", "The body")

    assert github.merge_words(method, said, asked) == ("The title", "The body")
    assert github.merge_words(method, said, github.Worded("* own\n", body=""))[1] == ""
    typed = github.Authored(482, "Mend", "topic", "acme", "Typed", "Typed too")
    assert github.merge_words(method, typed, asked) == ("Typed", "Typed too")
