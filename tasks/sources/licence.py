"""Licences as SPDX expressions: from the tag in a file, else from the project's licence text."""

import re
from dataclasses import dataclass
from pathlib import PurePosixPath

from tasks.sources.model import Source, Tree

HEAD_BYTES = 4096
TAG = re.compile(rb"SPDX-License-Identifier:[ \t]*([^\r\n]*)")
CLOSERS = re.compile(r"(\*/|-->|\*\)|#\}|\"\"\"|''').*$")
TOKEN = re.compile(r"\(|\)|[A-Za-z0-9][A-Za-z0-9.:-]*\+?|\S")
IDENTIFIER = re.compile(r"[A-Za-z0-9][A-Za-z0-9.:-]*\Z")
OPERATORS = frozenset({"AND", "OR", "WITH"})

# Ids that SPDX withdrew because they did not say whether a later version may be chosen.
GNU = re.compile(r"((?:GPL|LGPL|AGPL|GFDL)-\d\.\d)(\+?)\Z")

KNOWN = {
    name.lower(): name
    for name in (
        "0BSD", "AFL-2.1", "AGPL-3.0", "AGPL-3.0-only", "AGPL-3.0-or-later", "Apache-1.1", "Apache-2.0",
        "Artistic-2.0", "BSD-1-Clause", "BSD-2-Clause", "BSD-2-Clause-Patent", "BSD-3-Clause", "BSD-3-Clause-Clear",
        "BSD-4-Clause", "BSL-1.0", "CC0-1.0", "CC-BY-4.0", "CC-BY-SA-4.0", "CDDL-1.0", "CDDL-1.1", "EPL-1.0",
        "EPL-2.0", "EUPL-1.2", "GPL-1.0", "GPL-2.0", "GPL-2.0-only", "GPL-2.0-or-later", "GPL-3.0", "GPL-3.0-only",
        "GPL-3.0-or-later", "ISC", "LGPL-2.0", "LGPL-2.0-only", "LGPL-2.0-or-later", "LGPL-2.1", "LGPL-2.1-only",
        "LGPL-2.1-or-later", "LGPL-3.0", "LGPL-3.0-only", "LGPL-3.0-or-later", "MIT", "MIT-0", "MPL-1.1", "MPL-2.0",
        "NCSA", "OFL-1.1", "OpenSSL", "PSF-2.0", "Unlicense", "W3C", "WTFPL", "X11", "Zlib", "Linux-syscall-note",
        "GCC-exception-3.1", "LLVM-exception", "Classpath-exception-2.0", "eCos-exception-2.0",
    )
}  # fmt: skip


@dataclass(frozen=True)
class Fingerprint:
    """Phrases that tell a licence text: all of `present`, none of `absent`, in lower case words."""

    spdx: str
    present: tuple[str, ...]
    absent: tuple[str, ...] = ()


_MIT_GRANT = "permission is hereby granted free of charge to any person obtaining a copy"
_BSD_GRANT = "redistribution and use in source and binary forms with or without modification"
_ISC_GRANT = "copy modify and or distribute this software for any purpose with or without fee is hereby granted"

FINGERPRINTS = (
    Fingerprint("0BSD", (_ISC_GRANT,), ("provided that the above copyright notice",)),
    Fingerprint("AGPL-3.0-only", ("gnu affero general public license version 3 19 november 2007",)),
    Fingerprint("Apache-2.0", ("apache license version 2 0 january 2004",)),
    Fingerprint("BSD-2-Clause", (_BSD_GRANT,), ("endorse or promote", "advertising materials")),
    Fingerprint("BSD-3-Clause", (_BSD_GRANT, "endorse or promote"), ("advertising materials",)),
    Fingerprint("BSD-4-Clause", (_BSD_GRANT, "all advertising materials mentioning")),
    Fingerprint("BSL-1.0", ("boost software license version 1 0",)),
    Fingerprint("CC0-1.0", ("1 0 universal", "statement of purpose", "waiver")),
    Fingerprint("EPL-1.0", ("eclipse public license v 1 0", "recipient s acceptance of this agreement")),
    Fingerprint("EPL-2.0", ("eclipse public license v 2 0", "recipient s acceptance of this agreement")),
    Fingerprint("GPL-2.0-only", ("gnu general public license version 2 june 1991",)),
    Fingerprint("GPL-3.0-only", ("gnu general public license version 3 29 june 2007",)),
    Fingerprint("ISC", (_ISC_GRANT, "provided that the above copyright notice")),
    Fingerprint("LGPL-2.1-only", ("gnu lesser general public license version 2 1 february 1999",)),
    Fingerprint("LGPL-3.0-only", ("gnu lesser general public license version 3 29 june 2007",)),
    Fingerprint("MIT", (_MIT_GRANT, "the above copyright notice and this permission notice shall be included")),
    Fingerprint("MIT-0", (_MIT_GRANT,), ("this permission notice shall be included",)),
    Fingerprint("MPL-2.0", ("mozilla public license version 2 0", "covered software")),
    Fingerprint("OFL-1.1", ("sil open font license version 1 1",)),
    Fingerprint("Unlicense", ("this is free and unencumbered software released into the public domain",)),
    Fingerprint("WTFPL", ("do what the fuck you want to public license",)),
    Fingerprint("Zlib", ("the origin of this software must not be misrepresented", "altered source versions")),
)

LICENCE_FILE = re.compile(
    r"(?!.*\.(?:c|cc|cpp|go|h|hpp|html|java|js|json|py|rs|sh|svg|ts|xml)\Z)"
    r"(licen[cs]e|copying|unlicen[cs]e)(?P<which>[-_.].+)?\Z",
    re.I,
)
PLAIN = ("", ".md", ".txt", ".rst")
LESSER = (".lesser", ".lib", ".lgpl")


def file_licence(head: bytes) -> str | None:
    """Return the SPDX expression that the first tag in `head` states, normalised; None without a well-formed tag.

    Only the first 4,096 bytes count, so that a tag quoted further down says nothing about the file.
    """
    found = TAG.search(head[:HEAD_BYTES])
    return normalise(found.group(1).decode("utf-8", "replace")) if found else None


def normalise(expression: str) -> str | None:
    """Return an SPDX expression with ids and operators spelt as SPDX spells them; None if it is not well formed.

    `GPL-2.0` and `GPL-2.0+` become `GPL-2.0-only` and `GPL-2.0-or-later` (SPDX specification 2.3, annexes D and E).
    """
    text = CLOSERS.sub("", expression).strip().strip("\"'`;,").strip()
    tokens = [_spell(token) for token in TOKEN.findall(text)]
    depth, wants_operand = 0, True
    for index, token in enumerate(tokens):
        if token == "(" and wants_operand:
            depth += 1
        elif token == ")" and not wants_operand and depth:
            depth -= 1
        elif token in OPERATORS and not wants_operand:
            wants_operand = True
        elif wants_operand and token not in OPERATORS and IDENTIFIER.match(token.removesuffix("+")):
            wants_operand = False
        else:
            return None
        if token == "WITH" and (index + 1 == len(tokens) or tokens[index + 1] == "("):
            return None
    if wants_operand or depth:
        return None
    return " ".join(tokens).replace("( ", "(").replace(" )", ")")


def text_licence(text: bytes) -> str | None:
    """Return the licences whose texts `text` holds, joined by AND, or None when none is recognised.

    A GNU licence text alone does not grant later versions, so it counts as `-only`.
    """
    words = " ".join(re.findall(r"[a-z0-9]+", text.decode("utf-8", "replace").lower()))
    return _join(
        mark.spdx
        for mark in FINGERPRINTS
        if all(phrase in words for phrase in mark.present) and not any(phrase in words for phrase in mark.absent)
    )


def project_licence(tree: Tree, source: Source) -> str | None:
    """Return `source.licence`, else what the licence files say: of the included folders first, then of the root,
    then of a wheel's metadata. A plainly named LICENSE or COPYING decides alone; without one all that are
    recognised are joined by AND. None if no file is recognised.
    """
    if source.licence:
        return source.licence
    candidates: dict[str, dict[str, str]] = {}
    for file in tree.files():
        path = PurePosixPath(file.path)
        if match := LICENCE_FILE.match(path.name):
            candidates.setdefault(_folder(path), {})[file.path] = (match["which"] or "").lower()
    wheel = [folder for folder in sorted(candidates) if re.fullmatch(r"[^/]+\.dist-info(/licen[cs]es)?", folder)]
    for folder in [*(prefix.rstrip("/") for prefix in source.include), "", *wheel]:
        named = candidates.get(folder, {})
        # The GNU lesser licence is a supplement, so COPYING beside COPYING.LESSER is not the project's own licence.
        chosen = next((found for kinds in (LESSER, PLAIN) if (found := _of(named, kinds))), list(named))
        found_here = [file_licence(data) or text_licence(data) for _, data in tree.read_many(sorted(chosen))]
        if licence := _join(expression for expression in found_here if expression):
            return licence
    return None


def _of(named: dict[str, str], kinds: tuple[str, ...]) -> list[str]:
    return [path for path, which in named.items() if which in kinds]


def _folder(path: PurePosixPath) -> str:
    return "" if str(path.parent) == "." else str(path.parent)


def _spell(token: str) -> str:
    if token.upper() in OPERATORS:
        return token.upper()
    name = KNOWN.get(token.removesuffix("+").lower(), token.removesuffix("+")) + token[len(token.removesuffix("+")) :]
    if gnu := GNU.match(name):
        return gnu[1] + ("-or-later" if gnu[2] else "-only")
    return name


def _join(expressions) -> str | None:
    unique = sorted(set(expressions))
    if len(unique) < 2:
        return unique[0] if unique else None
    return " AND ".join(f"({one})" if " OR " in one else one for one in unique)
