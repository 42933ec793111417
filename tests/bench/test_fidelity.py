"""The replay of recorded merges tells what the rule makes from what a person made."""

from click.testing import CliRunner, Result

from bench.fidelity import main
from tests.support.repositories import Content, Playground

LINES = "".join(f"{number}\n" for number in range(20))
GITHUB = "noreply@github.com"


def replay(playground: Playground, *words: str) -> Result:
    return CliRunner().invoke(main, [str(playground.origin), *words])


def counts(result: Result) -> dict[str, int]:
    lines = [line.rsplit(maxsplit=1) for line in result.stdout.splitlines()]
    return {name.strip(): int(number) for name, number in lines if number.isdigit()}


def merge(
    playground: Playground,
    ours: dict[str | bytes, Content],
    theirs: dict[str | bytes, Content],
    recorded: dict[str | bytes, Content],
    *,
    by: str = GITHUB,
) -> str:
    base = playground.commit({"f": LINES, "d/g": LINES, "keep": "k"})
    one = playground.commit(ours, parents=base)
    other = playground.commit(theirs, parents=base)
    commit = playground.commit(recorded, parents=[one, other], author=("A", by))
    return playground.branch(f"merge-{commit[:8]}", commit)


def test_a_clean_merge_is_reproduced_and_an_edited_conflict_is_told_apart(
    playground: Playground,
) -> None:
    one, other = LINES + "ours\n", LINES + "theirs\n"
    merge(playground, {"f": one}, {"d/g": other}, {"d/g": other})
    # By hand in the file that conflicts, and in a file where a folder is in the way of it.
    merge(playground, {"f": one, "h": "h"}, {"f": other}, {"f": LINES + "both\n"})
    merge(playground, {"d/g": one}, {"d/g": None, "d": "file\n"}, {"d/g": None, "d": "mine\n"})
    result = replay(playground)
    assert result.exit_code == 0
    assert counts(result) == {
        "merge commits": 3,
        "reproduced": 1,
        "with several bases": 0,
        "edited by a person": 2,
        "unrelated histories": 0,
        "other": 0,
    }


def join(playground: Playground, by: str) -> str:
    """Record a merge of two histories that share nothing."""
    parents = [playground.commit({"a": "1"}), playground.commit({"f": "of another world"})]
    return playground.branch("joined", playground.commit(parents=parents, author=("A", by)))


def test_unrelated_histories_that_a_person_joined_are_told_apart(playground: Playground) -> None:
    join(playground, "person@example.invalid")
    result = replay(playground)
    assert result.exit_code == 0
    assert counts(result)["merge commits"] == counts(result)["unrelated histories"] == 1


def test_every_other_merge_is_named_and_is_a_failure(playground: Playground) -> None:
    one, other = LINES + "ours\n", LINES + "theirs\n"
    evil = merge(playground, {"f": one}, {"d/g": other}, {"d/g": other, "extra": "x"})
    worse = merge(playground, {"f": one}, {"f": other}, {"f": LINES + "both\n", "extra": "x"})
    joined = join(playground, GITHUB)
    result = replay(playground)
    assert result.exit_code == 1
    assert counts(result)["other"] == 3
    for commit in (evil, worse, joined):
        assert commit in result.stdout


def test_merges_of_another_committer_are_left_out(playground: Playground) -> None:
    one, other = LINES + "ours\n", LINES + "theirs\n"
    merge(playground, {"f": one}, {"d/g": other}, {"extra": "x"}, by="person@example.invalid")
    result = replay(playground, "--by", GITHUB)
    assert result.exit_code == 0
    assert counts(result)["merge commits"] == 0
