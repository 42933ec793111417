"""The keeper over plain git: one push moves the branch, says so and queues the change (seed 2)."""

import pytest

from mergequeue.conflicts.merging import TwoRuleMerging
from mergequeue.documents.config import Configuration
from mergequeue.documents.keeping import Note, NoteKind, NoteRequest
from mergequeue.documents.provider import Repository
from mergequeue.facts.lenient import LenientFacts
from mergequeue.facts.units import UnitFacts
from mergequeue.git.merges import GitMerges
from mergequeue.keep.keeper import Keeper, Keeping
from mergequeue.plaingit.keeping import PlainGitKeeping
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import ChangeId, CommitId
from mergequeue.vocabulary.words import Mark, Method
from tests.plaingit.world import MAIN, OPERATOR, Machine, World

QUESTION = Repository(base=MAIN, remote_url="u")
BOTH = b"1\ntheirs\nmine\n"


def keeper_of(machine: Machine) -> Keeper:
    """Return the keeper on a machine, with no unit and nothing generated."""
    shop, facts = machine.workshop, UnitFacts(Configuration())
    kept = PlainGitKeeping(machine.hands, base=MAIN)
    trees = GitMerges(shop)
    return Keeper(
        git=shop.reads,
        merging=TwoRuleMerging(trees, shop.reads, facts),
        lenient=TwoRuleMerging(trees, shop.reads, LenientFacts(facts)),
        builds=shop.builds,
        reads=kept,
        notes=kept,
        brings=kept,
        clock=machine.hands.clock,
    )


def keep(machine: Machine, *, attempts: int = 3, dry: bool = False) -> dict[str, str]:
    """Keep once, and return what became of each change."""
    settings = Keeping(MAIN, attempts, lambda: OPERATOR, dry_run=dry)
    return {one.change: one.words for one in keeper_of(machine).keep(settings)}


def main_says(world: World, text: str) -> None:
    """Move the base as somebody else's landing does."""
    world.playground.branch("main", world.playground.commit({"a": text}, parents=world.tip()))


def turned_away(
    world: World,
    machine: Machine,
    *,
    mine: str = "1\nmine\n",
    theirs: str = "1\ntheirs\n",
    code: Code = Code.KICK_CONFLICT,
    method: Method = Method.SQUASH,
    message: str = "Change it\n",
) -> CommitId:
    """Queue a change, move the base, and kick the change back at its head."""
    head = world.queue("topic", {"a": mine}, method, message=message)
    machine.mark(Mark.QUEUED, "topic")
    main_says(world, theirs)
    machine.kick(machine.change("topic"), code=code)
    return head


def notes(machine: Machine) -> tuple[Note, ...]:
    (entry,) = machine.reads.records(MAIN).entries
    return entry.state.notes if entry.state is not None else ()


def branch(world: World, method: Method = Method.SQUASH) -> CommitId:
    return world.playground.tip(f"mq/{method}/topic")


def test_where_both_sides_only_added_lines_the_change_is_queued_again_with_both(
    world: World, machine: Machine
) -> None:
    head = turned_away(world, machine)
    assert machine.ids() == []
    written = len(world.state_log())
    made = keep(machine)
    assert "brought up to date with main" in made["topic"]
    assert machine.ids() == ["topic"]
    merge = branch(world)
    assert world.parents(merge) == [head, world.tip()]
    assert world.playground.files(merge)[b"a"] == BOTH
    # The note, the place in the queue and the branch came with one push.
    assert len(world.state_log()) == written + 1
    assert [(one.kind, one.head) for one in notes(machine)] == [(NoteKind.BROUGHT, merge)]
    assert "`a#line 2`" in notes(machine)[0].text
    assert machine.merge(machine.change("topic")).merged
    assert world.playground.files(world.tip())[b"a"] == BOTH


def test_what_takes_judgement_is_left_and_said_once_however_often_the_base_moves(
    world: World, machine: Machine
) -> None:
    head = turned_away(world, machine, mine="mine\n", theirs="theirs\n")
    assert "takes judgement in a; its author is told" in keep(machine)["topic"]
    main_says(world, "theirs again\n")
    written = world.state_log()
    assert "was told at this head" in keep(machine)["topic"]
    assert world.state_log() == written
    assert branch(world) == head
    assert [(one.kind, one.head) for one in notes(machine)] == [(NoteKind.LEFT, head)]
    assert machine.ids() == []


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"message": "Change it\n\nkeeper: OFF\n"}, "says `Keeper: off`"),
        ({"theirs": "1\n"}, "does not conflict with the base any more"),
    ],
)
def test_what_is_its_authors_is_left_alone(
    world: World, machine: Machine, more: dict[str, str], why: str
) -> None:
    head = turned_away(world, machine, **more)  # type: ignore[arg-type]  # by name
    before = world.playground.refs()
    assert why in keep(machine)["topic"]
    assert world.playground.refs() == before
    assert branch(world, Method(more.get("method", "squash"))) == head


def test_a_line_that_says_more_turns_nothing_off(world: World, machine: Machine) -> None:
    turned_away(world, machine, message="Change it\n\nsee Keeper: off in the docs\n")
    assert "brought up to date" in keep(machine)["topic"]


def test_one_that_its_author_pushed_to_is_the_queues_and_not_the_keepers(
    world: World, machine: Machine
) -> None:
    turned_away(world, machine)
    world.queue("topic", {"a": "1\nmine\n", "b": "2\n"})
    before = world.playground.refs()
    assert keep(machine) == {}
    assert world.playground.refs() == before


def test_one_that_keeps_conflicting_is_left_after_as_many_attempts(
    world: World, machine: Machine
) -> None:
    turned_away(world, machine)
    for added in ("theirs\nmore\n", "theirs\nmore\nmost\n"):
        assert "brought up to date with main" in keep(machine, attempts=2)["topic"]
        main_says(world, f"1\n{added}")
        machine.kick(machine.change("topic"), code=Code.KICK_CONFLICT)
    head = branch(world)
    assert "brought up to date 2 times, and still conflicts" in keep(machine, attempts=2)["topic"]
    assert branch(world) == head
    assert "brought up to date with main" in keep(machine, attempts=3)["topic"]


def test_what_its_author_pushes_meanwhile_stands(world: World, machine: Machine) -> None:
    turned_away(world, machine)

    def push() -> None:
        world.queue("topic", {"a": "1\nmine\n", "b": "2\n"})

    made = keep(machine.meddled(push))
    theirs = branch(world)
    assert "not brought up to date: its branch moved" in made["topic"]
    assert world.playground.files(theirs)[b"b"] == b"2\n"
    assert notes(machine) == ()


def test_one_that_is_turned_away_at_another_head_meanwhile_is_looked_at_by_the_next_run(
    world: World, machine: Machine
) -> None:
    turned_away(world, machine)
    other = world.machine()

    def push_and_kick() -> None:
        world.queue("topic", {"a": "1\nother\n"})
        other.kick(other.change("topic"), code=Code.KICK_CONFLICT)

    made = keep(machine.meddled(push_and_kick))
    assert "not brought up to date: its branch moved" in made["topic"]
    assert "brought up to date with main" in keep(machine)["topic"]
    assert world.playground.files(branch(world))[b"a"] == b"1\ntheirs\nother\n"


def test_one_that_somebody_queues_meanwhile_stays_as_it_was_queued(
    world: World, machine: Machine
) -> None:
    head = turned_away(world, machine)
    other = world.machine()
    made = keep(machine.meddled(lambda: other.writes.requeue(ChangeId("topic"))))
    assert "not brought up to date: it was queued again meanwhile" in made["topic"]
    assert (branch(world), notes(machine), machine.ids()) == (head, (), ["topic"])


def test_a_note_is_recorded_once_at_a_head_whoever_asks_again(
    world: World, machine: Machine
) -> None:
    head = turned_away(world, machine, mine="mine\n", theirs="theirs\n")
    keep(machine)
    written = world.state_log()
    (said,) = notes(machine)
    (kicked,) = PlainGitKeeping(machine.hands, base=MAIN).turned_away(QUESTION).changes
    again = said.model_copy(update={"tip": head, "text": "again"})
    kept = PlainGitKeeping(machine.hands, base=MAIN)
    kept.say(NoteRequest(change=kicked.change, note=again))
    assert world.state_log() == written


def test_killed_around_its_one_push_the_next_run_finds_all_of_it_or_none(
    world: World, machine: Machine
) -> None:
    head = turned_away(world, machine)

    def killed() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        keep(machine.meddled(before=killed))
    assert (branch(world), notes(machine), machine.ids()) == (head, (), [])
    with pytest.raises(KeyboardInterrupt):
        keep(machine.meddled(after=killed))
    assert machine.ids() == ["topic"]
    (said,) = notes(machine)
    assert said.head == branch(world)
    assert keep(world.machine()) == {}


def test_two_keepers_at_once_bring_it_up_to_date_once(world: World, machine: Machine) -> None:
    turned_away(world, machine)
    other = world.machine()
    made = keep(machine.meddled(lambda: keep(other)))
    assert "not brought up to date" in made["topic"]
    (said,) = notes(machine)
    assert said.head == branch(world)


def test_a_push_that_the_remote_refuses_is_told_in_its_words(
    world: World, machine: Machine
) -> None:
    head = turned_away(world, machine)
    world.playground.hook("pre-receive", "echo no machine pushes here >&2; exit 1")
    assert "no machine pushes here" in keep(machine)["topic"]
    assert branch(world) == head


def test_a_dry_run_says_what_it_would_do_and_writes_nothing(world: World, machine: Machine) -> None:
    turned_away(world, machine)
    before = world.playground.refs()
    assert "would be brought up to date with main" in keep(machine, dry=True)["topic"]
    main_says(world, "theirs\n")
    before = world.playground.refs()
    assert "takes judgement" in keep(machine, dry=True)["topic"]
    assert world.playground.refs() == before


def test_where_nothing_names_who_commits_nothing_is_written(world: World, machine: Machine) -> None:
    turned_away(world, machine)
    before = world.playground.refs()
    (made,) = keeper_of(machine).keep(Keeping(MAIN, 3, lambda: None))
    assert made.words == "not brought up to date: nothing names who commits the merge"
    assert world.playground.refs() == before
