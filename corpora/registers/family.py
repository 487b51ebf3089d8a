"""A family is a generator of questions: it draws parameters, words a question, and knows the answer by two paths.

Question   kind, unit, base, draw → params, answer(params), a second path, wordings: all that one form needs
└── Family   the base form, with a name, a domain, distractors, and an `isolate` form that is a Question of its own
Item       one question as text with its answer: what a sample of the registers track is made of
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from string import Template
from typing import Any, Literal

from corpora.registers.c_items import CCode
from corpora.registers.draws import Draws
from tasks.ids import pick
from warehouse.errors import CorpusError

Kind = Literal["integer", "quantity", "choice"]
Base = Literal["dec", "hex", "bin"]
Tier = Literal["easy", "medium", "hard"]
Variant = Literal["base", "rename", "renumber", "distractor", "isolate"]
Params = dict[str, Any]
Answer = int | Fraction | str

VARIANTS: tuple[Variant, ...] = ("base", "rename", "renumber", "distractor", "isolate")
KINDS: tuple[Kind, ...] = ("integer", "quantity", "choice")
# What `unit` may be; all are spelled as pint reads them, "" is a bare number.
UNITS = (
    "", "s", "ms", "us", "ns", "Hz", "kHz", "MHz", "V", "mV", "uV", "A", "mA", "uA", "bit/s", "kbit/s", "Mbit/s",
    "byte", "kB/s", "percent", "dB", "ohm", "degC", "ppm",
)  # fmt: skip
UNIT_WORDS = {
    "s": "seconds", "ms": "milliseconds", "us": "microseconds", "ns": "nanoseconds", "Hz": "hertz", "kHz": "kilohertz",
    "MHz": "megahertz", "V": "volts", "mV": "millivolts", "uV": "microvolts", "A": "amperes", "mA": "milliamperes",
    "uA": "microamperes", "bit/s": "bits per second", "kbit/s": "kilobits per second", "percent": "percent",
    "Mbit/s": "megabits per second", "byte": "bytes", "kB/s": "kilobytes (1000 bytes) per second", "dB": "decibels",
    "ohm": "ohms", "degC": "degrees Celsius", "ppm": "parts per million",
}  # fmt: skip
BASE_WORDS = {"dec": "decimal", "hex": "hexadecimal", "bin": "binary"}
ASK_INTEGER = (
    "Give the answer as one {base} integer.",
    "Express the result as a single integer in {base} notation.",
    "State the value in {base}, as an integer.",
    "One integer is wanted, written in {base}.",
)
ASK_QUANTITY = (
    "Give the answer in {unit}.",
    "Express the result in {unit}.",
    "State the value in {unit}.",
    "The value is wanted in {unit}.",
)
ASK_NUMBER = ("Give the answer as a number.", "Express the result as one number.", "State it as a plain number.")
ASK_CHOICE = ("Choose one of: {choices}.", "Pick exactly one: {choices}.", "Answer with one of these: {choices}.")


def shown(params: Params) -> dict[str, str]:
    """Return each parameter as text: what a wording's `$placeholders` are filled with unless `show` says otherwise."""
    return {key: str(value) for key, value in params.items()}


@dataclass(frozen=True, kw_only=True)
class Question:
    """One form of a question, for any parameters.

    Args:
        kind: how an answer is compared.
        tier: the author's guess of the difficulty; results give the real one.
        unit: unit of a quantity, one of `UNITS`; an integer may name one for information.
        tolerance: relative tolerance of a quantity, a fraction.
        base: notation that the question asks an integer in.
        choices: what a choice question offers; `aliases` maps a choice to other spellings of it.
        draw: parameters from hash draws; a dict that JSON can hold, keys are identifiers.
        answer: the formula. An int; a Fraction (or int) in `unit`; or one of `choices`.
        second: another path to the answer, written differently (simulation, search, exact fractions).
        c: a C fragment that computes the answer when compiled and run. `second`, `c` or both are needed.
        wordings: at least 8 templates (`$key`, `${key}`; a dollar sign cannot be written), each using every key of
            `show(params)` unless a convention does; see `texts.phrases`.
        show: texts for the placeholders; a text may itself hold `$name` of `names`. Default: `str` of each parameter.
        names: pools of identifiers by placeholder, at least 4 each. Wording 0 takes the first of each pool, the
            others draw one; the answer must not depend on them. A wording need not use them all.
        conventions: what the answer rests on (ABI, rounding, what counts), in one or more phrasings with the same
            meaning; one of them follows each wording, chosen by its index. Templates as wordings are.
        rationale: how the answer follows, as text, from the parameters.
    """

    kind: Kind
    tier: Tier
    draw: Callable[[Draws], Params]
    answer: Callable[[Params], Answer]
    wordings: tuple[str, ...]
    rationale: Callable[[Params], str]
    second: Callable[[Params], Answer] | None = None
    c: Callable[[Params], CCode] | None = None
    show: Callable[[Params], Mapping[str, str]] = shown
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    conventions: tuple[str, ...] = ()
    unit: str = ""
    tolerance: float = 0.0
    base: Base = "dec"
    choices: tuple[str, ...] = ()
    aliases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if (reason := _fault(self)) is not None:
            raise CorpusError(f"A question is declared wrongly: {reason}.")


@dataclass(frozen=True, kw_only=True)
class Family(Question):
    """A generator of items: its own fields are the base form.

    Args:
        name: unique, as `i2c_address_byte`; part of every item's identity and the cluster of statistics.
        domain: as `i2c`, `adc`, `c_source`.
        distractors: at least 2 paragraphs of irrelevant datasheet detail; `[18|22|27]` draws one alternative, and an
            alternative is drawn again where it would give the answer away. May hold `$name` of `names`.
        isolate: the same concept with no bookkeeping.
    """

    name: str
    domain: str
    distractors: tuple[str, ...]
    isolate: Question

    def __post_init__(self) -> None:
        reason = _fault(self) or (f"{len(self.distractors)} distractors, at least 2 are needed"
                                  if len(self.distractors) < 2 else None)  # fmt: skip
        if reason is not None:
            raise CorpusError(f"Family {self.name} is declared wrongly: {reason}.")


@dataclass(frozen=True, kw_only=True)
class Item:
    """One question as text, with its answer and how a reply is compared with it.

    `answer` is canonical: `166`, `0xA6`, `0b1010`; a plain decimal number in `unit` for a quantity; the choice itself.
    """

    family: str
    domain: str
    tier: Tier
    variant: Variant
    question: str
    answer: str
    kind: Kind
    unit: str
    tolerance: float
    base: Base
    choices: tuple[str, ...]
    aliases: Mapping[str, tuple[str, ...]]
    rationale: str
    params: Params
    draw: int
    wording: int

    @property
    def key(self) -> str:
        """`family/variant/draw/wording`, unique in a release."""
        return f"{self.family}/{self.variant}/{self.draw}/{self.wording}"


def _fault(question: Question) -> str | None:
    """Return why the declaration cannot work, or None."""
    pools = [name for pool in question.names.values() for name in pool]
    faults = {
        f"kind {question.kind!r} is none of {', '.join(KINDS)}": question.kind not in KINDS,
        f"unit {question.unit!r} is not in UNITS": question.unit not in UNITS,
        "neither `second` nor `c` is given, so nothing checks the formula": not (question.second or question.c),
        f"{len(question.wordings)} wordings, at least 8 are needed": len(question.wordings) < 8,
        "two wordings are the same": len(set(question.wordings)) < len(question.wordings),
        "a quantity needs a tolerance above 0": question.kind == "quantity" and question.tolerance <= 0,
        "the C path gives no quantity": question.kind == "quantity" and question.c is not None,
        "a choice needs at least 2 choices": question.kind == "choice" and len(question.choices) < 2,
        "an alias is of no choice": not set(question.aliases) <= set(question.choices),
        "a pool of names holds fewer than 4": any(len(pool) < 4 for pool in question.names.values()),
        "two pools of names share one": len(set(pools)) < len(pools),
    }
    return next((reason for reason, wrong in faults.items() if wrong), None)


def form(family: Family, variant: Variant) -> Question:
    """Return the question that a variant asks: the isolate form, or the family itself."""
    return family.isolate if variant == "isolate" else family


def parameters(family: Family, variant: Variant, draw_index: int) -> Params:
    """Return the parameters of a draw; all variants but `isolate` share them."""
    part = "isolate" if variant == "isolate" else "base"
    return form(family, variant).draw(Draws("registers", family.name, part, draw_index))


def canonical(question: Question, value: Answer) -> str:
    """Return the answer as the text that items carry; raises CorpusError for a value of the wrong kind."""
    if question.kind == "choice":
        if value in question.choices:
            return str(value)
    elif question.kind == "integer":
        if isinstance(value, int) and not isinstance(value, bool):
            sign, size = "-" * (value < 0), abs(value)
            return sign + {"dec": f"{size}", "hex": f"0x{size:X}", "bin": f"0b{size:b}"}[question.base]
    elif isinstance(value, int | Fraction):
        return plain(Fraction(value))
    raise CorpusError(f"The answer {value!r} is no {question.kind} answer; return an int, a Fraction or a choice.")


def plain(value: Fraction) -> str:
    """Return the number in decimal with 12 significant digits and no exponent."""
    from decimal import Decimal, localcontext

    with localcontext() as context:
        context.prec = 12
        text = f"{Decimal(value.numerator) / Decimal(value.denominator):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


@cache
def _template(text: str) -> Template:
    return Template(text)


def names_of(family: Family, question: Question, wording_index: int) -> dict[str, str]:
    """Return the identifiers of a wording: the first of each pool for wording 0, else drawn, never the first."""
    if wording_index == 0:
        return {key: pool[0] for key, pool in question.names.items()}
    return {
        key: pool[1 + pick(len(pool) - 1, "registers", family.name, "name", key, wording_index)]
        for key, pool in question.names.items()
    }


def ask(family: Family, question: Question, wording_index: int) -> str:
    """Return the sentence that says how the answer is to be written."""
    if question.kind == "choice":
        order = question.choices
        if wording_index:
            order = tuple(Draws("registers", family.name, "order", wording_index).shuffled(order))
        return ASK_CHOICE[wording_index % len(ASK_CHOICE)].format(choices="; ".join(order))
    if question.kind == "integer":
        return ASK_INTEGER[wording_index % len(ASK_INTEGER)].format(base=BASE_WORDS[question.base])
    if not question.unit:
        return ASK_NUMBER[wording_index % len(ASK_NUMBER)]
    return ASK_QUANTITY[wording_index % len(ASK_QUANTITY)].format(unit=UNIT_WORDS[question.unit])


def render(family: Family, question: Question, params: Params, wording_index: int) -> list[str]:
    """Return the paragraphs of a question: the wording, the conventions, and how to write the answer."""
    texts = dict(question.show(params))
    names = names_of(family, question, wording_index)
    templates = [question.wordings[wording_index % len(question.wordings)]]
    if question.conventions:
        templates.append(question.conventions[wording_index % len(question.conventions)])
    try:
        filled = [_template(text).safe_substitute(texts) for text in templates]
        return [Template(text).substitute(names) for text in filled] + [ask(family, question, wording_index)]
    except (KeyError, ValueError) as error:
        raise CorpusError(
            f"Wording {wording_index} of {family.name} has a placeholder that nothing fills: {error}."
        ) from error


ALTERNATIVES = re.compile(r"\[([^\[\]]*\|[^\[\]]*)\]")
NUMBER = re.compile(r"0[xX][0-9A-Fa-f]+|0[bB][01]+|\d+(?:\.\d+)?")


def gives_away(text: str, answer: str) -> bool:
    """Return whether a paragraph holds the answer: as a number of any notation, or as the words of a choice."""
    found = NUMBER.fullmatch(answer.lstrip("-"))
    if not found:
        return re.search(rf"(?<!\w){re.escape(answer)}(?!\w)", text, re.IGNORECASE) is not None
    return _number(answer.lstrip("-")) in {_number(token) for token in NUMBER.findall(text)}


def _number(token: str) -> Fraction:
    return Fraction(int(token, 0)) if token[:2].lower() in ("0x", "0b") else Fraction(token)


def distractor(family: Family, draw_index: int, wording_index: int, answer: str) -> str:
    """Return a paragraph of irrelevant detail that does not hold the answer; raises CorpusError where none can be."""
    draws = Draws("registers", family.name, "distractor", draw_index, wording_index)
    names = names_of(family, family, wording_index)

    def make() -> str:
        text = draws.choice(family.distractors)
        drawn = ALTERNATIVES.sub(lambda found: draws.choice(found.group(1).split("|")), text)
        return Template(drawn).substitute(names)

    return draws.until(make, lambda text: not gives_away(text, answer))


def item(family: Family, variant: Variant, draw_index: int, wording_index: int) -> Item:
    """Return one item, the same in every process.

    `base` is draw 0 with wording 0; `rename` another wording of the same draw; `renumber` another draw;
    `distractor` the same question with a paragraph of irrelevant detail; `isolate` the isolate form. A wording index
    above the number of wordings starts over with newly drawn names. Raises CorpusError for an index the variant
    cannot have.
    """
    if (variant == "base" and (draw_index or wording_index)) or (variant == "rename" and not wording_index) or (
            variant == "renumber" and not draw_index):  # fmt: skip
        raise CorpusError(
            f"There is no {variant} item of {family.name} with draw {draw_index} and wording {wording_index}: "
            "base is (0, 0), rename has a wording above 0, renumber a draw above 0."
        )
    question = form(family, variant)
    params = parameters(family, variant, draw_index)
    answer = canonical(question, question.answer(params))
    paragraphs = render(family, question, params, wording_index)
    if variant == "distractor":
        place = pick(2, "registers", family.name, "place", draw_index, wording_index)
        paragraphs.insert(place, distractor(family, draw_index, wording_index, answer))
    return Item(
        family=family.name, domain=family.domain, tier=question.tier, variant=variant,
        question="\n\n".join(paragraphs), answer=answer, kind=question.kind, unit=question.unit,
        tolerance=question.tolerance, base=question.base, choices=question.choices, aliases=question.aliases,
        rationale=question.rationale(params), params=params, draw=draw_index, wording=wording_index,
    )  # fmt: skip
