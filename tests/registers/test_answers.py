"""Replies and the verdict they must get: a reviewed table, and what the readers promise whatever they are given."""

import tomllib
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpora.registers import numbers
from corpora.registers.answers import Key, judge
from corpora.registers.family import UNITS
from corpora.registers.markup import plain
from corpora.registers.units import OtherDimension, UnknownUnit, scale
from tasks.inference.extract import extract

GROUPS = tomllib.loads((Path(__file__).with_name("data") / "replies.toml").read_text(encoding="utf-8"))["group"]


def key_of(group: dict) -> Key:
    return Key(
        kind=group["kind"], answer=group["answer"], unit=group.get("unit", ""), tolerance=group.get("tolerance", 0.0),
        base=group.get("base", "dec"), choices=tuple(group.get("choices", ())),
        aliases={one: tuple(others) for one, others in group.get("aliases", {}).items()},
    )  # fmt: skip


def cases() -> list:
    rows = []
    for group in GROUPS:
        for kind, verdict in (("right", True), ("wrong", False)):
            texts = [f"Some working: 3 * 7 = 21.\n\nANSWER: {value}" for value in group.get(kind, [])]
            for text in texts + group.get(f"{kind}_replies", []):
                rows.append(pytest.param(group, text, True, verdict, id=f"{group['name']}-{kind}-{text[-40:]!r}"))
        for text in group.get("unanswered", []):
            rows.append(pytest.param(group, text, False, False, id=f"{group['name']}-unanswered-{text[-40:]!r}"))
    return rows


CASES = cases()


@pytest.mark.parametrize(("group", "reply", "answered", "correct"), CASES)
def test_every_reply_of_the_table_gets_its_verdict(group, reply, answered, correct) -> None:
    line, _ = extract(reply, "answer")
    verdict = judge(line, key_of(group))
    assert (verdict.answered, verdict.correct) == (answered, correct), verdict
    assert bool(line) is answered
    assert not verdict.correct or verdict.readable


def test_the_table_is_large_and_has_no_reply_twice() -> None:
    told = [(case.values[0]["name"], case.values[1]) for case in CASES]
    assert len(told) >= 150
    assert len(set(told)) == len(told)


def test_the_line_taken_from_a_reply_is_read_as_the_reply_itself_is() -> None:
    """A built-in solver's reply is graded whole, a model's by its line: both give one verdict."""
    for case in CASES:
        group, reply, *_ = case.values
        if "<think>" in reply:  # taking thoughts out is the extraction's part
            continue
        line, _ = extract(reply, "answer")
        assert judge(reply, key_of(group)) == judge(line, key_of(group)), reply
        assert extract(line, "answer")[0] == line


@pytest.mark.parametrize(
    ("reply", "rule"),
    [
        ("ANSWER: 5", "answer_line"),
        ("ANSWER:\n5", "line_below"),
        ("five", "none"),
        ("<think>so ANSWER: 5", "thought"),
        ("<think>so ANSWER: 5</think> no idea", "none"),
        ("so 4</think>ANSWER: 5", "answer_line"),
    ],
)
def test_the_rule_that_found_the_line_is_told(reply: str, rule: str) -> None:
    assert extract(reply, "answer")[1] == rule


def test_a_notation_that_is_given_outranks_the_base_asked_for() -> None:
    """The rule of the issue: `A6` answers a hexadecimal question and `166` there means 0x166."""
    assert judge("ANSWER: A6", Key("integer", "0xA6", base="hex")).correct
    assert judge("ANSWER: 166", Key("integer", "0x166", base="hex")).correct
    assert not judge("ANSWER: 166", Key("integer", "0xA6", base="hex")).correct
    assert judge("ANSWER: 166", Key("integer", "166", base="dec")).correct
    assert judge("ANSWER: 0xA6", Key("integer", "166", base="dec")).correct


def test_a_trailing_b_is_a_digit_of_a_hexadecimal_question_unless_it_cannot_be() -> None:
    assert numbers.integer("10b", "hex") == (0x10B, False, None)
    assert numbers.integer("10b", "dec") == (2, True, None)
    assert numbers.integer("00000010b", "hex") == (2, True, None)


@given(st.integers(-(2**70), 2**70), st.sampled_from(["dec", "hex", "bin"]))
def test_every_notation_of_an_integer_is_read_back(value: int, base: str) -> None:
    sign, size = "-" * (value < 0), abs(value)
    bare = {"dec": f"{size}", "hex": f"{size:x}", "bin": f"{size:b}"}[base]
    for text in (f"{sign}{size:#x}", f"{sign}{size:#b}", f"{sign}{size:#o}", f"{sign}0{size:X}h", f"{sign}{bare}"):
        found = numbers.integer(text, base)
        assert found is not None, text
        assert found.value == value, text


@given(st.integers(1, 10**12), st.integers(0, 6))
def test_a_decimal_is_read_exactly(value: int, places: int) -> None:
    exact = Fraction(value, 10**places)
    text = f"{value // 10**places:,}.{value % 10**places:0{places}d}" if places else f"{value:,}"
    if places == 0 or value >= 10**places * 1000:
        assert numbers.decimal(text) == (exact, "")
    assert numbers.decimal(f"{value}e-{places} ms") == (exact, "ms")


@given(st.text(max_size=300))
@settings(max_examples=400, deadline=None)
def test_any_text_gets_a_verdict(text: str) -> None:
    for key in (Key("integer", "166"), Key("quantity", "5", "ms", 0.01), Key("choice", "yes", choices=("yes", "no"))):
        verdict = judge(f"ANSWER: {text}", key)
        assert not (verdict.correct and not verdict.answered)
    assert plain(plain(text)) is not None


@pytest.mark.parametrize(
    "text",
    [
        "ANSWER:" * 20_000,
        "answer" * 30_000,
        "ANSWER: " + "(" * 50_000,
        "ANSWER: " + "1," * 40_000,
        "(" * 100_000 + "answer:",
        "ANSWER: " + "9" * 100_000,
        "ANSWER: 9^9^9^9^9 s",
        "ANSWER: 1 s^" + "9" * 200,
        "> " * 50_000 + "ANSWER: 5",
        "ANSWER: " + "\\text{" * 20_000,
        "the " * 50_000 + "answer: 5",
        "ANSWER: 1e999999999",
        "ANSWER: " + "_" * 100_000,
    ],
    ids=lambda text: f"{text[:12]}… {len(text)}",
)
def test_hostile_replies_are_read_at_once(text: str) -> None:
    """Nothing here may backtrack or compute for ever; a minute's hang would be seen as a hang of this test."""
    for key in (Key("integer", "166"), Key("quantity", "7", "s", 0.01), Key("choice", "yes", choices=("yes", "no"))):
        assert not judge(extract(text, "answer")[0], key).correct


def test_every_unit_that_a_family_may_ask_for_is_known() -> None:
    for unit in UNITS:
        assert scale(unit, unit) == (1, 0)


@pytest.mark.parametrize(
    ("spelling", "asked", "factor"),
    [("KHz", "Hz", 1000), ("mhz", "MHz", Fraction(1, 10**9)), ("kBd", "bit/s", 1000), ("KB", "byte", 1000),
     ("KiB", "byte", 1024), ("us", "s", Fraction(1, 10**6)), ("bit", "byte", Fraction(1, 8)), ("", "percent", 100)],
)  # fmt: skip
def test_scales_are_exact(spelling: str, asked: str, factor: Fraction) -> None:
    assert scale(spelling, asked) == (factor, 0)


def test_a_temperature_shifts() -> None:
    assert scale("K", "degC") == (1, Fraction("-273.15"))


@pytest.mark.parametrize(
    "pair", [("Hz", "bit/s"), ("V", "A"), ("S", "s"), ("MS", "ms"), ("dB", "percent"), ("kHz", "ms")]
)
def test_other_dimensions_are_told(pair: tuple[str, str]) -> None:
    with pytest.raises(OtherDimension):
        scale(*pair)


@pytest.mark.parametrize("text", ["furlong", "__import__('os')", "s^99999999", "9**9**9", "m" * 100, "ms;"])
def test_what_is_no_unit_is_told(text: str) -> None:
    with pytest.raises(UnknownUnit):
        scale(text, "s")
