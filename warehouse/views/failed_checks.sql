-- Which checks fail, and how often; the layer mutation measures checks and not models, so it is left out.
CREATE VIEW failed_checks AS
SELECT
    r.track, r.release, r.category, r.model, r.config, r.scenario, c.layer, c.check,
    count(*) FILTER (c.status IN ('pass', 'fail', 'timeout', 'no_submission')) AS n_measured,
    count(*) FILTER (c.status = 'pass') AS n_pass,
    count(*) FILTER (c.status = 'fail') AS n_fail,
    count(*) FILTER (c.status = 'timeout') AS n_timeout,
    count(*) FILTER (c.status IN ('infra_error', 'not_run')) AS n_unmeasured,
    n_fail / nullif(n_measured, 0) AS fail_rate
FROM results AS r
JOIN checks AS c USING (evaluation_id)
WHERE c.layer <> 'mutation'
GROUP BY ALL
ORDER BY track, release, category, model, config, scenario, n_fail DESC, layer, c.check;

COMMENT ON VIEW failed_checks IS 'How often each check fails; a check that never failed is here too, with its denominator.';
COMMENT ON COLUMN failed_checks.track IS 'The kind of question.';
COMMENT ON COLUMN failed_checks.release IS 'The release.';
COMMENT ON COLUMN failed_checks.category IS 'The category of the samples.';
COMMENT ON COLUMN failed_checks.model IS 'Who was asked.';
COMMENT ON COLUMN failed_checks.config IS 'What the model was shown.';
COMMENT ON COLUMN failed_checks.scenario IS 'How the model could work.';
COMMENT ON COLUMN failed_checks.layer IS 'The depth of grading.';
COMMENT ON COLUMN failed_checks.check IS 'The yes/no fact.';
COMMENT ON COLUMN failed_checks.n_measured IS 'Replies with a verdict on this check. The denominator of fail_rate.';
COMMENT ON COLUMN failed_checks.n_pass IS 'Replies that passed it.';
COMMENT ON COLUMN failed_checks.n_fail IS 'Replies that failed it.';
COMMENT ON COLUMN failed_checks.n_timeout IS 'Replies that ran out of time in it.';
COMMENT ON COLUMN failed_checks.n_unmeasured IS 'Replies on which it could not be measured.';
COMMENT ON COLUMN failed_checks.fail_rate IS 'n_fail / n_measured; null when nothing was measured.';
