"""What is measured. A track is a folder here with four files and one line in `TRACKS`."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from tasks.contract import (
    BaseSample,
    Bench,
    BuildInputs,
    Check,
    Companion,
    Config,
    Counted,
    Dropped,
    GradeMany,
    Prompt,
    Reply,
    Track,
)
from tasks.inference.scenarios import Scenario
from warehouse.errors import UsageError
from warehouse.exports.timeline import Timeline

Timelines = Callable[[Any, str, Bench], list[Timeline]]
"""`timelines(sample, code, bench)`: what an answer does over time, a scenario each."""

HALTED = "+halt"
"""What the version of a grader ends in that stops behind the first layer that does not hold."""

TRACKS: dict[str, str] = {
    "closedloop": "corpora.closedloop",
    "code": "corpora.code",
    "firmware": "corpora.firmware",
    "registers": "corpora.registers",
}


@dataclass(frozen=True)
class FolderTrack:
    """A track made of the modules `schema`, `build`, `prompt` and `grade` of one package, each imported when needed.

    It pickles to its name and package, so a worker process imports the modules itself.
    """

    name: str
    package: str
    halt: bool = False

    def _module(self, part: str) -> ModuleType:
        return import_module(f"{self.package}.{part}")

    @cached_property
    def Sample(self) -> type[BaseSample]:
        """The sample class of the track."""
        return self._module("schema").Sample

    @property
    def cluster(self) -> str:
        """The column that statistics group by."""
        return self._module("schema").CLUSTER

    @property
    def uses_projects(self) -> bool:
        """Whether the build wants mined projects."""
        return getattr(self._module("schema"), "USES_PROJECTS", False)

    @property
    def configs(self) -> Mapping[str, Config]:
        """What a model may be shown, by name; a track that declares nothing has `full` alone."""
        return getattr(self._module("prompt"), "CONFIGS", {"full": Config(name="full")})

    @property
    def options(self) -> tuple[str, ...]:
        """Names of the build options that the command line may give."""
        return getattr(self._module("build"), "OPTIONS", ())

    @property
    def grading_options(self) -> tuple[str, ...]:
        """Names of the options that grading takes; most tracks have none."""
        return getattr(self._module("grade"), "OPTIONS", ())

    def toolchain(self, options: Mapping[str, Any]) -> Mapping[str, str]:
        """Return what verdicts under these grading options rest on besides the packages that every track uses."""
        made = getattr(self._module("grade"), "toolchain", None)
        return made(options) if made else {}

    @property
    def scenarios(self) -> Mapping[str, Scenario]:
        """Ways of working that the track brings along in a module `scenarios`, by name; most have none."""
        if find_spec(f"{self.package}.scenarios") is None:
            return {}
        return self._module("scenarios").SCENARIOS

    @property
    def grader_version(self) -> str:
        """Changes when a verdict or a figure of this track may; halting is another grader."""
        return self._module("grade").VERSION + (HALTED if self.halt else "")

    def fingerprint(self, options: Mapping[str, Any]) -> str:
        """Return the hash of what the build reads from outside through its options; "" where it reads nothing."""
        made = getattr(self._module("build"), "fingerprint", None)
        return made(options) if made else ""

    def build(self, inputs: BuildInputs) -> Iterator[BaseSample | Dropped | Counted | Companion]:
        """Yield samples, drops, stage counts and companion tables."""
        return self._module("build").build(inputs)

    def prompt(self, sample: BaseSample, config: Config) -> Prompt:
        """Return what a model is shown of the sample under the config."""
        return self._module("prompt").prompt(sample, config)

    def grade(self, sample: BaseSample, reply: Reply, bench: Bench) -> list[Check]:
        """Return the facts about a reply."""
        return self._module("grade").grade(sample, reply, bench)

    @property
    def timelines(self) -> Timelines | None:
        """How to draw an answer over time, in a module `pictures`; most tracks have no such thing."""
        if find_spec(f"{self.package}.pictures") is None:
            return None
        return self._module("pictures").timelines

    @property
    def grade_many(self) -> GradeMany | None:
        """The function that grades several replies at once, where the track has one."""
        return getattr(self._module("grade"), "grade_many", None)


def load(name: str, *, halt: bool = False) -> Track:
    """Return the track called `name`; with `halt`, one that grades no layer behind the first that does not hold.

    Raises UsageError, naming the tracks there are, and for a track that cannot halt.
    """
    if name not in TRACKS:
        raise UsageError(f"There is no track {name!r}; the tracks are {', '.join(sorted(TRACKS))}.")
    if halt and not getattr(import_module(f"{TRACKS[name]}.grade"), "HALTS", False):
        raise UsageError(f"The track {name} has no order of layers to halt in; grade it without --halt.")
    return FolderTrack(name, TRACKS[name], halt)
