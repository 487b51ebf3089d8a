"""Filters choose samples by what they are; a wrong value names the right ones."""

from typing import ClassVar

import pytest

from tasks.contract import BaseSample
from tasks.inference.filters import ALL, FILTERS, chosen
from tasks.inference.selection import samples
from warehouse.errors import UsageError


class Case(BaseSample):
    track: ClassVar[str] = "toy"
    tier: str = "core"
    reasoning_types: tuple[str, ...] = ()
    repair: bool = False

    def suits(self, scenario: str) -> bool:
        return self.repair == (scenario == "bugfix")


class Plain(BaseSample):
    track: ClassVar[str] = "plain"


def case(name: str, **fields: object) -> Case:
    given = {"category": "timer", "cluster": name, "reference": name, "stub": "", "difficulty": "easy"}
    return Case(**{**given, **fields})  # type: ignore[arg-type]


HELD = {
    "a": case("a", created="2026-01-01", reasoning_types=("api_recall", "cross_domain")),
    "b": case("b", created="2026-03-24", difficulty="hard", tier="challenge", reasoning_types=("api_recall",)),
    "c": case("c", category="dma", visibility="private"),
    "d": case("d", category="dma", repair=True),
}


@pytest.mark.parametrize(
    ("asked", "kept"),
    [
        ({}, "abcd"),
        ({"visibility": ["private"]}, "c"),
        ({"visibility": [ALL]}, "abcd"),
        ({"category": ["dma"]}, "cd"),
        ({"category": ["dma", "timer"], "visibility": ["public"]}, "abd"),
        ({"difficulty": ["hard"]}, "b"),
        ({"tier": ["core"]}, "acd"),
        ({"reasoning": ["cross_domain"]}, "a"),
        ({"reasoning": ["cross_domain", "api_recall"]}, "ab"),
        ({"after_date": ["2026-01-01"]}, "b"),
        ({"after_date": ["2025-12-31"]}, "ab"),
        ({"after_date": []}, "abcd"),
        ({"difficulty": ["easy"], "tier": ["challenge"]}, ""),
    ],
)
def test_a_filter_keeps_what_has_one_of_the_values(asked: dict[str, list[str]], kept: str) -> None:
    assert "".join(chosen(HELD, asked)) == kept


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"category": ["dam"]}, "The release has no category dam; it has dma, timer."),
        ({"tier": ["boss"]}, "The release has no tier boss; it has challenge, core."),
        ({"visibility": ["secret"]}, "it has private, public."),
        ({"after_date": ["soon"]}, "--after-date takes a day such as 2026-03-24, not 'soon'."),
        ({"colour": ["red"]}, "There is no filter 'colour'; there are visibility, category,"),
    ],
)
def test_a_wrong_value_names_the_known_ones(asked: dict[str, list[str]], said: str) -> None:
    with pytest.raises(UsageError) as error:
        chosen(HELD, asked)
    assert said in str(error.value)


def test_a_track_that_says_nothing_of_a_filter_is_named() -> None:
    held = {"a": Plain(category="x", cluster="x", reference="", stub="")}
    with pytest.raises(UsageError, match="No sample of the release says its tier, so --tier cannot choose"):
        chosen(held, {"tier": ["core"]})


def test_every_filter_is_an_option_of_run_and_grade() -> None:
    import inspect

    from flows.cli import grade, run

    for command in (run, grade):
        assert set(FILTERS) <= set(inspect.signature(command).parameters)


def test_samples_for_one_scenario_are_asked_in_no_other() -> None:
    assert set(samples(HELD)) == {"a", "b", "c"}
    assert set(samples(HELD, scenario="bugfix")) == {"d"}
    with pytest.raises(UsageError, match="no sample for the scenario bugfix"):
        samples({"a": HELD["a"]}, scenario="bugfix")
    with pytest.raises(UsageError, match="no sample for --difficulty easy, --tier challenge"):
        samples(HELD, None, {"difficulty": ["easy"], "tier": ["challenge"]})


def test_a_limit_takes_each_category_in_turn_and_the_same_ones_again() -> None:
    held = {f"{kind}{n}": case(f"{kind}{n}", category=kind) for kind in ("dma", "timer") for n in range(5)}
    drawn = samples(held, 4)
    assert [key[:-1] for key in drawn] == ["dma", "timer"] * 2
    assert drawn.keys() == samples(dict(reversed(held.items())), 4).keys()
