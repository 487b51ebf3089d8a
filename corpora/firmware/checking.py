"""Run the check modules of cases on pieces of code: many at once, in one sandboxed interpreter."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from corpora.firmware import own
from corpora.firmware.case import Case
from tasks.contract import Check, Status
from tasks.sandbox import Limits, Outcome, Sandbox
from tasks.sandbox.model import MIB
from tasks.sandbox.verdict import TAG, new_secret
from warehouse.errors import UsageError

Layer = Literal["static", "heuristic"]
MODULES: dict[Layer, str] = {"static": "checks/static.py", "heuristic": "checks/behavior.py"}
NEGATIVES = "checks/negatives.py"
RAN = "ran"
"""The name of the check that says why a layer has no checks of its own."""
PYTHON = ("python3", "-PsSB")
ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "PYTHONHASHSEED": "0"}
"""Checks print sets; the fixed seed gives what they say one order."""
CODE_BYTES = 4 * MIB
BATCH = 256


@dataclass(frozen=True)
class Job:
    """One layer of a case's checks, to be run on `code`."""

    case: Case
    layer: Layer
    code: str


@dataclass(frozen=True, kw_only=True)
class Budget:
    """What one check module may use on one piece of code. The CPU time is the limit that matters: on a busy machine it
    changes no verdict. The wall time ends a check that sleeps."""

    cpu_s: int = 5
    wall_s: float = 30.0
    memory_bytes: int = 512 * MIB


@dataclass(frozen=True)
class Seeded:
    """One entry of a case's negatives, applied: `text` is None where that failed, and `fault` says how."""

    case: Case
    name: str
    bug: str
    must_fail: tuple[str, ...]
    should_fail: tuple[str, ...]
    text: str | None
    fault: str | None = None


def run_checks(jobs: Sequence[Job], sandbox: Sandbox, budget: Budget = Budget()) -> list[tuple[Check, ...]]:
    """Return the checks of each job, never none: a module that is missing, raises, ends its process or returns
    something else is `infra_error`, one that does not end is `timeout`, in a check called `ran`."""
    requests = [_request(job.case, MODULES[job.layer], job.code, "checks") for job in jobs]
    results = _run(requests, sandbox, budget)
    return [_checks(job.layer, result) for job, result in zip(jobs, results, strict=True)]


def seeded(cases: Sequence[Case], sandbox: Sandbox, budget: Budget = Budget()) -> tuple[list[Seeded], list[str]]:
    """Return every mutant that the cases' negatives make of their references, and a sentence a module that failed."""
    foreign = [case for case in cases if case.negatives is not None and not case.is_own]
    results = _run([_request(case, NEGATIVES, case.answer, "negatives") for case in foreign], sandbox, budget)
    found = [bug for case in cases if case.is_own for bug in own_seeded(case)]
    faults: list[str] = []
    for case, result in zip(foreign, results, strict=True):
        if result["state"] != "done":
            faults.append(f"Case {case.id}: {result['reason']}.")
        found += [_seeded(case, item) for item in result.get("mutants", ())]
    return found, faults


def own_seeded(case: Case) -> list[Seeded]:
    """Return the mutants of a case of our own format, which are edits of its reference."""
    asked = own.read(case)
    return [Seeded(case, bug.name, bug.bug, bug.must_fail, (), asked.mutants[bug.name]) for bug in asked.negatives]


def _seeded(case: Case, item: Mapping[str, Any]) -> Seeded:
    text = item.get("text")
    fault = item.get("fault") or ("the mutation changes nothing" if text == case.answer else None)
    return Seeded(
        case, item["name"], item["bug"], tuple(item["must_fail"]), tuple(item["should_fail"]),
        None if fault else text, fault,
    )  # fmt: skip


@dataclass(frozen=True)
class _Request:
    module: str
    source: str | None
    code: bytes
    task: str


def _request(case: Case, module: str, code: str, task: str) -> _Request:
    source = case.negatives if module == NEGATIVES else case.checks.get(module)
    return _Request(module, source, code.encode(errors="surrogatepass"), task)


def _run(requests: Sequence[_Request], sandbox: Sandbox, budget: Budget) -> list[dict[str, Any]]:
    if budget.cpu_s < 1:
        raise UsageError(f"A check needs at least one whole second of CPU time, not {budget.cpu_s!r}.")
    results: list[dict[str, Any]] = [_unasked(request) for request in requests]
    asked = [index for index, result in enumerate(results) if not result]
    for start in range(0, len(asked), BATCH):
        part = asked[start : start + BATCH]
        for index, result in zip(part, _run_batch([requests[i] for i in part], sandbox, budget), strict=True):
            results[index] = result
    return results


def _unasked(request: _Request) -> dict[str, Any]:
    if request.source is None:
        return {"state": "broken", "reason": f"{request.module} is missing"}
    if len(request.code) > CODE_BYTES:
        return {"state": "broken", "reason": f"the code is larger than {CODE_BYTES} bytes"}
    return {}


def _run_batch(requests: Sequence[_Request], sandbox: Sandbox, budget: Budget) -> list[dict[str, Any]]:
    files: dict[str, bytes | str] = dict(_program())
    jobs = []
    for number, request in enumerate(requests):
        module, code = f"{number}/{request.module}", f"{number}/code"
        files[module], files[code] = request.source or "", request.code
        jobs.append(
            {"module": module, "code": code, "task": request.task,
             "cpu_s": budget.cpu_s, "wall_s": budget.wall_s, "memory_bytes": budget.memory_bytes}
        )  # fmt: skip
    files["jobs.json"] = json.dumps(jobs)
    share_s = 30.0 + (budget.cpu_s + 1) * len(requests)
    limits = Limits(
        wall_s=60.0 + (budget.wall_s + 1) * len(requests),
        cpu_s=share_s,
        memory_bytes=2 * budget.memory_bytes,
        output_bytes=256 * MIB,
    )
    secret = new_secret()
    outcome = sandbox.run([*PYTHON, "worker.py"], files, limits, secret=secret.encode(), env=ENVIRONMENT)
    told = _told(outcome, secret)
    lost = {"state": "broken", "reason": f"the run of the checks ended with {outcome.ending} before this one"}
    return [_named(told.get(number, lost), number) for number in range(len(requests))]


def _told(outcome: Outcome, secret: str) -> dict[int, dict[str, Any]]:
    start = f"{TAG} {secret}\t".encode()
    lines = [line[len(start) :] for line in outcome.stdout.split(b"\n") if line.startswith(start)]
    return {item["job"]: item for item in map(json.loads, lines) if "job" in item}


def _named(result: dict[str, Any], number: int) -> dict[str, Any]:
    """The worker names files by job; the reader wants the case's own names."""
    if "reason" in result:
        return {**result, "reason": result["reason"].replace(f"{number}/checks/", "checks/")}
    return result


def _checks(layer: Layer, result: Mapping[str, Any]) -> tuple[Check, ...]:
    if result["state"] == "done":
        return tuple(
            Check(layer=layer, check=name, status=Status("pass" if passed else "fail"), expected=expected, saw=saw)
            for name, passed, expected, saw in result["checks"]
        )
    status = Status("timeout" if result["state"] == "timeout" else "infra_error")
    return (Check(layer=layer, check=RAN, status=status, expected="the checks end", saw=result["reason"]),)


@cache
def _program() -> dict[str, str]:
    here = Path(__file__).parent
    standin = {f"standin/embedeval/{path.name}": path.read_text() for path in sorted((here / "standin").glob("*.py"))}
    return {"worker.py": (here / "worker.py").read_text(), **standin}
