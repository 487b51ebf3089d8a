"""The layers of a case of our own format: rules over the tree and a run on a model, or rules over values."""

from collections.abc import Mapping
from functools import partial

from corpora.firmware import execution, own
from corpora.firmware.case import Case
from corpora.firmware.values import layers as value_layers
from tasks.contract import Check, Status
from tasks.grading.layers import Layer, Layered, Name, run_layers
from tasks.grading.tree_rules import Answer, checks
from tasks.sandbox import Sandbox, Session

CODE_BYTES = 1 << 20


def own_layers(case: Case, code: str, session: Session, sandbox: Sandbox) -> Mapping[Name, Layer]:
    """Return what runs each layer on `code`; nothing runs before its layer is called."""
    if len(code.encode(errors="replace")) > CODE_BYTES:
        return {name: partial(_too_large, name) for name in ("static", "compile", "heuristic")}
    asked = own.read(case)
    if asked.rules is None:
        return value_layers.layers(case, code, session)
    answer = Answer(code)
    run = execution.Run(case, code, session, sandbox)
    rules = asked.rules
    return {
        "static": lambda: checks("static", rules.static, answer),
        "compile": run.compile,
        "runtime": run.run,
        "heuristic": lambda: checks("heuristic", rules.heuristic, answer),
    }


def run_own(case: Case, code: str, sandbox: Sandbox, *, halt: bool = False) -> Layered:
    """Run every layer of the case on `code` in a session of its own."""
    with sandbox.session() as session:
        return run_layers(own_layers(case, code, session, sandbox), halt=halt)


def _too_large(name: Name) -> tuple[Check, ...]:
    saw = f"the answer is larger than {CODE_BYTES} bytes"
    return (Check(layer=name, check="ran", status=Status.FAIL, saw=saw),)
