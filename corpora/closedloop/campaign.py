"""Submissions of the published campaign, graded on our plants by what its evaluator asked: the closed loop only, not
the host tests.

Their verdict stays beside ours: what is graded again is a release of its own, each generation naming the imported one
as `carried_from`. What a submission was built with comes from the import: what was handed in, else its starter.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from corpora.closedloop import campaign_runs
from corpora.closedloop.backends import DEFAULT, named, toolchain
from corpora.closedloop.build import contract, sample_of
from corpora.closedloop.campaign_checks import campaign_task, checks, table
from corpora.closedloop.grade import opened
from corpora.closedloop.model import TASKS, load
from corpora.closedloop.schema import Sample
from corpora.closedloop.verdicts import SIMULATION
from tasks.contract import Bench, Check, Reply, Status
from tasks.ids import digest
from warehouse.errors import SandboxError, UsageError
from warehouse.importers.closed_loop_sources import split
from warehouse.importers.landing import MARK

IMPORTED = MARK + "closed_loop"
REGRADED = MARK + "closed_loop_regraded"
VERSION = "campaign-1"


class CampaignSample(Sample):
    """Our sample of a task, with the rates of the campaign's plant where an import brought them."""

    rates: dict[str, int] = {}


def samples(rates: Mapping[str, Mapping[str, int]]) -> dict[str, CampaignSample]:
    """Return the sample of each task of the campaign, by task; `rates` are the constants of its plants, by task."""
    found = {name: sample_of(load(name), held_out=False).model_dump() for name in TASKS}
    return {name: CampaignSample(**fields, rates=rates.get(name, {})) for name, fields in found.items()}


@dataclass(frozen=True)
class Campaign:
    """What grades imported submissions, in the place of a track."""

    name: str = REGRADED
    cluster: str = "family"

    @property
    def grader_version(self) -> str:
        """Changes with our tasks, too: samples of an import have no contract of their own."""
        port = {path.name: path.read_text() for path in sorted(campaign_runs.PORT.rglob("*.?"))}
        return f"{VERSION}+{digest(port, table(), [contract(load(name)) for name in TASKS], length=8)}"

    def toolchain(self, options: Mapping[str, Any]) -> Mapping[str, str]:
        """Return what verdicts rest on; raises UsageError, because there is nothing to choose."""
        if options:
            raise UsageError(f"Imported submissions are graded in one way, without {', '.join(sorted(options))}.")
        return toolchain(DEFAULT)

    def grade(self, sample: CampaignSample, reply: Reply, bench: Bench) -> list[Check]:
        """Return the checks of one submission: it builds, and what every scenario shows."""
        files = split(reply.code)
        if lacking := campaign_runs.missing(files):
            return _not_run(f"the import does not hold {', '.join(lacking)}; import the bundle in its repository")
        task = campaign_task(sample.task, sample.rates)
        try:
            with opened(bench, named(DEFAULT)) as sandbox:
                return checks(task, campaign_runs.run(task, files, sandbox))
        except SandboxError as error:
            return _not_run(str(error))


def _not_run(why: str) -> list[Check]:
    return [Check(layer=SIMULATION, check="runs", status=Status.NOT_RUN, saw=why)]
