"""The window: whole neighbours, nearest first, and never a byte of the target."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.mining.window import chunks

FILE = b"""\
#include <a.h>

int limit = 3;

/* Starts. */
void start(void) {
    go();

    wait();
}
// the target
int target(void) {
    return limit;
}

// Stops.
void stop(void) {
    halt();
}
int last;
"""


def span(data: bytes, first: bytes, last: bytes = b"}\n") -> tuple[int, int]:
    start = data.index(first)
    return start, data.index(last, start) + len(last.rstrip(b"\n"))


SPANS = [
    span(FILE, b"int limit", b";\n"),
    span(FILE, b"void start"),
    span(FILE, b"void stop"),
    span(FILE, b"int last", b";\n"),
]


def around(data=FILE, target=b"int target", spans=SPANS, reach_lines=100, chunk_lines=40):
    start, end = span(data, target)
    return chunks(data, start, end, [*spans, (start, end)], reach_lines=reach_lines, chunk_lines=chunk_lines)


def test_whole_neighbours_nearest_first():
    assert [(c.side, c.start_line, c.distance, c.data) for c in around()] == [
        ("before", 11, 0, b"// the target\n"),
        ("before", 5, 1, b"/* Starts. */\nvoid start(void) {\n    go();\n\n    wait();\n}\n"),
        ("after", 16, 1, b"// Stops.\nvoid stop(void) {\n    halt();\n}\n"),
        ("after", 20, 5, b"int last;\n"),
        ("before", 3, 8, b"int limit = 3;\n"),
        ("before", 1, 10, b"#include <a.h>\n"),
    ]


def test_lines_are_where_they_are_said_to_be():
    lines = FILE.split(b"\n")
    for chunk in around():
        assert lines[chunk.start_line - 1] == chunk.data.split(b"\n")[0]


def test_reach_ends_each_side():
    assert [(c.side, c.start_line) for c in around(reach_lines=3)] == [("before", 11), ("before", 9), ("after", 16)]


def test_a_long_neighbour_is_cut_from_the_near_end():
    data = b"void big(void) {\n" + b"".join(b"    step(%d);\n" % n for n in range(10)) + b"}\nint target(void) {\n}\n"
    found = around(data, spans=[span(data, b"void big")], chunk_lines=5)
    assert [c.start_line for c in found] == [8, 3, 1]
    assert found[0].data.endswith(b"    step(9);\n}\n")


def test_a_class_around_the_target_is_cut_at_its_members():
    data = b"class A {\n  int one() { return 1; }\n  int target() { return 2; }\n  int three() { return 3; }\n};\n"
    members = [span(data, b"int one"), span(data, b"int three")]
    start, end = data.index(b"int target"), data.index(b" }\n  int three") + 2
    found = chunks(data, start, end, [(0, len(data) - 2), *members], reach_lines=9, chunk_lines=9)
    assert b"return 2" not in b"".join(c.data for c in found)
    assert {b"return 1", b"return 3"} <= {c.data.split(b"{ ")[-1].split(b";")[0] for c in found if b"{ " in c.data}


def test_code_on_the_target_s_own_lines():
    data = b"int a; int target(void) { return 1; } int b;\nint c;\n"
    start, end = data.index(b"int target"), data.index(b"}") + 1
    found = chunks(data, start, end, [], reach_lines=9, chunk_lines=9)
    assert [(c.side, c.start_line, c.data) for c in found] == [
        ("before", 1, b"int a; "), ("after", 1, b" int b;\nint c;\n"),
    ]  # fmt: skip


def test_a_file_that_is_the_target():
    assert chunks(b"int f() { }", 0, 11, [(0, 11)], reach_lines=9, chunk_lines=9) == []


ITEMS = st.lists(
    st.tuples(st.sampled_from(["fn", "var", "note", "blank"]), st.integers(1, 9)), min_size=1, max_size=14
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(ITEMS, st.data(), st.integers(1, 30), st.integers(1, 8))
def test_chunks_are_the_file_without_the_target(items, data, reach, longest):
    """Every line of both sides is in one chunk, in order, unless blank or out of reach; nearer ones come first."""
    text, spans = b"", []
    for number, (kind, size) in enumerate(items):
        start = len(text)
        if kind == "fn":
            text += b"void f%d(void) {\n" % number + b"    x();\n" * size + b"}"
            spans.append((start, len(text)))
            text += b"\n"
        elif kind == "var":
            text += b"int v%d;\n" % number
            spans.append((start, len(text) - 1))
        else:
            text += b"\n" if kind == "blank" else b"// note %d\n" % number
    if not spans:
        return
    start, end = data.draw(st.sampled_from(spans))
    found = chunks(text, start, end, spans, reach_lines=reach, chunk_lines=longest)
    above, below = text[:start].splitlines(True)[-reach:], text[end:].splitlines(True)[:reach]
    for side, whole in (("before", above), ("after", below)):
        mine = sorted((c for c in found if c.side == side), key=lambda c: c.start_line)
        assert [line for c in mine for line in c.data.splitlines(True) if line.strip()] == [
            b for b in whole if b.strip()
        ]
        assert all(c.data.count(b"\n") <= longest for c in mine)
    assert [c.distance for c in found] == sorted(c.distance for c in found)
