"""Seeded bugs and stubs: each differs from the reference, breaks what it targets, and is drawn by the key alone."""

import pytest

from tasks.curation.mutants import (
    BLOCK_STUB,
    block_mutants,
    function_mutants,
    function_stub,
    token_mutants,
    token_stub,
)
from tasks.grading.facts import facts, fragment_facts
from tasks.grading.lexer import tokens

PID = """\
float Pid::step(float wanted, const float &measured, int periods) {
  float error = wanted - measured;
  if (error > limit_ && periods >= 3) {
    error = clamp(error, limit_);
    this->log_.warn(TAG, "clamped", periods);
  }
  sum_ += error * gain_ * 10;
  return sum_;
}"""
GETTER = "int level(void)\n{\n    return level_now;\n}"
ODD = {
    "no parameters": ("void stop(void)\n{\n    motor.on = 0;\n    wait(20);\n}", "c"),
    "no calls": ("int sum(int a, char b)\n{\n    a += b;\n    return a;\n}", "c"),
    "constructor": ("Led::Led(int pin) : pin_(pin) {\n  this->setup_pin(pin);\n}", "cpp"),
    "destructor": ("Led::~Led() {\n  release(this);\n}", "cpp"),
    "conversion": ("Led::operator bool() const {\n  return this->is_on();\n}", "cpp"),
    "comparison": ("bool operator==(const A &a, const B &b) {\n  return a.x == b.x;\n}", "cpp"),
    "template": ("template <typename T> T Buf<T>::take(int n) {\n  return items_.at(n);\n}", "cpp"),
    "old style": ("int f(a, b)\n    int a; char *b;\n{\n    return g(a, b);\n}", "c"),
    "pointer": ("struct ring *find(struct ring *r, int n)\n{\n    while (n--) r = r->next;\n    return r;\n}", "c"),
    "builtin": ("int bits(unsigned v)\n{\n    return 32 - __builtin_clz(v);\n}", "c"),
    "getter": (GETTER, "c"),
}
PREFIX = "void run(struct dev *dev, int n)\n{\n    open(dev);\n    "
SUFFIX = "\n    close(dev);\n}\n"
BLOCKS = {
    "if": "if (n == 0) {\n        n = read(dev, 4);\n    }",
    "run": "dev->a = n;\n    dev->b = n + 1;",
    "call": "reset(dev);",
    "return": "return;",
    "plain": "dev->a = n;",
}


def targets(mutants):
    return {mutant.name: mutant.target for mutant in mutants}


def test_a_function_gets_every_targeted_bug():
    mutants = function_mutants(PID, "cpp", "key")
    assert targets(mutants).items() >= {
        ("invented_call", "known_calls"), ("changed_signature", "signature"), ("broken_syntax", "parses"),
    }  # fmt: skip
    assert len(mutants) == 5
    assert len({tuple(tokens(mutant.text)) for mutant in mutants} | {tuple(tokens(PID))}) == 6


@pytest.mark.parametrize("key", [f"k{n}" for n in range(12)])
def test_each_bug_breaks_what_it_targets_and_nothing_else_of_that_kind(key):
    reference = facts(PID, "cpp", name="step")
    for mutant in function_mutants(PID, "cpp", key):
        seen = facts(mutant.text, "cpp", name="step")
        assert (seen.fault is not None) == (mutant.target == "parses")
        if mutant.target == "signature":
            assert seen.signature != reference.signature
        if mutant.target == "known_calls":
            assert len({call.name for call in seen.calls} - {call.name for call in reference.calls}) == 1
        if mutant.target is None:
            assert seen.signature == reference.signature


def test_slips_of_every_kind_are_drawn():
    names = {mutant.name for n in range(60) for mutant in function_mutants(PID, "cpp", str(n))}
    assert names == {
        "invented_call", "changed_signature", "broken_syntax", "flipped_comparison", "negated_condition", "off_by_one",
        "dropped_statement", "swapped_arguments", "wrong_operator",
    }  # fmt: skip


@pytest.mark.parametrize("shape", ODD)
def test_every_shape_gets_the_three_targeted_bugs_and_a_stub(shape):
    code, language = ODD[shape]
    mutants = function_mutants(code, language, "key")
    assert set(targets(mutants).values()) >= {"known_calls", "signature", "parses"}
    stub = function_stub(code, language)
    seen, reference = facts(stub, language), facts(code, language)
    assert seen.fault is None
    assert not seen.substantive
    assert reference.substantive
    assert seen.signature == reference.signature


def test_an_invented_name_is_in_no_family_of_builtins():
    mutants = function_mutants(ODD["builtin"][0], "c", "key")
    text = next(mutant.text for mutant in mutants if mutant.name == "invented_call")
    assert "builtin_clz_x" in text
    assert "__builtin" not in text


@pytest.mark.parametrize(
    ("code", "language", "body"),
    [
        ("void f(void)\n{\n    g();\n}", "c", "{\n}"),
        ("bool f() { return g(); }", "cpp", "{\n  return false;\n}"),
        ("unsigned long f(int a) { return g(a); }", "c", "{\n  return 0;\n}"),
        ("char *f(int a) { return g(a); }", "c", "{\n  return NULL;\n}"),
        ("Node *f(int a) { return g(a); }", "cpp", "{\n  return nullptr;\n}"),
        ("std::string f(int a) { return g(a); }", "cpp", "{\n  return {};\n}"),
        ("point_t f(int a) { return g(a); }", "c", "{\n  return (point_t){0};\n}"),
        ("A::A(int x) : x_(x) { g(); }", "cpp", "{\n}"),
    ],
)
def test_a_stub_returns_nothing_of_the_right_type(code, language, body):
    stub = function_stub(code, language)
    assert stub == f"{code.split('{')[0].split(' :')[0].rstrip()} {body}\n" or stub.endswith(f" {body}\n")
    assert facts(stub, language).fault is None


@pytest.mark.parametrize("name", BLOCKS)
def test_a_block_gets_bugs_that_hold_in_its_place(name):
    mutants = block_mutants(PREFIX, BLOCKS[name], SUFFIX, "c", "key")
    assert len(mutants) >= 2
    assert {"known_calls", "parses"} <= set(targets(mutants).values())
    for mutant in mutants:
        seen = fragment_facts(mutant.text, "c", prefix=PREFIX, suffix=SUFFIX)
        assert tokens(mutant.text) != tokens(BLOCKS[name])
        assert (seen.fault is not None) == (mutant.target == "parses")


def test_the_block_stub_stands_anywhere_and_does_nothing():
    seen = fragment_facts(BLOCK_STUB, "c", prefix=PREFIX, suffix=SUFFIX)
    assert seen.fault is None
    assert not seen.substantive


@pytest.mark.parametrize(
    ("prefix", "token", "suffix", "same_class"),
    [
        ("int f(int a) { return a + ", "count", "; }", {"a", "f"}),
        ("int f(int a) { int b = 7; return a + ", "12", " + b; }", {"7"}),
        ("int f(int a) { return a ", "<", " 3 || a > 5; }", {"||", ">"}),
        ("void f(void) { g(", '"x"', ', "y"); }', {'"y"'}),
    ],
)
def test_a_wrong_token_is_of_the_same_class(prefix, token, suffix, same_class):
    mutants = token_mutants(prefix, token, suffix, "c", "key")
    assert len(mutants) == 2
    assert all(mutant.text != token and mutant.target == "exact_match" for mutant in mutants)
    assert mutants[0].text in same_class


def test_a_token_stub_is_never_the_answer():
    assert token_stub("value") == "0"
    assert token_stub("0") == "1"


def test_bugs_are_a_pure_function_of_code_and_key():
    assert function_mutants(PID, "cpp", "a") == function_mutants(PID, "cpp", "a")
    assert len({function_mutants(PID, "cpp", str(n)) for n in range(12)}) > 6


def test_carriage_returns_and_umlauts_survive():
    code = PID.replace("clamped", "größer").replace("\n", "\r\n")
    for mutant in function_mutants(code, "cpp", "key"):
        assert mutant.text.count("\r\n") >= code.count("\r\n") - 1
        assert "größer" in mutant.text or mutant.name == "dropped_statement"
