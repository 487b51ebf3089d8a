"""Facts about an answer to a case: its layers, graded many answers at once.

The check modules of public cases share interpreters, up to 256 runs in one; everything else runs in a session an
answer. What a sample leaves out is recorded as `not_run` and stands aside of the verdict.
"""

import os
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from corpora.firmware.checking import MODULES, Job, run_checks
from corpora.firmware.depth import OF_MODEL
from corpora.firmware.grading import grade as grade_case
from corpora.firmware.schema import Sample
from corpora.firmware.toolchains import sdk_folders, workbench
from tasks.compute.environment import program_version, versions
from tasks.contract import Bench, Check, Reply, Status
from tasks.grading import tree_rules
from tasks.grading.layers import Layered, Name
from tasks.grading.platform_backends import Need, Sdk, Tool, backends
from tasks.grading.platform_run import Toolbox
from tasks.sandbox import Sandbox
from warehouse.errors import SandboxError

HALTS = True
HERE = Path(__file__).parent
GRADING = Path(tree_rules.__file__).parent.parent
JUDGES = (
    *(HERE / f"{name}.py" for name in ("checking", "execution", "grading", "own_layers", "worker")),
    *(GRADING / f"{name}.py" for name in ("layers", "platform_backends", "platform_run")),
    HERE / "standin", HERE / "values", HERE.parent / "platforms", GRADING / "tree_rules",
)  # fmt: skip
"""Files and folders that decide verdicts beside the cases' own checks: a change in them is another grader, which costs
nothing but the time to grade stored replies again."""


def _judges() -> str:
    total = sha256()
    for judge in JUDGES:
        for path in sorted(judge.rglob("*")) if judge.is_dir() else [judge]:
            if path.is_file() and "__pycache__" not in path.parts:
                total.update(path.relative_to(judge.parent).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return total.hexdigest()[:8]


VERSION = f"1-{_judges()}"

OWN_TOOLS = ("gcc", "arm-none-eabi-gcc", "qemu-system-arm", "dtc")
"""Programs that the cases of our own are built, run and read with."""
PACKAGES = ("kconfiglib",)


def toolchain(options: Mapping[str, Any]) -> dict[str, str]:
    """Return the versions of the tools that verdicts rest on, and which SDKs are here."""
    programs = {*OWN_TOOLS, *(need.program for need in _needs() if isinstance(need, Tool))}
    sdks = sdk_folders(os.environ)
    here = {need.variable: "here" if need.variable in sdks else "absent" for need in _needs() if isinstance(need, Sdk)}
    return {**{program: program_version(program) for program in sorted(programs)}, **here, **versions(PACKAGES)}


def _needs() -> list[Need]:
    return [need for backend in backends().values() for need in (*backend.needs, *backend.run_needs)]


Key = tuple[str, tuple[Name, ...], str]


def grade(sample: Sample, reply: Reply, bench: Bench) -> list[Check]:
    """Return the checks of a reply."""
    return grade_many([(sample, reply)], bench)[0]


def grade_many(pairs: Sequence[tuple[Sample, Reply]], bench: Bench) -> list[list[Check]]:
    """Return the checks of each reply; the same code for the same case is graded once.

    Without a sandbox every layer is `not_run`.
    """
    wanted = {_key(sample, reply): (sample, reply.code) for sample, reply in pairs}
    try:
        with workbench(bench) as (sandbox, toolbox):
            graded = _graded(wanted, sandbox, toolbox, bench.halt)
    except SandboxError as error:
        return [[_not_run(name, str(error)) for name in sample.layers] for sample, _ in pairs]
    return [list(graded[_key(sample, reply)]) for sample, reply in pairs]


def _key(sample: Sample, reply: Reply) -> Key:
    return sample.content_hash, sample.layers, reply.code


def _graded(
    wanted: dict[Key, tuple[Sample, str]], sandbox: Sandbox, toolbox: Toolbox, halt: bool
) -> dict[Key, list[Check]]:
    asked = [
        (key, layer)
        for key, (sample, _) in wanted.items()
        if not sample.case.is_own
        for layer in MODULES
        if layer in sample.layers
    ]
    jobs = [Job(wanted[key][0].case, layer, wanted[key][1]) for key, layer in asked]
    ready: dict[Key, dict[Name, tuple[Check, ...]]] = {}
    for (key, layer), checks in zip(asked, run_checks(jobs, sandbox), strict=True):
        ready.setdefault(key, {})[layer] = checks
    graded = {}
    for key, (sample, code) in wanted.items():
        found = grade_case(
            sample.case, code, sandbox, toolbox=toolbox, halt=halt, skipped=sample.left_out, ready=ready.get(key, {})
        )
        graded[key] = _of_sample(sample, found)
    return graded


def _of_sample(sample: Sample, found: Layered) -> list[Check]:
    return [
        check if name in sample.layers else check.model_copy(update={"aside": True})
        for name in OF_MODEL
        for check in found.by_layer[name]
    ]


def _not_run(name: Name, why: str) -> Check:
    return Check(layer=name, check="ran", status=Status.NOT_RUN, saw=why)
