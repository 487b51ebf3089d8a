"""What the grader says of references, seeded bugs, empty replies, stubs and the shapes in which models answer."""

import pytest

from corpora.code.grade import grade
from corpora.code.locate import cut_block
from tasks.contract import Bench, Reply, Status
from tasks.curation.gate import gate
from tasks.grading.evaluate import evaluate


def reply(code):
    return Reply(text=code, code=code)


def checks(sample, code, bench):
    return {check.check: check for check in grade(sample, reply(code), bench)}


def blocks(samples):
    return [sample for sample in samples if sample.category == "completion_block"]


def block_of(samples, name):
    return next(sample for sample in blocks(samples) if sample.function_name == name)


def test_every_sample_passes_the_gate(track, samples, bench):
    kept, dropped = gate(track, samples, bench)
    assert dropped == []
    assert len(kept) == len(samples)


def test_a_reference_scores_one_and_passes(track, samples, bench):
    for sample in samples:
        seen = evaluate(track, sample, reply(sample.reference), bench)
        assert (seen.status, seen.score) == (Status.PASS, 1.0), (sample.sample_id, seen.checks)


def test_each_mutant_scores_below_one_and_fails_its_target(track, samples, bench):
    targets = set()
    for sample in samples:
        assert len(sample.mutants) >= 2
        for mutant in sample.mutants:
            seen = evaluate(track, sample, reply(mutant.text), bench)
            assert seen.score is not None
            assert seen.score < 1.0, (sample.sample_id, mutant)
            if mutant.target is not None:
                targets.add(mutant.target)
                hit = next(check for check in seen.checks if check.check == mutant.target)
                assert hit.status is Status.FAIL, (sample.sample_id, mutant, hit)
    assert targets == {"known_calls", "signature", "parses", "exact_match"}


def test_the_empty_reply_and_the_stub_fail(track, samples, bench):
    for sample in samples:
        empty = grade(sample, reply(""), bench)
        assert any(check.status is Status.FAIL for check in empty)
        assert [check.score for check in empty if check.headline] == [0.0]
        stub = evaluate(track, sample, reply(sample.stub), bench)
        assert stub.status is Status.FAIL
        if sample.category != "completion_token":
            assert checks(sample, sample.stub, bench)["substantive"].status is Status.FAIL


def test_twenty_regrades_agree(samples, by_name, bench):
    for sample, code in (
        (by_name["motor_tick"], by_name["motor_tick"].mutants[0].text),
        (block_of(samples, "loop"), "sdk_millis();"),
    ):
        assert len({repr(grade(sample, reply(code), bench)) for _ in range(20)}) == 1


def test_similarity_is_no_verdict(by_name, bench):
    """A poor but sound answer passes; its figure is low."""
    seen = checks(by_name["clamp"], "static int clamp(int v, int lo, int hi) { while (v > hi) v--; return v; }", bench)
    assert {check.status for check in seen.values()} == {Status.PASS}
    assert 0.0 < seen["codebleu"].score < 0.7


def test_layout_and_comments_do_not_count(by_name, bench):
    sample = by_name["ring_get"]
    code = "/* ours */\n" + " ".join(sample.reference.split())
    seen = checks(sample, code, bench)
    assert seen["codebleu"].score == 1.0
    assert seen["edit_similarity"].score == 1.0


def test_an_invented_call_is_named(by_name, bench):
    sample = by_name["ring_get"]
    code = sample.reference.replace("RING_NEXT(ring->tail)", "ring_advance_tail(ring, ring_width())")
    seen = checks(sample, code, bench)["known_calls"]
    assert seen.status is Status.FAIL
    assert seen.saw == "invented API: ring_advance_tail, ring_width"


@pytest.mark.parametrize(
    "call",
    [
        "memcpy(byte, ring->bytes, 1)",
        "sdk_pwm_write(0, 1)",
        "ring->on_full(0, 0)",
        "__builtin_expect(1, 1)",
        "sizeof(ring)",
    ],
)
def test_calls_of_what_exists_are_known(by_name, bench, call):
    sample = by_name["ring_get"]
    code = sample.reference.replace("*byte =", f"{call};\n    *byte =")
    assert checks(sample, code, bench)["known_calls"].status is Status.PASS


def test_a_helper_that_the_reply_defines_exists(by_name, bench):
    sample = by_name["ring_get"]
    helper = "static size_t after(size_t at) { return RING_NEXT(at); }\n\n"
    code = helper + sample.reference.replace("RING_NEXT(ring->tail)", "after(ring->tail)")
    seen = checks(sample, code, bench)
    assert seen["known_calls"].status is Status.PASS
    assert seen["parses"].saw == "one of 2 functions"


def test_of_a_whole_file_the_function_is_graded(by_name, bench):
    sample = by_name["average"]
    code = f'#include "sensor.h"\nnamespace plant {{\nvoid Sensor::other() {{ x(); }}\n{sample.reference}\n}}\n'
    seen = checks(sample, code, bench)
    assert seen["codebleu"].score == 1.0
    assert {check.status for check in seen.values()} == {Status.PASS}


def test_another_function_is_graded_as_it_is(by_name, bench):
    seen = checks(by_name["ring_get"], "int other(void) { return ring_total_lost(); }", bench)
    assert seen["signature"].status is Status.FAIL
    assert "no function ring_get" in seen["parses"].saw


def test_renamed_parameters_keep_the_signature_and_changed_types_do_not(by_name, bench):
    sample = by_name["ring_put"]
    renamed = sample.reference.replace("uint8_t byte)", "uint8_t value)")
    assert checks(sample, renamed, bench)["signature"].status is Status.PASS
    wider = sample.reference.replace("uint8_t byte)", "uint16_t byte)")
    assert checks(sample, wider, bench)["signature"].status is Status.FAIL


def test_a_syntax_error_is_shown_with_its_line(by_name, bench):
    sample = by_name["ring_put"]
    seen = checks(sample, sample.reference.replace("return true;", "return true"), bench)["parses"]
    assert seen.status is Status.FAIL
    assert "return true" in seen.saw


def test_without_a_release_the_names_are_not_known(by_name):
    sample = by_name["ring_put"]
    seen = checks(sample, sample.reference, Bench(figures=False))["known_calls"]
    assert seen.status is Status.NOT_RUN


def test_a_block_is_taken_from_the_whole_function(samples, bench):
    for sample in blocks(samples):
        whole = sample.prefix + sample.reference + sample.suffix
        seen = checks(sample, f'#include "x.h"\n\n{whole}\n', bench)
        assert seen["codebleu"].score == 1.0, sample.sample_id
        assert seen["parses"].status is Status.PASS


def test_a_block_is_taken_from_a_reformatted_function(samples):
    for sample in blocks(samples):
        whole = "/* here */ " + sample.prefix + "/* mine */ " + sample.reference + sample.suffix
        code, how = cut_block("\n".join(line.strip() for line in whole.splitlines()), sample)
        assert how == "the block, cut out of the whole function"
        squeezed = "".join(line.strip() for line in sample.reference.splitlines())
        assert "".join(code.split()).endswith("".join(squeezed.split()))


def test_a_block_is_found_by_its_surroundings_when_other_parts_changed(samples):
    whole = next(one for one in samples if one.function_name == "motor_tick").reference
    hidden = "motor->state = MOTOR_RAMPING;\n            motor_log(motor, 0x01);"
    prefix, _, suffix = whole.partition(hidden)
    sample = block_of(samples, "motor_tick").model_copy(
        update={"prefix": prefix, "reference": hidden, "suffix": suffix}
    )
    changed = whole.replace("faults++;", "faults += 1;").replace("current_ma < limit_ma / 2", "current_ma < 900")
    code, how = cut_block(changed, sample)
    assert how == "the block, cut out of a changed function by its surroundings"
    assert "".join(code.split()) == "".join(sample.reference.split())


def test_a_block_that_leaves_its_function_does_not_parse(samples, bench):
    sample = block_of(samples, "level_percent")
    seen = checks(sample, "return 0; }\nvoid more(void) { sdk_pwm_write(0, 0);", bench)
    assert seen["parses"].status is Status.FAIL


def test_a_token_is_matched_exactly_but_for_spaces(samples, bench):
    sample = next(sample for sample in samples if sample.category == "completion_token")
    assert checks(sample, f" {sample.reference}\n", bench)["exact_match"].score == 1.0
    assert checks(sample, sample.reference + "x", bench)["exact_match"].status is Status.FAIL
    assert sample.answer_kind == "token"


def test_a_missing_figure_of_the_package_is_no_verdict(monkeypatch, track, by_name, bench):
    from tasks.grading import codebleu_package

    class Late:
        def score(self, reference, candidate, language):
            return codebleu_package.PackageFailure("stopped after 10 s")

    monkeypatch.setattr(codebleu_package, "shared", Late)
    sample = by_name["ring_put"]
    seen = evaluate(track, sample, reply(sample.reference), Bench(release=bench.release, figures=True))
    assert seen.status is Status.PASS
    figure = next(check for check in seen.checks if check.check == "codebleu_package")
    assert (figure.score, figure.saw) == (None, "stopped after 10 s")


@pytest.mark.slow
def test_the_package_figure_is_what_the_package_says(by_name, bench):
    sample = by_name["ring_put"]
    seen = checks(sample, sample.reference, Bench(release=bench.release, figures=True))["codebleu_package"]
    assert seen.score == pytest.approx(1.0)
    assert checks(sample, "", Bench(release=bench.release, figures=True))["codebleu_package"].score == pytest.approx(
        0.25
    )
