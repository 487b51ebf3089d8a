"""Read a flattened device tree (Devicetree Specification 0.4, chapter 5) into nodes and properties."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

from corpora.firmware.values.model import Unreadable, Value, list_value, same

MAGIC = 0xD00DFEED
BEGIN, END, PROPERTY, NOTHING, LAST = 1, 2, 3, 4, 9
DEEPEST = 64


@dataclass
class Node:
    """One node: its path, its properties as bytes, its children by name."""

    path: str
    properties: dict[str, bytes] = field(default_factory=dict)
    children: dict[str, "Node"] = field(default_factory=dict)

    def walk(self) -> Iterator["Node"]:
        """Yield this node and those below it, outer before inner."""
        yield self
        for child in self.children.values():
            yield from child.walk()

    @property
    def compatible(self) -> tuple[str, ...]:
        """What the node says it is."""
        return decoded(self.properties.get("compatible", b"")).words

    def says(self, name: str, wanted: str) -> bool:
        """Return whether a property is there and comes to this."""
        return name in self.properties and same(decoded(self.properties[name]).whole, wanted)

    @property
    def phandle(self) -> int | None:
        """The number by which others refer to the node."""
        data = self.properties.get("phandle")
        return int.from_bytes(data, "big") if data is not None and len(data) == 4 else None


def parse_blob(data: bytes) -> Node:
    """Return the root node; raises Unreadable if it is no flattened tree."""
    if len(data) < 40 or struct.unpack_from(">I", data)[0] != MAGIC:
        raise Unreadable("dtc wrote no flattened device tree")
    structure, strings = struct.unpack_from(">II", data, 8)
    stack: list[Node] = []
    root: Node | None = None
    at = structure
    while True:
        (token,) = struct.unpack_from(">I", data, at)
        at += 4
        if token == BEGIN:
            end = data.index(b"\0", at)
            name = data[at:end].decode(errors="replace")
            at = (end + 4) & ~3
            node = Node(_joined(stack[-1].path, name) if stack else "/")
            if len(stack) > DEEPEST:
                raise Unreadable("the device tree is nested too deep")
            if stack:
                stack[-1].children[name] = node
            else:
                root = node
            stack.append(node)
        elif token == END:
            stack.pop()
        elif token == PROPERTY:
            length, offset = struct.unpack_from(">II", data, at)
            start = strings + offset
            name = data[start : data.index(b"\0", start)].decode(errors="replace")
            stack[-1].properties[name] = data[at + 8 : at + 8 + length]
            at = (at + 8 + length + 3) & ~3
        elif token == LAST:
            break
        elif token != NOTHING:
            raise Unreadable("dtc wrote a device tree that cannot be read")
    if root is None:
        raise Unreadable("dtc wrote an empty device tree")
    return root


def _joined(parent: str, name: str) -> str:
    return f"{parent.rstrip('/')}/{name}"


def decoded(data: bytes) -> Value:
    """Return a property as its words: strings where all of it is text, else cells of 32 bits, else bytes."""
    if not data:
        return Value((), "true")
    if data[-1] == 0 and data[0] != 0 and b"\0\0" not in data and all(b == 0 or 32 <= b < 127 for b in data):
        return list_value([part.decode() for part in data[:-1].split(b"\0")])
    if len(data) % 4 == 0:
        return list_value([str(cell) for cell in struct.unpack(f">{len(data) // 4}I", data)])
    return list_value([f"{byte:#04x}" for byte in data])
