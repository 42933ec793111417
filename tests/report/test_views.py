"""What the page of a job shows of a plan."""

from mergequeue.documents.event import Happening
from mergequeue.report.picture import Doing, Picture, after
from mergequeue.report.views import GitHubLinks, view_of
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import ChangeId
from mergequeue.vocabulary.words import Decision, EventKind
from tests.support.planned import make_plan, planned

LINKS = GitHubLinks("https://github.com", "acme/acme")
ONE, TWO, THREE = ChangeId("1"), ChangeId("2"), ChangeId("3")
PLAN = make_plan(
    (planned("1", title="one"), planned("2", "1", below="1", stack_base="b" * 40)),
    (planned("3"),),
    batch=2,
)


def test_a_plan_is_its_lines_cut_into_batches_with_its_stacks() -> None:
    view = view_of(PLAN, Picture(), LINKS)
    assert view.lines == [[[ONE, TWO]], [[THREE]]]
    assert view.rows[TWO].below == ONE
    assert {row.doing for row in view.rows.values()} == {Doing.QUEUED}
    assert view.rows[ONE].url == "https://github.com/acme/acme/pull/1"
    assert view.rows[ONE].title == "one"


def test_what_has_become_of_a_change_since_stands_beside_it() -> None:
    happened = Happening(
        kind=EventKind.DECIDED,
        change=THREE,
        decision=Decision.KICK,
        code=Code.KICK_RED,
        reason="the gate was red",
    )
    view = view_of(PLAN, after(Picture(), happened), LINKS)
    assert view.rows[THREE].doing is Doing.KICKED
    assert view.rows[THREE].why == "the gate was red"
    assert view.rows[THREE].command == "gh pr merge 3 --auto --squash"
    assert view.rows[ONE].command == ""


def test_where_github_is_unknown_nothing_is_linked() -> None:
    assert view_of(PLAN, Picture(), GitHubLinks("", "")).rows[ONE].url == ""


def test_a_change_with_its_turn_now_or_later_says_where_it_stands() -> None:
    said = {ONE: "Being gated", TWO: "Queued, 2nd of 3, ready for the next batch", THREE: "Landing"}
    happened = Happening(kind=EventKind.MERGED, change=THREE)
    rows = view_of(PLAN, after(Picture(), happened), LINKS, said).rows
    assert [rows[id_].why for id_ in (ONE, TWO, THREE)] == [said[ONE], said[TWO], ""]


def test_a_try_run_has_a_row_and_stands_in_no_line() -> None:
    plan = PLAN.model_copy(update={"tries": (planned("7"),)})
    view = view_of(plan, Picture(), LINKS)
    assert view.lines == view_of(PLAN, Picture(), LINKS).lines
    assert view.rows[ChangeId("7")].why == "a try run: gated on its own, and never merged"
    over = Happening(
        kind=EventKind.TRIED, change=ChangeId("7"), decision=Decision.KICK, code=Code.KICK_RED
    )
    row = view_of(plan, after(Picture(), over), LINKS).rows[ChangeId("7")]
    assert (row.doing, row.command) == (Doing.TRY_OVER, "")
