"""The process behind `codebleu_package`: scores one JSON line at a time with the codebleu package.

Run as `python -m tasks.grading.codebleu_worker`. It ends when its input does, even in the middle of a pair, so it
never outlives the process that started it. Protocol: `{"ready": version}`, then per request line
`{"reference", "candidate", "language"}` one answer line, the package's dictionary or `{"error": text}`.
"""

import json
import logging
import os
import queue
import sys
import threading


def _requests(lines: "queue.SimpleQueue[str]") -> None:
    for line in sys.stdin:
        lines.put(line)
    os._exit(0)


def main() -> None:
    """Answer requests until the input ends."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever the package may print is not an answer
    sys.stdin.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    logging.disable(logging.CRITICAL)

    from importlib.metadata import version

    from codebleu import calc_codebleu

    lines: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=_requests, args=(lines,), daemon=True).start()
    answer: dict[str, object] = {"ready": version("codebleu")}
    while True:
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
        pair = json.loads(lines.get())
        try:
            answer = dict(calc_codebleu([pair["reference"]], [pair["candidate"]], lang=pair["language"]))
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}


if __name__ == "__main__":
    main()
