"""GitHub's state as plain records. Handlers and verbs change them; nothing here decides."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from tests.fakes.github.githost import GitHost
from tests.fakes.github.runrecords import Run, Workflow

Json = dict[str, Any]
Method = Literal["merge", "squash", "rebase"]
Role = Literal["admin", "maintain", "write", "triage", "read"]
ROLES: tuple[Role, ...] = ("read", "triage", "write", "maintain", "admin")
"""From the least to the most."""


@dataclass
class User:
    """A person, an organization or an app's bot."""

    login: str
    id: int
    type: Literal["User", "Organization", "Bot"] = "User"
    name: str | None = None
    owners: set[str] = field(default_factory=set)
    """Who owns an organization."""


@dataclass
class App:
    """A GitHub App; a private one answers 404 to every token but its own installation's."""

    slug: str
    id: int
    client_id: str
    name: str
    owner: str
    permissions: dict[str, str]
    private: bool = False
    public_key: str | None = None
    left_out: set[str] = field(default_factory=set)
    """Repositories of its owner's that its installation was not given."""


@dataclass
class Token:
    """What a request carries: a person's, or an installation's with its permissions.

    `permissions` is None for a person, who may what the role in the repository says.
    """

    text: str
    login: str
    permissions: dict[str, str] | None = None
    repositories: set[str] | None = None
    app: App | None = None
    expires_at: float | None = None
    revoked: bool = False


@dataclass
class Label:
    """A label of a repository."""

    id: int
    name: str
    color: str = "ededed"
    description: str | None = None


@dataclass
class Comment:
    """A comment on a pull request."""

    id: int
    node_id: str
    author: str
    body: str
    created_at: str
    minimized: str | None = None


@dataclass
class Review:
    """A review; `author` is None for a deleted account, `commit` None where GitHub lost it."""

    id: int
    node_id: str
    author: str | None
    state: Literal["APPROVED", "CHANGES_REQUESTED", "COMMENTED", "DISMISSED", "PENDING"]
    commit: str | None
    submitted_at: str
    body: str = ""


@dataclass
class Event:
    """One line of a timeline."""

    id: int
    event: str
    actor: str
    created_at: str
    details: Json = field(default_factory=dict)


@dataclass
class AutoMerge:
    """That a pull request is to be merged once it may be."""

    enabled_by: str
    method: Method
    title: str | None
    message: str | None
    enabled_at: str


@dataclass
class Pull:
    """A pull request."""

    number: int
    id: int
    node_id: str
    author: str
    title: str
    body: str | None
    base: str
    head: str
    head_sha: str
    head_repository: str | None
    """None once the fork was deleted."""
    head_owner: str
    base_sha: str
    created_at: str
    updated_at: str
    draft: bool = False
    state: Literal["open", "closed"] = "open"
    merged_at: str | None = None
    merged_by: str | None = None
    merge_commit: str | None = None
    closed_at: str | None = None
    auto_merge: AutoMerge | None = None
    labels: list[str] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)
    reviews: list[Review] = field(default_factory=list)
    timeline: list[Event] = field(default_factory=list)
    requested_reviewers: list[str] = field(default_factory=list)
    last_pusher: str = ""
    maintainer_can_modify: bool = False

    @property
    def merged(self) -> bool:
        return self.merged_at is not None


@dataclass
class Issue:
    """An issue that is no pull request; they are numbered together."""

    number: int
    id: int
    node_id: str
    author: str
    title: str
    body: str | None
    created_at: str
    updated_at: str
    state: Literal["open", "closed"] = "open"
    closed_at: str | None = None
    pinned: bool = False


@dataclass
class Status:
    """A status of a commit; the newest of a context counts."""

    id: int
    context: str
    state: Literal["error", "failure", "pending", "success"]
    description: str | None
    target_url: str | None
    creator: str
    app_id: int | None
    created_at: str


@dataclass
class CheckRun:
    """A check run of a commit."""

    id: int
    name: str
    sha: str
    app_id: int
    suite: int
    status: str
    conclusion: str | None
    started_at: str
    completed_at: str | None


@dataclass
class Ruleset:
    """A ruleset, its rules as GitHub's JSON has them."""

    id: int
    name: str
    rules: list[Json]
    include: list[str]
    exclude: list[str] = field(default_factory=list)
    enforcement: Literal["active", "disabled", "evaluate"] = "active"
    target: str = "branch"
    bypass: list[Json] = field(default_factory=list)
    created_at: str = ""


@dataclass
class Protection:
    """Classic protection of one branch; a check's app is None or -1 where any may report it."""

    checks: list[tuple[str, int | None]] = field(default_factory=list)
    strict: bool = False
    approvals: int = 0
    dismiss_stale: bool = False
    code_owners: bool = False
    last_push_approval: bool = False
    linear: bool = False
    signatures: bool = False
    enforce_admins: bool = False
    older_form: bool = False
    """Whether its checks are told as `contexts` alone, as GitHub once did."""


@dataclass
class Stack:
    """A stack of pull requests, from the bottom up."""

    id: int
    number: int
    base: str
    members: list[int]
    created_at: str


@dataclass
class Environment:
    """A deployment environment."""

    id: int
    name: str
    protected_branches: bool | None = None
    """None where every branch may deploy."""
    policies: list[Json] = field(default_factory=list)
    secrets: dict[str, bytes] = field(default_factory=dict)
    variables: dict[str, str] = field(default_factory=dict)


@dataclass
class Settings:
    """What a repository's settings page says."""

    allow_merge_commit: bool = True
    allow_squash_merge: bool = True
    allow_rebase_merge: bool = True
    allow_auto_merge: bool = True
    delete_branch_on_merge: bool = False
    allow_update_branch: bool = False
    squash_merge_commit_title: str = "COMMIT_OR_PR_TITLE"
    squash_merge_commit_message: str = "COMMIT_MESSAGES"
    merge_commit_title: str = "MERGE_MESSAGE"
    merge_commit_message: str = "PR_TITLE"


@dataclass
class Repository:
    """A repository and everything in it."""

    owner: str
    name: str
    id: int
    git: GitHost
    default_branch: str = "main"
    private: bool = False
    fork_of: str | None = None
    settings: Settings = field(default_factory=Settings)
    roles: dict[str, Role] = field(default_factory=dict)
    labels: dict[str, Label] = field(default_factory=dict)
    pulls: dict[int, Pull] = field(default_factory=dict)
    issues: dict[int, Issue] = field(default_factory=dict)
    statuses: dict[str, list[Status]] = field(default_factory=dict)
    check_runs: list[CheckRun] = field(default_factory=list)
    rulesets: dict[int, Ruleset] = field(default_factory=dict)
    protections: dict[str, Protection] = field(default_factory=dict)
    stacks: list[Stack] = field(default_factory=list)
    environments: dict[str, Environment] = field(default_factory=dict)
    secrets: dict[str, bytes] = field(default_factory=dict)
    variables: dict[str, str] = field(default_factory=dict)
    async_merges: dict[str, Json] = field(default_factory=dict)
    runs: dict[int, Run] = field(default_factory=dict)
    workflows: dict[str, Workflow] = field(default_factory=dict)
    on_dispatch: Callable[[Run], None] | None = None
    """Told of each run that somebody dispatched, once it is there."""

    def next_number(self) -> int:
        """Return the number of the next pull request or issue."""
        return max([*self.pulls, *self.issues], default=0) + 1

    @property
    def full_name(self) -> str:
        return f"{self.owner}/{self.name}"

    def role_of(self, login: str) -> Role | None:
        """Return what somebody is in this repository; anybody reads a public one."""
        if login == self.owner:
            return "admin"
        return self.roles.get(login, None if self.private else "read")

    def may(self, login: str, needed: Role) -> bool:
        """Whether somebody holds at least this role."""
        held = self.role_of(login)
        return held is not None and ROLES.index(held) >= ROLES.index(needed)
