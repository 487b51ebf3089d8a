"""The keywords of C and C++, which the weighted n-gram match counts five times."""

from typing import Literal

CodeLanguage = Literal["c", "cpp"]

_SHARED = """
alignas alignof auto bool break case char const constexpr continue default do double else enum extern false float for
goto if inline int long nullptr register return short signed sizeof static static_assert struct switch thread_local
true typedef union unsigned void volatile while
"""

# ISO/IEC 9899:2024 (C23) 6.4.1, with the spellings of C99 and C11 that it keeps as alternatives.
_C = """
restrict typeof typeof_unqual _Alignas _Alignof _Atomic _BitInt _Bool _Complex _Decimal128 _Decimal32 _Decimal64
_Generic _Imaginary _Noreturn _Static_assert _Thread_local
"""

# ISO/IEC 14882:2024 (C++23) [lex.key], [lex.digraph] for the alternative operators, and the four identifiers with
# special meaning of [lex.name] that act as keywords where they stand.
_CPP = """
asm catch char16_t char32_t char8_t class concept const_cast consteval constinit co_await co_return co_yield decltype
delete dynamic_cast explicit export friend mutable namespace new noexcept operator private protected public
reinterpret_cast requires static_cast template this throw try typeid typename using virtual wchar_t
and and_eq bitand bitor compl not not_eq or or_eq xor xor_eq
final import module override
"""

KEYWORDS: dict[str, frozenset[str]] = {
    "c": frozenset((_SHARED + _C).split()),
    "cpp": frozenset((_SHARED + _CPP).split()),
}
