"""Parsing as graders do: what a compiler reads in the project is no error, what no compiler reads is one."""

import pytest

from tasks.grading import ctree


@pytest.mark.parametrize(
    ("code", "language"),
    [
        ("int f(int a) { return LIST(a, ); }", "c"),
        ("int f(int a) { CHECK(a, return -1;); return a; }", "c"),
        ('void f(int a) { __ASM volatile ("cpsid i" : : : "memory"); LOG("a " SECRET("b") "c", a); }', "c"),
        ("void f(S *s) { (s->*run)(1); each(&S::put, static_cast<int (S::*)(int)>(&S::put)); }", "cpp"),
    ],
)
def test_what_macros_and_members_disguise_is_no_error(code, language):
    assert not ctree.parse(code.encode(), language).has_error


@pytest.mark.parametrize(
    "code",
    [
        "int f(int a) { return g(a, ); }",
        "int f(int a) { g(a, return -1;); return a; }",
        "int f(int a) { return g(void *, a); }",
        "int f(int a) { return a }",
    ],
)
def test_what_only_a_macro_may_have_is_an_error_of_a_function(code):
    assert ctree.parse(code.encode(), "c").has_error


TORN = b"""int f(int a) {
#ifdef FAST
  if (quick(a)) {
    return 1;
  } else
#endif
  {
    return slow(a);
  }
}
"""


def test_code_that_a_condition_tears_is_read_branch_by_branch():
    assert ctree.parse(TORN, "c").has_error
    first, last = ctree.readings(TORN, "c")
    assert not first.has_error
    assert not last.has_error
    for root in (first, last):
        (function,) = ctree.functions(root)
        assert TORN[function.start_byte : function.end_byte] == TORN.strip()


@pytest.mark.parametrize(
    "broken",
    [
        TORN.replace(b"quick(a)", b"quick(a"),
        TORN.replace(b"slow(a);", b"slow(a)"),
        TORN.replace(b"#endif\n  {", b"#endif\n  ("),
    ],
)
def test_an_error_in_a_branch_stays_an_error(broken):
    (root,) = ctree.readings(broken, "c")
    assert root.has_error


def test_code_without_errors_has_one_reading():
    assert len(ctree.readings(b"int f(void) {\n#if A\n  g();\n#endif\n  return 1; }", "c")) == 1
