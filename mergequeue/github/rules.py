"""What a base requires: merge methods, approvals, checks (facts 1.3).

From the repository's settings, every page of the active rules that hit the branch, and the summary
of classic branch protection.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from mergequeue.documents.capabilities import RequiredCheck
from mergequeue.github.addresses import RepoName
from mergequeue.github.answers import Body, GitHubRecord, RefusedError
from mergequeue.github.client import Client
from mergequeue.github.message_rules import MessageRule
from mergequeue.github.pulls import AnyCaseMethod
from mergequeue.report import github as words
from mergequeue.vocabulary.errors import BAD_ANSWER, PROVIDER_FAILED
from mergequeue.vocabulary.ids import BranchName
from mergequeue.vocabulary.words import Method

_ANY_APP = -1
_UNSEEN = frozenset({403, 404})

_METHODS = """\
query Methods($owner: String!, $name: String!) {
  repository(owner: $owner, name: $name) {
    mergeCommitAllowed squashMergeAllowed rebaseMergeAllowed autoMergeAllowed
  }
}
"""


class Settings(GitHubRecord):
    """The repository's settings, as far as the token is shown them."""

    id: int
    full_name: str
    default_branch: str
    allow_merge_commit: bool | None = None
    """Sent to a token that may push alone, as the two beneath and the last; None where it was not.
    """
    allow_squash_merge: bool | None = None
    allow_rebase_merge: bool | None = None
    allow_auto_merge: bool | None = None


class _Shown(GitHubRecord):
    merge: Annotated[bool, Field(alias="mergeCommitAllowed")]
    squash: Annotated[bool, Field(alias="squashMergeAllowed")]
    rebase: Annotated[bool, Field(alias="rebaseMergeAllowed")]
    auto_merge: Annotated[bool, Field(alias="autoMergeAllowed")]

    def added_to(self, settings: Settings) -> Settings:
        return settings.model_copy(
            update={
                "allow_merge_commit": self.merge,
                "allow_squash_merge": self.squash,
                "allow_rebase_merge": self.rebase,
                "allow_auto_merge": self.auto_merge,
            }
        )


class _Kind(GitHubRecord):
    type: str


class _PullRequestParameters(GitHubRecord):
    required_approving_review_count: int
    allowed_merge_methods: tuple[AnyCaseMethod, ...] | None = None
    """Rules that were made before this was known name none, which narrows nothing."""


class _PullRequestRule(GitHubRecord):
    parameters: _PullRequestParameters


class _MessageParameters(GitHubRecord):
    operator: str
    pattern: str
    negate: bool = False
    """Optional in GitHub's description, as the name is."""
    name: str = ""


class _MessageRule(GitHubRecord):
    parameters: _MessageParameters


class _StatusCheck(GitHubRecord):
    context: str
    integration_id: int | None = None


class _ChecksParameters(GitHubRecord):
    required_status_checks: tuple[_StatusCheck, ...]


class _ChecksRule(GitHubRecord):
    parameters: _ChecksParameters


class _AppCheck(GitHubRecord):
    context: str
    app_id: int | None


class _ClassicChecks(GitHubRecord):
    contexts: tuple[str, ...]
    checks: tuple[_AppCheck, ...] = ()
    """Absent on hosts that know no apps here."""


class _Protection(GitHubRecord):
    required_status_checks: _ClassicChecks | None = None


class _Branch(GitHubRecord):
    protection: _Protection


@dataclass(frozen=True)
class Rules:
    """The active rules of a base, each kind of them read."""

    approvals: int = 0
    """The largest number of approvals that a rule requires."""
    checks: tuple[RequiredCheck, ...] = ()
    narrowed: tuple[frozenset[Method], ...] = ()
    """The methods that each rule allows which names any."""
    linear: bool = False
    signed: bool = False
    by_pull_request: bool = False
    """Whether the branch moves by pull requests alone."""
    native_queue: bool = False
    """Whether GitHub's own merge queue is on."""
    messages: tuple[MessageRule, ...] = ()
    """The rules about the messages of commits."""


class Base:
    """Reads what one base requires."""

    def __init__(self, client: Client, repo: RepoName, base: BranchName) -> None:
        self._client = client
        self._repo = repo
        self._base = base

    def settings(self) -> Settings:
        """Return the repository's settings.

        REST shows the merge methods to those who may push alone, and GraphQL to every reader.
        """
        with _needing("metadata: read"):
            settings = self._client.get(self._repo.path()).body.read(Settings)
        if settings.allow_squash_merge is not None:
            return settings
        variables = {"owner": self._repo.owner, "name": self._repo.name}
        try:
            data = self._client.graphql(_METHODS, variables)
        except RefusedError:
            return settings
        return data.at("repository").read(_Shown).added_to(settings)

    def rules(self) -> Rules:
        """Return the active rules."""
        with _needing("metadata: read"):
            return rules_of(self._client.pages(self._repo.path("rules", "branches", self._base)))

    def is_one(self) -> bool:
        """Return whether something is required of what lands on it, as of no topic branch."""
        rules = self.rules()
        by_itself = rules.by_pull_request or rules.native_queue
        return by_itself or bool(self.required_checks(rules))

    def required_checks(self, rules: Rules) -> tuple[RequiredCheck, ...]:
        """Return every check that rules and classic protection require, each once."""
        with _needing("contents: read"):
            branch = self._client.get(self._repo.path("branches", self._base)).body.read(_Branch)
        return tuple(dict.fromkeys([*rules.checks, *_classic(branch)]))


@contextmanager
def _needing(permission: str) -> Iterator[None]:
    """Name the permission that a read needs, where GitHub refuses it for want of one."""
    try:
        yield
    except RefusedError as error:
        if error.status not in _UNSEEN:
            raise
        raise PROVIDER_FAILED(error.problem, words.needs(permission)) from error


def rules_of(bodies: Iterable[Body]) -> Rules:
    """Return what the rules say together; a kind that the queue does not know is left out."""
    bodies = list(bodies)
    kinds = [body.read(_Kind).type for body in bodies]
    reviews = [
        body.read(_PullRequestRule).parameters
        for body, kind in zip(bodies, kinds, strict=True)
        if kind == "pull_request"
    ]
    required = [
        check
        for body, kind in zip(bodies, kinds, strict=True)
        if kind == "required_status_checks"
        for check in body.read(_ChecksRule).parameters.required_status_checks
    ]
    return Rules(
        approvals=max((one.required_approving_review_count for one in reviews), default=0),
        checks=tuple(_check(one.context, one.integration_id) for one in required),
        narrowed=tuple(
            frozenset(one.allowed_merge_methods) for one in reviews if one.allowed_merge_methods
        ),
        linear="required_linear_history" in kinds,
        signed="required_signatures" in kinds,
        by_pull_request="pull_request" in kinds,
        native_queue="merge_queue" in kinds,
        messages=tuple(
            MessageRule(rule.operator, rule.pattern, rule.negate, rule.name)
            for body, kind in zip(bodies, kinds, strict=True)
            if kind == "commit_message_pattern"
            for rule in [body.read(_MessageRule).parameters]
        ),
    )


def methods_of(settings: Settings, rules: Rules) -> tuple[Method, ...]:
    """Return the merge methods that settings and rules both allow.

    A rebase makes commits that nobody signed, so it goes where signatures are required. Raises
    PROVIDER_FAILED where nothing is left, or nothing is known.
    """
    shown = {
        Method.MERGE: settings.allow_merge_commit,
        Method.SQUASH: settings.allow_squash_merge,
        Method.REBASE: settings.allow_rebase_merge,
    }
    known = {method: on for method, on in shown.items() if on is not None}
    if not known and not rules.narrowed:
        raise PROVIDER_FAILED(words.methods_unknown(settings.full_name), words.NEEDS_PUSH)
    if known and len(known) < len(shown):
        raise BAD_ANSWER(words.methods_half_shown(settings.full_name, known))
    allowed = {method for method in Method if known.get(method, not known)}
    allowed = allowed.intersection(*rules.narrowed)
    allowed -= {Method.MERGE} if rules.linear else set()
    allowed -= {Method.REBASE} if rules.signed else set()
    if not allowed:
        raise PROVIDER_FAILED(words.no_method_left(settings.full_name), words.ALLOW_A_METHOD)
    return tuple(method for method in Method if method in allowed)


def _classic(branch: _Branch) -> list[RequiredCheck]:
    required = branch.protection.required_status_checks
    if required is None:
        return []
    if required.checks:
        return [_check(one.context, one.app_id) for one in required.checks]
    return [_check(context, None) for context in required.contexts]


def _check(context: str, app: int | None) -> RequiredCheck:
    return RequiredCheck(context=context, integration="" if app in {None, _ANY_APP} else str(app))
