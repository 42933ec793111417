"""The verbs of a test: what people and apps do on GitHub, without a word of HTTP."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Literal

from tests.fakes.github import acts, automerge, lifecycle, stackmerges
from tests.fakes.github.merging import Wish
from tests.fakes.github.merging import merge as merge_pull
from tests.fakes.github.records import (
    App,
    CheckRun,
    Comment,
    Method,
    Pull,
    Repository,
    Review,
    Role,
    Status,
)
from tests.fakes.github.server import Server
from tests.fakes.github.storyrules import Rules

Files = Mapping[str, str | bytes | None]

PEOPLE: dict[str, Role | None] = {
    "author": "write",
    "reviewer": "write",
    "maintainer": "maintain",
    "admin": "admin",
    "reader": "read",
    "outsider": None,
}
"""Who there is, and what each is in the repository."""

WRITER = {
    "contents": "write",
    "pull_requests": "write",
    "statuses": "write",
    "workflows": "write",
    "actions": "read",
    "metadata": "read",
}
READER = {
    "contents": "read",
    "pull_requests": "read",
    "statuses": "read",
    "actions": "read",
    "metadata": "read",
}
RERUNNER = {"actions": "write", "metadata": "read"}


class GitHub(Rules):
    """GitHub with one repository `acme/acme`, its people, and the app `acme-queue` installed.

    Every verb that works on a repository takes it as `on`, and means `acme/acme` without.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.server = Server(self)
        self.add_user("acme", kind="Organization")
        self.repository = self.add_repository("acme", "acme")
        for login, role in PEOPLE.items():
            self.add_user(login, role)
        self.add_user("github-actions[bot]", kind="Bot", number=41898282)
        self.app = self.add_app("acme-queue", WRITER, number=4711)
        self.actions = App("github-actions", 15368, "Iv1.actions", "GitHub Actions", "acme", {})
        self.apps["github-actions"] = self.actions
        own = [self.repository.full_name]
        self.writer = self.token("acme-queue[bot]", WRITER, repositories=own)
        self.reader = self.token("github-actions[bot]", READER, repositories=own)
        self.rerunner = self.token("acme-queue[bot]", RERUNNER, repositories=own)
        self.commit("main", {"README.md": "acme\n"}, "Begin", by="admin")

    def start(self) -> "GitHub":
        self.server.start()
        return self

    def stop(self) -> None:
        self.server.stop()

    # --- commits and branches --------------------------------------------------------------------

    def commit(
        self,
        branch: str,
        files: Files,
        message: str = "Change",
        *,
        by: str = "author",
        start: str = "main",
        on: Repository | None = None,
    ) -> str:
        """Push a commit to a branch, which begins at `start` where it is new."""
        repository = on or self.repository
        git = repository.git
        old = git.tip(branch)
        onto = old or git.tip(start)
        parents = [] if onto is None else [onto]
        made = git.commit(files, message, parents=parents, author=self.person(by))
        self.move(branch, made, by=by, on=repository)
        return made

    def move(
        self, branch: str, commit: str | None, *, by: str = "author", on: Repository | None = None
    ) -> None:
        """Push a commit that exists to a branch, by force if need be; None removes the branch."""
        repository = on or self.repository
        with self.lock:
            old = repository.git.tip(branch)
            repository.git.set_ref(f"refs/heads/{branch}", commit)
            lifecycle.pushed(self, repository, branch, old, commit, by)

    # --- pull requests ---------------------------------------------------------------------------

    def open_pull(
        self,
        branch: str,
        files: Files | None = None,
        *,
        title: str | None = None,
        body: str | None = None,
        author: str = "author",
        base: str = "main",
        draft: bool = False,
        labels: Iterable[str] = (),
        fork: Repository | None = None,
        on: Repository | None = None,
    ) -> Pull:
        """Open a pull request; with files, they are pushed to its branch first."""
        repository = on or self.repository
        source = fork or repository
        title = title or branch.replace("-", " ").capitalize()
        if files is not None:
            if source is not repository and source.git.tip(base) is None:
                source.git.take(
                    repository.git, repository.git.tip(base) or "", f"refs/heads/{base}"
                )
            self.commit(branch, files, title, by=author, start=base, on=source)
        with self.lock:
            pull = lifecycle.open_pull(
                self,
                repository,
                title=title,
                body=body,
                head=(source, branch),
                base=base,
                author=author,
                draft=draft,
            )
        for name in labels:
            self.label(pull, name)
        return pull

    def push(
        self, pull: Pull, files: Files, message: str = "More", *, by: str | None = None
    ) -> str:
        """Push a commit to a pull request's branch."""
        source = self.repositories[pull.head_repository or ""]
        return self.commit(pull.head, files, message, by=by or pull.author, on=source)

    def close(self, pull: Pull, *, by: str = "author") -> None:
        with self.lock:
            lifecycle.close(self, pull, by)

    def retarget(self, pull: Pull, base: str, *, by: str = "author") -> None:
        with self.lock:
            lifecycle.retarget(self, self.where(pull), pull, base, by)

    def delete_branch(
        self, branch: str, *, by: str = "author", on: Repository | None = None
    ) -> None:
        """Remove a branch by itself, which closes what is based on it."""
        with self.lock:
            lifecycle.delete_branch(self, on or self.repository, branch, by)

    def merge(self, pull: Pull, method: Method = "merge", *, by: str = "maintainer") -> str:
        """Merge by hand, whatever the rules say, as an administrator can."""
        with self.lock:
            made = merge_pull(self, self.where(pull), pull, Wish(method), by)
            lifecycle.landed(self, self.where(pull), pull)
        return made

    def label(self, pull: Pull, name: str, *, by: str = "maintainer") -> None:
        with self.lock:
            acts.add_label(self, self.where(pull), pull, name, by)

    def unlabel(self, pull: Pull, name: str, *, by: str = "maintainer") -> None:
        with self.lock:
            acts.remove_label(self, pull, name, by)

    def comment(self, pull: Pull, text: str, *, by: str = "author") -> Comment:
        with self.lock:
            return acts.comment(self, pull, text, by)

    # --- reviews, statuses, checks ---------------------------------------------------------------

    def review(
        self,
        pull: Pull,
        state: acts.ReviewState,
        *,
        by: str = "reviewer",
        commit: str | None = None,
    ) -> Review:
        with self.lock:
            return acts.review(self, self.where(pull), pull, state, by, commit=commit)

    def approve(self, pull: Pull, *, by: str = "reviewer", commit: str | None = None) -> Review:
        return self.review(pull, "APPROVED", by=by, commit=commit)

    def request_changes(self, pull: Pull, *, by: str = "reviewer") -> Review:
        return self.review(pull, "CHANGES_REQUESTED", by=by)

    def dismiss(self, review: Review) -> None:
        with self.lock:
            review.state = "DISMISSED"

    def status(
        self,
        pull: Pull | str,
        context: str,
        state: Literal["error", "failure", "pending", "success"] = "success",
        *,
        by: str = "acme-queue[bot]",
        description: str | None = None,
        on: Repository | None = None,
    ) -> Status:
        """Post a status on a pull request's head or on a commit."""
        repository = on or (self.repository if isinstance(pull, str) else self.where(pull))
        sha = pull if isinstance(pull, str) else pull.head_sha
        with self.lock:
            return acts.post_status(
                self, repository, sha, context, state, by, description=description
            )

    def check(
        self,
        pull: Pull | str,
        name: str,
        conclusion: str | None = "success",
        *,
        app: App | None = None,
        suite: int | None = None,
        on: Repository | None = None,
    ) -> CheckRun:
        """Report a check run of GitHub Actions or another app; None is still running."""
        repository = on or (self.repository if isinstance(pull, str) else self.where(pull))
        sha = pull if isinstance(pull, str) else pull.head_sha
        number = (app or self.actions).id
        with self.lock:
            return acts.report_check(
                self,
                repository,
                sha,
                name,
                conclusion,
                app_id=number,
                suite=suite or self.new_id(),
            )

    # --- auto-merge ------------------------------------------------------------------------------

    def enable_auto_merge(
        self,
        pull: Pull,
        method: Method = "squash",
        *,
        by: str = "maintainer",
        title: str | None = None,
        message: str | None = None,
    ) -> None:
        with self.lock:
            wish = Wish(method, title, message)
            automerge.enable(self, self.where(pull), pull, wish, by)

    def disable_auto_merge(self, pull: Pull, *, by: str = "maintainer") -> None:
        with self.lock:
            automerge.disable(self, pull, by)

    def run_auto_merges(self) -> None:
        """Let GitHub merge what may be merged, where a test holds that back."""
        with self.lock:
            for repository in self.repositories.values():
                lifecycle.settle(self, repository, now=True)

    def run_async_merges(self) -> None:
        """Let merges in the background run, where a test holds them back."""
        with self.lock:
            for repository in self.repositories.values():
                for job in repository.async_merges.values():
                    if job["status"] == "pending":
                        stackmerges.run(self, repository, job)

    # --- what a test reads -----------------------------------------------------------------------

    def wrote(self, pattern: str = "") -> list[str]:
        """Return what was written since the last look, as explained (see `log`)."""
        with self.lock:
            return self.log.wrote(pattern)

    def explain(self, pattern: str) -> None:
        """Take the writes that a pattern is found in as explained; there must be some."""
        if not self.wrote(pattern):
            raise AssertionError(f"nothing was written like {pattern!r}")

    def complaints(self) -> list[str]:
        """Return what broke a description since the last look, as taken from now on."""
        with self.lock:
            found, self.log.broken = self.log.broken, []
            return found

    def tip(self, branch: str = "main") -> str:
        """Return the commit of a branch."""
        found = self.repository.git.tip(branch)
        assert found is not None, branch
        return found

    def files(self, branch: str = "main") -> dict[str, str]:
        """Return the files of a branch."""
        return self.repository.git.files(self.tip(branch))

    def verify(self) -> None:
        """Fail for a broken description, an unknown operation, or a write left unexplained."""
        if self.log.broken:
            raise AssertionError("\n".join(["GitHub would not have it so:", *self.log.broken]))
        if left := self.log.unexplained():
            raise AssertionError("\n".join(["Writes that no assertion took:", *left]))
