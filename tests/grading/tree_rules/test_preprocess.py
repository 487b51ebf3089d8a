"""What is live code, what macros come to, and that no text makes it run without end."""

import time

import pytest

from tasks.contract import Status
from tasks.grading.tree_rules import Answer, checks
from tasks.grading.tree_rules.condition import evaluate
from tasks.grading.tree_rules.expression import wanted
from tasks.grading.tree_rules.preprocess import TooLarge, preprocess
from tasks.grading.tree_rules.table import Rules


def live(code: str) -> str:
    return " ".join(preprocess(code).text.split())


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("#define A 1\n#undef A\nA", "A"),
        ("#define A B\n#define B A\nA", "A"),
        ("#define F(x) g(x, x)\nF(F(1))", "g ( g ( 1 , 1 ) , g ( 1 , 1 ) )"),
        ("#define F (1)\nF", "( 1 )"),
        ("#define F(x) x\nF", "F"),
        ("#define S(x) #x\nS(a b)", '"a b"'),
        ("#define P(a, b) a##_##b\nP(x, y)", "x_y"),
        ("#define L(f, ...) log(f, ##__VA_ARGS__)\nL(1) L(1, 2)", "log ( 1 ) log ( 1 , 2 )"),
        ('"/* no */" // yes\n\'"\' /* yes\n */ z', '"/* no */" \'"\' z'),
        ("#if defined(A) || !defined B\nx\n#elif 1\ny\n#endif", "x"),
        ("#if 0\n#if 1\na\n#endif\n#else\nb\n#endif", "b"),
        ("#define N 2\n#if N * 3 == 6\nx\n#endif", "x"),
        ("#ifdef __cplusplus\nextern \"C\" {\n#endif\nx", "x"),
        ("#if CONFIG_A > 3\nx\n#else\ny\n#endif", "x"),
        ("#if 1\nx", "x"),
        ("#endif\nx", "x"),
        ("#define M a \\\n b\nM", "a b"),
    ],
)  # fmt: skip
def test_live_code(code: str, expected: str) -> None:
    assert live(code) == expected


def test_lines_stay_where_they_were() -> None:
    text = preprocess("#define A \\\n 1\n/* one\n two */\nint x = A;\n").text
    assert text.split("\n")[4].split() == ["int", "x", "=", "1", ";"]


def test_a_condition_may_be_unknown() -> None:
    def defined(name: str) -> bool | None:
        return {"YES": True, "NO": False}.get(name)

    assert evaluate(["1", "+", "2", "==", "3"], defined) is True
    assert evaluate(["defined", "(", "NO", ")"], defined) is False
    assert evaluate(["MAYBE", "&&", "0"], defined) is False
    assert evaluate(["MAYBE", "||", "1"], defined) is True
    assert evaluate(["MAYBE", "&&", "1"], defined) is None
    assert evaluate(["1", "?", "0", ":", "1"], defined) is False
    assert evaluate(["(", "1"], defined) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("500U", "0x1f4"),
        ("(5 * 100)", "500"),
        ("A | B", "(B | A)"),
        ("A | (B | C)", "C | B | A"),
        ("(uint8_t)7", "7"),
        ("'A'", "65"),
        ("K_MSEC( 5 )", "K_MSEC(5)"),
        ("-1", "~0"),
        ("1.50f", "1.5"),
    ],
)
def test_equal_expressions(one: str, other: str) -> None:
    assert wanted(one) == wanted(other)


@pytest.mark.parametrize(
    ("one", "other"), [("A | B", "A & B"), ("A - B", "B - A"), ("5", "50"), ("A|B", "A"), ("&x", "x")]
)
def test_unequal_expressions(one: str, other: str) -> None:
    assert wanted(one) != wanted(other)


RULES = Rules.model_validate(
    {
        "static": [{"check": "a", "rule": "calls", "call": "f"}, {"check": "b", "rule": "result_used", "call": "f"}],
        "heuristic": [
            {"check": "c", "rule": "released_on_return", "acquire": "f", "release": "g"},
            {"check": "d", "rule": "shared_is_volatile", "isr": {"handler_of": "f", "index": 0}},
            {"check": "e", "rule": "ordered", "first": "f", "then": "g"},
            {"check": "h", "rule": "in_loop", "call": "f"},
            {"check": "i", "rule": "initialises", "field": "f"},
        ],
    }
)
BOMB = "#define A0 x x x x x x x x\n" + "".join(
    f"#define A{n} A{n - 1} A{n - 1} A{n - 1} A{n - 1}\n" for n in range(1, 30)
)
HOSTILE = {
    "brackets": "int main(void) { return " + "(" * 30_000 + ")" * 30_000 + "; }",
    "braces": "int main(void) " + "{" * 30_000 + "}" * 30_000,
    "macros": BOMB + "int main(void) { A29; }",
    "recursive macros": "#define F(x) F(x x)\nint main(void) { F(F(F(1))); }",
    "nested macros": "#define I(x) x\nint main(void) { " + "I(" * 3_000 + "1" + ")" * 3_000 + "; }",
    "conditions": "#if 1\n" * 5_000 + "int x;\n" + "#endif\n" * 5_000,
    "condition": "#if " + "(" * 5_000 + "1\nint x;\n#endif\n",
    "calls": "int main(void) { " + "f();" * 20_000 + "}",
    "functions": "".join(f"int f{n}(void) {{ return f{n + 1}(); }}\n" for n in range(3_000)),
    "branches": "int main(void) { " + "if (x) {" * 1_000 + "f();" + "}" * 1_000 + "}",
    "operators": "int x = " + "1+" * 30_000 + "1;",
    "comment": "/*" * 50_000,
    "quote": '"' * 50_001,
    "nul": "int main(void) { f(); }\0\ufffd\ud800",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_no_text_runs_without_end(name: str) -> None:
    answer, start = Answer(HOSTILE[name]), time.process_time()
    found = checks("static", (*RULES.static, *RULES.heuristic), answer)
    assert len(found) == 7
    assert all(check.status in (Status.PASS, Status.FAIL) for check in found)
    assert time.process_time() - start < 5.0


def test_macros_that_grow_are_refused() -> None:
    with pytest.raises(TooLarge):
        preprocess(HOSTILE["macros"])
