"""The 32 weaknesses measured in the public implementation of the method, and which test holds each here.

Names are `file::test`, below tests/. A weakness is one row; the tests that hold it must exist and say so themselves.
"""

import ast
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

TESTS = Path(__file__).resolve().parent.parent


class Held(NamedTuple):
    """What was wrong there, and the tests that would fail if it were so here."""

    words: str
    tests: tuple[str, ...]


TRACK, CHECKING, LAYERS = "firmware/test_track.py", "firmware/test_checking.py", "firmware/test_layers.py"
PLATFORMS, FACETS, FEEDBACK = "firmware/test_platforms.py", "warehouse/test_facets.py", "inference/test_feedback.py"
RULES, EVERY_CASE = "grading/tree_rules/test_rules.py", "firmware/own/test_all_cases.py"

WEAKNESSES: dict[str, Held] = {
    "W1": Held("a check module that is missing or raises lets its layer pass", (
        f"{CHECKING}::test_a_module_that_cannot_judge_is_named_and_leaves_the_others_alone",
        f"{TRACK}::test_the_gate_keeps_what_proves_itself_and_names_what_does_not",
    )),
    "W2": Held("a layer that is skipped counts as passed", (
        f"{LAYERS}::test_a_skipped_layer_says_why_and_is_not_a_pass",
        f"{TRACK}::test_a_layer_left_out_is_recorded_passes_nothing_and_stands_aside",
        f"{TRACK}::test_a_layer_that_applies_and_cannot_run_leaves_no_verdict",
    )),
    "W3": Held("a rate credits layers that never ran", (
        "stats/test_layer_ablation.py::test_not_run_is_never_a_pass",
        f"{FACETS}::test_rates_by_tier_and_reasoning_keep_models_and_scenarios_apart",
    )),
    "W4": Held("checks read raw text, comments and dead code included", (
        f"{RULES}::test_a_call_that_is_not_live_is_none",
        f"{EVERY_CASE}::test_every_case_keeps_its_promise",
        "grading/tree_rules/test_preprocess.py::test_live_code",
    )),
    "W5": Held("checks that depend on layout", (
        f"{RULES}::test_defines_whatever_the_layout",
        f"{EVERY_CASE}::test_a_layout_changes_the_text",
        "grading/tree_rules/test_preprocess.py::test_equal_expressions",
    )),
    "W6": Held("checks that notice little of what is wrong", (
        f"{EVERY_CASE}::test_every_case_keeps_its_promise",
        "firmware/own/test_audit.py::test_bad_checks_are_told_apart",
        f"{TRACK}::test_the_gate_keeps_what_proves_itself_and_names_what_does_not",
        f"{RULES}::test_result_unused",
    )),
    "W7": Held("seeded bugs are sought in the model's code, and what cannot be seeded passes", (
        f"{CHECKING}::test_negatives_are_judged_on_the_checks_they_name",
        f"{LAYERS}::test_the_mutation_layer_says_nothing_about_the_model",
        f"{TRACK}::test_bad_cases_are_dropped_by_name_and_the_rest_is_unharmed",
    )),
    "W8": Held("a run passes by words that any output, the build's too, may hold", (
        "firmware/own/test_execution.py::test_printed_verdicts_count_for_nothing",
        f"{PLATFORMS}::test_firmware_without_end_is_judged_by_what_it_prints_alone",
        "sandbox/test_verdict.py::test_output_of_the_subject_does_not_matter",
        "sandbox/test_verdict.py::test_no_trick_passes",
    )),
    "W9": Held("running out of time is success", (
        "firmware/own/test_execution.py::test_time_passes_in_a_loop_without_end",
        f"{PLATFORMS}::test_firmware_without_end_is_judged_by_what_it_prints_alone",
        f"{PLATFORMS}::test_a_program_that_does_not_end_is_timeout_and_one_that_does_not_compile_fails",
    )),
    "W10": Held("a platform that cannot be built, and code written into the case's own folder", (
        f"{PLATFORMS}::test_an_sdk_is_built_with_the_commands_of_the_table",
        f"{TRACK}::test_a_release_grades_when_its_checkout_is_gone",
    )),
    "W11": Held("the first layer that fails hides the others", (
        f"{LAYERS}::test_every_layer_runs_whatever_another_says",
        f"{TRACK}::test_halting_is_the_methods_order_and_another_grader",
    )),
    "W12": Held("placeholders in prompts, and prompts that differ by command", (
        "firmware/test_cases.py::test_gitkeep_is_no_context_and_no_change",
        f"{TRACK}::test_the_prompt_is_context_task_and_board_in_the_methods_words",
        "inference/test_packs.py::test_the_pack_comes_first_and_its_tokens_are_the_budgets",
    )),
    "W13": Held("a baseline that may read the references", (
        "inference/test_models.py::test_what_is_sent_is_what_is_recorded",
    )),
    "W14": Held("a temperature that is written down and never sent", (
        "inference/test_models.py::test_what_is_sent_is_what_is_recorded",
        "inference/test_plan.py::test_parameters_prompt_and_reply_tokens_reach_the_id",
    )),
    "W15": Held("asked again within pass@1, blocks joined, a provider's error a failure of the model", (
        "inference/test_shard.py::test_failures_and_empty_replies_are_rows_and_are_asked_again",
        "inference/test_extract.py::test_reply",
        "grading/test_work.py::test_a_provider_error_is_infra_error_and_is_not_graded",
    )),
    "W16": Held("repeats pooled as independent trials", (
        "stats/test_proportions.py::test_a_clustered_rate_is_wilson_at_the_size_that_clustering_leaves",
        "stats/test_proportions.py::test_clusters_that_agree_by_chance_do_not_make_the_rows_more_than_they_are",
    )),
    "W17": Held("item response theory without a model", (
        "stats/test_irt.py::test_rasch_recovers_difficulties_from_200_respondents",
        "stats/test_irt.py::test_too_few_respondents_are_refused_by_number",
    )),
    "W18": Held("an ablation of layers over best attempts, skipped layers and one order", (
        "stats/test_layer_ablation.py::test_shares_are_shapleys",
        "stats/test_layer_ablation.py::test_the_interval_of_a_share_holds_its_level",
    )),
    "W19": Held("run-to-run noise reported as sensitivity", (
        "stats/test_variance.py::test_repeats_shrink_only_what_lies_within",
    )),
    "W20": Held("contexts compared without pairs, intervals or a noise floor", (
        "stats/test_paired.py::test_pairing_sees_what_two_marginal_rates_cannot",
        "stats/test_power.py::test_the_detectable_difference_has_just_that_power",
        "inference/test_packs.py::test_packs_of_other_text_are_other_configs_and_the_same_text_is_the_same",
        "flows/test_firmware.py::test_a_pack_is_a_config_of_its_own_and_stands_beside_full",
    )),
    "W21": Held("failures explained by the number of their layer", (
        "stats/test_taxonomy.py::test_seeded_failures_are_found_as_their_cause",
        "stats/test_taxonomy.py::test_the_view_of_failures_is_what_is_classified",
    )),
    "W22": Held("rates of checks over cases that do not have them", (
        "warehouse/test_views.py::test_components_and_failed_checks",
    )),
    "W23": Held("a guide that pools models and knows no n", (
        "stats/test_safety.py::test_models_are_not_pooled",
        "stats/test_safety.py::test_three_tasks_carry_no_tier_whatever_they_show",
    )),
    "W24": Held("a mock that counts as a model, the last run that wins", (
        "stats/test_safety.py::test_a_mock_neither_decides_nor_counts",
        "stats/test_safety.py::test_every_built_in_solver_is_left_out",
    )),
    "W25": Held("any attempt counts, tables without a model, categories guessed from ids", (
        f"{FACETS}::test_rates_by_tier_and_reasoning_keep_models_and_scenarios_apart",
        "stats/test_passk.py::test_one_sample_short_of_attempts_makes_the_figure_null",
        "firmware/test_cases.py::test_the_category_is_what_the_metadata_says",
    )),
    "W26": Held("bugs to repair counted as cases, with the bug described in the prompt", (
        f"{FACETS}::test_bugs_to_repair_are_a_scenario_of_their_own_in_every_view",
        f"{TRACK}::test_a_repair_shows_the_bug_and_says_nothing_of_it",
        "inference/test_filters.py::test_samples_for_one_scenario_are_asked_in_no_other",
    )),
    "W27": Held("of several attempts only the last is kept", (
        "inference/test_plan.py::test_a_plan_holds_every_unit_once_and_subtracts_what_is_done",
        "inference/test_shard.py::test_a_row_holds_all_there_is_to_know",
    )),
    "W28": Held("an interrupted run loses attempts", (
        "inference/test_kill.py::test_killed_at_20_random_moments_nothing_is_lost_doubled_or_asked_again",
    )),
    "W29": Held("rounds of feedback lose tier, context and tokens", (
        f"{FEEDBACK}::test_the_whole_conversation_goes_on_context_included",
        f"{FEEDBACK}::test_every_round_is_a_turn_and_all_tokens_count",
        "flows/test_firmware.py::test_rounds_of_feedback_are_a_scenario_of_their_own",
    )),
    "W30": Held("verdicts of different checks and cases merged without a mark", (
        f"{TRACK}::test_a_changed_check_or_prompt_is_another_sample_and_a_gitkeep_is_not",
        "grading/test_work.py::test_the_id_of_a_verdict_is_that_of_reply_grader_and_toolchain",
        "warehouse/test_importers_embedeval.py::test_a_tracker_keeps_versions_of_a_case_apart",
    )),
    "W31": Held("what measures checks counted among a model's failures", (
        f"{FACETS}::test_the_layer_mutation_is_counted_in_no_view_of_models",
    )),
    "W32": Held("cached tokens not counted", (
        "inference/test_models.py::test_cost_follows_the_price_list_with_cached_tokens_at_their_rate",
    )),
}  # fmt: skip


@cache
def defined(file: str) -> frozenset[str]:
    """Return the test functions of a file below tests/."""
    path = TESTS / file
    return frozenset(
        node.name for node in ast.parse(path.read_text()).body if isinstance(node, ast.FunctionDef)
    ) if path.is_file() else frozenset()  # fmt: skip


def test_every_weakness_has_a_row() -> None:
    assert list(WEAKNESSES) == [f"W{number}" for number in range(1, 33)]


@pytest.mark.parametrize("name", WEAKNESSES)
def test_the_tests_that_hold_it_are_there(name: str) -> None:
    assert WEAKNESSES[name].tests
    for test in WEAKNESSES[name].tests:
        file, _, function = test.partition("::")
        assert function in defined(file), f"{name} is said to be held by {test}, which does not exist"
