"""The Track protocol and the small types that every stage shares. `docs/add-a-track.md` walks through one."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Literal, Protocol, Self, runtime_checkable

import pyarrow as pa
from pydantic import BaseModel, ConfigDict

from tasks.ids import digest, sample_id

ContextKind = Literal["imports", "window", "calls", "globals", "types"]
CONTEXT_KINDS: tuple[ContextKind, ...] = ("imports", "window", "calls", "globals", "types")


class Status(StrEnum):
    """What is known of a check or an evaluation. Only the first two are verdicts."""

    PASS = "pass"
    FAIL = "fail"
    NOT_RUN = "not_run"
    TIMEOUT = "timeout"
    INFRA_ERROR = "infra_error"
    NO_SUBMISSION = "no_submission"


class Frozen(BaseModel):
    """An immutable record that refuses unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Message(Frozen):
    """One message of a prompt."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str


class Cut(Frozen):
    """A context item, or the tail of one, that the token budget left out."""

    kind: str
    rank: int
    name: str
    tokens: int


class Prompt(Frozen):
    """What a unit sends: messages, the estimated tokens they hold, and what the budget left out."""

    messages: tuple[Message, ...]
    tokens: int
    cut: tuple[Cut, ...] = ()


class Config(Frozen):
    """What the model is shown. `hidden` are context kinds left out; tokens are estimates (`inference.tokens`)."""

    name: str
    hidden: frozenset[str] = frozenset()
    budget_tokens: int = 8192
    reply_tokens: int = 2048
    pack: str | None = None
    variant: str | None = None


class Reply(Frozen):
    """What came back: the whole text, the code taken from it, and the name of the rule that took it."""

    text: str
    code: str
    rule: str = "whole"
    finish_reason: str | None = None


class Check(Frozen):
    """One yes/no fact in a layer. `headline` marks the check whose `score` is the evaluation's score; one that is
    `aside` is recorded and no part of the verdict: a layer that the sample does not have, or that measures checks."""

    layer: str
    check: str
    status: Status
    expected: str | None = None
    saw: str | None = None
    score: float | None = None
    headline: bool = False
    aside: bool = False


class ContextItem(Frozen):
    """One piece of context: where it stands (path, 1-based line), which extractor found it, its own text."""

    kind: str
    rank: int
    name: str
    path: str | None = None
    start_line: int | None = None
    found_by: str
    text: str


class Mutant(Frozen):
    """A seeded bug: a wrong answer made from the reference. `target` names the check that must fail on it, if any."""

    name: str
    text: str
    target: str | None = None


class BaseSample(Frozen):
    """The columns that samples of every track share; a track adds its own fields, which land in `prompt_parts`.

    `answer` names how a reply is read (`inference.extract`): `code`, `file`, `token`, `answer` or `text`.
    """

    track: ClassVar[str]
    answer: ClassVar[str] = "code"

    category: str
    cluster: str
    reference: str
    stub: str
    mutants: tuple[Mutant, ...] = ()
    context: tuple[ContextItem, ...] = ()
    project_id: str | None = None
    family: str | None = None
    domain: str | None = None
    stratum: str | None = None
    difficulty: str | None = None
    visibility: str = "public"
    created: str | None = None
    licence: str | None = None
    language: str | None = None
    path: str | None = None
    start_byte: int | None = None
    end_byte: int | None = None
    provenance: dict[str, Any] = {}
    extractors: dict[str, str] = {}

    @cached_property
    def sample_id(self) -> str:
        """`<track>:<first 12 hex of the content hash>`; every field counts."""
        return sample_id(self.track, self.model_dump(mode="json"))

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """Copy with `update`; the copy works out its own `sample_id`, where pydantic's would keep the old one."""
        copy = super().model_copy(update=update, deep=deep)
        copy.__dict__.pop("sample_id", None)
        return copy

    @property
    def answer_kind(self) -> str:
        """How a reply to this sample is read; a track whose samples differ overrides it."""
        return self.answer

    def suits(self, scenario: str) -> bool:
        """Whether this sample is asked in the scenario; a track with samples for one alone overrides it."""
        return True


class Dropped(Frozen):
    """An item that did not survive a stage, with the reason as a short snake_case word and the detail as text."""

    stage: str
    item: str
    reason: str
    detail: str = ""
    project_id: str | None = None


class Counted(Frozen):
    """How many items entered a stage and how many were kept; the rest must have been yielded as `Dropped`."""

    stage: str
    entered: int
    kept: int


@dataclass(frozen=True)
class Companion:
    """A table that ships with a release because grading or prompting needs it, read back through `Bench.companion`."""

    name: str
    table: pa.Table


Map = Callable[[Callable[[Any], Any], Iterable[Any], str], Iterator[Any]]
"""`map(function, items, label)`: results in the order of items, perhaps on several processes, under a progress bar."""


def serial_map(function: Callable[[Any], Any], items: Iterable[Any], label: str) -> Iterator[Any]:
    """Run in this process, one after the other: the `Map` of tests and of tiny inputs."""
    return (function(item) for item in items)


@dataclass(frozen=True)
class BuildInputs:
    """What a build may read. `projects` are mined projects (`tasks.mining.records.MinedProject`), empty for tracks
    that ship their own cases; `size` is the number of primary samples wanted, None for the track's own default."""

    projects: tuple[Any, ...] = ()
    size: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    cache: Path | None = None
    map: Map = serial_map


@dataclass(frozen=True)
class Bench:
    """What grading may use. `release` is the folder of the sample's release; `figures` asks for comparison figures
    on which no verdict depends (the gate goes without); `sandbox` runs untrusted code; `halt` asks for no layer behind
    the first that does not hold; `options` are those of the track's `grading_options` that a user gave."""

    release: Path | None = None
    toolchain_digest: str = ""
    figures: bool = True
    sandbox: Any = None
    halt: bool = False
    options: Mapping[str, Any] = field(default_factory=dict)

    def companion(self, name: str) -> Path:
        """Return the Parquet file of a companion table of the release."""
        if self.release is None:
            raise FileNotFoundError(f"this bench has no release, so no companion table {name!r}")
        return self.release / f"{name}.parquet"


@runtime_checkable
class Track(Protocol):
    """A kind of question. `corpora.load(name)` makes one from the four files of `corpora/<name>/`.

    It must pickle: grading runs in worker processes.
    """

    @property
    def name(self) -> str:
        """The track's name, the first part of its samples' ids."""
        ...

    @property
    def cluster(self) -> str:
        """The column of `samples` that statistics group by."""
        ...

    @property
    def uses_projects(self) -> bool:
        """Whether the build wants mined projects."""
        ...

    @property
    def configs(self) -> Mapping[str, Config]:
        """What a model may be shown, by name."""
        ...

    @property
    def options(self) -> tuple[str, ...]:
        """Names of the build options that a user may give."""
        ...

    @property
    def grading_options(self) -> tuple[str, ...]:
        """Names of the options of grading that a user may give."""
        ...

    def toolchain(self, options: Mapping[str, Any]) -> Mapping[str, str]:
        """Return what verdicts under these options of grading rest on besides the packages of every track."""
        ...

    @property
    def scenarios(self) -> Mapping[str, Any]:
        """Ways of working of its own (`tasks.inference.scenarios.Scenario`), by name."""
        ...

    @property
    def grader_version(self) -> str:
        """Changes when a verdict or a figure may."""
        ...

    @property
    def Sample(self) -> type[BaseSample]:
        """The sample class."""
        ...

    def build(self, inputs: BuildInputs) -> Iterator[BaseSample | Dropped | Counted | Companion]:
        """Yield samples, everything dropped, the count of each stage, and companion tables."""
        ...

    def prompt(self, sample: BaseSample, config: Config) -> Prompt:
        """Return what a model is shown; a pure function of its arguments."""
        ...

    def grade(self, sample: BaseSample, reply: Reply, bench: Bench) -> list[Check]:
        """Return the facts about a reply; a pure function of its arguments and the toolchain."""
        ...


GradeMany = Callable[[Sequence[tuple[BaseSample, Reply]], Bench], list[list[Check]]]
"""What a track may have besides as `grade_many`: the checks of several replies in their order, each list as `grade`
would give it. For graders that pay for a start, such as an interpreter, once a call."""


def release_id(track: str, sample_ids: Iterable[str], companions: Mapping[str, str]) -> str:
    """Return the name of a release, `<track>-<12 hex>`: the hash of its sample ids and its companions' content."""
    return f"{track}-{digest(sorted(sample_ids), dict(companions), length=12)}"
