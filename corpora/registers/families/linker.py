"""Memory layout: where a linker places sections, what sorting by alignment saves, how deep a stack must be."""

from itertools import product

from corpora.registers.draws import Draws
from corpora.registers.family import Family, Params, Question
from corpora.registers.tables import table
from corpora.registers.texts import sections

TEXTS = sections("linker")
PRODUCTS = ("a thermostat", "a bike computer", "a dive watch", "a drum machine", "a weather station")
MODULES = ("comms.o", "sensor_hub.o", "storage.o", "motion.o", "audio.o")

ASKED = {
    "data": "the load address of .data",
    "ramfunc": "the load address of .ramfunc",
    "bss": "the first address behind .bss",
    "noinit": "the address of .noinit",
}
IN_FLASH = (".isr_vector", ".text", ".rodata", ".ARM.exidx")
COPIED = (".data", ".ramfunc")
IN_RAM = (".bss", ".noinit")


def draw_layout(draws: Draws) -> Params:
    sizes = {
        ".isr_vector": 4 * draws.integer(48, 130), ".text": draws.integer(9000, 90000),
        ".rodata": draws.integer(300, 9000), ".ARM.exidx": 8 * draws.integer(1, 12), ".data": draws.integer(40, 3000),
        ".ramfunc": 2 * draws.integer(30, 900), ".bss": draws.integer(300, 9000), ".noinit": draws.integer(8, 600),
    }  # fmt: skip
    aligns = {name: draws.choice((4, 8, 16, 32)) for name in sizes} | {".isr_vector": 512}
    return {
        "flash": draws.choice((0x08000000, 0x08004000, 0x08020000, 0x00010000)),
        "ram": draws.choice((0x20000000, 0x20000200, 0x24000000, 0x10000000)),
        "sections": [[name, sizes[name], aligns[name]] for name in (*IN_FLASH, *COPIED, *IN_RAM)],
        "asked": draws.choice(sorted(ASKED)),
    }


def _up(address: int, align: int) -> int:
    return -(-address // align) * align


def layout(params: Params) -> dict[str, tuple[int, int]]:
    """Return load and run address of each section; the load address of one that is not loaded is its run address."""
    flash, ram, places = params["flash"], params["ram"], {}
    for name, size, align in params["sections"]:
        if name in IN_FLASH:
            run = load = _up(flash, align)
            flash = load + size
        elif name in COPIED:
            load, run = _up(flash, align), _up(ram, align)
            flash, ram = load + size, run + size
        else:
            load = run = _up(ram, align)
            ram = run + size
        places[name] = load, run
    return places


def layout_address(params: Params) -> int:
    places = layout(params)
    if params["asked"] == "bss":
        return places[".bss"][1] + next(size for name, size, _ in params["sections"] if name == ".bss")
    return places["." + params["asked"]][params["asked"] == "noinit"]


def layout_by_filling(params: Params) -> int:
    """Fill images of both memories, padding byte by byte, and look where the marks are."""
    flash, ram = bytearray(), bytearray()
    marks: dict[str, int] = {}
    images = {name: [(flash, params["flash"], "load")] for name in IN_FLASH}
    images |= {name: [(flash, params["flash"], "load"), (ram, params["ram"], "run")] for name in COPIED}
    images |= {name: [(ram, params["ram"], "run")] for name in IN_RAM}
    for name, size, align in params["sections"]:
        for image, origin, kind in images[name]:
            while (origin + len(image)) % align:
                image.append(0xFF)
            marks[f"{kind} {name}"] = origin + len(image)
            image.extend(bytes(size))
            marks[f"{kind} {name} end"] = origin + len(image)
    return marks[{"data": "load .data", "ramfunc": "load .ramfunc", "bss": "run .bss end",
                  "noinit": "run .noinit"}[params["asked"]]]  # fmt: skip


def show_layout(params: Params) -> dict[str, str]:
    kinds = dict.fromkeys(IN_FLASH, "flash") | dict.fromkeys(COPIED, "RAM, loaded from flash")
    rows = [(name, size, align, kinds.get(name, "RAM")) for name, size, align in params["sections"]]
    return {
        "flash": f"0x{params['flash']:08X}", "ram": f"0x{params['ram']:08X}", "asked": ASKED[params["asked"]],
        "code": table(("section", "bytes", "alignment", "memory"), rows),
    }  # fmt: skip


def layout_text(params: Params) -> str:
    places = "; ".join(
        f"{name} at 0x{run:08X}" + (f" from 0x{load:08X}" if load != run else "")
        for name, (load, run) in layout(params).items()
    )
    return f"{places}."


LAYOUT = Family(
    name="linker_section_addresses", domain="linker", kind="integer", tier="hard", base="hex",
    draw=draw_layout, answer=layout_address, second=layout_by_filling, show=show_layout, rationale=layout_text,
    wordings=TEXTS["layout"], conventions=TEXTS["layout conventions"], distractors=TEXTS["distractors"],
    names={"product": PRODUCTS},
    isolate=Question(
        kind="integer", tier="easy", base="hex",
        draw=lambda draws: {"end": 0x20000000 + draws.integer(1, 0xFFFF), "align": draws.choice((4, 8, 16, 32, 64))},
        answer=lambda p: _up(p["end"], p["align"]),
        second=lambda p: (p["end"] + p["align"] - 1) & ~(p["align"] - 1),
        show=lambda p: {"end": f"0x{p['end']:08X}", "align": str(p["align"])},
        wordings=TEXTS["layout isolate"],
        rationale=lambda p: f"Round 0x{p['end']:08X} up to a multiple of {p['align']}.",
    ),
)  # fmt: skip


def draw_sorting(draws: Draws) -> Params:
    def make() -> Params:
        return {"variables": [
            [f"v{at}", draws.integer(1, 45), draws.choice((1, 2, 4, 4, 8, 16, 32))] for at in range(1, 8)
        ]}  # fmt: skip

    return draws.until(make, lambda params: saved_bytes(params) >= 4)


def saved_bytes(params: Params) -> int:
    """Place the variables in both orders and compare the ends."""
    ends = []
    for order in (params["variables"], sorted(params["variables"], key=lambda one: -one[2])):
        at = 0
        for _, size, align in order:
            at = _up(at, align) + size
        ends.append(at)
    return ends[0] - ends[1]


def saved_by_counting(params: Params) -> int:
    """Count padding bytes one by one; the sizes are the same in both orders, so padding is what differs."""
    buckets = [[one for one in params["variables"] if one[2] == align] for align in (32, 16, 8, 4, 2, 1)]
    padding = []
    for order in (list(params["variables"]), [one for bucket in buckets for one in bucket]):
        address, count = 0x20000000, 0
        for _, size, align in order:
            while address & (align - 1):
                address, count = address + 1, count + 1
            address += size
        padding.append(count)
    return padding[0] - padding[1]


SORTING = Family(
    name="linker_sort_by_alignment", domain="linker", kind="integer", tier="hard", unit="byte",
    draw=draw_sorting, answer=saved_bytes, second=saved_by_counting,
    show=lambda p: {"code": table(("variable", "bytes", "alignment"), p["variables"])},
    rationale=lambda p: "Sorted, the order is " + ", ".join(
        name for name, _, _ in sorted(p["variables"], key=lambda one: -one[2])
    ) + f"; the section becomes {saved_bytes(p)} bytes shorter.",
    wordings=TEXTS["sorting"], conventions=TEXTS["sorting conventions"], distractors=TEXTS["distractors"],
    names={"module": MODULES},
    isolate=Question(
        kind="integer", tier="easy", unit="byte",
        draw=lambda draws: {"size": draws.integer(1, 60), "align": draws.choice((4, 8, 16, 32))},
        answer=lambda p: -p["size"] % p["align"],
        second=lambda p: next(pad for pad in range(64) if (p["size"] + pad) % p["align"] == 0),
        wordings=TEXTS["sorting isolate"],
        rationale=lambda p: f"From {p['size']} up to a multiple of {p['align']}.",
    ),
)  # fmt: skip

FUNCTIONS = ("poll", "parse", "format", "send", "store", "crc", "copy")
HANDLERS = ("UART_IRQ", "DMA_IRQ", "TIM_IRQ", "ADC_IRQ")


def draw_stack(draws: Draws) -> Params:
    frames, calls = {}, {}
    for at, name in enumerate(FUNCTIONS):
        frames[name] = 8 * draws.integer(1, 20)
        below = FUNCTIONS[at + 1 :]
        calls[name] = sorted(draws.sample(below, min(len(below), draws.integer(0, 2))), key=FUNCTIONS.index)
    for name in ("main", *HANDLERS):
        frames[name] = 8 * draws.integer(1, 12)
        calls[name] = sorted(draws.sample(FUNCTIONS, draws.integer(1, 3) if name == "main" else draws.integer(0, 2)),
                             key=FUNCTIONS.index)  # fmt: skip
    levels = [draws.integer(1, 3) for _ in HANDLERS]
    return {"frames": frames, "calls": calls, "levels": dict(zip(HANDLERS, levels, strict=True)),
            "context": draws.choice((32, 104))}  # fmt: skip


def _depth(params: Params, name: str) -> int:
    return int(params["frames"][name]) + max((_depth(params, callee) for callee in params["calls"][name]), default=0)


def stack_bytes(params: Params) -> int:
    """Add the deepest handler of each level to the deepest path of main."""
    total = _depth(params, "main")
    for level in sorted(set(params["levels"].values())):
        total += params["context"] + max(
            _depth(params, name) for name, own in params["levels"].items() if own == level
        )
    return total


def stack_by_paths(params: Params) -> int:
    """List every call path from every root, then try every way to nest handlers of rising urgency."""

    def paths(root: str) -> list[int]:
        found, open_ = [], [(root, params["frames"][root])]
        while open_:
            name, used = open_.pop()
            found.append(used)
            open_ += [(callee, used + params["frames"][callee]) for callee in params["calls"][name]]
        return found

    choices = [[None, *(name for name in HANDLERS if params["levels"][name] == level)] for level in (3, 2, 1)]
    deepest = {name: max(paths(name)) for name in ("main", *HANDLERS)}
    return max(
        deepest["main"] + sum(params["context"] + deepest[name] for name in nest if name)
        for nest in product(*choices)
    )  # fmt: skip


def show_stack(params: Params) -> dict[str, str]:
    rows = [
        (name, params["levels"].get(name, "-"), params["frames"][name], " ".join(params["calls"][name]) or "-")
        for name in ("main", *HANDLERS, *FUNCTIONS)
    ]
    return {"context": str(params["context"]), "code": table(("function", "priority", "frame", "calls"), rows)}


def stack_text(params: Params) -> str:
    depths = ", ".join(f"{name} {_depth(params, name)}" for name in ("main", *HANDLERS))
    return (
        f"Deepest paths: {depths}. One handler of each of {len(set(params['levels'].values()))} priorities can be "
        f"active, each with {params['context']} bytes of context."
    )


STACK = Family(
    name="linker_stack_depth", domain="linker", kind="integer", tier="hard", unit="byte",
    draw=draw_stack, answer=stack_bytes, second=stack_by_paths, show=show_stack, rationale=stack_text,
    wordings=TEXTS["stack"], conventions=TEXTS["stack conventions"], distractors=TEXTS["distractors"],
    names={"product": PRODUCTS},
    isolate=Question(
        kind="integer", tier="easy", unit="byte",
        draw=lambda draws: {"main": 8 * draws.integer(10, 60), "same": [8 * draws.integer(2, 30) for _ in range(3)],
                            "context": draws.choice((32, 104))},
        answer=lambda p: p["main"] + p["context"] + max(p["same"]),
        second=lambda p: max(p["main"] + p["context"] + one for one in p["same"]),
        show=lambda p: {"main": str(p["main"]), "same": ", ".join(map(str, p["same"])), "context": str(p["context"])},
        wordings=TEXTS["stack isolate"],
        rationale=lambda p: "Handlers of one priority do not nest, so only the deepest counts.",
    ),
)  # fmt: skip

FAMILIES = (LAYOUT, SORTING, STACK)
