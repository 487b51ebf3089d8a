"""Failure patterns against the known causes of seeded bugs: ours by hand and the code track's mutants."""

from collections import Counter
from pathlib import Path

import polars as pl
import pytest

from tasks.contract import Reply
from tasks.curation.mutants import TARGETED
from tests.code_track.conftest import bench, layout, ledger, project, samples, track  # noqa: F401
from tests.stats import published
from tests.stats.seeded import PARTS, parts, seeded_failures
from tests.warehouse import synthetic
from warehouse.database import query
from warehouse.errors import WarehouseError
from warehouse.layout import Layout
from warehouse.stats.taxonomy import (
    MALFORMED,
    UNKNOWN,
    Failure,
    classified,
    classify,
    classify_reply,
    confusion,
    first_error,
    quoted,
    read_taxonomy,
    seed_pattern,
    taxonomy,
    without_noise,
)
from warehouse.writer import write_batch

SEED = {
    "happy_path_bias",
    "semantic_mismatch",
    "resource_imbalance",
    "order_violation",
    "cross_platform",
    "api_hallucination",
    "missing_safety",
    "unknown",
}
PAGE = Path(__file__).resolve().parents[2] / "docs" / "taxonomy.md"


def test_the_patterns_are_the_seeds_eight_and_one_apart():
    assert set(taxonomy().patterns) == SEED | {MALFORMED}
    assert {seed_pattern(name) for name in taxonomy().patterns} == SEED


def test_there_are_enough_seeded_failures_of_every_pattern():
    rows = seeded_failures()
    assert len(rows) >= 120
    count = Counter(row.cause for row in rows)
    assert all(count[pattern] >= 8 for pattern in {*SEED, MALFORMED} - {UNKNOWN})
    assert {row.part for row in rows} == set(PARTS)
    assert len({(row.failure.check, row.failure.saw, row.failure.code) for row in rows}) == len(rows)


@pytest.mark.parametrize("part", PARTS)
def test_seeded_failures_are_found_as_their_cause(part):
    found = confusion(*parts(part))
    assert found.unknown.estimate <= 0.15
    assert found.right.estimate >= 0.9


def test_in_the_seeds_eight_patterns_too_few_are_unknown():
    _, patterns = parts()
    assert sum(seed_pattern(name) == UNKNOWN for name in patterns) / len(patterns) <= 0.15


def test_every_pattern_is_found_more_often_than_not():
    found = confusion(*parts())
    for name, recall, precision in zip(found.patterns, found.recall, found.precision, strict=True):
        assert name == UNKNOWN or (recall >= 0.75 and precision >= 0.75), (name, recall, precision)


CAUSES = {"invented_call": "api_hallucination", "changed_signature": "api_hallucination", "broken_syntax": MALFORMED,
          "wrong_token": "semantic_mismatch"}  # fmt: skip


def test_the_code_tracks_mutants_are_found_as_their_cause(track, samples, bench):  # noqa: F811
    """Graded by the track itself; a slip that fails no check is no failure."""
    assert set(CAUSES) == {kind.name for kind in TARGETED} | {"wrong_token"}
    causes, found = [], []
    for sample in samples:
        for mutant in sample.mutants:
            checks = track.grade(sample, Reply(text=mutant.text, code=mutant.text), bench)
            failed = [
                Failure(layer=one.layer, check=one.check, saw=one.saw or "", code=mutant.text)
                for one in checks
                if one.status == "fail"
            ]
            if mutant.name in CAUSES:
                assert failed, mutant
                causes.append(CAUSES[mutant.name])
                found.append(classify_reply(failed).pattern)
    assert len(causes) >= 40
    table = confusion(causes, found)
    assert table.unknown.estimate == 0
    assert table.right.estimate >= 0.95


def test_on_embedevals_published_failures_little_but_builds_without_a_message_is_unknown():
    """Names alone, as its files keep no messages. Its own rules leave 75 to 87 % of these unknown."""
    layers = {"static_analysis": "static", "compile_gate": "compile", "runtime_execution": "runtime",
              "static_heuristic": "heuristic"}  # fmt: skip
    votes = []
    for row in published.rows("embedeval_2026-04-12_failures.csv"):
        checks = [name.strip() for name in row["failed_checks"].split(",")]
        failed = [Failure(layer=layers[row["failed_layer"]], check=name) for name in checks]
        votes.append((classify_reply(failed).pattern, checks == ["west_build_docker"]))
    assert len(votes) == 525
    unknown = [build for pattern, build in votes if pattern == UNKNOWN]
    assert sum(unknown) == sum(build for _, build in votes) == 119
    assert len(unknown) - sum(unknown) <= 0.05 * 525


BLOCKS = {
    ("main.c:3:5: error: implicit declaration of function ‘xTaskCreate’", "native_sim", ""): "cross_platform",
    ("main.c:3:5: error: implicit declaration of function ‘xTaskCreate’", "freertos", ""): "api_hallucination",
    ("main.c:3:5: error: implicit declaration of function ‘xTaskCreateEasy’", "esp_idf", ""): "api_hallucination",
    ("main.c:3:5: error: implicit declaration of function ‘HAL_Wait’", None, "HAL_Init();"): "api_hallucination",
    ("main.c:3:5: error: implicit declaration of function ‘HAL_Wait’", None, "k_sleep(1);"): "cross_platform",
    ("main.c:1:10: fatal error: FreeRTOS.h: No such file or directory", "zephyr", ""): "cross_platform",
    ("main.c:1:10: fatal error: magic.h: No such file or directory", "zephyr", ""): "api_hallucination",
    (
        "a.c:2:3: error: ‘step’ undeclared",
        "zephyr",
        "void go(void) { step(); }\nstatic void step(void)\n{\n}",
    ): "order_violation",
    ("a.c:2:3: error: ‘step’ undeclared", "zephyr", "void go(void) { return step; }"): "api_hallucination",
    ("a.c:9:1: error: expected ‘;’ before ‘}’ token", "zephyr", ""): MALFORMED,
}  # fmt: skip


SPIN = "static bool done;\nwhile (!done) {\n}"
SINGLE = {
    "asks_for_readiness": Failure(layer="static", check="device_ready_checked"),
    "did_not_end": Failure(layer="runtime", check="ends", saw="timed out after 10 s"),
    "spins_on_plain_flag": Failure(layer="runtime", check="ends", saw="timed out after 10 s", code=SPIN),
    "waits_for_ever": Failure(layer="runtime", check="ends", saw="timed out", code="k_sem_take(&s, K_FOREVER);"),
    "does_nothing": Failure(layer="static", check="substantive", saw="constants and empty statements only"),
    "header_missing": Failure(layer="static", check="dma_header_included", platform="zephyr"),
    "qualifier_lost": Failure(
        layer="compile", check="builds", saw="a.c:2:3: warning: passing argument 1 discards ‘volatile’ qualifier"
    ),
    "unmet_dependency": Failure(
        layer="compile", check="builds", saw="warning: BT_HCI was assigned the value 'y' but got the value 'n'"
    ),
}


@pytest.mark.parametrize("rule", SINGLE)
def test_a_rule_that_no_seeded_failure_needs(rule):
    assert classify(SINGLE[rule]).rule == rule


def test_a_volatile_flag_does_not_hang_for_want_of_it():
    failure = Failure(layer="runtime", check="ends", saw="timed out", code=SPIN.replace("bool", "volatile bool"))
    assert classify(failure).rule == "did_not_end"


@pytest.mark.parametrize(("saw", "platform", "code"), BLOCKS)
def test_a_compilers_words_are_read_by_whose_name_it_is(saw, platform, code):
    failure = Failure(layer="compile", check="builds", saw=saw, platform=platform, code=code)
    assert classify(failure).pattern == BLOCKS[saw, platform, code]


def test_names_are_read_by_words():
    """EmbedEval finds `free` in every `*freertos*` and `isr` in every `disrupt*`."""
    assert classify(Failure(layer="static", check="freertos_tick_rate_value")).pattern == "semantic_mismatch"
    assert classify(Failure(layer="static", check="buffer_freed")).pattern == "resource_imbalance"
    assert classify(Failure(layer="static", check="bufferFreed")).pattern == "resource_imbalance"
    assert classify(Failure(layer="static", check="disruption_zzz")).pattern == UNKNOWN


def test_a_missing_step_is_no_wrong_order():
    """EmbedEval calls every `a_before_b` an order violation, also where a is not there at all."""
    failure = Failure(layer="static", check="cache_flush_before_dma", code="dma_start(dev, 0);")
    assert classify(failure).pattern == "semantic_mismatch"
    there = Failure(layer="static", check="cache_flush_before_dma", code="dma_start(d, 0);\nsys_cache_flush(b, 4);")
    assert classify(there).pattern == "order_violation"
    named = Failure(layer="static", check="cache_flush_before_dma", code='// flush\nlog("flush the cache");')
    assert classify(named).pattern == "semantic_mismatch"


def test_the_first_error_counts_and_every_warning():
    text = "a.c:1:2: warning: w\na.c:3:4: error: first\na.c:5:6: error: second"
    assert first_error(text) == "a.c:3:4: error: first"
    assert first_error("a.c:1:2: warning: w") == "a.c:1:2: warning: w"
    assert quoted("undefined reference to `f'") == ["f"]
    assert quoted("invented API: a, b") == ["a", "b"]


def test_code_is_read_without_comments_and_strings():
    assert without_noise('#include "a.h"\n// x\ncall("y"); /* z') == '#include "a.h"\n \ncall( );'


def test_the_majority_decides_and_the_unknown_have_no_say():
    unknown = Failure(layer="static", check="zzz")
    order = Failure(layer="static", check="clock_before_init")
    guard = Failure(layer="heuristic", check="watchdog_fed")
    vote = classify_reply([unknown, unknown, order, guard, guard])
    assert (vote.pattern, vote.rule, vote.confidence, vote.votes) == ("missing_safety", "asks_for_guard", 2 / 3, 3)
    assert classify_reply([order, guard]).pattern == "order_violation"
    assert classify_reply([guard, order]).pattern == "missing_safety"
    assert classify_reply([unknown, unknown]) == (UNKNOWN, "", 1.0, 2)
    with pytest.raises(WarehouseError, match="without a failed check"):
        classify_reply([])


def test_a_frame_gets_pattern_and_rule():
    frame = pl.DataFrame({"layer": ["static", "runtime"], "check": ["parses", "zzz"], "saw": ["line 1", None]})
    done = classified(frame)
    assert done["pattern"].to_list() == [MALFORMED, "semantic_mismatch"]
    assert done["rule"].to_list() == ["does_not_parse", "wrong_behaviour"]
    assert classified(frame.clear()).columns == ["layer", "check", "saw", "pattern", "rule"]
    with pytest.raises(WarehouseError, match="layer and check"):
        classified(frame.drop("layer"))


def test_the_view_of_failures_is_what_is_classified(tmp_path):
    asked = synthetic.samples(20)
    asked[0]["prompt_parts"] = '{"platform": "zephyr"}'
    rows = synthetic.units(asked, configs=("full",))
    failed = [check for check in rows["checks"] if check["status"] == "fail"]
    late = next(check for check in rows["checks"] if check["status"] == "pass")
    late.update(status="timeout", saw="after 10 s")
    place = Layout(tmp_path)
    write_batch(place, "corpora", synthetic.RELEASE, synthetic.corpus(asked))
    write_batch(place, "inference", "1", {"generations": rows["generations"]})
    write_batch(place, "grading", "1", {"evaluations": rows["evaluations"], "checks": rows["checks"]})
    view = classified(pl.from_arrow(query(place, "FROM failures")))
    assert view.height == len(failed) + 1 > 5
    assert view.filter(pl.col("status") == "timeout")["saw"].to_list() == ["timed out: after 10 s"]
    code = {row["generation_id"]: row["code"] for row in rows["generations"]}
    of = {row["evaluation_id"]: row["generation_id"] for row in rows["evaluations"]}
    assert all(row["code"] == code[of[row["evaluation_id"]]] for row in view.iter_rows(named=True))
    first = view.filter(pl.col("sample_id") == asked[0]["sample_id"])
    assert first["platform"].drop_nulls().to_list() == ["zephyr"] * first.height
    assert set(view.filter(pl.col("check") == "known_calls")["pattern"]) <= {"api_hallucination", "cross_platform"}
    assert set(view["pattern"]) - {UNKNOWN}


def test_the_confusion_counts_pairs():
    table = confusion(["order_violation", "order_violation", "unknown"], ["order_violation", "unknown", "unknown"])
    at = {name: index for index, name in enumerate(table.patterns)}
    assert table.counts[at["order_violation"]][at["unknown"]] == 1
    assert sum(map(sum, table.counts)) == table.n == 3
    assert table.recall[at["order_violation"]] == 0.5
    assert table.precision[at["unknown"]] == 0.5
    assert table.precision[at["missing_safety"]] is None
    assert (table.right.estimate, table.unknown.estimate) == (2 / 3, 2 / 3)
    with pytest.raises(WarehouseError, match="'bug' is no failure pattern"):
        confusion(["bug"], ["unknown"])


HEAD = '[patterns]\na = "A"\n[platform.p]\nnames = ["p_"]\nheaders = ["p.h"]\naliases = []\n'


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        ('name = "r"\npattern = "b"\ncheck = "x"', "'r' gives 'b'"),
        ('name = "r"\npattern = "a"', "'r' has no condition"),
        ('name = "r"\npattern = "a"\nchekc = "x"', "'r' has chekc"),
        ('name = "r"\npattern = "a"\ncheck = "("', "does not compile"),
        ('name = "r"\npattern = "a"\nabout = "mine"', "about 'mine'"),
    ],
)
def test_a_wrong_rule_is_named(rule, why):
    with pytest.raises(WarehouseError, match=why):
        read_taxonomy(f"{HEAD}[[rule]]\n{rule}\n")


def test_rules_have_one_name_each_and_every_one_decides_something():
    names = [rule.name for rule in taxonomy().rules]
    assert len(set(names)) == len(names)
    fired = {classify(row.failure).rule for row in seeded_failures()}
    fired |= {classify(Failure(layer="compile", check="builds", saw=saw, platform=platform, code=code)).rule
              for saw, platform, code in BLOCKS}  # fmt: skip
    assert sorted(set(names) - fired) == sorted(SINGLE)


def confusion_table() -> list[str]:
    """Return the table as docs/taxonomy.md shows it: causes down, patterns found across, zeros left blank."""
    found = confusion(*parts())
    head = ["cause \\ found", *(name.replace("_", " ") for name in found.patterns), "n"]
    lines = [f"| {' | '.join(head)} |", f"|---|{'---:|' * (len(head) - 1)}"]
    for name, row in zip(found.patterns, found.counts, strict=True):
        if sum(row):
            cells = [str(count or "") for count in row]
            lines.append(f"| {name.replace('_', ' ')} | {' | '.join(cells)} | {sum(row)} |")
    return lines


def test_the_page_shows_this_table():
    assert "\n".join(confusion_table()) in PAGE.read_text(encoding="utf-8")
    for part in PARTS:
        found = confusion(*parts(part))
        right, unknown = (round(share.estimate * found.n) for share in (found.right, found.unknown))
        assert f"| `{part}` | {found.n} | {right} | {unknown} |" in PAGE.read_text(encoding="utf-8")
