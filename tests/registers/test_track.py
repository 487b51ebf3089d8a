"""The track from families to figures: built, gated, asked, graded, landed and measured."""

import json
from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest

import corpora
from corpora.registers import build as building
from corpora.registers.family import VARIANTS
from corpora.registers.schema import Sample
from tasks.contract import Bench, BuildInputs, Counted, Reply, Status
from tasks.curation.building import Wanted, build_release
from tasks.curation.gate import gate
from tasks.curation.ledger import Ledger
from tasks.curation.release import load
from tasks.grading.evaluate import evaluate
from tasks.ids import digest, draw
from tasks.inference.extract import extract
from warehouse.database import query
from warehouse.errors import CorpusError, WarehouseError
from warehouse.exports.registers import registers_tables
from warehouse.layout import Layout
from warehouse.writer import write_batch

OPTIONS = {"modules": ["spi"], "verify_draws": 30}


@pytest.fixture(scope="module")
def track():
    return corpora.load("registers")


@pytest.fixture(scope="module")
def samples(track) -> list[Sample]:
    return Ledger(track.build(BuildInputs(options=OPTIONS))).samples


def test_a_release_holds_every_variant_of_every_family(samples) -> None:
    families = {one.family for one in samples}
    assert len(families) > 1
    for family in families:
        counts = Counter(one.category for one in samples if one.family == family)
        assert counts == {"base": 1, **building.DEFAULTS}
        assert set(counts) == set(VARIANTS)


def test_samples_carry_what_an_item_is(samples) -> None:
    for one in samples:
        assert one.cluster == one.family
        assert one.question
        assert one.rationale
        assert one.expected in one.reference
        assert one.domain == "spi"
        assert one.difficulty in ("easy", "medium", "hard")
        assert (one.kind == "quantity") == bool(one.tolerance)
        json.dumps(one.params)


def test_variants_change_what_they_say_and_nothing_else(samples) -> None:
    for family in {one.family for one in samples}:
        own = [one for one in samples if one.family == family]
        (base,) = (one for one in own if one.category == "base")
        for one in own:
            if one.category == "rename":
                assert (one.params, one.expected) == (base.params, base.expected)
                assert one.question != base.question
            if one.category == "renumber":
                assert one.params != base.params
                assert one.wording == 0
            if one.category == "distractor" and one.draw == 0:
                assert one.expected == base.expected
                assert set(base.question.split("\n\n")) < set(one.question.split("\n\n"))


def test_every_sample_proves_itself(track, samples) -> None:
    kept, dropped = gate(track, samples, Bench())
    assert (len(kept), dropped) == (len(samples), [])
    kinds = {mutant.name for one in samples for mutant in one.mutants}
    assert {"prefix_too_large", "wrong_dimension", "just_outside", "off_by_one", "wrong_sign"} <= kinds


@pytest.mark.parametrize("size", [2, 7, 20, 61])
def test_size_counts_items_in_total_and_smaller_releases_are_part_of_larger_ones(track, size) -> None:
    options = {**OPTIONS, "verify_draws": 2}
    ledger = Ledger(track.build(BuildInputs(size=size, options=options)))
    families = len({one.family for one in ledger.samples})
    repeated = sum(drop.reason == "repeated_question" for drop in ledger.drops)
    assert len(ledger.samples) + repeated == max(size, families)
    larger = Ledger(track.build(BuildInputs(size=80, options=options)))
    assert {one.sample_id for one in ledger.samples} <= {one.sample_id for one in larger.samples}


def test_options_say_how_many_of_each_variant(track) -> None:
    options = {**OPTIONS, "rename": 2, "renumber": 5, "distractor": 0, "isolate": 1}
    ledger = Ledger(track.build(BuildInputs(options=options)))
    families = len({one.family for one in ledger.samples})
    counts = Counter(one.category for one in ledger.samples)
    assert counts == {"base": families, "rename": 2 * families, "renumber": 5 * families, "isolate": families}
    name = sorted({one.family for one in ledger.samples})[0]
    alone = Ledger(track.build(BuildInputs(options={**OPTIONS, "families": [name]})))
    assert {one.family for one in alone.samples} == {name}


@pytest.mark.parametrize(
    ("inputs", "told"),
    [
        (BuildInputs(size=0, options=OPTIONS), "without one"),
        (BuildInputs(options={**OPTIONS, "families": ["spi_nothing"]}), "There is no family 'spi_nothing'"),
    ],
)
def test_a_build_that_cannot_be_is_refused(track, inputs, told) -> None:
    with pytest.raises(CorpusError, match=told):
        list(track.build(inputs))


def test_a_release_whose_paths_disagree_is_refused(track, monkeypatch) -> None:
    """The second path is what stands between a wrong formula and a release."""
    from dataclasses import replace

    from corpora.registers.families import families

    found = families(("spi",))
    name, family = next((name, one) for name, one in found.items() if one.kind == "quantity" and one.second)
    wrong = {**found, name: replace(family, second=lambda params: family.answer(params) + 1)}
    monkeypatch.setattr(building, "families", lambda modules: wrong)
    with pytest.raises(CorpusError, match=name):
        list(track.build(BuildInputs(options=OPTIONS)))


def test_every_answer_computed_twice_is_counted(track) -> None:
    stages = [one for one in track.build(BuildInputs(options=OPTIONS)) if isinstance(one, Counted)]
    families = len({one.family for one in Ledger(track.build(BuildInputs(options=OPTIONS))).samples})
    assert stages[0] == Counted(stage="verification", entered=families * 2 * 30, kept=families * 2 * 30)


def test_the_prompt_asks_for_the_line_that_is_read(track, samples) -> None:
    for name, config in track.configs.items():
        prompt = track.prompt(samples[0], config)
        assert prompt.messages[-1].content == samples[0].question
        assert "\n\nANSWER: <value>\n\n" in prompt.messages[0].content
        assert ("step by step" in prompt.messages[0].content) == (name == "full")
        assert prompt.tokens < config.budget_tokens - config.reply_tokens
        assert extract(prompt.messages[0].content, "answer") == ("", "none")


def test_a_reply_without_an_answer_line_is_no_submission(track, samples) -> None:
    text = f"I think it is {samples[0].expected}."
    code, rule = extract(text, samples[0].answer_kind)
    assert (code, rule) == ("", "none")
    verdict = evaluate(track, samples[0], Reply(text=text, code=code, rule=rule), Bench())
    assert (verdict.status, verdict.score) == (Status.NO_SUBMISSION, 0.0)
    assert [(check.check, str(check.status)) for check in verdict.checks] == [
        ("answered", "fail"), ("readable", "fail"), ("correct", "fail"),
    ]  # fmt: skip


def test_a_wrong_answer_fails_and_says_how_it_was_read(track, samples) -> None:
    quantity = next(one for one in samples if one.kind == "quantity")
    verdict = evaluate(track, quantity, Reply(text="", code="ANSWER: 5 V", rule="answer_line"), Bench())
    assert (verdict.status, verdict.failed_layer, verdict.score) == (Status.FAIL, "static", 0.0)
    assert [str(check.status) for check in verdict.checks] == ["pass", "pass", "fail"]
    assert "V is no unit of" in (verdict.checks[-1].saw or "")


@pytest.fixture(scope="module")
def landed(track, tmp_path_factory) -> tuple[Layout, dict[str, Sample]]:
    """A release, answered by a model that is right less often where numbers change, graded and written."""
    layout = Layout(tmp_path_factory.mktemp("landed"))
    held = build_release(
        track, Wanted(options={**OPTIONS, "cortex_m": False}), layout, lambda f, items, _: map(f, items)
    )
    chance = {"base": 0.9, "rename": 0.8, "renumber": 0.5, "distractor": 0.7, "isolate": 1.0}
    tables: dict[str, list] = {"generations": [], "evaluations": [], "checks": []}
    when = datetime(2026, 5, 1, tzinfo=UTC)
    for one in held.release.samples.values():
        luck = draw("luck", one.sample_id)
        text = one.reference if luck < chance[one.category] else "no idea" if luck > 0.95 else one.mutants[0].text
        code, rule = extract(text, "answer")
        graded = evaluate(track, one, Reply(text=text, code=code, rule=rule), Bench())
        generation, evaluation = digest("g", one.sample_id, length=24), digest("e", one.sample_id, length=24)
        tables["generations"].append({
            "generation_id": generation, "track": "registers", "release": held.release.release,
            "sample_id": one.sample_id, "model": "made/up", "config": "full", "scenario": "generation", "attempt": 1,
            "messages": "[]", "reply": text, "code": code, "code_rule": rule, "created_at": when,
        })  # fmt: skip
        tables["evaluations"].append({
            "evaluation_id": evaluation, "generation_id": generation, "grader_version": track.grader_version,
            "status": str(graded.status), "failed_layer": graded.failed_layer, "score": graded.score,
            "created_at": when + timedelta(seconds=1),
        })  # fmt: skip
    write_batch(layout, "inference", "made", {"generations": tables["generations"]})
    write_batch(layout, "grading", "made", {"evaluations": tables["evaluations"], "checks": []})
    return layout, dict(held.release.samples)


def test_a_release_reads_back_and_is_not_built_twice(track, landed) -> None:
    layout, samples = landed
    held = load(layout, track)
    assert held.samples == samples
    again = build_release(
        track, Wanted(options={**OPTIONS, "cortex_m": False}), layout, lambda f, items, _: map(f, items)
    )
    assert again.release.reused
    assert again.release.release == held.release


def test_the_view_has_a_row_a_unit_with_what_the_item_was(landed) -> None:
    layout, samples = landed
    rows = query(layout, "FROM registers").to_pylist()
    assert len(rows) == len(samples)
    for row in rows:
        one = samples[row["sample_id"]]
        assert (row["family"], row["variant"], row["tier"], row["kind"], row["draw"], row["wording"]) == (
            one.family, one.category, one.difficulty, one.kind, one.draw, one.wording,
        )  # fmt: skip
        assert row["answered"] == (row["status"] != "no_submission")
        assert row["passed"] == (row["status"] == "pass")
    assert {row["status"] for row in rows} == {"pass", "fail", "no_submission"}


def test_the_figures_are_printed_with_intervals_and_power(landed) -> None:
    from rich.console import Console

    layout, samples = landed
    console = Console(width=200, record=True, file=open("/dev/null", "w"))  # noqa: SIM115
    console.print(registers_tables(layout))
    text = console.export_text()
    for name in ("accuracy", "no_answer_rate", "rename_delta", "renumber_delta", "distractor_delta", "isolate_delta",
                 "rename_consistency", "renumber_consistency", "accuracy_base", "detectable at 80 %"):  # fmt: skip
        assert name in text, name
    right = query(layout, "SELECT avg(CAST(passed AS INT)) AS rate FROM registers").to_pylist()[0]["rate"]
    assert f"{100 * right:.1f} %" in text
    assert "saturated, every answer right:" in text
    assert f"of {len({one.family for one in samples.values()})} families" in text


def test_figures_of_nothing_are_refused(tmp_path) -> None:
    with pytest.raises(WarehouseError, match="firmbench run registers"):
        registers_tables(Layout(tmp_path))
