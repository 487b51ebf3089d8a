"""Pictures of what a device did: in characters and as SVG."""

import re
import xml.etree.ElementTree as ET
from html import unescape

import pytest

from warehouse.exports.timeline import Level, Mark, Switch, Timeline, held, plot
from warehouse.exports.timeline_svg import LEFT, RIGHT, WIDTH, apart, picture

TANK = Timeline(
    "happy <path>",
    1000,
    (Level("LEVEL", ((0, 20), (300, 50), (600, 90)), (30, 80)),),
    (Switch("PUMP", ((0, True), (650, False))), Switch("DOOR", ((0, False), (500, True)), driven=False)),
    (Mark(600, "off_when_high: PUMP=1 on LEVEL 90 & more", wrong=True), Mark(100, "the last reading")),
)
CALM = Timeline("smoke", 800, (Level("LEVEL", ((0, 20),)),), (Switch("PUMP", ((0, False),)),))


def test_a_plot_has_a_column_a_tick_and_points_at_what_went_wrong() -> None:
    assert plot(TANK).splitlines() == [
        "happy <path>: FAIL, 1000 ms, 100 ms a column",
        "  LEVEL ▁▁▁▄▄▄████ 20..90, thresholds 30, 80",
        "  PUMP  ██████····",
        "  DOOR  ·····█████",
        "              ^   ",
        "  at 100 ms the last reading",
        "  at 600 ms off_when_high: PUMP=1 on LEVEL 90 & more",
    ]
    assert plot(CALM).splitlines() == [
        "smoke: pass, 800 ms, 100 ms a column", "  LEVEL ▁▁▁▁▁▁▁▁ 20..20", "  PUMP  ········",
    ]  # fmt: skip


def test_a_long_scenario_fits_a_terminal_and_keeps_its_last_fault() -> None:
    long = Timeline("long", 30_050, CALM.levels, CALM.switches, (Mark(30_050, "late", wrong=True),))
    lines = plot(long).splitlines()
    assert lines[0] == "long: FAIL, 30050 ms, 400 ms a column"
    assert {len(line) for line in lines[2:4]} == {2 + 5 + 1 + 76}
    assert lines[3].rstrip().endswith("^")


@pytest.mark.parametrize(("at_ms", "value"), [(-1, None), (0, 20), (299, 20), (300, 50), (9999, 90)])
def test_a_step_function_holds_its_value(at_ms: int, value: int | None) -> None:
    assert held(TANK.levels[0].values, at_ms) == value


def test_a_picture_is_well_formed_and_says_all_there_is_to_say() -> None:
    svg = picture([TANK, CALM], alone=True)
    root = ET.fromstring(svg)
    texts = [unescape("".join(node.itertext())) for node in root.iter() if node.tag.endswith("text")]
    for text in ("happy <path>", "failed", "smoke", "passed", "LEVEL", "PUMP", "DOOR", "30", "80",
                 "600 ms: off_when_high: PUMP=1 on LEVEL 90 & more", "100 ms: the last reading"):  # fmt: skip
        assert text in texts
    assert "xmlns" not in picture([CALM])  # in a page the parser knows what an svg is


def test_things_stand_at_their_time() -> None:
    svg = picture([TANK])
    at = {ms: round(LEFT + (WIDTH - LEFT - RIGHT) * ms / 1000, 3) for ms in (0, 500, 600, 650, 1000)}
    bars = [
        (float(x), float(width)) for x, width in re.findall(r'<rect x="([\d.]+)" y="[\d.]+" width="([\d.]+)"', svg)
    ]
    assert bars == [(at[0], pytest.approx(at[650] - at[0])), (at[500], pytest.approx(at[1000] - at[500]))]
    assert re.search(rf'<line x1="{at[600]:g}" x2="{at[600]:g}" [^>]*stroke="#c2413a"', svg)
    assert svg.count('fill="none" stroke="currentColor"') == 1  # the door is not driven by the device


@pytest.mark.parametrize(("places", "moved"), [
    ([], []), ([5.0], [5.0]), ([0.0, 20.0], [0.0, 20.0]), ([10.0, 10.0], [4.5, 15.5]),
    ([0.0, 1.0, 2.0], [-10.0, 1.0, 12.0]), ([0.0, 10.0, 14.0], [-3.0, 8.0, 19.0]),
])  # fmt: skip
def test_labels_stand_apart(places: list[float], moved: list[float]) -> None:
    assert apart(places) == pytest.approx(moved)
    assert all(later - earlier > 10.99 for earlier, later in zip(apart(places), apart(places)[1:], strict=False))
