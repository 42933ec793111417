"""Reviews of a pull request."""

from tests.fakes.github import acts, shapes
from tests.fakes.github.calls import Answer, Call, Refused, not_found
from tests.fakes.github.paging import paged
from tests.fakes.github.pulls import ONE, pull_of
from tests.fakes.github.records import Review
from tests.fakes.github.routes import route

_EVENTS: dict[str, acts.ReviewState] = {
    "APPROVE": "APPROVED",
    "REQUEST_CHANGES": "CHANGES_REQUESTED",
    "COMMENT": "COMMENTED",
}


def _review(call: Call) -> Review:
    for review in pull_of(call).reviews:
        if review.id == call.path["review_id"]:
            return review
    raise not_found()


@route(f"GET {ONE}/reviews", "pull_requests:read")
def list_reviews(call: Call) -> Answer:
    pull = pull_of(call)
    every = [shapes.review(call.world, one, call.repository, pull.number) for one in pull.reviews]
    return paged(call, every)


@route(f"POST {ONE}/reviews", "pull_requests:write", role="read")
def create_review(call: Call) -> Answer:
    pull, body = pull_of(call), call.body or {}
    state = _EVENTS.get(body.get("event", ""))
    if state is None:
        raise Refused(422, "The fake has no pending reviews.")
    call.tell(f"review of #{pull.number}: {state}")
    made = acts.review(
        call.world,
        call.repository,
        pull,
        state,
        call.login,
        commit=body.get("commit_id"),
        body=body.get("body", ""),
    )
    return Answer(200, shapes.review(call.world, made, call.repository, pull.number))


@route(f"GET {ONE}/reviews/{{review_id}}", "pull_requests:read")
def read_review(call: Call) -> Answer:
    number = call.path["pull_number"]
    return Answer(200, shapes.review(call.world, _review(call), call.repository, number))


@route(f"PUT {ONE}/reviews/{{review_id}}/dismissals", "pull_requests:write")
def dismiss_review(call: Call) -> Answer:
    review, number = _review(call), call.path["pull_number"]
    call.tell(f"review of #{number} dismissed")
    if review.state not in {"APPROVED", "CHANGES_REQUESTED"}:
        raise Refused(422, "Unprocessable Entity", ["Can not dismiss a review in this state"])
    review.state = "DISMISSED"
    call.world.happen(pull_of(call), "review_dismissed", call.login)
    return Answer(200, shapes.review(call.world, review, call.repository, number))
