"""The system families: both paths agree, known answers from manuals and textbooks come out, a real linker agrees."""

import re
import shutil
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

from corpora.registers import c_items
from corpora.registers.c_items import CCode
from corpora.registers.families import (
    MODULES,
    can_timing,
    clocks,
    crc,
    dma,
    endianness,
    families,
    fixed_point,
    linker,
    mpu,
    priority,
    response_time,
    watchdog,
)
from corpora.registers.family import VARIANTS, Family, Params, form, item, parameters
from corpora.registers.verify import FORMS, check_c, drawn, verify, verify_release

SYSTEMS = MODULES[MODULES.index("clocks") :]
FOUND = families(SYSTEMS)
needs_gcc = pytest.mark.skipif(not c_items.available("host"), reason="gcc is not installed")
needs_ld = pytest.mark.skipif(
    not (shutil.which("arm-none-eabi-ld") and shutil.which("arm-none-eabi-as")),
    reason="binutils-arm-none-eabi is not installed",
)


def agreed(name: str, params: Params, part: str = "base") -> Any:
    """Return the answer for given parameters after asking both paths."""
    question = FOUND[name].isolate if part == "isolate" else FOUND[name]
    first = question.answer(params)
    assert question.second is not None
    assert question.second(params) == first or abs(question.second(params) / first - 1) < 1e-9
    return first


@needs_gcc
def test_both_paths_agree_on_fifty_draws_of_every_family() -> None:
    report = verify(FOUND, 50, cortex_m=False)
    assert report.answers == 100 * len(FOUND)
    assert all("second" in row.paths for row in report.rows)


@pytest.mark.slow
@needs_gcc
def test_all_paths_agree_on_a_thousand_draws_of_every_family() -> None:
    report = verify_release(SYSTEMS, 1000, workers=2)
    assert report.answers == 2000 * len(FOUND)


@pytest.mark.slow
@needs_gcc
def test_no_c_item_rests_on_undefined_behaviour_or_on_optimisation() -> None:
    forms = [drawn(family, variant, 200) for family in FOUND.values() for variant in FORMS]
    compiled = [one for one in forms if one.question.c is not None]
    for flags in (("-fsanitize=undefined,bounds", "-fno-sanitize-recover=all"), ("-O2",)):
        assert check_c(compiled, "host", flags) == 200 * len(compiled) >= 2000


def test_every_module_has_its_families() -> None:
    assert len(FOUND) >= 22
    assert {family.domain for family in FOUND.values()} == set(SYSTEMS)
    assert sum(family.tier == "hard" for family in FOUND.values()) >= 22
    assert sum(family.c is not None for family in FOUND.values()) >= 10


@pytest.mark.parametrize("family", FOUND.values(), ids=lambda family: family.name)
def test_a_family_keeps_the_counts(family: Family) -> None:
    assert len(family.wordings) >= 8
    assert len(family.isolate.wordings) >= 8
    assert len(family.distractors) >= 2
    assert family.names
    assert len(family.conventions) >= 2
    for variant in VARIANTS:
        made = item(family, variant, 0 if variant in ("base", "rename") else 2, 0 if variant == "base" else 1)
        assert made.rationale
        assert "None" not in made.question
        assert "$" not in made.question + made.rationale


@pytest.mark.parametrize("family", FOUND.values(), ids=lambda family: family.name)
def test_a_quantity_says_its_tolerance(family: Family) -> None:
    for question, variant in ((family, "base"), (family.isolate, "isolate")):
        if question.kind == "quantity":
            assert f"{question.tolerance * 100:g} %" in item(family, variant, 0, 0).question  # type: ignore[arg-type]


@pytest.mark.parametrize("family", FOUND.values(), ids=lambda family: family.name)
def test_names_change_with_the_wording_and_the_answer_does_not(family: Family) -> None:
    base = item(family, "base", 0, 0)
    others = [item(family, "rename", 0, wording) for wording in range(1, 17)]
    assert {other.answer for other in others} == {base.answer}
    assert len({base.question, *(other.question for other in others[:7])}) == 8
    for pool in family.names.values():
        seen = {name for name in pool for other in others if re.search(rf"\b{re.escape(name)}\b", other.question)}
        assert len(seen) >= 3


def test_texts_are_the_same_in_another_process_with_another_hash_seed() -> None:
    program = (
        "from corpora.registers.families import MODULES, families\n"
        "from corpora.registers.family import item\n"
        "from tasks.ids import digest\n"
        "found = families(MODULES[MODULES.index('clocks'):])\n"
        "print(digest([[one.question, one.answer, one.rationale] for family in found.values()\n"
        "              for one in (item(family, 'distractor', 7, 3), item(family, 'isolate', 5, 2))]))\n"
    )
    said = {
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT,
                       env={"PYTHONHASHSEED": seed, "PATH": "/usr/bin:/bin"}).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(said) == 1


ROOT = Path(__file__).resolve().parents[2]


# What both paths of a family may use: mirroring bits, and the plain CRC-8, which the catalogue below checks.
UTILITIES = {"reverse", "crc8"}


def reached(function: Any, module: Any) -> set[str]:
    """Return the names of the functions of a module that a function calls, directly or not."""
    found: set[str] = set()
    open_ = [function.__code__]
    while open_:
        code = open_.pop()
        open_ += [constant for constant in code.co_consts if isinstance(constant, type(code))]
        for name in code.co_names:
            called = vars(module).get(name)
            if isinstance(called, FunctionType) and called.__module__ == module.__name__ and name not in found:
                found.add(name)
                open_.append(called.__code__)
    return found


@pytest.mark.parametrize("family", FOUND.values(), ids=lambda family: family.name)
def test_the_two_paths_share_no_step(family: Family) -> None:
    for question in (family, family.isolate):
        assert question.second is not None
        module = sys.modules[question.answer.__module__]
        first, second = (
            reached(path, module) | {path.__name__} - {"<lambda>"} for path in (question.answer, question.second)
        )
        assert first & second <= UTILITIES


def no_overlap(fields: list[tuple[int, int]]) -> bool:
    bits = [bit for at, width in fields for bit in range(at, at + width)]
    return len(bits) == len(set(bits)) and max(bits) < 32


def test_fields_of_drawn_registers_do_not_overlap() -> None:
    for layout in clocks.LAYOUTS:
        assert no_overlap(list(zip(layout, (6, 9, 2, 1, 4), strict=True)))
    for layout in can_timing.LAYOUTS:
        assert no_overlap(list(zip(layout, (6, 4, 3, 2), strict=True)))


# The usual configuration tools give these for 8 MHz and 168 MHz with 48 MHz for USB: M=4, N=168, P=2, Q=7.
PLL_168 = {"hse": 8, "sysclk": 168, "vco_min": 192, "vco_max": 432, "side": 48, "layout": 0}
BTR_500K_42M = {"clock": 42, "kbit": 500, "point": 875, "sjw": 1, "quanta": 8, "layout": 0}
BTR_500K_8M = {"clock": 8, "kbit": 500, "point": 875, "sjw": 1, "quanta": 8, "layout": 0}
# Classic CAN: 1.58 % is the widest tolerance that any bit time allows, with 10 quanta and phase segments of 4.
WIDEST = {"clock": 20, "kbit": 100, "brp": 20, "metres": 2, "loop": 120, "jump": 4}
# Burns and Wellings, Real-Time Systems: (C, T) = (3, 7), (3, 12), (5, 20) have the response times 3, 6, 20.
TEXTBOOK = {"tasks": [[3, 7, 0], [3, 12, 0]], "cost": 5, "blocking": 0, "jitter": 0, "period": 20}
CATALOGUE = {
    "CRC-16/IBM-3740": (16, 0x1021, 0xFFFF, False, False, 0, 0x29B1),
    "CRC-16/XMODEM": (16, 0x1021, 0, False, False, 0, 0x31C3),
    "CRC-16/KERMIT": (16, 0x1021, 0, True, True, 0, 0x2189),
    "CRC-16/ARC": (16, 0x8005, 0, True, True, 0, 0xBB3D),
    "CRC-16/MODBUS": (16, 0x8005, 0xFFFF, True, True, 0, 0x4B37),
    "CRC-16/X-25": (16, 0x1021, 0xFFFF, True, True, 0xFFFF, 0x906E),
    "CRC-8/SMBUS": (8, 0x07, 0, False, False, 0, 0xF4),
    "CRC-8/MAXIM-DOW": (8, 0x31, 0, True, True, 0, 0xA1),
    "CRC-8/SAE-J1850": (8, 0x1D, 0xFF, False, False, 0xFF, 0x4B),
    "CRC-32/ISO-HDLC": (32, 0x04C11DB7, 0xFFFFFFFF, True, True, 0xFFFFFFFF, 0xCBF43926),
    "CRC-32/BZIP2": (32, 0x04C11DB7, 0xFFFFFFFF, False, False, 0xFFFFFFFF, 0xFC891918),
}


@pytest.mark.parametrize(
    ("name", "params", "answer"),
    [
        ("clock_pll_register", PLL_168, 7 << 24 | 1 << 22 | 168 << 6 | 4),
        # 84 MHz timer clock on APB1 of a 168 MHz part: PSC 8399 and ARR 9999 make one second.
        ("clock_timer_update",
         {"sysclk": 168, "divs": [1, 4, 2], "cfgr": 0x9400, "bus": 1, "psc": 8399, "arr": 9999, "rcr": 0}, 10**6),
        ("clock_timer_update",
         {"sysclk": 168, "divs": [1, 4, 2], "cfgr": 0x9400, "bus": 2, "psc": 8399, "arr": 9999, "rcr": 0}, 500_000),
        # 511 masked pulses are 487.3 ppm; 512 inserted ones are 488.3 ppm.
        ("clock_rtc_calibration", {"ppm10": 4873, "curve": 35, "turn": 25, "temp": 25}, 511),
        ("clock_rtc_calibration", {"ppm10": -4883, "curve": 35, "turn": 25, "temp": 25}, 1 << 15),
        ("can_timing_register", BTR_500K_42M, 0x001A0005),
        ("can_timing_register", BTR_500K_8M, 0x001C0000),
        ("response_time_jitter", TEXTBOOK, 20),
        ("response_time_jitter", TEXTBOOK | {"tasks": [[3, 7, 0]], "cost": 3}, 6),
        ("response_longest_execution",
         {"tasks": [[3, 7], [3, 12]], "switch": 0, "blocking": 0, "deadline": 20}, 5),
        ("mpu_region_attributes",
         {"start": 0x20000000, "bytes": 0x8000, "access": 3, "xn": 1, "tex": 0, "scb": 6},
         1 << 28 | 3 << 24 | 6 << 16 | 14 << 1 | 1),
    ],
)  # fmt: skip
def test_known_answers(name: str, params: Params, answer: int) -> None:
    assert agreed(name, params) == answer


def test_known_quantities() -> None:
    assert float(agreed("can_oscillator_tolerance", WIDEST)) == pytest.approx(1.5873, abs=1e-4)
    # The user's guide of a low-power family prints 21 % for 9600 baud from 32768 Hz with the pattern 0x4A.
    modulated = {"clock": 32768, "baud": 9600, "pattern": 0x4A, "data": 8, "parity": 1}
    assert float(agreed("baud_modulated_edges", modulated)) == pytest.approx(21.1, abs=0.1)
    # The independent watchdog at 32 kHz: prescaler 256 and reload 4095 last 32.8 s.
    longest = {"khz": 32, "prescaler": 256, "reload": 4095}
    assert agreed("watchdog_reload_word", longest, "isolate") == 32_768
    # Equal clocks on both sides leave the difference of the dividers alone: 16 MHz / 139 against 16 MHz / (16 * 9).
    same = {"tx_mhz": 16, "rx_khz": 16_000, "baud": 115_200, "data": 8, "parity": 0, "tx_ppm": 0, "rx_ppm": 0}
    assert agreed("baud_frame_drift", same) == Fraction(144 - 139, 139) * Fraction(19, 2) * 100


def test_a_window_watchdog_lasts_what_the_reference_manual_prints() -> None:
    """30 MHz, divider 1: 136.53 us to 8.74 ms."""
    tick = watchdog._tick_us({"step": 0, "mhz": 30})
    assert float(tick) == pytest.approx(136.53, abs=0.01)
    params = {"step": 0, "mhz": 30, "top": 127, "window": 126, "gaps": [10**6]}
    assert float(agreed("watchdog_window_strike", params)) == pytest.approx(8738.1, abs=0.1)
    assert agreed("watchdog_window_strike", params | {"gaps": [5000, 100]}) == 5100


def test_a_supervisor_reset_by_hand() -> None:
    """Task 1 checks in at 40 last, is overdue after 100; the poll at 100 still refreshes, the reset comes 50 later."""
    params = {"periods": [20, 10, 10], "limits": [60, 90, 90], "stops": [60, 900, 900], "poll": 25, "timeout": 50}
    assert agreed("watchdog_supervisor_reset", params) == 150


@pytest.mark.parametrize(
    ("protocol", "end"),
    [
        ("none", 16),  # D 0-2, B 2-3, A 3-4 and waits, B 4-8, D 8-12, A 12-16
        ("inheritance", 12),  # the same until 4, then D 4-8, A 8-12
        ("ceiling", 11),  # D 0-6, from 1 on as A's equal, then A 6-11
    ],
)
def test_priority_inversion_by_hand(protocol: str, end: int) -> None:
    """D locks at 1 for 5 ms; B, which needs 5 ms and no lock, is released at 2 and A at 3."""
    tasks = [[3, 1, 2, 2], [2, 1, 0, 4], [99, 1, 0, 1], [0, 1, 5, 1]]
    assert agreed("priority_mutex_finish", {"tasks": tasks, "protocol": protocol, "asked": 0}) == end


def test_subpriorities_order_but_do_not_preempt() -> None:
    """With bits 7:6 as the group, 0x40 and 0x50 are of one group; 0x00 preempts both."""
    irqs = [[5, 0x50, 0, 10], [6, 0x40, 2, 10], [7, 0x40, 1, 10], [8, 0x00, 4, 3], [9, 0xC0, 0, 1]]
    ends = {at: agreed("priority_nested_interrupts", {"irqs": irqs, "group": 5, "asked": at}) for at in range(5)}
    assert ends == {0: 13, 1: 23, 2: 33, 3: 7, 4: 34}
    assert agreed("priority_nested_interrupts", {"irqs": irqs, "group": 3, "asked": 0}) == 34 - 1


def test_only_sections_with_a_high_enough_ceiling_block() -> None:
    """R1 is shared across T2, so its 6 ms block; R2's 8 ms are below it: R = 5 + 6 + 2 * 4."""
    tasks = [
        {"cost": 4, "period": 18, "held": {"R1": 2}}, {"cost": 5, "period": 50, "held": {}},
        {"cost": 9, "period": 90, "held": {"R1": 6, "R2": 8}}, {"cost": 9, "period": 99, "held": {"R2": 3}},
    ]  # fmt: skip
    assert agreed("priority_ceiling_response", {"tasks": tasks, "asked": 1}) == 15
    tasks[0]["period"] = 14
    assert agreed("priority_ceiling_response", {"tasks": tasks, "asked": 1}) == 19


def test_edf_demand_by_hand() -> None:
    """At 12 the demand is 3 + 2 * 4 = 11, at 6 it is 4, at 10 it is 7."""
    params = {"tasks": [[3, 10, 20], [4, 6, 6]], "horizon": 12}
    assert agreed("response_edf_margin", params) == 1


@pytest.mark.parametrize("name", CATALOGUE)
def test_check_values_of_the_crc_catalogue(name: str) -> None:
    """`123456789` through the bitwise, the table and the C path."""
    width, poly, init, refin, refout, xorout, check = CATALOGUE[name]
    params = {"width": width, "poly": poly, "init": init, "refin": refin, "refout": refout, "xorout": xorout,
              "bytes": list(b"123456789")}  # fmt: skip
    assert agreed("crc_any_parameters", params) == check


@needs_gcc
def test_check_values_of_the_crc_catalogue_in_c() -> None:
    make = crc.CRC.c
    assert make is not None
    rows: list[CCode] = []
    for width, poly, init, refin, refout, xorout, _ in CATALOGUE.values():
        rows.append(make({"width": width, "poly": poly, "init": init, "refin": refin, "refout": refout,
                          "xorout": xorout, "bytes": list(b"123456789")}))  # fmt: skip
    assert c_items.run(rows) == [check for *_, check in CATALOGUE.values()]


def test_crc_32_is_what_zlib_computes() -> None:
    for draw in range(40):
        data = parameters(FOUND["wire_mixed_fields"], "base", draw)["bytes"]
        params = {"width": 32, "poly": 0x04C11DB7, "init": 0xFFFFFFFF, "refin": True, "refout": True,
                  "xorout": 0xFFFFFFFF, "bytes": data}  # fmt: skip
        assert agreed("crc_any_parameters", params) == zlib.crc32(bytes(data))


def test_crc_of_classic_can() -> None:
    """The check value of CRC-15/CAN."""
    assert can_timing.crc15("".join(f"{byte:08b}" for byte in b"123456789")) == 0x059E


def test_the_plain_crc_8_is_that_of_the_catalogue() -> None:
    assert crc.crc8(list(b"123456789"), 0x07) == CATALOGUE["CRC-8/SMBUS"][-1]


def test_every_single_bit_is_located() -> None:
    sent = [0x12, 0xA7, crc.crc8([0x12, 0xA7], 0x1D)]
    for place in range(24):
        received = list(sent)
        received[place // 8] ^= 0x80 >> place % 8
        assert agreed("crc_locate_bit", {"poly": 0x1D, "bytes": received}) == place


def test_checksum_update_of_rfc_1624() -> None:
    """The example of section 4, in which the older equation gives 0xFFFF."""
    assert crc.updated(0xDD2F, [(0x5555, 0x3285)]) == 0x0000


def test_stuffing_by_hand() -> None:
    assert agreed("can_frame_length", {"bits": "1111100001"}, "isolate") == 12  # the stuff bit begins the next run
    assert agreed("can_frame_length", {"bits": "0" * 11}, "isolate") == 13
    # SOF, 11 identifier bits and 3 zeros make a run of 15, then 0001.
    zeros = {"id": 0, "data": [0xAA], "crc": 0x2AAA}
    assert agreed("can_frame_length", zeros) == 44 + 8 + 3


def test_a_descriptor_chain_by_hand() -> None:
    """Two descriptors move 3 * 4 and 5 * 1 bytes; the one between them is skipped."""
    slot = {"source": 0, "target": 0, "flags": 0, "count": 1, "size": 0, "link": 0}
    base = 0x20000100
    slots = [
        slot | {"count": 3, "size": 2, "link": base + 32}, slot | {"count": 5}, slot | {"flags": dma.SKIP, "count": 9,
        "link": base + 16}, slot, slot, slot,
    ]  # fmt: skip
    assert agreed("dma_descriptor_chain", {"base": base, "order": [0, 2, 1], "slots": slots}) == 17


def test_bursts_stop_at_a_kilobyte() -> None:
    """20 words from 0x3E0: 8 to the boundary as 2 bursts, 12 behind it as 3; from 0x3E4 7 and 13: 1 + 3 and 3 + 1."""
    params = {"start": 0x200003E0, "size": 4, "count": 20, "beats": 4, "first": 5, "next": 1}
    assert agreed("dma_burst_cycles", params) == 5 * 8
    assert agreed("dma_burst_cycles", params | {"start": 0x200003E4}) == (1 + 3) * 8 + (3 + 1) * 5


def test_a_circular_transfer_by_hand() -> None:
    """Scans of 2 conversions, 15 and 27 cycles at 3 MHz, each 100 us: after 1007 us 20 + 1 are done."""
    params = {"mhz": 3, "period": 100, "samples": [3, 15], "length": 16, "time": 1007}
    assert agreed("dma_circular_position", params) == 16 - 21 % 16


@pytest.mark.parametrize(
    ("offset", "bit", "alias"), [(0xFFFFF, 0, 0x23FFFFE0), (0xFFFFF, 7, 0x23FFFFFC), (0, 0, 0x22000000),
                                 (0, 7, 0x2200001C)],
)  # fmt: skip
def test_bit_band_aliases_of_the_architecture_manual(offset: int, bit: int, alias: int) -> None:
    assert agreed("mpu_bitband_word", {"offset": offset, "bit": bit}, "isolate") == alias


def test_the_highest_region_decides_and_disabled_subregions_fall_through() -> None:
    params = {
        "regions": [[0x20000000, 8192, 0, 1], [0x20000000, 1024, 0b10, 2], [0x20000400, 512, 0, 0],
                    [0x20001000, 256, 0, 2]],
        "accesses": [[0x20000000, 1], [0x20000080, 1], [0x20000080, 0], [0x20000400, 0], [0x20001000, 1],
                     [0x20001100, 1], [0x20002000, 0], [0x20001FFC, 0]],
    }  # fmt: skip
    assert agreed("mpu_overlapping_faults", params) == 0b01101010


def test_fields_are_what_struct_unpacks() -> None:
    for draw in range(200):
        params = parameters(FOUND["wire_mixed_fields"], "base", draw)
        raw, total = bytes(params["bytes"]), 0
        for sign, (at, size, signed, order) in zip(params["signs"], params["fields"], strict=True):
            if size == 3:
                part = (raw[at : at + 3] + b"\0", b"\0" + raw[at : at + 3])[order]
                value = struct.unpack("><"[order] + "Ii"[signed], part)[0] >> 8
            elif order == 2:
                low, high = struct.unpack_from(">H" + "Hh"[signed], raw, at)
                value = high << 16 | low
            else:
                value = struct.unpack_from("><"[order] + {2: "Hh", 4: "Ii"}[size][signed], raw, at)[0]
            total += sign * value
        assert agreed("wire_mixed_fields", params) == total


def test_motorola_and_intel_signals_that_fill_words() -> None:
    """Start bit 7, 16 bits, is a big-endian word at byte 0; Intel 32, 16 bits, a little-endian one at byte 4."""
    params = {"bytes": [0x12, 0x34, 0, 0, 0xFF, 0xFE, 0, 0], "motorola": [7, 16, 0], "intel": [32, 16, 1]}
    assert agreed("wire_can_signals", params) == 0x1234 - (0xFEFF - 0x10000)
    assert endianness._walk(3, 6) == [3, 2, 1, 0, 15, 14]


def test_equal_orders_leave_a_message_alone() -> None:
    params = {"bytes": [0x12, 0x34, 0x56, 0x78], "sends": 0, "takes": 0, "frame": 8, "stores": 0, "reads": 0}
    assert agreed("wire_shift_order", params) == 0x12345678
    assert agreed("wire_shift_order", params | {"frame": 16, "stores": 1, "reads": 1}) == 0x56781234
    assert agreed("wire_shift_order", params | {"takes": 1}) == 0x482C6A1E


def test_fixed_point_corners() -> None:
    assert agreed("fixed_fir_q15", {"one": -32768, "two": -32768}, "isolate") == 32767
    assert agreed("fixed_fir_q15", {"one": -32768, "two": 32767}, "isolate") == -32767
    assert agreed("fixed_iir_biquad", {"x": -1, "y": 0, "k": 4}, "isolate") == -1  # the floor of -1/16
    # A pole at 1 adds up: y = x + y[n-1] with b0 = 1 and a1 = -1 saturates.
    adder = {"b": [1 << 14, 0, 0], "a": [-(1 << 14), 0], "inputs": [20000, 20000, -10000]}
    assert fixed_point.iir_outputs(adder) == [20000, 32767, 22767]
    assert agreed("fixed_iir_biquad", adder) == 22767


def test_anti_windup_holds_the_integral() -> None:
    """The integral stays at 0 while the output is clipped, so the last output is P alone plus one step of I."""
    params = {"target": 1000, "kp": 2560, "ki": 256, "limit": 6400, "readings": [0, 0, 0, 999]}
    assert fixed_point.controller_outputs(params) == [6400, 6400, 6400, 11]


def test_a_stack_by_hand() -> None:
    calls = {name: [] for name in linker.FUNCTIONS} | {name: [] for name in linker.HANDLERS}
    frames = {name: 8 for name in (*linker.FUNCTIONS, *linker.HANDLERS)}  # noqa: C420
    params = {
        "frames": frames | {"main": 16, "parse": 40}, "context": 32,
        "calls": calls | {"main": ["poll"], "poll": ["parse", "copy"], "ADC_IRQ": ["crc"]},
        "levels": {"UART_IRQ": 1, "DMA_IRQ": 1, "TIM_IRQ": 2, "ADC_IRQ": 2},
    }  # fmt: skip
    assert agreed("linker_stack_depth", params) == (16 + 8 + 40) + (32 + 8) + (32 + 8 + 8)


def linked(sections: list[tuple[str, int, int]], script: str, folder: Path) -> dict[str, int]:
    """Assemble sections of given size and alignment, link them with a script, and return the symbols."""
    kinds = {".bss": "nobits", ".noinit": "nobits"}
    source = "".join(
        f'.section {name}, "aw", %{kinds.get(name.rpartition(".v")[0] or name, "progbits")}\n.balign {align}\n'
        f".space {size}\n"
        for name, size, align in sections
    )
    (folder / "s.s").write_text(source)
    (folder / "s.ld").write_text(script)
    for command in (
        ["arm-none-eabi-as", "s.s", "-o", "s.o"],
        ["arm-none-eabi-ld", "-T", "s.ld", "s.o", "-o", "s.elf"],
    ):
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
    told = subprocess.run(["arm-none-eabi-nm", "s.elf"], cwd=folder, check=True, capture_output=True, text=True)
    return {name: int(value, 16) for value, _, name in (line.split() for line in told.stdout.splitlines())}


@needs_ld
@pytest.mark.parametrize("draw", range(8))
def test_the_gnu_linker_places_sections_where_the_formula_does(draw: int, tmp_path: Path) -> None:
    params = parameters(FOUND["linker_section_addresses"], "base", draw)
    lines = []
    for name, _, align in params["sections"]:
        memory = "FLASH" if name in linker.IN_FLASH else "RAM AT> FLASH" if name in linker.COPIED else "RAM"
        kind = " (NOLOAD)" if name in linker.IN_RAM else ""
        symbol = name.strip(".").replace(".", "_")
        # The output section is called x<name>: the linker gives some names, as .ARM.exidx, a meaning of their own.
        lines.append(f"x{name}{kind} : ALIGN({align}) {{ run_{symbol} = .; KEEP(*(q{name})) end_{symbol} = .; }} "
                     f"> {memory}\n  load_{symbol} = LOADADDR(x{name});")  # fmt: skip
    script = (
        f"MEMORY {{ FLASH (rx) : ORIGIN = {params['flash']:#x}, LENGTH = 4M\n"
        f"RAM (rwx) : ORIGIN = {params['ram']:#x}, LENGTH = 4M }}\nSECTIONS {{\n  " + "\n  ".join(lines) + "\n}\n"
    )
    symbols = linked([(f"q{name}", size, align) for name, size, align in params["sections"]], script, tmp_path)
    for name, (load, run) in linker.layout(params).items():
        symbol = name.strip(".").replace(".", "_")
        assert symbols[f"run_{symbol}"] == run
        if name in linker.COPIED:
            assert symbols[f"load_{symbol}"] == load


@needs_ld
@pytest.mark.parametrize("draw", range(6))
def test_the_gnu_linker_saves_what_the_formula_says(draw: int, tmp_path: Path) -> None:
    params = parameters(FOUND["linker_sort_by_alignment"], "base", draw)
    ends = []
    for pattern in ("*(.bss.*)", "*(SORT_BY_ALIGNMENT(.bss.*))"):
        script = f"SECTIONS {{ . = 0x20000000; .bss : {{ {pattern} end = .; }} }}\n"
        sections = [(f".bss.{name}", size, align) for name, size, align in params["variables"]]
        ends.append(linked(sections, script, tmp_path)["end"])
    assert ends[0] - ends[1] == agreed("linker_sort_by_alignment", params)


def without_doubling(params: Params) -> Any:
    return clocks.timer_us(params) * (1 if params["divs"][params["bus"]] == 1 else 2)


def without_jitter(params: Params) -> Any:
    tasks = [[cost, period, 0] for cost, period, _ in params["tasks"]]
    return response_time.response(params | {"tasks": tasks})


def without_stuffing(params: Params) -> Any:
    return 44 + 8 * len(params["data"])


def without_subregions(params: Params) -> Any:
    return mpu.fault_mask(params | {"regions": [[b, s, 0, g] for b, s, _, g in params["regions"]]})


def without_boundary(params: Params) -> Any:
    bursts, singles = divmod(params["count"], params["beats"])
    return bursts * (params["first"] + (params["beats"] - 1) * params["next"]) + singles * params["first"]


def with_full_preemption(params: Params) -> Any:
    return priority.nested_end(params | {"group": -1})


def without_rounding(params: Params) -> Any:
    return fixed_point.iir_outputs(params, 0)[-1]


def without_load_alignment(params: Params) -> Any:
    return linker.layout_address(params | {"sections": [[n, size, 4] for n, size, _ in params["sections"]]})


@pytest.mark.parametrize(
    ("name", "shortcut", "share"),
    [
        ("clock_timer_update", without_doubling, 0.5),
        ("response_time_jitter", without_jitter, 0.3),
        ("can_frame_length", without_stuffing, 0.8),
        ("mpu_overlapping_faults", without_subregions, 0.5),
        ("dma_burst_cycles", without_boundary, 1.0),
        ("priority_nested_interrupts", with_full_preemption, 1.0),
        ("fixed_iir_biquad", without_rounding, 1.0),
        ("linker_section_addresses", without_load_alignment, 0.5),
    ],
)
def test_a_tempting_shortcut_gives_another_answer(name: str, shortcut: Callable[[Params], Any], share: float) -> None:
    draws = [parameters(FOUND[name], "base", index) for index in range(200)]
    wrong = sum(shortcut(params) != FOUND[name].answer(params) for params in draws)
    assert wrong / len(draws) >= share


def test_answers_of_quantities_are_not_lost_in_the_tolerance() -> None:
    """No base answer is zero, and neighbouring draws differ by far more than the tolerance."""
    for family in FOUND.values():
        if family.kind == "quantity":
            answers = [Fraction(family.answer(parameters(family, "base", index))) for index in range(100)]
            assert min(answers) > 0
            spread = max(answers) / min(answers)
            assert spread > 1 + 20 * family.tolerance
            assert form(family, "base").unit
