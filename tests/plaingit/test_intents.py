"""Which branches are intent, and what their changes are called, for any names that git allows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergequeue.plaingit.intents import id_of_name, intents_of, strays_of, title_of
from mergequeue.vocabulary.ids import CommitId, RefName, parse_change
from mergequeue.vocabulary.limits import TITLE_BYTES
from mergequeue.vocabulary.words import Method

HEAD = CommitId("a" * 40)


def refs(*branches: str) -> dict[RefName, CommitId]:
    return {RefName(f"refs/heads/{branch}"): HEAD for branch in branches}


def ids(*branches: str) -> dict[str, str]:
    return {intent.branch: intent.id for intent in intents_of(refs(*branches))}


def refused(*branches: str) -> set[str]:
    return {intent.branch for intent in intents_of(refs(*branches)) if intent.refused}


def test_a_branch_under_a_method_is_intent_and_named_by_what_follows() -> None:
    [intent] = intents_of(refs("mq/squash/fix-parser"))
    assert (intent.id, intent.method, intent.head) == ("fix-parser", Method.SQUASH, HEAD)
    assert intent.ref == "refs/heads/mq/squash/fix-parser"
    assert not intent.refused


def test_a_slash_in_a_name_is_a_dot_in_the_id() -> None:
    assert ids("mq/merge/team/fix") == {"mq/merge/team/fix": "team.fix"}


@pytest.mark.parametrize(
    "branch",
    [
        "mq/fix",
        "mq/octopus/fix",
        "mq/Squash/fix",
        "mq/squash",
        "main",
        "xmq/squash/a",
        "mq/squashed/a",
    ],
)
def test_other_branches_are_no_intent(branch: str) -> None:
    assert ids(branch) == {}


def test_a_tag_of_the_same_name_is_no_intent() -> None:
    assert intents_of({RefName("refs/tags/mq/squash/fix"): HEAD}) == ()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("mq/squash/a.b", "mq/squash/a/b"),
        ("mq/squash/a", "mq/merge/a"),
        ("mq/rebase/a/b.c", "mq/merge/a.b/c"),
    ],
)
def test_two_names_of_one_id_are_both_refused_and_told_of_each_other(one: str, other: str) -> None:
    found = intents_of(refs(one, other, "mq/squash/fine"))
    assert {intent.branch for intent in found if intent.refused} == {one, other}
    for intent in found:
        if intent.refused:
            assert one in intent.refused
            assert other in intent.refused
    assert len({intent.id for intent in found}) == 3


@pytest.mark.parametrize(
    "name",
    [
        "$(touch pwned)".replace(" ", "$IFS"),
        "a;b",
        "`id`",
        "${{github.token}}",
        "it's",
        'a"b',
        "größe",
        "修复",
        "-x",
        "x" * 129,
        "a&b",
        "refused-" + "0" * 32,
        "merged-" + "f" * 32,
        "plan.json",
        "plan/json",
        "\udcff",
    ],
)
def test_a_name_that_gives_no_id_is_refused_under_an_id_of_its_own(name: str) -> None:
    branch = f"mq/squash/{name}"
    [intent] = intents_of(refs(branch))
    assert parse_change(intent.id) == intent.id
    assert intent.id.startswith("refused-")
    assert intent.refused
    assert intent.refused.isprintable()
    intent.refused.encode("utf-8")


def test_a_name_that_only_looks_like_one_of_the_queues_own_is_taken() -> None:
    assert refused("mq/squash/refused-cells", "mq/squash/merged-pages") == set()


def test_a_part_that_starts_with_a_dash_can_be_queued_and_is_not_named_in_documents() -> None:
    [intent] = intents_of(refs("mq/squash/a/-b"))
    assert intent.id == "a.-b"
    assert not intent.refused
    assert not intent.can_be_named


NAMES = st.text(st.sampled_from("ab./-é;$"), min_size=1, max_size=6)
BRANCHES = st.builds("mq/{}/{}".format, st.sampled_from([*Method, "other"]), NAMES)


@given(st.lists(BRANCHES, unique=True, max_size=12))
def test_every_intent_has_one_id_of_its_own_and_is_refused_exactly_where_another_gives_the_same(
    branches: list[str],
) -> None:
    found = intents_of(refs(*branches))
    wanted = [b for b in branches if b.split("/", 2)[1] in set(Method)]
    assert sorted(intent.branch for intent in found) == sorted(wanted)
    assert len({intent.id for intent in found}) == len(found)
    given_ids = [id_of_name(b.split("/", 2)[2]) for b in wanted]
    for intent in found:
        own = id_of_name(intent.name)
        alone = own is not None and given_ids.count(own) == 1
        assert (intent.refused == "") == alone
        if alone:
            assert intent.id == own


@given(st.lists(BRANCHES, unique=True, max_size=6), st.randoms())
def test_the_order_of_the_references_changes_nothing(branches: list[str], random: object) -> None:
    shuffled = list(branches)
    random.shuffle(shuffled)  # type: ignore[attr-defined]  # hypothesis gives a random.Random
    assert intents_of(refs(*shuffled)) == intents_of(refs(*branches))


@pytest.mark.parametrize(
    ("message", "title"),
    [
        ("Fix it\n\nBecause.\n", "Fix it"),
        ("\n\n  Fix it  \nmore", "Fix it"),
        ("", ""),
        ("x" * 1000, "x" * (TITLE_BYTES - 3) + "..."),
        ("a\udcffb", "a?b"),
    ],
)
def test_a_title_is_the_subject_cut_to_what_a_document_holds(message: str, title: str) -> None:
    assert title_of(message) == title


def of_base(base: str, *branches: str, named: bool = False) -> dict[str, str]:
    """Return the ids that a base's queue takes, by the names of their branches."""
    return {one.branch: one.id for one in intents_of(refs(*branches), base, named=named)}


def test_a_branch_may_name_the_base_that_it_is_for_and_is_no_others() -> None:
    ours, plain = "mq/release/1/squash/fix", "mq/squash/other"
    assert of_base("release/1", ours, plain) == {ours: "fix", plain: "other"}
    assert of_base("release/1", ours, plain, named=True) == {ours: "fix"}
    for other in ("main", "release", "release/10"):
        assert of_base(other, ours, plain) == {plain: "other"}
        assert of_base(other, ours, plain, named=True) == {}


def test_the_same_name_with_and_without_the_base_is_one_id_and_both_are_refused() -> None:
    found = intents_of(refs("mq/main/squash/fix", "mq/merge/fix"), "main")
    assert all("all give the change id fix" in intent.refused for intent in found)
    assert [intent.name for intent in found] == ["fix", "fix"]


def test_what_another_base_is_asked_for_is_no_stray_and_what_names_no_method_is() -> None:
    assert strays_of(refs("mq/release/1/squash/fix", "mq/release/1/fix", "mq/squash")) == (
        "refs/heads/mq/release/1/fix",
        "refs/heads/mq/squash",
    )
