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
