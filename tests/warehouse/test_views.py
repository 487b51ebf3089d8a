"""Every aggregate against its slow, obvious definition in plain Python over the rows that were landed."""

import math
from collections import defaultdict

import numpy as np
import pytest

from tests.warehouse import synthetic
from warehouse.database import query
from warehouse.layout import Layout
from warehouse.writer import write_batch

MEASURED = {"pass", "fail", "timeout", "no_submission"}
KEYS = ("track", "release", "category", "model", "config", "scenario")
COUNTED = ("pass", "fail", "no_submission", "timeout", "infra_error", "not_run")
VIEWS = {"leaderboard": KEYS, "per_stratum": (*KEYS, "stratum"), "per_project": (*KEYS, "project_id")}


@pytest.fixture(scope="module")
def repeated(tmp_path_factory):
    """Two attempts, a timeout, a unit nobody graded, one that only failed, one regraded, one of an unknown sample."""
    layout = synthetic.Layout(tmp_path_factory.mktemp("repeated"))
    asked = synthetic.samples(25)
    rows = {**synthetic.corpus(asked), **synthetic.units(asked, configs=("full", "no_window"), attempts=2)}
    generations, evaluations = rows["generations"], rows["evaluations"]
    evaluations[3]["status"] = "timeout"
    evaluations[4].update(status="not_run", score=0.9)
    evaluations[5].update(status="infra_error", score=0.9)
    del evaluations[7]
    generations[11].update(error_kind="rate_limit", reply=None, code=None)
    del evaluations[10]
    evaluations[12].update(score=None)
    later = {**evaluations[0], "evaluation_id": "regraded", "grader_version": "2", "score": 0.125, "status": "fail",
             "created_at": evaluations[0]["created_at"] + synthetic.timedelta(days=1)}  # fmt: skip
    evaluations.append(later)
    generations.append({**generations[0], "generation_id": "stray", "sample_id": "code:gone", "release": "other"})
    generations.pop(20)
    write_batch(layout, "corpora", synthetic.RELEASE, {name: rows[name] for name in ("samples", "dropped", "stages")})
    write_batch(layout, "inference", "1", {"generations": generations})
    write_batch(layout, "grading", "1", {"evaluations": evaluations, "checks": rows["checks"]})
    return layout, rows


def units(rows):
    """Join the landed rows by hand: one dict a unit."""
    samples = {row["sample_id"]: row for row in rows["samples"]}
    newest = {}
    for row in rows["evaluations"]:
        known = newest.get(row["generation_id"])
        if known is None or row["created_at"] > known["created_at"]:
            newest[row["generation_id"]] = row
    for generation in rows["generations"]:
        sample = samples.get(generation["sample_id"], {})
        verdict = newest.get(generation["generation_id"])
        status = verdict["status"] if verdict else "infra_error" if generation["error_kind"] else "not_run"
        yield {
            **{name: generation[name] for name in ("track", "model", "config", "scenario", "sample_id")},
            "release": sample.get("release", generation["release"]),
            **{name: sample.get(name) for name in ("category", "stratum", "project_id")},
            "cluster": sample.get("cluster", generation["sample_id"]),
            "status": status,
            "score": verdict["score"] if verdict and status in MEASURED else None,
            "evaluation_id": verdict["evaluation_id"] if verdict else None,
        }


def clustered_se(values, clusters):
    """sqrt(sum over clusters of the double sum of residual products / (1 - n_c/n)) / n: CR2, written out."""
    if len(set(clusters)) < 2:
        return None
    n, mean = len(values), sum(values) / len(values)
    total = 0.0
    for i, ci in zip(values, clusters, strict=True):
        for j, cj in zip(values, clusters, strict=True):
            if ci == cj:
                total += (i - mean) * (j - mean) / (1 - clusters.count(ci) / n)
    return math.sqrt(max(0.0, total)) / n


def degrees_of_freedom(clusters):
    """Satterthwaite's for the CR2 variance under independent rows: trace(B)^2 / trace(B^2), B written as a matrix."""
    labels, n = sorted(set(clusters)), len(clusters)
    if len(labels) < 2:
        return None
    centre = np.eye(n) - np.full((n, n), 1 / n)
    form = np.zeros((n, n))
    for label in labels:
        own = np.array([float(one == label) for one in clusters])
        row = own @ centre / math.sqrt(1 - own.sum() / n)
        form += np.outer(row, row)
    return float(np.trace(form) ** 2 / np.trace(form @ form))


def grouped(rows, keys):
    groups = defaultdict(list)
    for row in rows:
        groups[tuple(row[key] for key in keys)].append(row)
    return groups


def close(one, other):
    return (one is None and other is None) or one == pytest.approx(other, rel=1e-9, abs=1e-9)


def mean(values):
    return sum(values) / len(values) if values else None


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("world", ["landed", "repeated"])
def test_figures_are_those_of_the_slow_definition(view, world, request):
    layout, rows = request.getfixturevalue(world)
    groups = grouped(units(rows), VIEWS[view])
    answer = query(layout, f"FROM {view}").to_pylist()
    assert {tuple(row[key] for key in VIEWS[view]) for row in answer} == set(groups)
    assert len(answer) == len(groups)
    for row in answer:
        group = groups[tuple(row[key] for key in VIEWS[view])]
        measured = [unit for unit in group if unit["status"] in MEASURED]
        scored = [unit for unit in measured if unit["score"] is not None]
        per_sample = [len(same) for same in grouped(group, ("sample_id",)).values()]
        passes = [float(unit["status"] == "pass") for unit in measured]
        scores = [unit["score"] for unit in scored]
        assert row["n_asked"] == len(group)
        assert row["n_samples"] == len(per_sample)
        assert (row["min_attempts"], row["max_attempts"]) == (min(per_sample), max(per_sample))
        for status in COUNTED:
            assert row[f"n_{status}"] == sum(unit["status"] == status for unit in group)
        assert row["n_measured"] == len(measured)
        assert row["n_scored"] == len(scored)
        assert row["n_clusters"] == len({unit["cluster"] for unit in measured})
        assert row["n_scored_clusters"] == len({unit["cluster"] for unit in scored})
        assert close(row["pass_rate"], mean(passes))
        assert close(row["error_share"], 1 - len(measured) / len(group))
        assert close(row["mean_score"], mean(scores))
        assert close(row["pass_rate_se"], clustered_se(passes, [unit["cluster"] for unit in measured]))
        assert close(row["mean_score_se"], clustered_se(scores, [unit["cluster"] for unit in scored]))
        assert close(row["pass_rate_df"], degrees_of_freedom([unit["cluster"] for unit in measured]))
        assert close(row["mean_score_df"], degrees_of_freedom([unit["cluster"] for unit in scored]))


def test_the_worlds_hold_what_the_test_above_is_about(repeated):
    layout, rows = repeated
    held = list(units(rows))
    assert {unit["status"] for unit in held} >= {"pass", "fail", "timeout", "infra_error", "not_run", "no_submission"}
    assert any(unit["release"] == "other" and unit["category"] is None for unit in held)
    assert any(unit["status"] in MEASURED and unit["score"] is None for unit in held)
    board = query(layout, "FROM leaderboard").to_pylist()
    assert any(row["min_attempts"] < row["max_attempts"] for row in board)
    assert query(layout, "SELECT score FROM results WHERE evaluation_id = 'regraded'").to_pylist() == [
        {"score": 0.125}
    ]


@pytest.mark.parametrize("world", ["landed", "repeated"])
def test_the_ablation_is_paired_within_sample(world, request):
    layout, rows = request.getfixturevalue(world)
    keys = ("track", "release", "category", "model", "scenario", "config")
    scored = [unit for unit in units(rows) if unit["score"] is not None]
    groups = grouped(scored, keys)
    answer = query(layout, "FROM context_ablation").to_pylist()
    assert {tuple(row[key] for key in keys) for row in answer} == set(groups)
    for row in answer:
        key = tuple(row[key] for key in keys)
        own = {s: mean([u["score"] for u in g]) for (s,), g in grouped(groups[key], ("sample_id",)).items()}
        full = {
            s: mean([u["score"] for u in g])
            for (s,), g in grouped(groups.get((*key[:-1], "full"), []), ("sample_id",)).items()
        }
        cluster = {unit["sample_id"]: unit["cluster"] for unit in groups[key]}
        both = [sample for sample in own if sample in full]
        differences = [own[sample] - full[sample] for sample in both]
        assert (row["n_samples"], row["n_pairs"], row["n_scored"]) == (len(own), len(both), len(groups[key]))
        assert row["n_clusters"] == len({cluster[sample] for sample in both})
        assert close(row["mean_score"], mean(list(own.values())))
        if row["config"] == "full":
            assert (row["difference"], row["difference_se"], row["mean_full"]) == (None, None, None)
        else:
            assert close(row["difference"], mean(differences))
            assert close(row["mean_full"], mean([full[sample] for sample in both]))
            assert close(row["difference_se"], clustered_se(differences, [cluster[sample] for sample in both]))
            assert close(row["difference_df"], degrees_of_freedom([cluster[sample] for sample in both]))


def test_the_wide_ablation_has_the_shape_of_table_x(landed):
    layout, _ = landed
    long = query(layout, "FROM context_ablation WHERE category = 'generation'").to_pylist()
    wide = query(layout, "FROM context_ablation_wide").to_pylist()
    assert [row["model"] for row in wide] == ["hosted/large", "hosted/small", "local/tiny"]
    for row in wide:
        own = {cell["config"]: cell for cell in long if cell["model"] == row["model"]}
        assert set(own) == set(synthetic.CONFIGS)
        assert all(close(row[config], own[config]["mean_score"]) for config in own)
        assert row["n_full"] == own["full"]["n_samples"]
        assert row["min_pairs"] == min(cell["n_pairs"] for cell in own.values())


def test_a_config_that_was_not_asked_is_null_in_the_wide_ablation(repeated):
    layout, _ = repeated
    for row in query(layout, "FROM context_ablation_wide").to_pylist():
        assert row["no_window"] is not None
        assert row["no_context"] is None


@pytest.mark.parametrize("world", ["landed", "repeated"])
def test_components_and_failed_checks(world, request):
    layout, rows = request.getfixturevalue(world)
    checks = grouped(rows["checks"], ("evaluation_id",))
    joined = [(u, c) for u in units(rows) for c in checks.get((u["evaluation_id"],), [])]
    components, failed = defaultdict(list), defaultdict(list)
    for unit, check in joined:
        key = tuple(unit[name] for name in KEYS)
        failed[(*key, check["layer"], check["check"])].append(check["status"])
        if check["layer"] == "similarity" and unit["status"] in MEASURED:
            components[(*key, check["check"])].append(check["score"])
    answer = query(layout, "FROM components").to_pylist()
    assert {tuple(row[k] for k in (*KEYS, "component")) for row in answer} == set(components)
    for row in answer:
        values = components[tuple(row[k] for k in (*KEYS, "component"))]
        held = [value for value in values if value is not None]
        assert (row["n_checked"], row["n_scored"]) == (len(values), len(held))
        assert close(row["mean_score"], mean(held))
    answer = query(layout, "FROM failed_checks").to_pylist()
    assert {tuple(row[k] for k in (*KEYS, "layer", "check")) for row in answer} == set(failed)
    for row in answer:
        statuses = failed[tuple(row[k] for k in (*KEYS, "layer", "check"))]
        verdicts = [status for status in statuses if status in MEASURED]
        assert (row["n_measured"], row["n_unmeasured"]) == (len(verdicts), len(statuses) - len(verdicts))
        assert (row["n_fail"], row["n_pass"]) == (verdicts.count("fail"), verdicts.count("pass"))
        assert close(row["fail_rate"], verdicts.count("fail") / len(verdicts) if verdicts else None)


def test_invented_apis_are_counted_by_name(landed):
    layout, rows = landed
    checks = {c["evaluation_id"]: c for c in rows["checks"] if c["check"] == "known_calls"}
    names, measured, guilty = defaultdict(set), defaultdict(int), defaultdict(int)
    for unit in units(rows):
        check = checks.get(unit["evaluation_id"])
        if check is None:
            continue
        key = tuple(unit[name] for name in KEYS)
        measured[key] += 1
        guilty[key] += check["status"] == "fail"
        for name in check["saw"].removeprefix("invented API: ").split(", ") if check["status"] == "fail" else ():
            names[(*key, name)].add(unit["evaluation_id"])
    answer = query(layout, "FROM invented_apis").to_pylist()
    assert {tuple(row[k] for k in (*KEYS, "name")): row["n_replies"] for row in answer} == {
        key: len(found) for key, found in names.items()
    }
    for row in answer:
        key = tuple(row[k] for k in KEYS)
        assert (row["n_measured"], row["n_with_invented"]) == (measured[key], guilty[key])
        assert close(row["invented_share"], guilty[key] / measured[key])


def test_per_config_counts_tokens_cuts_and_cost(landed):
    layout, rows = landed
    of_sample = {row["sample_id"]: row for row in rows["samples"]}
    groups = grouped(
        [{**row, "category": of_sample[row["sample_id"]]["category"]} for row in rows["generations"]],
        ("category", "model", "config"),
    )
    answer = query(layout, "FROM per_config").to_pylist()
    assert len(answer) == len(groups)
    for row in answer:
        group = groups[row["category"], row["model"], row["config"]]
        prices = [g["cost_usd"] for g in group if g["cost_usd"] is not None]
        assert close(row["mean_prompt_tokens"], mean([g["prompt_tokens"] for g in group]))
        assert close(row["cut_share"], sum(g["prompt_cut"] != "[]" for g in group) / row["n_asked"])
        assert row["n_priced"] == len(prices)
        assert close(row["cost_usd"], sum(prices) if prices else None)


def test_drops_balance_and_an_item_lost_without_a_reason_shows(landed, layout):
    known, rows = landed
    answer = query(known, "FROM drops").to_pylist()
    assert [(r["stage"], r["reason"], r["n_dropped"], r["unexplained"]) for r in answer] == [
        ("flags", "test", 40, 0), ("flags", "vendored", 25, 0), ("dedup", "near_duplicate", 12, 0),
        ("quota", None, 0, 0), ("gate", "reference_fails", 3, 0),
    ]  # fmt: skip
    assert close(answer[0]["dropped_share"], 40 / 200)
    write_batch(layout, "corpora", "r", {"stages": rows["stages"], "dropped": rows["dropped"][1:-1]})
    lost = query(layout, "SELECT DISTINCT stage, unexplained FROM drops WHERE unexplained <> 0 ORDER BY 1").to_pylist()
    assert lost == [{"stage": "flags", "unexplained": 1}, {"stage": "gate", "unexplained": 1}]


def test_drops_of_mining_have_no_release_and_add_up_over_projects(layout):
    for project, count in (("a", 2), ("b", 3)):
        write_batch(layout, "mining", project, {
            "stages": [{"stage": "parse", "entered": 10, "kept": 10 - count, "dropped": count}],
            "dropped": [{"stage": "parse", "item": f"{project}{n}", "reason": "unreadable"} for n in range(count)],
        })  # fmt: skip
    row = query(layout, "FROM drops").to_pylist()
    assert row == [{"release": None, "position": None, "stage": "parse", "entered": 20, "kept": 15,
                    "reason": "unreadable", "n_dropped": 5, "dropped_share": 0.25, "unexplained": 0}]  # fmt: skip


def test_release_statistics_are_means_over_the_samples_that_say(layout):
    asked = synthetic.samples(30)
    asked[0]["prompt_parts"] = None
    asked[5]["prompt_parts"] = '{"loc": 999}'
    asked[10]["prompt_parts"] = '{"loc": "many", "counts": {"calls": 7}}'
    write_batch(layout, "corpora", "r", {"samples": asked})
    rows = {row["category"]: row for row in query(layout, "FROM release_statistics").to_pylist()}
    generation = [synthetic.json.loads(r["prompt_parts"] or "{}") for r in asked if r["category"] == "generation"]
    locs = [parts["loc"] for parts in generation if isinstance(parts.get("loc"), int)]
    calls = [parts["counts"]["calls"] for parts in generation if "counts" in parts]
    row = rows["generation"]
    assert (row["n_samples"], row["n_with_loc"], row["n_with_counts"]) == (18, len(locs), len(calls)) == (18, 16, 16)
    assert close(row["mean_loc"], mean(locs))
    assert close(row["mean_calls"], mean(calls))
    assert row["paper_loc"] is None


def test_a_sample_in_two_releases_is_asked_once_and_counts_in_both(layout):
    for release in ("code-1", "code-2"):
        write_batch(layout, "corpora", release, {"samples": synthetic.samples(6, release)})
    rows = synthetic.units(synthetic.samples(6, "code-1"), configs=("full",))
    write_batch(layout, "inference", "1", {"generations": rows["generations"]})
    write_batch(layout, "grading", "1", {"evaluations": rows["evaluations"], "checks": rows["checks"]})
    counts = query(layout, "SELECT release, sum(n_asked) AS n FROM leaderboard GROUP BY ALL ORDER BY ALL").to_pylist()
    assert counts == [{"release": "code-1", "n": 18}, {"release": "code-2", "n": 18}]


def test_a_null_figure_says_why(tmp_path):
    """Nothing measured, nothing scored, or one cluster: the figure is null and the row says which and why."""
    layout = Layout(tmp_path)
    sample = {"sample_id": "toy:1", "track": "toy", "release": "r", "category": "c", "cluster": "a", "reference": "x"}
    asked = {
        "track": "toy",
        "release": "r",
        "sample_id": "toy:1",
        "config": "full",
        "scenario": "generation",
        "attempt": 1,
    }
    generations = [{**asked, "generation_id": model, "model": model} for model in ("graded", "ungraded")]
    verdict = {"evaluation_id": "e", "generation_id": "graded", "grader_version": "1", "status": "pass", "score": 1.0}
    write_batch(layout, "corpora", "r", {"samples": [sample]})
    write_batch(layout, "inference", "r", {"generations": generations})
    write_batch(layout, "grading", "r", {"evaluations": [verdict]})
    refused = {row["model"]: row for row in query(layout, "SELECT * FROM leaderboard").to_pylist()}
    one = "one cluster carries no standard error"
    assert refused["graded"]["refused"] == f"no pass_rate_se: {one}; no mean_score_se: {one}"
    assert refused["ungraded"]["refused"] == "no pass_rate: nothing was measured; no mean_score: nothing was scored"
    assert refused["ungraded"]["pass_rate"] is refused["ungraded"]["mean_score"] is None
    assert refused["ungraded"]["error_share"] == 1
