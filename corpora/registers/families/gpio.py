"""GPIO: set/reset registers, read-modify-write against a handler, and pin functions in nibbles."""

from collections.abc import Callable
from typing import Any

from corpora.registers.c_items import CCode
from corpora.registers.draws import Draws
from corpora.registers.family import Family, Params, Question
from corpora.registers.texts import sections

TEXTS = sections("gpio")
PORTS = ("GPIOB", "PORTC", "GPIO3", "P1", "PIOA", "IOPORT4", "GPIOE")
REGISTERS = ("ODR", "OUT", "LATD", "DOUT", "PDOR", "PODR", "DATAOUT")
SELECTS = ("AFRL", "PMUX", "MUXSEL", "PFSL", "IOCFG", "FSEL0", "PCTL")
MASK16, MASK32 = 0xFFFF, 0xFFFFFFFF


def listing(lines: list[str]) -> str:
    """Return lines of C as a fenced block."""
    return "```c\n" + "\n".join(lines) + "\n```"


def word16(draws: Draws) -> int:
    return draws.integer(1, 0xFFFE)


# A step on the port: (operation, operand). BSRR carries 32 bits, the others 16.
BSRR_LINES = {
    "bsrr": "$port->BSRR = 0x{:08X};", "brr": "$port->BRR = 0x{:04X};", "xor": "$port->ODR ^= 0x{:04X};",
    "or": "$port->ODR |= 0x{:04X};", "and": "$port->ODR &= 0x{:04X};",
}  # fmt: skip


def draw_bsrr(draws: Draws) -> Params:
    both = draws.integer(1, 0xFF) << draws.integer(0, 8)  # bits that one BSRR write both sets and clears
    conflict = (word16(draws) | both) & MASK16 | ((word16(draws) | both) & MASK16) << 16
    plain = [draws.choice(("brr", "xor", "or", "and")) for _ in range(draws.integer(2, 3))]
    steps: list[list[Any]] = [[name, word16(draws)] for name in plain]
    steps.append(["bsrr", word16(draws) | word16(draws) << 16])
    steps.append(["bsrr", conflict])
    return {"start": word16(draws), "steps": draws.shuffled(steps)}


def bsrr(params: Params) -> int:
    state = params["start"]
    for name, value in params["steps"]:
        if name == "bsrr":
            state = state & ~(value >> 16) | value & MASK16
        elif name == "brr":
            state &= ~value
        elif name == "xor":
            state ^= value
        elif name == "or":
            state |= value
        else:
            state &= value
    return state & MASK16


def bsrr_by_pins(params: Params) -> int:
    """Follow each pin alone; the last write that touches it decides, counting toggles after it."""
    levels = ""
    for pin in reversed(range(16)):
        level = format(params["start"], "016b")[15 - pin] == "1"
        for name, value in params["steps"]:
            low, high = bool(value & 1 << pin), bool(value & 1 << pin + 16)
            level = {
                "bsrr": low or (level and not high), "brr": level and not low, "xor": level != low,
                "or": level or low, "and": level and low,
            }[name]  # fmt: skip
        levels += str(int(level))
    return int(levels, 2)


def show_bsrr(params: Params) -> dict[str, str]:
    lines = [BSRR_LINES[name].format(value) for name, value in params["steps"]]
    return {"start": f"0x{params['start']:04X}", "code": listing(lines)}


# How a statement changes a 16-bit register, and how it is written.
CHANGES: dict[str, tuple[str, Callable[[int, int], int]]] = {
    "or": ("|= 0x{:04X}", lambda old, mask: old | mask),
    "clear": ("&= ~0x{:04X}", lambda old, mask: old & ~mask & MASK16),
    "xor": ("^= 0x{:04X}", lambda old, mask: old ^ mask),
    "add": ("+= 0x{:04X}", lambda old, mask: old + mask & MASK16),
}
PLACES = ("before its load", "between its load and its store", "between its load and its store", "after its store")


def statement(change: list[Any]) -> str:
    name, mask = change
    return f"$reg {CHANGES[name][0].format(mask)};"


def draw_race(draws: Draws) -> Params:
    steps = []
    for _ in range(3):
        own = [draws.choice(("or", "clear", "xor", "add")), word16(draws)]
        steps.append(
            {"main": own, "place": draws.choice(PLACES), "isr": [draws.choice(tuple(CHANGES)), word16(draws)]}
        )
    return {"start": word16(draws), "steps": steps}


def race(params: Params) -> int:
    """Between load and store the handler's change is lost; elsewhere the two changes follow each other."""
    state = params["start"]
    for step in params["steps"]:
        order = [step["main"]]
        if step["place"] == PLACES[0]:
            order.insert(0, step["isr"])
        elif step["place"] == PLACES[3]:
            order.append(step["isr"])
        for name, mask in order:
            state = CHANGES[name][1](state, mask)
    return state


def race_by_instructions(params: Params) -> int:
    """Run a little machine with one CPU register, instruction by instruction."""
    memory, cpu = params["start"], 0
    for step in params["steps"]:
        handler = {PLACES[0]: 0, PLACES[1]: 1, PLACES[3]: 3}[step["place"]]
        for instruction in range(4):
            if instruction == handler:
                name, mask = step["isr"]
                memory = {"or": memory | mask, "clear": memory - (memory & mask), "xor": memory ^ mask,
                          "add": (memory + mask) % 65536}[name]  # fmt: skip
            if instruction == 0:
                cpu = memory
            elif instruction == 1:
                name, mask = step["main"]
                cpu = {"or": cpu | mask, "clear": cpu - (cpu & mask), "xor": cpu ^ mask, "add": (cpu + mask) % 65536}[
                    name
                ]
            elif instruction == 2:
                memory = cpu
    return memory


def show_race(params: Params) -> dict[str, str]:
    lines = []
    for step in params["steps"]:
        lines.append(f"{statement(step['main'])}   /* {step['place']} the handler runs: {statement(step['isr'])} */")
    return {"start": f"0x{params['start']:04X}", "code": listing(lines)}


def mode_lines(params: Params) -> list[str]:
    lines = []
    for pin, value, way in params["steps"]:
        shift = 4 * pin
        if way == "proper":
            lines.append(f"$reg = ($reg & ~(0xFu << {shift})) | ({value}u << {shift});")
        elif way == "uncleared":
            lines.append(f"$reg |= {value}u << {shift};")
        elif way == "short":  # a mask that is too narrow
            lines.append(f"$reg = ($reg & ~(0x3u << {shift})) | ({value}u << {shift});")
        elif way == "toggle":
            lines.append(f"$reg ^= {value}u << {shift};")
        else:  # unshifted mask
            lines.append(f"$reg = ($reg & ~0xFu << {shift}) | ({value}u << {shift});")
    return lines


def draw_mode(draws: Draws) -> Params:
    pins = draws.sample(range(1, 8), 4)
    ways = [*draws.sample(("uncleared", "short", "toggle", "unshifted"), 2), "proper", "proper"]
    steps = [[pin, draws.integer(1, 15), way] for pin, way in zip(pins, draws.shuffled(ways), strict=True)]
    return {"start": draws.integer(0x10000000, MASK32), "steps": steps}


def mode(params: Params) -> int:
    word = params["start"]
    for pin, value, way in params["steps"]:
        field = 0xF << 4 * pin
        if way == "proper":
            word &= MASK32 ^ field
        elif way == "short":
            word &= MASK32 ^ (field & 0x33333333)
        elif way == "unshifted":
            word &= MASK32 << 4 * pin + 4  # ~ binds before <<, so the lower fields are cleared as well
        if way == "toggle":
            word ^= value << 4 * pin
        else:
            word |= value << 4 * pin
    return word & MASK32


def mode_c(params: Params) -> CCode:
    lines = [line.replace("$reg", "reg") for line in mode_lines(params)]
    return CCode("uint32_t reg = (uint32_t)a[0];\n" + "\n".join(lines) + "\nreturn reg;", (params["start"],))


BSRR = Family(
    name="gpio_bsrr_sequence", domain="gpio", kind="integer", tier="medium", base="hex",
    draw=draw_bsrr, show=show_bsrr, answer=bsrr, second=bsrr_by_pins, names={"port": PORTS},
    rationale=lambda p: f"{len(p['steps'])} writes to 0x{p['start']:04X}, set winning over reset: 0x{bsrr(p):04X}.",
    wordings=TEXTS["bsrr"], conventions=TEXTS["bsrr conventions"], distractors=TEXTS["distractors"],
    isolate=Question(
        kind="integer", tier="easy", base="hex",
        draw=lambda draws: dict(zip(("up", "down"), draws.sample(range(16), 2), strict=True)),
        answer=lambda p: 1 << p["up"] | 1 << p["down"] + 16,
        second=lambda p: int("".join("01"[n in (p["up"], p["down"] + 16)] for n in reversed(range(32))), 2),
        wordings=TEXTS["bsrr isolate"],
        rationale=lambda p: f"Bit {p['up']} and bit {p['down'] + 16}.",
    ),
)  # fmt: skip

RACE = Family(
    name="gpio_update_race", domain="gpio", kind="integer", tier="hard", base="hex",
    draw=draw_race, show=show_race, answer=race, second=race_by_instructions,
    names={"port": PORTS, "reg": REGISTERS},
    rationale=lambda p: f"What the handler changes between load and store is overwritten: 0x{race(p):04X}.",
    wordings=TEXTS["race"], conventions=TEXTS["race conventions"], distractors=TEXTS["distractors"],
    isolate=Question(
        kind="integer", tier="easy", base="hex",
        draw=lambda draws: {key: draws.integer(1, 0xFE) for key in ("start", "mine", "other")},
        show=lambda p: {key: f"0x{value:02X}" for key, value in p.items()},
        answer=lambda p: p["start"] | p["mine"],
        second=lambda p: sum(1 << n for n in range(8) if (p["start"] >> n | p["mine"] >> n) % 2),
        wordings=TEXTS["race isolate"],
        rationale=lambda p: f"The store overwrites the handler's bits: 0x{p['start']:X} | 0x{p['mine']:X}.",
    ),
)  # fmt: skip

MODE = Family(
    name="gpio_function_fields", domain="gpio", kind="integer", tier="hard", base="hex",
    draw=draw_mode, answer=mode, c=mode_c, names={"port": PORTS, "reg": SELECTS},
    show=lambda p: {"start": f"0x{p['start']:08X}", "code": listing(mode_lines(p))},
    rationale=lambda p: (
        "Fields that are not cleared first, or with a wrong mask, mix with their old bits "
        f"(~0xFu << n clears all bits below the field too): 0x{mode(p):08X}."
    ),
    wordings=TEXTS["mode"], conventions=TEXTS["mode conventions"], distractors=TEXTS["distractors"],
    isolate=Question(
        kind="integer", tier="easy", base="hex",
        draw=lambda draws: {"value": draws.integer(0x10000000, MASK32), "field": draws.integer(0, 7),
                            "new": draws.integer(1, 15)},
        show=lambda p: {"value": f"0x{p['value']:08X}", "field": str(p["field"]), "new": f"0x{p['new']:X}"},
        answer=lambda p: p["value"] & ~(15 << 4 * p["field"]) | p["new"] << 4 * p["field"],
        second=lambda p: int("".join(f"{p['new']:X}" if n == 7 - p["field"] else digit
                                     for n, digit in enumerate(f"{p['value']:08X}")), 16),
        wordings=TEXTS["mode isolate"],
        rationale=lambda p: f"Digit {p['field']} from the right becomes {p['new']:X}.",
    ),
)  # fmt: skip

FAMILIES = (BSRR, RACE, MODE)
