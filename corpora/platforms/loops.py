"""Endless loops with nothing in them: gcc leaves their block out of `-fsanitize-coverage=trace-pc`: time would stop.

`while (1) {}` comes out as a jump to itself. The object is asked first, because almost no answer has such a loop: one
that has is compiled to assembly, and the loop gets the call that every other block has.
"""

import re

JUMPS_TO_THEMSELVES = (b"\xeb\xfe", b"\xfe\xe7")
"""`jmp .` on x86-64, `b .` on Thumb. Other bytes may look like them, which costs a look at the assembly, no more."""
CALLS = {"jmp": "\tcall\t__sanitizer_cov_trace_pc@PLT\n", "b": "\tbl\t__sanitizer_cov_trace_pc\n"}
_NOTHING = r"(?:\s*\.(?:loc|p2align|cfi_\w+)\b[^\n]*\n|\.L\w+:\n|\s*[#@][^\n]*\n|\s*nop\n)*"
_LOOP = re.compile(
    rf"^(?P<label>\.L\w+):\n(?P<inside>{_NOTHING})(?P<jump>\s+(?P<word>jmp|b)\s+(?P=label)\n)", re.MULTILINE
)


def may_stop_time(compiled: bytes) -> bool:
    """Return whether an object may hold an empty endless loop."""
    return any(jump in compiled for jump in JUMPS_TO_THEMSELVES)


def with_time(assembly: str) -> str:
    """Return the assembly with a call in every empty endless loop."""
    return _LOOP.sub(
        lambda found: f"{found['label']}:\n{found['inside']}{CALLS[found['word']]}{found['jump']}", assembly
    )
