"""Runs the checks of many cases inside the sandbox, each in a process of its own, forked from one interpreter.

It is started as `python3 -PsSB worker.py` in a directory with `jobs.json` and the files that names; it imports nothing
of ours. Only its first process has the secret that marks results: the one that forks the checks never had it, and a
check has neither the standard streams nor the channel. A job is
`{"module", "code", "task": "checks"|"negatives", "cpu_s", "wall_s", "memory_bytes"}`; a result line is the tag, the
secret, a tab and JSON with the job's number.
"""

import contextlib
import importlib
import json
import os
import resource
import select
import signal
import sys
import time
import traceback
from types import ModuleType

TAG = "firmbench-verdict"
RESULT_BYTES = 8 << 20
LAST_LINE = 300


def main() -> None:
    """Print one tagged line a job and, last, their number."""
    reading, writing = os.pipe()
    if os.fork() == 0:
        os.close(reading)
        os.close(3)
        sys.path.insert(0, os.path.join(os.getcwd(), "standin"))
        importlib.import_module("embedeval.check_utils")
        importlib.import_module("embedeval.models")
        work(writing)
        os._exit(0)
    os.close(writing)
    with os.fdopen(3) as channel:
        secret = channel.read().strip()
    count = 0
    with os.fdopen(reading) as results:
        for line in results:
            count += 1
            sys.stdout.write(f"\n{TAG} {secret}\t{line.strip()}\n")
            sys.stdout.flush()
    sys.stdout.write(f"\n{TAG} {secret}\t" + json.dumps({"end": count}) + "\n")


def work(channel: int) -> None:
    """Run every job and write its result to the channel."""
    with open("jobs.json") as file:
        jobs = json.load(file)
    quiet = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(quiet, stream)
    if quiet > 2:
        os.close(quiet)
    for number, job in enumerate(jobs):
        result = isolated(job, channel)
        with contextlib.suppress(BrokenPipeError):
            data = (json.dumps({"job": number, **result}) + "\n").encode()
            while data:
                data = data[os.write(channel, data) :]


def isolated(job: dict, channel: int) -> dict:
    """Return what the job says when run in a process of its own, or how that ended."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        os.close(channel)
        os.setsid()
        cpu_s = int(job["cpu_s"])
        resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s + 1))
        resource.setrlimit(resource.RLIMIT_AS, (job["memory_bytes"], job["memory_bytes"]))
        data = json.dumps(guarded(job)).encode()
        while data:
            data = data[os.write(writing, data) :]
        os._exit(0)
    os.close(writing)
    data, in_time = drain(reading, time.monotonic() + job["wall_s"])
    os.close(reading)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)
    status = os.waitpid(child, 0)[1]
    try:
        return dict(json.loads(data))
    except (ValueError, TypeError):
        pass
    if not in_time or (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU):
        return {
            "state": "timeout",
            "reason": f"{job['module']} ran longer than {job['cpu_s']} s of CPU or {job['wall_s']} s",
        }
    how = f"signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else f"exit {os.WEXITSTATUS(status)}"
    return {"state": "broken", "reason": f"{job['module']} ended with {how} and no result"}


def drain(pipe: int, deadline: float) -> tuple[bytes, bool]:
    """Return what the pipe holds until it is closed, and whether that was before the deadline."""
    data = b""
    while len(data) <= RESULT_BYTES:
        ready = select.select([pipe], [], [], max(0.0, deadline - time.monotonic()))[0]
        if not ready:
            return data, False
        part = os.read(pipe, 1 << 16)
        if not part:
            return data, True
        data += part
    return b"", True


def guarded(job: dict) -> dict:
    """Return the job's result; whatever it raises is one, too."""
    try:
        return {"checks": checks, "negatives": negatives}[job["task"]](job)
    except BaseException as error:
        return {"state": "broken", "reason": f"{job['module']}: {told(error, job['module'])}"}


def told(error: BaseException, module: str) -> str:
    """Return the error's kind, message and line in the module."""
    own = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename.endswith(module)]
    if isinstance(error, SyntaxError):
        own = [error.lineno]
    where = f"line {own[-1]}: " if own else ""
    return f"{where}{type(error).__name__}: {error}"[:LAST_LINE].replace("\n", " ")


def loaded(path: str) -> ModuleType:
    """Return the module in the file."""
    module = ModuleType("case_module")
    module.__file__ = path
    with open(path, encoding="utf-8") as file:
        exec(compile(file.read(), path, "exec"), module.__dict__)
    return module


def text_of(job: dict) -> str:
    """Return the code that the job is about."""
    with open(job["code"], newline="", encoding="utf-8", errors="surrogatepass") as file:
        return file.read()


def checks(job: dict) -> dict:
    """Run `run_checks` of the module on the code."""
    from embedeval.models import CheckDetail

    module = loaded(job["module"])
    if not callable(getattr(module, "run_checks", None)):
        raise LookupError("it has no function run_checks(code)")
    found = module.run_checks(text_of(job))
    if not isinstance(found, list) or not all(isinstance(item, CheckDetail) for item in found):
        raise TypeError("run_checks did not return a list of CheckDetail")
    if not found:
        raise LookupError("run_checks returned no check")
    return {"state": "done", "checks": [[d.check_name, bool(d.passed), d.expected, d.actual] for d in found]}


def negatives(job: dict) -> dict:
    """Apply every mutation of the module's NEGATIVES to the code."""
    entries = loaded(job["module"]).NEGATIVES
    if not isinstance(entries, list):
        raise TypeError("NEGATIVES is no list")
    code = text_of(job)
    return {"state": "done", "mutants": [mutant(entry, code) for entry in entries]}


def mutant(entry: dict, code: str) -> dict:
    """Return one mutant: its text, or what is wrong with it."""
    told_names = {key: list(entry.get(key, [])) for key in ("must_fail", "should_fail")}
    described = {
        "name": str(entry.get("name", "")),
        "bug": str(entry.get("description") or entry.get("bug_description")),
    }
    try:
        text = entry["mutation"](code)
        if not isinstance(text, str):
            raise TypeError("the mutation returned no text")
        return {**described, **told_names, "text": text}
    except Exception as error:
        return {**described, **told_names, "fault": f"{type(error).__name__}: {error}"[:LAST_LINE]}


if __name__ == "__main__":
    main()
