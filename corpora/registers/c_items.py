"""The C path of an answer: fragments of many items in one program, compiled and run on the host and on Cortex-M."""

from dataclasses import dataclass


@dataclass(frozen=True)
class CCode:
    """A fragment that computes one answer.

    Rows with the same `body` and `prelude` share one compiled function, so a body that takes its numbers from `a` is
    compiled once for all draws. Put a number into the text only where its C type matters (an operand, a shift count).

    Args:
        body: statements of `static int64_t f(const int64_t *a)`, ending in a `return`.
        args: the values of `a[0]`, `a[1]`, ...; each fits in int64_t.
        prelude: declarations at file scope. They are emitted once for each function inside a unique scope: spell
            every name that is declared here with the prefix `@`, which becomes unique (`struct @frame {...}`).
        cortex_m_only: the fragment's answer holds on a 32-bit ABI alone (pointers, `long`), so the host skips it.

    The int64_t returned is the answer of an integer question, and the index into `choices` of a choice question.
    """

    body: str
    args: tuple[int, ...] = ()
    prelude: str = ""
    cortex_m_only: bool = False
