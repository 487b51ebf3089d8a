"""Every family: both paths agree, counts are kept, and known answers from manuals come out."""

from fractions import Fraction
from typing import Any

import pytest

from corpora.registers import c_items
from corpora.registers.families import MODULES, c_layout, c_source, families
from corpora.registers.family import VARIANTS, Family, item
from corpora.registers.verify import FORMS, check_c, drawn, verify, verify_release

CORE = MODULES[: MODULES.index("clocks")]
FOUND = families(CORE)
DOMAINS = {"i2c", "spi", "uart", "adc", "timers", "gpio", "bit_fields", "scheduling", "qnx", "c_source"}
needs_gcc = pytest.mark.skipif(not c_items.available("host"), reason="gcc is not installed")


@needs_gcc
def test_both_paths_agree_on_fifty_draws_of_every_family() -> None:
    report = verify(FOUND, 50, cortex_m=False)
    assert report.answers == 100 * len(FOUND)
    assert all(row.paths for row in report.rows)


@pytest.mark.slow
@needs_gcc
def test_all_paths_agree_on_a_thousand_draws_of_every_family() -> None:
    report = verify_release(MODULES, 1000, workers=2)
    assert report.answers == 2000 * len(families())
    assert len(families()) >= 40


@pytest.mark.slow
@needs_gcc
def test_no_c_item_rests_on_undefined_behaviour() -> None:
    """The sanitizer aborts on signed overflow, wide shifts and reads out of bounds; the answers stay the same."""
    forms = [drawn(family, variant, 200) for family in families().values() for variant in FORMS]
    flags = ("-fsanitize=undefined,bounds", "-fno-sanitize-recover=all")
    assert check_c([one for one in forms if one.question.c is not None], "host", flags) > 3000


@pytest.mark.slow
@needs_gcc
def test_optimisation_changes_no_c_answer() -> None:
    forms = [drawn(family, variant, 200) for family in families().values() for variant in FORMS]
    assert check_c([one for one in forms if one.question.c is not None], "host", ("-O2",)) > 3000


def test_the_first_half_covers_the_domains_of_the_seed() -> None:
    assert {family.domain for family in FOUND.values()} == DOMAINS
    assert len(FOUND) >= 22


@pytest.mark.parametrize("family", FOUND.values(), ids=lambda family: family.name)
def test_a_family_keeps_the_counts(family: Family) -> None:
    assert len(family.wordings) >= 8
    assert len(family.isolate.wordings) >= 8
    assert len(family.distractors) >= 2
    assert family.tier in ("medium", "hard")
    for variant in VARIANTS:
        made = item(family, variant, 0 if variant in ("base", "rename") else 2, 0 if variant == "base" else 1)
        assert made.rationale
        assert made.answer
        assert "None" not in made.question
        assert "{" not in made.rationale
        assert made.domain == family.domain


def test_hard_and_medium_families_outnumber_the_rest() -> None:
    tiers = [family.tier for family in FOUND.values()]
    assert tiers.count("hard") >= len(tiers) // 3


@pytest.mark.parametrize(
    ("family", "params", "answer"),
    [
        # Reference manual of a widespread microcontroller family: 36 MHz at 9600 and 72 MHz at 115200 baud.
        ("uart_fractional_divider", {"clock": 36_000_000, "baud": 9_600, "over": 16}, 0xEA6),
        ("uart_fractional_divider", {"clock": 72_000_000, "baud": 115_200, "over": 16}, 0x271),
        # The same manual: with a dead-time clock of 8 MHz the ranges end at 15.875, 31.75, 63 and 126 us.
        ("pwm_dead_time_code", {"clock": 8, "limit": 15_875}, 127),
        ("pwm_dead_time_code", {"clock": 8, "limit": 15_876}, 128),
        ("pwm_dead_time_code", {"clock": 8, "limit": 31_750}, 191),
        ("pwm_dead_time_code", {"clock": 8, "limit": 63_000}, 223),
        ("pwm_dead_time_code", {"clock": 8, "limit": 64_000}, 224),
        ("pwm_dead_time_code", {"clock": 8, "limit": 126_000}, 255),
        # 10-bit address 0x2A5: 11110 10 0, then 0xA5, then 11110 10 1.
        ("i2c_wire_bytes", {"bits": 10, "address": 0x2A5, "register": 0x1234, "high_first": True}, 0xF4A51234F5),
        ("i2c_wire_bytes", {"bits": 7, "address": 0x50, "register": 0x1234, "high_first": False}, 0xA03412A1),
        # 'U' is 0x55: start, 1 0 1 0 1 0 1 0, stop.
        ("uart_line_levels", {"data": 8, "parity": "no", "stop": 1, "first": 0x55, "second": 0x00},
         0b0_10101010_1_0_00000000_1),
        ("uart_line_levels", {"data": 7, "parity": "odd", "stop": 2, "first": 0x01, "second": 0x03},
         0b0_1000000_0_11_0_1100000_1_11),
        ("adc_register_code",
         {"input": 3300, "top": 10, "bottom": 10, "bits": 12, "reference": 3300, "left": False}, 2048),
        ("adc_register_code",
         {"input": 9900, "top": 10, "bottom": 10, "bits": 12, "reference": 3300, "left": True}, 0xFFF0),
        # 74 dB is 12.0 bits; averaging four samples adds one.
        ("adc_effective_step", {"tenths": 740, "range": 8192, "ratio": 4}, Fraction(1000)),
        # Rate-monotonic bound of two tasks is 0.8284; one task uses 0.5.
        ("utilisation_budget", {"tasks": [[10_000, 5_000]], "period": 10_000}, 3284),
        # The textbook set (7, 3), (12, 3), (20, 5) has the response 20.
        ("fixed_priority_response", {"tasks": [[7, 3], [12, 3], [20, 5]]}, 20),
        # Periods 4, 5, 20, 20 with costs 1, 1.8→2, 1, 2: the frames 2 and 4; 4 breaks 2f - gcd(5, f) <= 5.
        ("cyclic_frame_size", {"tasks": [[4, 1], [5, 2], [20, 1], [20, 2]]}, 2),
    ],
)  # fmt: skip
def test_known_answers_come_out(family: str, params: dict[str, Any], answer: Any) -> None:
    found = FOUND[family]
    assert abs(found.answer(params) - answer) <= Fraction(answer) * Fraction(found.tolerance)
    assert found.second is not None
    assert abs(found.second(params) - answer) <= Fraction(answer) * Fraction(found.tolerance)


def test_the_bit_band_example_of_the_manual() -> None:
    isolate = FOUND["bit_band_alias"].isolate
    params = {"region": 0x20000000, "base": 0x22000000, "address": 0x20000300, "bit": 2}
    assert isolate.answer(params) == 0x22006008


def test_a_capture_with_a_pending_wrap_goes_either_way() -> None:
    family = FOUND["timer_capture_overflow"]
    early = {"c1": 100, "n1": 2, "u1": 0, "c2": 65_000, "n2": 2, "u2": 1, "quarters": 4}
    late = {**early, "c2": 200}
    assert family.answer(early) == 64_900  # the wrap came after the edge
    assert family.answer(late) == 65_636  # the wrap came before it
    assert family.second is not None
    assert family.second(early) == 64_900
    assert family.second(late) == 65_636


def test_struct_layout_of_the_arm_calling_standard() -> None:
    members = [["uint8_t", "a", 1], ["double", "b", 1], ["uint8_t", "c", 3], ["void *", "d", 1]]
    assert c_layout.layout(members) == ([0, 8, 16, 20], 24)


def test_a_read_modify_write_clears_every_flag_that_is_set() -> None:
    params = {"w1c": 0x000F, "rw": 0x0FF0, "ro": 0xF000, "start": 0x800B, "steps": [["or", 0x0010]]}
    assert c_source.w1c(params) == 0x8010


def test_pulses_do_not_block_and_receive_takes_the_highest() -> None:
    family = FOUND["qnx_thread_state"]
    events = [["send", 0], ["send", 1], ["pulse", 2], ["receive", -1], ["receive", -1]]
    states = [family.answer({"priorities": [10, 20, 5], "events": events, "subject": k}) for k in range(4)]
    assert states == ["REPLY-blocked", "REPLY-blocked", "not blocked", "not blocked"]
    first = [family.answer({"priorities": [10, 20, 5], "events": events[:4], "subject": k}) for k in range(4)]
    assert first == ["SEND-blocked", "REPLY-blocked", "not blocked", "not blocked"]
