"""Compile an answer against a behavioural model of its platform, link it with the case's scenario, and run that."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from corpora.firmware import own
from corpora.firmware.case import Case
from corpora.firmware.kept_objects import kept
from corpora.platforms.loops import may_stop_time, with_time
from corpora.platforms.model import INSTRUMENTED, Platform, platform
from corpora.platforms.symbols import api_words, harness_calls, symbols, taken_from_library
from tasks.contract import Check, Status
from tasks.grading.platform_backends import Tool, backends
from tasks.grading.platform_run import Toolbox, missing
from tasks.sandbox import Limits, Outcome, Sandbox, Session
from tasks.sandbox.verdict import HEADER, Verdict, header, judge, new_secret
from warehouse.errors import SandboxError

BUILDS, ENDS_WELL = "builds", "ends_well"
SAW_CHARS = 2000
BUILD = Limits(wall_s=120.0, cpu_s=30.0)
RUN = Limits(wall_s=120.0, cpu_s=20.0, output_bytes=8 << 20)
ENV = {"LC_ALL": "C", "PATH": "/usr/bin:/bin"}
UNKNOWN_CALL = re.compile(r"implicit declaration of function '(\w+)'|undefined reference to `(\w+)'")
UNKNOWN_HEADER = re.compile(r"fatal error: (\S+): No such file")
OBJECT = "platform.o"
SIGNALS = {4: "SIGILL", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE", 11: "SIGSEGV"}

TOOLS = {
    need.program: need
    for backend in backends().values()
    for need in (*backend.needs, *backend.run_needs)
    if isinstance(need, Tool)
}

_scenarios: dict[tuple[str, str], bytes] = {}


@dataclass
class Run:
    """One answer in one session: `compile` first, then `run`, each a layer."""

    case: Case
    code: str
    session: Session
    sandbox: Sandbox
    model: Platform = field(init=False)

    def __post_init__(self) -> None:
        self.model = platform(str(self.case.metadata.execution))

    def compile(self) -> tuple[Check, ...]:
        """Compile the answer alone, then link it with the model and the scenario; one check, `builds`."""
        model = self.model
        absent = self._absent()
        if absent:
            return (_builds(Status.NOT_RUN, f"{model.name}: {'; '.join(absent)}"),)
        self.session.write({**model.headers, "main.c": self.code})
        command = [*model.compiler, *model.candidate]
        compiled = self.session.run([*command, "-c", "main.c", "-o", "main.o"], {}, BUILD, env=ENV)
        if not compiled.ok:
            return (_builds(_status(compiled), self._why(compiled)),)
        self._let_time_pass(command)
        if model.secret_is_compiled_in:
            return (_builds(Status.PASS),)
        scenario = scenario_object(self.case, model, self.sandbox)
        calls = self._set_apart(scenario)
        if calls:
            saw = f"The answer calls {', '.join(calls)}, which is of the model of {model.name} and not of its API."
            return (_builds(Status.FAIL, saw),)
        linked = self._link(scenario)
        return (_builds(_status(linked) if not linked.ok else Status.PASS, None if linked.ok else self._why(linked)),)

    def _absent(self) -> list[str]:
        """What to install of the compiler and of what runs the program."""
        programs = {word for word in (self.model.compiler[0], self.model.run[0]) if "/" not in word}
        needs = [TOOLS.get(program) or Tool(program, f"install {program}") for program in sorted(programs)]
        return missing(needs, self.session, Toolbox(path=ENV["PATH"]))

    def _let_time_pass(self, command: list[str]) -> None:
        """Put the call that lets virtual time pass into loops that have none."""
        if not set(INSTRUMENTED) & set(command) or not may_stop_time(self.session.read(["main.o"])["main.o"]):
            return
        outcome = self.session.run([*command, "-S", "main.c", "-o", "main.s"], {}, BUILD, env=ENV, collect=["main.s"])
        if outcome.ok:
            files = {"main.s": with_time(outcome.collected["main.s"].decode(errors="replace"))}
            self.session.run([command[0], "-c", "main.s", "-o", "main.o"], files, BUILD, env=ENV)

    def _set_apart(self, scenario: bytes) -> tuple[str, ...]:
        """Rename what the answer defines and ours wants of the C library; return what it calls of the harness."""
        answer = symbols(self.session.read(["main.o"])["main.o"])
        ours = symbols(platform_object(self.model, self.sandbox))
        taken = taken_from_library(answer, [ours, symbols(scenario)])
        if taken:
            renamed = [f"--redefine-sym={name}=answer_{name}" for name in taken]
            outcome = self.session.run(["objcopy", *renamed, "main.o"], {}, BUILD, env=ENV)
            if not outcome.ok:
                raise SandboxError(f"objcopy could not rename {', '.join(taken)} ({outcome.ending}).")
        return harness_calls(answer, ours, _api(self.model.name))

    def _link(self, scenario: bytes) -> Outcome:
        files = {OBJECT: platform_object(self.model, self.sandbox), "scenario.o": scenario}
        argv = [*self.model.compiler, "-o", "program", OBJECT, "scenario.o", "main.o", *self.model.link]
        return self.session.run(argv, files, BUILD, env=ENV)

    def run(self) -> tuple[Check, ...]:
        """Run what `compile` linked: one check for each line of the scenario's verdict, and `ends_well`."""
        secret = new_secret()
        if self.model.secret_is_compiled_in:
            linked = self._link(_scenario(self.case, self.model, self.sandbox, secret))
            if not linked.ok:
                return (_check("runtime", ENDS_WELL, _status(linked), self._why(linked)),)
        outcome = self.session.run(list(self.model.run), {}, RUN, secret=secret.encode())
        verdict = judge(outcome, secret)
        found = tuple(
            Check(
                layer="runtime", check=item.name, status=Status.PASS if item.passed else Status.FAIL,
                expected=item.expected, saw=item.saw,
            )
            for item in verdict.checks
        )  # fmt: skip
        return (*found, _ending(outcome, verdict))

    def _why(self, outcome: Outcome) -> str:
        said = (outcome.stderr + outcome.stdout).decode(errors="replace").strip()
        calls = sorted({name for pair in UNKNOWN_CALL.findall(said) for name in pair if name})
        headers = sorted(set(UNKNOWN_HEADER.findall(said)))
        notes = []
        if calls:
            notes.append(f"The model of {self.model.name} does not know {', '.join(calls)}.")
        if headers:
            notes.append(f"The model of {self.model.name} has no header {', '.join(headers)}.")
        return " ".join([*notes, f"{outcome.ending}: {said}"])[:SAW_CHARS]


def platform_object(model: Platform, sandbox: Sandbox) -> bytes:
    """Return everything of the model as one object, built once."""
    content = " ".join([model.digest, *model.compiler, *model.own, header()])
    return kept(sandbox, model.compiler[0], content, lambda: _platform(model, sandbox))


def _platform(model: Platform, sandbox: Sandbox) -> bytes:
    names = sorted(model.sources)
    files: dict[str, bytes | str] = {**model.headers, **model.sources, HEADER: header()}
    objects = [name.replace("/", "_").removesuffix(".c") + ".o" for name in names]
    steps = [
        " ".join([*model.compiler, *model.own, "-c", name, "-o", output])
        for name, output in zip(names, objects, strict=True)
    ]
    steps.append(" ".join([*model.compiler, "-r", "-nostdlib", "-o", OBJECT, *objects]))
    return _built(sandbox, files, " && ".join(steps), OBJECT, f"the model of {model.name}")


def scenario_object(case: Case, model: Platform, sandbox: Sandbox) -> bytes:
    """Return the case's scenario as an object; built once a process and kind of sandbox."""
    key = (sandbox.kind, f"{model.digest} {case.check_hash}")
    if key not in _scenarios:
        _scenarios.setdefault(key, _scenario(case, model, sandbox, None))
    return _scenarios[key]


def _scenario(case: Case, model: Platform, sandbox: Sandbox, secret: str | None) -> bytes:
    files: dict[str, bytes | str] = {**model.headers, HEADER: header(), "scenario.c": case.checks[own.SCENARIO]}
    defined = [] if secret is None else [f"'-DVERDICT_SECRET=\"{secret}\"'"]
    step = " ".join([*model.compiler, *model.own, *defined, "-c", "scenario.c", "-o", "scenario.o"])
    return _built(sandbox, files, step, "scenario.o", f"the scenario of case {case.id}")


def _built(sandbox: Sandbox, files: Mapping[str, bytes | str], script: str, output: str, what: str) -> bytes:
    with sandbox.session() as session:
        outcome = session.run(["sh", "-c", script], files, BUILD, env=ENV)
        if not outcome.ok:
            said = outcome.stderr.decode(errors="replace")[:SAW_CHARS]
            raise SandboxError(f"The compiler could not build {what} ({outcome.ending}): {said}")
        return session.read([output])[output]


def _ending(outcome: Outcome, verdict: Verdict) -> Check:
    """A failed check already tells its own; what `ends_well` tells is how the program ended."""
    if outcome.timed_out:
        return _check("runtime", ENDS_WELL, Status.TIMEOUT, outcome.ending)
    if verdict.passed or (outcome.exit == 1 and any(not item.passed for item in verdict.checks)):
        return _check("runtime", ENDS_WELL, Status.PASS)
    if outcome.signal is not None:
        named = SIGNALS.get(outcome.signal, "")
        return _check("runtime", ENDS_WELL, Status.FAIL, f"the program crashed: {outcome.ending} {named}".strip())
    return _check("runtime", ENDS_WELL, Status.FAIL, verdict.reason)


def _status(outcome: Outcome) -> Status:
    if outcome.timed_out:
        return Status.TIMEOUT
    if outcome.out_of_memory or outcome.truncated or outcome.signal is not None or outcome.exit in (126, 127):
        return Status.INFRA_ERROR
    return Status.FAIL


def _builds(status: Status, saw: str | None = None) -> Check:
    return _check("compile", BUILDS, status, saw)


def _check(layer: str, name: str, status: Status, saw: str | None = None) -> Check:
    return Check(layer=layer, check=name, status=status, saw=saw)


@cache
def _api(name: str) -> frozenset[str]:
    return api_words(platform(name).headers)
