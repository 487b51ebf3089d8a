"""Data flow against edges written by hand, and reaching definitions against an obvious path enumeration."""

import pytest

from tasks.grading.constructs import vocabulary
from tasks.grading.flow import COMES_FROM, Op, edges, named_edges
from tasks.grading.lexer import lex
from tasks.grading.reader import Reader
from tasks.grading.syntax import parse
from tasks.ids import pick


def flows(text: str, language: str = "c") -> dict[str, int]:
    """`b<-a` is a write of b from a, a bare `a` a read; the number counts the definitions that reach the reads."""
    program = Reader(parse(lex(text).source, language), vocabulary(language)).read()
    return {
        name if relation == COMES_FROM else f"{name}<-{source}": count
        for (name, relation, source), count in named_edges(program).items()
    }


SNIPPETS_C = {
    "initialised_declaration": ("int b = a + 1; use(b);", {"b<-a": 1, "b": 1}),
    "assignment": ("b = a; c = b;", {"b<-a": 1, "b": 1, "c<-b": 1}),
    "several_declarators": ("int x = p, *y = &x; use(*y);", {"x<-p": 1, "x": 1, "y<-x": 1, "y": 1}),
    "uninitialised_declaration_has_no_value": ("int x; use(x);", {}),
    "declaration_hides_what_was_before": ("x = 1; { int x; use(x); }", {}),
    "static_keeps_its_value": ("n = 1; static int n; use(n);", {"n": 1}),
    "update_expression": ("int i = 0; i++;", {"i": 1, "i<-i": 1}),
    "compound_assignment": ("int s = 0; s += v;", {"s": 1, "s<-s": 1, "s<-v": 1}),
    "if_else_joins": ("if (c) x = 1; else x = 2; use(x);", {"x": 2}),
    "if_without_else": ("int x = 0; if (c) x = 1; use(x);", {"x": 2}),
    "return_ends_a_path": ("int x = 0; if (c) { x = 1; return; } use(x);", {"x": 1}),
    "for_carries": (
        "int s = 0; for (int i = 0; i < n; i++) s += i;",
        {"i": 6, "s": 2, "s<-i": 1, "s<-s": 1, "i<-i": 1},
    ),
    "while_carries": ("while (n) { y = x; x = 1; }", {"x": 1, "y<-x": 1}),
    "do_carries": ("do { y = x; x = z; } while (y);", {"x": 1, "y<-x": 1, "x<-z": 1, "y": 1}),
    "break_leaves_with_its_state": ("for (;;) { x = 1; if (c) { x = 2; break; } } use(x);", {"x": 1}),
    "continue_comes_back": ("while (c) { use(x); if (d) { x = 1; continue; } x = 2; }", {"x": 2}),
    "switch_falls_through": ("switch (c) { case 1: x = 1; case 2: use(x); x = 2; break; default: x = 3; } use(x);",
                             {"x": 3}),
    "switch_without_default": ("int x = 0; switch (c) { case 1: x = 1; break; } use(x);", {"x": 2}),
    "goto_forward": ("int x = 0; if (e) goto out; x = 1; out: use(x);", {"x": 2}),
    "pointer_target": ("int *p = q; *p = v; use(p);", {"p<-q": 1, "p": 3, "p<-v": 1, "p<-p": 1}),
    "field_of_object": ("s.f = v; use(s);", {"s<-v": 1, "s": 1}),
    "field_through_pointer": ("p->f = v; use(p->g);", {"p<-v": 1, "p<-p": 1, "p": 1}),
    "array_element": ("a[i] = v; use(a[0]);", {"a<-v": 1, "a<-a": 1, "a<-i": 1, "a": 1}),
    "register_at_an_address": ("*(volatile int *)0x40 = v; *(int *)p = w;", {"p<-w": 1, "p<-p": 1}),
    "call_is_no_variable": ("x = f(a);", {"x<-a": 1}),
    "function_pointer_is_one": ("int f(int (*cb)(int), int a) { return cb(a); }", {"cb": 1, "a": 1}),
    "out_argument": ("int x; read(&x, a); use(x);", {"x<-x": 1, "x<-a": 1, "x": 1}),
    "array_as_out_argument": ("char b[8]; read(a, b); use(b);", {"b<-a": 1, "b<-b": 2, "b": 1}),
    "parameters": ("int f(int a, char *b) { return a + *b; }", {"a": 1, "b": 1}),
    "locals_end_with_their_function": ("void f(void) { x = 1; } void g(void) { use(x); }", {}),
    "designated_initialiser": ("struct s v = { .a = b, [c] = d }; use(v);", {"v<-b": 1, "v<-c": 1, "v<-d": 1, "v": 1}),
    "sizeof_takes_no_value": ("int n = sizeof(a); use(n);", {"n": 1}),
    "asm_operands": ('asm volatile("mov %0, %1" : "=r"(x) : "r"(y)); use(x);', {"x<-y": 1, "x": 1}),
    "conditional_lines": ("#ifdef A\nx = 1;\n#else\nx = 2;\n#endif\nuse(x);", {"x": 2}),
    "cut_off_in_the_middle": ("int f(int a) { int b = a; if (b > 0) { b = a +", {"a": 2, "b<-a": 1, "b": 2}),
}  # fmt: skip

SNIPPETS_CPP = {
    "range_for": ("for (auto &x : v) { s += x; }", {"x<-v": 1, "s": 1, "x": 1, "s<-s": 1, "s<-x": 1}),
    "structured_binding": ("auto [a, b] = f(c); use(a, b);", {"a<-c": 1, "b<-c": 1, "a": 1, "b": 1}),
    "reference": ("int &r = x; use(r);", {"r<-x": 1, "r": 1}),
    "brace_initialiser": ("int x{y}; use(x);", {"x<-y": 1, "x": 1}),
    "constructor_arguments": ("Guard g(lock); use(g);", {"g<-lock": 1, "g": 1}),
    "lambda": (
        "int k = a; auto f = [k, m = k](int q) { return q + m + k; };",
        {"k<-a": 1, "k": 3, "m<-k": 1, "q": 1, "m": 1, "f<-k": 1, "f<-q": 1, "f<-m": 1},
    ),
    "member_through_this": ("this->x_ = a; use(x_);", {"x_<-a": 1, "x_": 1}),
    "member_initialisers": ("Foo::Foo(int a) : a_(a) { use(a_); }", {"a": 1, "a_<-a": 1, "a_": 1}),
    "declaration_in_a_condition": ("if (auto *p = get(q)) { use(p); }", {"p<-q": 1, "p": 1}),
    "init_statement": ("if (int x = f(a); x > 1) use(x);", {"x<-a": 1, "x": 2}),
    "catch": ("int x = 0; try { x = 1; } catch (const E &e) { use(e, x); } use(x);", {"e": 1, "x": 3}),
    "qualified_name": ("x = ns::limit; use(x);", {"x<-ns :: limit": 1, "x": 1}),
    "template_arguments_are_types": ("x = convert<int>(y);", {"x<-y": 1}),
}


@pytest.mark.parametrize("name", SNIPPETS_C)
def test_edges_of_c(name):
    text, expected = SNIPPETS_C[name]
    assert flows(text) == expected


@pytest.mark.parametrize("name", SNIPPETS_C)
def test_edges_of_c_in_cpp(name):
    text, expected = SNIPPETS_C[name]
    assert flows(text, "cpp") == expected


@pytest.mark.parametrize("name", SNIPPETS_CPP)
def test_edges_of_cpp(name):
    text, expected = SNIPPETS_CPP[name]
    assert flows(text, "cpp") == expected


def test_variables_are_numbered_as_their_values_move():
    program = Reader(parse("x = a ; y = x + b ;", "c"), vocabulary("c")).read()
    a, x, y, b = range(4)
    assert dict(edges(program)) == {(x, 1, a): 1, (x, 0, x): 1, (y, 1, x): 1, (y, 1, b): 1}


def test_a_split_declaration_flows_as_one():
    assert flows("int x; x = a; use(x);") == flows("int x = a; use(x);")


NAMES = "abc"


def random_program(seed: int, depth: int = 0) -> list:
    """Statements as nested lists: the same program is printed as C and walked path by path."""
    body = []
    for at in range(1 + pick(3, "length", seed, depth)):
        kind = pick(7 if depth < 2 else 3, "kind", seed, depth, at)
        name = NAMES[pick(3, "name", seed, depth, at)]
        inner = seed * 31 + at + 1
        if kind == 0:
            body.append(("use", name))
        elif kind in (1, 2):
            body.append(("set", name))
        elif kind == 3:
            body.append(("if", random_program(inner, depth + 1), random_program(inner + 7, depth + 1)))
        elif kind == 4:
            body.append(("while", random_program(inner, depth + 1)))
        elif kind == 5:
            body.append(("do", random_program(inner, depth + 1)))
        else:
            body.append(("leave", ("break", "continue", "return")[pick(3, "leave", seed, depth, at)], name))
    return body


def printed(body: list, in_loop: bool = False) -> str:
    text = ""
    for kind, *rest in body:
        if kind == "use":
            text += f"use({rest[0]});"
        elif kind == "set":
            text += f"{rest[0]} = 1;"
        elif kind == "if":
            text += f"if (q) {{ {printed(rest[0], in_loop)} }} else {{ {printed(rest[1], in_loop)} }}"
        elif kind == "while":
            text += f"while (q) {{ {printed(rest[0], True)} }}"
        elif kind == "do":
            text += f"do {{ {printed(rest[0], True)} }} while (q);"
        else:
            way = rest[0] if in_loop or rest[0] == "return" else "return"
            text += f"if (q) {{ {rest[1]} = 2; {way}; }}"
    return text


def every_path(body: list, state: dict, seen: set, path: tuple = (), in_loop: bool = False):
    """Yield (way out, state) of every path with up to three rounds a loop; note each (use, definition) met."""
    if not body:
        yield "next", state
        return
    (kind, *rest), *after = body
    here = (*path, len(body))
    ways: list = []
    if kind == "use":
        seen.update((rest[0], here, definition) for definition in [state.get(rest[0])] if definition)
        ways = [("next", state)]
    elif kind == "set":
        ways = [("next", {**state, rest[0]: here})]
    elif kind == "if":
        for arm, statements in enumerate(rest):
            ways += every_path(statements, state, seen, (*here, arm), in_loop)
    elif kind == "leave":
        way = rest[0] if in_loop or rest[0] == "return" else "return"
        ways = [("next", state), (way, {**state, rest[1]: here})]
    else:
        ways = [("next", state)] if kind == "while" else []
        states = [state]
        for _ in range(3):
            ends = [end for one in states for end in every_path(rest[0], one, seen, here, True)]
            states = []
            for way, end in ends:
                if way == "return":
                    ways.append((way, end))
                elif way == "break":
                    ways.append(("next", end))
                else:
                    states.append(end)
                    ways.append(("next", end))
            states = [dict(items) for items in {tuple(sorted(one.items())) for one in states}]
    unique = {(way, tuple(sorted(end.items()))) for way, end in ways}
    for way, items in unique:
        if way == "next":
            yield from every_path(after, dict(items), seen, path, in_loop)
        else:
            yield way, dict(items)


def test_reaching_definitions_agree_with_every_path():
    compared = 0
    for seed in range(400):
        body = random_program(seed)
        seen: set = set()
        for _ in every_path(body, {}, seen):
            pass
        expected = {name: sum(use == name for use, _, _ in seen) for name in NAMES}
        found = flows(printed(body))
        assert {name: found.get(name, 0) for name in NAMES} == expected, printed(body)
        compared += sum(expected.values())
    assert compared > 200


def test_nested_loops_are_read_once():
    deep = "while (a) { x = y; y = x + z; " * 60 + "}" * 60
    program = Reader(parse(lex(deep).source, "c"), vocabulary("c")).read()
    assert sum(instruction[0] is Op.LOOP for instruction in program) == 60
    assert len(program) < 60 * 12
    assert sum(edges(program).values()) > 0
