"""Bugs to be repaired: one sample for each seeded bug that checks are bound to see; nothing shown names the bug."""

from collections.abc import Iterable, Iterator

from corpora.firmware.checking import Seeded
from corpora.firmware.schema import BUGFIX, Sample
from tasks.contract import Mutant


def mutants_of(bugs: Iterable[Seeded]) -> tuple[Mutant, ...]:
    """Return the seeded bugs as mutants, one for each check that must fail on them.

    A bug that the case only wishes caught (`should_fail`) proves nothing and is none.
    """
    found: list[Mutant] = []
    for bug in bugs:
        for check in bug.must_fail if bug.text is not None else ():
            name = bug.name if len(bug.must_fail) == 1 else f"{bug.name}/{check}"
            found.append(Mutant(name=name, text=bug.text or "", target=check))
    return tuple(found)


def repairs_of(sample: Sample, bugs: Iterable[Seeded]) -> Iterator[Sample]:
    """Yield a sample of the task `bugfix` for each bug that must be caught; handing the code back unchanged fails."""
    for bug in bugs:
        if bug.text is None or not bug.must_fail:
            continue
        yield sample.model_copy(
            update={
                "task": BUGFIX,
                "bug": bug.name,
                "buggy": bug.text,
                "stub": bug.text,
                "mutants": mutants_of([bug]),
                "provenance": {**sample.provenance, "bug": bug.name},
            }
        )
