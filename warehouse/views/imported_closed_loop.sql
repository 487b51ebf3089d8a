-- Imported runs of the closed-loop firmware benchmark with what their index recorded of each.
CREATE VIEW imported_closed_loop AS
WITH recorded AS (
    SELECT *, json_extract(parameters, '$.recorded') AS facts
    FROM generations
    WHERE track = 'imported:closed_loop'
)
SELECT
    g.release,
    g.model,
    r.category AS task,
    g.scenario AS mode,
    g.attempt,
    r.status,
    r.failed_layer,
    g.facts ->> 'hidden_status' AS hidden_status,
    g.facts ->> 'failure_family' AS failure_family,
    g.facts ->> 'stage_reached' AS stage_reached,
    CAST(g.facts ->> 'wall_clock_seconds' AS DOUBLE) AS wall_clock_s,
    CAST(g.facts ->> 'time_to_first_submission_seconds' AS DOUBLE) AS first_submission_s,
    CAST(g.facts ->> 'hidden_eval_calls' AS BIGINT) AS submissions,
    CAST(g.facts ->> 'iterations' AS BIGINT) AS iterations,
    CAST(g.facts ->> 'build_attempts' AS BIGINT) AS build_attempts,
    CAST(g.facts ->> 'total_tokens' AS BIGINT) AS total_tokens,
    CAST(g.facts ->> 'tool_call_count' AS BIGINT) AS tool_calls,
    CAST(g.facts ->> 'files_touched_count' AS BIGINT) AS files_touched,
    CAST(g.facts ->> 'lines_changed_total' AS BIGINT) AS lines_changed,
    CAST(g.facts ->> 'self_tests_written' AS BIGINT) AS self_tests_written,
    CAST(g.facts ->> 'self_test_runs' AS BIGINT) AS self_test_runs,
    g.generation_id
FROM recorded AS g
JOIN results AS r USING (generation_id)
ORDER BY g.release, g.model, task, mode, g.attempt;

COMMENT ON VIEW imported_closed_loop IS 'Imported runs of the closed-loop firmware benchmark (firmbench import closed-loop) with what its run index says of each; never counted with ours.';
COMMENT ON COLUMN imported_closed_loop.release IS 'What was imported together.';
COMMENT ON COLUMN imported_closed_loop.model IS 'As the paper names it.';
COMMENT ON COLUMN imported_closed_loop.task IS 'The plant; the cluster of standard errors.';
COMMENT ON COLUMN imported_closed_loop.mode IS 'What the agent was told: oneshot_blind, realistic_self_verify, ci_red_green or oracle_full.';
COMMENT ON COLUMN imported_closed_loop.attempt IS 'The repetition, from 1.';
COMMENT ON COLUMN imported_closed_loop.status IS 'Our reading: a run whose infrastructure or provider failed, or that recorded no status, is infra_error.';
COMMENT ON COLUMN imported_closed_loop.failed_layer IS 'The stage that failed, by hidden_status.';
COMMENT ON COLUMN imported_closed_loop.hidden_status IS 'As recorded; empty where the record holds none.';
COMMENT ON COLUMN imported_closed_loop.failure_family IS 'As recorded; it calls build and smoke failures host_tests.';
COMMENT ON COLUMN imported_closed_loop.stage_reached IS 'As recorded.';
COMMENT ON COLUMN imported_closed_loop.wall_clock_s IS 'Wall time of the run.';
COMMENT ON COLUMN imported_closed_loop.first_submission_s IS 'When it first submitted; null where it never did.';
COMMENT ON COLUMN imported_closed_loop.submissions IS 'Hidden evaluations.';
COMMENT ON COLUMN imported_closed_loop.iterations IS 'Iterations.';
COMMENT ON COLUMN imported_closed_loop.build_attempts IS 'Builds.';
COMMENT ON COLUMN imported_closed_loop.total_tokens IS 'Tokens, cached ones too.';
COMMENT ON COLUMN imported_closed_loop.tool_calls IS 'Tool calls.';
COMMENT ON COLUMN imported_closed_loop.files_touched IS 'Files changed.';
COMMENT ON COLUMN imported_closed_loop.lines_changed IS 'Lines added and deleted.';
COMMENT ON COLUMN imported_closed_loop.self_tests_written IS 'Tests the agent wrote.';
COMMENT ON COLUMN imported_closed_loop.self_test_runs IS 'Times it ran tests.';
COMMENT ON COLUMN imported_closed_loop.generation_id IS 'The run.';
