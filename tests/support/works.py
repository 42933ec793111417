"""A project with generated files, over a forge: planned, validated in one clone by real hooks, and
applied in another.

with open_works(forge, folder) as works:
    works.run()
    assert works.queue.codes() == {"1": "merged"}
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from mergequeue.candidates.builder import CandidateBuilder
from mergequeue.conflicts.merging import TwoRuleMerging
from mergequeue.documents.config import Configuration
from mergequeue.documents.verdict import Verdict
from mergequeue.facts.configuration import load_configuration
from mergequeue.facts.units import UnitFacts
from mergequeue.git.merges import GitMerges
from mergequeue.git.workshop import Workshop, open_workshop
from mergequeue.hooks.gates import CommandGates
from mergequeue.hooks.regenerations import CommandRegenerations
from mergequeue.hooks.surroundings import Surroundings
from mergequeue.ports import RegenerationTools
from mergequeue.sources.directory import DirectorySink, DirectorySource
from mergequeue.verdicts.validator import Validator
from mergequeue.vocabulary.ids import ChangeId, CommitId
from tests.support.applying import Queue
from tests.support.forge import Forge
from tests.support.heard import Heard
from tests.support.hooks import UNCONFINED, Shown, SteppingClock
from tests.support.repositories import EXECUTABLE, Content, Playground
from tests.support.verdicts import ALL

GENERATE = """\
#!/bin/sh
# Writes gen/list from what src holds, a line a file.
. ./tools/settings
for path in $(cat); do
  case "$path" in gen/list) cat src/*.txt > gen/list ;; esac
done
eval "$EXTRA"
"""

GATE = """\
#!/bin/sh
# Red where the list is not what the sources say; tells what it was.
tr '\\n' ' ' < gen/list
. ./tools/settings
eval "$GATED"
"""

TOML = """\
[queue]
gate = "./tools/gate"
regenerate = "./tools/generate"
rest = "rest"

[unit.lists]
paths = ["src/**", "gen/**", "tools/**", "version"]
outputs = ["gen/**"]
updates = ["version"]
generator = ["tools/**"]
"""

FILES: dict[str, Content] = {
    "mergequeue.toml": TOML,
    "tools/generate": (EXECUTABLE, GENERATE),
    "tools/gate": (EXECUTABLE, GATE),
    "tools/settings": "EXTRA=true GATED='cat src/*.txt | cmp - gen/list'\n",
    "src/a.txt": "a\n",
    "src/m.txt": "m\n",
    "gen/list": "a\nm\n",
    "gen/run": (EXECUTABLE, "run\n"),
    "gen/link": "no link yet\n",
    "version": "1\n",
}


def settings(extra: str = "true", gated: str = "true") -> dict[str, Content]:
    """Return the settings that let the generator and the gate do something more."""
    return {"tools/settings": _settings(extra, gated)}


def settings_text(extra: str = "true", gated: str = "true") -> dict[str | bytes, str | None]:
    """Return the same, as a push to the base takes it."""
    return {"tools/settings": _settings(extra, gated)}


def _settings(extra: str, gated: str) -> str:
    return f"EXTRA='{extra}' GATED='{gated}'\n"


@dataclass
class Works:
    """The project, with a clone for validation and one for applying."""

    forge: Forge
    queue: Queue
    validating: Workshop
    directory: Path
    configuration: Configuration
    shown: Shown = field(default_factory=Shown)

    def letter(self, id_: str, letter: str, more: Mapping[str, Content] | None = None) -> CommitId:
        """Return a commit on the base that adds a source, with the list right for that base."""
        playground = self.forge.playground
        tip = playground.tip("main")
        known = playground.files(tip)[b"gen/list"].decode().split()
        listed = "".join(f"{each}\n" for each in sorted({*known, letter}))
        files = {f"src/{letter}.txt": f"{letter}\n", "gen/list": listed, **(more or {})}
        return playground.commit(files, parents=tip, message=f"Add {letter} for {id_}\n")

    def open(self, id_: str, letter: str, /, **more: object) -> CommitId:
        """Open a change that adds a source, and return its head; `files` are put in with it."""
        files = more.pop("files", None)
        head = self.letter(id_, letter, files)  # type: ignore[arg-type]  # what it holds is the test's
        self.forge.open(id_, head, **more)
        return head

    def validate(self) -> dict[str, Verdict]:
        """Plan, and validate with real hooks in a clone of its own; the source holds the result."""
        plan = self.queue.plan()
        number = len(list(self.directory.parent.glob("verdicts*")))
        directory = self.directory.with_name(f"verdicts{number}")
        shop = self.validating
        surroundings = Surroundings({"PATH": os.environ["PATH"]}, self.shown.write, UNCONFINED)
        facts, builder = builder_of(shop, self.configuration, surroundings)
        validator = Validator(
            builder=builder,
            reads=shop.reads,
            facts=facts,
            boxes=shop.boxes(),
            needed=lambda _: None,
            gates=CommandGates(
                self.configuration.queue.gate.split(), surroundings, SteppingClock()
            ),
            bundles=shop.bundles,
            sink=DirectorySink(directory),
            events=Heard(),
        )
        validator.run(plan, depth=None, parallel=1, only=None, stop=lambda: False)
        source = DirectorySource(directory)
        verdicts = source.poll(ALL).verdicts
        self.queue.source.verdicts = sorted(verdicts, key=lambda verdict: verdict.change.id)
        bundles = {verdict.change.id: source.bundle(verdict.change.id) for verdict in verdicts}
        self.queue.source.bundles = {id_: raw for id_, raw in bundles.items() if raw is not None}
        return {verdict.change.id: verdict for verdict in verdicts}

    def regenerate_with(self, words: str) -> None:
        """Let apply regenerate with other words; with none, not at all."""
        queue = {"regenerate": words}
        changed = self.configuration.queue.model_copy(update=queue)
        self._build(self.configuration.model_copy(update={"queue": changed}))

    def run(self) -> dict[str, Verdict]:
        """Validate and apply."""
        verdicts = self.validate()
        self.queue.apply()
        return verdicts

    def drop_bundles(self) -> None:
        """Lose what validation left beside its verdicts."""
        self.queue.source.bundles = {}

    def bundle(self, id_: str) -> bytes | None:
        """Return what lies beside a verdict."""
        return self.queue.source.bundles.get(ChangeId(id_))

    def text(self, path: str) -> str | None:
        """Return what a file of the base holds now."""
        playground = self.forge.playground
        found = playground.files(playground.tip("main")).get(path.encode())
        return None if found is None else found.decode()

    def _build(self, configuration: Configuration) -> None:
        queue = self.queue
        surroundings = Surroundings({"PATH": os.environ["PATH"]}, self.shown.write, UNCONFINED)
        queue.facts, queue.builder = builder_of(queue.workshop, configuration, surroundings)


def builder_of(
    shop: Workshop, configuration: Configuration, surroundings: Surroundings
) -> tuple[UnitFacts, CandidateBuilder]:
    """Return the facts of a configuration, and the builder with its regeneration."""
    words = tuple(configuration.queue.regenerate.split())
    facts = UnitFacts(configuration, words)
    merging = TwoRuleMerging(GitMerges(shop), shop.reads, facts)
    if not words:
        return facts, CandidateBuilder(shop.reads, merging, shop.builds)
    hook = CommandRegenerations(words, surroundings, SteppingClock())
    tools = RegenerationTools(facts, shop.boxes(), shop.box_files, hook)
    return facts, CandidateBuilder(shop.reads, merging, shop.builds, tools)


def make_works_forge(playground: Playground, files: Mapping[str, Content] | None = None) -> Forge:
    """Return a forge whose base holds the project."""
    playground.branch("main", playground.commit({**FILES, **(files or {})}))
    return Forge(playground)


@contextmanager
def open_works(forge: Forge) -> Iterator[Works]:
    """Open the project in two new clones."""
    playground = forge.playground
    with (
        open_workshop(playground.clone("validating"), "origin") as validating,
        open_workshop(playground.clone("applying"), "origin") as applying,
    ):
        configuration = load_configuration(applying.reads, playground.tip("main"))
        queue = Queue(forge, applying, configuration)
        folder = playground.folder / "verdicts"
        works = Works(forge, queue, validating, folder, configuration)
        works.regenerate_with(configuration.queue.regenerate)
        yield works
