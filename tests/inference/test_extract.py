"""The answer in a reply, against a table of replies."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.inference.extract import extract
from tests.inference.replies import REPLIES, F, G


@pytest.mark.parametrize(("kind", "reply", "answer", "rule"), [
    pytest.param(*rest, id=f"{rest[0]}: {name}") for name, *rest in REPLIES
])  # fmt: skip
def test_reply(kind: str, reply: str, answer: str, rule: str) -> None:
    assert extract(reply, kind) == (answer, rule)


def test_the_table_is_as_long_as_promised_and_names_each_case_once() -> None:
    assert len(REPLIES) >= 60
    assert len({(kind, name) for name, kind, *_ in REPLIES}) == len(REPLIES)


@pytest.mark.parametrize("code", [F, G, "return -1;", "    x->y = 0;\n    z(x);"])
@pytest.mark.parametrize("around", [
    "{}", "```c\n{}\n```", "```\n{}", "{}\n```", "~~~~\n{}\n~~~~", "Here is the code:\n\n{}", "<think>no</think>{}",
    "Sure!\n```rust\n{}\n```\nDone.", "<answer>{}</answer>", "> Note: see below.\n\n```c\n{}\n```",
])  # fmt: skip
def test_code_comes_through_every_wrapping_unchanged(code: str, around: str) -> None:
    assert extract(around.format(code), "code")[0] == code


def test_what_was_taken_is_taken_again() -> None:
    for name, kind, _, answer, _ in REPLIES:
        if kind == "code" and answer.count("\n") > 1 and "`" not in answer and not answer.endswith("return a"):
            assert extract(answer, kind)[0] == answer, name


@given(
    st.text(alphabet=st.sampled_from(list("`~c \n;{}()<>/*thinkBEGIN'\"=a")), max_size=200),
    st.sampled_from(["code", "token"]),
)
@settings(max_examples=300, deadline=None)
def test_any_text_is_read_without_an_error_and_nothing_is_made_up(text: str, kind: str) -> None:
    code, rule = extract(text, kind)
    assert rule
    assert (rule == "none") == (code == "")
    assert all(line.strip() in text for line in code.split("\n"))


@pytest.mark.parametrize("kind", ["code", "token"])
@pytest.mark.parametrize("reply", [
    "The function returns the value, and then it goes on " * 2_000, "`" * 50_000, "<think>" * 500 + "x" * 50_000,
    "Word " + "*" * 50_000, "Word " + "a*'" * 20_000, " " * 50_000 + "BEGIN", 
    "```c\n" + " " * 50_000 + "```x\n" + "y;",
    "x; /*" * 10_000, "((((" * 10_000, "'" * 50_000, '"' * 50_001, "a = b;\n" * 10_000, "- " * 30_000, "~" * 50_000,
    "BEGIN\n" * 5_000, "<code>" * 5_000, "the answer is " * 5_000, "return " * 9_000, "case " * 9_000,
], ids=lambda reply: reply[:12].replace("\n", " "))  # fmt: skip
def test_no_reply_takes_time_that_explodes(kind: str, reply: str) -> None:
    with limit(20.0):
        extract(reply, kind)


@contextmanager
def limit(seconds: float) -> Iterator[None]:
    """Fail after far more time than the slowest machine needs: a pattern that backtracks without end never returns."""

    def fail(*arguments: object) -> None:
        raise AssertionError(f"still reading after {seconds} s")

    before = signal.signal(signal.SIGALRM, fail)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_an_unknown_kind_is_an_error() -> None:
    with pytest.raises(ValueError, match="no way to read"):
        extract("x", "poem")
