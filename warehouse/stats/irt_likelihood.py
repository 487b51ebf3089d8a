"""The marginal likelihood of the Rasch and 2PL models: its maximum by EM, polished by Newton, and its curvature there.

An item passes with probability σ(slope·z − intercept), z standard normal over respondents. The Rasch model has one
slope for all items, which is the standard deviation of ability in logits; the 2PL has one an item. Ability is
integrated out on evenly spaced nodes under the normal density: for so smooth an integrand the rule errs by some
exp(−2(π·sd/h)²), h the spacing and sd that of the narrowest posterior, and h is chosen at most that sd. A fixed
Gauss–Hermite rule would be too coarse for two hundred items. Bock & Aitkin (1981) for EM; Louis (1982) for the
observed information.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from warehouse.stats.columns import Floats

REACH = 8.0
"""Nodes span ± this many standard deviations of ability: with a normal prior no posterior comes near the ends."""
STEEPEST = 10.0
"""Slopes are held within ± this. One that runs there has no finite maximum: the item parts the respondents cleanly."""
EM_STEPS, NEWTON_STEPS = 40, 60


@dataclass(frozen=True, slots=True)
class Maximum:
    """Where the likelihood is largest: one intercept an item, slopes (one for all under Rasch), and how it was got.

    `covariance` is the inverse of the observed information over (intercepts, slopes), NaN for slopes held at
    `STEEPEST` and None where the likelihood has no strict maximum; `posterior_mean` and `posterior_sd` are of z, one a
    respondent.
    """

    intercepts: Floats
    slopes: Floats
    covariance: Floats | None
    log_likelihood: float
    posterior_mean: Floats
    posterior_sd: Floats
    converged: bool


def maximise(passed: Floats, seen: Floats, per_item: bool) -> Maximum:
    """Return the maximum of the marginal likelihood.

    `passed` and `seen` are respondents × items of 0 and 1, `passed` 0 where nothing was seen; every item has passes
    and fails. `per_item` is the 2PL.
    """
    count = seen.sum(axis=0)
    rate = passed.sum(axis=0) / count
    start = np.log((1 - rate) / rate)
    slopes = np.ones(rate.size if per_item else 1)
    if not per_item and _overdispersion(passed, seen, rate) <= 0:
        return _without_ability(passed, seen, start)
    theta = np.concatenate([start * 1.2, slopes])
    value = -np.inf
    for _ in range(EM_STEPS):
        last, value = value, evaluate(theta, passed, seen).value
        theta = _m_step(theta, passed, seen)
        if abs(value - last) < 1e-7 * max(1.0, abs(value)):
            break
    theta, converged = _polish(theta, passed, seen)
    items = rate.size
    if theta[items:].mean() < 0:  # z and −z fit alike: ability is what most items reward
        theta[items:] = -theta[items:]
    at = evaluate(theta, passed, seen)
    mean = at.weights @ at.nodes
    variance = at.weights @ at.nodes**2 - mean**2
    covariance = _inverse(information(theta, passed, seen), _free(theta, items))
    return Maximum(theta[:items], theta[items:], covariance, at.value, mean, np.sqrt(np.maximum(variance, 0.0)),
                   converged)  # fmt: skip


@dataclass(frozen=True, slots=True)
class At:
    """The likelihood at a point: its log, nodes, chances (nodes × items), posterior weights (respondents × nodes)."""

    value: float
    nodes: Floats
    chance: Floats
    weights: Floats


def evaluate(theta: Floats, passed: Floats, seen: Floats) -> At:
    """Return the marginal log likelihood at (intercepts, slopes) and the posterior of each respondent's z."""
    intercepts, slopes = _parts(theta, passed.shape[1])
    nodes = nodes_for(slopes)
    linear = np.outer(nodes, slopes) - intercepts
    log_fail = -np.logaddexp(0.0, linear)
    joint = passed @ linear.T + seen @ log_fail.T - nodes**2 / 2
    top = joint.max(axis=1, keepdims=True)
    raised = np.exp(joint - top)
    total = raised.sum(axis=1, keepdims=True)
    step = nodes[1] - nodes[0]
    value = float(np.sum(top + np.log(total)) + passed.shape[0] * np.log(step / np.sqrt(2 * np.pi)))
    return At(value, nodes, 1 / (1 + np.exp(-linear)), raised / total)


def nodes_for(slopes: Floats) -> Floats:
    """Return nodes closer together than the narrowest posterior that items of such slopes can leave is wide."""
    narrowest = 1 / np.sqrt(1 + np.sum(slopes**2) / 4)
    return np.linspace(-REACH, REACH, 2 * int(np.ceil(REACH / min(0.25, narrowest))) + 1)


def gradient(theta: Floats, passed: Floats, seen: Floats) -> Floats:
    """Return the derivative of the marginal log likelihood, by Fisher's identity the mean complete-data score."""
    at = evaluate(theta, passed, seen)
    excess = at.weights.T @ passed - (at.weights.T @ seen) * at.chance
    return _gathered(-excess.sum(axis=0), at.nodes @ excess, theta.size)


def information(theta: Floats, passed: Floats, seen: Floats) -> Floats:
    """Return the observed information: the complete-data one less the spread of the complete-data score (Louis)."""
    at = evaluate(theta, passed, seen)
    items, size = passed.shape[1], theta.size
    weight = (at.weights.T @ seen) * at.chance * (1 - at.chance)
    out = np.zeros((size, size))
    own = np.arange(items)
    out[own, own] = weight.sum(axis=0)
    cross, square = -(at.nodes @ weight), at.nodes**2 @ weight
    if size == 2 * items:
        out[own, own + items] = out[own + items, own] = cross
        out[own + items, own + items] = square
    else:
        out[own, items] = out[items, own] = cross
        out[items, items] = square.sum()
    mean = np.zeros((passed.shape[0], size))
    for node, chance, share in zip(at.nodes, at.chance, at.weights.T, strict=True):
        excess = passed - seen * chance
        if share.max() < 1e-14:
            continue
        slope = node * excess if size == 2 * items else node * excess.sum(axis=1, keepdims=True)
        score = np.concatenate([-excess, slope], axis=1)
        out -= score.T @ (share[:, None] * score)
        mean += share[:, None] * score
    return out + mean.T @ mean


def _m_step(theta: Floats, passed: Floats, seen: Floats) -> Floats:
    """Return the maximum of the expected complete-data likelihood: logistic regressions on the nodes, by Newton."""
    at = evaluate(theta, passed, seen)
    items = passed.shape[1]
    hits, trials = at.weights.T @ passed, at.weights.T @ seen
    new = theta.copy()
    for _ in range(5):
        intercepts, slopes = _parts(new, items)
        chance = 1 / (1 + np.exp(intercepts - np.outer(at.nodes, slopes)))
        excess, weight = hits - trials * chance, trials * chance * (1 - chance) + 1e-12
        plain, cross, square = weight.sum(axis=0), at.nodes @ weight, at.nodes**2 @ weight
        down, up = -excess.sum(axis=0), at.nodes @ excess
        if new.size == 2 * items:
            determinant = plain * square - cross**2
            move = np.concatenate(
                [(square * down + cross * up) / determinant, (plain * up + cross * down) / determinant]
            )
        else:
            slope = (up.sum() + np.sum(cross * down / plain)) / (square.sum() - np.sum(cross**2 / plain))
            move = np.append((down + cross * slope) / plain, slope)
        move = np.clip(move, -1.0, 1.0)
        new = _held(new + move, items)
        if np.max(np.abs(move)) < 1e-6:
            break
    return new


def _polish(theta: Floats, passed: Floats, seen: Floats) -> tuple[Floats, bool]:
    """Return the maximum by Newton steps that never lower the likelihood, and whether it was reached."""
    items = passed.shape[1]
    value = evaluate(theta, passed, seen).value
    for _ in range(NEWTON_STEPS):
        slope = gradient(theta, passed, seen)
        free = _free(theta, items)
        if np.max(np.abs(slope[free]), initial=0.0) < 1e-8 * passed.shape[0]:
            return theta, True
        inside = information(theta, passed, seen)[np.ix_(free, free)]
        move = np.zeros(theta.size)
        move[free] = _solve(inside, slope[free])
        for _ in range(30):
            tried = _held(theta + move, items)
            reached = evaluate(tried, passed, seen).value
            if reached >= value - 1e-12 * abs(value):
                break
            move /= 2
        else:
            return theta, False
        theta, value = tried, reached
    return theta, False


def _solve(matrix: Floats, slope: Floats) -> Floats:
    """Return the Newton step, bent towards the gradient where the information is not positive."""
    values, vectors = np.linalg.eigh(matrix)
    bent = np.maximum(np.abs(values), 1e-6 * np.abs(values).max())
    move: Floats = vectors @ ((vectors.T @ slope) / bent)
    return move * min(1.0, 2.0 / max(float(np.max(np.abs(move))), 1e-300))


def _inverse(matrix: Floats, free: NDArray[np.bool_]) -> Floats | None:
    values, vectors = np.linalg.eigh(matrix[np.ix_(free, free)])
    if values[0] <= 1e-9 * values[-1]:
        return None
    out = np.full(matrix.shape, np.nan)
    out[np.ix_(free, free)] = vectors @ (vectors.T / values[:, None])
    return out


def _overdispersion(passed: Floats, seen: Floats, rate: Floats) -> float:
    """Return the likelihood's second derivative in the slope at 0: if totals spread no more than chance, 0 is best."""
    excess = passed - seen * rate
    return float(np.sum(excess.sum(axis=1) ** 2) - np.sum(seen * rate * (1 - rate)))


def _without_ability(passed: Floats, seen: Floats, start: Floats) -> Maximum:
    """Return the maximum where respondents differ by no more than chance: independent items, ability 0 for all."""
    theta = np.append(start, 0.0)
    rate = passed.sum(axis=0) / seen.sum(axis=0)
    spread = np.zeros((start.size, start.size))
    np.fill_diagonal(spread, 1 / (seen.sum(axis=0) * rate * (1 - rate)))
    none = np.zeros(passed.shape[0])
    return Maximum(start, np.zeros(1), spread, evaluate(theta, passed, seen).value, none, none, True)


def _parts(theta: Floats, items: int) -> tuple[Floats, Floats]:
    """Return intercepts and slopes, one an item each."""
    slopes = theta[items:]
    return theta[:items], slopes if slopes.size == items else np.full(items, slopes[0])


def _free(theta: Floats, items: int) -> NDArray[np.bool_]:
    """Return which parameters may still move: all but the slopes at their bound."""
    free = np.ones(theta.size, np.bool_)
    free[items:] = np.abs(theta[items:]) < STEEPEST
    return free


def _gathered(intercepts: Floats, slopes: Floats, size: int) -> Floats:
    return np.concatenate([intercepts, slopes if size == 2 * slopes.size else [slopes.sum()]])


def _held(theta: Floats, items: int) -> Floats:
    out: NDArray[np.float64] = theta.copy()
    out[items:] = np.clip(out[items:], -STEEPEST, STEEPEST)
    return out
