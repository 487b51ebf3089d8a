-- What each layer of grading said of a reply: its checks made one status, as a verdict is.
CREATE VIEW layer_results AS
SELECT
    r.track, r.release, r.category, r.model, r.config, r.scenario, r.attempt, r.sample_id, r.cluster, r.project_id,
    r.generation_id, r.evaluation_id, c.layer,
    CASE
        WHEN bool_or(c.status = 'fail') THEN 'fail'
        WHEN bool_or(c.status = 'timeout') THEN 'timeout'
        WHEN bool_or(c.status = 'infra_error') THEN 'infra_error'
        WHEN bool_or(c.status = 'not_run') THEN 'not_run'
        ELSE 'pass'
    END AS status,
    count(*) AS n_checks,
    count(*) FILTER (c.status = 'fail') AS n_fail
FROM results AS r
JOIN checks AS c USING (evaluation_id)
WHERE c.layer <> 'mutation'
GROUP BY ALL
ORDER BY ALL;

COMMENT ON VIEW layer_results IS 'One row a graded reply and layer that it has checks of, but for mutation, which measures checks: their status together. What an ablation of layers counts (warehouse.stats.layer_ablation).';
COMMENT ON COLUMN layer_results.track IS 'The kind of question.';
COMMENT ON COLUMN layer_results.release IS 'The release.';
COMMENT ON COLUMN layer_results.category IS 'The category of the sample.';
COMMENT ON COLUMN layer_results.model IS 'Who was asked.';
COMMENT ON COLUMN layer_results.config IS 'What the model was shown.';
COMMENT ON COLUMN layer_results.scenario IS 'How the model could work.';
COMMENT ON COLUMN layer_results.attempt IS 'Which repeat, from 1.';
COMMENT ON COLUMN layer_results.sample_id IS 'The question.';
COMMENT ON COLUMN layer_results.cluster IS 'The sampling unit that standard errors group by.';
COMMENT ON COLUMN layer_results.project_id IS 'The project the sample was mined from.';
COMMENT ON COLUMN layer_results.generation_id IS 'The reply.';
COMMENT ON COLUMN layer_results.evaluation_id IS 'The verdict: the newest on this reply.';
COMMENT ON COLUMN layer_results.layer IS 'The depth of grading.';
COMMENT ON COLUMN layer_results.status IS 'The first of fail, timeout, infra_error, not_run, pass that any check of the layer has.';
COMMENT ON COLUMN layer_results.n_checks IS 'Checks of the layer.';
COMMENT ON COLUMN layer_results.n_fail IS 'Checks of the layer that failed.';
