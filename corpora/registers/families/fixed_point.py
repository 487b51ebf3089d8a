"""Fixed-point filters and controllers: rounding at each step, saturation, floors of negative numbers."""

from fractions import Fraction
from math import floor

from corpora.registers.c_items import CCode
from corpora.registers.draws import Draws
from corpora.registers.family import Family, Params, Question
from corpora.registers.tables import listed
from corpora.registers.texts import sections

TEXTS = sections("fixed_point")
SIGNALS = ("microphone", "phase current", "gyro rate", "bus voltage", "strain gauge", "knock sensor")
CORES = ("a Cortex-M4", "a dsPIC", "a C28x", "an RX core", "a RISC-V core")
PLANTS = ("a heater", "a fan", "a pump", "a buck converter", "a winch")

HIGH = (1 << 15) - 1
C_SATURATE = """
static int64_t @sat(int64_t v, int64_t limit) { return v > limit ? limit : v < -limit - 1 ? -limit - 1 : v; }
"""


def saturate(value: int, limit: int = HIGH) -> int:
    return max(-limit - 1, min(limit, value))


def rounded(value: Fraction) -> int:
    """Return the nearest integer, a half going up."""
    return floor(value + Fraction(1, 2))


def draw_fir(draws: Draws) -> Params:
    clips = draws.integer(0, 9) == 0

    def make() -> Params:
        return {
            "taps": [draws.integer(-24000, 30000) for _ in range(4)],
            "samples": [draws.integer(-32768, 32767) for _ in range(4)], "gain": draws.integer(180, 700),
        }  # fmt: skip

    def sensible(params: Params) -> bool:
        """Saturated or not as wanted; where not, leaving out the rounding gives another number."""
        output = fir_output(params)
        clipped = not -HIGH <= output < HIGH
        return abs(output) > 500 and clipped == clips and (clipped or output != fir_output(params, 0, 0))

    return draws.until(make, sensible)


def fir_output(params: Params, half: int = 1 << 14, gain_half: int = 1 << 7) -> int:
    total = sum(tap * sample for tap, sample in zip(params["taps"], reversed(params["samples"]), strict=True))
    filtered = saturate((total + half) >> 15)
    return saturate((filtered * params["gain"] + gain_half) >> 8)


def fir_by_fractions(params: Params) -> int:
    """Work with the numbers that the formats stand for, and count in steps of 2^-15 at the end."""
    step = Fraction(1, 1 << 15)
    line = [Fraction(sample) * step for sample in params["samples"]]
    value = Fraction(0)
    for delay, tap in enumerate(params["taps"]):
        value += tap * step * line[-1 - delay]
    value = min(max(rounded(value / step), -(2**15)), 2**15 - 1) * step
    value = rounded(value * Fraction(params["gain"], 256) / step) * step
    return int(min(max(value, Fraction(-1)), 1 - step) / step)


FIR_C = """
    int64_t acc = 0;
    for (int k = 0; k < 4; k++) acc += (int32_t)a[k] * (int32_t)a[4 + 3 - k];
    int16_t y = (int16_t)@sat((acc + 0x4000) >> 15, 32767);
    return @sat(((int32_t)y * (int32_t)a[8] + 0x80) >> 8, 32767);
"""


def fir_text(params: Params) -> str:
    total = sum(tap * sample for tap, sample in zip(params["taps"], reversed(params["samples"]), strict=True))
    return (
        f"The sum of products is {total}; (sum + 16384) >> 15 = {(total + 16384) >> 15}, saturated "
        f"{saturate((total + 16384) >> 15)}; times {params['gain']}/256, rounded and saturated: {fir_output(params)}."
    )


FIR = Family(
    name="fixed_fir_q15", domain="fixed_point", kind="integer", tier="hard",
    draw=draw_fir, answer=fir_output, second=fir_by_fractions, rationale=fir_text,
    c=lambda p: CCode(FIR_C, (*p["taps"], *p["samples"], p["gain"]), C_SATURATE),
    show=lambda p: {"taps": listed(p["taps"]), "samples": listed(p["samples"]), "gain": str(p["gain"])},
    wordings=TEXTS["fir"], conventions=TEXTS["fir conventions"], distractors=TEXTS["distractors"],
    names={"signal": SIGNALS, "core": CORES},
    isolate=Question(
        kind="integer", tier="easy",
        draw=lambda draws: {"one": draws.integer(-32768, 32767), "two": draws.integer(-32768, 32767)},
        answer=lambda p: saturate((p["one"] * p["two"] + 16384) >> 15),
        second=lambda p: min(rounded(Fraction(p["one"] * p["two"], 2**15)), 32767),
        wordings=TEXTS["fir isolate"],
        rationale=lambda p: f"({p['one'] * p['two']} + 16384) >> 15.",
    ),
)  # fmt: skip


def draw_iir(draws: Draws) -> Params:
    def make() -> Params:
        return {
            "b": [draws.integer(-6000, 14000) for _ in range(3)],
            "a": [draws.integer(-24000, 24000), draws.integer(-9000, 13000)],
            "inputs": [draws.integer(-20000, 20000) for _ in range(3)],
        }  # fmt: skip

    def sensible(params: Params) -> bool:
        """The last output is not saturated, and leaving out the rounding gives another one."""
        output = iir_outputs(params)[-1]
        return 300 < abs(output) < HIGH and output != iir_outputs(params, 0)[-1]

    return draws.until(make, sensible)


def iir_outputs(params: Params, half: int = 1 << 13) -> list[int]:
    """Run the difference equation with shifts."""
    (b0, b1, b2), (a1, a2) = params["b"], params["a"]
    x1 = x2 = y1 = y2 = 0
    outputs = []
    for x0 in params["inputs"]:
        y0 = saturate((b0 * x0 + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2 + half) >> 14)
        outputs.append(y0)
        x1, x2, y1, y2 = x0, x1, y0, y1
    return outputs


def iir_by_fractions(params: Params) -> int:
    """Convolve whole histories with coefficients as exact fractions."""
    forward = [Fraction(one, 2**14) for one in params["b"]]
    back = [Fraction(one, 2**14) for one in params["a"]]
    heard, said = [0, 0, *params["inputs"]], [0, 0]
    for now in range(2, len(heard)):
        exact = sum((forward[delay] * heard[now - delay] for delay in range(3)), Fraction(0))
        exact -= back[0] * said[-1] + back[1] * said[-2]
        said.append(min(max(rounded(exact), -32768), 32767))
    return said[-1]


IIR_C = """
    int16_t x[3] = {0}, y[3] = {0};
    for (int n = 0; n < 3; n++) {
        x[2] = x[1]; x[1] = x[0]; x[0] = (int16_t)a[5 + n];
        int64_t acc = a[0] * x[0] + a[1] * x[1] + a[2] * x[2] - a[3] * y[0] - a[4] * y[1];
        y[1] = y[0];
        y[0] = (int16_t)@sat((acc + (1 << 13)) >> 14, 32767);
    }
    return y[0];
"""

IIR = Family(
    name="fixed_iir_biquad", domain="fixed_point", kind="integer", tier="hard",
    draw=draw_iir, answer=lambda p: iir_outputs(p)[-1], second=iir_by_fractions,
    c=lambda p: CCode(IIR_C, (*p["b"], *p["a"], *p["inputs"]), C_SATURATE),
    show=lambda p: {"b": listed(p["b"]), "a": listed(p["a"]), "inputs": listed(p["inputs"])},
    rationale=lambda p: f"The outputs are {listed(iir_outputs(p))}.",
    wordings=TEXTS["iir"], conventions=TEXTS["iir conventions"], distractors=TEXTS["distractors"],
    names={"signal": SIGNALS, "core": CORES},
    isolate=Question(
        kind="integer", tier="easy",
        draw=lambda draws: {"x": draws.integer(-4000, 4000), "y": draws.integer(-4000, 4000),
                            "k": draws.integer(2, 6)},
        answer=lambda p: p["y"] + ((p["x"] - p["y"]) >> p["k"]),
        second=lambda p: p["y"] + floor(Fraction(p["x"] - p["y"], 2 ** p["k"])),
        wordings=TEXTS["iir isolate"],
        rationale=lambda p: f"{p['x'] - p['y']} shifted right by {p['k']}, rounding down, is added to {p['y']}.",
    ),
)  # fmt: skip


def draw_controller(draws: Draws) -> Params:
    def make() -> Params:
        target = draws.integer(-40, 120) * 256 // 4
        return {
            "target": target, "kp": draws.integer(100, 1200), "ki": draws.integer(20, 400),
            "readings": [target + draws.integer(-6000, 6000) for _ in range(4)],
            "limit": draws.choice((6400, 9600, 12800, 16384)),
        }  # fmt: skip

    def telling(params: Params) -> bool:
        """The output limit was met on the way, and not at the end."""
        outputs = controller_outputs(params)
        return (
            params["target"] not in params["readings"]
            and abs(outputs[-1]) < params["limit"] <= max(abs(one) for one in outputs)
        )  # fmt: skip

    return draws.until(make, telling)


def controller_outputs(params: Params) -> list[int]:
    limit, integral, outputs = params["limit"], 0, []
    for reading in params["readings"]:
        error = params["target"] - reading
        grown = integral + (params["ki"] * error >> 8)
        raw = (params["kp"] * error >> 8) + grown
        outputs.append(max(-limit, min(limit, raw)))
        if raw == outputs[-1] or (raw > 0) != (error > 0):
            integral = grown
    return outputs


def controller_by_fractions(params: Params) -> int:
    """Keep the state in real units; floors only where the program shifts."""
    unit = Fraction(1, 256)
    limit, total, out = params["limit"] * unit, Fraction(0), Fraction(0)
    for reading in params["readings"]:
        error = (params["target"] - reading) * unit
        p_part = floor(params["kp"] * unit * error / unit) * unit
        candidate = total + floor(params["ki"] * unit * error / unit) * unit
        wanted = p_part + candidate
        out = limit if wanted > limit else -limit if wanted < -limit else wanted
        pushes_further = (wanted > limit and error > 0) or (wanted < -limit and error <= 0)
        total = total if pushes_further else candidate
    return int(out / unit)


CONTROLLER_C = """
    int64_t integral = 0, out = 0;
    for (int n = 0; n < 4; n++) {
        int64_t error = a[0] - a[4 + n];
        int64_t grown = integral + ((a[2] * error) >> 8), raw = ((a[1] * error) >> 8) + grown;
        out = raw > a[3] ? a[3] : raw < -a[3] ? -a[3] : raw;
        if (raw == out || (raw > 0) != (error > 0)) integral = grown;
    }
    return out;
"""

CONTROLLER = Family(
    name="fixed_pi_controller", domain="fixed_point", kind="integer", tier="hard",
    draw=draw_controller, answer=lambda p: controller_outputs(p)[-1], second=controller_by_fractions,
    c=lambda p: CCode(CONTROLLER_C, (p["target"], p["kp"], p["ki"], p["limit"], *p["readings"])),
    show=lambda p: {key: str(p[key]) for key in ("target", "kp", "ki", "limit")} | {"readings": listed(p["readings"])},
    rationale=lambda p: f"The outputs are {listed(controller_outputs(p))}.",
    wordings=TEXTS["controller"], conventions=TEXTS["controller conventions"], distractors=TEXTS["distractors"],
    names={"plant": PLANTS, "core": CORES},
    isolate=Question(
        kind="integer", tier="easy",
        draw=lambda draws: {"gain": draws.integer(20, 900), "error": -draws.integer(3, 4000)},
        answer=lambda p: (p["gain"] * p["error"]) >> 8,
        second=lambda p: floor(Fraction(p["gain"] * p["error"], 256)),
        wordings=TEXTS["controller isolate"],
        rationale=lambda p: f"{p['gain'] * p['error']} / 256, rounded down.",
    ),
)  # fmt: skip

FAMILIES = (FIR, IIR, CONTROLLER)
