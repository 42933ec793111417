"""What the rules of a base ask of a pull request, and what of it is not there yet."""

import re
from collections.abc import Callable, Iterable, Iterator
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, NamedTuple

from tests.fakes.github import gitmerges
from tests.fakes.github.githost import GITHUB
from tests.fakes.github.records import Json, Protection, Pull, Repository, Review, Role, Ruleset

if TYPE_CHECKING:
    from tests.fakes.github.world import World

_ROLES_BY_ID: dict[int, Role] = {2: "maintain", 4: "write", 5: "admin"}
PASSING = {"success", "neutral", "skipped"}


class Required(NamedTuple):
    """What a base asks for, over all its rules."""

    checks: list[tuple[str, int | None]]
    strict: bool
    approvals: int
    code_owners: bool
    last_push: bool
    dismiss_stale: bool
    threads: bool
    linear: bool
    signatures: bool
    methods: list[set[str]]
    merge_queue: bool


def rules_of(repository: Repository, branch: str) -> list[tuple[Ruleset, Json]]:
    """Return the active rules that hit a branch, each with its ruleset."""
    return [
        (ruleset, rule)
        for ruleset in repository.rulesets.values()
        if ruleset.enforcement == "active" and ruleset.target == "branch"
        if _hits(ruleset, branch, repository.default_branch)
        for rule in ruleset.rules
    ]


def _hits(ruleset: Ruleset, branch: str, default: str) -> bool:
    def named(patterns: list[str]) -> bool:
        full = f"refs/heads/{branch}"
        return any(
            pattern == "~ALL"
            or (pattern == "~DEFAULT_BRANCH" and branch == default)
            or fnmatchcase(full, pattern)
            for pattern in patterns
        )

    return named(ruleset.include) and not named(ruleset.exclude)


def bypasses(world: "World", repository: Repository, ruleset: Ruleset, login: str | None) -> bool:
    """Whether a ruleset lets somebody past."""
    if login is None:
        return False
    app = world.app_of(login)
    for actor in ruleset.bypass:
        kind, number = actor["actor_type"], actor.get("actor_id")
        if kind == "Integration" and app is not None and app.id == number:
            return True
        role = _ROLES_BY_ID.get(number or 0)
        is_person = kind == "RepositoryRole" and app is None
        if is_person and role is not None and repository.may(login, role):
            return True
        if kind == "OrganizationAdmin" and repository.role_of(login) == "admin":
            return True
    return False


def required_of(
    world: "World", repository: Repository, branch: str, login: str | None = None
) -> Required:
    """Return what a branch asks for, of somebody whom some rulesets may let past."""
    rules = [
        rule
        for ruleset, rule in rules_of(repository, branch)
        if not bypasses(world, repository, ruleset, login)
    ]
    classic = repository.protections.get(branch, Protection())
    reviews = [rule.get("parameters", {}) for rule in rules if rule["type"] == "pull_request"]
    statuses = [
        rule.get("parameters", {}) for rule in rules if rule["type"] == "required_status_checks"
    ]
    kinds = {rule["type"] for rule in rules}
    pinned = [
        (check["context"], check.get("integration_id"))
        for one in statuses
        for check in one["required_status_checks"]
    ]
    return Required(
        checks=list(dict.fromkeys([*pinned, *classic.checks])),
        strict=classic.strict
        or any(one.get("strict_required_status_checks_policy") for one in statuses),
        approvals=max(
            [classic.approvals, *(one["required_approving_review_count"] for one in reviews)]
        ),
        code_owners=classic.code_owners or any(one["require_code_owner_review"] for one in reviews),
        last_push=classic.last_push_approval
        or any(one["require_last_push_approval"] for one in reviews),
        dismiss_stale=classic.dismiss_stale
        or any(one["dismiss_stale_reviews_on_push"] for one in reviews),
        threads=any(one["required_review_thread_resolution"] for one in reviews),
        linear=classic.linear or "required_linear_history" in kinds,
        signatures=classic.signatures or "required_signatures" in kinds,
        methods=[
            set(one["allowed_merge_methods"]) for one in reviews if one.get("allowed_merge_methods")
        ],
        merge_queue="merge_queue" in kinds,
    )


# --- reviews -------------------------------------------------------------------------------------


def standing_reviews(repository: Repository, pull: Pull) -> dict[str, Review]:
    """Return the last review with an opinion of everyone who may write, by login."""
    last: dict[str, Review] = {}
    for review in pull.reviews:
        if review.author is None or not repository.may(review.author, "write"):
            continue
        if review.state in {"APPROVED", "CHANGES_REQUESTED", "DISMISSED"}:
            last[review.author] = review
    return {login: one for login, one in last.items() if one.state != "DISMISSED"}


def review_decision(world: "World", repository: Repository, pull: Pull) -> str | None:
    """Return GitHub's word on the reviews, None where nobody must review."""
    required = required_of(world, repository, pull.base)
    if not required.approvals and not required.code_owners:
        return None
    standing = standing_reviews(repository, pull).values()
    approvals = sum(one.state == "APPROVED" for one in standing)
    if any(one.state == "CHANGES_REQUESTED" for one in standing):
        return "CHANGES_REQUESTED"
    if approvals < required.approvals or (
        required.code_owners and not _owned(world, repository, pull)
    ):
        return "REVIEW_REQUIRED"
    return "APPROVED"


def _owned(world: "World", repository: Repository, pull: Pull) -> bool:
    standing = standing_reviews(repository, pull)
    return any(
        standing[login].state == "APPROVED" for login in world.code_owners if login in standing
    )


def _review_faults(
    world: "World", repository: Repository, pull: Pull, required: Required
) -> Iterator[str]:
    standing = standing_reviews(repository, pull)
    approvers = {login for login, one in standing.items() if one.state == "APPROVED"}
    if any(one.state == "CHANGES_REQUESTED" for one in standing.values()) and required.approvals:
        yield "Changes have been requested by a reviewer with write access."
    if len(approvers) < required.approvals:
        many = (
            "1 approving review is"
            if required.approvals == 1
            else (f"{required.approvals} approving reviews are")
        )
        yield f"At least {many} required by reviewers with write access."
    if required.code_owners and not _owned(world, repository, pull):
        yield "Waiting on code owner review."
    if required.last_push and not any(
        one.commit == pull.head_sha and login != pull.last_pusher
        for login, one in standing.items()
        if login in approvers
    ):
        yield "New changes require approval from someone other than the last pusher."
    if required.threads and pull.number in world.unresolved_threads:
        yield "A conversation must be resolved before this pull request can be merged."


# --- checks --------------------------------------------------------------------------------------


def check_state(repository: Repository, sha: str, context: str, app: int | None) -> str | None:
    """Return success, pending or failure of a required name, None where nothing reported it."""
    pinned = None if app in {None, -1} else app
    states: list[str] = []
    for status in reversed(repository.statuses.get(sha, [])):
        if status.context == context and pinned in {None, status.app_id}:
            states.append("failure" if status.state == "error" else status.state)
            break
    for run in reversed(repository.check_runs):
        if run.sha == sha and run.name == context and pinned in {None, run.app_id}:
            done = run.status == "completed"
            states.append("pending" if not done else _of_conclusion(run.conclusion))
            break
    for state in ("failure", "pending", "success"):
        if state in states:
            return state
    return None


def _of_conclusion(conclusion: str | None) -> str:
    return "success" if conclusion in PASSING else "failure"


def _check_faults(repository: Repository, pull: Pull, required: Required) -> Iterator[str]:
    words = {None: "expected", "pending": "pending", "failure": "failing"}
    for context, app in required.checks:
        state = check_state(repository, pull.head_sha, context, app)
        if state != "success":
            yield f'Required status check "{context}" is {words[state]}.'


def is_behind(repository: Repository, pull: Pull) -> bool:
    """Whether the head lacks the newest commit of its base."""
    tip = repository.git.tip(pull.base)
    return tip is not None and not repository.git.contains(pull.head_sha, tip)


# --- everything ----------------------------------------------------------------------------------


def unmet(
    world: "World", repository: Repository, pull: Pull, method: str, login: str | None = None
) -> list[str]:
    """Return in GitHub's words what the rules still ask for, of a merge by somebody."""
    required = required_of(world, repository, pull.base, login)
    faults = [*_review_faults(world, repository, pull, required)]
    faults += _check_faults(repository, pull, required)
    if required.strict and is_behind(repository, pull):
        faults.append("Head branch is not up to date with the base branch.")
    if required.signatures and method != "squash" and not _signed(repository, pull):
        faults.append("Commits must have verified signatures.")
    if required.linear and method == "merge":
        faults.append("This branch must not contain merge commits.")
    faults += [
        f"Merge method {method} is not allowed on this branch."
        for allowed in required.methods
        if method not in allowed
    ]
    if required.merge_queue:
        faults.append("Changes must be made through the merge queue")
    return faults


_FITS: dict[str, Callable[[str, str], bool]] = {
    "starts_with": str.startswith,
    "ends_with": str.endswith,
    "contains": lambda text, pattern: pattern in text,
    "regex": lambda text, pattern: re.search(pattern, text, re.MULTILINE) is not None,
}


def word_faults(
    world: "World", repository: Repository, branch: str, login: str, messages: Iterable[str]
) -> list[str]:
    """Return what the rules say against the messages of commits that come to a branch."""
    rules = [
        rule["parameters"]
        for ruleset, rule in rules_of(repository, branch)
        if rule["type"] == "commit_message_pattern"
        if not bypasses(world, repository, ruleset, login)
    ]
    found = [
        f"Commit message must {'not ' if one.get('negate') else ''}match: {one['pattern']}"
        for text in messages
        for one in rules
        if _FITS[one["operator"]](text, one["pattern"]) == bool(one.get("negate"))
    ]
    return list(dict.fromkeys(found))


def _signed(repository: Repository, pull: Pull) -> bool:
    """Whether GitHub made every commit itself; nobody else signs here."""
    commits = repository.git.between(pull.base_sha, pull.head_sha)
    return all(commit.committer.email == GITHUB.email for commit in commits)


def mergeable(world: "World", repository: Repository, pull: Pull) -> bool | None:
    """Return whether the merge is clean; None while GitHub has not looked."""
    if world.mergeable_is_unknown:
        return None
    tip = repository.git.tip(pull.base)
    if tip is None or pull.merged:
        return None
    key = (tip, pull.head_sha)
    if key not in world.merges:
        world.merges[key] = gitmerges.merged_tree(repository.git, tip, pull.head_sha)
    return world.merges[key] is not None


def merge_state(world: "World", repository: Repository, pull: Pull) -> str:
    """Return GitHub's mergeStateStatus."""
    clean = mergeable(world, repository, pull)
    if clean is None:
        return "UNKNOWN"
    if pull.draft:
        return "DRAFT"
    if not clean:
        return "DIRTY"
    required = required_of(world, repository, pull.base)
    faults = unmet(world, repository, pull, some_method(repository, required))
    if faults == ["Head branch is not up to date with the base branch."]:
        return "BEHIND"
    if faults:
        return "BLOCKED"
    return "UNSTABLE" if _is_unstable(repository, pull) else "CLEAN"


def some_method(repository: Repository, required: Required) -> str:
    """Return a method that settings and rules allow, squash where none is."""
    settings = repository.settings
    allowed = {
        "squash": settings.allow_squash_merge,
        "merge": settings.allow_merge_commit and not required.linear,
        "rebase": settings.allow_rebase_merge,
    }
    for method, may in allowed.items():
        if may and all(method in one for one in required.methods):
            return method
    return "squash"


def _is_unstable(repository: Repository, pull: Pull) -> bool:
    names = {one.context for one in repository.statuses.get(pull.head_sha, [])}
    names |= {one.name for one in repository.check_runs if one.sha == pull.head_sha}
    return any(check_state(repository, pull.head_sha, name, None) != "success" for name in names)
