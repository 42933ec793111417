"""The source that `apply` is given: a directory, or a run that is followed through its provider."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass

from mergequeue.apply.origin import decide_run
from mergequeue.commands.providers import Opened
from mergequeue.commands.tools import Standing
from mergequeue.github.downloads import PatientDownloads
from mergequeue.github.transport import Downloader
from mergequeue.host.files import passing_folder
from mergequeue.ports import VerdictSource
from mergequeue.sources.directory import DirectorySource
from mergequeue.sources.following import RunSource
from mergequeue.sources.names import check_workflow, run_of
from mergequeue.vocabulary.ids import BranchName


@dataclass(frozen=True)
class SourceName:
    """What a source is called, looked at before anything is opened."""

    text: str
    run: str | None
    """The run that it names, as its provider does; None for a directory."""
    workflow: str
    """What a run must have run."""

    @contextlib.contextmanager
    def opened(
        self, standing: Standing, base: BranchName, provider: Opened
    ) -> Iterator[VerdictSource]:
        """Yield the source; raise BAD_PROVIDER where the provider has no runs to follow."""
        if self.run is None:
            yield DirectorySource(standing.path(self.text))
            return
        lists = provider.lists()
        clock, workflow = standing.clock, self.workflow
        downloads = PatientDownloads(Downloader(clock), clock, standing.terminal.line)
        with passing_folder() as folder:
            yield RunSource(
                self.run,
                folder,
                lists,
                downloads,
                lambda origin: decide_run(origin, base, workflow),
            )


def source_named(text: str, workflow: str) -> SourceName:
    """Return the source that a name means; raise USAGE or NO_SOURCE where it means none."""
    run = run_of(text)
    check_workflow(run, workflow)
    return SourceName(text, run, workflow)
