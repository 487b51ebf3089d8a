"""Seeded bugs and stubs made from a reference through its syntax tree, so that a release proves its graders.

Each mutant differs from the reference in its tokens. Those with a target are verified here to break the fact that the
target checks; the others are small semantic slips that only a similarity, or a compiler and a test, can tell.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from tasks.contract import Mutant
from tasks.curation import edits
from tasks.curation.edits import Edit, Piece
from tasks.grading import ctree
from tasks.grading.facts import Facts, facts, fragment_facts
from tasks.ids import pick

MAX_MUTANTS = 5
MAX_TRIES = 16
BLOCK_STUB = ";"

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of bug: how its edits are found, and the check that must fail on it, if any."""

    name: str
    find: Callable[[Piece], Iterator[Edit]]
    target: str | None = None
    whole_function: bool = False


TARGETED: tuple[Kind, ...] = (
    Kind("invented_call", edits.invented_calls, "known_calls"),
    Kind("changed_signature", edits.changed_signatures, "signature", whole_function=True),
    Kind("broken_syntax", edits.broken_syntax, "parses"),
)
SLIPS: tuple[Kind, ...] = (
    Kind("flipped_comparison", edits.flipped_comparisons),
    Kind("negated_condition", edits.negated_conditions),
    Kind("off_by_one", edits.off_by_ones),
    Kind("dropped_statement", edits.dropped_statements),
    Kind("swapped_arguments", edits.swapped_arguments),
    Kind("wrong_operator", edits.wrong_operators),
)


def function_mutants(code: str, language: str, key: str, *, macros: Sequence[str] = ()) -> tuple[Mutant, ...]:
    """Return seeded bugs of a whole function: one of each targeted kind, then slips, at most `MAX_MUTANTS`."""
    return _mutants(Piece.of("", code, "", language, key, macros))


def block_mutants(
    prefix: str, code: str, suffix: str, language: str, key: str, *, macros: Sequence[str] = ()
) -> tuple[Mutant, ...]:
    """Return seeded bugs of a block that stands between `prefix` and `suffix`; each text is the block alone."""
    return _mutants(Piece.of(prefix, code, suffix, language, key, macros))


def token_mutants(
    prefix: str, token: str, suffix: str, language: str, key: str, *, macros: Sequence[str] = ()
) -> tuple[Mutant, ...]:
    """Return two wrong tokens of the reference's own class, taken from the same function where it has others."""
    piece = Piece.of(prefix, token, suffix, language, key, macros)
    wrong = edits.other_tokens(piece)
    return tuple(Mutant(name="wrong_token", text=text, target="exact_match") for text in wrong[:2])


def function_stub(code: str, language: str, *, macros: Sequence[str] = ()) -> str:
    """Return the function with a body that does nothing: it returns zero, an empty value or nothing, by its type."""
    data = code.encode()
    functions = ctree.functions(ctree.readings(data, language, macros)[0])
    return edits.stub(data, functions[0], language) if functions else "{}"


def token_stub(token: str) -> str:
    """Return a token that answers nothing: `0`, or `1` where zero is the answer."""
    return "0" if token.strip() != "0" else "1"


def _mutants(piece: Piece) -> tuple[Mutant, ...]:
    reference = _facts(piece, piece.code)
    seen = {_squashed(piece.code)}
    made: list[Mutant] = []
    for kind in (*TARGETED, *_turned(SLIPS, piece.key)):
        if len(made) == MAX_MUTANTS:
            break
        if kind.whole_function and not piece.whole:
            continue
        for edit in _turned(list(kind.find(piece)), piece.key, kind.name)[:MAX_TRIES]:
            text = piece.apply(edit)
            if text.strip() and _squashed(text) not in seen and _holds(kind, piece, text, reference):
                seen.add(_squashed(text))
                made.append(Mutant(name=kind.name, text=text, target=kind.target))
                break
    return tuple(made)


def _squashed(text: str) -> str:
    return "".join(text.split())


def _holds(kind: Kind, piece: Piece, text: str, reference: Facts) -> bool:
    """Verify that the edit does what its kind says: the targeted fact breaks, a slip still parses."""
    whole = f"{piece.prefix}{text}{piece.suffix}".encode()
    broken = ctree.readings(whole, piece.language, piece.macros)[0].has_error
    if kind.target == "parses" or broken:
        return broken and kind.target == "parses"
    if kind.target == "known_calls":
        return {call.name for call in _facts(piece, text).calls} - {call.name for call in reference.calls} != set()
    if kind.target == "signature":
        seen = _facts(piece, text)
        return seen.functions == 1 and seen.signature != reference.signature
    return True


def _facts(piece: Piece, text: str) -> Facts:
    if piece.whole:
        return facts(text, piece.language, name=piece.name, macros=piece.macros)
    return fragment_facts(text, piece.language, prefix=piece.prefix, suffix=piece.suffix, macros=piece.macros)


def _turned(items: Sequence[T], *parts: str) -> list[T]:
    """Return the items from a place drawn by hash on, those before it last."""
    start = pick(len(items), "mutant", *parts) if items else 0
    return [*items[start:], *items[:start]]
