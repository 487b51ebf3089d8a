"""Facts about a controller: it builds, passes the host tests, and keeps every plant as the brief says.

Layers `host` and `simulation`; the back end is `host_virtual`. A bench without a sandbox opens the default one for the
reply; where that is not here, both layers are `not_run`.
"""

import contextlib

from corpora.closedloop.build import contract
from corpora.closedloop.host_virtual import run
from corpora.closedloop.model import load
from corpora.closedloop.schema import Sample
from corpora.closedloop.verdicts import HOST, SIMULATION, checks, nothing
from tasks.contract import Bench, Check, Reply, Status
from tasks.sandbox import open_sandbox
from warehouse.errors import CorpusError, SandboxError

VERSION = "1"


def grade(sample: Sample, reply: Reply, bench: Bench) -> list[Check]:
    """Return the checks of a reply. Raises CorpusError where this checkout grades by another contract."""
    task = load(sample.task)
    if contract(task) != sample.contract:
        raise CorpusError(f"The task {sample.task} has changed since this release; build the closedloop corpus again.")
    if not reply.code.strip():
        return nothing("an empty reply")
    scenarios = task.scenarios(sample.held_out)
    if bench.sandbox is not None:
        return checks(task, run(task, reply.code, bench.sandbox, scenarios=scenarios))
    with contextlib.ExitStack() as stack:
        try:
            sandbox = stack.enter_context(open_sandbox())
        except SandboxError as error:
            saw = str(error)
            return [Check(layer=name, check="runs", status=Status.NOT_RUN, saw=saw) for name in (HOST, SIMULATION)]
        return checks(task, run(task, reply.code, sandbox, scenarios=scenarios))
