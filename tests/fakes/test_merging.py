"""How the fake merges, and how it refuses to, as GitHub does."""

import pytest

from tests.fakes.client import Client
from tests.fakes.github.records import Method, Pull
from tests.fakes.github.story import GitHub

ZERO_TO_NINE = "".join(f"{number}\n" for number in range(10))


def put_merge(app: Client, pull: Pull, **body: str) -> tuple[int, str]:
    answer = app.ask("PUT", f"pulls/{pull.number}/merge", json={"sha": pull.head_sha, **body})
    return answer.status_code, answer.json()["message"]


def test_a_merge_has_two_parents_and_github_words(github: GitHub, app: Client) -> None:
    pull, before = github.open_pull("fix-it", {"a": "1\n"}), github.tip()
    assert put_merge(app, pull) == (200, "Pull Request successfully merged")
    made = github.repository.git.object(github.tip())
    assert [str(one.id) for one in made.parents] == [before, pull.head_sha]
    assert made.message == "Merge pull request #1 from acme/fix-it\n\nFix it"
    assert (made.author.name, made.committer.name) == ("Acme-queue[bot]", "GitHub")
    assert (pull.merged, pull.state, pull.merged_by) == (True, "closed", "acme-queue[bot]")
    assert github.wrote() == ["acme-queue[bot]: merge of #1 by merge"]


def test_a_squash_has_one_parent_its_author_and_the_title(github: GitHub, app: Client) -> None:
    pull = github.open_pull("fix-it", {"a": "1\n"})
    github.push(pull, {"b": "2\n"}, "Second\n\nIts body")
    before = github.tip()
    assert put_merge(app, pull, merge_method="squash")[0] == 200
    made = github.repository.git.object(github.tip())
    assert [str(one.id) for one in made.parents] == [before]
    assert made.message == "Fix it (#1)\n\n* Fix it\n\n* Second\n\nIts body"
    assert made.author.name == "Author"
    assert github.files() == {"README.md": "acme\n", "a": "1\n", "b": "2\n"}
    github.explain("merge of #1")


def test_a_squash_of_one_commit_takes_the_commits_words(github: GitHub, app: Client) -> None:
    github.commit("fix-it", {"a": "1\n"}, "Subject\n\nWhy")
    pull = github.open_pull("fix-it", title="Title")
    put_merge(app, pull, merge_method="squash")
    assert github.repository.git.object(github.tip()).message == "Subject (#1)\n\nWhy"
    github.explain("merge of #1")


def test_words_that_are_given_are_taken(github: GitHub, app: Client) -> None:
    pull = github.open_pull("fix-it", {"a": "1\n"})
    put_merge(app, pull, merge_method="squash", commit_title="T", commit_message="")
    assert github.repository.git.object(github.tip()).message == "T"
    github.explain("merge of #1")


def test_a_rebase_writes_every_commit_anew_by_github(github: GitHub, app: Client) -> None:
    pull = github.open_pull("fix-it", {"a": "1\n"})
    github.push(pull, {"b": "2\n"}, "Second")
    heads = [str(one.id) for one in github.repository.git.between(github.tip(), pull.head_sha)]
    before = github.tip()
    assert put_merge(app, pull, merge_method="rebase")[0] == 200
    made = github.repository.git.between(before, github.tip())
    assert [one.message for one in made] == ["Fix it", "Second"]
    assert {str(one.id) for one in made}.isdisjoint(heads)  # even where they would fit as they are
    assert {one.committer.name for one in made} == {"GitHub"}
    github.explain("merge of #1")


def test_an_edit_of_a_file_that_the_other_side_renamed_conflicts(
    github: GitHub, app: Client
) -> None:
    github.commit("main", {"old": ZERO_TO_NINE})
    pull = github.open_pull("edit", {"old": ZERO_TO_NINE + "ten\n"})
    github.commit("main", {"old": None, "new": ZERO_TO_NINE})
    assert app.get("pulls/1").json()["mergeable"] is False
    assert put_merge(app, pull) == (405, "Pull Request has merge conflicts")
    assert github.wrote() == ["acme-queue[bot]: refused 405: merge of #1 by merge"]


def test_two_edits_apart_in_one_file_are_clean(github: GitHub, app: Client) -> None:
    github.commit("main", {"file": ZERO_TO_NINE})
    pull = github.open_pull("edit", {"file": "first\n" + ZERO_TO_NINE})
    github.commit("main", {"file": ZERO_TO_NINE + "last\n"})
    assert put_merge(app, pull)[0] == 200
    assert github.files()["file"] == f"first\n{ZERO_TO_NINE}last\n"
    github.explain("merge")


def test_a_criss_cross_merges_its_merge_bases_first(github: GitHub, app: Client) -> None:
    git, who = github.repository.git, github.person("author")
    base = github.commit("main", {"f": ZERO_TO_NINE})
    one = git.commit({"f": "one\n" + ZERO_TO_NINE}, "1", parents=[base], author=who)
    two = git.commit({"f": ZERO_TO_NINE + "two\n"}, "2", parents=[base], author=who)
    both = {"f": f"one\n{ZERO_TO_NINE}two\n"}
    ours = git.commit(both, "ours", parents=[one, two], author=who)
    theirs = git.commit({**both, "g": "g\n"}, "theirs", parents=[two, one], author=who)
    github.move("main", ours)
    github.move("cross", theirs)
    pull = github.open_pull("cross")
    assert put_merge(app, pull)[0] == 200
    assert github.files() == {"README.md": "acme\n", **both, "g": "g\n"}
    github.explain("merge")


def test_a_replay_that_conflicts_cannot_be_rebased_though_it_merges(
    github: GitHub, app: Client
) -> None:
    github.commit("main", {"f": "base\n"})
    pull = github.open_pull("wander", {"f": "astray\n"})
    github.push(pull, {"f": "base\n", "g": "g\n"}, "And back")
    github.commit("main", {"f": "main\n"})
    assert put_merge(app, pull, merge_method="rebase") == (405, "This branch can't be rebased")
    assert put_merge(app, pull, merge_method="squash")[0] == 200
    github.explain("merge")


@pytest.mark.parametrize(
    ("method", "setting", "sentence"),
    [
        ("merge", "allow_merge_commit", "Merge commits are not allowed on this repository."),
        ("squash", "allow_squash_merge", "Squash merges are not allowed on this repository."),
        ("rebase", "allow_rebase_merge", "Rebase merges are not allowed on this repository."),
    ],
)
def test_a_method_that_the_settings_forbid_is_a_405(
    github: GitHub, app: Client, method: Method, setting: str, sentence: str
) -> None:
    pull = github.open_pull("fix-it", {"a": "1\n"})
    setattr(github.repository.settings, setting, False)
    assert put_merge(app, pull, merge_method=method) == (405, sentence)
    github.explain("refused 405")


def test_another_head_is_a_409(github: GitHub, app: Client) -> None:
    pull = github.open_pull("fix-it", {"a": "1\n"})
    stale = pull.head_sha
    github.push(pull, {"a": "2\n"})
    said = "Head branch was modified. Review and try the merge again."
    assert put_merge(app, pull, sha=stale) == (409, said)
    github.explain("refused 409")


def test_a_moved_base_a_draft_and_a_closed_one_are_405(github: GitHub, app: Client) -> None:
    pull = github.open_pull("fix-it", {"a": "1\n"})
    github.base_moves_under_merges = 1
    moved = "Base branch was modified. Review and try the merge again."
    assert put_merge(app, pull) == (405, moved)
    pull.draft = True
    assert put_merge(app, pull) == (405, "Pull Request is still a draft")
    github.close(pull)
    assert put_merge(app, pull) == (405, "Pull Request is not mergeable")
    github.explain("refused 405")


def test_a_method_that_does_not_exist_is_a_422_and_breaks_the_test(
    github: GitHub, app: Client
) -> None:
    pull = github.open_pull("fix-it", {"a": "1\n"})
    assert put_merge(app, pull, merge_method="octopus")[0] == 422
    (complaint,) = github.complaints()
    assert "octopus" in complaint
    github.explain("refused 422")


def test_a_merge_that_pins_no_head_breaks_the_test(github: GitHub, app: Client) -> None:
    github.open_pull("fix-it", {"a": "1\n"})
    assert app.ask("PUT", "pulls/1/merge", json={}).status_code == 200
    assert github.complaints() == ["#1 was to be merged without a sha"]
    github.explain("merge of #1")


def test_a_merge_of_a_workflow_needs_the_permission(github: GitHub, app: Client) -> None:
    pull = github.open_pull("ci", {".github/workflows/ci.yml": "on: push\n"})
    assert github.writer.permissions is not None
    del github.writer.permissions["workflows"]
    status, said = put_merge(app, pull)
    assert (status, "without `workflows` permission" in said) == (403, True)
    github.explain("refused 403")


def test_merged_or_not_is_answered_204_or_404(github: GitHub, app: Client) -> None:
    pull = github.open_pull("fix-it", {"a": "1\n"})
    assert app.get("pulls/1/merge").status_code == 404
    github.merge(pull)
    assert app.get("pulls/1/merge").status_code == 204
    assert app.get("pulls/1").json()["merged_by"]["login"] == "maintainer"


def test_mergeable_can_stay_unknown(github: GitHub, app: Client) -> None:
    github.open_pull("fix-it", {"a": "1\n"})
    github.mergeable_is_unknown = True
    shown = app.get("pulls/1").json()
    assert (shown["mergeable"], shown["mergeable_state"]) == (None, "unknown")


def test_a_push_of_the_base_that_holds_the_head_makes_it_merged(github: GitHub) -> None:
    pull = github.open_pull("fix-it", {"a": "1\n"})
    github.move("main", pull.head_sha, by="maintainer")
    assert (pull.merged, pull.merged_by) == (True, "maintainer")


def test_the_base_brought_in_by_the_button_moves_the_head(github: GitHub, app: Client) -> None:
    pull = github.open_pull("fix-it", {"a": "1\n"})
    old, tip = pull.head_sha, github.commit("main", {"b": "1\n"})
    assert app.ask("PUT", "pulls/1/update-branch", json={}).status_code == 202
    made = github.repository.git.object(pull.head_sha)
    assert [str(one.id) for one in made.parents] == [old, tip]
    github.explain("base brought into #1")


def test_a_merge_can_be_answered_as_done_without_being_so(github: GitHub, app: Client) -> None:
    pull, before = github.open_pull("fix-it", {"a": "1\n"}), github.tip()
    github.hollow_merges = {1}
    answer = app.ask("PUT", "pulls/1/merge", json={"sha": pull.head_sha})
    assert (answer.status_code, answer.json()["merged"]) == (200, False)
    assert (pull.merged, github.tip()) == (False, before)
    github.refused_merges = {1: (405, "A conversation must be resolved.")}
    github.hollow_merges.clear()
    assert put_merge(app, pull) == (405, "A conversation must be resolved.")
    github.explain("merge of #1")
