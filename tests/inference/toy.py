"""A track of tiny questions, with everything `tasks.contract.Track` asks for."""

from collections.abc import Iterator
from typing import ClassVar

from tasks.contract import BaseSample, Bench, BuildInputs, Check, Config, Cut, Message, Mutant, Prompt, Reply, Status


class ToySample(BaseSample):
    track: ClassVar[str] = "toy"

    number: int


class ToyTrack:
    name = "toy"
    cluster = "cluster"
    uses_projects = False
    configs: ClassVar[dict[str, Config]] = {"full": Config(name="full")}
    grader_version = "1"
    Sample = ToySample

    def build(self, inputs: BuildInputs) -> Iterator[ToySample]:
        return iter([make(number) for number in range(inputs.size or 3)])

    def prompt(self, sample: BaseSample, config: Config) -> Prompt:
        assert isinstance(sample, ToySample)
        text = f"[{sample.sample_id}|{config.name}] Write a C function that returns {sample.number}."
        cut = (Cut(kind="calls", rank=1, name="helper", tokens=9),) if config.hidden else ()
        return Prompt(messages=(Message(role="user", content=text),), tokens=12, cut=cut)

    def grade(self, sample: BaseSample, reply: Reply, bench: Bench) -> list[Check]:
        right = reply.code == sample.reference
        return [Check(layer="static", check="equal", status=Status.PASS if right else Status.FAIL, headline=True)]


def make(number: int) -> ToySample:
    """Return sample `number`; samples from 100 on have no mutants."""
    mutants = (Mutant(name="off_by_one", text=body(number + 1)), Mutant(name="negated", text=body(-number)))
    return ToySample(
        category="toy",
        cluster=f"c{number % 3}",
        reference=body(number),
        stub="int f(void) { return 0; }",
        mutants=mutants if number < 100 else (),
        number=number,
    )


def body(number: int) -> str:
    return f"int f(void)\n{{\n    return {number};\n}}"


def samples(count: int) -> dict[str, BaseSample]:
    return {sample.sample_id: sample for sample in map(make, range(count))}
