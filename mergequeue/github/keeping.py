"""Turned-away pull requests read, spoken on, and queued again.

Auto-merge is asked for at the very head, so GitHub itself refuses where somebody has pushed. Where
it takes no auto-merge, such as where the repository allows none, the label queues; it counts, since
the app that the base requires its status from put it there (`labelers`).
"""

from collections.abc import Callable

from mergequeue.documents.keeping import NoteRequest, QueueAgain
from mergequeue.documents.provider import Repository
from mergequeue.github.addresses import RepoName
from mergequeue.github.answers import RefusedError
from mergequeue.github.certain import write_surely
from mergequeue.github.client import Client
from mergequeue.github.comments import Comments
from mergequeue.github.labels import INTENT, intent_label
from mergequeue.github.listing import Lists
from mergequeue.github.marks import Marks
from mergequeue.github.pulls import OPEN, WholePull, number_of
from mergequeue.github.turned_away import TurnedAwayPulls
from mergequeue.ports import TurnedAway
from mergequeue.report.keeping import not_open, note_comment, note_of, other_head, same_note
from mergequeue.vocabulary.errors import PROVIDER_FAILED
from mergequeue.vocabulary.ids import CommitId
from mergequeue.vocabulary.words import Method

_ENABLE = """\
mutation Queue($id: ID!, $method: PullRequestMergeMethod!, $head: GitObjectID!) {
  enablePullRequestAutoMerge(
    input: {pullRequestId: $id, mergeMethod: $method, expectedHeadOid: $head}
  ) { clientMutationId }
}
"""
_LABEL = {method: label for label, method in INTENT.items()}
_LAG_SECONDS = 2.0
_LOOKS = 5
"""How often GitHub is given time to see a push of the queue's own as a pull request's head."""


class GitHubKeeping:
    """`ReadsTurnedAway`, `LeavesNotes` and `QueuesAgain` over one repository of GitHub's."""

    def __init__(self, client: Client, repo: RepoName, *, tell: Callable[[str], None]) -> None:
        """Read and write through `client`; `tell` is told what holds one pull request back."""
        self._client = client
        self._repo = repo
        self._reading = TurnedAwayPulls(client, repo, Lists(client, repo, tell))
        self._comments = Comments(client, repo)
        self._marks = Marks(client, repo)

    def turned_away(self, question: Repository) -> TurnedAway:
        """Return the open pull requests that were handed back and that nobody queued since."""
        return self._reading.read(question)

    def say(self, request: NoteRequest) -> None:
        """Comment, unless the very same was said at that head."""
        number, note = number_of(request.change.id), request.note

        def posted() -> str | None:
            for comment in self._comments.own(number):
                said = note_of(comment.body)
                if said is not None and same_note(said, note):
                    return comment.id
            return None

        self._comments.post_unless(number, note_comment(note), posted)

    def queue_again(self, request: QueueAgain) -> None:
        """Enable auto-merge, or label, at the head; raise PROVIDER_FAILED where it is another."""
        pull = self._at(number_of(request.change.id), request.commit)
        if pull.auto_merge is not None or intent_label(pull.label_names) is not None:
            return
        try:
            self._enable(pull, request.change.method, request.commit)
        except RefusedError:
            self._at(pull.number, request.commit)
            self._label(pull.number, _LABEL[request.change.method])
            self._taken_back_unless_at(pull.number, _LABEL[request.change.method], request.commit)

    def _at(self, number: int, commit: CommitId) -> WholePull:
        """Return an open pull request at a head; raise PROVIDER_FAILED where it is another."""
        pull = self._read(number)
        for _ in range(_LOOKS):
            if pull.head.sha == commit:
                break
            self._client.clock.sleep(_LAG_SECONDS)
            pull = self._read(number)
        if pull.state != OPEN or pull.draft:
            raise PROVIDER_FAILED(not_open(pull.id))
        if pull.head.sha != commit:
            raise PROVIDER_FAILED(other_head(pull.id, commit, pull.head.sha))
        return pull

    def _read(self, number: int) -> WholePull:
        return self._client.get(self._repo.path("pulls", number)).body.read(WholePull)

    def _enable(self, pull: WholePull, method: Method, commit: CommitId) -> None:
        variables = {"id": pull.node_id, "method": method.upper(), "head": commit}
        write_surely(
            lambda: self._client.mutate(_ENABLE, variables),
            lambda: self._read(pull.number).auto_merge is not None,
        )

    def _label(self, number: int, label: str) -> None:
        path = self._repo.path("issues", number, "labels")
        write_surely(
            lambda: self._client.write("POST", path, {"labels": [label]}, expect=(200,)),
            lambda: label in self._marks.labels(number),
        )

    def _taken_back_unless_at(self, number: int, label: str, commit: CommitId) -> None:
        """Take a label off that somebody's push came before: GitHub pins none to a head."""
        head = self._read(number).head.sha
        if head != commit:
            self._marks.remove(number, label)
            raise PROVIDER_FAILED(other_head(self._read(number).id, commit, head))
