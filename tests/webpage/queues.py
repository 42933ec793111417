"""Queues to draw: what the queue remembers of one of any size, at a fixed moment."""

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta

from mergequeue.documents.memory import (
    Day,
    Entry,
    GateFact,
    GateOutcome,
    LandedFact,
    Pause,
    QueuedFact,
    TurnedAway,
    TurnedAwayFact,
)
from mergequeue.documents.now import Batch, Now, Placed
from mergequeue.ports.memory import Memory
from mergequeue.report.measures import report_of
from mergequeue.report.standing import Overview, overview_of
from mergequeue.report.views import GitHubLinks
from mergequeue.report.web import web_view
from mergequeue.report.web_view import WebView
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import BranchName, ChangeId
from mergequeue.vocabulary.words import Method, Stage
from tests.support.graphs import commit_id

AT = datetime(2026, 11, 30, 22, 40, tzinfo=UTC)
GITHUB = GitHubLinks("https://github.com", "OWNER/REPO")
TITLES = (
    "Parse an empty list",
    "Bump the lexer",
    "Say in the documentation how a plan is read, and why a change that waits does so",
    "Draw <Widget> & friends",
    "Search by an index that is made once",
)


def minutes(count: float) -> timedelta:
    return timedelta(minutes=count)


def view_of_queue(
    lines: Sequence[Sequence[Sequence[Stage]]] = (),
    apart: Sequence[tuple[Stage, Code | None, str]] = (),
    *,
    titles: Sequence[str] = TITLES,
    days: Sequence[Day] = (),
    away: Sequence[str] = (),
    pause: Pause | None = None,
    stacked: Mapping[int, int] = {},
    lane: Collection[int] = (),
    links: GitHubLinks = GITHUB,
) -> WebView:
    """Return what the page shows of a queue; as `overview_of_queue` takes it."""
    overview = overview_of_queue(
        lines, apart, titles=titles, days=days, away=away, pause=pause, stacked=stacked, lane=lane
    )
    return web_view(overview, report_of(days), links)


def overview_of_queue(
    lines: Sequence[Sequence[Sequence[Stage]]] = (),
    apart: Sequence[tuple[Stage, Code | None, str]] = (),
    *,
    titles: Sequence[str] = TITLES,
    days: Sequence[Day] = (),
    away: Sequence[str] = (),
    pause: Pause | None = None,
    stacked: Mapping[int, int] = {},
    lane: Collection[int] = (),
) -> Overview:
    """Return a queue: lines of batches, each change by its stage, and others in no line.

    Changes are numbered from 101 in the order they are given; `stacked` says which is on which.
    """
    stages = [stage for line in lines for batch in line for stage in batch]
    numbers = iter(range(101, 101 + len(stages)))
    made = [
        tuple(
            Batch(
                changes=tuple(ChangeId(str(next(numbers))) for _ in batch),
                since=AT - minutes(9) if batch[0] in {Stage.CHECKING, Stage.LANDING} else None,
            )
            for batch in line
        )
        for line in lines
    ]
    reasons = [(stage, None, "") for stage in stages] + list(apart)
    placed = [
        Placed(
            id=ChangeId(str(number)),
            head=commit_id(str(number)),
            method=Method.SQUASH,
            title=titles[number % len(titles)],
            stage=stage,
            since=AT - minutes(9),
            code=code,
            reason=reason,
            below=ChangeId(str(stacked[number])) if number in stacked else None,
            priority=number in lane,
        )
        for number, (stage, code, reason) in enumerate(reasons, 101)
    ]
    now = Now(
        at=AT - minutes(2),
        base_commit=commit_id("tip"),
        running=True,
        source="OWNER/REPO/runs/77",
        depth=2,
        lines=tuple(made),
        changes=tuple(placed),
    )
    entries = [_queued(one) for one in placed] + [
        _turned_away(number, reason) for number, reason in enumerate(away, 901)
    ]
    memory = Memory(pause=pause, now=now, entries={entry.id: entry for entry in entries})
    return overview_of(BranchName("main"), memory, days, AT)


def lately(count: int = 14) -> list[Day]:
    """Return days on which something happened, and every seventh on which nothing did."""
    return [
        _day(AT.date() - timedelta(days=back), back)
        for back in range(count - 1, -1, -1)
        if back % 7 != 3
    ]


def big_view(changes: int, batch: int = 5, lines: int = 4) -> WebView:
    """Return what the page shows of a busy queue: some lines of batches, and some of everything."""
    batches = changes // lines // batch
    stages = [Stage.LANDING, Stage.CHECKING, *[Stage.READY] * batches]
    return view_of_queue(
        [[[stages[at]] * batch for at in range(batches)] for _ in range(lines)],
        [
            (Stage.REVIEW, Code.WAIT_NOT_APPROVED, "no approval at its head; approve it"),
            (Stage.WAITING, Code.WAIT_CHECKS, "build fails on it; it is gated once that is green"),
        ],
        days=lately(),
        away=["The gate is red with it: `make check parser`.", "It conflicts with main in `a.py`."],
        stacked={103: 102, 104: 103},
    )


def _queued(placed: Placed) -> Entry:
    return Entry(
        id=placed.id,
        head=placed.head,
        title=placed.title,
        first_queued_at=AT - minutes(40),
        queued_at=AT - minutes(30),
        head_at=AT - minutes(30),
    )


def _turned_away(number: int, reason: str) -> Entry:
    return Entry(
        id=ChangeId(str(number)),
        head=commit_id(str(number)),
        title=TITLES[number % len(TITLES)],
        first_queued_at=AT - minutes(400),
        queued_at=AT - minutes(400),
        head_at=AT - minutes(400),
        queued=False,
        turned_away=TurnedAway(
            code=Code.KICK_RED,
            reason=reason,
            commit=commit_id(str(number)),
            at=AT - minutes(60 + number % 7),
        ),
    )


def _day(day: date, back: int) -> Day:
    noon = datetime(day.year, day.month, day.day, 12, tzinfo=UTC)
    count = 3 + 5 * back % 11
    ids = [ChangeId(f"{day:%m%d}{number:02}") for number in range(count)]
    return Day(
        day=day,
        queued=tuple(QueuedFact(id=id_, head=commit_id(id_), at=noon) for id_ in ids),
        landed=tuple(
            LandedFact(
                id=id_,
                head=commit_id(id_),
                title=TITLES[number % len(TITLES)],
                commit=commit_id(f"{id_} landed"),
                method=Method.SQUASH,
                first_queued_at=noon - minutes(11 + 7 * number),
                at=noon + minutes(10),
                batch=1 + number % 3,
            )
            for number, id_ in enumerate(ids[1:])
        ),
        turned_away=(
            TurnedAwayFact(
                id=ids[0],
                head=commit_id(ids[0]),
                code=(Code.KICK_RED, Code.KICK_CONFLICT, Code.KICK_REFUSED)[back % 3],
                at=noon,
            ),
        ),
        gates=tuple(
            GateFact(
                changes=(id_,),
                commit=commit_id(f"{id_} gated"),
                outcome=(
                    GateOutcome.FAILED
                    if number == 0
                    else GateOutcome.CANCELLED
                    if number == 3
                    else GateOutcome.PASSED
                ),
                why="the base moved" if number == 3 else "",
                duration_ms=60_000 * (6 + number),
                retries=int(number == 2),
                at=noon,
            )
            for number, id_ in enumerate(ids)
        ),
    )
