"""Release verification: a family whose paths disagree, or that is not worth asking, is refused by name."""

import re
from fractions import Fraction
from typing import Any

import pytest

from corpora.registers import c_items
from corpora.registers.c_items import CCode
from corpora.registers.families import families
from corpora.registers.family import Family, Question, parameters
from corpora.registers.verify import Drawn, agree, check_c, drawn, verify, verify_release
from warehouse.errors import CorpusError

WORDINGS = tuple(f"Wording {k}: what follows $x?" for k in range(8))
needs_gcc = pytest.mark.skipif(not c_items.available("host"), reason="gcc is not installed")
needs_arm = pytest.mark.skipif(not c_items.available("cortex-m"), reason=f"not installed: {c_items.CORTEX_M_PACKAGES}")


def family(isolate: dict[str, Any] | None = None, **changes: Any) -> Family:
    """Return a family of the successor of x that verifies, with some fields changed."""
    fields: dict[str, Any] = {
        "kind": "integer", "tier": "easy", "draw": lambda draws: {"x": draws.integer(0, 99_999)},
        "answer": lambda p: p["x"] + 1, "second": lambda p: -~p["x"], "wordings": WORDINGS,
        "rationale": lambda p: "One more.",
    }  # fmt: skip
    alone = {**fields, "wordings": tuple(f"{k}: after $x?" for k in range(8)), **(isolate or {})}
    own = {"name": "toy", "domain": "toys", "distractors": ("It has [48|64] pins.", "It draws [3|5] mA."),
           "isolate": Question(**alone)}  # fmt: skip
    return Family(**{**fields, **own, **changes})


def check(one: Family, draws: int = 60) -> Any:
    return verify({one.name: one}, draws, cortex_m=False)


def test_a_family_whose_paths_agree_is_reported() -> None:
    report = check(family())
    assert report.answers == 120
    assert [row.paths for row in report.rows] == [("second",)] * 2
    assert report.texts == 8 + 8 * 2 + 8 * 3 + 8 * 3
    assert str(report).startswith("verified 120 answers of 1 families (second 2 forms)")


def test_one_wrong_draw_refuses_the_release_and_names_both_answers() -> None:
    target = drawn(family(), "base", 60).params[41]
    broken = family(second=lambda p: p["x"] + 1 + (p == target))
    with pytest.raises(CorpusError) as caught:
        check(broken)
    text = str(caught.value)
    assert "Family toy, draw 41" in text
    assert str(target["x"] + 1) in text
    assert str(target["x"] + 2) in text


def test_a_wrong_isolate_form_is_refused_too() -> None:
    with pytest.raises(CorpusError, match=re.escape("Family toy (isolate), draw 0")):
        check(family(isolate={"second": lambda p: p["x"] + 2}))


def test_a_real_family_with_one_bug_is_refused() -> None:
    """The rounding of the fractional divider, done by truncation instead."""
    from dataclasses import replace

    real = families(["uart"])["uart_fractional_divider"]

    def truncated(p: dict[str, Any]) -> int:
        steps = p["clock"] // p["baud"]
        return steps // p["over"] << 4 | steps % p["over"]

    with pytest.raises(CorpusError, match="uart_fractional_divider, draw"):
        check(replace(real, answer=truncated))


@needs_gcc
def test_the_c_path_refuses_a_formula_that_forgets_promotion() -> None:
    """~x of a uint8_t is negative in C; a formula that stays in 8 bits is the classic mistake."""
    draw = lambda draws: {"x": draws.integer(0, 255)}  # noqa: E731
    fields: dict[str, Any] = {
        "draw": draw,
        "second": None,
        "c": lambda p: CCode("uint8_t x = a[0]; return ~x;", (p["x"],)),
    }
    assert check(family(**fields, answer=lambda p: ~p["x"])).rows[0].paths == ("host",)
    with pytest.raises(CorpusError, match="the C path on host gives -"):
        check(family(**fields, answer=lambda p: ~p["x"] & 0xFF))


@needs_gcc
def test_a_choice_is_the_index_that_c_returns() -> None:
    fields: dict[str, Any] = {
        "kind": "choice", "choices": ("even", "odd"), "second": None, "answer": lambda p: ("even", "odd")[p["x"] % 2],
        "distractors": ("It has 48 pins.", "It draws 3 mA."),
    }  # fmt: skip
    assert check(family(**fields, c=lambda p: CCode("return a[0] & 1;", (p["x"],)))).rows[0].distinct_answers == 2
    with pytest.raises(CorpusError, match="choice 7"):
        check(family(**fields, c=lambda p: CCode("return 7;")))


def test_a_family_that_hardly_varies_is_refused() -> None:
    with pytest.raises(CorpusError, match="answers 5 in 60 of 60 draws"):
        check(family(answer=lambda p: 5, second=lambda p: 5))
    few = lambda draws: {"x": draws.integer(0, 9)}  # noqa: E731
    with pytest.raises(CorpusError, match="10 different questions in 60 draws, not 30"):
        check(family(draw=few))


def test_a_parameter_that_is_not_shown_does_not_make_a_question_different() -> None:
    hidden = lambda draws: {"x": draws.integer(0, 9), "salt": draws.integer(0, 10**9)}  # noqa: E731
    with pytest.raises(CorpusError, match="10 different questions"):
        check(family(draw=hidden, show=lambda p: {"x": str(p["x"])}))


def test_a_wording_that_leaves_a_parameter_out_is_refused() -> None:
    with pytest.raises(CorpusError, match=r"Wording 5 of toy \(base\) leaves out x"):
        check(family(wordings=(*WORDINGS[:5], "What follows?", *WORDINGS[6:])))


def test_a_convention_may_carry_a_parameter() -> None:
    bare = tuple(f"Wording {k}: what follows?" for k in range(8))
    assert check(family(wordings=bare, conventions=("It is $x.", "The number is $x."))).answers == 120


def test_texts_that_read_alike_are_refused() -> None:
    same = (*WORDINGS[:4], WORDINGS[0].replace("$x", "${x}"), *WORDINGS[5:])
    with pytest.raises(CorpusError, match="toy/rename/0/4 in the words of toy/base/0/0"):
        check(family(wordings=same))
    with pytest.raises(CorpusError, match="toy/renumber/1/0 in the words of toy/base/0/0"):
        check(family(show=lambda p: {"x": "a number"}))


def test_two_draws_of_the_same_parameters_are_no_fault() -> None:
    twins = lambda draws: {"x": draws.integer(0, 1) and draws.integer(0, 99_999)}  # noqa: E731
    assert parameters(family(draw=twins), "base", 0) == parameters(family(draw=twins), "base", 1)
    assert check(family(draw=twins, answer=lambda p: p["x"] + 7, second=lambda p: p["x"] + 7), 49).answers == 98


def test_a_distractor_that_cannot_avoid_the_answer_is_refused() -> None:
    with pytest.raises(CorpusError, match="No draw"):
        check(family(draw=lambda draws: {"x": draws.integer(0, 99_999)}, answer=lambda p: 48 + p["x"] * 0,
                     second=lambda p: 48, distractors=("It has 48 pins.", "It has 0x30 pins.")))  # fmt: skip


def test_an_answer_of_the_wrong_kind_is_refused() -> None:
    with pytest.raises(CorpusError, match="no integer answer"):
        check(family(answer=lambda p: Fraction(p["x"], 2)))


def test_quantities_agree_to_nine_digits_and_integers_exactly() -> None:
    whole, real = family(), family(kind="quantity", tolerance=0.01)
    assert agree(real, Fraction(1), Fraction(10**10 + 1, 10**10))
    assert not agree(real, Fraction(1), Fraction(10**8 + 1, 10**8))
    assert agree(real, Fraction(0), Fraction(0))
    assert not agree(whole, 10**12, 10**12 + 1)
    assert not agree(whole, 1, True)


@needs_gcc
def test_c_rows_keep_their_order_and_extremes() -> None:
    rows = [CCode("return a[0];", (value,)) for value in (0, -1, 2**63 - 1, -(2**63), 42)]
    assert c_items.run(rows) == [0, -1, 2**63 - 1, -(2**63), 42]
    assert c_items.run([CCode("return 7;")]) == [7]


@needs_gcc
def test_c_names_of_two_functions_do_not_meet() -> None:
    one = CCode("return sizeof(struct @s);", prelude="struct @s { uint8_t a; uint32_t b; };")
    two = CCode("return sizeof(struct @s);", prelude="struct @s { uint8_t a; };")
    assert c_items.run([one, two, one]) == [8, 1, 8]
    assert c_items.program([one, two, one]).count("static int64_t") == 2


@needs_gcc
def test_the_stated_abi_is_the_one_that_compiles() -> None:
    assert c_items.run([CCode("char c = (char)0xFF; return c;")]) == [255]
    assert c_items.run([CCode("return sizeof(enum @e);", prelude="enum @e { @A, @B };")]) == [1]


@needs_gcc
def test_many_rows_run_in_several_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(c_items, "ROWS_A_PROGRAM", 7)
    assert c_items.run([CCode("return a[0] * 2;", (k,)) for k in range(20)]) == [2 * k for k in range(20)]


@needs_gcc
def test_c_that_does_not_compile_is_told() -> None:
    with pytest.raises(CorpusError, match="gcc on 1 C items ended with 1"):
        c_items.run([CCode("return nothing;")])


def test_a_missing_compiler_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(CorpusError, match="install gcc"):
        c_items.run([CCode("return 1;")])
    with pytest.raises(CorpusError, match="qemu-system-arm"):
        c_items.run([CCode("return 1;")], "cortex-m")


@needs_gcc
def test_without_the_arm_tools_the_report_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    real = c_items.available
    monkeypatch.setattr(c_items, "available", lambda target: target == "host" and real(target))
    report = verify(families(["c_layout"]), 10)
    assert report.not_run == (f"the C items on Cortex-M; install {c_items.CORTEX_M_PACKAGES}",)
    assert "not run" in str(report)


@needs_arm
@needs_gcc
def test_pointers_have_four_bytes_on_cortex_m_alone() -> None:
    code = CCode("return sizeof(void *);", cortex_m_only=True)
    assert c_items.run([code], "cortex-m") == [4]
    only = family(answer=lambda p: p["x"] + 4, second=None,
                  c=lambda p: CCode("return a[0] + sizeof(void *);", (p["x"],), cortex_m_only=True))  # fmt: skip
    assert verify({"toy": only}, 20).answers == 40
    with pytest.raises(CorpusError, match="no path that runs here"):
        verify({"toy": only}, 20, cortex_m=False)
    one = Drawn(only, "base", ({"x": 1},), (9,))
    with pytest.raises(CorpusError, match="on cortex-m gives 5"):
        check_c([one], "cortex-m")


@needs_arm
def test_a_fault_on_cortex_m_is_an_error_and_no_answer() -> None:
    with pytest.raises(CorpusError, match="ended with 1"):
        c_items.run(
            [CCode("return *(volatile uint32_t *)0xE0000000u / 1 + *(volatile uint32_t *)0xDFFFFFF1u;")], "cortex-m"
        )


def test_shares_of_a_release_give_one_report() -> None:
    alone = verify_release(["spi", "i2c"], 20)
    shared = verify_release(["spi", "i2c"], 20, workers=2)
    assert shared == alone
