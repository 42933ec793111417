"""What the queue can do in a repository, and what is left of setting it up (facts 1.12)."""

from mergequeue.documents.capabilities import (
    Capabilities,
    Committer,
    Credential,
    RequiredCheck,
    Setup,
    Step,
)
from mergequeue.documents.provider import DescribeQuestion
from mergequeue.github.addresses import RepoName
from mergequeue.github.apps import bot_of
from mergequeue.github.client import Client
from mergequeue.github.identity import AppIdentity, Pages, identify
from mergequeue.github.labels import PREFIX
from mergequeue.github.rules import Base, Rules, methods_of
from mergequeue.github.setup_steps import Place, steps_of
from mergequeue.github.stalls import settings_of, warnings_of
from mergequeue.github.wiring import Wiring, Wirings
from mergequeue.report import github_setup as words
from mergequeue.vocabulary.errors import PROVIDER_FAILED
from mergequeue.vocabulary.words import Method, ProviderMerges, StackMerge


def describe(
    client: Client, repo: RepoName, question: DescribeQuestion, app: str = ""
) -> Capabilities:
    """Return what GitHub does with changes of this base; it knows nothing of the queue's trees.

    With an app, its bot is who commits what the queue adds; raises APP_FAILED where there is none.
    With a status context, also how the repository is wired for it; raises PROVIDER_FAILED, saying
    where to look and what to type next, where the app is not known.
    """
    base = Base(client, repo, question.base)
    rules = base.rules()
    methods = methods_of(base.settings(), rules)
    named = question.app or app
    setup = None
    if question.status_context:
        setup = _Describing(client, repo, question, named, methods).setup(base, rules)
    return Capabilities(
        merges=ProviderMerges.PATHS,
        stack_merge=StackMerge.ATOMIC,
        linear_stacks=True,
        methods=methods,
        required_approvals=rules.approvals,
        queue_label=PREFIX,
        named_checks=True,
        committer=_committer(client, named),
        setup=setup,
    )


class _Describing:
    def __init__(
        self,
        client: Client,
        repo: RepoName,
        question: DescribeQuestion,
        app: str,
        methods: tuple[Method, ...],
    ) -> None:
        self._client = client
        self._repo = repo
        self._question = question
        self._app = app
        self._methods = methods
        self._wirings = Wirings(client, repo, question.base)

    def setup(self, base: Base, rules: Rules) -> Setup:
        """Return how the repository is wired for the queue's status."""
        if self._question.setup_steps and rules.native_queue:
            raise PROVIDER_FAILED(words.NATIVE_QUEUE, words.TURN_ONE_OFF)
        pages = Pages(self._client.addresses.web, self._wirings.owner())
        found = identify(self._client, self._repo, pages, self._app)
        if not isinstance(found, AppIdentity):
            remedy = f"Open {found.url} and run the command again with --app {found.app}."
            raise PROVIDER_FAILED(found.reason, remedy)
        checks = base.required_checks(rules)
        described = Setup(
            status_context=self._question.status_context,
            credential=Credential(id=found.id, name=found.slug),
            required_checks=checks,
            app=found.slug,
        )
        if not self._question.setup_steps:
            return described
        return self._whole(described, found, pages, self._wirings.with_events(checks), rules)

    def _whole(
        self,
        described: Setup,
        app: AppIdentity,
        pages: Pages,
        checks: tuple[RequiredCheck, ...],
        rules: Rules,
    ) -> Setup:
        context = described.status_context
        wiring = self._wirings.read(context)
        warnings = warnings_of(
            wiring,
            checks,
            base=self._question.base,
            context=context,
            approvals=rules.approvals,
        )
        if self._client.addresses.is_enterprise_server:
            warnings += words.enterprise_lacks()
        return described.model_copy(
            update={
                "required_checks": checks,
                "settings": settings_of(wiring),
                "warnings": warnings,
                "steps": self._steps(app, pages, wiring),
            }
        )

    def _steps(self, app: AppIdentity, pages: Pages, wiring: Wiring) -> tuple[Step, ...]:
        place = Place(
            repo=self._repo,
            host=self._client.addresses.host,
            base=self._question.base,
            context=self._question.status_context,
            methods=self._methods,
        )
        return steps_of(place, app, pages, wiring)


def _committer(client: Client, app: str) -> Committer | None:
    slug = app.partition(":")[0]
    if not slug:
        return None
    bot = bot_of(slug, client).identity
    return Committer(name=bot.name, email=bot.email)
