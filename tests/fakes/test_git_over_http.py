"""git's own client against the fake: fetches, pushes, and the refusals that it is shown."""

import base64
import os
import subprocess
from pathlib import Path

import pytest

from tests.fakes.client import Client
from tests.fakes.github.records import Protection, Token
from tests.fakes.github.story import GitHub


class Clone:
    """A person's clone, with a token or without one."""

    def __init__(self, github: GitHub, folder: Path) -> None:
        self.github = github
        self.folder = folder
        self.token: Token | None = None
        self.said = ""

    def git(self, *words: str, ok: bool = True) -> str:
        """Run git with the token in its environment; `said` is what it said on stderr."""
        env = {**os.environ, "GIT_ALLOW_PROTOCOL": "http", "GIT_CONFIG_COUNT": "2"}
        env |= {"GIT_CONFIG_KEY_0": "user.name", "GIT_CONFIG_VALUE_0": "Author"}
        env |= {"GIT_CONFIG_KEY_1": "user.email", "GIT_CONFIG_VALUE_1": "author@example.com"}
        if self.token is not None:
            basic = base64.b64encode(f"x-access-token:{self.token.text}".encode()).decode()
            env |= {"GIT_CONFIG_COUNT": "3", "GIT_CONFIG_KEY_2": "http.extraHeader"}
            env["GIT_CONFIG_VALUE_2"] = f"Authorization: Basic {basic}"
        done = subprocess.run(
            ["git", "-C", str(self.folder), *words],
            capture_output=True,
            text=True,
            check=False,
            env=env,
        )
        self.said = done.stderr
        assert (done.returncode == 0) == ok, (words, done.stderr)
        return done.stdout.strip()

    def commit(self, path: str, text: str) -> str:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        self.git("add", path)
        self.git("commit", "-q", "-m", f"Write {path}")
        return self.git("rev-parse", "HEAD")


@pytest.fixture
def clone(github: GitHub, tmp_path: Path) -> Clone:
    made = Clone(github, tmp_path / "clone")
    made.folder.mkdir()
    made.git("init", "-q", "-b", "main")
    made.git("remote", "add", "origin", github.clone_url(github.repository))
    made.git("fetch", "-q", "origin")
    made.git("reset", "-q", "--hard", "origin/main")
    made.token = github.writer
    return made


def test_anybody_fetches_what_is_public_and_a_reader_what_is_private(
    github: GitHub, clone: Clone
) -> None:
    pull = github.open_pull("fix-it", {"a": "1\n"})
    clone.token = None
    clone.git("fetch", "-q", "origin", "refs/pull/1/head:refs/heads/one")
    assert clone.git("rev-parse", "one") == pull.head_sha
    github.repository.private = True
    clone.git("fetch", "-q", "origin", ok=False)
    assert "could not read Username" in clone.said
    clone.token = github.reader
    clone.git("fetch", "-q", "origin")
    clone.token = github.token("outsider")
    clone.git("fetch", "-q", "origin", ok=False)
    assert "not found" in clone.said


def test_a_commit_is_fetched_by_its_id(github: GitHub, clone: Clone) -> None:
    pull = github.open_pull("fix-it", {"a": "1\n"})
    old = pull.head_sha
    github.push(pull, {"a": "2\n"})
    clone.git("fetch", "-q", "origin", old)
    assert clone.git("rev-parse", "FETCH_HEAD") == old


def test_a_push_moves_the_branch_and_its_pull_request(github: GitHub, clone: Clone) -> None:
    pull = github.open_pull("fix-it", {"a": "1\n"})
    clone.git("fetch", "-q", "origin")
    clone.git("checkout", "-q", "-b", "fix-it", "origin/fix-it")
    new = clone.commit("b", "2\n")
    clone.git("push", "-q", "origin", "fix-it")
    assert (pull.head_sha, github.tip("fix-it")) == (new, new)
    assert github.repository.git.ref("refs/pull/1/head") == new
    assert github.wrote() == ["acme-queue[bot]: pushed fix-it"]


def test_a_large_push_comes_in_pieces(github: GitHub, clone: Clone) -> None:
    clone.git("config", "http.postBuffer", "1000")
    (clone.folder / "blob").write_bytes(os.urandom(2_000_000))
    new = clone.commit("small", "x\n")
    clone.git("add", "blob")
    clone.git("commit", "-q", "--amend", "--no-edit")
    clone.git("push", "-q", "origin", "HEAD:refs/heads/large")
    assert github.tip("large") != new
    github.explain("pushed large")


def test_nobody_and_a_reader_push_nothing(github: GitHub, clone: Clone) -> None:
    clone.commit("a", "1\n")
    clone.token = None
    clone.git("push", "origin", "HEAD:x", ok=False)
    assert "could not read Username" in clone.said
    clone.token = github.reader
    clone.git("push", "origin", "HEAD:refs/heads/x", ok=False)
    assert "Permission to acme/acme.git denied to github-actions[bot]." in clone.said
    assert github.repository.git.tip("x") is None
    github.wrote()


def test_a_stale_lease_is_refused_and_moves_nothing(github: GitHub, clone: Clone) -> None:
    pull = github.open_pull("fix-it", {"a": "1\n"})
    clone.commit("b", "1\n")
    lease = f"--force-with-lease=fix-it:{pull.head_sha}"
    newer = github.push(pull, {"a": "2\n"})
    clone.git("push", lease, "origin", "HEAD:fix-it", ok=False)
    assert "stale info" in clone.said
    assert github.tip("fix-it") == newer


def test_refs_of_pull_requests_cannot_be_pushed(github: GitHub, clone: Clone) -> None:
    github.open_pull("fix-it", {"a": "1\n"})
    clone.commit("b", "1\n")
    clone.git("push", "origin", "HEAD:refs/pull/1/head", ok=False)
    assert "deny updating a hidden ref" in clone.said
    assert github.wrote() == ["acme-queue[bot]: pushed refs/pull/1/head (nothing moved)"]


def test_an_app_without_the_permission_pushes_no_workflow(github: GitHub, clone: Clone) -> None:
    clone.token = github.token("acme-queue[bot]", {"contents": "write"})
    clone.commit(".github/workflows/ci.yml", "on: push\n")
    clone.git("push", "origin", "HEAD:refs/heads/ci", ok=False)
    reason = (
        "refusing to allow a GitHub App to create or update workflow `.github/workflows/ci.yml`"
        " without `workflows` permission"
    )
    assert f"[remote rejected] HEAD -> ci ({reason})" in clone.said
    assert github.wrote() == [f"acme-queue[bot]: push of refs/heads/ci refused: {reason}"]
    clone.token = github.writer
    clone.git("push", "-q", "origin", "HEAD:refs/heads/ci")
    clone.token = github.token("acme-queue[bot]", {"contents": "write"})
    clone.commit("other", "1\n")
    clone.git("push", "-q", "origin", "HEAD:refs/heads/ci")  # what was there before is no change
    assert github.wrote("pushed ci") == ["acme-queue[bot]: pushed ci"] * 2


def test_rules_refuse_a_push_with_every_reason(github: GitHub, clone: Clone) -> None:
    github.require_checks("build", "docs")
    github.require_reviews(1)
    clone.commit("a", "1\n")
    clone.git("push", "origin", "HEAD:main", ok=False)
    assert "error: GH013: Repository rule violations found for refs/heads/main." in clone.said
    for reason in (
        'Required status check "build" is expected.',
        'Required status check "docs" is expected.',
        "Changes must be made through a pull request.",
    ):
        assert f"- {reason}" in clone.said
    assert "(push declined due to repository rule violations)" in clone.said
    github.explain("push of refs/heads/main refused: push declined")


@pytest.mark.parametrize(
    ("kind", "refspec", "said"),
    [
        ("deletion", ":fix-it", "Cannot delete this branch"),
        ("non_fast_forward", "+HEAD:fix-it", "Cannot force-push to this branch"),
        ("required_signatures", "HEAD:fix-it", "Commits must have verified signatures."),
        ("update", "HEAD:fix-it", "Cannot update this protected ref."),
    ],
)
def test_a_rule_refuses_the_push_that_breaks_it(
    github: GitHub, clone: Clone, kind: str, refspec: str, said: str
) -> None:
    github.open_pull("fix-it", {"a": "1\n"})
    github.add_ruleset({"type": kind}, branch="fix-it")
    clone.git("fetch", "-q", "origin")
    clone.git("reset", "-q", "--hard", "origin/main" if refspec[0] == "+" else "origin/fix-it")
    clone.commit("b", "1\n")
    clone.git("push", "origin", refspec, ok=False)
    assert said in clone.said
    github.explain("refused")


def test_classic_protection_refuses_a_push(github: GitHub, clone: Clone) -> None:
    github.protect("main", Protection(approvals=1))
    clone.commit("a", "1\n")
    clone.git("push", "origin", "HEAD:main", ok=False)
    assert "error: GH006: Protected branch update failed for refs/heads/main." in clone.said
    assert "(protected branch hook declined)" in clone.said
    clone.token = github.token("admin")
    clone.git("push", "-q", "origin", "HEAD:main")  # an administrator may, unless told otherwise
    assert len(github.wrote()) == 2


def test_a_test_can_refuse_the_push_of_a_branch(github: GitHub, clone: Clone) -> None:
    github.open_pull("fix-it", {"a": "1\n"})
    github.refused_pushes["fix-it"] = "no room"
    clone.git("fetch", "-q", "origin")
    clone.git("reset", "-q", "--hard", "origin/fix-it")
    clone.commit("b", "1\n")
    clone.git("push", "origin", "HEAD:fix-it", ok=False)
    assert "(no room)" in clone.said
    github.explain("no room")


def test_removing_a_branch_closes_its_pull_request(github: GitHub, clone: Clone) -> None:
    pull = github.open_pull("fix-it", {"a": "1\n"})
    clone.git("push", "-q", "origin", ":fix-it")
    assert pull.state == "closed"
    assert github.wrote() == ["acme-queue[bot]: pushed the removal of fix-it"]


def test_refs_are_moved_over_the_api_by_the_same_rules(github: GitHub, app: Client) -> None:
    pull = github.open_pull("fix-it", {"a": "1\n"})
    assert app.get("git/ref/heads/fix-it").json()["object"]["sha"] == pull.head_sha
    back = {"sha": github.tip()}
    path = "git/refs/heads/fix-it"
    said = app.ask("PATCH", path, json=back).json()["message"]
    assert said == "Update is not a fast forward"
    github.add_ruleset({"type": "deletion"}, branch="fix-it")
    assert "Cannot delete this branch" in app.ask("DELETE", path).json()["message"]
    assert app.ask("PATCH", path, json={**back, "force": True}).status_code == 200
    assert pull.head_sha == github.tip()
    new = {"ref": "refs/heads/new", "sha": github.tip()}
    assert app.ask("POST", "git/refs", json=new).status_code == 201
    assert app.ask("POST", "git/refs", json=new).json()["message"] == "Reference already exists"
    assert app.ask("DELETE", "git/refs/heads/new").status_code == 204
    assert [one["ref"] for one in app.every("git/matching-refs/heads/")] == [
        "refs/heads/fix-it",
        "refs/heads/main",
    ]
    github.explain("ref refs/heads")


def test_an_app_pushes_to_no_fork(github: GitHub, clone: Clone) -> None:
    fork = github.fork("outsider")
    clone.commit("a", "1\n")
    clone.git("push", github.clone_url(fork), "HEAD:refs/heads/x", ok=False)
    assert "Permission to outsider/acme.git denied to acme-queue[bot]." in clone.said
    github.wrote()
