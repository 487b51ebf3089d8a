"""The four scenarios of the paper (section 3.5): what an agent may see, run and hand in, and what it is told of it.

All share the brief, the tools to read and write, the evaluator and the budget. `oneshot_blind` has no way to build or
run anything; it and `realistic_self_verify` have one submission and hear nothing of it; `ci_red_green` hears pass or
fail, `oracle_full` every check that failed, and both may go on until they pass.
"""

import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from corpora.closedloop.agent_programs import Programs, aids, fixed_files
from corpora.closedloop.grade import require_contract
from corpora.closedloop.model import load
from corpora.closedloop.prompt import FIRMWARE
from corpora.closedloop.schema import Sample
from corpora.closedloop.workspace import EDITABLE, OWN, Workspace
from tasks.contract import Config, Message, Prompt, Status
from tasks.grading.evaluate import Evaluation
from tasks.ids import digest
from tasks.inference.agent import Action, Refused, Said, tool, work
from tasks.inference.scenarios import Ask, Outcome, Scenario, Workplace
from tasks.inference.tokens import estimate
from tasks.inference.workplace import Allowance
from tasks.sandbox import Sandbox, open_sandbox

HOUR_S, TOKENS = 3600.0, 20_000_000
"""The paper's budget of a run, and a bound that it does not have."""

SYSTEM = (
    "You are a firmware engineer who works alone, through tools, on a workspace that only you change. You write C11 "
    "for a small controller that keeps its own state in static variables and never blocks. When you are done, hand in "
    "with the tool submit; answering without calling a tool ends your work."
)


@dataclass(frozen=True)
class Mode:
    """One scenario: whether there are the tools that run things, how often to hand in, and what is told of it."""

    name: str
    purpose: str
    aided: bool
    submissions: int | None
    feedback: str
    rules: str


MODES = (
    Mode("oneshot_blind", "one submission, nothing to run, no feedback", False, 1, "none",
         "Nothing can be built or run here. You have one submission, and you will not hear how it went."),
    Mode("realistic_self_verify", "builds, tests and probes of its own, one submission, no feedback", True, 1, "none",
         "Build, test and probe as often as you like. You have one submission, and you will not hear how it went: "
         "hand in when your own evidence says that the firmware does all that the brief asks."),
    Mode("ci_red_green", "as often as it likes, told pass or fail", True, None, "verdict",
         "Build, test, probe and submit as often as you like. Each submission is answered with PASS or FAIL and no "
         "more; your work ends with PASS."),
    Mode("oracle_full", "as often as it likes, told every check that failed", True, None, "full",
         "Build, test, probe and submit as often as you like. Each submission is answered with the hidden checks that "
         "failed, what each expected and what it saw; your work ends when all pass."),
)  # fmt: skip


PATH = {"type": "string", "description": "Path in the workspace."}
TEXT = {"type": "string"}
TOOLS = (
    tool("list", "List the files of the workspace."),
    tool("read", "Read a file.", path=PATH),
    tool("write", f"Write a whole file: {EDITABLE} or {OWN}/NAME.", path=PATH, content=TEXT),
    tool("edit", "Replace a text that stands exactly once in a file.", path=PATH, old=TEXT, new=TEXT),
    tool("submit", f"Hand in {EDITABLE} as it is now."),
)
AIDS = (
    tool("build", "Compile controller.c with the evaluator's flags and link the firmware."),
    tool("test", f"Build every file {OWN}/NAME.c together with the controller, run it, and show what it says."),
    tool("probe", "Run the whole firmware in virtual time with lines sent over the UART at given times, and show "
          "everything it says.",
          frames={"type": "string", "description": "One frame a line: MS LINE, e.g. 100 SENSE NAME 20."},
          until_ms={"type": "integer", "description": "Virtual time at which to end.", "default": 3000}),
)  # fmt: skip


def task_text(sample: Sample, mode: Mode) -> str:
    """Return TASK.md: the brief, what surrounds the controller, the workspace, and the rules of the scenario."""
    aided = (
        f"Files {OWN}/NAME.c are yours: tests that build with {OWN}/selftest.h and run with the tool test. "
        "bench.c is the board that the tool probe runs the firmware on.\n"
    )
    return (
        f"# The device\n\n{sample.brief}\n# The firmware around your controller\n\n{FIRMWARE} app.c is that firmware; "
        "the contract with it is controller.h, and the names of this device's channels are in channels.h.\n\n"
        f"# The workspace\n\n{EDITABLE} is your file, and all that is handed in. It may include controller.h and the "
        "headers stdbool.h, stdint.h, stddef.h and string.h. Everything else that the evaluator uses is its own.\n"
        f"{aided if mode.aided else ''}\n# The rules\n\n{mode.rules} Your time is limited.\n"
    )


def shown(mode: Mode, sample: Sample, config: Config) -> Prompt:
    """Return what an agent is told first."""
    messages = (Message(role="system", content=SYSTEM), Message(role="user", content=task_text(sample, mode)))
    return Prompt(messages=messages, tokens=sum(estimate(message.content) for message in messages))


async def run(mode: Mode, ask: Ask, sample: Sample, prompt: Prompt, workplace: Workplace) -> Outcome:
    """Let an agent work on a fresh copy of the starter. Raises CorpusError where this checkout grades otherwise."""
    task = load(sample.task)
    require_contract(task, sample)
    if workplace.solver:
        return await _solved(ask, prompt, workplace)
    fixed, own = aids() if mode.aided else ({}, {})
    workspace = Workspace(
        {"TASK.md": task_text(sample, mode), **fixed_files(task), **fixed}, {EDITABLE: sample.stub, **own}
    )
    with contextlib.ExitStack() as stack:
        programs = None
        if mode.aided:
            opened: Sandbox = workplace.sandbox or await workplace.use(stack.enter_context, open_sandbox())
            programs = Programs(opened, task, workspace)
            await workplace.use(programs.require_hidden)
        return await work(ask, prompt.messages, _actions(mode, workspace, programs, workplace), workplace)


def _actions(mode: Mode, workspace: Workspace, programs: Programs | None, workplace: Workplace) -> list[Action]:
    def now(function: Callable[..., str]) -> Callable[..., Awaitable[Said]]:
        async def do(**arguments: Any) -> Said:
            return Said(function(**arguments))

        return do

    def later(function: Callable[..., str]) -> Callable[..., Awaitable[Said]]:
        async def do(**arguments: Any) -> Said:
            return Said(await workplace.use(partial(function, **arguments)))

        return do

    async def submit() -> Said:
        if not workspace.controller.strip():
            raise Refused(f"{EDITABLE} is empty; write it first.")
        return told(mode, await workplace.submit(workspace.controller), workplace.may_submit)

    does: dict[str, Callable[..., Awaitable[Said]]] = {
        "list": now(workspace.listing), "read": now(workspace.read), "write": now(workspace.write),
        "edit": now(workspace.edit), "submit": submit,
    }  # fmt: skip
    if programs is not None:
        does |= {"build": later(programs.build), "test": later(programs.test), "probe": later(programs.probe)}
    return [Action(one, does[one.name]) for one in (*TOOLS, *AIDS) if one.name in does]


def told(mode: Mode, evaluation: Evaluation, more: bool) -> Said:
    """Return what an agent hears of a submission; without feedback every verdict sounds the same."""
    if mode.feedback == "none":
        return Said("The submission is recorded.", None if more else "submitted")
    if evaluation.status is Status.PASS:
        return Said("PASS", "passed")
    if evaluation.status not in (Status.FAIL, Status.TIMEOUT):
        return Said("The evaluator could not measure this submission; hand it in again later.")
    return Said("FAIL" if mode.feedback == "verdict" else report(evaluation))


def report(evaluation: Evaluation) -> str:
    """Return every check that did not pass, one a line."""
    return "FAIL\n" + "\n".join(
        f"{check.layer}/{check.check}: expected: {check.expected or 'it passes'}; saw: {check.saw or check.status}"
        for check in evaluation.checks
        if check.status is not Status.PASS and not check.headline
    )


async def _solved(ask: Ask, prompt: Prompt, workplace: Workplace) -> Outcome:
    """Hand in what a built-in solver answers: it has no use for tools."""
    code = workplace.extract((await ask(prompt.messages)).text)
    if not code.strip():
        return workplace.outcome("stop")
    evaluation = await workplace.submit(code)
    return workplace.outcome("passed" if evaluation.status is Status.PASS else "stop")


def _scenario(mode: Mode) -> Scenario:
    """Return the row of a mode; its version is the hash of everything that an agent sees or uses."""
    tools = [asdict(one) for one in (*TOOLS, *AIDS)]
    return Scenario(
        name=mode.name,
        purpose=mode.purpose,
        run=partial(run, mode),
        allowance=Allowance(seconds_s=HOUR_S, tokens=TOKENS, submissions=mode.submissions),
        prompt=partial(shown, mode),
        version=digest(asdict(mode), SYSTEM, tools, aids(), length=12),
    )


SCENARIOS: dict[str, Scenario] = {mode.name: _scenario(mode) for mode in MODES}
