"""How a repository is wired for the queue: every fact that the steps of setting it up come from.

What the token may not see reads as not there: each step is safe to repeat.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from mergequeue.documents.capabilities import RequiredCheck
from mergequeue.github.addresses import ApiPath, RepoName
from mergequeue.github.answers import Body, GitHubRecord, RefusedError
from mergequeue.github.client import Client
from mergequeue.github.identity import Owner
from mergequeue.github.labels import INTENT
from mergequeue.vocabulary.ids import BranchName, CommitId

ENVIRONMENT = "merge-queue"
CLIENT_ID = "MERGEQUEUE_APP_CLIENT_ID"
PRIVATE_KEY = "MERGEQUEUE_APP_PRIVATE_KEY"
_HIDDEN = frozenset({403, 404})
_NEWEST = 20
_LOOKED_AT = 5


class _Repository(GitHubRecord):
    owner: Owner
    default_branch: str
    allow_auto_merge: bool | None = None


class _Strict(GitHubRecord):
    strict_required_status_checks_policy: bool = False
    dismiss_stale_reviews_on_push: bool = False
    require_last_push_approval: bool = False
    required_status_checks: tuple["_Check", ...] = ()


class _Check(GitHubRecord):
    context: str
    integration_id: int | None = None


class Rule(GitHubRecord):
    """One active rule of the base, and the ruleset that it is of."""

    type: str
    ruleset_id: int | None = None
    parameters: _Strict = _Strict()

    def requires(self, context: str) -> bool:
        """Whether the rule requires a check of this name."""
        return any(check.context == context for check in self.parameters.required_status_checks)

    def pins(self, context: str, app: str) -> bool:
        """Whether it requires it from that app alone, in every place that names it."""
        own = [one for one in self.parameters.required_status_checks if one.context == context]
        return all(str(check.integration_id) == app for check in own)


class Ruleset(GitHubRecord):
    """A ruleset as its settings page has it."""

    id: int
    name: str
    rules: tuple[Rule, ...] = ()


class _Label(GitHubRecord):
    name: str


class _Policy(GitHubRecord):
    name: str


class _Variable(GitHubRecord):
    value: str


class _Pull(GitHubRecord):
    class Head(GitHubRecord):
        sha: CommitId
        repo: "_Named | None"

    head: Head


class _Named(GitHubRecord):
    full_name: str


class _CheckRun(GitHubRecord):
    class Suite(GitHubRecord):
        id: int

    name: str
    check_suite: Suite | None


class _Run(GitHubRecord):
    check_suite_id: int
    event: str


class _Status(GitHubRecord):
    context: str


@dataclass(frozen=True)
class Wiring:
    """What a repository has of what the queue needs."""

    auto_merge: bool | None
    """Whether auto-merge is allowed; None where the token is not shown it."""
    rules: tuple[Rule, ...]
    default_branch: str
    """Where what merges runs, whichever base it merges into."""
    rulesets: tuple[Ruleset, ...] = ()
    """Those that require the queue's status."""
    environment: bool = False
    """Whether there is one, given to the default branch."""
    client_id: str = ""
    """What the variable says; empty where there is none, or it may not be seen."""
    has_key: bool = False
    labels: frozenset[str] = frozenset()
    """Which of the labels that queue are there."""

    def strict(self) -> bool:
        """Whether branches have to be up to date before merging."""
        return any(rule.parameters.strict_required_status_checks_policy for rule in self.rules)

    def has(self, kind: str) -> bool:
        """Whether a rule of that kind is active."""
        return any(rule.type == kind for rule in self.rules)


class Wirings:
    """Reads how one repository is wired."""

    def __init__(self, client: Client, repo: RepoName, base: BranchName) -> None:
        self._client = client
        self._repo = repo
        self._base = base

    def read(self, context: str) -> Wiring:
        """Return everything that the steps for a status of this name come from."""
        repository = self._client.get(self._repo.path()).body.read(_Repository)
        rules = self.rules()
        ids = {rule.ruleset_id for rule in rules if rule.requires(context)} - {None}
        return Wiring(
            auto_merge=repository.allow_auto_merge,
            rules=rules,
            default_branch=repository.default_branch,
            rulesets=tuple(self._ruleset(number) for number in sorted(filter(None, ids))),
            environment=self._environment(repository.default_branch),
            client_id=self._client_id(),
            has_key=self._is_there(
                self._repo.path("environments", ENVIRONMENT, "secrets", PRIVATE_KEY)
            ),
            labels=frozenset(self._labels()),
        )

    def owner(self) -> Owner:
        """Return whose repository it is."""
        return self._client.get(self._repo.path()).body.read(_Repository).owner

    def rules(self) -> tuple[Rule, ...]:
        """Return the active rules of the base."""
        path = self._repo.path("rules", "branches", self._base)
        return tuple(item.read(Rule) for item in self._client.pages(path))

    def with_events(self, checks: Iterable[RequiredCheck]) -> tuple[RequiredCheck, ...]:
        """Return the checks with what starts the workflows that report them (facts 1.12).

        Looked for at the newest heads, up to the first that shows any of them. A check that none of
        those shows has no events.
        """
        checks = tuple(checks)
        events = self._events({check.context for check in checks})
        return tuple(
            check.model_copy(update={"events": tuple(sorted(events.get(check.context, ())))})
            for check in checks
        )

    def _events(self, wanted: set[str]) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for head in self._newest_heads():
            path = self._repo.path("commits", head, "check-runs")
            listed = self._shown(path, "check_runs")
            if listed is None:
                return found
            runs = [item.read(_CheckRun) for item in listed]
            started = {
                run.check_suite_id: run.event
                for item in self._client.pages(
                    self._repo.path("actions", "runs"), {"head_sha": head}, inside="workflow_runs"
                )
                for run in [item.read(_Run)]
            }
            for run in runs:
                suite = run.check_suite.id if run.check_suite else 0
                found.setdefault(run.name, set()).add(started.get(suite, "another app"))
            statuses = self._repo.path("commits", head, "status")
            for item in self._client.get(statuses).body.at("statuses").each():
                found.setdefault(item.read(_Status).context, set()).add("a status")
            if wanted & found.keys():
                break
        return found

    def _newest_heads(self) -> list[CommitId]:
        query: dict[str, str | int] = {
            "state": "all",
            "base": self._base,
            "sort": "updated",
            "direction": "desc",
            "per_page": _NEWEST,
        }
        listed = self._client.get(self._repo.path("pulls"), query).body.each()
        pulls = [item.read(_Pull) for item in listed]
        own = [
            pull.head.sha
            for pull in pulls
            if pull.head.repo is not None and pull.head.repo.full_name == str(self._repo)
        ]
        return own[:_LOOKED_AT]

    def _ruleset(self, number: int) -> Ruleset:
        return self._client.get(self._repo.path("rulesets", number)).body.read(Ruleset)

    def _environment(self, branch: str) -> bool:
        path = self._repo.path("environments", ENVIRONMENT, "deployment-branch-policies")
        listed = self._shown(path, "branch_policies") or ()
        return [item.read(_Policy).name for item in listed] == [branch]

    def _client_id(self) -> str:
        path = self._repo.path("actions", "variables", CLIENT_ID)
        answer = self._client.get(path, expect=(200, *_HIDDEN))
        return answer.body.read(_Variable).value if answer.status not in _HIDDEN else ""

    def _labels(self) -> set[str]:
        listed = self._client.pages(self._repo.path("labels"))
        return {item.read(_Label).name for item in listed} & set(INTENT)

    def _shown(self, path: ApiPath, inside: str) -> tuple[Body, ...] | None:
        """Return what a listing holds; None where it is not there, or the token may not see it."""
        try:
            return self._client.pages(path, inside=inside)
        except RefusedError as error:
            if error.status not in _HIDDEN:
                raise
            return None

    def _is_there(self, path: ApiPath) -> bool:
        return self._client.get(path, expect=(200, *_HIDDEN)).status not in _HIDDEN
