"""What the queue can do in a repository (facts 1.12, first part)."""

from mergequeue.documents.capabilities import Capabilities, Committer
from mergequeue.documents.provider import DescribeQuestion
from mergequeue.github.addresses import RepoName
from mergequeue.github.apps import bot_of
from mergequeue.github.client import Client
from mergequeue.github.labels import PREFIX
from mergequeue.github.rules import Base, methods_of
from mergequeue.vocabulary.words import ProviderMerges, StackMerge


def describe(
    client: Client, repo: RepoName, question: DescribeQuestion, app: str = ""
) -> Capabilities:
    """Return what GitHub does with changes of this base; it knows nothing of the queue's trees.

    With an app, its bot is who commits what the queue adds; raises APP_FAILED where there is none.
    """
    base = Base(client, repo, question.base)
    rules = base.rules()
    return Capabilities(
        merges=ProviderMerges.PATHS,
        stack_merge=StackMerge.ATOMIC,
        linear_stacks=True,
        methods=methods_of(base.settings(), rules),
        required_approvals=rules.approvals,
        queue_label=PREFIX,
        committer=_committer(client, question.app or app),
    )


def _committer(client: Client, app: str) -> Committer | None:
    slug = app.partition(":")[0]
    if not slug:
        return None
    bot = bot_of(slug, client).identity
    return Committer(name=bot.name, email=bot.email)
