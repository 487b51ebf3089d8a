"""What an agent may run, in the sandbox, on a copy of its workspace: the build, its own tests, a probe.

Each tool opens a fresh directory that holds the files of the workspace and nothing else: no plant, no scenario, no
hidden test, no harness. The controller is compiled as the grader compiles it.
"""

import re
from collections.abc import Iterator, Mapping

from corpora.closedloop.model import HERE, Task
from corpora.closedloop.runs import headers
from corpora.closedloop.workspace import EDITABLE, OWN, Workspace
from tasks.inference.agent import Refused
from tasks.sandbox import Limits, Outcome, Sandbox, Session
from warehouse.errors import SandboxError

FIRMWARE = ("app.c", "firmware.h", "protocol.c")
GCC = "gcc -std=gnu11 -O0 -Wall -Wextra"
SCAFFOLD = HERE / "workspace_files"
LIMITS = Limits(wall_s=30.0, cpu_s=10.0, output_bytes=1 << 20)
LONGEST_PROBE_MS, LONGEST_LINE = 60_000, 128
FRAME = re.compile(r"(\d{1,6}) (.+)")


def fixed_files(task: Task) -> dict[str, str]:
    """Return the firmware around a controller, as the agent sees it."""
    return headers(task) | {name: (HERE / "firmware" / name).read_text() for name in FIRMWARE}


def aids() -> tuple[dict[str, str], dict[str, str]]:
    """Return the fixed files and the starter test that come with the tools `build`, `test` and `probe`."""
    fixed = {"bench.c": "bench.c", f"{OWN}/selftest.h": "selftest.h"}
    texts = {path: (SCAFFOLD / name).read_text() for path, name in fixed.items()}
    return texts, {f"{OWN}/test_controller.c": (SCAFFOLD / "test_controller.c").read_text()}


class Programs:
    """The runnable tools over one workspace. Each blocks, and opens a session of its own."""

    def __init__(self, sandbox: Sandbox, task: Task, workspace: Workspace) -> None:
        self._sandbox = sandbox
        self._headers = headers(task)
        self._fixed = {**fixed_files(task), **aids()[0]}
        self._workspace = workspace

    def require_hidden(self) -> None:
        """Raise SandboxError if a program in the sandbox could see the evaluator's own files."""
        if self._sandbox.run(["test", "-e", str(HERE / "plants")]).ok:
            raise SandboxError(
                f"Programs in the sandbox {self._sandbox.kind!r} can see {HERE.name}/plants, which holds the hidden "
                "tests: use bubblewrap or docker, and keep the project outside /usr."
            )

    def build(self) -> str:
        """Compile the controller and link the firmware; return what the compiler said."""
        with self._sandbox.session() as session:
            built = self._firmware(session)
        return ("It builds.\n" if built.ok else f"It does not build ({built.ending}).\n") + _text(built)

    def test(self) -> str:
        """Build each file `tests/*.c` with the controller and run it; return what they said."""
        sources = sorted(path for path in self._workspace.tests if path.endswith(".c"))
        if not sources:
            raise Refused(f"There is no file {OWN}/NAME.c to run.")
        with self._sandbox.session() as session:
            return "\n".join(self._tested(session, sources))

    def probe(self, frames: str, until_ms: int) -> str:
        """Run the firmware on the bench with lines sent at given times; return everything that passed."""
        if not 0 < until_ms <= LONGEST_PROBE_MS:
            raise Refused(f"until_ms must be from 1 to {LONGEST_PROBE_MS}.")
        lines = sorted(_frames(frames), key=lambda frame: frame[0])
        script = "".join(f"{at} {line}\n" for at, line in lines)
        with self._sandbox.session() as session:
            built = self._firmware(session)
            if not built.ok:
                return f"It does not build ({built.ending}).\n{_text(built)}"
            ran = session.run(["./firmware"], {}, LIMITS, stdin=f"{until_ms}\n{script}".encode(errors="replace"))
        return _text(ran) + ("" if ran.ok else f"The firmware was ended: {ran.ending}.\n")

    def _firmware(self, session: Session) -> Outcome:
        """Compile the controller among what the grader has, and only then put the rest beside it."""
        ours = {name: text for name, text in self._fixed.items() if "/" not in name}
        built = session.run(["sh", "-c", f"{GCC} -c {EDITABLE}"],
                            {**self._headers, EDITABLE: self._workspace.controller}, LIMITS)  # fmt: skip
        if not built.ok:
            return built
        link = f"{GCC} -c app.c protocol.c bench.c && gcc -o firmware controller.o app.o protocol.o bench.o"
        linked = session.run(["sh", "-c", link], ours, LIMITS)
        return built if linked.ok else linked

    def _tested(self, session: Session, sources: list[str]) -> Iterator[str]:
        files: Mapping[str, str] = {**self._fixed, **self._workspace.tests, EDITABLE: self._workspace.controller}
        session.write(files)
        for source in sources:
            command = f"{GCC} -I. -o selftest {EDITABLE} protocol.c {source} && ./selftest"
            ran = session.run(["sh", "-c", command], {}, LIMITS)
            yield f"{source}: {'passed' if ran.ok else f'FAILED ({ran.ending})'}\n{_text(ran)}"


def _frames(text: str) -> Iterator[tuple[int, str]]:
    for line in text.splitlines():
        if not line.strip():
            continue
        found = FRAME.fullmatch(line.strip())
        if found is None or len(found[2].encode(errors="replace")) > LONGEST_LINE:
            raise Refused(f"{line[:60]!r} is no frame; write MS LINE, e.g. 100 SENSE NAME 20, one a line.")
        yield int(found[1]), found[2]


def _text(outcome: Outcome) -> str:
    return (outcome.stdout + outcome.stderr).decode(errors="replace")
