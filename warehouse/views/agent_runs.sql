-- One row a unit of a scenario that hands sources in: how it ended, what it handed in, what it used.
CREATE VIEW agent_runs AS
WITH acted AS (
    SELECT
        generation_id,
        count(*) FILTER (role = 'assistant' AND tool IS NULL) AS rounds,
        count(*) FILTER (role = 'assistant' AND tool IS NOT NULL) AS tool_calls,
        count(*) FILTER (role = 'assistant' AND tool = 'build') AS builds,
        count(*) FILTER (role = 'assistant' AND tool = 'test') AS self_tests,
        count(*) FILTER (role = 'assistant' AND tool = 'probe') AS probes
    FROM turns
    GROUP BY generation_id
),
handed_in AS (
    SELECT
        generation_id,
        count(*) AS submissions,
        min(after_s) AS first_submission_s,
        min(after_tokens) AS first_submission_tokens,
        arg_min(status, submission) AS first_status,
        min(submission) FILTER (status = 'pass') AS passed_at
    FROM submissions
    GROUP BY generation_id
)
SELECT
    r.track,
    r.release,
    r.family,
    r.sample_id,
    r.model,
    r.config,
    r.scenario,
    r.attempt,
    CASE
        WHEN r.status = 'pass' THEN 'PASS'
        WHEN r.status = 'fail' AND r.failed_layer = 'host' THEN 'HOST'
        WHEN r.status = 'fail' AND r.failed_layer = 'simulation' THEN 'INT'
        WHEN r.status = 'no_submission' THEN 'NONE'
        ELSE upper(r.status)
    END AS outcome,
    r.status,
    g.finish_reason AS ending,
    g.error_kind,
    coalesce(h.submissions, 0) AS submissions,
    h.first_status,
    h.passed_at,
    h.first_submission_s,
    h.first_submission_tokens,
    coalesce(a.rounds, 0) AS rounds,
    coalesce(a.tool_calls, 0) AS tool_calls,
    coalesce(a.builds, 0) AS builds,
    coalesce(a.self_tests, 0) AS self_tests,
    coalesce(a.probes, 0) AS probes,
    g.prompt_tokens + g.completion_tokens AS total_tokens,
    g.seconds_s AS model_s,
    r.generation_id
FROM results AS r
JOIN generations AS g USING (generation_id)
LEFT JOIN acted AS a USING (generation_id)
LEFT JOIN handed_in AS h USING (generation_id)
WHERE json_exists(g.parameters, '$.scenario');

COMMENT ON VIEW agent_runs IS 'One row a unit of a scenario that hands sources in (and a release that holds its sample): how it ended, what it handed in and when, what it used. docs/agents.md has the scenarios.';
COMMENT ON COLUMN agent_runs.track IS 'The kind of question.';
COMMENT ON COLUMN agent_runs.release IS 'The release that holds the sample.';
COMMENT ON COLUMN agent_runs.family IS 'Of the sample; the plant in the closedloop track.';
COMMENT ON COLUMN agent_runs.sample_id IS 'The question.';
COMMENT ON COLUMN agent_runs.model IS 'Who worked.';
COMMENT ON COLUMN agent_runs.config IS 'What the model was shown.';
COMMENT ON COLUMN agent_runs.scenario IS 'How it could work.';
COMMENT ON COLUMN agent_runs.attempt IS 'Which repeat, from 1.';
COMMENT ON COLUMN agent_runs.outcome IS 'The label of the paper for the last submission: PASS, HOST, INT or NONE; else the status in capitals.';
COMMENT ON COLUMN agent_runs.status IS 'The verdict on the last submission.';
COMMENT ON COLUMN agent_runs.ending IS 'How the unit ended: stop, length, passed, submitted, time, tokens, rounds, context_window or content_filter.';
COMMENT ON COLUMN agent_runs.error_kind IS 'What of the provider or the sandbox broke it off; null for a unit that ended.';
COMMENT ON COLUMN agent_runs.submissions IS 'Sources handed in.';
COMMENT ON COLUMN agent_runs.first_status IS 'The verdict on the first of them.';
COMMENT ON COLUMN agent_runs.passed_at IS 'The first submission that passed, from 1; null where none did.';
COMMENT ON COLUMN agent_runs.first_submission_s IS 'Seconds of the unit''s own work before the first; null where there is none.';
COMMENT ON COLUMN agent_runs.first_submission_tokens IS 'Tokens before the first.';
COMMENT ON COLUMN agent_runs.rounds IS 'Answers of the model.';
COMMENT ON COLUMN agent_runs.tool_calls IS 'Tools it called.';
COMMENT ON COLUMN agent_runs.builds IS 'Calls of the tool build.';
COMMENT ON COLUMN agent_runs.self_tests IS 'Calls of the tool test.';
COMMENT ON COLUMN agent_runs.probes IS 'Calls of the tool probe.';
COMMENT ON COLUMN agent_runs.total_tokens IS 'Tokens of all prompts and answers; null where the provider does not count.';
COMMENT ON COLUMN agent_runs.model_s IS 'Seconds that the answers took.';
COMMENT ON COLUMN agent_runs.generation_id IS 'The unit.';
