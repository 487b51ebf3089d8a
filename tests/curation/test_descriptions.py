"""Descriptions: never the code, always a source, and a reason where a better one was refused."""

import pytest

from tasks.contract import ContextItem
from tasks.curation.descriptions import CONTEXT_CHARS, clean_comment, describe, from_signature, prompt, refusal

TEXT = """static int ring_push(struct ring *ring, uint8_t value) {
    if (ring->count == RING_SIZE) {
        return -ENOSPC;
    }
    ring->slots[ring->head] = value;
    ring->head = (ring->head + 1) % RING_SIZE;
    ring->count++;
    return 0;
}
"""
COMMENT = "/**\n * @brief Appends one byte to the ring.\n * @return 0, or a negative error when it is full\n */"
FUNCTION = {
    "name": "ring_push",
    "qualified_name": "ring_push",
    "signature": "static int ring_push(struct ring *ring, /* new */ uint8_t value)",
    "path": "src/ring.c",
    "language": "c",
    "text": TEXT,
    "comment": COMMENT,
}
INTENT = "Stores a byte at the end of the ring buffer. Reports an error and changes nothing when the buffer is full."


def said(text):
    return lambda messages: text


def test_a_model_s_text_is_taken_with_its_name():
    result = describe(FUNCTION, ask=said(f"\n{INTENT}\n"), model="local/x")
    assert (result.text, result.source, result.refused) == (INTENT, "model:local/x", None)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "blank"),
        ("```c\nint x;\n```", "code_fence"),
        ("Pushes a byte.\n~~~\nx\n~~~", "code_fence"),
        ("word " * 400, "too_long"),
        ("Pushes bytes", "too_short"),
        ("It sets ring->slots[ ring->head ] = value and moves on.", "target_line"),
        (f"The function is:\n{TEXT}", "target_line"),
        ("It computes the head as `(ring->head + 1)` and so on;\nthen more", "code_like"),
        ("#include <ring.h>\nappends one byte to it", "code_like"),
        (INTENT, None),
        ("Appends to ring and returns -ENOSPC when count reaches RING_SIZE.", None),
    ],
)
def test_what_may_not_describe_a_function(text, reason):
    assert refusal(text, TEXT) == reason


def test_a_refused_text_falls_back_to_the_comment_and_says_why():
    result = describe(FUNCTION, ask=said(f"```c\n{TEXT}```"))
    assert result.source == "comment"
    assert result.text == "Appends one byte to the ring.\nReturns 0, or a negative error when it is full"
    assert result.refused == "model: code_fence"


def test_without_a_usable_comment_the_signature_speaks_and_both_reasons_are_kept():
    result = describe({**FUNCTION, "comment": "/* helper */"}, ask=said(""))
    assert (result.source, result.refused) == ("signature", "model: blank; comment: too_short")
    assert result.text == (
        "Implement the C function `ring_push` (in words: ring push). "
        "Its signature is `static int ring_push(struct ring *ring, uint8_t value)`."
    )


def test_without_a_model_the_comment_is_used_and_without_one_the_signature():
    assert describe(FUNCTION).source == "comment"
    assert describe({**FUNCTION, "comment": None}) == describe({**FUNCTION, "comment": ""})
    assert (describe({**FUNCTION, "comment": None}).source, describe(FUNCTION).refused) == ("signature", None)


@pytest.mark.parametrize(
    ("comment", "reason"),
    [
        ("/* Copyright (c) 2020 Example. All rights reserved. */", "boilerplate"),
        ("// SPDX-License-Identifier: MIT", "boilerplate"),
        ("/* ring->slots[ring->head] = value; */", "target_line"),
        ("// old_push(ring, value);", "code_like"),
        ("/**************/", "blank"),
    ],
)
def test_comments_that_describe_nothing_or_too_much(comment, reason):
    result = describe({**FUNCTION, "comment": comment})
    assert (result.source, result.refused) == ("signature", f"comment: {reason}")


@pytest.mark.parametrize(
    ("comment", "words"),
    [
        ("/* one line */", "one line"),
        ("/// first\n/// second\n//!< third", "first second third"),
        ("/**\r\n * CRLF\r\n */", "CRLF"),
        ("/*****************\n * Boxed text     *\n *****************/", "Boxed text"),
        ("/*\n   No stars,\n   two lines\n\n   a paragraph\n*/", "No stars, two lines\na paragraph"),
        ("//-----------\n// Between rules\n//===========", "Between rules"),
        ("/** @param[in] n the \\p n of\n *   bytes\n *  \\retval 1 on error */",
         "Parameter (in) n the n of bytes\nReturns 1 on error"),
        ("/** @unknown tag */", "unknown tag"),
        ("// mail me@example.com", "mail me@example.com"),
        ("/* 5 * 4 is 20 */", "5 * 4 is 20"),
    ],
)  # fmt: skip
def test_a_comment_as_words(comment, words):
    assert clean_comment(comment) == words


def test_a_signature_in_words():
    method = {"name": "setTargetTemp2", "qualified_name": "heat::Pump::setTargetTemp2", "language": "cpp"}
    assert from_signature({**method, "signature": "void Pump::setTargetTemp2(\n    float t) const "}) == (
        "Implement the C++ function `heat::Pump::setTargetTemp2` (in words: set target temp 2). "
        "Its signature is `void Pump::setTargetTemp2( float t) const`."
    )
    assert (
        from_signature({"name": "GPIO_Init"}) == "Implement the C or C++ function `GPIO_Init` (in words: gpio init)."
    )


def test_the_model_sees_the_function_and_the_context_that_fits():
    items = [
        ContextItem(kind="types", rank=0, name="ring", found_by="index", text="struct ring { int head; };"),
        ContextItem(kind="types", rank=1, name="huge", found_by="index", text="x" * CONTEXT_CHARS),
        ContextItem(kind="globals", rank=0, name="limit", found_by="index", text="extern int limit;"),
    ]
    system, user = prompt(FUNCTION, items)
    assert (system.role, user.role) == ("system", "user")
    assert "no code" in system.content.lower()
    assert TEXT.strip() in user.content
    assert "struct ring { int head; };" in user.content
    assert "extern int limit;" in user.content
    assert "xxx" not in user.content


def test_an_error_of_the_model_is_not_hidden_in_the_release():
    def down(messages):
        raise ConnectionError("down")

    with pytest.raises(ConnectionError):
        describe(FUNCTION, ask=down)
