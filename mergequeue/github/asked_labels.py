"""Labels by which somebody asks for more than queueing: to go first, or for a try run.

Each counts as an intent label does: where the one who set it last may write.
"""

from collections.abc import Callable, Iterable

from mergequeue.github.addresses import RepoName
from mergequeue.github.client import Client
from mergequeue.github.intent import Labelled
from mergequeue.github.labelers import Labelers
from mergequeue.github.pulls import Pull
from mergequeue.report import github as words


class AskedLabels:
    """Reads which of a repository's pull requests carry such a label that counts."""

    def __init__(self, client: Client, repo: RepoName, tell: Callable[[str], None]) -> None:
        self._labelers = Labelers(client, repo)
        self._tell = tell

    def counting(self, pulls: Iterable[Pull], label: str) -> frozenset[int]:
        """Return the numbers of those whose label counts; of each other one, why not is told.

        Nothing is asked where none carries it.
        """
        carrying = [Labelled(pull.number, label) for pull in pulls if label in pull.label_names]
        if not carrying:
            return frozenset()
        judged = self._labelers.judge(carrying)
        for one in carrying:
            if not judged[one].counts:
                self._tell(words.label_is_nothing(one.number, label, judged[one].why_not))
        return frozenset(one.number for one in carrying if judged[one].counts)
