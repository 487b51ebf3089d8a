"""Tables 3 to 5 and figures 2 to 4 of the closed-loop firmware paper from its runs: pure functions, one row a run.

A run is a mapping with `model`, `task`, `mode`, `outcome` (PASS, HOST, INT, NONE, INFRA, UNKNOWN) and its figures:
`wall_clock_s`, `first_submission_s` (None without one), `total_tokens`, `tool_calls`, `submissions`, `self_test_runs`.
The paper counts a run that could not be measured as one that did not pass; so do these tables, and say n.
Method: arXiv 2610.11447, section 5 and its captions; intervals are Wilson's at 95 %.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from warehouse.errors import WarehouseError
from warehouse.stats.proportions import wilson

Run = Mapping[str, Any]
Row = dict[str, Any]
PRIMARY = "realistic_self_verify"


class Model(NamedTuple):
    """A model as the paper names it, its form, and whether it ran on the shared local machine."""

    name: str
    form: str | None = None
    local: bool = False


MODELS: dict[str, Model] = {
    "gpt-5.4": Model("gpt-5.4"),
    "gpt-5.4-mini": Model("gpt-5.4-mini"),
    "qwen35-27b-q4km": Model("qwen3.5-27B", "Dense", True),
    "qwen35-35b-a3b-ud-q4km": Model("qwen3.5-35B-A3B", "MoE", True),
    "qwen35-9b-ud-q4kxl": Model("qwen3.5-9B", "Dense", True),
    "qwen35-4b-ud-q4kxl": Model("qwen3.5-4B", "Dense", True),
    "qwen35-2b-ud-q4kxl": Model("qwen3.5-2B", "Dense", True),
}
"""By the label in the run index, in the order of the paper's tables."""
MODES = ("oneshot_blind", PRIMARY, "ci_red_green", "oracle_full")
TASKS = ("tank_fill_drain", "thermal_chamber_hysteresis", "pressure_vessel_interlock", "mixing_tank_fill_heat",
         "filter_tank_sequence")  # fmt: skip
OUTCOMES: dict[str, str] = {
    "pass": "PASS", "host_tests": "HOST", "integration": "INT", "no_submission": "NONE", "infra": "INFRA",
    "unknown": "UNKNOWN",
}  # fmt: skip
"""The labels of figure 2 by failure family, and two that it has no cell for."""
FORMS = {model.name: model for model in MODELS.values()}


def outcome(failure_family: str | None) -> str:
    """Return the label that figure 2 gives a failure family."""
    return OUTCOMES.get(failure_family or "unknown", "UNKNOWN")


def table3(runs: Iterable[Run]) -> list[Row]:
    """Return the primary condition by model: passes, interval, mean tokens (millions), calls and evaluations."""
    return [
        {
            **_passes(mine),
            "mean_total_tokens_millions": _mean(mine, "total_tokens", 1e-6),
            "mean_tool_calls": _mean(mine, "tool_calls"),
            "mean_hidden_evals": _mean(mine, "submissions"),
            "mean_self_test_runs": _mean(mine, "self_test_runs"),
        }
        for mine in _by(_of(runs, PRIMARY), "model", list(FORMS))
    ]


def table4(runs: Iterable[Run]) -> list[Row]:
    """Return passes by model and mode, with `runs_<mode>` beside each: how many runs they are of."""
    rows = []
    for mine in _by(runs, "model", list(FORMS)):
        row: Row = {"model": mine[0]["model"]}
        for cell in _by(mine, "mode", MODES):
            mode = cell[0]["mode"]
            row |= {mode: _passes(cell)["passes"], f"runs_{mode}": len(cell)}
        rows.append(row)
    return rows


def table5(runs: Iterable[Run]) -> list[Row]:
    """Return the local models over all modes: passes, wall time, runs with a submission and when it came (minutes)."""
    local = [run for run in runs if run["model"] in FORMS and FORMS[run["model"]].local]
    rows = []
    for mine in _by(local, "model", list(FORMS)):
        submitted = [run for run in mine if run["first_submission_s"] is not None]
        rows.append({
            **_passes(mine),
            "form": FORMS[mine[0]["model"]].form,
            "mean_wall_minutes": _mean(mine, "wall_clock_s", 1 / 60),
            "n_submit": len(submitted),
            "mean_first_submit_minutes": _mean(submitted, "first_submission_s", 1 / 60),
            "mean_total_tokens_millions": _mean(mine, "total_tokens", 1e-6),
            "mean_tool_calls": _mean(mine, "tool_calls"),
        })  # fmt: skip
    return rows


def figure2(runs: Iterable[Run]) -> list[Row]:
    """Return the primary condition by task and model: passes, repetitions and the most frequent outcome.

    Where two outcomes are equally frequent `modal_outcome` is None and `tied` names them: none is the most likely.
    """
    rows = []
    for of_task in _by(_of(runs, PRIMARY), "task", TASKS):
        for cell in _by(of_task, "model", list(FORMS)):
            counts = Counter(run["outcome"] for run in cell)
            most = sorted(label for label, count in counts.items() if count == max(counts.values()))
            rows.append({
                "task": cell[0]["task"], "model": cell[0]["model"], "passes": counts["PASS"],
                "repetitions": len(cell), "modal_outcome": most[0] if len(most) == 1 else None,
                "tied": " = ".join(most) if len(most) > 1 else None,
            })  # fmt: skip
    return rows


def figure3(runs: Iterable[Run]) -> list[Row]:
    """Return pass rate with Wilson interval by model and mode."""
    return [
        {"mode": cell[0]["mode"], **_passes(cell)}
        for mine in _by(runs, "model", list(FORMS)) for cell in _by(mine, "mode", MODES)
    ]  # fmt: skip


def figure4(runs: Iterable[Run]) -> list[Row]:
    """Return pass rate against first submission (minutes) and tokens (millions) of the local models."""
    wanted = ("model", "form", "pass_rate", "runs", "mean_first_submit_minutes", "mean_total_tokens_millions")
    return [{name: row[name] for name in wanted} for row in table5(runs)]


def _of(runs: Iterable[Run], mode: str) -> list[Run]:
    return [run for run in runs if run["mode"] == mode]


def _by(runs: Iterable[Run], key: str, order: Sequence[str]) -> list[list[Run]]:
    """Return the runs of each value of `key`, values in `order` first and the rest sorted; none is empty."""
    groups: dict[str, list[Run]] = {}
    for run in runs:
        groups.setdefault(run[key], []).append(run)
    known = [name for name in order if name in groups]
    return [groups[name] for name in (*known, *sorted(set(groups) - set(known)))]


def _passes(runs: Sequence[Run]) -> Row:
    passes = sum(run["outcome"] == "PASS" for run in runs)
    rate = wilson(passes, len(runs))
    return {"model": runs[0]["model"], "passes": passes, "runs": len(runs), "pass_rate": rate.estimate,
            "wilson_low": rate.low, "wilson_high": rate.high}  # fmt: skip


def _mean(runs: Sequence[Run], name: str, factor: float = 1.0) -> float | None:
    """Return the mean of one figure times `factor`; None of no runs, an error where one of them does not hold it."""
    values = [run[name] for run in runs]
    if None in values:
        raise WarehouseError(f"A run of {runs[0]['model']} has no {name}; import an index that holds it.")
    return factor * sum(values) / len(values) if values else None
