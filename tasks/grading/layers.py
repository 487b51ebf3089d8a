"""Five layers, each run whatever the others say, or, with `halt`, only until the first that does not hold."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from tasks.contract import Check, Status
from tasks.grading.evaluate import Verdict, verdict
from warehouse.errors import UsageError

Name = Literal["static", "compile", "runtime", "heuristic", "mutation"]
LAYERS: tuple[Name, ...] = get_args(Name)
"""L0 to L4, in the order of the method."""

NEEDS: Mapping[Name, Name] = {"runtime": "compile"}
"""A layer that cannot be had without another's pass."""

OF_CHECKS: tuple[Name, ...] = ("mutation",)
"""Layers that measure the checks and never the model."""

RAN = "ran"
Layer = Callable[[], tuple[Check, ...]]


@dataclass(frozen=True)
class Layered:
    """The checks of every layer, in the order of LAYERS; `of_model` is what a model's verdict rests on."""

    by_layer: Mapping[Name, tuple[Check, ...]]

    @property
    def of_model(self) -> list[Check]:
        """The checks about the candidate, without those about the checks."""
        return [check for name, checks in self.by_layer.items() if name not in OF_CHECKS for check in checks]

    def verdict(self) -> Verdict:
        """Return what the checks about the candidate say together."""
        return verdict(self.of_model)

    def statuses(self) -> dict[Name, Status]:
        """Return the status of each layer by itself."""
        return {name: verdict(checks).status for name, checks in self.by_layer.items()}


def run_layers(layers: Mapping[Name, Layer], *, skipped: Mapping[Name, str] = {}, halt: bool = False) -> Layered:
    """Run the layers in the order of LAYERS and return the checks of each.

    A layer that is not given or is `skipped` (name → why), needs a layer that did not pass, or comes after a halt is
    `not_run` and says so. With `halt`, a layer that failed, timed out or broke is the last to run; one that was not
    run halts nothing. A layer that raises or returns no check is `infra_error` and harms no other.
    Raises UsageError for a layer that does not exist.
    """
    unknown = sorted({*layers, *skipped} - set(LAYERS))
    if unknown:
        raise UsageError(f"There is no layer {unknown[0]!r}; the layers are {', '.join(LAYERS)}.")
    found: dict[Name, tuple[Check, ...]] = {}
    statuses: dict[Name, Status] = {}
    halted: Name | None = None
    for name in LAYERS:
        needed = NEEDS.get(name)
        if halted:
            found[name] = _instead(name, Status.NOT_RUN, f"halted: the layer {halted} did not hold")
        elif name in skipped or name not in layers:
            found[name] = _instead(name, Status.NOT_RUN, skipped.get(name, "the case has no such layer"))
        elif needed and statuses[needed] != Status.PASS:
            found[name] = _instead(name, Status.NOT_RUN, f"the layer {needed} did not pass: {statuses[needed].value}")
        else:
            found[name] = _run(name, layers[name])
        statuses[name] = verdict(found[name]).status
        if halt and name not in OF_CHECKS and statuses[name] not in (Status.PASS, Status.NOT_RUN):
            halted = name
    return Layered(found)


def _run(name: Name, layer: Layer) -> tuple[Check, ...]:
    try:
        checks = layer()
    except Exception as error:
        return _instead(name, Status.INFRA_ERROR, f"{type(error).__name__}: {error}")
    return checks or _instead(name, Status.INFRA_ERROR, "the layer reported no check")


def _instead(name: Name, status: Status, why: str) -> tuple[Check, ...]:
    return (Check(layer=name, check=RAN, status=status, saw=why),)
