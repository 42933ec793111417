"""The queue's page, made from where every change stands and from how the queue did."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta

from mergequeue.documents.memory import LandedFact
from mergequeue.report.control import paused_sentence
from mergequeue.report.measures import Report, minutes_text
from mergequeue.report.stages import Standing, left_text
from mergequeue.report.standing import Away, BatchView, Overview
from mergequeue.report.views import GitHubLinks
from mergequeue.report.web_measures import measures_shown
from mergequeue.report.web_view import (
    Tile,
    Tone,
    WebAway,
    WebBatch,
    WebChange,
    WebLanded,
    WebLine,
    WebView,
)
from mergequeue.vocabulary.ids import ChangeId, short
from mergequeue.vocabulary.text import one_line
from mergequeue.vocabulary.words import Stage

SHOWN = 25
"""How many changes that were turned away, and how many that landed, the page lists at most."""
NOBODY_LOOKED = "no run has looked at the queue yet"

_TONES: Mapping[Stage, Tone] = {
    Stage.QUEUED: Tone.QUIET,
    Stage.PREFLIGHT: Tone.BUSY,
    Stage.AGAIN: Tone.BUSY,
    Stage.FAILED: Tone.BAD,
    Stage.REVIEW: Tone.WAITS,
    Stage.STACKED: Tone.WAITS,
    Stage.PAUSED: Tone.WAITS,
    Stage.WAITING: Tone.WAITS,
    Stage.READY: Tone.READY,
    Stage.CHECKING: Tone.BUSY,
    Stage.LANDING: Tone.GOOD,
}
_STATES: Mapping[Stage, str] = {
    Stage.CHECKING: "being gated",
    Stage.LANDING: "landing",
}


def web_view(overview: Overview, report: Report, links: GitHubLinks) -> WebView:
    """Return everything that the page shows; `links` say where a change is shown, if anywhere."""
    changes = {id_: _change(one, overview, links) for id_, one in overview.standings.items()}
    lined = {id_ for line in overview.lines for batch in line for id_ in batch.changes}
    return WebView(
        base=one_line(overview.base),
        tip=short(overview.base_commit) if overview.base_commit else "",
        state=_state(overview),
        seen=overview.seen_at,
        written=overview.at,
        tiles=tuple(_tiles(overview, report)),
        lines=[
            _line(number, line, changes, count=len(overview.lines))
            for number, line in enumerate(overview.lines, 1)
        ],
        apart=[change for id_, change in changes.items() if id_ not in lined],
        away=[_away(one, links) for one in overview.away[:SHOWN]],
        landed=[_landed(one, links) for one in overview.landed[:SHOWN]],
        measures=measures_shown(report, overview.at.date()),
        repo=links.repo,
        url=links.home(),
        run=links.run(overview.source) if overview.running else "",
        paused=paused_sentence(overview.pause) if overview.pause else "",
    )


def _state(overview: Overview) -> str:
    if overview.seen_at is None:
        return NOBODY_LOOKED
    return "a run goes on" if overview.running else "no run goes on"


def _tiles(overview: Overview, report: Report) -> Iterator[Tile]:
    standings = overview.standings.values()
    lines = len(overview.lines)
    yield Tile("In the queue", str(len(standings)), f"in {lines} lines" if lines > 1 else "")
    gated = [one for one in standings if one.stage is Stage.CHECKING]
    batches = [batch for line in overview.lines for batch in line if batch.stage is Stage.CHECKING]
    yield Tile("Being gated", str(len(gated)), _batches(len(batches)) if gated else "")
    times = [one.lands_at for one in standings if one.lands_at is not None]
    if times:
        yield Tile("Next lands", left_text(min(times), overview.at), lands=min(times))
    today = report.days.get(overview.at.date())
    yield Tile("Landed today", str(today.landed if today else 0), "since midnight, UTC")
    if report.total.median is not None:
        note = f"at the median, over {_days(len(report.days))}"
        yield Tile("From queued to landed", minutes_text(report.total.median), note)


def _batches(count: int) -> str:
    return "in one batch" if count == 1 else f"in {count} batches"


def _days(count: int) -> str:
    return "one day" if count == 1 else f"{count} days"


def _line(
    number: int, line: Sequence[BatchView], changes: Mapping[ChangeId, WebChange], *, count: int
) -> WebLine:
    held = sum(len(batch.changes) for batch in line)
    about = f"{held} changes" if held > 1 else "1 change"
    name = f"Line {number}" if count > 1 else "In line"
    return WebLine(name, about, [_batch(batch, changes) for batch in line])


def _batch(batch: BatchView, changes: Mapping[ChangeId, WebChange]) -> WebBatch:
    shown = [changes[id_] for id_ in batch.changes]
    return WebBatch(
        name=f"Batch of {len(shown)}",
        tone=_TONES[batch.stage],
        state=_STATES.get(batch.stage, "ready"),
        changes=[_stacked(one, before) for before, one in zip([None, *shown], shown, strict=False)],
        since=batch.since,
    )


def _stacked(change: WebChange, before: WebChange | None) -> WebChange:
    """Return a change drawn as on top of the one before it, where it is stacked on that."""
    is_above = before is not None and change.below == before.id
    return replace(change, joined=True) if is_above else change


def _change(standing: Standing, overview: Overview, links: GitHubLinks) -> WebChange:
    lands = standing.lands_at
    return WebChange(
        id=standing.change,
        anchor=f"change-{standing.change}",
        tone=_TONES[standing.stage],
        says=standing.said,
        title=one_line(standing.title),
        url=links.url(standing.change),
        why=one_line(standing.reason),
        code=standing.code or "",
        method=standing.method,
        head=short(standing.head),
        place=str(standing.position.number),
        below=standing.below or "",
        lane="priority" if standing.priority else "",
        queued=standing.queued_at,
        since=standing.since,
        lands=lands,
        left=left_text(lands, overview.at) if lands else "",
    )


def _away(away: Away, links: GitHubLinks) -> WebAway:
    change = WebChange(
        id=away.change,
        anchor=f"change-{away.change}",
        tone=Tone.BAD,
        says="Turned away",
        title=one_line(away.title),
        url=links.url(away.change),
        head=short(away.head),
    )
    more = "" if change.url else f"mergequeue status {away.change}"
    return WebAway(change, away.code, one_line(away.reason), away.at, more)


def _landed(fact: LandedFact, links: GitHubLinks) -> WebLanded:
    change = WebChange(
        id=fact.id,
        anchor=f"change-{fact.id}",
        tone=Tone.GOOD,
        says="Landed",
        title=one_line(fact.title),
        url=links.url(fact.id),
        method=fact.method,
    )
    others = fact.batch - 1
    return WebLanded(
        change,
        commit=short(fact.commit) if fact.commit else "",
        at=fact.at,
        took=_span(fact.at - fact.first_queued_at),
        together={0: "", 1: "1 other"}.get(others, f"{others} others"),
    )


def _span(span: timedelta) -> str:
    minutes = max(span // timedelta(minutes=1), 0)
    hours, rest = divmod(minutes, 60)
    return f"{hours} h {rest} min" if hours else f"{minutes} min"
