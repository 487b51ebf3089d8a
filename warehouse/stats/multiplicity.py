"""p values of many comparisons, corrected: Holm for a few planned ones, Benjamini–Hochberg for a grid."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from warehouse.errors import WarehouseError
from warehouse.stats.columns import Column, Floats, whole

Correction = Literal["holm", "benjamini-hochberg"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjusted:
    """Corrected p values in the order given, and which comparisons stand at `alpha` among all `n` of them."""

    p_values: tuple[float, ...]
    adjusted: tuple[float, ...]
    rejected: tuple[bool, ...]
    alpha: float
    n: int
    method: Correction


def holm(p_values: Column, *, alpha: float = 0.05) -> Adjusted:
    """Return p values corrected so that the chance of any false finding is at most alpha (Holm 1979).

    It holds however the comparisons depend on each other. Raises WarehouseError for nulls and what is no p value: a
    comparison that was not made is not one of n.
    """
    p = _p_values(p_values)
    order = np.argsort(p, kind="stable")
    steps = np.maximum.accumulate(p[order] * np.arange(p.size, 0, -1))
    return _adjusted(p, order, steps, alpha, "holm")


def benjamini_hochberg(p_values: Column, *, alpha: float = 0.05) -> Adjusted:
    """Return p values corrected so that at most alpha of the findings are false on average.

    It holds for independent or positively dependent comparisons (Benjamini & Hochberg 1995). Refusals as in `holm`.
    """
    p = _p_values(p_values)
    order = np.argsort(p, kind="stable")
    steps = np.minimum.accumulate((p[order] * p.size / np.arange(1, p.size + 1))[::-1])[::-1]
    return _adjusted(p, order, steps, alpha, "benjamini-hochberg")


def _p_values(values: Column) -> Floats:
    p = whole("p_values", values)
    odd = (p < 0) | (p > 1)
    if odd.any():
        row = int(odd.argmax())
        raise WarehouseError(f"p_values is {p[row]:g} at row {row}; a p value lies between 0 and 1.")
    return p


def _adjusted(p: Floats, order: np.ndarray, steps: Floats, alpha: float, method: Correction) -> Adjusted:
    if not 0 < alpha < 1:
        raise WarehouseError(f"alpha is {alpha}; give a fraction between 0 and 1, such as 0.05.")
    out = np.empty(p.size)
    out[order] = np.minimum(steps, 1.0)
    return Adjusted(p_values=tuple(p.tolist()), adjusted=tuple(out.tolist()), rejected=tuple((out <= alpha).tolist()),
                    alpha=alpha, n=p.size, method=method)  # fmt: skip
