"""The sample of the firmware track: one case, or one bug of a case to be repaired, with all that grading needs."""

from typing import ClassVar, Literal

from corpora.firmware.case import Case, Platform, Reasoning
from tasks.contract import BaseSample
from tasks.grading.layers import Name

CLUSTER = "cluster"

Task = Literal["generation", "bugfix"]
BUGFIX: Task = "bugfix"


class Sample(BaseSample):
    """One question about a case, which is here as data, so that a release grades without the checkout it came from.

    `cluster` and `family` are the case's id, `stratum` how deep it can be graded (`corpora.firmware.depth`). `layers`
    are those that a verdict rests on; `left_out` says of the others why not. `buggy` is the code to be repaired, in a
    sample of the task `bugfix` alone: such a sample is asked in the scenario of that name, the others in all others.
    """

    track: ClassVar[str] = "firmware"

    task: Task = "generation"
    case: Case
    platform: Platform
    tier: str
    reasoning_types: tuple[Reasoning, ...] = ()
    layers: tuple[Name, ...]
    left_out: dict[Name, str] = {}
    bug: str | None = None
    buggy: str | None = None

    @property
    def answer_kind(self) -> str:
        """Code is taken from a reply by the rules of C; any other file as it stands."""
        return "code" if self.language == "c" else "file"

    @property
    def content_hash(self) -> str:
        """The hash of every file of the case."""
        return self.case.content_hash

    @property
    def check_hash(self) -> str:
        """The hash of the files that decide a verdict."""
        return self.case.check_hash

    def suits(self, scenario: str) -> bool:
        """Whether the sample is asked in the scenario."""
        return (self.task == BUGFIX) == (scenario == BUGFIX)
