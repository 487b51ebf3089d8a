"""Grade one answer to a case in its five layers."""

from collections.abc import Mapping
from functools import partial

from corpora.firmware.case import Case
from corpora.firmware.checking import Budget, Job, run_checks
from corpora.firmware.own_layers import own_layers
from corpora.firmware.validation import validate
from tasks.contract import Check, Status
from tasks.grading.layers import Layer, Layered, Name, run_layers
from tasks.grading.platform_backends import Backend, backend_of
from tasks.grading.platform_run import Candidate, Toolbox, compile_layer, runtime_layer
from tasks.sandbox import Sandbox

NOT_ASKED: dict[Name, str] = {"mutation": "not asked for"}
MISSING_BACKEND = "there is no back end for the platform {platform}"


def grade(
    case: Case,
    code: str,
    sandbox: Sandbox,
    *,
    toolbox: Toolbox = Toolbox(),
    halt: bool = False,
    mutation: bool = False,
    budget: Budget = Budget(),
    skipped: Mapping[Name, str] = {},
    ready: Mapping[Name, tuple[Check, ...]] = {},
) -> Layered:
    """Return the checks of every layer on `code`.

    `halt` gives the method's order: the first layer that does not hold is the last. `mutation` asks the fifth layer,
    too, which says how well the case's checks see seeded bugs, and nothing of `code`. `skipped` are layers not to run,
    with the reason; `ready` checks of layers that were run before, many at once.
    """
    backend = backend_of(case.metadata.platform)
    with sandbox.session() as session:
        if case.is_own:
            own = dict(own_layers(case, code, session, sandbox))
            if mutation:
                own["mutation"] = lambda: mutation_checks(case, sandbox, budget)
            return run_layers(own, skipped={**skipped, **({} if mutation else NOT_ASKED)}, halt=halt)
        candidate = Candidate(
            code=code, files=case.build, board=case.metadata.board, expected_output=case.expected_output
        )  # fmt: skip
        layers: dict[Name, Layer] = {
            "static": lambda: run_checks([Job(case, "static", code)], sandbox, budget)[0],
            "heuristic": lambda: run_checks([Job(case, "heuristic", code)], sandbox, budget)[0],
        }
        if backend is not None:
            layers["compile"] = lambda: compile_layer(backend, candidate, session, toolbox)
            layers["runtime"] = lambda: runtime_layer(backend, candidate, session, toolbox)
        if mutation:
            layers["mutation"] = lambda: mutation_checks(case, sandbox, budget)
        layers |= {name: partial(_known, checks) for name, checks in ready.items()}
        return run_layers(layers, skipped={**_skipped(case, backend, mutation), **skipped}, halt=halt)


def _known(checks: tuple[Check, ...]) -> tuple[Check, ...]:
    return checks


def mutation_checks(case: Case, sandbox: Sandbox, budget: Budget = Budget()) -> tuple[Check, ...]:
    """Return one check a seeded bug: did the checks that the case names fire on it? Without negatives, `not_run`."""
    if case.negatives is None:
        return (_of_mutation("ran", Status.NOT_RUN, None, "the case has no negatives"),)
    found = validate([case], sandbox, budget)
    faults = tuple(_of_mutation("ran", Status.INFRA_ERROR, None, fault) for fault in found.faults)
    return faults + tuple(
        _of_mutation(
            f"{'must_fail' if bug.promised else 'should_fail'}: {bug.seeded.name}",
            bug.status,
            ", ".join(bug.seeded.must_fail or bug.seeded.should_fail),
            bug.reason,
        )
        for bug in found.bugs
    )


def _of_mutation(name: str, status: Status, expected: str | None, saw: str) -> Check:
    return Check(layer="mutation", check=name, status=status, expected=expected, saw=saw)


def _skipped(case: Case, backend: Backend | None, mutation: bool) -> dict[Name, str]:
    skipped: dict[Name, str] = {}
    if backend is None:
        why = MISSING_BACKEND.format(platform=case.metadata.platform)
        skipped = {"compile": why, "runtime": why}
    if case.metadata.l1_skip:
        skipped["compile"] = "the case's l1_skip leaves it out"
    if case.metadata.l2_skip:
        skipped["runtime"] = "the case's l2_skip leaves it out"
    return skipped if mutation else {**skipped, **NOT_ASKED}
