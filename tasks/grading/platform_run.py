"""Build a candidate for its platform and run it, in one sandbox session; an absent SDK is `not_run`, never passed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tasks.contract import Check, Status
from tasks.grading.platform_backends import Backend, Need, Tool
from tasks.sandbox import Outcome, Session

SAW_CHARS = 2000
NOT_FOUND = (126, 127)
ENDLESS = "it has no end, and nothing says what it must print"


@dataclass(frozen=True)
class Toolbox:
    """Where tools are inside the sandbox: its PATH, and the SDK folders by environment variable."""

    path: str = "/usr/bin:/bin"
    sdks: Mapping[str, str] = field(default_factory=dict)

    @property
    def env(self) -> dict[str, str]:
        """The environment of every command."""
        return {**self.sdks, "PATH": self.path}


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """The code, the files its case brings (path → text), the board, and what a run must print, if that is known."""

    code: str
    files: Mapping[str, str] = field(default_factory=dict)
    board: str = "native_sim"
    expected_output: tuple[str, ...] | None = None


def compile_layer(backend: Backend, candidate: Candidate, session: Session, toolbox: Toolbox) -> tuple[Check, ...]:
    """Put the candidate into the session and build it; one check, `builds`."""
    absent = missing(backend.needs, session, toolbox)
    if absent:
        return (_check("compile", "builds", Status.NOT_RUN, f"{backend.name}: {'; '.join(absent)}"),)
    session.write({**backend.files, **candidate.files, backend.source: candidate.code})
    for command in backend.compile:
        argv = [word.replace("{board}", candidate.board) for word in command]
        outcome = session.run(argv, limits=backend.compile_limits, env=toolbox.env)
        if not outcome.ok:
            return (_check("compile", "builds", _build_status(outcome), f"{outcome.ending}: {_last(outcome)}"),)
    return (_check("compile", "builds", Status.PASS),)


def runtime_layer(backend: Backend, candidate: Candidate, session: Session, toolbox: Toolbox) -> tuple[Check, ...]:
    """Run what `compile_layer` built in the session; checks `ends_well` and one for each expected line of output.

    Only what the program prints counts, not the build's log; a time limit alone proves nothing either way.
    """
    if reason := _absent(backend, candidate.board, session, toolbox):
        return (_check("runtime", "ends_well", Status.NOT_RUN, f"{backend.name}: {reason}"),)
    outcome = session.run(list(backend.run(candidate.board)), limits=backend.run_limits, env=toolbox.env)
    printed = outcome.stdout.decode(errors="replace")
    lines = tuple(
        Check(
            layer="runtime", check=f"prints {text!r}", expected=text,
            status=Status.PASS if text in printed else Status.FAIL,
            saw=None if text in printed else printed[-SAW_CHARS:],
        )
        for text in candidate.expected_output or ()
    )  # fmt: skip
    return (_ending(backend, outcome, bool(lines)), *lines)


def cannot_run(backend: Backend, candidate: Candidate, session: Session, toolbox: Toolbox) -> str:
    """Return why no run can pass, whatever the code; empty where one can."""
    absent = _absent(backend, candidate.board, session, toolbox)
    return absent or (ENDLESS if backend.endless and not candidate.expected_output else "")


def missing(needs: Sequence[Need], session: Session, toolbox: Toolbox) -> list[str]:
    """Return how to install each need that is not there."""
    if not needs:
        return []
    probes = [
        f"command -v {need.program} >/dev/null" if isinstance(need, Tool) else f'[ -d "${need.variable}" ]'
        for need in needs
    ]
    script = "\n".join(f"{probe} || echo {number}" for number, probe in enumerate(probes))
    outcome = session.run(["/bin/sh", "-c", script], env=toolbox.env)
    return [needs[int(number)].install for number in outcome.stdout.split()]


def _absent(backend: Backend, board: str, session: Session, toolbox: Toolbox) -> str:
    return _no_run(backend, board) or "; ".join(missing(backend.run_needs, session, toolbox))


def _no_run(backend: Backend, board: str) -> str:
    if not backend.runs:
        return backend.no_run
    if not backend.run(board):
        return (
            f"the board {board} is hardware; {' and '.join(start + '*' for start, _ in backend.runs)} can be run here"
        )
    return ""


def _ending(backend: Backend, outcome: Outcome, has_output: bool) -> Check:
    if outcome.timed_out and backend.endless:
        if has_output:
            return _check("runtime", "ends_well", Status.PASS)
        return _check("runtime", "ends_well", Status.NOT_RUN, ENDLESS)
    if outcome.timed_out:
        return _check("runtime", "ends_well", Status.TIMEOUT, outcome.ending)
    if outcome.exit in NOT_FOUND:
        return _check("runtime", "ends_well", Status.INFRA_ERROR, f"{outcome.ending}: {_last(outcome)}")
    if not outcome.ok:
        return _check("runtime", "ends_well", Status.FAIL, f"{outcome.ending}: {_last(outcome)}")
    return _check("runtime", "ends_well", Status.PASS)


def _build_status(outcome: Outcome) -> Status:
    if outcome.timed_out:
        return Status.TIMEOUT
    broken = outcome.out_of_memory or outcome.truncated or outcome.signal is not None or outcome.exit in NOT_FOUND
    return Status.INFRA_ERROR if broken else Status.FAIL


def _last(outcome: Outcome) -> str:
    """The end of what was said, errors last: compilers write them to either stream."""
    said = (outcome.stdout + b"\n" + outcome.stderr).decode(errors="replace").strip()
    return said[-SAW_CHARS:] or "nothing said"


def _check(layer: str, name: str, status: Status, saw: str | None = None) -> Check:
    return Check(layer=layer, check=name, status=status, saw=saw)
