"""The files of a submission as one text, and back: each begins with a line that names it."""

import re
from collections.abc import Mapping

CONTROLLER = ("components/controller/controller.c", "components/controller/include/controller.h")
"""The edit surface as the tasks' manifests state it."""

GRADED = (
    *CONTROLLER, "components/protocol/protocol.c", "components/protocol/include/protocol.h", "main/uart_transport.c",
)  # fmt: skip
"""What the harness of the campaign took from a workspace: more than the edit surface."""

_MARK = re.compile(r"^/\* file: (\S+) \*/\n", re.MULTILINE)


def joined(files: Mapping[str, str]) -> str:
    """Return the graded files as one text, in the order of GRADED; those that are not there are left out."""
    return "".join(f"/* file: {path} */\n{files[path]}\n" for path in GRADED if path in files)


def split(code: str) -> dict[str, str]:
    """Return the files of a text that `joined` made."""
    parts = _MARK.split(code)
    return {path: text.removesuffix("\n") for path, text in zip(parts[1::2], parts[2::2], strict=True)}
