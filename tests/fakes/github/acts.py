"""What somebody does to a pull request or a commit, over HTTP or by a verb of a test alike."""

from http import HTTPStatus
from typing import Literal

from tests.fakes.github.calls import Refused, invalid
from tests.fakes.github.lifecycle import settle
from tests.fakes.github.records import CheckRun, Comment, Label, Pull, Repository, Review, Status
from tests.fakes.github.world import World

_UNPROCESSABLE = HTTPStatus.UNPROCESSABLE_ENTITY
LONGEST_COMMENT = 65_536
LONGEST_STATUS = 140


# --- labels and comments -------------------------------------------------------------------------


def find_label(repository: Repository, name: str) -> Label | None:
    """Return a label; GitHub does not look at upper and lower case."""
    return repository.labels.get(name.lower())


def make_label(
    world: World, repository: Repository, name: str, color: str = "ededed", text: str | None = None
) -> Label:
    """Add a label to the repository; raises Refused where there is one."""
    if find_label(repository, name) is not None:
        raise invalid("Label", "name", "already_exists")
    if text is not None and len(text) > 100:
        raise invalid(
            "Label", "description", "custom", "description is too long (maximum is 100 characters)"
        )
    label = Label(world.new_id(), name, color, text)
    repository.labels[name.lower()] = label
    return label


def add_label(world: World, repository: Repository, pull: Pull, name: str, by: str) -> None:
    """Put a label on a pull request, made with a colour of its own where there was none."""
    label = find_label(repository, name) or make_label(world, repository, name)
    if label.name not in pull.labels:
        pull.labels.append(label.name)
        world.happen(pull, "labeled", by, label=label.name)


def remove_label(world: World, pull: Pull, name: str, by: str) -> bool:
    """Take a label off; whether it was there."""
    for held in pull.labels:
        if held.lower() == name.lower():
            pull.labels.remove(held)
            world.happen(pull, "unlabeled", by, label=held)
            return True
    return False


def comment(world: World, pull: Pull, text: str, by: str) -> Comment:
    """Add a comment; raises Refused for one that is too long."""
    if len(text) > LONGEST_COMMENT:
        said = "body is too long (maximum is 65536 characters)"
        raise invalid("IssueComment", "body", "unprocessable", said)
    if not text.strip():
        raise invalid("IssueComment", "body", "missing_field")
    own = world.new_id()
    made = Comment(own, f"IC_{own}", by, text, world.clock.tick())
    pull.comments.append(made)
    pull.updated_at = made.created_at
    return made


# --- reviews, statuses, checks -------------------------------------------------------------------

ReviewState = Literal["APPROVED", "CHANGES_REQUESTED", "COMMENTED"]


def review(
    world: World,
    repository: Repository,
    pull: Pull,
    state: ReviewState,
    by: str,
    *,
    commit: str | None = None,
    body: str = "",
) -> Review:
    """Add a review; raises Refused for one's own pull request."""
    if by == pull.author and state != "COMMENTED":
        word = "approve" if state == "APPROVED" else "request changes on"
        raise Refused(
            _UNPROCESSABLE, "Unprocessable Entity", [f"Can not {word} your own pull request"]
        )
    own = world.new_id()
    moment = world.clock.tick()
    made = Review(own, f"PRR_{own}", by, state, commit or pull.head_sha, moment, body)
    pull.reviews.append(made)
    settle(world, repository)
    return made


def post_status(
    world: World,
    repository: Repository,
    sha: str,
    context: str,
    state: Literal["error", "failure", "pending", "success"],
    by: str,
    *,
    description: str | None = None,
    target_url: str | None = None,
) -> Status:
    """Post a status; raises Refused for an unknown commit or a long description."""
    if not repository.git.has(sha):
        raise Refused(_UNPROCESSABLE, f"No commit found for SHA: {sha}")
    if description is not None and len(description) > LONGEST_STATUS:
        said = "description is too long (maximum is 140 characters)"
        raise Refused(
            _UNPROCESSABLE,
            "Validation Failed",
            [{"resource": "Status", "code": "custom", "field": "description", "message": said}],
        )
    kept = repository.statuses.setdefault(sha, [])
    if sum(one.context == context for one in kept) >= world.most_statuses:
        said = "This SHA and context has reached the maximum number of statuses."
        raise Refused(
            _UNPROCESSABLE,
            "Validation Failed",
            [{"resource": "Status", "code": "custom", "message": said}],
        )
    app = world.app_of(by)
    made = Status(
        world.new_id(),
        context,
        state,
        description,
        target_url,
        by,
        app.id if app else None,
        world.clock.tick(),
    )
    kept.append(made)
    settle(world, repository)
    return made


def report_check(
    world: World,
    repository: Repository,
    sha: str,
    name: str,
    conclusion: str | None,
    *,
    app_id: int,
    suite: int,
) -> CheckRun:
    """Report a check run, running where there is no conclusion."""
    moment = world.clock.tick()
    run = CheckRun(
        id=world.new_id(),
        name=name,
        sha=sha,
        app_id=app_id,
        suite=suite,
        status="in_progress" if conclusion is None else "completed",
        conclusion=conclusion,
        started_at=moment,
        completed_at=None if conclusion is None else moment,
    )
    repository.check_runs.append(run)
    settle(world, repository)
    return run
