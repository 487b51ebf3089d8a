"""Identities: a hash of content, the same in every process and on every host. Randomness is drawn from them too."""

import hashlib
import json
from typing import Any


def canonical(value: Any) -> bytes:
    """Return JSON bytes that depend on content alone: sorted keys, no spaces, UTF-8, no NaN."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


def digest(*parts: Any, length: int = 64) -> str:
    """Return the first `length` hex digits (at most 64) of the SHA-256 of the canonical JSON of `parts`."""
    return hashlib.sha256(canonical(parts)).hexdigest()[:length]


def draw(*parts: Any) -> float:
    """Return a number in [0, 1) that is a pure function of `parts`: the project's only source of randomness."""
    return int(digest(*parts, length=13), 16) / 16**13


def pick(count: int, *parts: Any) -> int:
    """Return an index in [0, count) drawn from `parts`; `count` must be positive."""
    return int(digest(*parts, length=15), 16) % count


def sample_id(track: str, content: Any) -> str:
    """Return `<track>:<first 12 hex of the content hash>`."""
    return f"{track}:{digest(content, length=12)}"


def generation_id(sample: str, model: str, config: str, scenario: str, attempt: int, prompt_hash: str,
                  parameters: dict[str, Any]) -> str:  # fmt: skip
    """Return the identity of one reply: the unit key, the prompt and the model parameters."""
    return digest("generation", sample, model, config, scenario, attempt, prompt_hash, parameters, length=24)


def evaluation_id(generation: str, reply_hash: str, grader_version: str, toolchain_digest: str) -> str:
    """Return the identity of one verdict: the reply that was graded, the grader's version and the toolchain."""
    return digest("evaluation", generation, reply_hash, grader_version, toolchain_digest, length=24)
