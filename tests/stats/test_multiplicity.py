import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from warehouse.errors import WarehouseError
from warehouse.stats.multiplicity import benjamini_hochberg, holm

P_VALUES = st.lists(st.one_of(st.floats(0, 1), st.sampled_from([0.01, 0.05, 1.0])), min_size=1, max_size=25)


@pytest.mark.slow
@settings(max_examples=25)  # statsmodels collects garbage at every call
@given(P_VALUES, st.sampled_from([0.01, 0.05, 0.2]))
def test_both_are_statsmodels(p_values, alpha):
    for ours, name in ((holm, "holm"), (benjamini_hochberg, "fdr_bh")):
        found, (rejected, adjusted, *_) = ours(p_values, alpha=alpha), multipletests(p_values, alpha, name)
        assert found.adjusted == pytest.approx(adjusted.tolist(), abs=1e-12)
        assert found.n == len(p_values)
        close = np.abs(adjusted - alpha) < 1e-12
        assert all(
            mine == theirs for mine, theirs, tie in zip(found.rejected, rejected, close, strict=True) if not tie
        )


@given(P_VALUES)
def test_both_by_their_definition(p_values):
    """The least alpha at which the step-down (step-up) procedure rejects, found from its own thresholds."""
    n, ordered = len(p_values), sorted(p_values)
    for p, by_holm, by_bh in zip(
        p_values, holm(p_values).adjusted, benjamini_hochberg(p_values).adjusted, strict=True
    ):
        rank = ordered.index(p)
        assert by_holm == pytest.approx(min(1, max(ordered[j] * (n - j) for j in range(rank + 1))))
        last = n - 1 - ordered[::-1].index(p)
        assert by_bh == pytest.approx(min(1, *(ordered[j] * n / (j + 1) for j in range(last, n)), 1))


@given(P_VALUES)
def test_a_correction_never_lowers_a_p_value_and_keeps_the_order(p_values):
    for found in (holm(p_values), benjamini_hochberg(p_values)):
        assert all(after >= before - 1e-15 for before, after in zip(found.p_values, found.adjusted, strict=True))
        assert np.all(np.diff(np.array(found.adjusted)[np.argsort(found.p_values, kind="stable")]) >= 0)


def test_a_worked_example():
    """Benjamini & Hochberg 1995: of fifteen p values four stand by theirs, three by Bonferroni's."""
    p = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528,
         0.7590, 1.0]  # fmt: skip
    assert sum(benjamini_hochberg(p).rejected) == 4
    assert sum(holm(p).rejected) == 3


@pytest.mark.parametrize(
    ("p_values", "says"), [([0.1, None], "1 null"), ([0.1, 1.1], "1.1 at row 1"), ([-0.1], "-0.1")]
)
def test_what_is_no_p_value_is_refused(p_values, says):
    for correct in (holm, benjamini_hochberg):
        with pytest.raises(WarehouseError, match=says):
            correct(p_values)
    with pytest.raises(WarehouseError, match="alpha"):
        holm([0.1], alpha=5)


def test_no_comparisons_are_none():
    assert holm([]).adjusted == benjamini_hochberg([]).adjusted == ()
