"""One line of text for each happening, for terminals and logs that want no picture."""

from typing import assert_never

from mergequeue.documents.event import Happening
from mergequeue.vocabulary.ids import short
from mergequeue.vocabulary.text import one_line
from mergequeue.vocabulary.words import Decision, EventKind

_TRIED = {
    Decision.MERGE: "its try run is green",
    Decision.MERGED: "its try run has nothing to try",
    Decision.KICK: "its try run is not green",
    Decision.WAIT: "its try run came to nothing",
}
_DECIDED = {
    Decision.MERGE: "is green",
    Decision.MERGED: "is on the base already",
    Decision.KICK: "is to be kicked back",
    Decision.WAIT: "is to wait",
}


def happening_line(happening: Happening, *, ends_follow: bool = False) -> str:
    """Return what happened as one line of plain text.

    Where `ends_follow`, so that a line on what became of each change gives the reason, the line on
    what is decided of it leaves that out.
    """
    subject = f"{happening.change}" if happening.change else "queue"
    return one_line(f"{subject}: {_said(happening, ends_follow=ends_follow)}")


def _said(happening: Happening, *, ends_follow: bool) -> str:
    match happening.kind:
        case EventKind.PARTITION:
            return f"line {happening.partition} is {' <- '.join(happening.changes)}"
        case EventKind.DECIDED | EventKind.TRIED:
            return _decided(happening, ends_follow=ends_follow)
        case EventKind.GATE:
            return f"gate runs on {_commit(happening)}{_with_others(happening)}"
        case EventKind.RESOLVED:
            return f"{_commit(happening)}: {happening.reason}"
        case EventKind.MERGED:
            return f"merged{_because(happening)}"
        case EventKind.KICKED:
            return f"kicked back, {happening.code}{_because(happening)}"
        case EventKind.WAITING:
            return f"waits, {happening.code}{_because(happening)}"
        case EventKind.NOTICE:
            return happening.reason
    assert_never(happening.kind)


def _decided(happening: Happening, *, ends_follow: bool) -> str:
    is_try = happening.kind is EventKind.TRIED
    words = _TRIED if is_try else _DECIDED
    word = words[happening.decision] if happening.decision else "is decided"
    code = f", {happening.code}" if happening.code else ""
    took = f" in {happening.duration_ms / 1000:.1f} s" if happening.duration_ms else ""
    if happening.limit_ms and happening.limit_used_ms is not None:
        took += f" ({happening.limit_used_ms / happening.limit_ms:.0%} of its time limit)"
    said_again = ends_follow and not is_try and happening.decision is not Decision.MERGE
    return f"{word}{code}{took}" + ("" if said_again else _because(happening))


def _because(happening: Happening) -> str:
    return f": {happening.reason}" if happening.reason else ""


def _commit(happening: Happening) -> str:
    return short(happening.commit) if happening.commit else "nothing"


def _with_others(happening: Happening) -> str:
    others = [change for change in happening.changes if change != happening.change]
    return f" for {', '.join(others)} too" if others else ""
