"""Names by role, without what the function declares itself."""

import pytest

from tasks.mining.uses import uses


def roles(text: str, language: str = "cpp") -> set[tuple[str, str]]:
    return {(use.role, use.name) for use in uses(text, language)}


def test_roles_in_c():
    found = uses(
        "static int go(cfg_t *cfg, struct bus *bus) {\n"
        "    local_t local = START; uint8_t n = 0;\n"
        "    for (int i = 0; i < LIMIT; i++) { local.x += table[i] + cfg->read(n); }\n"
        "    switch (bus->state) { case BUS_IDLE: goto out; }\n"
        "    start(&local, on_done); n = sizeof(struct frame);\n"
        "out:\n    return n;\n}",
        "c",
    )
    assert [(use.role, use.name) for use in found] == [
        ("type", "cfg_t"), ("type", "bus"), ("type", "local_t"), ("value", "START"), ("value", "LIMIT"),
        ("value", "table"), ("method", "read"), ("value", "BUS_IDLE"), ("call", "start"), ("value", "on_done"),
        ("type", "frame"),
    ]  # fmt: skip


def test_counts_first_and_order():
    found = uses("void f() { b(); a(); b(); }", "c")
    assert [(u.name, u.count, u.first) for u in found] == [("b", 2, 11), ("a", 1, 16)]


def test_scopes_close():
    """A name that is local in one block is another name outside it."""
    assert ("value", "level") in roles("void f() { { int level = 1; use(level); } use(level); }", "c")
    assert ("value", "level") not in roles("void f() { int level = 1; { use(level); } }", "c")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("void f(int a, const B &b) { g(a, b); }", "b"),
        ("void f() { for (auto &[k, v] : items_) { g(k, v); } }", "v"),
        ("void f() { auto g = [](uint8_t q) { return q == 1; }; }", "q"),
        ("void f() { try { g(); } catch (const Error &e) { h(e); } }", "e"),
        ("void f() { if (auto *p = find()) { g(p); } }", "p"),
        ("void f() { int a[3], *p = a, (*cb)(int) = 0; cb(*p); }", "cb"),
        ("void f() { auto g = [n = count()] { return n; }; }", "n"),
    ],
)
def test_what_is_declared_inside_is_no_use(text, name):
    assert name not in {used for _, used in roles(text)}


def test_cpp_scopes_and_receivers():
    found = {
        (use.role, use.name, use.scope)
        for use in uses(
            "void Foo::run() { this->stop(); other.stop(); ns::Kind x = Kind::A; Log::write(std::move(x)); "
            "::open(); }",
            "cpp",
        )
    }
    assert found == {
        ("method", "stop", "this"), ("method", "stop", ""), ("value", "other", ""), ("scope", "ns", ""),
        ("type", "Kind", "ns"), ("scope", "Kind", ""), ("value", "A", "Kind"), ("scope", "Log", ""),
        ("call", "write", "Log"), ("scope", "std", ""), ("call", "move", "std"), ("call", "open", "::"),
    }  # fmt: skip


def test_template_parameters_and_casts_are_no_names_of_the_project():
    found = roles("template<typename T, int N> T f(T::value v) { return static_cast<Other>(v); }")
    assert ("type", "Other") in found
    assert not {name for _, name in found} & {"T", "static_cast"}


def test_conditions_are_macros_and_mark_what_they_guard():
    found = {u.name: u for u in uses("void f() {\n#if defined(WIDE) && DEPTH > 2\n  g();\n#endif\n  h();\n}", "c")}
    assert [found[n].role for n in ("WIDE", "DEPTH", "g", "h")] == ["macro", "macro", "call", "call"]
    assert [found[n].conditional for n in ("g", "h")] == [True, False]


def test_a_name_used_on_both_sides_of_a_condition_is_not_conditional():
    found = uses("void f() {\n#ifdef A\n  g();\n#endif\n  g();\n}", "c")
    assert [(u.name, u.count, u.conditional) for u in found if u.role == "call"] == [("g", 2, False)]


def test_what_calls_stand_around_every_mention():
    found = {u.name: u.within for u in uses("void f() { LOG(TAG, g(level)); use(level); LOG(TAG); h(); }", "c")}
    assert found["TAG"] == {"LOG"}
    assert found["g"] == {"LOG"}
    assert found["level"] == found["h"] == frozenset()


def test_attributes_are_no_names():
    assert roles("[[nodiscard]] __attribute__((noinline)) int f() { return g(); }") == {("call", "g")}


def test_deep_nesting_does_not_overflow():
    text = "int f() { return " + "(" * 5000 + "x" + ")" * 5000 + "; }"
    assert ("value", "x") in roles(text, "c")


def test_text_that_does_not_parse_still_gives_names():
    assert ("call", "start") in roles("TEST(group, name) { start(1); if (", "c")


def test_words_of_the_language_are_no_names_where_the_parser_was_lost():
    found = roles("int f(int *p) { CHECK(p, return -1;); return g(va_arg(p, unsigned int), LIMIT); }", "c")
    assert found == {("call", "CHECK"), ("call", "g"), ("call", "va_arg"), ("value", "LIMIT")}


def test_offsets_are_bytes():
    (use,) = uses('void f() { /* ä */ g("ü"); }', "c")
    assert use.first == len("void f() { /* ä */ ".encode())
