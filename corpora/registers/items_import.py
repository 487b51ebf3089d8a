"""Items of regbench's `items.jsonl` form as samples of this track: read, verified by their check blocks, released.

One JSON object a line: id, family, variant, domain, difficulty, question, answer_type, target, unit, tolerance, radix
(absent in older files), aliases, check ({expr, vars, unit} or null), rationale. The formula of a check block is
computed by `corpora.registers.formula` and compared with the target; an item whose own formula disagrees is dropped.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import ConfigDict, Field, ValidationError

from corpora.registers import proof
from corpora.registers.answers import Key
from corpora.registers.family import Base, Variant
from corpora.registers.family import plain as decimal_text
from corpora.registers.formula import evaluate, exact
from corpora.registers.numbers import decimal, integer
from corpora.registers.schema import Sample
from corpora.registers.units import OtherDimension, UnknownUnit, scale
from tasks.contract import Counted, Dropped, Frozen, Map, serial_map
from warehouse.errors import CorpusError

if TYPE_CHECKING:
    from warehouse.layout import Layout

STAGE = "import"
VERSION = "1"
ASKED_BASE: tuple[tuple[re.Pattern[str], Base], ...] = (
    (re.compile(r"\bhex(?:adecimal)?\b", re.IGNORECASE), "hex"),
    (re.compile(r"\bin binary\b|\bbinary (?:value|number|integer)\b", re.IGNORECASE), "bin"),
)
"""The base a question asks for, where its item does not say: read from the last sentence."""
RADIX: dict[int, Base] = {10: "dec", 16: "hex", 2: "bin"}


class Check(Frozen):
    """A formula over named inputs, in `unit` where the answer is a quantity."""

    expr: str
    vars: dict[str, float | int | bool] = {}
    unit: str | None = None


class Record(Frozen):
    """One line of the file."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    family: str
    variant: Variant
    domain: str
    difficulty: str
    question: str
    answer_type: Literal["integer", "quantity", "choice"]
    target: str
    unit: str | None = None
    tolerance: float = Field(default=0.0, ge=0, lt=1)
    radix: int | None = None
    aliases: tuple[str, ...] = ()
    check: Check | None = None
    rationale: str = ""


@dataclass(frozen=True)
class Imported:
    """What an import made: the release and how many of its items a check block verified."""

    release: str
    items: int
    verified: int
    unchecked: int
    dropped: tuple[Dropped, ...]
    reused: bool = False

    def __str__(self) -> str:
        wrong = [drop for drop in self.dropped if drop.reason == "check_disagrees"]
        lines = [f"verified {self.verified} of {self.items} items ({self.unchecked} have no check block)"]
        lines += [f"{drop.item}: {drop.detail}" for drop in self.dropped]
        lines += [f"{len(wrong)} answers disagree with their own formula" if wrong else "every formula agrees"]
        return "\n".join([*lines, f"release {self.release}" + ("; it was there already" if self.reused else "")])


def import_release(layout: "Layout", path: Path, map: Map = serial_map) -> Imported:
    """Build a gated release of the track from a file and return what it holds: `firmbench import registers PATH`.

    The same file again is the release that is there. Raises CorpusError for a file that cannot be read as items.
    """
    import corpora
    from tasks.curation.building import Wanted, build_release

    text = _text(path)
    records = list(read(path))
    options = {"items": str(path), "items_sha256": hashlib.sha256(text.encode()).hexdigest()}
    built = build_release(corpora.load("registers"), Wanted(options=options), layout, map)
    drops = tuple(built.ledger.drops) if built.ledger is not None else tuple(_disagreements(records))
    lost = {drop.item for drop in drops if drop.stage == STAGE}
    verified = sum(one.check is not None and one.id not in lost for one in records)
    unchecked = sum(one.check is None for one in records)
    return Imported(built.release.release, len(records), verified, unchecked, drops, built.release.reused)


def samples(path: Path, sha256: str | None = None) -> Iterator[Sample | Dropped | Counted]:
    """Yield a sample an item, a drop for each that disagrees with its formula, and the count.

    Raises CorpusError for a file that cannot be read, that is not the one `sha256` names, or that repeats an id.
    """
    text = _text(path)
    if sha256 is not None and hashlib.sha256(text.encode()).hexdigest() != sha256:
        raise CorpusError(f"{path.name} changed while it was imported; import it again.")
    records = list(read(path))
    options: dict[str, list[str]] = {}
    for one in records:
        if one.target not in options.setdefault(one.family, []):
            options[one.family].append(one.target)
    kept = 0
    for one in records:
        if (reason := disagreement(one)) is not None:
            yield Dropped(stage=STAGE, item=one.id, reason="check_disagrees", detail=reason)
            continue
        kept += 1
        yield sample_of(one, options[one.family], path.name)
    yield Counted(stage=STAGE, entered=len(records), kept=kept)


def read(path: Path) -> Iterator[Record]:
    """Yield the records of a file; raises CorpusError, naming the line, for what is no item or an id met twice."""
    seen: set[str] = set()
    for number, line in enumerate(_text(path).splitlines(), start=1):
        if not line.strip():
            continue
        try:
            record = Record.model_validate(json.loads(line))
        except (ValueError, ValidationError) as error:
            raise CorpusError(f"Line {number} of {path.name} is no item: {_first(error)}.") from None
        if record.id in seen:
            raise CorpusError(f"Line {number} of {path.name} repeats the id {record.id}; give each item its own.")
        seen.add(record.id)
        yield record


def disagreement(record: Record) -> str | None:
    """Return how a target differs from what its check block computes, or None: it agrees, or there is no block."""
    if record.check is None:
        return None
    try:
        computed = evaluate(record.check.expr, record.check.vars)
        if record.answer_type == "choice":
            return "a choice cannot have a check block"
        if record.answer_type == "integer":
            target = _integer(record)
            return None if int(computed) == target else f"computed {int(computed)} but the target is {target}"
        by, shift = scale(record.check.unit or record.unit or "", record.unit or "")
        value, target_value = by * exact(computed) + shift, _amount(record)
        near = abs(value - target_value) <= Fraction(str(record.tolerance)) * abs(target_value)
        return None if near else f"computed {float(value):g} {record.unit} but the target is {record.target}"
    except (CorpusError, UnknownUnit, OtherDimension) as error:
        return str(error).rstrip(".")


def sample_of(record: Record, family_targets: Sequence[str], file: str) -> Sample:
    """Return the sample of a record; other targets of its family are the options that a wrong choice is drawn from."""
    base = RADIX.get(record.radix or 0) or _asked_base(record)
    key = _key(record, base, family_targets)
    return Sample(
        category=record.variant, cluster=record.family, family=record.family, domain=record.domain,
        difficulty=record.difficulty, reference=proof.reference(key), stub=proof.stub(key), mutants=proof.mutants(key),
        question=record.question, kind=record.answer_type, expected=key.answer, unit=key.unit,
        tolerance=key.tolerance, base=base, choices=key.choices, aliases=dict(key.aliases), rationale=record.rationale,
        params=dict(record.check.vars) if record.check else {}, provenance=_provenance(record, file),
        extractors={"registers_import": VERSION},
    )  # fmt: skip


def _key(record: Record, base: Base, family_targets: Sequence[str]) -> Key:
    unit = record.unit or ""
    if record.answer_type == "integer":
        value = _integer(record)
        answer = {"dec": f"{value}", "hex": f"{value:#x}", "bin": f"{value:#b}"}[base]
        return Key("integer", answer, unit, base=base)
    if record.answer_type == "quantity":
        return Key("quantity", decimal_text(_amount(record)), unit, record.tolerance)
    return Key("choice", record.target, choices=tuple(family_targets), aliases={record.target: record.aliases})


def _provenance(record: Record, file: str) -> Mapping[str, Any]:
    check = record.check.model_dump(mode="json") if record.check else None
    return {"file": file, "item": record.id, "check": check}


def _integer(record: Record) -> int:
    found = integer(record.target, RADIX.get(record.radix or 0, "dec")) or integer(record.target, "hex")
    if found is None:
        raise CorpusError(f"The target {record.target!r} of {record.id} is no integer; write it as 144, 0x90 or 0b1.")
    return found.value


def _amount(record: Record) -> Fraction:
    found = decimal(record.target)
    if found is None or found.rest:
        raise CorpusError(f"The target {record.target!r} of {record.id} is no number; write it without its unit.")
    return found.value


def _asked_base(record: Record) -> Base:
    last = re.split(r"(?<=[.?!])\s+", record.question.strip())
    asked = next((text for text in reversed(last) if re.match(r"(?:Give|Answer|Express|State)\b", text)), last[-1])
    return next((base for pattern, base in ASKED_BASE if pattern.search(asked)), "dec")


def _disagreements(records: Sequence[Record]) -> Iterator[Dropped]:
    for one in records:
        if (reason := disagreement(one)) is not None:
            yield Dropped(stage=STAGE, item=one.id, reason="check_disagrees", detail=reason)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CorpusError(f"The items {path.name} cannot be read: {error}.") from None


def _first(error: Exception) -> str:
    if isinstance(error, ValidationError):
        one = error.errors()[0]
        return f"{'.'.join(map(str, one['loc'])) or 'it'}: {one['msg']}"
    return str(error)
