"""A toy track whose questions are sums, and a release of it; shared by the tests of this folder."""

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest

from tasks.contract import (
    BaseSample,
    Bench,
    BuildInputs,
    Check,
    Companion,
    Config,
    ContextItem,
    Counted,
    Message,
    Mutant,
    Prompt,
    Reply,
    Status,
)
from tasks.curation.gate import gate
from tasks.curation.ledger import Ledger
from tasks.curation.release import write
from warehouse.layout import Layout


class Sum(BaseSample):
    """What is `left + right`? `broken` names a fault for the grader to have."""

    track = "sums"

    left: int
    right: int
    description: str = ""
    description_source: str = "signature"
    broken: str = ""


def question(left: int, right: int, **fields: Any) -> Sum:
    total = left + right
    given = {
        "category": "small" if total < 10 else "big",
        "cluster": "p",
        "project_id": "p",
        "path": f"{left}.c",
        "start_byte": right,
        "reference": str(total),
        "stub": "0",
        "mutants": (
            Mutant(name="off_by_one", text=str(total + 1), target="value"),
            Mutant(name="words", text="many", target="parse/number"),
        ),
        "context": (
            ContextItem(kind="window", rank=0, name="before", found_by="index", text=f"{left} +", start_line=3),
            ContextItem(kind="calls", rank=0, name="plus", path="a.h", found_by="clang+index", text="int plus();\n"),
            ContextItem(kind="window", rank=1, name="after", found_by="index", text=f" {right}é"),
        ),
        "provenance": {"made_by": "hand", "weights": [1, 0.5, None]},
        "extractors": {"index": "1"},
    }
    return Sum(left=left, right=right, **{**given, **fields})


@dataclass(frozen=True)
class Sums:
    """Grades by parsing, by value, and with a headline score of nearness where `scored`."""

    name: str = "sums"
    cluster: str = "cluster"
    uses_projects: bool = False
    configs: dict = field(default_factory=lambda: {"full": Config(name="full")})
    grader_version: str = "1"
    Sample: type[BaseSample] = Sum
    scored: bool = True

    def build(self, inputs: BuildInputs):
        for left in range(inputs.size or 3):
            yield question(left, 5)
        yield Counted(stage="make", entered=inputs.size or 3, kept=inputs.size or 3)

    def prompt(self, sample: Sum, config: Config) -> Prompt:
        return Prompt(messages=(Message(role="user", content=f"{sample.left} + {sample.right}?"),), tokens=5)

    def grade(self, sample: Sum, reply: Reply, bench: Bench) -> list[Check]:
        if sample.broken == "raises_on_empty" and not reply.code:
            raise ValueError("nothing to read")
        if sample.broken == f"not_run:{reply.code}":
            return [Check(layer="parse", check="number", status=Status.NOT_RUN, expected="a parser", saw="none")]
        if sample.broken == f"timeout:{reply.code}":
            return [Check(layer="parse", check="number", status=Status.TIMEOUT)]
        if sample.broken == f"raises:{reply.code}":
            raise OSError("no space")
        number = reply.code.lstrip("-").isdigit()
        right = number and int(reply.code) == sample.left + sample.right
        lenient = sample.broken == f"passes:{reply.code}"
        score = 1.0 if right else 0.5 if reply.code else 0.0
        if sample.broken.startswith(f"scores:{reply.code}="):
            score = float(sample.broken.split("=")[1])
        verdicts = [("parse", "number", number, None), ("run", "value", right, score if self.scored else None)]
        checks = [
            Check(
                layer=layer,
                check=name,
                status=Status.PASS if holds or lenient else Status.FAIL,
                expected=sample.reference,
                saw=reply.code,
                score=figure,
                headline=figure is not None,
            )
            for layer, name, holds, figure in verdicts
        ]
        if bench.figures:
            checks.append(Check(layer="figure", check="never_in_the_gate", status=Status.FAIL))
        return checks


@pytest.fixture
def layout(tmp_path):
    return Layout(tmp_path / "data")


@pytest.fixture
def sums(layout):
    """The toy track and a short way to release it: `sums.release([samples], companion, build={...})`."""
    track = Sums()

    def release(samples, *companions: Companion, ledger=None, build=None, on=track):
        gated = gate(on, samples, Bench())
        book = (ledger or Ledger()).take(gated.entries())
        return write(layout, on, gated.kept, book, companions, gated.proof, build=build or {})

    return SimpleNamespace(track=track, Track=Sums, Sample=Sum, question=question, release=release)
