"""C source: struct padding, bit-field packing, and sizes of arrays and strings, each compiled and run."""

from collections.abc import Callable
from typing import Any

from corpora.registers.c_items import CCode
from corpora.registers.draws import Draws
from corpora.registers.families.c_source import OUT, compiled, listing, signed, written
from corpora.registers.family import Family, Params, Question
from corpora.registers.texts import sections

TEXTS = sections("c_layout")
TAGS = {"tag": ("frame", "slot", "record", "packet", "entry", "job", "sample")}
SIZES = {"uint8_t": 1, "uint16_t": 2, "uint32_t": 4, "uint64_t": 8, "float": 4, "double": 8, "void *": 4}


def draw_padding(draws: Draws) -> Params:
    """Draw members of mixed sizes, some of them arrays; small and large ones alternate so that padding arises."""
    small, large = (
        ("uint8_t", "uint8_t", "uint16_t"),
        ("uint32_t", "uint64_t", "uint16_t", "double", "void *", "float"),
    )
    members = []
    for index in range(draws.integer(5, 7)):
        kind = draws.choice(large if index % 2 else small)
        members.append([kind, "abcdefg"[index], draws.choice((1, 1, 2, 3, 5)) if kind in small else 1])
    return {"members": members, "which": draws.integer(2, len(members) - 1), "index": draws.integer(2, 19),
            "start": 0x20000000 + 8 * draws.integer(1, 0x1FFF)}  # fmt: skip


def layout(members: list[list[Any]]) -> tuple[list[int], int]:
    """Return the offset of each member and the size of the struct."""
    offsets, end, widest = [], 0, 1
    for kind, _, count in members:
        size = SIZES[kind]
        offsets.append(-(-end // size) * size)
        end = offsets[-1] + size * count
        widest = max(widest, size)
    return offsets, -(-end // widest) * widest


def padding(params: Params) -> int:
    offsets, size = layout(params["members"])
    return params["start"] + params["index"] * size + offsets[params["which"]]


def padding_by_bytes(params: Params) -> int:
    """Put down the array byte by byte, adding a byte of padding wherever an address is not aligned."""
    address = params["start"]
    widest = max(SIZES[kind] for kind, _, _ in params["members"])
    for index in range(params["index"] + 1):
        for position, (kind, _, count) in enumerate(params["members"]):
            while address % SIZES[kind]:
                address += 1
            if (index, position) == (params["index"], params["which"]):
                return address
            address += sum(SIZES[kind] for _ in range(count))
        while address % widest:
            address += 1
    raise ArithmeticError("the member was not reached")


def member_lines(members: list[list[Any]]) -> str:
    return "\n".join(
        f"    {kind}{'' if kind[-1] == '*' else ' '}{name}{f'[{count}]' if count > 1 else ''};"
        for kind, name, count in members
    )


def padding_c(params: Params) -> CCode:
    name = params["members"][params["which"]][1]
    body = f"return a[0] + a[1] * sizeof(struct @s) + offsetof(struct @s, {name});"
    pointers = any(kind == "void *" for kind, _, _ in params["members"])
    prelude = f"struct @s {{\n{member_lines(params['members'])}\n}};"
    return CCode(body, (params["start"], params["index"]), prelude, cortex_m_only=pointers)


def show_padding(params: Params) -> dict[str, str]:
    return {
        "code": listing(["struct $tag {", member_lines(params["members"]), "};"]), "index": str(params["index"]),
        "member": params["members"][params["which"]][1], "start": f"0x{params['start']:08X}",
    }  # fmt: skip


# Bit-fields a, b, c, d from bit 0 up; d may be signed.
def draw_packing(draws: Draws) -> Params:
    widths = [draws.integer(2, 7) for _ in range(4)]
    names = "abcd"
    steps: list[list[Any]] = [[names[k], "=", draws.integer(1, 2 ** widths[k] + 90)] for k in range(4)]
    steps.append([draws.choice(names[:3]), "+=", draws.integer(3, 60)])
    steps.append([draws.choice(names[:3]), "-=", draws.integer(3, 60)])
    steps.append([draws.choice(names[:3]), "= d", draws.choice((1, 2, 3))])
    return {"widths": widths, "signed": draws.choice((True, True, False)), "start": draws.integer(1, 0xFFFFFFFF),
            "steps": draws.shuffled(steps)}  # fmt: skip


def packing(params: Params) -> int:
    lows = [sum(params["widths"][:k]) for k in range(4)]
    word = params["start"]

    def read(index: int) -> int:
        width = params["widths"][index]
        value = word >> lows[index] & (1 << width) - 1
        return signed(value, width) if index == 3 and params["signed"] else value

    for name, operator, value in params["steps"]:
        index = "abcd".index(name)
        new = {"=": value, "+=": read(index) + value, "-=": read(index) - value, "= d": read(3) + value}[operator]
        mask = (1 << params["widths"][index]) - 1
        word = word & ~(mask << lows[index]) | (new & mask) << lows[index]
    return word


def packing_fields(params: Params) -> list[str]:
    kinds = ["uint32_t", "uint32_t", "uint32_t", "int32_t" if params["signed"] else "uint32_t"]
    return [
        f"        {kind} {name} : {width};" for kind, name, width in zip(kinds, "abcd", params["widths"], strict=True)
    ]


def packing_lines(params: Params, tag: str) -> list[str]:
    return [
        f"{tag}.{name} = {tag}.d + {value};" if operator == "= d" else f"{tag}.{name} {operator} {value};"
        for name, operator, value in params["steps"]
    ]


def packing_c(params: Params) -> CCode:
    union = ["union {", "    struct {", *packing_fields(params), "    };", "    uint32_t word;", "} u;"]
    lines = [*union, "u.word = a[0];", *packing_lines(params, "u"), "return u.word;"]
    return CCode("\n".join(lines), (params["start"],))


def show_packing(params: Params) -> dict[str, str]:
    union = ["union {", "    struct {", *packing_fields(params), "    };", "    uint32_t word;", "} $tag;"]
    return {"code": listing([*union, f"$tag.word = 0x{params['start']:08X};", *packing_lines(params, "$tag")])}


# Sizes: an expression, and its value for a text of n visible characters with a zero after the first m.
WORDS = ("sensor", "status", "gateway", "boot", "config", "motor", "update", "radio", "battery", "logger")
TERMS: tuple[tuple[str, Callable[[Params], int]], ...] = (
    ("sizeof name", lambda p: len(p["head"]) + len(p["tail"]) + 2),
    ("strlen(name)", lambda p: len(p["head"])),
    ("sizeof p", lambda p: 4),
    ("strlen(p + {skip})", lambda p: len(p["head"]) - p["skip"]),
    ("sizeof buffer", lambda p: p["room"]),
    ("strlen(buffer)", lambda p: len(p["tail"])),
    ("sizeof table / sizeof table[0]", lambda p: p["rows"]),
    ("sizeof table", lambda p: p["rows"] * 2 * p["columns"]),
    ("sizeof table[1]", lambda p: 2 * p["columns"]),
    ("sizeof \"{tail}\"", lambda p: len(p["tail"]) + 1),
    ("sizeof(name[0] + 1)", lambda p: 4),
    ("sizeof &table[0]", lambda p: 4),
)  # fmt: skip


def draw_sizes(draws: Draws) -> Params:
    head, tail = draws.sample(WORDS, 2)
    return {
        "head": head, "tail": tail, "skip": draws.integer(1, 3), "room": draws.integer(12, 40),
        "rows": draws.integer(2, 6), "columns": draws.integer(3, 7),
        "terms": [[term, draws.choice((1, 2, 3, 5))] for term in draws.sample(range(len(TERMS)), 5)],
    }  # fmt: skip


def sizes(params: Params) -> int:
    return sum(TERMS[term][1](params) * factor for term, factor in params["terms"])


def term_text(params: Params, term: int) -> str:
    return TERMS[term][0].format(skip=params["skip"], tail=params["tail"])


def sizes_lines(params: Params) -> list[str]:
    parts = []
    for term, factor in params["terms"]:
        text = term_text(params, term)
        text = text if "/" not in text else f"({text})"
        parts.append(f"{factor} * {text}" if factor > 1 else text)
    return [
        f"static char name[] = \"{params['head']}\\0{params['tail']}\";", "static const char *p = name;",
        f"static char buffer[{params['room']}] = \"{params['tail']}\";",
        f"static uint16_t table[{params['rows']}][{params['columns']}];",
        f"size_t $out = {' + '.join(parts)};",
    ]  # fmt: skip


def sizes_c(params: Params) -> CCode:
    code = compiled(sizes_lines(params), {})
    return CCode(code.body, cortex_m_only=any(term in (2, 11) for term, _ in params["terms"]))


def sizes_by_memory(params: Params) -> int:
    """Build the objects as bytes and measure them."""
    name = bytes(f"{params['head']}\0{params['tail']}\0", "ascii")
    buffer = bytes(params["tail"], "ascii").ljust(params["room"], b"\0")
    table = [[b"\0\0"] * params["columns"] for _ in range(params["rows"])]
    row = b"".join(table[0])
    measured = (
        len(name), name.index(0), len(bytes(4)), name[params["skip"] :].index(0), len(buffer), buffer.index(0),
        len(table), len(row) * len(table), len(row), len(bytes(params["tail"] + "\0", "ascii")), len(bytes(4)),
        len(bytes(4)),
    )  # fmt: skip
    total = 0
    for term, factor in params["terms"]:
        for _ in range(factor):
            total += measured[term]
    return total


PADDING = Family(
    name="c_struct_padding", domain="c_source", kind="integer", tier="hard", base="hex", names=TAGS,
    draw=draw_padding, show=show_padding, answer=padding, second=padding_by_bytes, c=padding_c,
    rationale=lambda p: (
        f"Offset {layout(p['members'])[0][p['which']]} in a struct of {layout(p['members'])[1]} bytes, "
        f"{p['index']} elements after 0x{p['start']:X}."
    ),
    wordings=TEXTS["padding"], conventions=TEXTS["padding conventions"], distractors=TEXTS["distractors"],
    isolate=Question(
        kind="integer", tier="easy",
        draw=lambda draws: {"used": draws.integer(1, 90), "align": draws.choice((2, 4, 8))},
        answer=lambda p: (p["used"] + p["align"] - 1) & ~(p["align"] - 1),
        second=lambda p: next(at for at in range(p["used"], 200) if at % p["align"] == 0),
        wordings=TEXTS["padding isolate"], rationale=lambda p: f"The next multiple of {p['align']}.",
    ),
)  # fmt: skip

PACKING = Family(
    name="c_bitfield_packing", domain="c_source", kind="integer", tier="hard", base="hex",
    names={"tag": ("cfg", "hdr", "ctl", "desc", "mode", "cmd", "setup")},
    draw=draw_packing, show=show_packing, answer=packing, c=packing_c,
    rationale=lambda p: f"Each store keeps the low bits of its field, from bit 0 up: 0x{packing(p):08X}.",
    wordings=TEXTS["packing"], conventions=TEXTS["packing conventions"], distractors=TEXTS["distractors"],
    isolate=Question(
        kind="integer", tier="easy",
        draw=lambda draws: {"width": draws.integer(3, 10), "value": draws.integer(100, 4000)},
        answer=lambda p: p["value"] % 2 ** p["width"],
        c=lambda p: CCode(f"struct {{ uint32_t x : {p['width']}; }} s;\ns.x = a[0];\nreturn s.x;", (p["value"],)),
        wordings=TEXTS["packing isolate"], rationale=lambda p: f"{p['value']} modulo 2^{p['width']}.",
    ),
)  # fmt: skip

SIZE = Family(
    name="c_sizes_of_strings", domain="c_source", kind="integer", tier="medium", names=OUT,
    draw=draw_sizes, answer=sizes, second=sizes_by_memory, c=sizes_c,
    show=lambda p: {"code": written(sizes_lines(p), {})},
    rationale=lambda p: "; ".join(f"{term_text(p, term)} = {TERMS[term][1](p)}" for term, _ in p["terms"]) + ".",
    wordings=TEXTS["sizes"], conventions=TEXTS["sizes conventions"], distractors=TEXTS["distractors"],
    isolate=Question(
        kind="integer", tier="easy",
        draw=lambda draws: dict(zip(("head", "tail"), draws.sample(WORDS, 2), strict=True))
        | {"digits": draws.integer(1, 10 ** draws.integer(1, 6))},
        show=lambda p: {"literal": f"\"{p['head']}{p['digits']}\\0{p['tail']}\""},
        answer=lambda p: len(p["head"]) + len(str(p["digits"])),
        c=lambda p: CCode(f"return strlen(\"{p['head']}{p['digits']}\\0{p['tail']}\");"),
        wordings=TEXTS["sizes isolate"], rationale=lambda p: "strlen stops at the first zero byte.",
    ),
)  # fmt: skip

FAMILIES = (PADDING, PACKING, SIZE)
