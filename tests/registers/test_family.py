"""The framework: declarations that cannot work, variants, texts, draws, and the same items in every process."""

import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from corpora.registers.draws import Draws
from corpora.registers.families import MODULES, families
from corpora.registers.family import (
    Family,
    Item,
    Question,
    canonical,
    gives_away,
    item,
    names_of,
    parameters,
    plain,
)
from corpora.registers.texts import phrases, sections
from warehouse.errors import CorpusError

ROOT = Path(__file__).resolve().parents[2]
WORDINGS = tuple(f"Wording {k}: $x plus one on $unit?" for k in range(8))


def toy(**changes: Any) -> Family:
    """Return a small family of the successor of x, with some fields changed."""
    fields: dict[str, Any] = {
        "kind": "integer", "tier": "easy", "draw": lambda draws: {"x": draws.integer(0, 999)},
        "answer": lambda p: p["x"] + 1, "second": lambda p: len(range(p["x"] + 1)), "wordings": WORDINGS,
        "rationale": lambda p: "One more.", "names": {"unit": ("TIM1", "TIM2", "TIM3", "TIM4")},
    }  # fmt: skip
    isolate = Question(**{**fields, "names": {}, "wordings": tuple(f"{k}: after $x?" for k in range(8))})
    own = {"name": "toy", "domain": "toys", "distractors": ("It has [48|64] pins.", "$unit draws [3|5] mA."),
           "isolate": isolate}  # fmt: skip
    return Family(**{**fields, **own, **changes})


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"kind": "real"}, "kind 'real'"),
        ({"unit": "furlong"}, "furlong"),
        ({"second": None}, "nothing checks the formula"),
        ({"wordings": WORDINGS[:7]}, "7 wordings"),
        ({"wordings": (*WORDINGS[:7], WORDINGS[0])}, "the same"),
        ({"kind": "quantity"}, "tolerance"),
        ({"kind": "choice", "choices": ("yes",)}, "2 choices"),
        ({"aliases": {"maybe": ("perhaps",)}}, "alias"),
        ({"names": {"unit": ("A", "B", "C")}}, "fewer than 4"),
        ({"names": {"a": ("A", "B", "C", "D"), "b": ("D", "E", "F", "G")}}, "share one"),
        ({"distractors": ("Only one.",)}, "1 distractors"),
    ],
)
def test_a_declaration_that_cannot_work_is_refused(changes: dict[str, Any], told: str) -> None:
    with pytest.raises(CorpusError, match=told) as caught:
        toy(**changes)
    assert "toy" in str(caught.value)


def test_variants_change_what_they_say_and_nothing_else() -> None:
    family = toy()
    base, rename = item(family, "base", 0, 0), item(family, "rename", 0, 3)
    assert (base.answer, base.params, base.rationale) == (rename.answer, rename.params, rename.rationale)
    assert base.question != rename.question
    assert "TIM1" in base.question
    assert "TIM1" not in rename.question
    renumber = item(family, "renumber", 5, 0)
    assert renumber.question.split()[:2] == base.question.split()[:2]
    assert renumber.params == parameters(family, "base", 5) != base.params
    busy = item(family, "distractor", 5, 0)
    assert set(renumber.question.split("\n\n")) < set(busy.question.split("\n\n"))
    assert busy.answer == renumber.answer
    assert item(family, "isolate", 0, 0).params != base.params


def test_an_index_that_a_variant_cannot_have_is_refused() -> None:
    for variant, draw, wording in (("base", 1, 0), ("base", 0, 1), ("rename", 0, 0), ("renumber", 0, 2)):
        with pytest.raises(CorpusError, match=f"no {variant} item of toy"):
            item(toy(), variant, draw, wording)  # type: ignore[arg-type]


def test_wordings_start_over_with_new_names() -> None:
    family = toy()
    texts = [item(family, "rename", 0, wording).question for wording in range(3, 8 * 9 + 3, 8)]
    assert len(set(texts)) == 3  # wording 3 with TIM2, TIM3 and TIM4
    assert all(text.startswith("Wording 3") for text in texts)


def test_names_of_a_rename_are_never_those_of_the_base() -> None:
    family = toy()
    assert names_of(family, family, 0) == {"unit": "TIM1"}
    drawn = Counter(names_of(family, family, k)["unit"] for k in range(1, 200))
    assert set(drawn) == {"TIM2", "TIM3", "TIM4"}


def test_a_key_names_one_item() -> None:
    family = toy()
    made: list[Item] = [item(family, "renumber", d, w) for d in range(1, 9) for w in range(8)]
    assert len({one.key for one in made}) == len(made) == len({one.question for one in made})


@pytest.mark.parametrize(
    ("base", "value", "text"),
    [("dec", 166, "166"), ("hex", 166, "0xA6"), ("bin", 10, "0b1010"), ("dec", -5, "-5"), ("hex", -255, "-0xFF"),
     ("hex", 0, "0x0")],
)  # fmt: skip
def test_integers_are_written_in_the_base_asked_for(base: Any, value: int, text: str) -> None:
    assert canonical(toy(base=base), value) == text


def test_answers_of_the_wrong_kind_are_refused() -> None:
    choice = toy(kind="choice", choices=("yes", "no"))
    assert canonical(choice, "yes") == "yes"
    for question, value in ((choice, "perhaps"), (toy(), Fraction(1, 2)), (toy(), True), (toy(), "1")):
        with pytest.raises(CorpusError, match=r"no .* answer"):
            canonical(question, value)


@pytest.mark.parametrize(
    ("value", "text"),
    [(Fraction(1, 3), "0.333333333333"), (Fraction(3), "3"), (Fraction(-7, 8), "-0.875"), (Fraction(200), "200"),
     (Fraction(10**9), "1000000000"), (Fraction(1, 10**7), "0.0000001")],
)  # fmt: skip
def test_quantities_are_plain_decimals(value: Fraction, text: str) -> None:
    assert plain(value) == text


@pytest.mark.parametrize(
    ("text", "answer", "given"),
    [
        ("It draws 166 mA.", "166", True), ("It draws 166 mA.", "0xA6", True), ("At 0xA6.", "166", True),
        ("It draws 1660 mA.", "166", False), ("It draws 16.6 mA.", "166", False), ("0.5 V", "0.50", True),
        ("The thread is READY now.", "ready", True), ("It is already on.", "ready", False), ("minus 5", "-5", True),
    ],
)  # fmt: skip
def test_a_paragraph_gives_the_answer_away_in_any_notation(text: str, answer: str, given: bool) -> None:
    assert gives_away(text, answer) is given


def test_a_distractor_never_holds_the_answer() -> None:
    family = toy(distractors=("It has [1|2|3|4] pins.", "It draws [5|6|7] mA."),
                 draw=lambda draws: {"x": draws.integer(0, 7)})  # fmt: skip
    for draw in range(40):
        made = item(family, "distractor", draw, 0)
        (added,) = [part for part in made.question.split("\n\n") if "pins" in part or "mA" in part]
        assert not gives_away(added, made.answer)


def test_a_placeholder_that_nothing_fills_is_named() -> None:
    with pytest.raises(CorpusError, match="missing"):
        item(toy(wordings=(*WORDINGS[:7], "$x on $missing?")), "rename", 0, 7)


def test_a_choice_lists_its_options_in_another_order_when_reworded() -> None:
    family = toy(
        kind="choice", choices=("red", "green", "blue", "grey"), answer=lambda p: "red", second=lambda p: "red"
    )
    orders = {item(family, "rename", 0, k).question.split("\n\n")[-1].split(": ")[1].rstrip(".") for k in range(1, 9)}
    assert len(orders) > 2
    assert all(sorted(order.split("; ")) == ["blue", "green", "grey", "red"] for order in orders)


def test_draws_stay_in_range_and_reach_both_ends() -> None:
    draws = Draws("test", 1)
    assert {draws.integer(3, 6) for _ in range(200)} == {3, 4, 5, 6}
    assert sorted(draws.sample(range(5), 5)) == [0, 1, 2, 3, 4]
    assert draws.until(lambda: draws.integer(0, 9), lambda value: value == 7) == 7
    with pytest.raises(CorpusError, match="No draw"):
        draws.until(lambda: 1, lambda value: value == 2, limit=5)
    assert [Draws("a").integer(0, 10**9), Draws("a").integer(0, 10**9)] == [Draws("a").integer(0, 10**9)] * 2


def test_draws_are_spread_evenly() -> None:
    counts = Counter(Draws("spread", k).integer(0, 9) for k in range(5000))
    expected = 500
    assert sum((count - expected) ** 2 / expected for count in counts.values()) < 27.9  # chi-square, 9 df, p = 0.001


def test_paragraphs_are_joined_and_listings_set_apart() -> None:
    assert phrases("One\ntwo.\n\nBefore: $code after.") == ("One two.", "Before:\n\n$code\n\nafter.")
    assert phrases("$code What?") == ("$code\n\nWhat?",)
    assert set(sections("spi")) >= {"distractors", "burst", "burst isolate"}


def test_the_registry_lists_every_module_once() -> None:
    folder = ROOT / "corpora" / "registers" / "families"
    assert len(set(MODULES)) == len(MODULES)
    assert {path.stem for path in folder.glob("*.py")} - {"__init__"} <= set(MODULES)


def test_two_families_of_one_name_are_refused() -> None:
    with pytest.raises(CorpusError, match="spi_burst_time"):
        families(["spi", "spi"])


def test_items_are_the_same_whatever_the_hash_seed() -> None:
    code = (
        "from corpora.registers.families import families\n"
        "from corpora.registers.family import VARIANTS, item\n"
        "from tasks.ids import digest\n"
        "made = [item(f, v, 0 if v in ('base', 'rename') else 3, 0 if v == 'base' else 2)\n"
        "        for f in families(['spi', 'qnx_ipc', 'c_source', 'bit_fields']).values() for v in VARIANTS]\n"
        "print(digest([[m.key, m.question, m.answer, m.rationale, m.params] for m in made]))\n"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, capture_output=True,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}, text=True, check=True,
        ).stdout
        for seed in ("0", "1", "4242")
    }  # fmt: skip
    assert len(outputs) == 1


def test_an_item_is_a_pure_function_of_its_indices() -> None:
    family = families(["qnx_ipc"])["qnx_thread_state"]
    first = item(family, "renumber", 7, 4)
    item(family, "renumber", 8, 1)
    assert item(family, "renumber", 7, 4) == first == replace(first)
