-- One row a unit of the registers track: the result, and what the item was.
CREATE VIEW registers AS
SELECT
    r.release,
    r.model,
    r.config,
    r.scenario,
    r.attempt,
    r.sample_id,
    r.family,
    r.category AS variant,
    s.domain,
    s.difficulty AS tier,
    json_extract_string(s.prompt_parts, '$.kind') AS kind,
    CAST(json_extract(s.prompt_parts, '$.draw') AS BIGINT) AS draw,
    CAST(json_extract(s.prompt_parts, '$.wording') AS BIGINT) AS wording,
    CASE WHEN r.measured THEN r.status = 'pass' END AS passed,
    CASE WHEN r.measured THEN r.status <> 'no_submission' END AS answered,
    r.status,
    r.generation_id,
    r.evaluation_id
FROM results AS r
JOIN samples AS s ON s.sample_id = r.sample_id AND s.release = r.release
WHERE r.track = 'registers';

COMMENT ON VIEW registers IS 'One row a unit of the registers track: the result and what the item was. warehouse.stats.registers makes its figures from these rows.';
COMMENT ON COLUMN registers.release IS 'The release that holds the sample.';
COMMENT ON COLUMN registers.model IS 'Who was asked.';
COMMENT ON COLUMN registers.config IS 'What the model was shown.';
COMMENT ON COLUMN registers.scenario IS 'How the model could work.';
COMMENT ON COLUMN registers.attempt IS 'Which repeat, from 1.';
COMMENT ON COLUMN registers.sample_id IS 'The question.';
COMMENT ON COLUMN registers.family IS 'The generator of the question: the cluster of all statistics.';
COMMENT ON COLUMN registers.variant IS 'base, rename, renumber, distractor or isolate.';
COMMENT ON COLUMN registers.domain IS 'Such as i2c, adc or c_source.';
COMMENT ON COLUMN registers.tier IS 'The guess of the author: easy, medium or hard. Results give the real difficulty.';
COMMENT ON COLUMN registers.kind IS 'How the answer is compared: integer, quantity or choice.';
COMMENT ON COLUMN registers.draw IS 'Which parameters of the family.';
COMMENT ON COLUMN registers.wording IS 'Which words of the family.';
COMMENT ON COLUMN registers.passed IS 'Whether the answer was right; null where nothing was measured.';
COMMENT ON COLUMN registers.answered IS 'Whether there was an answer line; null where nothing was measured.';
COMMENT ON COLUMN registers.status IS 'The verdict, as in results.';
COMMENT ON COLUMN registers.generation_id IS 'The reply.';
COMMENT ON COLUMN registers.evaluation_id IS 'The verdict: the newest on this reply.';
