"""Generated files, from listing to landing, over a provider that merges by itself.

Validated in one clone and applied in another (facts 3.4 to 3.6, 3.10; A25 to A27).
"""

from collections.abc import Iterator

import pygit2
import pytest

from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.errors import HOOK_CANCELLED
from mergequeue.vocabulary.ids import ChangeId
from mergequeue.vocabulary.words import EventKind, Mark, Method
from tests.support.landings import parents, pull
from tests.support.repositories import EXECUTABLE, Playground
from tests.support.works import Works, make_works_forge, open_works, settings, settings_text


@pytest.fixture
def works(playground: Playground) -> Iterator[Works]:
    with open_works(make_works_forge(playground)) as opened:
        yield opened


@pytest.mark.parametrize("method", [Method.MERGE, Method.SQUASH])
def test_what_a_merge_left_stale_lands_as_the_bases_own_regeneration_makes_it(
    works: Works, method: Method
) -> None:
    works.open("1", "b", method=method)
    works.open("2", "c", method=method)
    verdicts = works.run()
    assert works.queue.codes() == {"1": "merged", "2": "merged"}
    assert works.text("gen/list") == "a\nb\nc\nm\n"
    # A merge in another clone that is not the very commit that was gated never lands.
    assert works.bundle("2") is not None
    assert verdicts["2"].regenerate == "./tools/generate lists"


def test_an_update_commit_brings_the_regenerated_files_to_the_branch(works: Works) -> None:
    works.open("1", "b")
    works.open("2", "c")
    works.run()
    request = works.forge.merge_requests[-1]
    assert request.commit != request.change.head
    assert parents(works.forge, request.commit) == [request.change.head, request.onto]
    commit = works.forge.playground.repository[request.commit].peel(pygit2.Commit)
    assert commit.author.name == commit.committer.name == "queue bot"
    assert "Generated files were merged or made anew:\n\n  gen/list\n" in commit.message
    assert str(commit.tree_id) == request.tree


def test_the_changes_own_side_is_enough_where_it_is_what_is_generated(works: Works) -> None:
    # Facts 32: the conflict is settled, the regeneration rewrites nothing, the two ids agree.
    works.open("1", "b")
    works.open("2", "c", files={"gen/list": "a\nb\nc\nm\n"})
    works.validate()
    assert works.bundle("2") is None
    works.regenerate_with("")
    works.queue.apply()
    assert works.queue.codes() == {"1": "merged", "2": "merged"}
    assert works.text("gen/list") == "a\nb\nc\nm\n"


def test_generated_files_that_a_merge_leaves_alone_are_the_authors_bytes(works: Works) -> None:
    works.open("1", "b", files=settings(gated="true") | {"gen/list": "by hand\n"})
    # Its generator is its own, and does not write the list.
    works.forge.push("1", works.letter("1", "b", {"gen/other": "by hand\n"}))
    works.run()
    assert works.queue.codes() == {"1": "merged"}
    assert works.text("gen/other") == "by hand\n"
    assert works.forge.merge_requests[-1].commit == works.forge.merge_requests[-1].change.head


def test_a_generator_change_that_leaves_its_files_untouched_is_admitted(works: Works) -> None:
    playground = works.forge.playground
    head = playground.commit(settings(extra="echo x > gen/x"), parents=playground.tip("main"))
    works.forge.open("1", head)
    works.run()
    # What its generator would write is the gate's to check: no generated file is touched here.
    assert works.queue.codes() == {"1": "merged"}
    assert works.text("gen/x") is None


OWN = settings(extra="echo new > gen/new")


def test_where_the_change_edits_the_generator_validations_commit_is_checked_and_taken(
    works: Works,
) -> None:
    works.open("1", "b")
    works.open("2", "c", files=OWN)
    works.run()
    assert works.queue.codes() == {"1": "merged", "2": "merged"}
    assert (works.text("gen/list"), works.text("gen/new")) == ("a\nb\nc\nm\n", "new\n")
    notices = works.queue.heard.reasons(EventKind.NOTICE, "2")
    assert any("those that validation wrote" in notice for notice in notices)


def test_apply_never_runs_the_changes_generator(works: Works) -> None:
    works.open("1", "b", files=settings(extra="echo ran; echo new > gen/new"))
    works.validate()
    ran = [line for line in works.shown.lines if line.endswith("] ran")]
    assert len(ran) == 1
    works.queue.apply()
    assert works.queue.codes() == {"1": "merged"}
    assert [line for line in works.shown.lines if line.endswith("] ran")] == ran


def test_without_a_bundle_it_needs_regeneration_and_names_the_code(works: Works) -> None:
    works.open("1", "b", files=OWN)
    works.validate()
    works.drop_bundles()
    works.queue.apply()
    assert works.queue.codes() == {"1": Code.KICK_REGENERATION}
    (kick,) = works.forge.kicks
    assert kick.paths == ("tools/settings",)
    assert "Merge `main` into it, regenerate its files there" in kick.report
    assert pull(works.forge, "1").mark is Mark.NEEDS_REGENERATION
    assert works.text("gen/new") is None


def test_code_that_merges_beneath_it_makes_it_wait_for_the_next_run_even_with_a_bundle(
    works: Works,
) -> None:
    # What 1 generates is right on the base; 2 is regenerated by 1's generator.
    works.open("1", "b", files=OWN | {"gen/new": "new\n"})
    works.open("2", "c")
    works.validate()
    assert works.bundle("2") is not None
    works.queue.apply()
    assert works.queue.codes() == {"1": "merged", "2": Code.WAIT_REVALIDATE}
    assert "tools/settings" in works.queue.ended["2"].reason
    works.regenerate_with("./tools/generate")
    works.run()
    assert works.queue.codes() == {"2": "merged"}
    assert works.text("gen/list") == "a\nb\nc\nm\n"


def test_apply_without_a_regeneration_takes_validations_or_hands_it_back(works: Works) -> None:
    works.open("1", "b")
    works.open("2", "c")
    works.validate()
    works.regenerate_with("")
    works.queue.apply()
    assert works.queue.codes() == {"1": "merged", "2": "merged"}
    works.open("3", "d")
    works.open("4", "e")
    works.validate()
    works.drop_bundles()
    works.queue.apply()
    assert works.queue.codes() == {"3": "merged", "4": Code.KICK_REGENERATION}
    assert works.forge.kicks[-1].paths == ("gen/list",)


def test_a_regeneration_that_writes_otherwise_each_time_is_refused_by_name(works: Works) -> None:
    works.forge.push_to_base(settings_text(extra='echo "$PWD" > gen/list'))
    works.open("1", "b")
    works.run()
    assert works.queue.codes() == {"1": Code.KICK_REFUSED}
    assert works.forge.kicks[-1].paths == ("gen/list",)


def test_one_that_fails_where_it_is_applied_blames_nobody(works: Works) -> None:
    works.open("1", "b")
    works.open("2", "c")
    works.validate()
    works.regenerate_with("false")
    works.queue.apply()
    assert works.queue.codes() == {"1": "merged", "2": Code.WAIT_REVALIDATE}
    assert "could not be made again" in works.queue.ended["2"].reason


def test_one_that_cannot_be_started_stops_its_partition_alone(works: Works) -> None:
    works.open("1", "b")
    works.open("2", "c")
    works.forge.open(
        "3",
        works.forge.playground.commit({"docs": "x\n"}, parents=works.forge.playground.tip("main")),
    )
    works.validate()
    works.regenerate_with("./no/such/program")
    result = works.queue.apply()
    assert works.queue.codes() == {"1": "merged", "3": "merged"}
    assert result.failure is not None


def test_one_that_is_cancelled_says_nothing_of_its_change(works: Works) -> None:
    works.open("1", "b")
    works.open("2", "c")
    works.validate()
    works.queue.builder.cancel()
    result = works.queue.apply()
    assert works.queue.codes() == {"1": "merged"}
    assert [error.code for error in result.errors] == [HOOK_CANCELLED.code]
    assert works.forge.kicks == []


def test_source_that_is_rewritten_in_place_is_not_slipped_past_a_review(works: Works) -> None:
    works.forge.push_to_base(settings_text(extra="echo 2 > version"))
    works.open("1", "b")
    works.validate()
    assert works.bundle("1") is not None
    works.queue.apply()
    assert works.queue.codes() == {"1": Code.KICK_REFUSED}
    assert works.forge.kicks[-1].paths == ("version",)


def test_a_bundle_that_rewrites_source_in_place_is_refused(works: Works) -> None:
    works.open("1", "b", files=settings(extra="echo 2 > version"))
    works.run()
    assert works.queue.codes() == {"1": Code.KICK_REFUSED}
    assert works.forge.kicks[-1].paths == ("version",)


def test_what_is_regenerated_follows_the_commits_of_a_rebase(works: Works) -> None:
    # The base generates another file by now, which the change does not carry.
    works.forge.push_to_base(settings_text(extra="echo new > gen/new"))
    head = works.open("1", "b", method=Method.REBASE)
    works.run()
    assert works.queue.codes() == {"1": "merged"}
    assert works.text("gen/new") == "new\n"
    request = works.forge.merge_requests[-1]
    assert parents(works.forge, request.commit) == [head]
    message = works.forge.playground.message(request.commit)
    assert message.startswith("Regenerate files of change 1\n")


def test_a_rebase_whose_regenerated_files_cannot_follow_its_commits_goes_back(
    works: Works,
) -> None:
    # Both change the list, so that the provider would stop at what follows.
    head = works.letter("1", "b")
    lines = "a\nm\nz\n"
    works.forge.push_to_base({"src/z.txt": "z\n", "gen/list": lines})
    works.forge.push_to_base(settings_text(extra="echo end >> gen/list", gated="true"))
    works.forge.open("1", head, method=Method.REBASE)
    works.run()
    assert works.queue.codes() == {"1": Code.KICK_REFUSED}
    assert "Rebase it" in works.forge.kicks[-1].report


def test_a_change_stacked_on_a_squashed_one_keeps_what_was_regenerated(works: Works) -> None:
    playground = works.forge.playground
    tip = playground.tip("main")
    one = playground.commit({"src/b.txt": "b\n", "gen/list": "a\nb\nm\n"}, parents=tip)
    two = playground.commit({"src/c.txt": "c\n", "gen/list": "a\nb\nc\n"}, parents=one)
    works.forge.open("1", one)
    works.forge.open("2", two)
    works.run()
    assert works.queue.codes() == {"1": "merged", "2": "merged"}
    assert works.text("gen/list") == "a\nb\nc\nm\n"


def test_an_executable_output_keeps_its_mode(works: Works) -> None:
    works.open("1", "b", files=settings(extra="echo again > gen/run"))
    works.run()
    assert works.queue.codes() == {"1": "merged"}
    repository = works.forge.playground.repository
    tree = repository[works.forge.playground.tip("main")].peel(pygit2.Tree)
    assert tree["gen/run"].filemode == EXECUTABLE
    assert works.text("gen/run") == "again\n"


def test_a_dry_run_says_what_would_merge_with_regenerated_files_too(works: Works) -> None:
    works.open("1", "b", files=OWN)
    works.validate()
    works.queue.apply(dry_run=True)
    assert works.queue.ended[ChangeId("1")].reason.startswith("would merge, as validated in ")
    assert works.forge.merge_requests == []
