"""What is measured. A track is a folder here with four files and one line in `TRACKS`."""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType

from tasks.contract import (
    BaseSample,
    Bench,
    BuildInputs,
    Check,
    Companion,
    Config,
    Counted,
    Dropped,
    Prompt,
    Reply,
    Track,
)
from warehouse.errors import UsageError

TRACKS: dict[str, str] = {
    "code": "corpora.code",
}


@dataclass(frozen=True)
class FolderTrack:
    """A track made of the modules `schema`, `build`, `prompt` and `grade` of one package."""

    name: str
    schema: ModuleType
    builder: ModuleType
    prompter: ModuleType
    grader: ModuleType

    @property
    def Sample(self) -> type[BaseSample]:
        """The sample class of the track."""
        return self.schema.Sample

    @property
    def cluster(self) -> str:
        """The column that statistics group by."""
        return self.schema.CLUSTER

    @property
    def uses_projects(self) -> bool:
        """Whether the build wants mined projects."""
        return getattr(self.schema, "USES_PROJECTS", False)

    @property
    def grader_version(self) -> str:
        """Changes when a verdict or a figure of this track may."""
        return self.grader.VERSION

    def build(self, inputs: BuildInputs) -> Iterator[BaseSample | Dropped | Counted | Companion]:
        """Yield samples, drops, stage counts and companion tables."""
        return self.builder.build(inputs)

    def prompt(self, sample: BaseSample, config: Config) -> Prompt:
        """Return what a model is shown of the sample under the config."""
        return self.prompter.prompt(sample, config)

    def grade(self, sample: BaseSample, reply: Reply, bench: Bench) -> list[Check]:
        """Return the facts about a reply."""
        return self.grader.grade(sample, reply, bench)


def load(name: str) -> Track:
    """Return the track called `name`; raises UsageError, naming the tracks there are."""
    if name not in TRACKS:
        raise UsageError(f"There is no track {name!r}; the tracks are {', '.join(sorted(TRACKS))}.")
    parts = (import_module(f"{TRACKS[name]}.{part}") for part in ("schema", "build", "prompt", "grade"))
    return FolderTrack(name, *parts)
