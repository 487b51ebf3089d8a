-- One row a unit that was asked: its sample, its reply and the newest verdict on it, one that halted only without another.
CREATE VIEW results AS
WITH newest AS (
    SELECT * FROM evaluations
    QUALIFY row_number() OVER (PARTITION BY generation_id ORDER BY grader_version LIKE '%+halt', created_at DESC NULLS LAST, evaluation_id) = 1
)
SELECT
    g.track,
    coalesce(s.release, g.release) AS release,
    s.category,
    s.stratum,
    s.project_id,
    s.family,
    coalesce(s.cluster, g.sample_id) AS cluster,
    g.sample_id,
    g.model,
    g.config,
    g.scenario,
    g.attempt,
    CASE
        WHEN e.status IS NOT NULL THEN e.status
        WHEN g.error_kind IS NOT NULL AND g.error_kind <> 'empty_reply' THEN 'infra_error'
        ELSE 'not_run'
    END AS status,
    coalesce(e.status IN ('pass', 'fail', 'timeout', 'no_submission'), false) AS measured,
    CASE WHEN e.status IN ('pass', 'fail', 'timeout', 'no_submission') THEN e.score END AS score,
    e.failed_layer,
    g.generation_id,
    e.evaluation_id,
    e.grader_version,
    e.toolchain_digest,
    g.run_id,
    g.prompt_tokens,
    g.completion_tokens,
    g.cost_usd,
    g.seconds_s,
    e.seconds_s AS grading_s,
    g.prompt_cut IS NOT NULL AND json_array_length(g.prompt_cut) > 0 AS cut,
    g.error_kind
FROM generations AS g
LEFT JOIN samples AS s USING (sample_id)
LEFT JOIN newest AS e USING (generation_id);

COMMENT ON VIEW results IS 'One row a unit that was asked (and a release that holds its sample): the sample, the reply and the newest verdict. Every rate below is counted over these rows.';
COMMENT ON COLUMN results.track IS 'The kind of question.';
COMMENT ON COLUMN results.release IS 'The release that holds the sample; a sample in two releases is asked once and counts in both.';
COMMENT ON COLUMN results.category IS 'Of the sample, e.g. generation.';
COMMENT ON COLUMN results.stratum IS 'Of the sample: its length class; of a firmware case, how deep it is graded.';
COMMENT ON COLUMN results.project_id IS 'The project the sample was mined from.';
COMMENT ON COLUMN results.family IS 'The family of the sample.';
COMMENT ON COLUMN results.cluster IS 'The sampling unit that standard errors group by; the sample itself where none is declared.';
COMMENT ON COLUMN results.sample_id IS 'The question.';
COMMENT ON COLUMN results.model IS 'Who was asked.';
COMMENT ON COLUMN results.config IS 'What the model was shown.';
COMMENT ON COLUMN results.scenario IS 'How the model could work.';
COMMENT ON COLUMN results.attempt IS 'Which repeat, from 1.';
COMMENT ON COLUMN results.status IS 'The verdict; without one, infra_error where the provider failed and not_run where nobody graded yet.';
COMMENT ON COLUMN results.measured IS 'Whether the status says something of the model: pass, fail, timeout or no_submission.';
COMMENT ON COLUMN results.score IS 'The headline score in [0, 1]; null where nothing was measured or the reference cannot carry it.';
COMMENT ON COLUMN results.failed_layer IS 'The first layer that failed.';
COMMENT ON COLUMN results.generation_id IS 'The reply.';
COMMENT ON COLUMN results.evaluation_id IS 'The verdict: the newest on this reply.';
COMMENT ON COLUMN results.grader_version IS 'The grader that gave the verdict.';
COMMENT ON COLUMN results.toolchain_digest IS 'The toolchain it used.';
COMMENT ON COLUMN results.run_id IS 'The run that asked.';
COMMENT ON COLUMN results.prompt_tokens IS 'As the provider counted them.';
COMMENT ON COLUMN results.completion_tokens IS 'As the provider counted them.';
COMMENT ON COLUMN results.cost_usd IS 'What the reply cost; null where no price is known.';
COMMENT ON COLUMN results.seconds_s IS 'Wall time of the request that succeeded.';
COMMENT ON COLUMN results.grading_s IS 'Wall time in the grader.';
COMMENT ON COLUMN results.cut IS 'Whether the token budget left context out of this prompt.';
COMMENT ON COLUMN results.error_kind IS 'What kept a reply from arriving; null for a good one.';
