"""Blanking keeps lengths and line ends; reducing keeps one branch of every `#if`; spans are sets of bytes."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.mining import blanking, branches, spans

spans_of_bytes = st.lists(
    st.tuples(st.integers(0, 60), st.integers(0, 60)).map(lambda pair: (min(pair), max(pair) + 1)), max_size=6
)


def covered(of: list[tuple[int, int]]) -> set[int]:
    return {byte for start, end in of for byte in range(start, end)}


@given(spans_of_bytes, spans_of_bytes)
def test_span_algebra_is_set_algebra(left, right):
    one, two = spans.union(left), spans.union(right)
    assert covered(one) == covered(left)
    assert covered(spans.intersect(one, two)) == covered(left) & covered(right)
    assert covered(spans.subtract(one, two)) == covered(left) - covered(right)
    assert spans.size(one) == len(covered(left))


@given(spans_of_bytes)
def test_taken_refuses_exactly_what_overlaps(asked):
    taken, bytes_taken = spans.Taken(), set()
    for start, end in asked:
        free = not bytes_taken & set(range(start, end))
        assert taken.overlaps(start, end) is not free
        assert taken.add(start, end) is free
        if free:
            bytes_taken |= set(range(start, end))
        assert all(taken.holds(byte) is (byte in bytes_taken) for byte in range(62))


@given(st.binary(max_size=70), spans_of_bytes)
def test_blanking_keeps_length_and_line_ends(data, given_spans):
    given_spans = [(start, min(end, len(data))) for start, end in given_spans if start < len(data)]
    blanked = blanking.blank(data, given_spans)
    hidden = covered(given_spans)
    assert len(blanked) == len(data)
    assert all(blanked[i] == (data[i] if i not in hidden or data[i] in b"\r\n" else 32) for i in range(len(data)))


@given(st.text("#if01 AB!\nendlsx{}", max_size=120), st.booleans())
@settings(max_examples=200)
def test_reducing_keeps_length_and_lines_whatever_the_text(text, optimistic):
    data = text.encode()
    reduced = branches.reduce(data, optimistic=optimistic, cpp=False)
    assert len(reduced.data) == len(data)
    assert reduced.data.count(b"\n") == data.count(b"\n")
    assert reduced.data == blanking.blank(data, reduced.blanked)


def kept(code: str, **choice: Any) -> list[str]:
    reduced = branches.reduce(code.encode(), **{"optimistic": True, "cpp": False, **choice})
    return reduced.data.decode().split()


def test_the_first_branch_or_the_last_is_kept():
    code = "#if A\na\n#elif B\nb\n#else\nc\n#endif\nd\n"
    assert kept(code) == ["a", "d"]
    assert kept(code, optimistic=False) == ["c", "d"]


def test_zero_one_and_cplusplus_are_what_they_are():
    assert kept("#if 0\na\n#else\nb\n#endif\n#if 1\nc\n#else\nd\n#endif\n") == ["b", "c"]
    assert kept("#ifdef __cplusplus\na\n#endif\nb\n") == ["b"]
    assert kept("#ifdef __cplusplus\na\n#endif\nb\n", cpp=True, optimistic=False) == ["a", "b"]


def test_one_condition_is_answered_the_same_everywhere():
    code = "#ifdef A\na {\n#endif\n#if !defined(A)\nb {\n#endif\n#ifndef A\nc\n#else\nd }\n#endif\n"
    assert kept(code) == ["a", "{", "d", "}"]
    assert kept(code, optimistic=False) == ["b", "{", "c"]


def test_an_include_guard_always_holds():
    code = "#ifndef X_H\n#define X_H\na\n#endif\n"
    assert kept(code, optimistic=False)[-1] == "a"


def test_a_condition_around_most_of_a_file_holds_and_stays():
    code = "#ifdef USE_IT\n#ifdef A\nif (a) {\n#else\nif (b) {\n#endif\n}\n#endif\nx\n"
    whole = [(0, len(code))]
    assert kept(code, where=whole) == ["#ifdef", "USE_IT", "if", "(a)", "{", "}", "#endif", "x"]
    assert kept(code, where=whole, optimistic=False) == ["#ifdef", "USE_IT", "if", "(b)", "{", "}", "#endif", "x"]
    assert kept(code, optimistic=False) == ["x"]


def test_where_the_first_branch_is_doubted_the_last_is_kept():
    code = "#if A\na\n#else\nb\n#endif\n#if A\nc\n#else\nd\n#endif\n"
    second = code.index("c")
    assert kept(code, where=[(0, len(code))], doubted=[(second, second + 1)]) == ["a", "d"]
    assert kept(code, where=[(0, 8)], doubted=[(second, second + 1)])[:1] == ["a"]


def test_nested_branches_of_a_dropped_one_are_dropped():
    assert kept("#if 0\n#if A\na\n#else\nb\n#endif\n#else\nc\n#endif\n") == ["c"]


@pytest.mark.parametrize(
    ("inside", "widened"),
    [
        ("int g(void)\n#endif\n{ return 1; }", "#if A\nint f(void)\n#else\nint g(void)\n#endif\n{ return 1; }"),
        ("{ return 1; }", "{ return 1; }"),
    ],
)
def test_a_span_is_widened_to_whole_conditionals(inside, widened):
    code = b"int z;\n#if A\nint f(void)\n#else\nint g(void)\n#endif\n{ return 1; }\nint y;\n"
    start = code.index(inside.encode())
    left, right = branches.balance(code, start, start + len(inside))
    assert code[left:right].decode() == widened


def test_a_span_is_not_widened_over_another_function():
    code = b"#if A\nint f(void) { return 1; }\nint g(int a) {\n#else\nint g(void) {\n#endif\n return 2; }\n"
    start = code.index(b"int g(int a)")
    assert branches.balance(code, start, len(code) - 1)[0] == start


def test_number_tables_are_blanked_only_in_big_files_of_numbers():
    table = b"const int a[] = {" + b"1, 2, 3, " * 10_000 + b"4};\n"
    blanked = blanking.blank(table, blanking.number_tables(table))
    assert blanked.split() == [b"const", b"int", b"a[]", b"=", b"{", b"4};"]
    code = b"int f(void) { return call(argument, other); }\n" * 2_000
    assert not list(blanking.number_tables(code))
    assert not list(blanking.number_tables(b"1, 2, 3,"))


def test_a_hidden_stretch_leaves_positions_as_they_are() -> None:
    """Rows, columns and bytes behind what the parser steps over are those of the whole file."""
    from tasks.mining import grammar

    table = b"\n    0x00," * 40
    data = b"int before(void) { return 1; }\nconst char table[] = {" + table + b" 1};\n  int after(void) {}\n"
    start = data.index(table)
    hidden = [(start, start + len(table))]
    blank = b"".join((data[:start], table.translate(blanking.SPACES), data[start + len(table) :]))
    seen, whole = grammar.parse("c", data, hidden).root_node, grammar.parse("c", blank).root_node
    assert [(one.type, one.byte_range, one.start_point, one.end_point) for one in seen.children] == [
        (one.type, one.byte_range, one.start_point, one.end_point) for one in whole.children
    ]
