"""The process that calls libclang: one JSON request a line in, one JSON answer a line out, until its input ends.

It is a process of its own because libclang can crash, loop or eat memory on code it was never meant to see.
Request: {"root", "path", "args", "spans"}; root and path name the file on disk, spans are byte ranges of functions.
Answer: {"functions": [[reference, …] or null, …], "missing": headers not found, "errors": other errors}; null says
that libclang sees no function there. A reference is a dict with the fields of `tasks.mining.clang.Reference`.
"""

import json
import os
import resource
import sys
from collections.abc import Iterator
from typing import Any

import clang.cindex as ci

from tasks.mining.includes import STANDARD

K = ci.CursorKind
KEEP_GOING = 0x200
MEMORY_LIMIT_BYTES = 6 << 30

OUTER = frozenset({
    K.NAMESPACE, K.LINKAGE_SPEC, K.UNEXPOSED_DECL, K.CLASS_DECL, K.STRUCT_DECL, K.UNION_DECL, K.CLASS_TEMPLATE,
    K.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION, K.FRIEND_DECL,
})  # fmt: skip
FUNCTIONS = frozenset({
    K.FUNCTION_DECL, K.CXX_METHOD, K.CONSTRUCTOR, K.DESTRUCTOR, K.CONVERSION_FUNCTION, K.FUNCTION_TEMPLATE,
})  # fmt: skip
RECORDS = frozenset({
    K.STRUCT_DECL, K.UNION_DECL, K.CLASS_DECL, K.CLASS_TEMPLATE, K.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION,
})  # fmt: skip
TYPES = RECORDS | {K.ENUM_DECL, K.TYPEDEF_DECL, K.TYPE_ALIAS_DECL, K.TYPE_ALIAS_TEMPLATE_DECL}
REFERRING = frozenset({
    K.DECL_REF_EXPR, K.MEMBER_REF_EXPR, K.TYPE_REF, K.TEMPLATE_REF, K.OVERLOADED_DECL_REF, K.CALL_EXPR, K.MEMBER_REF,
})  # fmt: skip
FILE_SCOPE = frozenset({K.TRANSLATION_UNIT, K.NAMESPACE, K.LINKAGE_SPEC}) | RECORDS


def _place(location: Any) -> tuple[str | None, int, int]:
    """Return (file, byte offset, line) of a location; inside a macro's argument, where the argument is written."""
    file, line, column, offset = ci.c_object_p(), ci.c_uint(), ci.c_uint(), ci.c_uint()
    ci.conf.lib.clang_getFileLocation(location, ci.byref(file), ci.byref(line), ci.byref(column), ci.byref(offset))
    return (ci.File(file).name if file else None), int(offset.value), int(line.value)


def _declare() -> None:
    lib = ci.conf.lib
    pointers = [ci.POINTER(ci.c_object_p), ci.POINTER(ci.c_uint), ci.POINTER(ci.c_uint), ci.POINTER(ci.c_uint)]
    lib.clang_getFileLocation.argtypes = [ci.SourceLocation, *pointers]
    lib.clang_getNumOverloadedDecls.argtypes = [ci.Cursor]
    lib.clang_getNumOverloadedDecls.restype = ci.c_uint
    lib.clang_getOverloadedDecl.argtypes = [ci.Cursor, ci.c_uint]
    lib.clang_getOverloadedDecl.restype = ci.Cursor
    lib.clang_getOverloadedDecl.errcheck = ci.Cursor.from_cursor_result


class _Unit:
    """One parsed file and what is asked of it."""

    def __init__(self, root: str, path: str, args: list[str]) -> None:
        self.root = os.path.join(os.path.realpath(root), "")
        self.file = os.path.join(self.root, path)
        with open(self.file, "rb") as handle:
            self.data = handle.read()
        options = KEEP_GOING | ci.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD
        self.unit = ci.Index.create().parse(self.file, args=args, options=options)
        self.paths: dict[str, str | None] = {}

    def inside(self, file: str | None) -> str | None:
        """Return the path in the tree of a file that libclang names, None for one outside."""
        if file is None:
            return None
        if file not in self.paths:
            real = os.path.realpath(file)
            self.paths[file] = real[len(self.root) :] if real.startswith(self.root) else None
        return self.paths[file]

    def diagnostics(self) -> tuple[int, int]:
        missing = errors = 0
        for said in self.unit.diagnostics:
            if said.severity < ci.Diagnostic.Error:
                continue
            if said.spelling.endswith("file not found"):
                missing += said.spelling.split("'")[1] not in STANDARD
            else:
                errors += 1
        return missing, errors

    def functions(self) -> Iterator[tuple[int, Any]]:
        """Yield (byte offset of the name, cursor) of every function definition of the file itself."""
        stack = list(self.unit.cursor.get_children())
        while stack:
            cursor = stack.pop()
            kind = cursor.kind
            if kind in FUNCTIONS:
                file, offset, _ = _place(cursor.location)
                if file == self.file and cursor.is_definition():
                    yield offset, cursor
            elif kind in OUTER and _place(cursor.location)[0] == self.file:
                stack.extend(cursor.get_children())

    def macros(self) -> Iterator[tuple[int, str, Any]]:
        for cursor in self.unit.cursor.get_children():
            kind = cursor.kind
            if kind == K.MACRO_INSTANTIATION:
                file, offset, _ = _place(cursor.location)
                if file == self.file and self.spelled(offset, cursor.spelling) and cursor.referenced is not None:
                    yield offset, cursor.spelling, cursor.referenced
            elif kind not in (K.MACRO_DEFINITION, K.INCLUSION_DIRECTIVE):
                return

    def spelled(self, offset: int, name: str) -> bool:
        raw = name.encode()
        return self.data[offset : offset + len(raw)] == raw

    def answer(self, spans: list[tuple[int, int]]) -> list[list[dict[str, Any]] | None]:
        seen: list[dict[tuple[Any, ...], dict[str, Any]] | None] = [None] * len(spans)
        for offset, cursor in self.functions():
            for number, (start, end) in enumerate(spans):
                if start <= offset < end and seen[number] is None:
                    seen[number] = self.references(cursor)
        for offset, name, macro in self.macros():
            for number, (start, end) in enumerate(spans):
                if start <= offset < end and (found := seen[number]) is not None:
                    self.add(found, "macro", name, "", macro, None, offset)
        return [
            None if f is None else sorted(f.values(), key=lambda r: (r["first"], r["kind"], r["name"])) for f in seen
        ]

    def references(self, function: Any) -> dict[tuple[Any, ...], dict[str, Any]]:
        found: dict[tuple[Any, ...], dict[str, Any]] = {}
        parent = function.semantic_parent
        if parent is not None and parent.kind in RECORDS:
            self.note(found, parent, _place(function.location)[1])
        stack = list(function.get_children())
        while stack:
            cursor = stack.pop()
            kind = cursor.kind
            if kind in REFERRING:
                for target in self.targets(cursor):
                    file, offset, _ = _place(cursor.location)
                    if file != self.file:
                        continue
                    if kind == K.CALL_EXPR:
                        if target.kind == K.CONSTRUCTOR:
                            self.note(found, target, offset)
                    elif target.spelling.startswith("operator") or self.spelled(offset, target.spelling):
                        self.note(found, target, offset)
            stack.extend(cursor.get_children())
        return found

    @staticmethod
    def targets(cursor: Any) -> list[Any]:
        if cursor.kind == K.OVERLOADED_DECL_REF:
            count = ci.conf.lib.clang_getNumOverloadedDecls(cursor)
            return [ci.conf.lib.clang_getOverloadedDecl(cursor, n) for n in range(min(count, 4))]
        target = cursor.referenced
        return [] if target is None else [target]

    def note(self, found: dict[tuple[Any, ...], dict[str, Any]], target: Any, offset: int) -> None:
        """Record what a reference stands for: a member its type, an enumerator its enum."""
        kind = target.kind
        if kind in (K.FIELD_DECL, K.ENUM_CONSTANT_DECL):
            target = target.semantic_parent
            while target is not None and target.is_anonymous() and target.semantic_parent.kind in RECORDS:
                target = target.semantic_parent
            if target is None:
                return
            kind = target.kind
        parent = target.semantic_parent
        scope = parent.spelling if parent is not None and parent.kind in RECORDS and not parent.is_anonymous() else ""
        if kind in FUNCTIONS:
            if scope and parent.location == target.location:
                return  # written by the compiler, not by anyone
            self.add(found, "calls", target.spelling, scope, target, target.get_definition(), offset)
        elif kind == K.VAR_DECL and parent is not None and parent.kind in FILE_SCOPE:
            self.add(found, "globals", target.spelling, scope, target, target.get_definition(), offset)
        elif kind in TYPES and (parent is None or parent.kind in FILE_SCOPE):
            self.add(found, "types", target.spelling, scope, target.get_definition() or target, None, offset)

    def add(self, found: dict[tuple[Any, ...], dict[str, Any]], kind: str, name: str, scope: str, target: Any,
            definition: Any, offset: int) -> None:  # fmt: skip
        file, start, line = _place(target.extent.start)
        path = self.inside(file)
        if path is None:
            return
        if "(unnamed" in name or "(anonymous" in name:
            name = ""  # libclang's own name for it holds the folder that the tree was written to
        key = (kind, name, path, start)
        if key in found:
            entry = found[key]
            if offset not in entry["offsets"]:
                entry["offsets"].append(offset)
                entry["first"] = min(entry["first"], offset)
            return
        also = None
        if definition is not None and definition != target:
            file, at, where = _place(definition.extent.start)
            if (there := self.inside(file)) is not None:
                also = [there, at, where]
        found[key] = {
            "kind": kind, "name": name, "scope": scope, "path": path, "start": start, "line": line,
            "end": _place(target.extent.end)[1], "definition": also, "first": offset, "offsets": [offset],
        }  # fmt: skip


def serve() -> None:
    """Answer requests until standard input ends."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT_BYTES, MEMORY_LIMIT_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _declare()
    for line in sys.stdin:
        request = json.loads(line)
        try:
            unit = _Unit(request["root"], request["path"], request["args"])
            missing, errors = unit.diagnostics()
            spans = [(start, end) for start, end in request["spans"]]
            answer: dict[str, Any] = {"functions": unit.answer(spans), "missing": missing, "errors": errors}
        except (ci.LibclangError, ci.TranslationUnitLoadError, OSError, UnicodeDecodeError) as error:
            answer = {"failed": f"{type(error).__name__}: {error}"}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    serve()
