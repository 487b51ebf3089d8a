"""Window items that show the target only where two of them meet."""

from corpora.code.seams import without_seams
from tasks.contract import ContextItem
from tasks.mining.leaks import leaks

FIRST = "  configure_the_output_stage_of(channel, PWM_MODE_EDGE_ALIGNED, 0x1234);"
SECOND = "  enable_the_interrupt_of_channel(channel, PRIORITY_LOW, on_channel_done);"
THIRD = "  start_the_timer_behind_channel(channel, TIMER_RELOAD, channel_period_ms);"
TARGET = f"void start(int channel)\n{{\n{FIRST}\n{SECOND}\n{THIRD}\n}}"


def window(rank, line, text):
    return ContextItem(kind="window", rank=rank, name="before", start_line=line, found_by="text", text=text)


def test_items_that_leak_together_are_not_kept_together():
    near = window(0, 40, f"{THIRD}\n  other();\n}}")
    far = window(1, 30, f"void begin(int channel)\n{{\n{FIRST}\n{SECOND}")
    assert leaks(f"{far.text}\n{near.text}", TARGET)
    assert without_seams([near, far], TARGET) == (near,)


def test_items_that_do_not_meet_are_kept():
    items = [window(0, 40, THIRD), window(1, 35, "int between;\nvoid more(void);"), window(2, 30, FIRST)]
    assert without_seams(items, TARGET) == tuple(items)


def test_kinds_do_not_meet():
    call = ContextItem(kind="calls", rank=0, name="f", found_by="index", text=f"{FIRST}\n{SECOND}"[: len(FIRST)])
    assert without_seams([call, window(0, 1, SECOND)], TARGET) == (call, window(0, 1, SECOND))
