"""Completion points over functions of every awkward shape: the parts rebuild the text, and the hole is a fair one."""

import pytest

from tasks.grading.facts import fragment_facts
from tasks.grading.lexer import tokens
from tasks.mining.completion import MAX_BLOCK_SHARE, MIN_BLOCK_TOKENS, points

LOOP = """\
int sum(const int *values, unsigned count)
{
    int total = 0;
    for (unsigned i = 0; i < count; i++) {
        if (values[i] > LIMIT) {
            total += LIMIT;
            log_clip(values[i]);
        } else {
            total += values[i];
        }
    }
    report(total);
    store(total, count);
    return total;
}"""
SWITCH = """\
static const char *name_of(enum mode mode)
{
    switch (mode) {
    case MODE_A:
        touch(1);
        touch(2);
        return "a";
    case MODE_B: {
        int n = count_b();
        return n > 1 ? "bb" : "b";
    }
    default:
        return "?";
    }
}"""
CONDITIONAL = """\
void start(struct dev *dev)
{
#if defined(FAST) && FAST > 2
    dev->clock = clock_get(3);
    dev->state = 1;
#else
    dev->clock = clock_get(1);
#endif
    dev->count++;
    while (!dev_ready(dev)) {
        sleep_ms(dev->clock * 2);
    }
    dev->state = dev_mode(dev, "long text that nobody knows");
}"""
CPP = """\
void Größe::run(std::vector<int> &all) {
  auto add = [&](int v) { this->sum_ += v; };
  for (auto &one : all) {
    if (one == nullptr_value || this->größe_ < one)
      continue;
    add(one);
  }
  ESP_LOGD(TAG, "größe: %" PRIu32, this->sum_);
  try {
    this->flush();
  } catch (...) {
    this->sum_ = 0;
  }
}"""
SHORT = "int f(int a)\n{\n    int b = a * 2;\n    return b + g(b);\n}"
SHAPES = {
    "loop": (LOOP, "c"),
    "switch": (SWITCH, "c"),
    "conditional": (CONDITIONAL, "c"),
    "cpp": (CPP, "cpp"),
    "short": (SHORT, "c"),
    "crlf": (LOOP.replace("\n", "\r\n"), "c"),
    "tabs": (LOOP.replace("    ", "\t"), "c"),
    "one line": (" ".join(LOOP.split()), "c"),
    "old style": ("int f(a, b)\n  int a, b;\n{\n  if (a > b) {\n    a = g(b + 1);\n  }\n  h(a);\n  return a;\n}", "c"),
    "macro": ("void FAR f(int n)\n{\n    while (n > 0) {\n        n -= step(n);\n    }\n    done(n);\n}", "c"),
}  # fmt: skip
KEYS = [f"key{number}" for number in range(30)]


def drawn(shape, key):
    text, language = SHAPES[shape]
    return points(text, language, key, macros=("FAR",))


@pytest.mark.parametrize("shape", SHAPES)
def test_the_parts_rebuild_the_function_byte_for_byte(shape):
    text, _ = SHAPES[shape]
    for key in KEYS:
        for level, found in drawn(shape, key).items():
            assert 1 <= len(found) <= 2, (level, key)
            for point in found:
                assert point.prefix + point.hidden + point.suffix == text
                assert text.encode()[point.start_byte : point.end_byte] == point.hidden.encode()


@pytest.mark.parametrize("shape", SHAPES)
def test_a_token_is_one_token_and_no_punctuation(shape):
    kinds = set()
    for key in KEYS:
        for point in drawn(shape, key)["token"]:
            assert len(tokens(point.hidden)) == 1
            assert point.hidden not in tuple("{}();,[]:.")
            assert len(point.hidden.encode()) <= 18 or point.kind == "identifier"
            assert "{" in point.prefix, "it stands in the body"
            kinds.add(point.kind)
    assert kinds == {"identifier", "literal", "operator"}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_block_is_a_part_of_the_body_that_does_something(shape):
    text, language = SHAPES[shape]
    for key in KEYS:
        for point in drawn(shape, key)["block"]:
            seen = fragment_facts(
                point.hidden, language, prefix=point.prefix, suffix=point.suffix, macros=("FAR",)
            )  # fmt: skip
            assert seen.fault is None
            assert seen.substantive
            inside = len(tokens(text[text.index("{") + 1 : text.rindex("}")]))
            assert len(tokens(point.hidden)) < inside
            assert point.hidden.count("{") == point.hidden.count("}")
            assert point.hidden.strip() == point.hidden


def test_where_there_is_a_choice_a_block_is_neither_tiny_nor_most_of_the_body():
    inside = len(tokens(LOOP[LOOP.index("{") + 1 : LOOP.rindex("}")]))
    kinds = set()
    for key in KEYS:
        for point in drawn("loop", key)["block"]:
            assert MIN_BLOCK_TOKENS <= len(tokens(point.hidden)) <= MAX_BLOCK_SHARE * inside
            kinds.add(point.kind)
    assert {"run", "if_statement"} <= kinds


def test_nothing_of_a_preprocessor_line_is_hidden():
    for key in KEYS:
        for found in drawn("conditional", key).values():
            for point in found:
                assert "#" not in point.hidden
                line = point.prefix.rpartition("\n")[2]
                assert not line.lstrip().startswith("#")


def test_prose_in_strings_is_not_asked_for():
    hidden = {point.hidden for key in KEYS for point in drawn("conditional", key)["token"]}
    assert '"long text that nobody knows"' not in hidden


def test_two_points_of_a_level_keep_apart():
    for key in KEYS:
        for shape in SHAPES:
            for found in drawn(shape, key).values():
                if len(found) == 2:
                    one, other = sorted(found, key=lambda point: point.start_byte)
                    assert one.end_byte <= other.start_byte


def test_the_draw_depends_on_the_key_alone():
    assert drawn("loop", "a") == drawn("loop", "a")
    assert len({repr(drawn("loop", key)) for key in KEYS}) > 10


def test_what_does_not_parse_has_no_points():
    assert points("int f( { return 1; }", "c", "k") == {"token": [], "block": []}
    assert points("not a function", "c", "k") == {"token": [], "block": []}
