"""A person's provider behind the ports: a function takes one plain record, its answer is checked.

A plain record is what JSON can say: strings, numbers, booleans, null, lists and dictionaries.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from mergequeue.documents.capabilities import Capabilities
from mergequeue.documents.changes import Listing
from mergequeue.documents.preflight import NamedCheck, NamedChecksQuestion, RerunRequest
from mergequeue.documents.provider import (
    Approval,
    ApprovalQuestion,
    ArtifactQuestion,
    Check,
    CheckQuestion,
    DescribeQuestion,
    GreenChange,
    GreenQuestion,
    KickBack,
    MarkRequest,
    MergeAnswer,
    MergeRequest,
    Repository,
    RetargetRequest,
    RunListing,
    StatusPost,
)
from mergequeue.documents.reading import checked
from mergequeue.documents.record import Record
from mergequeue.documents.trying import TryReport
from mergequeue.providers.answers import (
    AnsweredApprovals,
    AnsweredChecks,
    AnsweredGreens,
    AnsweredListing,
    AnsweredNamedChecks,
    AnsweredRefusal,
    AnsweredReruns,
    ApprovalQuestions,
    FailedAnswer,
    NamedChecksOf,
    NamedChecksQuestions,
    RerunRequests,
)
from mergequeue.providers.loading import said
from mergequeue.vocabulary.errors import BAD_ANSWER, PROVIDER_FAILED, MergequeueError
from mergequeue.vocabulary.ids import ChangeId
from mergequeue.vocabulary.text import one_line

Answer = TypeVar("Answer", bound=Record)


class RawProvider:
    """The provider itself, and how its functions are called."""

    def __init__(self, raw: object, name: str) -> None:
        self._raw = raw
        self._name = name

    def has(self, function: str) -> bool:
        """Whether the provider has a function."""
        return callable(getattr(self._raw, function, None))

    def what(self, function: str) -> str:
        """Return what a function of its is called in errors."""
        return f"{function} of {one_line(self._name)}"

    def call(self, function: str, given: Record) -> object:
        """Return the function's answer as JSON has it.

        Raises PROVIDER_FAILED with the words of its exception, BAD_ANSWER for what JSON cannot say.
        """
        called: Callable[[object], object] = getattr(self._raw, function)
        try:
            answer = called(given.model_dump(mode="json", by_alias=True))
        except Exception as error:
            raise PROVIDER_FAILED(f"{self.what(function)}: {said(error)}") from error
        try:
            return json.loads(json.dumps(answer, allow_nan=False))
        except (TypeError, ValueError, RecursionError) as error:
            raise BAD_ANSWER(f"{self.what(function)}: $: no plain record: {said(error)}") from error

    def ask(self, function: str, given: Record, model: type[Answer]) -> Answer:
        """Return the function's answer as a record; raise BAD_ANSWER where it is none."""
        return checked(self.call(function, given), model, self.what(function), BAD_ANSWER)

    def each(
        self,
        function: str,
        key: str,
        wanted: Sequence[ChangeId],
        answers: Mapping[str, dict[str, object]],
        model: type[Answer],
    ) -> dict[ChangeId, Answer | str]:
        """Return the answer about each change that was asked about; a text where it is wrong."""
        strange = next((id_ for id_ in answers if id_ not in wanted), None)
        if strange is not None:
            what = self.what(function)
            raise BAD_ANSWER(f"{what}: $.{key}: nobody asked about {one_line(strange)}")
        return {
            id_: self._one(f"{self.what(function)}: {id_}", answers.get(id_), model)
            for id_ in wanted
        }

    @staticmethod
    def _one(what: str, answer: dict[str, object] | None, model: type[Answer]) -> Answer | str:
        if answer is None:
            return f"{what}: $: no answer"
        try:
            if "failed" in answer:
                return one_line(checked(answer, FailedAnswer, what, BAD_ANSWER).failed)
            return checked(answer, model, what, BAD_ANSWER)
        except MergequeueError as error:
            return error.problem

    def tell(self, function: str, given: Record) -> None:
        """Call a function that writes; raise BAD_ANSWER where it does not say that it did."""
        if self.call(function, given) is not True:
            raise BAD_ANSWER(f"{self.what(function)}: $: true is wanted, once it is done")


class CheckedReads:
    """`ProviderReads` over a person's provider."""

    def __init__(self, raw: object, name: str) -> None:
        """Read through `raw`, which errors call `name`."""
        self._raw = RawProvider(raw, name)

    def describe(self, question: DescribeQuestion) -> Capabilities:
        """Return its capabilities.

        Raises PROVIDER_FAILED, with the app to ask again with, where it can describe no setup.
        """
        what = self._raw.what("describe")
        answer = self._raw.call("describe", question)
        if isinstance(answer, dict) and "refused" in answer:
            refused = checked(answer, AnsweredRefusal, what, BAD_ANSWER).refused
            url, app = one_line(refused.url), one_line(refused.app)
            remedy = f"See {url}, then run the command again with --app {app}."
            raise PROVIDER_FAILED(f"{what}: {one_line(refused.reason)}", remedy)
        found = checked(answer, Capabilities, what, BAD_ANSWER)
        lacking = [name for name in ("named_checks", "rerun_checks") if not self._raw.has(name)]
        if found.named_checks and lacking:
            raise BAD_ANSWER(f"{what}: $.named_checks: it has no {lacking[0]}")
        return found

    def list_changes(self, question: Repository) -> Listing:
        """Return its listing."""
        answer = self._raw.call("list_changes", question)
        what = self._raw.what("list_changes")
        checked(answer, AnsweredListing, what, BAD_ANSWER)
        return checked(answer, Listing, what, BAD_ANSWER)

    def approvals_at(
        self, questions: Sequence[ApprovalQuestion]
    ) -> Mapping[ChangeId, Approval | str]:
        """Return each change as it is now; a text in its place where its answer is wrong."""
        asked = ApprovalQuestions(questions=tuple(questions))
        answers = self._raw.ask("approvals_at", asked, AnsweredApprovals).approvals
        wanted = [question.change.id for question in questions]
        return self._raw.each("approvals_at", "approvals", wanted, answers, Approval)

    def list_green(self, question: GreenQuestion) -> tuple[GreenChange, ...]:
        """Return the open changes whose head carries the status at success."""
        answered = self._raw.ask("list_green", question, AnsweredGreens).changes
        return tuple(GreenChange(id=it.id, head=it.head, repo=it.repo) for it in answered)

    def required_checks(self, question: CheckQuestion) -> tuple[Check, ...]:
        """Return the checks that the base requires; none where the provider has no function."""
        if not self._raw.has("required_checks"):
            return ()
        return self._raw.ask("required_checks", question, AnsweredChecks).checks

    def named_checks(
        self, questions: Sequence[NamedChecksQuestion]
    ) -> Mapping[ChangeId, tuple[NamedCheck, ...] | str]:
        """Return the checks of each change; a text in their place where its answer is wrong."""
        asked = NamedChecksQuestions(questions=tuple(questions))
        answers = self._raw.ask("named_checks", asked, AnsweredNamedChecks).named
        wanted = [question.change.id for question in questions]
        found = self._raw.each("named_checks", "named", wanted, answers, NamedChecksOf)
        return {id_: it if isinstance(it, str) else it.checks for id_, it in found.items()}

    @property
    def lists_artifacts(self) -> bool:
        """Whether a run can be followed through it."""
        return self._raw.has("list_artifacts")

    def list_artifacts(self, question: ArtifactQuestion) -> RunListing:
        """Return what a run has uploaded, and where the run comes from."""
        return self._raw.ask("list_artifacts", question, RunListing)


class CheckedWrites:
    """`ProviderWrites` over a person's provider."""

    def __init__(self, raw: object, name: str) -> None:
        """Write through `raw`, which errors call `name`."""
        self._raw = RawProvider(raw, name)

    def post_status(self, posts: Sequence[StatusPost]) -> None:
        """Record the statuses, one call each."""
        for post in posts:
            self._raw.tell("post_status", post)

    def retarget(self, request: RetargetRequest) -> None:
        """Point a change at another base."""
        self._raw.tell("retarget", request)

    def rerun_checks(self, requests: Sequence[RerunRequest]) -> Mapping[ChangeId, str]:
        """Run checks again; return why those of a change could not be."""
        asked = RerunRequests(requests=tuple(requests))
        failed = self._raw.ask("rerun_checks", asked, AnsweredReruns).failed
        wanted = {request.change for request in requests}
        return {id_: one_line(failed[id_]) for id_ in wanted if id_ in failed}

    def merge_change(self, request: MergeRequest) -> MergeAnswer:
        """Merge a change, or return why not."""
        return self._raw.ask("merge_change", request, MergeAnswer)

    def kick_back(self, kick: KickBack) -> None:
        """Hand a change back to its author."""
        self._raw.tell("kick_back", kick)

    def report_try(self, report: TryReport) -> None:
        """Show what a try run came to; raise PROVIDER_FAILED where it lists one and cannot."""
        if not self._raw.has("report_try"):
            raise PROVIDER_FAILED(f"{self._raw.what('report_try')}: it has no such function")
        self._raw.tell("report_try", report)

    def mark(self, marks: Sequence[MarkRequest]) -> tuple[str, ...]:
        """Show each mark, one call each; what fails is returned in words."""
        problems: list[str] = []
        for mark in marks:
            try:
                self._raw.tell("mark", mark)
            except MergequeueError as error:
                problems.append(f"{mark.change}: {error.problem}")
        return tuple(problems)
