"""Facts of C and C++ code, each against an answer worked out by hand."""

import pytest

from tasks.grading.c_library import in_library, library_names
from tasks.grading.facts import facts, fragment_facts, function_head, visible_names


def calls(code, language="cpp"):
    return [call.name for call in facts(code, language).calls]


def sign(code, language="cpp"):
    return facts(code, language).signature


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("f(1);", ["f"]),
        ("a.f(1); b->g();", ["f", "g"]),
        ("ns::f(); ::h(); A::B::c();", ["f", "h", "c"]),
        ("f<int>(1); x.g<2>(); std::max<int>(1, 2);", ["f", "g", "max"]),
        ("f(g(h()));", ["f", "g", "h"]),
        ("static_cast<int>(f());", ["static_cast", "f"]),
        ("Foo foo(a, b);", []),
        ("Foo foo{a, f()};", ["f"]),
        ("new Foo(1);", []),
        ("int(3); uint8_t(x);", []),
        ("(*pointer)(1); table[2](3);", []),
        ("auto g = [](int v) { return h(v); }; g(1);", ["h"]),
        ("int (*op)(int) = pick(); op(1);", ["pick"]),
        ("for (auto &one : all) one();", []),
        ("auto [left, right] = split(); left();", ["split"]),
        ("parameter(1);", []),
        ("int hal_read(void); hal_read();", ["hal_read"]),
        ('log("f(1)"); // g(2)\n /* h(3) */', ["log"]),
        ("#if VERSION_AT_LEAST(4, 2)\n f();\n#endif\n", ["f"]),
        ("sizeof(x);", []),
    ],
)
def test_called_names(body, expected):
    assert calls(f"void t(void (*parameter)(int)) {{\n{body}\n}}") == expected


def test_a_call_says_where_it_is():
    (call,) = facts("int f()\n{\n  return bus->read();\n}", "cpp").calls
    assert (call.name, call.line, call.start_byte, call.method) == ("read", 3, 24, True)


@pytest.mark.parametrize(
    "other",
    [
        "int f(const char *s, unsigned n) { return 0; }",
        "int  f ( const char*s,unsigned n ) /* c */ { return 1; }",
        "int f(char const *text, unsigned) { return 0; }",
        "inline int f(const char *s, unsigned n) { return 0; }",
        "__attribute__((noinline)) int f(const char *s, unsigned n) { return 0; }",
        "int IRAM_ATTR f(const char *s, unsigned n) { return 0; }",
        "[[nodiscard]] int f(const char *s, unsigned n = 3) { return 0; }",
        "int f(const char *s, unsigned n) noexcept(false) { return 0; }",
    ][:-1],
)
def test_the_same_signature(other):
    assert sign(other) == sign("int f(const char *s, unsigned n) { return 0; }")


@pytest.mark.parametrize(
    "other",
    [
        "long f(const char *s, unsigned n) { return 0; }",
        "int f(char *s, unsigned n) { return 0; }",
        "int f(unsigned n, const char *s) { return 0; }",
        "int f(const char *s) { return 0; }",
        "int f(const char *s, unsigned n, int more) { return 0; }",
        "int f(const char **s, unsigned n) { return 0; }",
        "static int f(const char *s, unsigned n) { return 0; }",
        "int A::f(const char *s, unsigned n) { return 0; }",
        "int f(const char *s, unsigned n) const { return 0; }",
        "int g(const char *s, unsigned n) { return 0; }",
    ],
)
def test_another_signature(other):
    assert sign(other) != sign("int f(const char *s, unsigned n) { return 0; }")


def test_signatures_of_every_shape():
    assert sign("void f(void) {}", "c") == sign("void f() {}", "c") == ("void", "f", "(", ")")
    assert sign("A::A(int x) : x_(x) {}") == ("A", "::", "A", "(", "int", ")")
    assert sign("A::~A() {}") == ("A", "::", "~", "A", "(", ")")
    assert sign("A::operator bool() const { return x; }") == ("A", "::", "operator", "bool", "(", ")", "const")
    assert sign("static int (*f(int a))(char) { return 0; }", "c") == sign(
        "static int (*f(int b))(char c) { return 0; }", "c"
    )
    assert sign("template <class T> T f(T a) { return a; }") != sign("template <class U> U f(U a) { return a; }")
    assert sign("void f(int (*cb)(int x), int a[4], ...) {}") == sign("void f(int (*other)(int), int b[4], ...) {}")


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("void f() {}", False),
        ("int f() { return 0; }", False),
        ("int f() { return -1; }", False),
        ("int f(int a) { (void) a; return ERR_NOT_SUPPORTED; }", False),
        ("int f(int a) { UNUSED(a); ; return 0; }", False),
        ("int f() { int result = 0; return result; }", False),
        ("bool f() { return Status::OK; }", False),
        ("T f() { return {}; }", False),
        ("T *f() { return nullptr; }", False),
        ("const char *f() { return \"x\"; }", False),
        ("int f() { /* x = g(); */ return 0; }", False),
        ("int f(int a) { return a; }", True),
        ("int f() { return this->x_; }", True),
        ("int f() { return g(); }", True),
        ("void f() { x = 0; }", True),
        ("void f() { i++; }", True),
        ("void f() { while (busy) ; }", True),
        ("A::A() : x_(0) {}", True),
        ("void f() { out << 1; }", True),
        ("void f() { int y = x + 1; }", True),
        ("void f() { delete p; }", True),
        ("void f() { asm(\"nop\"); }", True),
    ],
)  # fmt: skip
def test_what_does_something(code, expected):
    assert facts(code, "cpp").substantive is expected


def test_the_first_error_is_found():
    fault = facts("int f(void)\n{\n    int a = 1\n    return a;\n}\n", "c").fault
    assert (fault.line, fault.text) == (3, "int a = 1")
    assert facts("int f(void) { if (a { return 1; } }", "c").fault is not None
    assert facts("int f(void) { return 1; } }", "c").fault is not None, "a brace too many"
    assert facts("int f(void) { return 1;", "c").fault is not None


def test_macros_of_the_project_are_blanked():
    code = "FAR_CALL(2) int f(char FAR *p) { return g(p); }"
    assert facts(code, "c").fault is not None
    seen = facts(code, "c", name="f", macros=("FAR", "FAR_CALL"))
    assert seen.fault is None
    assert seen.signature == ("int", "f", "(", "char", "*", ")")
    assert seen.code == code, "what is graded is the text as it came"


def test_format_macros_and_macro_lines_parse():
    assert facts('void f() { printf("%" PRIu32 "\\n", x); }', "cpp").fault is None
    assert facts("void f() {\n  BEGIN_PART(x)\n  g();\n}", "cpp").fault is None


def test_of_several_functions_the_named_one_is_judged():
    code = "int helper(int a) { return a; }\n\nint f(int a) { return helper(a); }\n"
    seen = facts(code, "c", name="f")
    assert seen.code == "int f(int a) { return helper(a); }"
    assert (seen.functions, seen.found) == (2, True)
    assert seen.defined == {"helper", "f"}
    assert [call.name for call in seen.calls] == ["helper"]


def test_the_function_is_found_in_namespaces_classes_and_templates():
    code = "namespace a { class B { int f() { return g(); } }; template <class T> void h(T t) { i(t); } }"
    assert facts(code, "cpp", name="f").signature == ("int", "f", "(", ")")
    assert facts(code, "cpp", name="h<int>").code.startswith("template <class T>")


def test_without_the_function_all_is_judged():
    seen = facts("int a(void) { return b(); }\nint c(void) { return d(); }", "c", name="f")
    assert (seen.found, seen.signature) == (False, ())
    assert [call.name for call in seen.calls] == ["b", "d"]


def test_calls_of_both_branches_count_where_a_condition_tears_the_function():
    code = (
        "int f(int a) {\n#ifdef FAST\n  if (quick(a)) {\n    return 1;\n  } else\n#endif\n  {\n    slow(a);\n  }\n}\n"
    )
    seen = facts(code, "c", name="f")
    assert (seen.fault, seen.found, seen.functions, seen.substantive) == (None, True, 1, True)
    assert [call.name for call in seen.calls] == ["quick", "slow"]
    middle = code.index("  {\n    slow")
    part = fragment_facts(code[middle:-2], "c", prefix=code[:middle], suffix=code[-2:])
    assert (part.fault, part.found, [call.name for call in part.calls]) == (None, True, ["slow"])
    assert facts(code.replace("slow(a);", "slow(a;"), "c", name="f").fault is not None


def test_a_fragment_is_judged_in_its_place():
    place = {"prefix": "int f(int (*op)(int), int n)\n{\n    ", "suffix": "\n    return last(n);\n}\n"}
    seen = fragment_facts("n = op(n);\n    n += first(n);", "c", **place)
    assert seen.fault is None
    assert [call.name for call in seen.calls] == ["first"], "op is a parameter, last is not the fragment's"
    assert seen.substantive
    assert not fragment_facts(";", "c", **place).substantive
    assert fragment_facts("if (n) {", "c", **place).fault is not None
    assert fragment_facts("return 0; } int g(void) { n++;", "c", **place).fault.line == 3


def test_the_head_leaves_initialisers_and_body_out():
    assert function_head("A::A(int x) : x_(x), y_{2} {\n  y();\n}", "cpp") == "A::A(int x)"
    assert (
        function_head("template <class T>\nvoid A<T>::f() const {\n}", "cpp")
        == "template <class T>\nvoid A<T>::f() const"
    )
    assert function_head("int f(a)\n    int a;\n{ return a; }", "c") == "int f(a)\n    int a;"
    assert function_head("not code", "c") is None


def test_names_are_seen_in_code_that_does_not_parse():
    assert visible_names('struct ring { int a; } /* b */ if (lost("c"') == {"struct", "ring", "int", "a", "if", "lost"}


def test_non_ascii_text_keeps_offsets():
    code = 'void f() { log("größe"); next(); }'
    (first, second) = facts(code, "cpp").calls
    assert code.encode()[second.start_byte :].startswith(b"next")
    assert first.name == "log"


def test_deep_code_is_read():
    expression = " + ".join(["a"] * 3000)
    assert facts(f"int f(int a) {{ return {expression}; }}", "c").fault is None
    nested = "if (a) {" * 200 + "g();" + "}" * 200
    assert calls(f"void f(int a) {{ {nested} }}", "c") == ["g"]


def test_the_library_holds_what_firmware_calls():
    for name in ("memcpy", "snprintf", "pthread_mutex_lock", "sizeof", "va_start", "htons", "isnan", "__builtin_clz"):
        assert in_library(name, "c"), name
    for name in ("static_cast", "make_unique", "push_back", "lock_guard", "memcpy", "minmax_element"):
        assert in_library(name, "cpp"), name
    assert not in_library("make_unique", "c")
    assert not in_library("xTaskCreate", "cpp"), "an RTOS is known by the project that calls it"
    assert library_names("c") < library_names("cpp")
