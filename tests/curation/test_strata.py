"""Strata, quotas and samples against slow definitions and properties."""

import os
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.curation.strata import STRATA, apportion, quotas, sample, stratum_of
from warehouse.errors import CorpusError

NAMES = [stratum.name for stratum in STRATA]
PLENTY = dict.fromkeys(NAMES, 10**6)

AVAILABLE = st.fixed_dictionaries({name: st.integers(0, 60) for name in NAMES})
SIZES = st.integers(0, 250)


class Item(NamedTuple):
    name: str
    loc: int
    project: str


def choose(items, size, **options):
    return sample(
        items,
        size,
        key=lambda item: item.name,
        stratum=lambda item: stratum_of(item.loc),
        group=lambda item: item.project,
        **options,
    )


def ideal(available, size):
    """Where the water settles: the level at which min(available, level * share) adds up to the size, exactly."""
    shares = {stratum.name: Fraction(stratum.percent, 100) for stratum in STRATA}
    size = Fraction(min(size, sum(available.values())))
    levels = sorted({Fraction(available[name]) / shares[name] for name in NAMES})
    below = Fraction(-1)
    for level in levels:
        if sum(min(Fraction(available[name]), level * shares[name]) for name in NAMES) >= size:
            free = [name for name in NAMES if Fraction(available[name]) / shares[name] > below]
            full = sum(available[name] for name in NAMES if name not in free)
            exact = (size - full) / sum(shares[name] for name in free)
            return {name: min(Fraction(available[name]), exact * shares[name]) for name in NAMES}
        below = level
    return {name: Fraction(available[name]) for name in NAMES}


def test_the_strata_are_those_of_the_paper():
    assert [(stratum.name, stratum.percent) for stratum in STRATA] == [
        ("[0,20]", 20),
        ("(20,50]", 30),
        ("(50,100]", 30),
        ("(100,200]", 15),
        ("(200,∞)", 5),
    ]


@pytest.mark.parametrize(
    ("loc", "name"),
    [(0, 0), (20, 0), (21, 1), (50, 1), (51, 2), (100, 2), (101, 3), (200, 3), (201, 4), (10**6, 4)],
)
def test_each_length_has_one_stratum(loc, name):
    assert stratum_of(loc) == NAMES[name]


def test_a_negative_length_is_refused():
    with pytest.raises(CorpusError, match="-1 lines"):
        stratum_of(-1)


def test_the_paper_s_size_over_the_strata():
    assert list(quotas(PLENTY, 1426).values()) == [285, 428, 428, 214, 71]


def test_a_short_stratum_is_shared_out_in_proportion():
    got = quotas({**PLENTY, "(200,∞)": 0, "(100,200]": 10}, 810)
    assert got == {"[0,20]": 200, "(20,50]": 300, "(50,100]": 300, "(100,200]": 10, "(200,∞)": 0}


def test_redistribution_goes_on_until_it_settles():
    """Each hand-out fills the next stratum: one round of it would overfill or fall short."""
    available = {"[0,20]": 30, "(20,50]": 40, "(50,100]": 1000, "(100,200]": 20, "(200,∞)": 1}
    assert quotas(available, 200) == {**available, "(50,100]": 109}


@given(AVAILABLE, SIZES)
def test_totals_are_exact_and_no_stratum_gives_more_than_it_has(available, size):
    got = quotas(available, size)
    assert sum(got.values()) == min(size, sum(available.values()))
    assert list(got) == NAMES
    assert all(0 <= got[name] <= available[name] for name in NAMES)


@given(AVAILABLE, SIZES)
def test_each_quota_is_its_exact_share_rounded_down_or_up(available, size):
    exact = ideal(available, size)
    assert sum(exact.values()) == min(size, sum(available.values()))
    for name, count in quotas(available, size).items():
        assert abs(count - exact[name]) < 1


@given(AVAILABLE, SIZES, st.sampled_from(NAMES), st.integers(1, 40))
def test_more_to_choose_from_never_lowers_the_quota_of_a_stratum(available, size, name, more):
    richer = {**available, name: available[name] + more}
    assert quotas(richer, size)[name] >= quotas(available, size)[name]


@given(SIZES)
def test_a_greater_share_never_gets_less(size):
    got = quotas(PLENTY, size)
    for one in STRATA:
        for other in STRATA:
            if one.percent > other.percent:
                assert got[one.name] >= got[other.name]


@given(AVAILABLE, SIZES, st.randoms(use_true_random=False))
def test_the_order_of_the_counts_does_not_matter(available, size, random):
    names = NAMES[:]
    random.shuffle(names)
    assert quotas({name: available[name] for name in names}, size) == quotas(available, size)


def test_an_unknown_stratum_is_refused():
    with pytest.raises(CorpusError, match="no stratum 'long'"):
        quotas({"long": 3}, 1)


def test_a_weight_of_zero_takes_nothing():
    assert apportion({"a": 0, "b": 1}, {"a": 5, "b": 2}, 4) == {"a": 0, "b": 2}


def pool(seed=1, projects=(("big", 400), ("small", 30), ("mid", 150))):
    random = Random(seed)
    return [
        Item(f"{project}/{n}", min(int(random.expovariate(1 / 45)), 400), project)
        for project, count in projects
        for n in range(count)
    ]


@given(st.integers(0, 700), st.randoms(use_true_random=False))
def test_a_sample_is_the_same_set_in_the_same_order_whatever_the_order_of_the_items(size, random):
    items = pool()
    chosen, left = choose(items, size)
    shuffled = items[:]
    random.shuffle(shuffled)
    assert choose(shuffled, size) == (chosen, left)
    assert len(chosen) == min(size, len(items))
    assert sorted(chosen + left) == sorted(items)
    have = Counter(stratum_of(item.loc) for item in items)
    taken = Counter(stratum_of(item.loc) for item in chosen)
    wanted = quotas(have, size)
    assert all(taken[name] == wanted[name] for name in NAMES)


def test_a_small_project_beside_a_huge_one_still_shows():
    items = [Item(f"huge/{n}", 10, "huge") for n in range(2000)] + [Item(f"tiny/{n}", 10, "tiny") for n in range(20)]
    chosen, _ = choose(items, 100)
    per_project = Counter(item.project for item in chosen)
    # Half of 100 would be an equal share; a quarter of it is the floor: 250 / (2000 + 250) of 100, about 11.
    assert per_project["tiny"] in (11, 12)
    assert per_project["huge"] == 100 - per_project["tiny"]


def test_projects_above_the_floor_share_in_proportion():
    items = [Item(f"{name}/{n}", 10, name) for name, count in (("a", 300), ("b", 600)) for n in range(count)]
    assert Counter(item.project for item in choose(items, 90)[0]) == {"a": 30, "b": 60}


@pytest.mark.parametrize("cap", [0, 1, 25, 10**4])
def test_a_cap_is_never_exceeded_and_the_others_fill_up(cap):
    items = pool()
    chosen, left = choose(items, 150, group_quotas={"big": cap})
    per_project = Counter(item.project for item in chosen)
    assert per_project["big"] <= cap
    assert len(chosen) == 150
    assert len(left) == len(items) - 150


def test_caps_limit_the_total_when_there_is_nothing_else():
    chosen, left = choose(pool(), 500, group_quotas={"big": 10, "small": 5, "mid": 7})
    assert Counter(item.project for item in chosen) == {"big": 10, "small": 5, "mid": 7}
    assert len(left) == 558


def test_two_items_of_one_key_are_refused():
    with pytest.raises(CorpusError, match="both called 'x'"):
        choose([Item("x", 1, "a"), Item("x", 30, "b")], 1)


def test_the_choice_does_not_depend_on_the_hash_seed():
    code = (
        "from tasks.curation.strata import sample, stratum_of\n"
        "items = [(f'{p}/{n}', n % 300, p) for p in ('a', 'b', 'c') for n in range(80)]\n"
        "got = sample(items, 50, key=lambda i: i[0], stratum=lambda i: stratum_of(i[1]), group=lambda i: i[2])\n"
        "print([i[0] for i in got[0]])"
    )
    seen = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1")
    }
    assert len(seen) == 1
