"""CodeBLEU against slow obvious definitions, and one test for each fault of the package that ours mends."""

import math
import os
import subprocess
import sys

import pytest

from tasks.grading.bleu import NgramReference
from tasks.grading.codebleu import CodeBleu, Reference, codebleu
from tasks.grading.keywords import KEYWORDS
from tasks.grading.lexer import lex, tokens
from tasks.grading.syntax import AFTER, BEFORE, SubtreeReference, grammar, parse
from tasks.ids import pick
from warehouse.errors import GradingError

CRC = """
uint16_t crc16(const uint8_t *data, size_t length) {
    uint16_t crc = 0xFFFF;
    for (size_t i = 0; i < length; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++) {
            if (crc & 1) {
                crc = (crc >> 1) ^ 0xA001;
            } else {
                crc >>= 1;
            }
        }
    }
    return crc;
}
"""


def score(reference: str, candidate: str, language="c") -> CodeBleu:
    return codebleu(Reference([reference], language), candidate)


def components(result: CodeBleu) -> list[float]:
    four = (result.ngram, result.weighted_ngram, result.syntax, result.dataflow)
    return [value for value in four if value is not None]


# --- against slow definitions ---------------------------------------------------------------------------------------


def slow_bleu(reference: list[str], candidate: list[str]) -> float:
    """BLEU-4 by counting with lists, orders up to the reference's length, 0.1 for no match."""
    if not set(reference) & set(candidate):
        return 0.0
    product, orders = 1.0, min(4, len(reference))
    for n in range(1, orders + 1):
        left = [tuple(reference[at : at + n]) for at in range(len(reference) - n + 1)]
        grams = [tuple(candidate[at : at + n]) for at in range(len(candidate) - n + 1)]
        hits = 0
        for gram in grams:
            if gram in left:
                left.remove(gram)
                hits += 1
        product *= (hits or 0.1) / max(1, len(grams))
    brevity = 1 if len(candidate) >= len(reference) else math.exp(1 - len(reference) / len(candidate))
    return brevity * product ** (1 / orders)


def slow_weighted(reference: list[str], candidate: list[str], keywords: frozenset[str]) -> float:
    """The same with recall in place of precision, and a keyword among single tokens counted five times."""
    if not set(reference) & set(candidate):
        return 0.0
    product, orders = 1.0, min(4, len(reference))
    for n in range(1, orders + 1):
        left = [tuple(candidate[at : at + n]) for at in range(len(candidate) - n + 1)]
        hits = total = 0
        for gram in [tuple(reference[at : at + n]) for at in range(len(reference) - n + 1)]:
            weight = 5 if n == 1 and gram[0] in keywords else 1
            total += weight
            if gram in left:
                left.remove(gram)
                hits += weight
        product *= (hits or 0.1) / total
    return product ** (1 / orders)


@pytest.mark.parametrize("seed", range(80))
def test_ngrams_against_the_slow_definition(seed):
    words = ["if", "int", "x", "y", "=", ";"]
    a = [words[pick(6, seed, "a", at)] for at in range(1 + pick(14, seed, "la"))]
    b = [words[pick(6, seed, "b", at)] for at in range(1 + pick(14, seed, "lb"))]
    ngram, weighted = NgramReference(a, KEYWORDS["c"]).match(b)
    assert ngram == pytest.approx(slow_bleu(a, b))
    assert weighted == pytest.approx(slow_weighted(a, b, KEYWORDS["c"]))


def slow_subtrees(source: str, language) -> list[str]:
    """Every node with children as its S-expression, and the text as a whole, by recursion over tree-sitter nodes."""
    from tree_sitter import Parser

    text = BEFORE + source + AFTER
    body = Parser(grammar(language)).parse(text.encode()).root_node.children[0].child_by_field_name("body")
    found = []

    def visit(node) -> None:
        found.append(str(node))
        for child in node.children:
            if child.child_count:
                visit(child)

    for child in body.children:
        if child.child_count:
            visit(child)
    return [*found, "whole: " + " ".join(str(child) for child in body.named_children)]


VARIANTS = [
    CRC,
    CRC.replace("crc >>= 1", "crc = crc / 2"),
    CRC.replace("if (crc & 1)", "while (crc)").replace("else", ""),
    "int f(void) { return 0; }",
    "x = a[i]; y = b[j]; g(x, y); g(x, y);",
    "x = a[i];",
]


@pytest.mark.parametrize("language", ["c", "cpp"])
@pytest.mark.parametrize("first", range(len(VARIANTS)))
@pytest.mark.parametrize("second", range(len(VARIANTS)))
def test_subtrees_against_the_slow_definition(first, second, language):
    a, b = lex(VARIANTS[first]).source, lex(VARIANTS[second]).source
    wanted, left = slow_subtrees(a, language), slow_subtrees(b, language)
    hits = 0
    for tree in wanted:
        if tree in left:
            left.remove(tree)
            hits += 1
    assert SubtreeReference(parse(a, language)).match(parse(b, language)) == pytest.approx(hits / len(wanted))


# --- the package's faults, mended -----------------------------------------------------------------------------------


@pytest.mark.parametrize("nothing", ["", " \n\t", "// only a remark\n/* and another */", "/* never closed"])
def test_an_empty_reply_scores_0_in_every_component(nothing):
    result = score(CRC, nothing)
    assert result.score == 0.0
    assert components(result) == [0.0] * 4


def test_a_refusal_scores_next_to_nothing():
    assert score(CRC, "I cannot help with that.").score < 0.01


def test_no_data_flow_matched_is_0_not_1():
    result = score(CRC, "uint16_t crc16(const uint8_t *data, size_t length) { return 0; }")
    assert result.dataflow == 0.0
    assert result.score == pytest.approx(sum(components(result)) / 4)


def test_no_data_flow_in_the_reference_is_none_and_the_mean_is_over_three():
    result = score("void stop(void) { halt(); reset(); }", "void stop(void) { halt(); }")
    assert result.dataflow is None
    assert result.score == pytest.approx((result.ngram + result.weighted_ngram + result.syntax) / 3)
    assert score("void stop(void) { halt(); }", "").dataflow is None
    assert score("void stop(void) { halt(); }", "").score == 0.0


def test_layout_and_comments_do_not_count():
    dense = " ".join(CRC.split()).replace(" (", "(").replace("{ ", "{").replace(" = ", "=").replace("; ", ";")
    airy = CRC.replace("{", "\n{ // open\n").replace("(", "( ").replace("0xFFFF", "/* all ones */ 0xFFFF")
    assert score(CRC, dense) == score(CRC, airy) == CodeBleu(1.0, 1.0, 1.0, 1.0, 1.0)


def test_best_of_several_references_not_their_sum():
    other = "uint16_t crc16(const uint8_t *d, size_t n) { return table_crc(d, n); }"
    both = Reference([other, CRC], "c")
    assert codebleu(both, CRC).score == 1.0
    assert codebleu(both, other).score == 1.0
    near = CRC.replace("0xA001", "0x8408")
    assert codebleu(both, near) == score(CRC, near)


def test_letters_beyond_ascii_shift_nothing():
    plain = 'void f(int a) { puts("u"); int x = a; g(x); }'
    accented = 'void f(int a) { puts("ü日"); int x = a; g(x); }'
    result = score(accented, plain)
    assert (result.syntax, result.dataflow) == (1.0, 1.0)
    assert score(accented, accented).score == 1.0
    assert score("größe = länge + 1; use(größe);", "größe = länge + 2; use(größe);").dataflow == 1.0
    assert 0 < score(plain, "int x = \ud800;").score < 1  # half a surrogate pair, as a broken reply may hold


@pytest.mark.parametrize(
    "text",
    [
        "total = " + " + ".join(f"a{at}" for at in range(1500)) + ";",
        "x = " + "(" * 5000 + "a" + ")" * 5000 + ";",
        "{" * 5000 + "x = a;" + "}" * 5000,
        "x = " + "!" * 5000 + "a;",
        "if (a) x = b; else " * 1000 + "x = c;",
        "while (a) { x = y; " * 200 + "}" * 200,
        "(" * 5000,
    ],
    ids=["sum", "parentheses", "blocks", "negations", "else_if", "loops", "unclosed"],
)
def test_deep_code_is_measured_in_full(text):
    assert score(text, text).score == 1.0
    longer = score(text, text + " q = 1;")
    assert 0.5 < longer.score < 1.0
    assert 0 <= score(CRC, text).score < 0.5


def test_data_flow_of_a_deep_expression_is_not_lost():
    names = [f"a{at}" for at in range(1500)]
    text = "".join(f"int {name} = 1;" for name in names) + "total = " + " + ".join(names) + ";"
    assert Reference([text], "c").parts[0].flow.total == 3000


def test_keyword_lists_are_complete_and_hold_nothing_else():
    c, cpp = KEYWORDS["c"], KEYWORDS["cpp"]
    assert {"inline", "restrict", "_Bool", "_Atomic", "static_assert", "_Generic", "alignas", "typeof"} <= c
    assert {"nullptr", "constexpr", "override", "final", "co_await", "noexcept", "decltype", "thread_local"} <= cpp
    assert not {"cout", "endl", "NULL", "main", "string", "std", "_Packed", "include", "INT_MAX"} & (c | cpp)
    assert "class" not in c
    assert "restrict" not in cpp
    assert (len(c), len(cpp)) == (59, 96)


def test_a_repeated_subtree_is_matched_once_for_each():
    once, twice = "g(x, y);", "g(x, y); g(x, y);"
    assert score(twice, once).syntax == pytest.approx(3 / 7)
    assert score(once, twice).syntax == pytest.approx(3 / 4)


def test_the_same_figures_for_any_hash_seed():
    program = (
        "from tasks.grading.codebleu import Reference, codebleu\n"
        f"print(codebleu(Reference([{CRC!r}], 'c'), {VARIANTS[1]!r}), codebleu(Reference([{CRC!r}], 'c'), 'x = y;'))"
    )
    seen = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            check=True,
        ).stdout
        for seed in range(4)
    }
    assert len(seen) == 1


# --- what must hold -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["x", "i++;", "return;", "return x;", "a", "{}", ";", "}", '"s"', "#endif", "x +", CRC]
)
@pytest.mark.parametrize("language", ["c", "cpp"])
def test_the_reference_scores_exactly_1(text, language):
    result = score(text, text, language)
    assert result.score == 1.0
    assert set(components(result)) == {1.0}


EDITS = {
    "operator": ("crc >> 1", "crc << 1"),
    "constant": ("0xA001", "0xA000"),
    "comparison": ("i < length", "i <= length"),
    "dropped_statement": ("crc ^= data[i];", ""),
    "index": ("data[i]", "data[0]"),
    "type": ("uint16_t crc = ", "uint32_t crc = "),
    "swapped_branches": ("crc = (crc >> 1) ^ 0xA001;\n            } else {\n                crc >>= 1;",
                         "crc >>= 1;\n            } else {\n                crc = (crc >> 1) ^ 0xA001;"),
}  # fmt: skip


@pytest.mark.parametrize("name", EDITS)
def test_every_edit_scores_below_1(name):
    before, after = EDITS[name]
    assert before in CRC
    result = score(CRC, CRC.replace(before, after))
    assert 0.5 < result.score < 1.0


def test_every_lost_doubled_or_moved_token_scores_below_1():
    reference, whole = Reference([CRC], "c"), tokens(CRC)
    for at, token in enumerate(whole):
        swapped = [*whole[:at], *whole[at : at + 2][::-1], *whole[at + 2 :]]
        for other in (whole[:at] + whole[at + 1 :], [*whole[:at], token, *whole[at:]], whole[:at], swapped):
            if other != whole:
                assert 0.0 <= codebleu(reference, " ".join(other)).score < 1.0


def test_a_renamed_call_scores_below_1():
    assert score("void f(int a) { enable(a); }", "void f(int a) { disable(a); }").score < 1.0


def test_statements_in_another_order_score_below_1_though_all_ngrams_match():
    order = "w(0); w(1); w(2); w(3); w(4);"
    swapped = "w(0); w(2); w(1); w(3); w(4);"
    grams = [sorted(zip(*(tokens(text)[at:] for at in range(4)), strict=False)) for text in (order, swapped)]
    assert grams[0] == grams[1]
    assert score(order, swapped).score < 1.0


def test_renaming_locals_keeps_data_flow_and_syntax():
    renamed = CRC.replace("crc16", "CHECK").replace("crc", "sum").replace("bit", "k").replace("data", "in")
    result = score(CRC, renamed)
    assert (result.syntax, result.dataflow) == (1.0, 1.0)
    assert result.ngram < 1.0


def test_more_edits_score_less():
    scores, text = [], CRC
    for before, after in EDITS.values():
        text = text.replace(before, after)
        scores.append(score(CRC, text).score)
    assert scores == sorted(scores, reverse=True)


def test_a_fragment_parses_as_statements():
    fragment = "if (crc & 1) { crc = (crc >> 1) ^ POLY; } else { crc >>= 1; } return crc;"
    assert not parse(lex(fragment).source, "c").has_error
    result = score(fragment, fragment.replace("return", "use"))
    assert result.dataflow is not None
    assert result.syntax > 0.5


def test_a_fragment_and_its_function_share_subtrees():
    body = "int b = a + 1; if (b > 2) { b = 2; } use(b);"
    assert score(body, "void f(int a) { " + body + " }").syntax > 0.9


WHOLE_FILES = [
    ("c", "int f(a, b) int a; char *b; { return a; }"),
    ("c", '#include "x.h"\n#include <y.h>\ntypedef struct { int a; } b;\nstatic int f(void) { return 1; }'),
    ("c", "__attribute__((unused)) int (*f(int a))(void) { return g; }"),
    (
        "cpp",
        "namespace a { class B : C { public: explicit B(int x) : x_(x) {} int f() const override { return x_; } }; }",
    ),
    ("cpp", "template<typename T> T f(T a) { return a; } A::~A() { x(); } A::operator bool() const { return x; }"),
    ("cpp", 'using namespace a; extern "C" { void f() {} } template<class T> concept D = true;'),
]


@pytest.mark.parametrize(("language", "text"), WHOLE_FILES)
def test_what_stands_in_a_file_parses_like_a_fragment(language, text):
    assert not parse(lex(text).source, language).has_error
    assert score(text, text + " int more;", language).syntax > 0.5


def test_a_reference_is_reused():
    reference = Reference([CRC], "c")
    first = [codebleu(reference, text) for text in VARIANTS]
    assert [codebleu(reference, text) for text in VARIANTS] == first
    assert [score(CRC, text) for text in VARIANTS] == first


@pytest.mark.parametrize("texts", [[], [""], [CRC, "// nothing"]])
def test_a_reference_without_code_is_refused(texts):
    with pytest.raises(GradingError):
        Reference(texts, "c")
