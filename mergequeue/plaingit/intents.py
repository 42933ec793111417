"""Which branches are merge intent, and what the change of each is called."""

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mergequeue.report.plain_git import collision_refusal, kept_refusal, name_refusal
from mergequeue.vocabulary import limits
from mergequeue.vocabulary.ids import (
    ChangeId,
    CommitId,
    RefName,
    parse_change,
    parse_ref,
)
from mergequeue.vocabulary.text import cut
from mergequeue.vocabulary.words import Method

PREFIX = "mq/"
"""What a branch that queues a change starts with; the merge method and a name follow."""

_HEADS = "refs/heads/"
REF_PREFIX = f"{_HEADS}{PREFIX}"

_KEPT = re.compile(r"(?:(?:refused|merged)-[0-9a-f]{32}|plan\.json)\Z")
"""Ids that no change can have: the queue makes some itself, and one names the plan's own file
where each change has a folder of its verdict."""


@dataclass(frozen=True)
class Intent:
    """A branch that asks for a merge."""

    id: ChangeId
    method: Method
    ref: RefName
    """As the remote has it; bytes that are no UTF-8 are surrogates."""
    head: CommitId
    refused: str = ""
    """What its author has to do before it can be queued; empty where nothing."""
    base: str = ""
    """The base that the branch's name names before the method; empty where it names none."""

    @property
    def branch(self) -> str:
        """The branch's name."""
        return self.ref.removeprefix(_HEADS)

    @property
    def name(self) -> str:
        """What follows the method in the branch's name."""
        base = f"{self.base}/" if self.base else ""
        return self.branch.removeprefix(f"{PREFIX}{base}{self.method}/")

    @property
    def can_be_named(self) -> bool:
        """Whether a document can hold the branch's name, which git allows more of."""
        try:
            self.ref.encode("utf-8")
            parse_ref(self.ref)
        except ValueError:
            return False
        return True


def intents_of(
    refs: Mapping[RefName, CommitId], base: str = "", *, named: bool = False
) -> tuple[Intent, ...]:
    """Return the intents of a base's queue among the references, sorted by id.

    Those that name another base are that one's; where the base has to be `named`, one that names
    none is no intent of it. Names that give one id, under whatever methods, are refused, and so is
    a name that gives none. Each of those has an id of its own, made from the reference, so that it
    can be told what to do.
    """
    found: dict[ChangeId | None, list[Intent]] = {}
    for ref, head in refs.items():
        wish = _wish(ref, base, named=named)
        if wish is not None:
            id_ = id_of_name(wish.name)
            own = id_ or _own_id("refused", ref)
            found.setdefault(id_, []).append(Intent(own, wish.method, ref, head, base=wish.base))
    settled = [intent for id_, together in found.items() for intent in _settled(id_, together)]
    return tuple(sorted(settled, key=lambda intent: intent.id))


def strays_of(refs: Iterable[RefName]) -> tuple[RefName, ...]:
    """Return the references that start as intents do and are none, since they name no method."""
    return tuple(
        sorted(ref for ref in refs if ref.startswith(REF_PREFIX) and not _names_a_method(ref))
    )


def id_of_name(name: str) -> ChangeId | None:
    """Return the id that a name gives, or None where it gives none."""
    try:
        id_ = parse_change(name.replace("/", "."))
    except ValueError:
        return None
    return None if _KEPT.match(id_) else id_


def second_merge_id(head: CommitId) -> ChangeId:
    """Return the id of a recorded merge whose own id a newer change bears."""
    return _own_id("merged", head)


@dataclass(frozen=True)
class _Wish:
    method: Method
    name: str
    base: str = ""


def _wish(ref: RefName, base: str, *, named: bool) -> _Wish | None:
    """Return what a reference asks of a base's queue; None where it asks nothing of that one."""
    if not ref.startswith(REF_PREFIX):
        return None
    rest = ref.removeprefix(REF_PREFIX)
    own = rest.removeprefix(f"{base}/")
    word, slash, name = own.partition("/")
    if own != rest and slash and word in set(Method):
        return _Wish(Method(word), name, base)
    word, slash, name = rest.partition("/")
    if named or not slash or word not in set(Method):
        return None
    return _Wish(Method(word), name)


def _names_a_method(ref: RefName) -> bool:
    """Whether some part of a name, but the last, is a merge method: it asks some base for one."""
    return not set(Method).isdisjoint(ref.removeprefix(REF_PREFIX).split("/")[:-1])


def _settled(id_: ChangeId | None, together: list[Intent]) -> list[Intent]:
    if id_ is None:
        return [_refused(intent, _unnamed(intent)) for intent in together]
    if len(together) == 1:
        return together
    refusal = collision_refusal(sorted(intent.branch for intent in together), id_)
    return [_refused(intent, refusal) for intent in together]


def _unnamed(intent: Intent) -> str:
    kept = _KEPT.match(intent.name.replace("/", "."))
    return kept_refusal(intent.branch) if kept else name_refusal(intent.branch)


def _refused(intent: Intent, why: str) -> Intent:
    own = _own_id("refused", intent.ref)
    return Intent(own, intent.method, intent.ref, intent.head, why, intent.base)


def _own_id(kind: str, text: str) -> ChangeId:
    raw = text.encode("utf-8", "surrogateescape")
    return ChangeId(f"{kind}-{hashlib.sha256(raw).hexdigest()[:32]}")


def title_of(message: str) -> str:
    """Return a commit's subject as a title: one line, cut, that a document can hold."""
    subject = message.strip().partition("\n")[0].strip()
    return cut(subject, limits.TITLE_BYTES)
