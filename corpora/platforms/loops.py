"""Endless loops with nothing in them: gcc leaves their block out of `-fsanitize-coverage=trace-pc`, so time would stop.

`while (1) {}` comes out as a jump to itself. The object is asked first, because almost no answer has such a loop: those
that have are compiled to assembly, and the loop gets the call that every other block has.
"""

import re

JUMP_TO_ITSELF = b"\xeb\xfe"
"""`jmp .` on x86-64. Other bytes may look like it, which costs a look at the assembly and nothing else."""
CALL = "\tcall\t__sanitizer_cov_trace_pc@PLT\n"
_NOTHING = r"(?:\s*\.(?:loc|p2align|cfi_\w+)\b[^\n]*\n|\.L\w+:\n|\s*#[^\n]*\n|\s*nop\n)*"
_LOOP = re.compile(rf"^(?P<label>\.L\w+):\n(?P<inside>{_NOTHING})(?P<jump>\s+jmp\s+(?P=label)\n)", re.MULTILINE)


def may_stop_time(compiled: bytes) -> bool:
    """Return whether an object may hold an empty endless loop."""
    return JUMP_TO_ITSELF in compiled


def with_time(assembly: str) -> str:
    """Return the assembly with a call in every empty endless loop."""
    return _LOOP.sub(rf"\g<label>:\n\g<inside>{CALL}\g<jump>", assembly)
