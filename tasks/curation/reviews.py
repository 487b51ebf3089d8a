"""The review queue: people read samples, and what they decide holds for every release built afterwards.

A review names a sample by its id, so it speaks about exactly the text that was read. A corrected sample has a new id;
its provenance says which review made it, and it can be reviewed in turn.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from json import loads
from pathlib import Path
from typing import Any, Literal, get_args

from tasks.contract import BaseSample, Counted, Dropped
from tasks.curation.manifest import AREA, manifest_of
from tasks.ids import digest
from warehouse.errors import CorpusError, UsageError
from warehouse.layout import Layout
from warehouse.reader import read

Decision = Literal["accept", "correct", "reject"]

STAGE = "review"
REVIEWS = "reviews"
DESCRIPTION = "description"
"""The field a correction replaces; `description_source` beside it then names the reviewer."""


CORRECTED = "corrected"
"""The key of a corrected sample's provenance: which sample was corrected, and by whom."""


@dataclass(frozen=True)
class Reviewed:
    """Samples as the reviews leave them; unpacks as (kept, dropped)."""

    kept: list[BaseSample]
    dropped: list[Dropped]

    def __iter__(self) -> Iterator[list]:
        return iter((self.kept, self.dropped))

    def entries(self) -> list[Dropped | Counted]:
        """Return what the ledger of the build needs to know of this stage."""
        return [*self.dropped, Counted(stage=STAGE, entered=len(self.kept) + len(self.dropped), kept=len(self.kept))]


def pending(layout: Layout, release: str) -> list[str]:
    """Return the ids of a release's samples that nobody has read, in order; a corrected one was read by its corrector.

    Raises CorpusError when there is no such release.
    """
    manifest_of(layout, release)
    reviewed = set(read(layout, REVIEWS, ["sample_id"])["sample_id"].to_pylist())
    rows = read(layout, "samples", ["sample_id", "provenance"], area=AREA, batch=release).to_pylist()
    return [
        row["sample_id"]
        for row in rows
        if row["sample_id"] not in reviewed and CORRECTED not in loads(row["provenance"] or "{}")
    ]


def record(
    layout: Layout,
    sample_id: str,
    reviewer: str,
    decision: Decision,
    correction: str | None = None,
    note: str | None = None,
) -> Path:
    """Store one decision and return its batch; a later one of the same reviewer on the same sample replaces it.

    Raises UsageError for an unknown decision, a nameless reviewer, or a correction that is missing or not asked for,
    and CorpusError when no release holds the sample.
    """
    from warehouse.writer import write_batch

    if decision not in get_args(Decision):
        raise UsageError(f"There is no decision {decision!r}; decide {', '.join(get_args(Decision))}.")
    if not reviewer.strip():
        raise UsageError(f"The review of {sample_id} has no reviewer; say who decided.")
    if (decision == "correct") != bool(correction and correction.strip()):
        raise UsageError(
            f"The review of {sample_id} is {decision!r}; give a corrected text with `correct` and only there."
        )
    if sample_id not in read(layout, "samples", ["sample_id"], area=AREA)["sample_id"].to_pylist():
        raise CorpusError(f"No release holds the sample {sample_id}; take an id that `firmbench corpus show` prints.")
    now = datetime.now(UTC)
    row = {
        "sample_id": sample_id,
        "reviewer": reviewer,
        "decision": decision,
        "correction": correction,
        "note": note,
        "reviewed_at": now,
    }
    name = digest(sample_id, reviewer, now.isoformat(), decision, correction, note, length=24)
    return write_batch(layout, REVIEWS, name, {REVIEWS: [row]})


def apply(layout: Layout, samples: Iterable[BaseSample]) -> Reviewed:
    """Leave out rejected samples and put corrected descriptions in, before the gate of a new release.

    Of each reviewer the last decision counts; one rejection rejects; of several corrections the last one holds. A
    corrected sample is looked up again under its new id. Raises CorpusError for a correction to a sample without a
    description.
    """
    decisions = _decisions(read(layout, REVIEWS).to_pylist())
    kept: list[BaseSample] = []
    dropped: list[Dropped] = []
    for original in samples:
        sample, rejection = original, None
        while sample.sample_id in decisions:
            reviews = decisions[sample.sample_id]
            rejection = next((review for review in reviews if review["decision"] == "reject"), None)
            correction = next((review for review in reversed(reviews) if review["decision"] == "correct"), None)
            if rejection is not None or correction is None:
                break
            sample = _corrected(sample, correction)
        if rejection is None:
            kept.append(sample)
        else:
            dropped.append(_drop(sample, rejection))
    return Reviewed(kept, dropped)


def _decisions(rows: Iterable[Mapping[str, Any]]) -> dict[str, list[Mapping[str, Any]]]:
    """Return, by sample, the last decision of each reviewer, in the order they were made."""
    last: dict[tuple[str, str], Mapping[str, Any]] = {}
    for row in sorted(rows, key=_when):
        last.pop((row["sample_id"], row["reviewer"]), None)
        last[row["sample_id"], row["reviewer"]] = row
    by_sample: dict[str, list[Mapping[str, Any]]] = {}
    for row in last.values():
        by_sample.setdefault(row["sample_id"], []).append(row)
    return by_sample


def _when(row: Mapping[str, Any]) -> tuple[str, str, str]:
    return str(row["reviewed_at"] or ""), row["reviewer"], row["decision"]


def _corrected(sample: BaseSample, review: Mapping[str, Any]) -> BaseSample:
    fields = type(sample).model_fields
    if DESCRIPTION not in fields:
        raise CorpusError(
            f"The sample {sample.sample_id} has no description to correct; reject it, or mend the case it is made of."
        )
    made_by = {"sample_id": sample.sample_id, "reviewer": review["reviewer"]}
    changed: dict[str, Any] = {
        DESCRIPTION: review["correction"],
        "provenance": {**sample.provenance, CORRECTED: made_by},
    }
    if f"{DESCRIPTION}_source" in fields:
        changed[f"{DESCRIPTION}_source"] = f"reviewer:{review['reviewer']}"
    content = {name: getattr(sample, name) for name in fields}
    return type(sample).model_validate({**content, **changed})


def _drop(sample: BaseSample, review: Mapping[str, Any]) -> Dropped:
    note = f": {review['note']}" if review["note"] else ""
    return Dropped(
        stage=STAGE,
        item=sample.sample_id,
        reason="rejected_in_review",
        detail=f"{review['reviewer']}{note}",
        project_id=sample.project_id,
    )
