"""A diff that rebuilds both texts, whatever they are, and marks inside a line what the other side has not."""

from hypothesis import given, settings
from hypothesis import strategies as st

from warehouse.exports.diff import MANY, side_by_side

LINES = st.lists(st.sampled_from(["", "}", "int a;", "int b = 1;", "return a + b;", "    x(y);", "é 😀"]), max_size=30)


def text(side):
    return None if side is None else "".join(span.text for span in side)


def sides(pairs):
    left = [text(pair.left) for pair in pairs if pair.left is not None]
    right = [text(pair.right) for pair in pairs if pair.right is not None]
    return left, right


@settings(max_examples=300, deadline=None)
@given(LINES, LINES)
def test_both_texts_come_back_line_by_line_and_in_order(old, new):
    pairs = side_by_side("\n".join(old), "\n".join(new))
    assert sides(pairs) == ("\n".join(old).splitlines(), "\n".join(new).splitlines())
    numbers = (
        [pair.left_line for pair in pairs if pair.left_line],
        [pair.right_line for pair in pairs if pair.right_line],
    )
    assert numbers == tuple(list(range(1, len(side) + 1)) for side in sides(pairs))
    for pair in pairs:
        assert (pair.left is None) == (pair.kind == "added")
        assert (pair.right is None) == (pair.kind == "removed")
        assert (text(pair.left) == text(pair.right)) == (pair.kind == "same")


def test_a_changed_word_is_marked_and_nothing_else():
    (pair,) = side_by_side("    return -ETIMEDOUT;", "    return -1;")
    assert pair.kind == "changed"
    assert [span.text for span in pair.left if span.marked] == ["ETIMEDOUT"]
    assert [span.text for span in pair.right if span.marked] == ["1"]


def test_an_inserted_line_moves_no_other():
    kinds = [pair.kind for pair in side_by_side("a;\nb;\nc;", "a;\nnew_call(with, arguments);\nb;\nc;")]
    assert kinds == ["same", "added", "same", "same"]


def test_a_changed_line_beside_an_added_one_meets_its_likeness():
    pairs = side_by_side("x = read(port);", "prepare_everything();\nx = read(other_port);")
    assert [(pair.kind, pair.left_line, pair.right_line) for pair in pairs] == [("added", None, 1), ("changed", 1, 2)]


def test_empty_texts():
    assert side_by_side("", "") == []
    assert [pair.kind for pair in side_by_side("a\nb", "")] == ["removed", "removed"]
    assert [pair.kind for pair in side_by_side("", "a")] == ["added"]


def test_long_repetitive_texts_and_long_lines_come_back_too():
    old = "x = 1;\n" * (3 * MANY) + "end;"
    new = "x = 1;\n" * (2 * MANY) + "y = 2;\n" * (2 * MANY) + "end;"
    assert sides(side_by_side(old, new)) == (old.splitlines(), new.splitlines())
    wide, other = "a + " * 8000, "b + " * 8000
    assert sides(side_by_side(wide, other)) == ([wide], [other])
