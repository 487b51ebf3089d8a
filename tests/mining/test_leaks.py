"""What gives a function away, and that taking it out leaves nothing, for any layout of the copy."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.mining.leaks import MARK, body, leaks, statements, without_leaks

TARGET = """\
static int send_frame(struct bus *bus, const uint8_t *data, size_t length) {
    // prepare
    uint32_t crc = crc32_update(0, data, length);
    for (size_t i = 0; i < length; i++) {
        bus->fifo[i] = data[i];
    }
    if (!bus_wait_idle(bus, TIMEOUT_MS)) {
        return -1;
    }
    bus->registers->crc = crc;
    return 0;
}
"""

SAME = {
    "itself": TARGET,
    "other indentation": re.sub(r"\n +", "\n\t", TARGET),
    "one line": re.sub(r"//[^\n]*|\n", " ", TARGET),
    "other brace style": TARGET.replace(" {", "\n{"),
    "crlf": TARGET.replace("\n", "\r\n"),
    "other name": TARGET.replace("send_frame", "send_frame_v2"),
    "comments between": TARGET.replace("\n", " /* x; y; */\n"),
    "no blanks": re.sub(r" *([=<;,()]) *", r"\1", TARGET.replace("// prepare\n", "")),
    "macro": "#define SEND " + re.sub(r"\n", " \\\\\n", TARGET.replace("// prepare", "")),
    "after #else": "#if A\nint a;\n#else\n" + TARGET + "#endif\n",
    "directive inside": TARGET.replace("    if (", "#ifdef X\n    if (").replace("    bus->r", "#endif\n    bus->r"),
    "two lines of it": "void f(void) {\n    uint32_t crc = crc32_update(0, data, length);\n"
    "    for (size_t i = 0; i < length; i++) {}\n}",
}  # fmt: skip


@pytest.mark.parametrize("text", SAME.values(), ids=SAME.keys())
def test_a_copy_leaks_in_any_layout(text):
    assert leaks(text, TARGET)
    clean = without_leaks(text, TARGET)
    assert not leaks(clean, TARGET)
    assert "crc32_update" not in clean


DIFFERENT = {
    "signature": "static int send_frame(struct bus *bus, const uint8_t *data, size_t length);",
    "class": "class Bus { int send_frame(const uint8_t *data); int crc_; };",
    "one short line": "uint32_t other(void) { bus->registers->crc = crc; return 0; }",
    "a short idiom": "if (!ready(bus)) { return -1; }\nreturn 0;",
    "other order": "bus->registers->crc = crc;\nuint32_t crc = crc32_update(0, data, length);",
    "a line in a comment": "/* uint32_t crc = crc32_update(0, data, length);\n for (size_t i = 0; i < length; i++) */",
    "empty": "",
}


@pytest.mark.parametrize("text", DIFFERENT.values(), ids=DIFFERENT.keys())
def test_what_is_no_copy_stays(text):
    assert not leaks(text, TARGET)
    assert without_leaks(text, TARGET) == (text if text.strip() else "")


def test_a_body_of_one_statement():
    target = "float get() const { return this->raw_ * this->gain_ + this->offset_; }"
    assert leaks("float other() const {\n  return this->raw_ * this->gain_\n      + this->offset_;\n}", target)
    assert not leaks("return this->state_;", "int f() { return this->state_; }")


def test_a_body_of_two_short_statements_is_known_whole():
    target = "void reset() { this->count_ = 0; this->total_ = 0; }"
    assert leaks("this->count_ = 0;\nthis->total_ = 0;", target)
    assert not leaks("this->count_ = 0;", target)


def test_one_long_statement_is_enough():
    row = ", ".join(str(number * 37) for number in range(60))
    target = f"const int *table(void) {{\n    static const int values[] = {{{row}}};\n    return values;\n}}"
    assert leaks(f"int other[] = {{{row}}};", target)


def test_the_body_starts_after_the_signature():
    assert body("int f(int (*g)(int)) { x; }").strip() == "x; }"
    assert body("Foo::Foo(int a) : a_{a} {}") == "a} {}"
    assert body("/* { */ int f() { y; }").strip() == "y; }"
    assert body("a = b; c = d;") == "a = b; c = d;"


def test_statements_know_their_lines():
    found = statements(
        "int first = start();\n\n/* a\n b */\nif (first\n    > LIMIT_OF_IT) {\n  stop_it_now(first);\n}\n"
    )
    assert [(s.text, s.first_line, s.last_line) for s in found] == [
        ("intfirst=start()", 0, 0), ("if(first>LIMIT_OF_IT)", 4, 5), ("stop_it_now(first)", 6, 6),
    ]  # fmt: skip


def test_strings_keep_their_blanks_out_of_comments():
    assert statements('log("http://x; {y}", value);')[0].text == 'log("http://x;{y}",value)'


def test_elision_keeps_the_rest_and_marks_the_place():
    text = "int before;\n" + TARGET + "int after;\n"
    clean = without_leaks(text, TARGET)
    assert clean.startswith("int before;\n")
    assert clean.endswith("int after;\n")
    assert clean.count(MARK) == 1


NAMES = st.sampled_from(["alpha", "beta", "gamma", "delta", "speed", "level", "state", "timer"])
STATEMENTS = st.one_of(
    st.tuples(NAMES, NAMES, st.integers(100, 9999)).map(lambda t: f"{t[0]}_value = {t[1]}_of(bus, {t[2]});"),
    st.tuples(NAMES, st.integers(10, 999)).map(lambda t: f"if ({t[0]}_count > {t[1]}) {{ report_{t[0]}({t[1]}); }}"),
    st.tuples(NAMES, NAMES).map(lambda t: f"for (int i = 0; i < {t[0]}_limit; i++) {{ {t[1]}_buffer[i] = 0; }}"),
    st.sampled_from(["return 0;", "x++;", "break;", "// note", "#ifdef WIDE", "#endif", ""]),
)
BODIES = st.lists(STATEMENTS, min_size=3, max_size=12)
LAYOUTS = st.sampled_from(["\n", "\n    ", "\r\n\t", "\n\n", " /* c */\n"])


@settings(max_examples=150, deadline=None)
@given(BODIES, st.lists(BODIES, min_size=1, max_size=3), LAYOUTS, st.data())
def test_no_copy_survives_in_a_generated_file(target_body, other_bodies, layout, data):
    """A file of functions with the target's statements, or a stretch of them, laid out anew in one of them."""
    target = "int target(struct bus *bus) {\n" + "\n".join(target_body) + "\n}\n"
    start = data.draw(st.integers(0, len(target_body) - 1))
    stretch = target_body[start:]
    host = data.draw(st.integers(0, len(other_bodies) - 1))
    other_bodies[host] = [*other_bodies[host], *stretch, "unrelated_call(bus, 42);"]
    text = "".join(
        f"int other_{number}(struct bus *bus) {{{layout}{layout.join(body)}\n}}\n"
        for number, body in enumerate(other_bodies)
    )
    clean = without_leaks(text, target)
    assert not leaks(clean, target)
    assert without_leaks(clean, target) == clean
    kept = [line for line in clean.split("\n") if line.strip() and MARK not in line]
    lines = iter(text.split("\n"))
    assert all(line in lines for line in kept)
    mine, theirs = slow(target.partition("{")[2]), slow(clean)
    for length, least in ((3, 0), (2, 40), (1, 120)):
        for n in range(len(mine) - length + 1):
            run = mine[n : n + length]
            if len("".join(run)) >= least:
                assert run not in [theirs[m : m + length] for m in range(len(theirs))]


def slow(text: str) -> list[str]:
    """The definition once more, character by character, for texts without strings and continuations."""
    found, now, depth, semicolons, number = [], "", 0, 0, 0
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)
    while number < len(text):
        letter = text[number]
        line = text[text.rfind("\n", 0, number) + 1 : number]
        if letter == "#" and not line.strip():
            found.append(now)
            now = ""
            number = text.find("\n", number) if "\n" in text[number:] else len(text)
            continue
        semicolons += letter == ";" and depth > 0
        if letter in "{}" or (letter == ";" and not (depth and semicolons <= 2)):
            found.append(now)
            now, depth, semicolons = "", 0, 0
        else:
            depth = max(0, depth + (letter == "(") - (letter == ")"))
            now += letter.strip()
        number += 1
    return [s for s in [*found, now] if len(s) >= 10 and not re.fullmatch(r"return\(?[-!]?\w*\)?", s)]
