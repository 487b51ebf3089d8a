"""`embedeval.check_utils` as checks see it: each function's name, arguments and kind of answer."""

import re
from collections.abc import Iterator

from embedeval import platform_apis as apis

_LEXEME = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
_FUNCTION = re.compile(r"\b([A-Za-z_]\w*)\s*\(([^;{}()]*(?:\([^;{}()]*\)[^;{}()]*)*)\)\s*\{")
_IF = re.compile(r"\bif\s*\(")
_NO_FUNCTION = {"if", "for", "while", "switch", "else", "do", "return", "sizeof"}
_INTERRUPT = re.compile(r"isr|irq|interrupt|handler", re.IGNORECASE)
_THREAD = re.compile(r"work|thread|task", re.IGNORECASE)
_FAILED = re.compile(
    r"<\s*0|!=\s*0\b|==\s*NULL|!=\s*\w*_OK\b|!=\s*pdTRUE|!=\s*pdPASS|==\s*-\s*\d|\bIS_ERR\w*\s*\(|(?:^|\|\|)\s*!\s*[\w.>-]+\s*(?:$|\|\|)"
    r"|^\s*(?:ret|rc|err|error|res|result|status)\s*$|<=\s*0"
)
"""A stored result is tested. `!device_is_ready(dev)` is a guard before any call, and no such test."""
_NUMBER = re.compile(r"\(*\s*(0[xX][0-9a-fA-F]+|\d+)[uUlL]*\s*\)*\s*$")


def strip_comments(code: str) -> str:
    """Return the code without `//` and `/* */` comments; what looks like one in a string stays."""
    return _LEXEME.sub(lambda found: " " if found[0][0] == "/" else found[0], code)


def _end(code: str, start: int, opening: str, closing: str) -> int:
    """Return the position behind the bracket that closes the one before `start`, or the end of the code."""
    depth = 1
    for found in re.compile(f"[{re.escape(opening + closing)}]").finditer(code, start):
        depth += 1 if found[0] == opening else -1
        if not depth:
            return found.end()
    return len(code)


def _functions(code: str) -> Iterator[tuple[str, str]]:
    for found in _FUNCTION.finditer(code):
        if found[1] not in _NO_FUNCTION:
            yield found[1], code[found.end() : _end(code, found.end(), "{", "}") - 1]


def extract_function_body(code: str, func_name: str) -> str | None:
    """Return what stands between the braces of the function, None if it is not defined."""
    return next((body for name, body in _functions(code) if name == func_name), None)


def find_isr_bodies(code: str) -> list[str]:
    """Return the bodies of the functions whose name says interrupt: isr, irq, interrupt, handler."""
    return [body for name, body in _functions(code) if _INTERRUPT.search(name) and not _THREAD.search(name)]


def check_no_isr_forbidden(code: str) -> list[str]:
    """Return the calls in interrupt handlers that block, allocate or print."""
    bodies = find_isr_bodies(strip_comments(code))
    return [name for name in apis.BLOCKING if any(has_api_call(body, name) for body in bodies)]


def has_api_call(code: str, api_name: str) -> bool:
    """Whether the function is called, in code and not in a comment."""
    return re.search(rf"\b{re.escape(api_name)}\s*\(", strip_comments(code)) is not None


def has_any_api_call(code: str, api_names: list[str]) -> bool:
    """Whether one of the functions is called."""
    return any(has_api_call(code, name) for name in api_names)


def has_word(code: str, word: str) -> bool:
    """Whether the word stands in the code by itself."""
    return re.search(rf"\b{re.escape(word)}\b", strip_comments(code)) is not None


def has_sleep_call(code: str) -> bool:
    """Whether anything sleeps or delays."""
    return re.search(rf"\b{apis.SLEEPS}\s*\(", strip_comments(code)) is not None


def has_output_call(code: str) -> bool:
    """Whether anything is printed or logged."""
    return re.search(rf"\b{apis.OUTPUTS}\s*\(", strip_comments(code)) is not None


def _failures(code: str) -> Iterator[str]:
    """Yield what is done where a condition says that something failed: a block, or one statement."""
    for found in _IF.finditer(code):
        behind = _end(code, found.end(), "(", ")")
        if _FAILED.search(code[found.end() : behind - 1]):
            brace = re.compile(r"\s*\{").match(code, behind)
            if brace:
                yield code[brace.end() : _end(code, brace.end(), "{", "}") - 1]
            else:
                yield code[behind : code.find(";", behind) + 1]


def extract_error_blocks(code: str) -> list[str]:
    """Return what is done in each place that handles a failure."""
    return list(_failures(strip_comments(code)))


def has_error_check(code: str) -> bool:
    """Whether any result is tested for failure."""
    return any(True for _ in _failures(strip_comments(code)))


def check_return_after_error(code: str) -> bool:
    """Whether a failure leaves the function."""
    return any(re.search(r"\b(?:return|goto)\b", block) for block in extract_error_blocks(code))


def resolve_define(code: str, name: str) -> int | None:
    """Return the number that the macro stands for, through other macros, None if it is none."""
    seen: list[str] = []
    while name not in seen:
        seen.append(name)
        found = re.search(rf"^[ \t]*#[ \t]*define[ \t]+{re.escape(name)}[ \t]+([^\n]+)", strip_comments(code), re.M)
        if not found:
            return None
        number = _NUMBER.match(found[1])
        if number:
            return int(number[1], 0) if number[1][:2] in ("0x", "0X") else int(number[1])
        name = found[1].strip().strip("()").strip()
    return None


def extract_numeric(code: str, pattern: str) -> int | None:
    """Return the number, literal or macro, that the first group of the pattern's first match stands for."""
    found = re.search(pattern, strip_comments(code))
    if not found:
        return None
    number = _NUMBER.match(found[1])
    if number:
        return int(number[1], 0) if number[1][:2] in ("0x", "0X") else int(number[1])
    return resolve_define(code, found[1])


def check_qualifier_on_variable(code: str, qualifier: str, variable: str) -> bool:
    """Whether one declaration holds the qualifier and, behind it, a variable whose name matches the pattern."""
    declaration = rf"\b{re.escape(qualifier)}\b[^;{{}}()]*\b\w*(?:{variable})\w*"
    return re.search(declaration, strip_comments(code)) is not None


def check_no_cross_platform_apis(code: str, skip_platforms: list[str] | None = None) -> list[tuple[str, str]]:
    """Return (call, platform) for calls of platforms other than those to skip."""
    text = strip_comments(code)
    return [
        (name, platform)
        for platform, names in apis.FOREIGN.items()
        if platform not in (skip_platforms or ())
        for name in dict.fromkeys(re.findall(rf"\b({names})\s*\(", text))
    ]
