"""What an author reads on GitHub when a change goes back, and what nobody's text can do to it
(seed 1, Providers and Trust model; facts 2.9; CASES G).
"""

import json
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergequeue.documents.changes import Change
from mergequeue.documents.provider import KickBack, Reproduction
from mergequeue.report.github_comment import (
    Where,
    is_kick_comment,
    kick_comment,
    kick_of,
    same_kick,
)
from mergequeue.report.kicks import kick_report
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import BranchName, ChangeId, CommitId
from mergequeue.vocabulary.words import Method

HEAD, TIP = CommitId("1" * 40), CommitId("2" * 40)
MAIN = BranchName("main")
WHERE = Where(web="https://github.com", host="github.com", repo="OWNER/REPO", number=482)
CHANGE = Change(
    id=ChangeId("482"), head=HEAD, base=MAIN, method=Method.SQUASH, title="@everyone look"
)
GITHUB_LIMIT = 65_536


def kick(code: Code = Code.KICK_CONFLICT, **more: object) -> KickBack:
    paths = more.get("paths", ("CHANGELOG.md", "a b.txt"))
    with_ = more.pop("with_", ("3" * 12 + " Change the log",))
    assert isinstance(paths, tuple)
    assert isinstance(with_, tuple)
    report = kick_report(code, change=CHANGE, base=MAIN, on=TIP, paths=paths, with_=with_)
    given_ = {"change": CHANGE, "commit": HEAD, "code": code, "report": report, "paths": paths}
    return KickBack(**{**given_, "with_": with_, **more})  # type: ignore[arg-type]  # the test's own words


WHOLE = kick(
    claim="2 tests failed\nsee `log`",
    source="OWNER/REPO/runs/77",
    reproduce=Reproduction(gate="make check ARGS='a b'"),
)


def test_it_says_all_that_its_author_needs_in_this_order() -> None:
    text = kick_comment(WHOLE, WHERE)
    parts = [
        "It conflicts with the base in `CHANGELOG.md` and `a b.txt`.",
        "```\n2 tests failed\nsee `log`\n```",
        "[run 77](https://github.com/OWNER/REPO/actions/runs/77)",
        "gh run download 77 -R OWNER/REPO -n mergequeue-plan -D mergequeue-77",
        "<details><summary>Files at issue (2)</summary>",
        "- `CHANGELOG.md`",
        "<details><summary>Commits of the base that touched them (1)</summary>",
        "gh pr merge 482 --auto --squash",
        "<!-- mergequeue {",
    ]
    assert [text.find(part) for part in parts] == sorted(text.find(part) for part in parts)
    assert all(part in text for part in parts)
    assert "everyone" not in text


def test_each_file_is_named_in_one_list() -> None:
    assert kick_comment(WHOLE, WHERE).count("- `CHANGELOG.md`") == 1
    assert "Files at issue:" not in kick_comment(WHOLE, WHERE)


def test_the_run_is_repeated_by_applys_own_line_as_one_word_of_a_shell() -> None:
    line = next(line for line in kick_comment(WHOLE, WHERE).splitlines() if "--gate" in line)
    assert line == (
        "mergequeue validate --stdin --verdicts mergequeue-77/verdicts --only 482 "
        "--gate 'make check ARGS='\"'\"'a b'\"'\"'' < mergequeue-77/plan.json"
    )


@pytest.mark.parametrize("more", [{"source": ""}, {"reproduce": None}, {"source": "x/runs/1\n"}])
def test_without_a_run_or_a_line_nothing_is_said_of_repeating_it(more: dict[str, object]) -> None:
    assert "Run it again" not in kick_comment(WHOLE.model_copy(update=more), WHERE)


def test_on_another_host_the_download_names_it() -> None:
    there = replace(WHERE, web="https://ghe.example", host="ghe.example")
    assert "-R ghe.example/OWNER/REPO" in kick_comment(WHOLE, there)


def test_a_change_that_a_label_queued_is_queued_again_by_it() -> None:
    text = kick_comment(WHOLE, replace(WHERE, labelled=True))
    assert "gh pr edit 482 --add-label 'merge-queue: squash'" in text
    assert "--auto" not in text


def test_a_member_of_a_stack_is_queued_again_by_the_label_on_its_top() -> None:
    text = kick_comment(WHOLE, replace(WHERE, top=490))
    assert "gh pr edit 490 --add-label 'merge-queue: squash'" in text


def test_a_fork_is_not_told_how_to_queue_again() -> None:
    assert "To queue it again" not in kick_comment(WHOLE, replace(WHERE, fork=True))


def test_a_change_that_needs_regeneration_is_told_its_label_and_what_to_do() -> None:
    text = kick_comment(kick(Code.KICK_REGENERATION), WHERE)
    assert "`merge-queue: needs regeneration`" in text
    assert "Merge `main` into it, regenerate" in text


def test_the_last_line_is_the_marker_with_code_head_and_files() -> None:
    last = kick_comment(WHOLE, WHERE).splitlines()[-1]
    found = re.fullmatch(r"<!-- mergequeue (.*) -->", last)
    assert found is not None
    assert json.loads(found[1]) == {
        "code": "KICK_CONFLICT",
        "head": HEAD,
        "method": "squash",
        "files": ["CHANGELOG.md", "a b.txt"],
    }


def test_the_marker_is_read_again_and_one_of_an_older_version_names_no_method() -> None:
    read = kick_of(kick_comment(WHOLE, WHERE))
    assert read is not None
    assert (read.code, read.head, read.method) == (Code.KICK_CONFLICT, HEAD, Method.SQUASH)
    older = kick_of(f'Text.\n\n<!-- mergequeue {{"code": "KICK_RED", "head": "{HEAD}"}} -->')
    assert older is not None
    assert older.method is None
    assert kick_of("<!-- mergequeue {} -->") is None
    assert kick_of("Text.") is None


@pytest.mark.parametrize(
    "name", ["--> @acme/all <img src=x onerror=y>", "<!-- -->", "a\nb", "`x`", "@team", "é&"]
)
def test_no_file_name_ends_the_marker_or_mentions_anybody(name: str) -> None:
    last = kick_comment(kick(paths=(name,)), WHERE).splitlines()[-1]
    inside = last.removeprefix("<!-- mergequeue ").removesuffix(" -->")
    assert not set("-<>!&@") & set(inside)
    assert json.loads(inside)["files"] == [name]


def test_a_comment_is_the_queues_only_by_its_last_line() -> None:
    text = kick_comment(WHOLE, WHERE)
    assert is_kick_comment(text + "\n\n")
    assert not is_kick_comment(text + "\nThank you!")
    assert not is_kick_comment(f"> {text.splitlines()[-1]}")
    assert not is_kick_comment("")


def test_two_comments_are_of_one_kick_by_code_head_and_files() -> None:
    one = kick_comment(WHOLE, WHERE)
    assert same_kick(one, kick_comment(WHOLE.model_copy(update={"claim": "x"}), WHERE))
    for more in ({"commit": TIP}, {"paths": ("other",)}, {"code": Code.KICK_RED}):
        assert not same_kick(one, kick_comment(WHOLE.model_copy(update=more), WHERE))


ODD = st.text(alphabet=st.sampled_from("ab`@-<>!& \n\r\t\x00\u202e\u2028\ud800é😀"), max_size=12)


@given(
    paths=st.lists(ODD, max_size=80),
    with_=st.lists(ODD, max_size=80),
    claim=ODD,
    times=st.integers(min_value=1, max_value=2000),
)
def test_it_always_fits_and_keeps_its_last_lines(
    paths: list[str], with_: list[str], claim: str, times: int
) -> None:
    long = tuple(path * times for path in paths)
    made = kick(paths=tuple("x" for _ in paths)).model_copy(
        update={"paths": long, "with_": tuple(one * times for one in with_), "claim": claim * times}
    )
    text = kick_comment(made, WHERE)
    assert len(text.encode("utf-16-le", errors="surrogatepass")) // 2 < GITHUB_LIMIT
    assert len(text.encode("utf-8", errors="replace")) < GITHUB_LIMIT
    assert is_kick_comment(text)
    assert "gh pr merge 482 --auto --squash" in text


def test_a_report_beyond_all_measure_is_cut_at_whole_lines() -> None:
    report = "It is red.\n\n" + "\n".join(f"`line {number} @acme`" for number in range(9000))
    made = kick().model_copy(update={"report": report})
    text = kick_comment(made, WHERE)
    assert len(text.encode()) < GITHUB_LIMIT
    assert "(The rest is too long to show here.)" in text
    assert all(line.count("`") % 2 == 0 for line in text.splitlines() if "@acme" in line)


def test_a_line_beyond_all_measure_is_shown_as_text() -> None:
    made = kick().model_copy(update={"report": "`" + "x @acme " * 9000 + "`"})
    text = kick_comment(made, WHERE)
    line = next(number for number, it in enumerate(text.splitlines()) if "@acme" in it)
    assert text.splitlines()[line - 1].startswith("```")
