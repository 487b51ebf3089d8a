-- Every failed check beside the code it judged: what the failure patterns are read from.
CREATE VIEW failures AS
SELECT
    r.track, r.release, r.category, r.model, r.config, r.scenario, r.attempt, r.sample_id, r.cluster,
    r.evaluation_id, c.layer, c.check, c.status, c.expected,
    CASE WHEN c.status = 'timeout' THEN concat_ws(': ', 'timed out', c.saw) ELSE c.saw END AS saw,
    g.code,
    json_extract_string(s.prompt_parts, '$.platform') AS platform
FROM results AS r
JOIN checks AS c USING (evaluation_id)
JOIN generations AS g USING (generation_id)
LEFT JOIN samples AS s ON s.sample_id = r.sample_id AND s.release IS NOT DISTINCT FROM r.release
WHERE c.status IN ('fail', 'timeout') AND c.layer <> 'mutation';

COMMENT ON VIEW failures IS 'One row a failed check, with the code it judged and the platform asked for: what warehouse.stats.taxonomy classifies.';
COMMENT ON COLUMN failures.track IS 'The kind of question.';
COMMENT ON COLUMN failures.release IS 'The release.';
COMMENT ON COLUMN failures.category IS 'The category of the sample.';
COMMENT ON COLUMN failures.model IS 'Who was asked.';
COMMENT ON COLUMN failures.config IS 'What the model was shown.';
COMMENT ON COLUMN failures.scenario IS 'How the model could work.';
COMMENT ON COLUMN failures.attempt IS 'Which repeat, from 1.';
COMMENT ON COLUMN failures.sample_id IS 'The question.';
COMMENT ON COLUMN failures.cluster IS 'The sampling unit that standard errors group by.';
COMMENT ON COLUMN failures.evaluation_id IS 'The verdict: the newest on this reply.';
COMMENT ON COLUMN failures.layer IS 'The depth of grading.';
COMMENT ON COLUMN failures.check IS 'The yes/no fact that is not so.';
COMMENT ON COLUMN failures.status IS 'fail or timeout.';
COMMENT ON COLUMN failures.expected IS 'What the check asked for.';
COMMENT ON COLUMN failures.saw IS 'What it saw instead; begins with "timed out" where it did not end.';
COMMENT ON COLUMN failures.code IS 'The code that was taken from the reply.';
COMMENT ON COLUMN failures.platform IS 'The platform that the sample asks for; null where its track names none.';
