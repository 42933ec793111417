"""Verdicts kept as artifacts of the run, each the moment it is written (seed 1, Applying, 1)."""

from mergequeue.documents.plan import Plan
from mergequeue.documents.reading import write_document
from mergequeue.documents.suspects import Suspicion
from mergequeue.documents.verdict import Verdict
from mergequeue.ports import UploadsArtifacts, VerdictSink
from mergequeue.sources.directory import BUNDLE, VERDICT
from mergequeue.sources.suspects import SUSPECTS
from mergequeue.vocabulary.artifacts import ArtifactName, SuspectsName
from mergequeue.vocabulary.ids import ChangeId


class UploadingSink:
    """The `VerdictSink` port over another one and the run's artifacts."""

    def __init__(self, sink: VerdictSink, uploads: UploadsArtifacts, attempt: int) -> None:
        """Write to `sink` first; `attempt` is which one of its run this is."""
        self._sink = sink
        self._uploads = uploads
        self._attempt = attempt
        self._told: dict[ChangeId, int] = {}

    def begin(self, plan: Plan, *, whole: bool) -> None:
        """Begin; the plan is an artifact already, of the job that planned."""
        self._sink.begin(plan, whole=whole)

    def write(self, verdict: Verdict, bundle: bytes | None = None) -> None:
        """Write one verdict and upload it; raise UPLOAD_FAILED where that cannot be."""
        self._sink.write(verdict, bundle)
        files = {VERDICT: write_document(verdict)}
        if bundle is not None:
            files[BUNDLE] = bundle
        self._uploads.upload(str(ArtifactName(verdict.change.id, self._attempt)), files)

    def suspect(self, suspicion: Suspicion) -> None:
        """Write whom a job suspects, and upload it; raise UPLOAD_FAILED where that cannot be."""
        self._sink.suspect(suspicion)
        number = self._told[suspicion.job] = self._told.get(suspicion.job, 0) + 1
        name = SuspectsName(self._attempt, number, suspicion.job)
        self._uploads.upload(str(name), {SUSPECTS: write_document(suspicion)})

    def done(self) -> None:
        """Say that the run has finished; of its artifacts, the run's own end says so."""
        self._sink.done()
