"""C source: reads with side effects and loops over a narrow index, each compiled and run."""

from collections.abc import Callable

from corpora.registers.c_items import CCode
from corpora.registers.draws import Draws
from corpora.registers.families.c_source import OUT, compiled, listing, signed, written
from corpora.registers.family import Family, Params, Question
from corpora.registers.texts import sections

TEXTS = sections("c_effects")


# Reads with side effects: C text, and what it does to acc with `pop` for each read.
Pop = Callable[[], int]


def either(acc: int, pop: Pop, k: int) -> int:
    return acc + pop() if pop() == k or pop() > 200 else acc


def both(acc: int, pop: Pop, k: int) -> int:
    return acc ^ pop() if pop() & 1 and pop() > k else acc + 1


def loop(acc: int, pop: Pop, k: int) -> int:
    for _ in range(3):
        if pop() >= k:
            break
        acc += 10
    return acc


def ternary(acc: int, pop: Pop, k: int) -> int:
    return acc + (pop() if pop() & 1 else k)


def append(acc: int, pop: Pop, k: int) -> int:
    return (acc * 4 + pop() % k) % 2**32


def unevaluated(acc: int, pop: Pop, k: int) -> int:
    return acc + 4 * k


READS: tuple[tuple[str, Callable[[int, Pop, int], int]], ...] = (
    ("if ($dr == {k} || $dr > 200) acc += $dr;", either),
    ("if (($dr & 1) && $dr > {k}) acc ^= $dr; else acc += 1;", both),
    ("for (int i = 0; i < 3 && $dr < {k}; i++) acc += 10;", loop),
    ("acc += $dr & 1 ? $dr : {k};", ternary),
    ("acc = acc * 4 + $dr % {k};", append),
    ("acc += sizeof($dr) * {k};", unevaluated),
)
READS_PRELUDE = """static const int64_t *@fifo;
static volatile uint32_t @word;
static volatile uint32_t *@pop(void) { @word = (uint32_t)*@fifo++; return &@word; }"""


def draw_reads(draws: Draws) -> Params:
    fifo = [draws.integer(1, 255) for _ in range(13)]
    ways = draws.sample(range(len(READS)), 4)
    steps: list[list[int]] = []
    for way in ways:
        constant = fifo[draws.integer(0, 5)] if way == 0 else draws.integer(60, 220)
        steps.append([way, draws.integer(2, 5) if way == 5 else constant])
    return {"fifo": fifo, "steps": steps}


def reads(params: Params) -> int:
    left, acc = iter(params["fifo"]), 0
    for way, constant in params["steps"]:
        acc = READS[way][1](acc, lambda: next(left), constant)
    return acc


def reads_lines(params: Params) -> list[str]:
    return [READS[way][0].format(k=constant) for way, constant in params["steps"]]


def reads_c(params: Params) -> CCode:
    lines = [line.replace("$dr", "(*@pop())") for line in reads_lines(params)]
    return CCode(
        "\n".join(["uint32_t acc = 0;", "@fifo = a;", *lines, "return acc;"]), tuple(params["fifo"]), READS_PRELUDE
    )


def draw_condition(draws: Draws) -> Params:
    """Draw a chain of comparisons that stops at a drawn place."""
    values = draws.sample(range(10, 250), 12)
    asked, fifo, stop = values[:6], values[6:], draws.integer(0, 5)
    fifo[stop] = asked[stop]
    return {"asked": asked, "fifo": fifo, "any": draws.flag()}


def condition(params: Params) -> str:
    sign, glue = ("==", " || ") if params["any"] else ("!=", " && ")
    return glue.join(f"DR {sign} {value}" for value in params["asked"])


def condition_reads(params: Params) -> int:
    pairs = zip(params["asked"], params["fifo"], strict=True)
    return next(k for k, (asked, read) in enumerate(pairs, 1) if asked == read)


def condition_c(params: Params) -> CCode:
    text = condition(params).replace("DR", "(*@pop())")
    for index, value in enumerate(params["asked"]):
        text = text.replace(f"= {value}", f"= a[{6 + index}]", 1)
    body = f"@fifo = a;\nint hit = {text};\n(void)hit;\nreturn @fifo - a;"
    return CCode(body, (*params["fifo"], *params["asked"]), READS_PRELUDE)


# Loops over a narrow index: type, its bits, whether it is signed.
INDEXES = (("uint8_t", 8, False), ("int8_t", 8, True), ("uint16_t", 16, False))


def draw_loop(draws: Draws) -> Params:
    def make() -> Params:
        kind = draws.integer(0, 2)
        up = draws.flag()
        big = 200 if kind == 2 else 1
        return {
            "kind": kind, "up": up, "start": draws.integer(0, 120) * big, "limit": draws.integer(20, 250) * big,
            "step": draws.integer(3, 90) * big + draws.integer(0, 7), "weight": draws.choice((100, 1000)),
        }  # fmt: skip

    def accept(params: Params) -> bool:
        passes = loop_passes(params)
        return passes is not None and 2 <= passes[0] <= 60 and passes[2]

    return draws.until(make, accept)


def loop_passes(params: Params) -> tuple[int, int, bool] | None:
    """Return the passes, the last index, and whether the index wrapped; None for a loop that does not end soon."""
    _, bits, is_signed = INDEXES[params["kind"]]

    def store(value: int) -> int:
        return signed(value, bits) if is_signed else value % 2**bits

    i, wrapped = store(params["start"]), False
    for passes in range(200):
        if not (i != params["limit"] and (i < params["limit"] if params["up"] else i >= params["step"] // 2)):
            return passes, i, wrapped
        exact = i + params["step"] if params["up"] else i - params["step"]
        i = store(exact)
        wrapped = wrapped or i != exact
    return None


def narrow(params: Params) -> int:
    found = loop_passes(params)
    assert found is not None
    return found[0] * params["weight"] + found[1]


def loop_lines(params: Params) -> list[str]:
    test = f"i < {params['limit']}" if params["up"] else f"i >= {params['step'] // 2} && i != {params['limit']}"
    kind, sign = INDEXES[params["kind"]][0], "+=" if params["up"] else "-="
    return [f"{kind} i;", "int n = 0;", f"for (i = <start>; {test}; i {sign} {params['step']}) n++;",
            f"int $out = n * {params['weight']} + i;"]  # fmt: skip


READ = Family(
    name="c_volatile_reads", domain="c_source", kind="integer", tier="hard",
    names={"dr": ("DR", "RXBUF", "DATA", "RDR", "FIFO_OUT", "RXD", "POP")},
    draw=draw_reads, answer=reads, c=reads_c,
    show=lambda p: {"fifo": ", ".join(map(str, p["fifo"])), "code": listing(reads_lines(p))},
    rationale=lambda p: f"Each evaluated operand pops one word, sizeof none: {reads(p)}.",
    wordings=TEXTS["reads"], conventions=TEXTS["reads conventions"], distractors=TEXTS["distractors"],
    isolate=Question(
        kind="integer", tier="easy", draw=draw_condition, answer=condition_reads, c=condition_c,
        show=lambda p: {"fifo": ", ".join(map(str, p["fifo"])), "condition": condition(p)},
        wordings=TEXTS["reads isolate"], rationale=lambda p: "The chain stops at the first operand that decides it.",
    ),
)  # fmt: skip

LOOP = Family(
    name="c_narrow_loop", domain="c_source", kind="integer", tier="hard", names=OUT,
    draw=draw_loop, answer=narrow, c=lambda p: compiled(loop_lines(p), {"start": p["start"]}),
    show=lambda p: {"code": written(loop_lines(p), {"start": p["start"]})},
    rationale=lambda p: f"The index wraps in its type; (passes, last index, wrapped) = {loop_passes(p)}.",
    wordings=TEXTS["loop"], conventions=TEXTS["loop conventions"], distractors=TEXTS["distractors"],
    isolate=Question(
        kind="integer", tier="easy",
        draw=lambda draws: {"start": draws.integer(0, 30), "end": draws.integer(40, 400),
                            "step": draws.integer(2, 17)},
        answer=lambda p: -(-(p["end"] - p["start"]) // p["step"]),
        c=lambda p: CCode("int n = 0;\nfor (int i = a[0]; i < a[1]; i += a[2]) n++;\nreturn n;",
                          (p["start"], p["end"], p["step"])),
        wordings=TEXTS["loop isolate"], rationale=lambda p: f"({p['end']} - {p['start']})/{p['step']} rounded up.",
    ),
)  # fmt: skip

FAMILIES = (READ, LOOP)
