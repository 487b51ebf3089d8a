"""The sample of the closedloop track: one control task, its brief, its files, and which scenarios grade it."""

from typing import ClassVar

from tasks.contract import BaseSample

CLUSTER = "family"


class Sample(BaseSample):
    """One task. `family` is the plant, `difficulty` its tier; `files` are the fixed headers that the reply includes.

    `contract` is a hash of everything that grades: a changed plant, scenario, harness or firmware is another sample.
    """

    track: ClassVar[str] = "closedloop"

    task: str
    brief: str
    files: dict[str, str]
    held_out: bool = False
    contract: str
