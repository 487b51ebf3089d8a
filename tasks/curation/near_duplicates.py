"""Near-duplicate functions, within and across projects: MinHash over shingles of tokens, then the exact similarity.

Embedded trees copy HALs and kernels wholesale, so one function stands in many projects with a line changed. The
settings are those in use for C++ at this scale: shingles of 5 tokens, Jaccard 0.7, 20 bands of 6 rows. A pair of
similarity 0.7 shares a band with probability 1 - (1 - 0.7^6)^20 = 0.92, a pair of 0.9 all but surely.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from tasks.ids import digest

if TYPE_CHECKING:
    import numpy as np

SHINGLE = 5
SIMILARITY = 0.7
BANDS = 20
ROWS = 6

CHUNK = 4096
"""Shingles hashed at once, so that a data table of a million tokens takes no more memory than a function."""

TOKEN = re.compile(
    rb"""//[^\n]*|/\*.*?(?:\*/|\Z)|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[A-Za-z_]\w*|\.?\d(?:[eEpP][+-]|[\w.'])*|\S""",
    re.DOTALL,
)
COMMENT = (b"//", b"/*")


def mark(functions: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return {function_id: id of the original} for every function that nearly repeats another.

    `functions` are rows of the `functions` table; `function_id` and `text` are needed, `vendored`, `project_id`,
    `path` and `start_byte` say which of two is the original: a project's own code before vendored copies, then in
    order of place. A function is marked with the most similar original before it, and an original is never marked
    itself, so there are no chains. Depends neither on the order of the rows nor on the process.
    """
    words: dict[bytes, int] = {}
    originals: list[tuple[str, np.ndarray]] = []
    bands: list[dict[bytes, list[int]]] = [defaultdict(list) for _ in range(BANDS)]
    marked: dict[str, str] = {}
    for function in sorted(functions, key=_order):
        found = tokens(function["text"])
        if not found:
            continue
        shingles = _shingles(found, words)
        keys = _band_keys(shingles)
        candidates = {other for band, key in zip(bands, keys, strict=True) for other in band.get(key, ())}
        best, original = 0.0, None
        for other in sorted(candidates):
            similarity = jaccard(shingles, originals[other][1])
            if similarity >= SIMILARITY and similarity > best:
                best, original = similarity, originals[other][0]
        if original is not None:
            marked[function["function_id"]] = original
            continue
        for band, key in zip(bands, keys, strict=True):
            band[key].append(len(originals))
        originals.append((function["function_id"], shingles))
    return marked


def tokens(text: str) -> list[bytes]:
    """Return the tokens of C or C++ text without comments and white space; any text has some reading."""
    found = TOKEN.findall(text.encode(errors="replace"))
    return [token for token in found if token[:2] not in COMMENT]


def jaccard(one: "np.ndarray", other: "np.ndarray") -> float:
    """Return |A ∩ B| / |A ∪ B| of two sorted arrays without repeats."""
    import numpy as np

    if min(len(one), len(other)) < SIMILARITY * max(len(one), len(other)):
        return 0.0
    shared = len(np.intersect1d(one, other, assume_unique=True))
    return shared / (len(one) + len(other) - shared)


def _order(function: Mapping[str, Any]) -> tuple[bool, str, str, int, str]:
    return (
        bool(function.get("vendored")),
        function.get("project_id") or "",
        function.get("path") or "",
        function.get("start_byte") or 0,
        function["function_id"],
    )


def _shingles(found: list[bytes], words: dict[bytes, int]) -> "np.ndarray":
    """Return the distinct 64-bit hashes of every run of `SHINGLE` tokens, sorted; of all where there are fewer."""
    import numpy as np

    for token in found:
        if token not in words:
            words[token] = int.from_bytes(blake2b(token, digest_size=8).digest(), "little")
    hashes = np.array([words[token] for token in found], dtype=np.uint64)
    width = min(SHINGLE, len(hashes))
    runs = np.zeros(len(hashes) - width + 1, dtype=np.uint64)
    for place in range(width):
        runs = runs * np.uint64(0x9E3779B97F4A7C15) + hashes[place : place + len(runs)]
    runs ^= runs >> np.uint64(33)
    runs *= np.uint64(0xFF51AFD7ED558CCD)
    runs ^= runs >> np.uint64(33)
    return np.unique(runs)


def _band_keys(shingles: "np.ndarray") -> list[bytes]:
    """Return the bytes of each band of the MinHash signature."""
    import numpy as np

    multipliers, offsets = _permutations()
    signature = np.full(BANDS * ROWS, np.iinfo(np.uint64).max, dtype=np.uint64)
    for start in range(0, len(shingles), CHUNK):
        hashed = multipliers[:, None] * shingles[start : start + CHUNK] + offsets[:, None]
        np.minimum(signature, hashed.min(axis=1), out=signature)
    return [row.tobytes() for row in signature.reshape(BANDS, ROWS)]


@cache
def _permutations() -> "tuple[np.ndarray, np.ndarray]":
    import numpy as np

    count = BANDS * ROWS
    multipliers = [int(digest("minhash multiplier", row, length=16), 16) | 1 for row in range(count)]
    offsets = [int(digest("minhash offset", row, length=16), 16) for row in range(count)]
    return np.array(multipliers, dtype=np.uint64), np.array(offsets, dtype=np.uint64)
