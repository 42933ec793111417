"""Apply rebuilds: what a verdict names is compared, and never merged."""

import pytest

from mergequeue.apply._rebuilding import Built, Rebuilding
from mergequeue.apply.outcomes import Wait
from mergequeue.documents.verdict import Verdict
from mergequeue.vocabulary.ids import ChangeId
from mergequeue.vocabulary.words import Decision, EventKind, Method
from tests.support.applying import Queue, open_queue
from tests.support.forge import Forge
from tests.support.forged import evil, forge_verdict
from tests.support.landings import LINES, edit, make_forge, stack, text
from tests.support.repositories import Playground


@pytest.fixture
def forge(playground: Playground) -> Forge:
    return make_forge(playground)


def test_a_verdicts_candidate_is_compared_and_never_merged(forge: Forge) -> None:
    forge.open("1", edit(forge, "a/new.txt", "new\n"))
    tip = forge.playground.tip("main")
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        commit = evil(forge)
        forge_verdict(queue, candidate_commit=commit, gated_commit=commit)
        queue.apply()
    assert queue.codes() == {"1": "WAIT_REVALIDATE"}
    assert forge.playground.tip("main") == tip


def test_a_candidate_is_built_again_on_what_this_run_built_beneath(forge: Forge) -> None:
    for id_ in ("1", "2"):
        forge.open(id_, edit(forge, f"a/{id_}.txt", f"{id_}\n"))
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        forge_verdict(queue, 0, candidate_commit=evil(forge), gated_commit=evil(forge))
        forge_verdict(queue, 1, onto=evil(forge))
        queue.apply()
    assert queue.codes() == {"1": "WAIT_REVALIDATE", "2": "WAIT_BEHIND"}
    assert text(forge, "a/evil.txt") is None


def test_what_a_verdict_says_it_was_built_onto_is_never_built_on(forge: Forge) -> None:
    stack(forge)
    with open_queue(forge) as queue:
        one, two, _ = queue.plan().admitted
        verdicts = [verdict.model_copy(update={"onto": evil(forge)}) for verdict in queue.judge()]
        rebuilding = rebuilding_of(queue)
        early = rebuilding.rebuild(two, verdicts[1])
        first, second = (
            rebuilding.rebuild(change, verdict)
            for change, verdict in zip((one, two), verdicts, strict=False)
        )
    assert isinstance(early, Wait)
    assert isinstance(first, Built)
    assert isinstance(second, Built)
    assert first.onto == forge.playground.tip("main")
    assert second.onto == first.commit


def rebuilding_of(queue: Queue) -> Rebuilding:
    plan = queue.source.document
    assert plan is not None
    shop = queue.workshop
    return Rebuilding(shop.reads, queue.facts, queue.builder, shop.bundles, queue.source, plan)


def test_a_verdict_on_another_head_merges_nothing(forge: Forge) -> None:
    forge.open("1", edit(forge, "a/new.txt", "new\n"))
    with open_queue(forge) as queue:
        queue.plan()
        change = queue.judge()[0].change
        forge_verdict(queue, change=change.model_copy(update={"head": evil(forge)}))
        queue.apply()
    assert queue.codes() == {"1": "WAIT_REVALIDATE"}


EVIL = "the attacker's own commit"
FORGED = [
    # what the verdict of a stack's second change says
    {"base_commit": EVIL},
    {"after": ChangeId("3")},
    {"after": ChangeId("9")},
    {"after": None},
    {"after": None, "onto": None},
    {"onto": EVIL},
    {"method": Method.MERGE},
    {"batch": (ChangeId("1"), ChangeId("2"))},
    {"batch": (ChangeId("2"), ChangeId("3"))},
    {"gated_commit": EVIL},
    {"candidate_commit": EVIL},
    {"candidate_commit": EVIL, "gated_commit": EVIL, "onto": EVIL},
    {"decision": Decision.MERGED},
]


@pytest.mark.parametrize("forged", FORGED)
def test_a_verdict_forged_in_any_part_merges_nothing_that_was_not_gated(
    forge: Forge, forged: dict[str, object]
) -> None:
    stack(forge)
    commit = evil(forge)
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        said = {name: commit if value == EVIL else value for name, value in forged.items()}
        forge_verdict(queue, 1, **said)
        queue.apply()
    assert queue.codes() == {"1": "merged", "2": "WAIT_REVALIDATE", "3": "WAIT_BELOW"}
    assert text(forge, "a/evil.txt") is None
    assert commit not in forge.playground.log("main")
    assert forge.list_green_now() == []


def test_a_verdict_on_a_change_that_was_not_admitted_is_dropped(forge: Forge) -> None:
    forge.open("1", edit(forge, "a/new.txt", "new\n"), approved_at=set())
    with open_queue(forge) as queue:
        plan = queue.plan()
        assert plan.partitions == ()
        change = plan.verdicts[0].change
        queue.source.verdicts = [
            Verdict.model_validate(
                {
                    "schema": "mergequeue.verdict/v1",
                    "base_commit": plan.base_commit,
                    "change": change,
                    "decision": "merge",
                    "onto": plan.base_commit,
                    "candidate_commit": change.head,
                    "gated_commit": change.head,
                    "method": change.method,
                    "batch": (change.id,),
                    "depth": 1,
                },
                strict=False,
            )
        ]
        queue.apply()
    assert queue.codes() == {"1": "WAIT_NOT_APPROVED"}
    assert [event.reason[:19] for event in queue.heard.of(EventKind.NOTICE)] == [
        "dropped a verdict o"
    ]


def test_a_file_changed_on_both_sides_since_is_a_combination_nobody_validated(forge: Forge) -> None:
    """A plan that keeps apart two changes of one file: apply finds the path itself."""
    forge.open("1", edit(forge, "a/one.txt", "first\n" + LINES))
    forge.open("2", edit(forge, "a/one.txt", LINES + "last\n"))
    with open_queue(forge) as queue:
        plan = queue.plan()
        one, two = plan.admitted
        alone = two.model_copy(update={"beneath": ()})
        queue.source.document = plan.model_copy(update={"partitions": ((one,), (alone,))})
        queue.judge()
        queue.apply()
    assert queue.codes() == {"1": "merged", "2": "WAIT_REVALIDATE"}
