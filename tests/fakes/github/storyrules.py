"""Verbs about rules: rulesets, classic protection, stacks."""

from collections.abc import Iterable
from typing import Literal

from tests.fakes.github.records import (
    App,
    Json,
    Method,
    Protection,
    Pull,
    Repository,
    Ruleset,
    Stack,
)
from tests.fakes.github.storypeople import People


class Rules(People):
    """What a test says of what a branch asks for."""

    def add_ruleset(
        self,
        *rules: Json,
        name: str = "rules",
        branch: str = "main",
        bypass: Iterable[Json] = (),
        enforcement: Literal["active", "disabled", "evaluate"] = "active",
        on: Repository | None = None,
    ) -> Ruleset:
        """Add a ruleset for a branch, its rules in GitHub's JSON."""
        made = Ruleset(
            self.new_id(),
            name,
            list(rules),
            [f"refs/heads/{branch}"],
            enforcement=enforcement,
            bypass=list(bypass),
            created_at=self.clock.tick(),
        )
        (on or self.repository).rulesets[made.id] = made
        return made

    def require_checks(
        self,
        *contexts: str,
        app: App | None = None,
        strict: bool = False,
        name: str = "checks",
        branch: str = "main",
        on: Repository | None = None,
    ) -> Ruleset:
        """Require checks by a ruleset, pinned to an app or not."""
        checks: list[Json] = [{"context": one} for one in contexts]
        if app is not None:
            checks = [{**one, "integration_id": app.id} for one in checks]
        rule = {
            "type": "required_status_checks",
            "parameters": {
                "strict_required_status_checks_policy": strict,
                "do_not_enforce_on_create": False,
                "required_status_checks": checks,
            },
        }
        return self.add_ruleset(rule, name=name, branch=branch, on=on)

    def require_reviews(
        self,
        count: int = 1,
        *,
        code_owners: bool = False,
        last_push: bool = False,
        dismiss_stale: bool = False,
        threads: bool = False,
        methods: Iterable[Method] = (),
        branch: str = "main",
        on: Repository | None = None,
    ) -> Ruleset:
        """Require pull requests with so many approvals by a ruleset."""
        parameters: Json = {
            "required_approving_review_count": count,
            "dismiss_stale_reviews_on_push": dismiss_stale,
            "require_code_owner_review": code_owners,
            "require_last_push_approval": last_push,
            "required_review_thread_resolution": threads,
        }
        if methods:
            parameters["allowed_merge_methods"] = list(methods)
        rule = {"type": "pull_request", "parameters": parameters}
        return self.add_ruleset(rule, name="reviews", branch=branch, on=on)

    def protect(
        self,
        branch: str = "main",
        protection: Protection | None = None,
        *,
        on: Repository | None = None,
    ) -> Protection:
        """Protect a branch in the classic way."""
        made = protection or Protection()
        (on or self.repository).protections[branch] = made
        return made

    def stack(self, *pulls: Pull) -> Stack:
        """Make a stack, from the bottom up."""
        repository = self.where(pulls[0])
        number = len(repository.stacks) + 1
        members = [one.number for one in pulls]
        made = Stack(self.new_id(), number, pulls[0].base, members, self.clock.tick())
        repository.stacks.append(made)
        return made
