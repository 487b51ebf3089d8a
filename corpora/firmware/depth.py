"""How deep a case can be graded here: which of its layers apply, and why the others do not.

A case is compiled and run where it allows that and the tools are here. What is left out is `not_run`, passes nothing
and counts in no verdict; how deep a verdict goes is the sample's `stratum`, so that no rate need mix depths.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

from corpora.firmware.case import Case
from corpora.firmware.own_layers import own_layers
from tasks.grading.layers import LAYERS, Name
from tasks.grading.platform_backends import backend_of
from tasks.grading.platform_run import Candidate, Toolbox, cannot_run, missing
from tasks.sandbox import Sandbox, Session
from warehouse.errors import UsageError

OF_MODEL: tuple[Name, ...] = tuple(name for name in LAYERS if name != "mutation")
STRATA = (("runtime", "executed"), ("compile", "compiled"), ("static", "text"))
"""The deepest layer that applies → the stratum of the sample."""


@dataclass(frozen=True)
class Depth:
    """The layers of a case that apply, in their order, and for each other layer the reason why it does not."""

    layers: tuple[Name, ...]
    left_out: Mapping[Name, str]

    @property
    def stratum(self) -> str:
        """`executed`, `compiled` or `text`."""
        return next((stratum for layer, stratum in STRATA if layer in self.layers), "text")


def depth(case: Case, sandbox: Sandbox, toolbox: Toolbox, wanted: Sequence[Name] = OF_MODEL) -> Depth:
    """Return the layers of `case` that apply among those `wanted`."""
    with sandbox.session() as session:
        out = _own(case, session, sandbox) if case.is_own else _foreign(case, session, toolbox)
    out = {name: out.get(name, "not asked for") for name in OF_MODEL if name in out or name not in wanted}
    if "compile" in out and "runtime" not in out:
        out["runtime"] = f"it needs the layer compile: {out['compile']}"
    return Depth(tuple(name for name in OF_MODEL if name not in out), {name: out[name] for name in out})


def known_layers(names: Iterable[str]) -> tuple[Name, ...]:
    """Return the names as layers in their order; raises UsageError for one that is none or measures no model."""
    given = set(names)
    if unknown := sorted(given - set(OF_MODEL)):
        raise UsageError(f"There is no layer {unknown[0]!r} to grade by; there are {', '.join(OF_MODEL)}.")
    return tuple(name for name in get_args(Name) if name in given)


def _own(case: Case, session: Session, sandbox: Sandbox) -> dict[Name, str]:
    """A case of our own claims every layer it has; where a tool for it is absent, the gate says so."""
    has = own_layers(case, case.answer, session, sandbox)
    return {name: "the case has no such layer" for name in OF_MODEL if name not in has}


def _foreign(case: Case, session: Session, toolbox: Toolbox) -> dict[Name, str]:
    backend = backend_of(case.metadata.platform)
    out: dict[Name, str] = {}
    if backend is None:
        why = f"there is no back end for the platform {case.metadata.platform}"
        return {"compile": why, "runtime": why}
    if case.metadata.l1_skip:
        out["compile"] = "the case's l1_skip leaves it out"
    elif absent := missing(backend.needs, session, toolbox):
        out["compile"] = f"{backend.name}: {'; '.join(absent)}"
    if case.metadata.l2_skip:
        out["runtime"] = "the case's l2_skip leaves it out"
    elif "compile" not in out:
        candidate = Candidate(code="", board=case.metadata.board, expected_output=case.expected_output)
        if reason := cannot_run(backend, candidate, session, toolbox):
            out["runtime"] = f"{backend.name}: {reason}"
    return out
