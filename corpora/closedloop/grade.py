"""Facts about a controller: it builds, passes the host tests, and keeps every plant as the brief says.

Layers `host` and `simulation`. Options of grading (`Bench.options`): `backend` is what plays the task (`backends`),
`sweep` the number of UART phases at which every scenario is played again. A bench without a sandbox opens the default
one for the reply; where that, or a tool of the back end, is not here, both layers are `not_run`.
"""

import contextlib
from collections.abc import Iterator, Mapping
from typing import Any

from corpora.closedloop import backends
from corpora.closedloop.build import contract
from corpora.closedloop.model import POLL_MS, Task, load
from corpora.closedloop.runs import Absent
from corpora.closedloop.schema import Sample
from corpora.closedloop.verdicts import HOST, SIMULATION, checks, nothing
from tasks.contract import Bench, Check, Reply, Status
from tasks.sandbox import Sandbox, open_sandbox
from warehouse.errors import CorpusError, SandboxError, UsageError

VERSION = "2"
OPTIONS = ("backend", "sweep")


def grade(sample: Sample, reply: Reply, bench: Bench) -> list[Check]:
    """Return the checks of a reply.

    Raises CorpusError where this checkout grades by another contract, UsageError for options that mean nothing.
    """
    task = load(sample.task)
    require_contract(task, sample)
    backend, sweep = chosen(bench.options)
    if not reply.code.strip():
        return nothing("an empty reply")
    with contextlib.ExitStack() as stack:
        try:
            sandbox = stack.enter_context(opened(bench, backend))
        except SandboxError as error:
            return not_run(str(error))
        try:
            ran = backend.run(task, reply.code, sandbox, scenarios=task.scenarios(sample.held_out), sweep=sweep)
        except Absent as error:
            return not_run(str(error))
        return checks(task, ran)


def require_contract(task: Task, sample: Sample) -> None:
    """Raise CorpusError unless task, firmware and harness are those that the sample was built with."""
    if contract(task) != sample.contract:
        raise CorpusError(f"The task {sample.task} has changed since this release; build the closedloop corpus again.")


def chosen(options: Mapping[str, Any]) -> tuple[backends.Backend, int]:
    """Return the back end and the number of phases that grading options ask for."""
    sweep = options.get("sweep", 0)
    if not isinstance(sweep, int) or not 0 <= sweep <= POLL_MS:
        raise UsageError(f"A sweep is over 1 to {POLL_MS} phases, one a millisecond of the poll, not {sweep!r}.")
    return backends.named(str(options.get("backend", backends.DEFAULT))), sweep


def toolchain(options: Mapping[str, Any]) -> dict[str, str]:
    """Return what verdicts under these options rest on; they differ by back end and by sweep."""
    backend, sweep = chosen(options)
    return {**backends.toolchain(backend.name), **({"sweep": str(sweep)} if sweep else {})}


@contextlib.contextmanager
def opened(bench: Bench, backend: backends.Backend) -> Iterator[Sandbox]:
    """Take the sandbox of the bench, or open one that sees what the back end needs; raises SandboxError."""
    if bench.sandbox is not None:
        yield bench.sandbox
        return
    with open_sandbox(readonly=backend.folders) as sandbox:
        yield sandbox


def not_run(why: str) -> list[Check]:
    """Return the checks of a reply that cannot be graded here."""
    return [Check(layer=name, check="runs", status=Status.NOT_RUN, saw=why) for name in (HOST, SIMULATION)]
