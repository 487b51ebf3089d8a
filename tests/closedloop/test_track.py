"""The four files: samples, prompts, and the release gate over them."""

import pickle

import pytest

from corpora import FolderTrack
from corpora.closedloop.build import build
from corpora.closedloop.model import ALL_TASKS, OWN_TASKS, TASKS, load
from tasks.contract import Bench, BuildInputs, Counted, Reply, Status
from tasks.curation.gate import gate
from tasks.grading.evaluate import evaluate
from warehouse.errors import CorpusError, UsageError

TRACK = FolderTrack("closedloop", "corpora.closedloop")


def samples(**options):
    return [one for one in build(BuildInputs(options=options)) if not isinstance(one, Counted)]


@pytest.mark.parametrize("name", ALL_TASKS)
def test_every_graded_requirement_is_a_sentence_of_the_brief_and_every_sentence_is_graded(name):
    task = load(name)
    graded = {key for one in task.check for key in (one.requirement, *one.also)}
    graded |= {one.requirement for one in task.host}
    assert graded == set(task.requirements)
    (sample,) = samples(tasks=[name])
    shown = TRACK.prompt(sample, TRACK.configs["full"]).messages[1].content
    for key in graded:
        assert task.requirements[key] in shown, key


@pytest.mark.parametrize("name", ALL_TASKS)
def test_a_prompt_shows_neither_scenarios_nor_the_reference(name):
    (sample,) = samples(tasks=[name])
    prompt = TRACK.prompt(sample, TRACK.configs["full"])
    text = "".join(message.content for message in prompt.messages)
    assert "ACTUATOR_COUNT" in text
    assert "EVENT_MALFORMED" in text
    assert not any(one.name in text for one in load(name).scenario if "_" in one.name)
    assert "static bool" not in text
    assert prompt.tokens < 8192 - 2048


def test_samples_are_the_five_tasks_and_keep_their_ids():
    first, again = samples(), samples()
    assert [one.task for one in first] == list(TASKS)
    assert [one.sample_id for one in first] == [one.sample_id for one in again]
    assert {one.sample_id for one in samples(held_out=True)}.isdisjoint(one.sample_id for one in first)
    assert pickle.loads(pickle.dumps(TRACK)) == TRACK


def test_our_own_tasks_are_there_on_demand_and_leave_the_paper_alone():
    paper = [one.sample_id for one in samples()]
    assert [one.task for one in samples(set="own")] == list(OWN_TASKS)
    assert [one.sample_id for one in samples(set="all")][: len(TASKS)] == paper
    assert [one.sample_id for one in samples(set="paper")] == paper
    with pytest.raises(UsageError, match="paper, own, all"):
        samples(set="mine")


@pytest.mark.parametrize("names", [TASKS[:1], pytest.param(ALL_TASKS, marks=pytest.mark.slow)], ids=["tank", "all"])
def test_the_release_gate_keeps_every_sample(names, sandbox):
    gated = gate(TRACK, samples(tasks=list(names)), Bench(sandbox=sandbox))
    assert [one.detail for one in gated.dropped] == []
    assert len(gated.kept) == len(names)


def test_a_bench_without_a_sandbox_opens_its_own(sandbox):
    (sample,) = samples(tasks=["tank_fill_drain"])
    reply = Reply(text=sample.reference, code=sample.reference)
    seen = evaluate(TRACK, sample, reply, Bench())
    assert (seen.status, seen.score) == (Status.PASS, 1.0)


def test_a_sample_of_another_contract_is_refused():
    (sample,) = samples(tasks=["tank_fill_drain"])
    with pytest.raises(CorpusError, match="build the closedloop corpus again"):
        TRACK.grade(sample.model_copy(update={"contract": "0"}), Reply(text="x", code="x"), Bench())


def test_the_failed_layer_tells_host_from_integration(sandbox):
    (sample,) = samples(tasks=["tank_fill_drain"])
    by_name = {one.name: one.text for one in sample.mutants}
    seen = evaluate(TRACK, sample, Reply(text="", code=by_name["low_includes_edge"]), Bench(sandbox=sandbox))
    assert (seen.status, seen.failed_layer) == (Status.FAIL, "host")
    assert 0.8 < (seen.score or 0) < 1
