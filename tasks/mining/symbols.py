"""The names a file declares at file and class scope, each with the text that shows how to use it."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from tasks.mining import lexis
from tasks.mining.declarators import declared_name
from tasks.mining.functions import Reading
from tasks.mining.records import Symbol, SymbolKind

TEXT_BYTES = 4_000
VALUE_BYTES = 200
ENUM_BYTES = 400
CUT = "/* … cut */"

DEFINE = re.compile(rb"define[ \t]+([A-Za-z_]\w*)" + lexis.REST_OF_DIRECTIVE)
KINDS: dict[str, SymbolKind] = {
    "struct_specifier": "struct",
    "union_specifier": "union",
    "class_specifier": "class",
    "enum_specifier": "enum",
}
Found = tuple[SymbolKind, str, int, int, str]


def collect(data: bytes, encoding: str, reading: Reading) -> list[Symbol]:
    """Return the symbols of a file in order of their start.

    Arguments: `data`, the file as stored, which all texts come from.
    """
    texts = Texts(data, encoding)
    found: list[Found] = [
        ("function", one.name, one.start_byte, one.body_start_byte, one.signature) for one in reading.functions
    ]
    for kind, node in reading.declared:
        if kind in KINDS:
            found += texts.type(KINDS[kind], node)
        elif kind == "type_definition":
            found += texts.typedef(node)
        elif kind == "alias_declaration":
            found += texts.alias(node)
        else:
            found += texts.declaration(node, kind == "field_declaration")
    found += texts.macros(reading.first.tree.root_node)
    found.sort(key=lambda one: (one[2], one[3], one[0], one[1]))
    symbols, line, position = [], 1, 0
    for symbol_kind, name, start, end, text in found:
        line += data.count(b"\n", position, start)
        position = start
        symbols.append(Symbol(symbol_kind, name, start, end, line, text))
    return symbols


class Texts:
    """Cuts the texts of symbols out of one file."""

    def __init__(self, data: bytes, encoding: str) -> None:
        self.data = data
        self.encoding = encoding

    def cut(self, start: int, end: int) -> str:
        """Return the text of a span, shortened at a line's end beyond `TEXT_BYTES`, with a mark that says so."""
        if end - start > TEXT_BYTES:
            stop = self.data.rfind(b"\n", start, start + TEXT_BYTES)
            stop = stop if stop > start else start + TEXT_BYTES
            return self.data[start:stop].decode(self.encoding, "ignore").rstrip() + f"\n{CUT}"
        return self.data[start:end].decode(self.encoding, "ignore")

    def name(self, node: Node) -> str:
        """Return a node's text as a name."""
        return "".join(self.data[node.start_byte : node.end_byte].decode(self.encoding, "ignore").split())

    def type(self, kind: SymbolKind, node: Node) -> Iterator[Found]:
        """Yield a struct, union, class or enum with its body, and the enumerators of an enum."""
        start, end = node.byte_range
        name = node.child_by_field_name("name")
        if name is not None:
            yield kind, self.name(name), start, end, self.cut(start, end)
        body = node.child_by_field_name("body")
        if kind != "enum" or body is None:
            return
        whole = self.cut(start, end) if end - start <= ENUM_BYTES else None
        head = self.data[start : body.start_byte].decode(self.encoding, "ignore").strip()
        for one in body.named_children:
            own = one.child_by_field_name("name") if one.type == "enumerator" else None
            if own is not None:
                first, last = one.byte_range
                yield "enumerator", self.name(own), first, last, whole or f"{head} {{ …, {self.cut(first, last)}, … }}"

    def typedef(self, node: Node) -> Iterator[Found]:
        """Yield every name of a typedef with the whole of it."""
        start, end = node.byte_range
        for one in node.children_by_field_name("declarator"):
            name, _ = declared_name(one)
            if name is not None:
                yield "typedef", self.name(name), start, end, self.cut(start, end)

    def alias(self, node: Node) -> Iterator[Found]:
        """Yield `using Name = …`, with its template head where it has one."""
        start, end = node.byte_range
        inner = node
        if node.type == "template_declaration":
            inner = next((one for one in node.named_children if one.type == "alias_declaration"), node)
        name = inner.child_by_field_name("name")
        if name is not None:
            yield "typedef", self.name(name), start, end, self.cut(start, end)

    def declaration(self, node: Node, member: bool) -> Iterator[Found]:
        """Yield the prototypes and globals of a declaration; of a class's members only the prototypes."""
        start, end = node.byte_range
        for one in node.children_by_field_name("declarator"):
            value = one.child_by_field_name("value")
            name, is_function = declared_name(one)
            if name is None:
                continue
            last = self.name(name).rsplit("::", 1)[-1]
            if is_function:
                yield "prototype", last, start, end, self.cut(start, end)
            elif not member and value is not None and value.end_byte - value.start_byte > VALUE_BYTES:
                text = (
                    self.data[start : value.start_byte].decode(self.encoding, "ignore").rstrip().rstrip("=").rstrip()
                )
                yield "global", last, start, end, f"{text};"
            elif not member:
                yield "global", last, start, end, self.cut(start, end)

    def macros(self, root: Node) -> Iterator[Found]:
        """Yield every `#define` outside comments, wherever it stands."""
        for match in DEFINE.finditer(self.data):
            line = self.data.rfind(b"\n", 0, match.start()) + 1
            before = self.data[line : match.start()].strip()
            if before != b"#":
                continue
            start = self.data.index(b"#", line)
            node = root.descendant_for_byte_range(start, start + 1)
            if node is None or node.type != "comment":
                end = match.start() + len(match.group().rstrip())
                yield "macro", match.group(1).decode("ascii", "ignore"), start, end, self.cut(start, end)
