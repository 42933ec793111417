"""The page that a CI shows of a job."""

import re
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from mergequeue.report.picture import Doing
from mergequeue.report.summary import DRAWN, Row, View, page
from mergequeue.vocabulary.ids import BranchName, ChangeId

MAIN = BranchName("main")


def change(number: int) -> ChangeId:
    return ChangeId(str(number))


def view_of(lines: Sequence[Sequence[Sequence[int]]], *rows: Row) -> View:
    shown = {row.id: row for row in rows}
    for line in lines:
        for batch in line:
            for number in batch:
                shown.setdefault(change(number), Row(change(number), Doing.QUEUED))
    kept = [[[change(number) for number in batch] for batch in line] for line in lines]
    return View(MAIN, kept, shown)


def chart_of(markdown: str) -> list[str]:
    found = re.search(r"```mermaid\n(.*?)\n```", markdown, re.DOTALL)
    assert found is not None
    return [line.strip() for line in found[1].splitlines()]


def test_each_line_is_a_box_with_its_changes_in_merge_order() -> None:
    chart = chart_of(page("Plan", view_of([[[1], [2]], [[3]]])))
    assert chart[0] == "flowchart LR"
    assert [line for line in chart if line.startswith("subgraph")] == [
        'subgraph line0["line 0"]',
        'subgraph line1["line 1"]',
    ]
    assert "c0 --> c1" in chart
    assert "c1 --> c2" not in chart


def test_a_batch_and_a_stack_are_boxes_of_their_own() -> None:
    stacked = Row(change(3), Doing.QUEUED, below=change(2))
    chart = chart_of(page("Plan", view_of([[[1, 2, 3]]], stacked)))
    boxes = [line for line in chart if line.startswith("subgraph") or line == "end"]
    assert boxes == [
        'subgraph line0["line 0"]',
        'subgraph line0batch0["batch"]',
        'subgraph line0batch0stack1["stack"]',
        "end",
        "end",
        "end",
    ]


def test_each_change_shows_what_it_is_doing() -> None:
    markdown = page("Apply", view_of([[[1]]], Row(change(1), Doing.KICKED, why="the gate was red")))
    assert 'c0["1<br/>kicked back"]:::kicked' in chart_of(markdown)
    assert "| 1 |  | kicked back | `the gate was red` |  |" in markdown


def test_a_row_names_where_the_change_is_and_what_to_type() -> None:
    row = Row(
        change(482),
        Doing.KICKED,
        title="fix: parser",
        why="red",
        command="gh pr merge 482 --auto --squash",
        url="https://github.com/acme/acme/pull/482",
    )
    markdown = page("Apply", view_of([], row))
    assert (
        "| [482](https://github.com/acme/acme/pull/482) | `fix: parser` | kicked back | `red` "
        "| `gh pr merge 482 --auto --squash` |"
    ) in markdown
    assert "mermaid" not in markdown


def test_a_queue_that_is_too_long_to_draw_says_how_many_are_left_out() -> None:
    markdown = page("Plan", view_of([[[number] for number in range(DRAWN + 7)]]))
    assert "7 more changes are queued than the picture shows." in markdown
    assert f"c{DRAWN}[" not in markdown
    assert markdown.count("| queued |") == DRAWN + 7


def test_with_nothing_queued_it_says_so() -> None:
    assert page("Plan", view_of([])).endswith("Nothing is queued for `main`.")


BARS = st.text(st.sampled_from("|\\`a "), min_size=1)


@given(st.text(min_size=1) | BARS, st.text(min_size=1) | BARS)
def test_whatever_was_typed_is_one_cell_of_one_row(title: str, why: str) -> None:
    row = Row(change(1), Doing.WAITS, title=title, why=why)
    markdown = page("Apply", view_of([[[1]]], row))
    table = markdown[markdown.index("| change") :].split("\n")
    assert len(table) == 3
    # As GitHub reads a row: a backslash escapes the punctuation behind it, a bar ends a cell.
    bars = re.findall(r"\\[!-/:-@\[-`{-~]|(\|)", table[2])
    assert len([bar for bar in bars if bar]) == 6


def test_a_table_that_is_too_long_ends_with_a_whole_row_and_counts_the_others() -> None:
    rows = [Row(change(number), Doing.QUEUED, title="x" * 200) for number in range(1, 501)]
    whole = page("main", view_of([], *rows))
    cut = page("main", view_of([], *rows), 65_436)
    assert len(cut.encode()) <= 65_436 < len(whole.encode())
    *table, empty, counted = cut.splitlines()
    assert empty == ""
    shown = [line for line in table if line.startswith("| ")]
    assert shown == [line for line in whole.splitlines() if line.startswith("| ")][: len(shown)]
    assert counted == f"{502 - len(shown)} more changes have no room in this table."


def test_a_table_that_just_fits_is_whole() -> None:
    view = view_of([], Row(change(1), Doing.QUEUED))
    whole = page("main", view)
    assert page("main", view, len(whole.encode())) == whole
