from functools import cache

import pytest

from tasks.grading.similarity import edit_distance, edit_similarity
from tasks.ids import pick


def slow_distance(a, b):
    @cache
    def between(i, j):
        if not i or not j:
            return i + j
        change = between(i - 1, j - 1) + (a[i - 1] != b[j - 1])
        return min(change, between(i - 1, j) + 1, between(i, j - 1) + 1)

    return between(len(a), len(b))


def words(*seed):
    return ["abcd"[pick(4, *seed, at)] for at in range(pick(90, "length", *seed))]


@pytest.mark.parametrize("seed", range(60))
def test_distance_is_levenshtein(seed):
    a, b = words(seed, "a"), words(seed, "b")
    if seed % 3 == 0:  # near each other: a common start and end
        b = a[: len(a) // 3] + b[:5] + a[len(a) // 2 :]
    assert edit_distance(a, b) == slow_distance(tuple(a), tuple(b)) == edit_distance(b, a)


def test_similarity_is_between_0_and_1():
    assert edit_similarity([], []) == 1.0
    assert edit_similarity(["a"], []) == 0.0
    assert edit_similarity(list("abcd"), list("abxd")) == 0.75
    assert edit_similarity(list("ab"), list("xyzw")) == 0.0


def test_long_sequences_end():
    a = [str(pick(50, "a", at)) for at in range(6000)]
    b = [str(pick(50, "b", at)) for at in range(6000)]
    assert 0 < edit_similarity(a, b) < 1
