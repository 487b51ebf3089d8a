"""From cases to samples: our own, or those of a checkout; a bad case is dropped with its reason and named.

Options (`BuildInputs.options`): `cases` is the folder of a checkout, without which the track's own cases are taken;
`private` a second folder, whose cases are private whatever they say; `layers` the only layers to grade by, for a
release that is the same on a machine with an SDK and on one without.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from corpora.firmware.bugfix import mutants_of, repairs_of
from corpora.firmware.case import Case
from corpora.firmware.checking import Seeded, seeded
from corpora.firmware.depth import OF_MODEL, Depth, depth, known_layers
from corpora.firmware.language import language_of, stub_of
from corpora.firmware.loader import Loaded, load, own_cases
from corpora.firmware.schema import Sample
from corpora.firmware.toolchains import workbench
from tasks.contract import BuildInputs, Counted, Dropped
from tasks.ids import digest
from warehouse.errors import CorpusError, UsageError

OPTIONS = ("cases", "private", "layers")
OWN_LICENCE = "Apache-2.0"


def build(inputs: BuildInputs) -> Iterator[Sample | Dropped | Counted]:
    """Yield the samples, in the order of the cases' ids, those of `bugfix` behind their case.

    Raises UsageError for a folder without cases and an unknown layer, CorpusError where there are none of our own,
    SandboxError where nothing can be run.
    """
    wanted = known_layers(_names(inputs.options.get("layers", OF_MODEL)))
    loaded = cases_of(inputs.options)
    for fault in loaded.faults:
        yield Dropped(stage="load", item=_named(fault), reason="bad_case", detail=fault)
    yield Counted(stage="load", entered=len(loaded.cases) + len(loaded.faults), kept=len(loaded.cases))
    cases = loaded.cases[: inputs.size]
    with workbench() as (sandbox, toolbox):
        depths = {case.id: depth(case, sandbox, toolbox, wanted) for case in cases}
        bugs, faults = seeded(cases, sandbox)
    broken = {_named(fault): fault for fault in faults}
    made = 0
    for case in cases:
        own_bugs = [bug for bug in bugs if bug.case.id == case.id]
        unusable = broken.get(case.id) or _unusable(own_bugs)
        if unusable:
            yield Dropped(stage="negatives", item=case.id, reason="bad_negatives", detail=unusable)
            continue
        made += 1
        sample = sample_of(case, depths[case.id], own_bugs)
        yield sample
        yield from repairs_of(sample, own_bugs)
    yield Counted(stage="negatives", entered=len(cases), kept=made)


def cases_of(options: Mapping[str, Any]) -> Loaded:
    """Return the cases that the options name, the track's own without any."""
    private = options.get("private")
    if "cases" in options:
        return load(Path(options["cases"]), Path(private) if private else None)
    if private:
        raise UsageError("--private adds to the cases of a checkout; name that with --cases.")
    own = own_cases()
    if not own:
        raise CorpusError("The firmware track holds no cases of its own here; name a checkout with --cases.")
    return Loaded(own, ())


def fingerprint(options: Mapping[str, Any]) -> str:
    """Return the hash of all that the build reads from the folders in the options."""
    if "cases" not in options:
        return ""
    loaded = cases_of(options)
    return digest([(case.id, case.metadata.visibility, case.content_hash) for case in loaded.cases], loaded.faults)


def sample_of(case: Case, found: Depth, bugs: Sequence[Seeded]) -> Sample:
    """Return the sample of a case, with its proof."""
    metadata = case.metadata
    return Sample(
        category=metadata.category,
        cluster=case.id,
        family=case.id,
        stratum=found.stratum,
        difficulty=metadata.difficulty,
        visibility=metadata.visibility,
        created=metadata.created_date,
        licence=OWN_LICENCE if case.is_own else None,
        language=language_of(case),
        reference=case.answer,
        stub=stub_of(case),
        mutants=mutants_of(bugs),
        provenance={"case": case.id, "folder": case.folder},
        case=case,
        platform=metadata.platform,
        tier=metadata.tier,
        reasoning_types=metadata.reasoning_types,
        layers=found.layers,
        left_out=dict(found.left_out),
    )


def _unusable(bugs: Sequence[Seeded]) -> str | None:
    """Return a sentence about the first seeded bug that is promised to be caught and could not be made."""
    for bug in bugs:
        if bug.fault and bug.must_fail:
            return f"Case {bug.case.id}: the seeded bug {bug.name} cannot be made: {bug.fault}."
    return None


def _named(fault: str) -> str:
    """Return the case that a loader's sentence is about."""
    return fault.removeprefix("Case ").partition(":")[0]


def _names(value: Any) -> list[str]:
    return [name.strip() for name in value.split(",")] if isinstance(value, str) else list(value)
