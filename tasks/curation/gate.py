"""The release gate: every sample proves itself through the grader that will judge models. See `docs/gate.md`."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from tasks.contract import BaseSample, Bench, Counted, Dropped, Map, Mutant, Reply, Status, Track, serial_map
from tasks.grading.evaluate import HARNESS, Evaluation, evaluate, evaluate_many, verdict

STAGE = "gate"
CHUNK = 16
"""Samples judged by one call of the map: enough to hide the cost of sending them to another process."""

TOLERANCE = 1e-9

UNMEASURED = (Status.INFRA_ERROR, Status.NOT_RUN, Status.TIMEOUT)


@dataclass(frozen=True)
class Proof:
    """Which samples passed the gate, under which grader and toolchain, and how many replies were graded for it."""

    track: str
    grader_version: str
    toolchain_digest: str
    sample_ids: frozenset[str]
    replies: int


@dataclass(frozen=True)
class Gated:
    """Samples that passed, samples that did not, and the proof a release asks for; unpacks as (kept, dropped)."""

    kept: list[BaseSample]
    dropped: list[Dropped]
    proof: Proof

    def __iter__(self) -> Iterator[list]:
        return iter((self.kept, self.dropped))

    def entries(self) -> list[Dropped | Counted]:
        """Return what the ledger of the build needs to know of this stage."""
        return [*self.dropped, Counted(stage=STAGE, entered=len(self.kept) + len(self.dropped), kept=len(self.kept))]


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a sample is not fit for a release: a reason word and the check that says so."""

    reason: str
    detail: str


def gate(track: Track, samples: Iterable[BaseSample], bench: Bench, map: Map = serial_map) -> Gated:
    """Grade the reference, every mutant, the empty reply and the stub of each sample; keep samples that hold.

    `map` may run chunks on several processes. Comparison figures of the bench are off: no verdict depends on them.
    """
    samples = list(samples)
    bench = replace(bench, figures=False)
    chunks = [samples[start : start + CHUNK] for start in range(0, len(samples), CHUNK)]
    kept: list[BaseSample] = []
    dropped: list[Dropped] = []
    replies = 0
    judged = map(partial(_judge_chunk, track, bench), chunks, "gate")
    for chunk, faults in zip(chunks, judged, strict=True):
        for sample, (fault, graded) in zip(chunk, faults, strict=True):
            replies += graded
            if fault is None:
                kept.append(sample)
            else:
                dropped.append(_drop(sample, fault))
    ids = frozenset(sample.sample_id for sample in kept)
    return Gated(kept, dropped, Proof(track.name, track.grader_version, bench.toolchain_digest, ids, replies))


def judge(sample: BaseSample, graded: Callable[[Reply], Evaluation]) -> tuple[Fault | None, int]:
    """Return the first fault of a sample, if any, and how many replies were looked at to find it."""
    reference = graded(_reply(sample.reference))
    fault = _reference_fault(reference)
    looked = 1
    for mutant in sample.mutants:
        if fault is None:
            fault = _mutant_fault(mutant, graded(_reply(mutant.text)), reference)
            looked += 1
    if fault is None:
        fault = _empty_fault(graded(_reply("")))
        looked += 1
    if fault is None:
        fault = _stub_fault(graded(_reply(sample.stub)))
        looked += 1
    return fault, looked


def _judge_chunk(track: Track, bench: Bench, samples: Sequence[BaseSample]) -> list[tuple[Fault | None, int]]:
    """Judge samples: one reply after the other, or, where the track grades many at once, all of them in one call."""
    if getattr(track, "grade_many", None) is None:
        return [judge(sample, partial(_alone, track, bench, sample)) for sample in samples]
    pairs = [(sample, _reply(text)) for sample in samples for text in dict.fromkeys(_texts(sample))]
    found = evaluate_many(track, pairs, bench)
    known: dict[str, dict[str, Evaluation]] = {}
    for (sample, reply), one in zip(pairs, found, strict=True):
        known.setdefault(sample.sample_id, {})[reply.code] = one
    return [judge(sample, partial(_looked_up, known[sample.sample_id])) for sample in samples]


def _alone(track: Track, bench: Bench, sample: BaseSample, reply: Reply) -> Evaluation:
    return evaluate(track, sample, reply, bench)


def _looked_up(known: Mapping[str, Evaluation], reply: Reply) -> Evaluation:
    return known[reply.code]


def _texts(sample: BaseSample) -> list[str]:
    """Return every text that a sample is judged by."""
    return [sample.reference, *(mutant.text for mutant in sample.mutants), "", sample.stub]


def _reference_fault(reference: Evaluation) -> Fault | None:
    if reference.status in UNMEASURED:
        return Fault("gate_infra_error", f"reference: {_blame(reference, reference.status)}")
    if reference.status is not Status.PASS:
        return Fault("reference_fails", f"reference: {_blame(reference, Status.FAIL)}")
    scored = [check for check in reference.checks if check.headline]
    if scored and (reference.score is None or abs(reference.score - 1.0) > TOLERANCE):
        name = f"{scored[0].layer}/{scored[0].check}"
        return Fault("reference_fails", f"reference: {name} scores {reference.score}, not 1")
    return None


def _mutant_fault(mutant: Mutant, seen: Evaluation, reference: Evaluation) -> Fault | None:
    """A mutant must fail the check it targets and score below the reference; without a score to compare, just fail."""
    who = f"mutant {mutant.name}"
    if seen.status is Status.INFRA_ERROR:
        return Fault("gate_infra_error", f"{who}: {_blame(seen, Status.INFRA_ERROR)}")
    if mutant.target is not None:
        hit = [check for check in seen.checks if mutant.target in (check.check, f"{check.layer}/{check.check}")]
        if not any(check.status is Status.FAIL for check in hit):
            states = ", ".join(sorted({check.status.value for check in hit})) or "absent"
            return _survived(seen, f"{who}: the check {mutant.target} is {states}, not fail")
    if any(check.headline for check in reference.checks):
        if seen.score is None or seen.score >= (reference.score or 0.0) - TOLERANCE:
            detail = f"{who}: scores {seen.score}, the reference {reference.score}"
            return Fault("mutant_scores_as_reference", detail)
    elif seen.status not in (Status.FAIL, Status.NO_SUBMISSION):
        return _survived(seen, f"{who}: no check fails, the status is {seen.status}")
    return None


def _survived(seen: Evaluation, detail: str) -> Fault:
    """A layer that did not run proves nothing about the sample, so its absence is not the sample's fault."""
    if seen.status is Status.NOT_RUN:
        return Fault("gate_infra_error", f"{detail}; {_blame(seen, Status.NOT_RUN)}")
    return Fault("mutant_survives", detail)


def _empty_fault(empty: Evaluation) -> Fault | None:
    """Look at the bare checks: `evaluate` gives every blank reply 0, which would hide a grader that gives it more."""
    if any(check.layer == HARNESS for check in empty.checks):
        return Fault("gate_infra_error", f"empty: {_blame(empty, Status.INFRA_ERROR)}")
    bare = verdict(empty.checks)
    if bare.status is Status.PASS:
        return Fault("empty_passes", f"empty: {_blame(empty, Status.PASS)}")
    scored = [check for check in empty.checks if check.headline and (check.score or 0.0) > TOLERANCE]
    if scored:
        return Fault("empty_passes", f"empty: {scored[0].layer}/{scored[0].check} scores {scored[0].score}, not 0")
    return None


def _stub_fault(stub: Evaluation) -> Fault | None:
    if stub.status is Status.FAIL:
        return None
    if stub.status in (Status.INFRA_ERROR, Status.NOT_RUN):
        return Fault("gate_infra_error", f"stub: {_blame(stub, stub.status)}")
    return Fault("stub_passes", f"stub: no check fails, the status is {stub.status}")


def _blame(seen: Evaluation, status: Status) -> str:
    """Name the first check of a status with what it expected and saw, else the status alone."""
    for check in seen.checks:
        if check.status is status:
            saw = f" (expected {check.expected!r}, saw {check.saw!r})" if check.expected or check.saw else ""
            return f"{check.layer}/{check.check} is {status}{saw}"
    return f"the status is {seen.status}"


def _reply(text: str) -> Reply:
    return Reply(text=text, code=text, rule="whole", finish_reason="stop")


def _drop(sample: BaseSample, fault: Fault) -> Dropped:
    return Dropped(
        stage=STAGE, item=sample.sample_id, reason=fault.reason, detail=fault.detail, project_id=sample.project_id
    )
