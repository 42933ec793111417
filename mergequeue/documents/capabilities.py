"""`mergequeue.capabilities/v1`: what a provider can do and how its repository is wired.

Seed 1, Providers.
"""

from typing import Annotated, Final, Literal, Self

from pydantic import Field, model_validator

from mergequeue.documents.record import NonEmpty, Record, require
from mergequeue.vocabulary.words import Method, ProviderMerges, StackMerge

SCHEMA: Final = "mergequeue.capabilities/v1"


class Committer(Record):
    """Who commits what the queue itself adds to a change's branch or the base."""

    name: NonEmpty
    email: NonEmpty


class Credential(Record):
    """The integration that the write credential posts statuses as."""

    id: NonEmpty
    name: str = ""


class RequiredCheck(Record):
    """A check that the base requires."""

    context: NonEmpty
    integration: str = ""
    """The integration it is pinned to; empty for any."""
    events: tuple[str, ...] = ()
    """What starts the workflows that report it, where that could be read."""


class Setting(Record):
    """A setting of the repository, as it is and as the queue needs it."""

    name: NonEmpty
    value: str
    want: str


class Step(Record):
    """One thing a person does to set the queue up: a command to run, or a page to open."""

    title: NonEmpty
    command: str = ""
    url: str = ""

    @model_validator(mode="after")
    def _one_of_two(self) -> Self:
        require(
            (self.command == "") != (self.url == ""), "a step has a command or a url, and not both"
        )
        return self


class Setup(Record):
    """How the repository is wired for the queue's status."""

    status_context: NonEmpty
    credential: Credential
    required_checks: tuple[RequiredCheck, ...] = ()
    settings: tuple[Setting, ...] = ()
    app: str = ""
    warnings: tuple[str, ...] = ()
    """What would stall the queue as things are, a sentence each."""
    steps: tuple[Step, ...] = ()


class Refused(Record):
    """Why a provider cannot describe a setup.

    What is missing, where it is shown, and the app to ask again with.
    """

    reason: NonEmpty
    url: NonEmpty
    app: NonEmpty


class Capabilities(Record):
    """The whole document."""

    schema_: Literal["mergequeue.capabilities/v1"] = Field(default=SCHEMA, alias="schema")
    merges: ProviderMerges
    """What the provider makes of a head by itself."""
    stack_merge: StackMerge
    batch_merge: StackMerge = StackMerge.SEQUENTIAL
    """Whether it merges the changes of a batch, stacked or not, in one call as well."""
    linear_stacks: bool
    """Whether a branch in a stack must stay without merge commits."""
    methods: Annotated[tuple[Method, ...], Field(min_length=1)]
    """The merge methods that the base allows."""
    required_approvals: Annotated[int, Field(ge=0)]
    """How many approvals the base requires."""
    queue_label: str = ""
    """The prefix of the label, or of the branch, that queues a change; its method follows."""
    named_checks: bool = False
    """Whether it tells how checks of any name stand at a head, and runs them again."""
    shows_status: bool = True
    """Whether people see the queue's status where the change is, so that it says where that stands.
    """
    committer: Committer | None = None
    """The identity that the provider's automation commits as."""
    setup: Setup | None = None

    @model_validator(mode="after")
    def _writes_what_it_merges_whole(self) -> Self:
        require(
            self.batch_merge is StackMerge.SEQUENTIAL or self.merges is ProviderMerges.EXACT,
            "a provider that merges batches in one call writes the trees that it is handed",
        )
        return self
