"""The files an agent sees and may change: text in memory, so that nothing it runs can change them behind its back.

`controller.c` is what is handed in, and files below `tests/` are the agent's own; everything else is fixed. Programs
run elsewhere, on a copy (`agent_programs`), and what they leave behind is gone with it.
"""

import re
from collections.abc import Mapping
from pathlib import PurePosixPath

from tasks.inference.agent import Refused

EDITABLE = "controller.c"
OWN = "tests"
NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
FILES, FILE_CHARACTERS = 32, 65_536
"""Most files of the agent's own, and the longest file."""


class Workspace:
    """Files by relative path. `fixed` cannot be changed; `own` are the starter and the agent's tests."""

    def __init__(self, fixed: Mapping[str, str], own: Mapping[str, str]) -> None:
        self._fixed = dict(fixed)
        self._own = dict(own)

    @property
    def controller(self) -> str:
        """What a submission hands in."""
        return self._own[EDITABLE]

    @property
    def tests(self) -> dict[str, str]:
        """The agent's own files, by path."""
        return {path: text for path, text in self._own.items() if path != EDITABLE}

    def listing(self) -> str:
        """Return every path with its length in lines and whether it may be changed."""
        rows = [f"{path}  {len(text.splitlines())} lines" for path, text in sorted(self._own.items())]
        return "\n".join([*rows, *(f"{path}  {len(text.splitlines())} lines, fixed"
                                   for path, text in sorted(self._fixed.items()))])  # fmt: skip

    def read(self, path: str) -> str:
        """Return a file; raises Refused for one that is not there."""
        files = self._fixed | self._own
        if (name := _normal(path)) not in files:
            raise Refused(f"There is no file {path}; the files are {', '.join(sorted(files))}.")
        return files[name]

    def write(self, path: str, content: str) -> str:
        """Put a file in place; raises Refused for a fixed one, a path elsewhere, and a text too long."""
        name = _normal(path)
        if name not in self._own and not self._may_add(name):
            raise Refused(f"{path} cannot be written; you may write {EDITABLE} and files {OWN}/NAME.")
        if name not in self._own and len(self._own) > FILES:
            raise Refused(f"There are {FILES} files below {OWN}/ already; write one of them anew.")
        if len(content) > FILE_CHARACTERS:
            raise Refused(f"{path} would hold {len(content)} characters; {FILE_CHARACTERS} are allowed.")
        try:
            content.encode()
        except UnicodeEncodeError:
            raise Refused(f"The content of {path} holds characters that UTF-8 cannot write.") from None
        self._own[name] = content
        return f"Wrote {name}, lines: {len(content.splitlines())}."

    def edit(self, path: str, old: str, new: str) -> str:
        """Replace the one place where `old` stands; raises Refused where there is none or several."""
        times = self.read(path).count(old) if old else 0
        if times != 1:
            raise Refused(f"The old text stands {times} times in {path}; give one that stands there once.")
        return self.write(path, self.read(path).replace(old, new))

    def _may_add(self, name: str) -> bool:
        parts = PurePosixPath(name).parts
        return len(parts) == 2 and parts[0] == OWN and bool(NAME.fullmatch(parts[1])) and name not in self._fixed


def _normal(path: str) -> str:
    """Return a relative path without `.` parts; an absolute one or one with `..` stays and so names no file."""
    return str(PurePosixPath(path))
