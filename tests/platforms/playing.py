"""Play a candidate and a scenario on a model of a platform, and read what the harness reported and recorded."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from corpora.firmware.execution import platform_object
from corpora.platforms.model import CORE, Platform, platform
from tasks.sandbox import Limits, Sandbox
from tasks.sandbox.verdict import HEADER, Reported, header, judge, new_secret

LIMITS = Limits(wall_s=120.0, cpu_s=30.0, output_bytes=64 << 20)


@dataclass(frozen=True)
class Played:
    """`checks` by name; `record` has a line an entry: time in ns, context, kind and text."""

    passed: bool
    reason: str
    checks: Mapping[str, Reported]
    record: tuple[str, ...]
    cpu_s: float

    def saw(self, check: str) -> str:
        return self.checks[check].saw or ""

    def lines(self, kind: str) -> list[str]:
        """Texts of the entries of one kind, in order."""
        parts = [line.split(maxsplit=3) for line in self.record]
        return [part[3] if len(part) > 3 else "" for part in parts if len(part) > 2 and part[2] == kind]


class Play(Protocol):
    def __call__(self, candidate: str, scenario: str) -> Played: ...


def core_alone() -> Platform:
    """The core without a platform: the scenario defines platform_boot()."""
    whole = platform("zephyr")

    def own(files: Mapping[str, str]) -> dict[str, str]:
        return {path: text for path, text in files.items() if path.startswith(f"{CORE}/")}

    compiler = ("gcc", "-std=gnu11", "-O1", "-g", "-Wall", "-Wextra", "-I.", f"-I{CORE}")
    return replace(
        whole,
        name=CORE,
        headers=own(whole.headers),
        sources=own(whole.sources),
        compiler=compiler,
        digest=f"{CORE} {whole.digest}",
    )


def play(model: Platform, sandbox: Sandbox, candidate: str, scenario: str) -> Played:
    """Build and run; raises AssertionError with what gcc said if either does not build."""
    with sandbox.session() as session:
        files: dict[str, bytes | str] = {
            **model.headers,
            HEADER: header(),
            "main.c": candidate,
            "scenario.c": scenario,
        }
        files["platform.o"] = platform_object(model, sandbox)
        steps = (
            [*model.compiler, *model.candidate, "-c", "main.c"],
            [*model.compiler, *model.own, "-c", "scenario.c"],
            [*model.compiler, "-o", "program", "platform.o", "scenario.o", "main.o", *model.link],
        )
        for step in steps:
            built = session.run(step, files, LIMITS)
            files = {}
            assert built.ok, built.stderr.decode()
        secret = new_secret()
        outcome = session.run(["./program"], {}, LIMITS, secret=secret.encode(), env={"FB_RECORD": "1"})
    verdict = judge(outcome, secret)
    return Played(
        passed=verdict.passed,
        reason=verdict.reason,
        checks={check.name: check for check in verdict.checks},
        record=tuple(outcome.stderr.decode(errors="replace").splitlines()),
        cpu_s=outcome.cpu_s,
    )
