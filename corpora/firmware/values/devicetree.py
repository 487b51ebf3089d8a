"""Device trees: the overlay is compiled onto the board of the case by dtc, and the values are those of the blob.

Everything runs in the sandbox: the C preprocessor with the headers of corpora/platforms/devicetree, then dtc, and, for
an overlay that says `/plugin/`, fdtoverlay.
"""

import re
from dataclasses import dataclass
from functools import cache

from corpora.firmware.case import Case
from corpora.firmware.values.blob import Node, decoded, parse_blob
from corpora.firmware.values.model import Missing, Unreadable, Value
from corpora.firmware.values.table import NodeOf
from corpora.platforms.model import HERE as PLATFORMS
from tasks.sandbox import Limits, Session

BOARD = "context/board.dts"
LIMITS = Limits(wall_s=60.0, cpu_s=5.0)
ENV = {"LC_ALL": "C", "PATH": "/usr/bin:/bin"}
CPP = "gcc -E -nostdinc -undef -D__DTS__ -x assembler-with-cpp -Iinclude"
DTC = "dtc -@ -I dts -O dtb -W no-interrupt_provider"
WHOLE = f"""
set -e
cat board.dts > whole.dts && printf '\\n#line 1 "answer"\\n' >> whole.dts && cat answer >> whole.dts
{CPP} whole.dts -o whole.pp >&2
{DTC} -o out.dtb whole.pp
"""
PLUGIN = f"""
set -e
{CPP} board.dts -o board.pp >&2
{CPP} answer -o answer.pp >&2
{DTC} -o board.dtb board.pp
{DTC} -o answer.dtbo answer.pp
fdtoverlay -i board.dtb -o out.dtb answer.dtbo
"""
SAW_CHARS = 1500
IS_PLUGIN = re.compile(r"^\s*/plugin/\s*;", re.MULTILINE)


@dataclass(frozen=True)
class Tree:
    """A device tree; `labels` are paths by label, `warnings` what dtc said."""

    root: Node
    warnings: str

    def find(self, name: str, node: object | None) -> Value | None:
        """Return the property of the first node that fits and has it; without a node, of the root, or `warnings`.

        `path` stands for the path of the first node that fits, `count` for how many fit.
        """
        if not isinstance(node, NodeOf):
            if name == "warnings":
                return Value(tuple(self.warnings.splitlines()), self.warnings) if self.warnings else None
            data = self.root.properties.get(name)
            return None if data is None else decoded(data)
        fitting = self.nodes(node)
        if name == "count":
            return Value((str(len(fitting)),), str(len(fitting)))
        if name == "path" and fitting:
            return Value((fitting[0].path,), fitting[0].path)
        found = next((item.properties[name] for item in fitting if name in item.properties), None)
        return None if found is None else decoded(found)

    def refers(self, value: Value, to: str, cell: int) -> bool:
        """Return whether a cell is the phandle of the node with this path or label, or a string is its path."""
        target = self.at(to)
        if target is None or cell >= len(value.words):
            return False
        return value.words[cell] in (target.path, str(target.phandle))

    def nodes(self, asked: NodeOf) -> list[Node]:
        """Return the nodes that fit, in the order of the tree."""
        below = self.at(asked.parent) if asked.parent is not None else self.root
        if below is None:
            return []
        found = list(below.walk()) if asked.parent is None else [node for node in below.walk() if node is not below]
        if asked.path is not None:
            places = {node.path for path in asked.path if (node := self.at(path)) is not None}
            found = [node for node in found if node.path in places]
        if asked.compatible is not None:
            found = [node for node in found if asked.compatible in node.compatible]
        for name, wanted in (asked.having or {}).items():
            found = [node for node in found if node.says(name, wanted)]
        return found

    def at(self, place: str) -> Node | None:
        """Return the node at a path or with a label, or of `alias:led0`, `chosen:zephyr,console`, `compatible:x,y`."""
        kind, _, name = place.partition(":")
        if kind == "compatible":
            return next((node for node in self.root.walk() if name in node.compatible), None)
        if kind in ("alias", "chosen") and name:
            holder = self.root.children.get("aliases" if kind == "alias" else "chosen")
            data = holder.properties.get(name) if holder is not None else None
            return self._by_path(decoded(data).whole) if data else None
        if place.startswith("/"):
            return self._by_path(place)
        symbols = self.root.children.get("__symbols__")
        data = symbols.properties.get(place) if symbols is not None else None
        return self._by_path(decoded(data).whole) if data else None

    def _by_path(self, path: str) -> Node | None:
        node: Node | None = self.root
        for part in filter(None, path.split("/")):
            node = node.children.get(part) if node is not None else None
        return node


@cache
def headers() -> dict[str, str]:
    """Return the headers that an overlay may include, by path in the sandbox."""
    base = PLATFORMS / "devicetree"
    return {path.relative_to(base).as_posix(): path.read_text() for path in sorted(base.rglob("*.h"))}


def compiled(case: Case, code: str, session: Session) -> Tree:
    """Return the tree of the board with the overlay on it; raises Unreadable with what dtc says, or Missing."""
    if not code.strip():
        raise Unreadable("the overlay is empty")
    script = PLUGIN if IS_PLUGIN.search(code) else WHOLE
    files: dict[str, bytes | str] = {**headers(), "board.dts": case.context[BOARD], "answer": code}
    outcome = session.run(["sh", "-c", script], files, LIMITS, env=ENV, collect=["out.dtb"])
    said = outcome.stderr.decode(errors="replace").strip()
    if outcome.exit == 127:
        raise Missing("install the packages device-tree-compiler and gcc")
    if not outcome.ok or "out.dtb" not in outcome.collected:
        raise Unreadable(f"{outcome.ending}: {said}"[-SAW_CHARS:])
    return Tree(parse_blob(outcome.collected["out.dtb"]), said[:SAW_CHARS])
