-- Imported runs whose last submission was graded again on our plants: the recorded verdict beside ours.
CREATE VIEW regraded_closed_loop AS
WITH wrong AS (
    SELECT evaluation_id, string_agg(c.check, ', ' ORDER BY c.check) AS checks
    FROM checks AS c
    WHERE c.status IN ('fail', 'timeout') AND c.check <> 'everything'
    GROUP BY evaluation_id
),
last_one AS (
    SELECT generation_id, checks ->> '$[0].status' = 'pass' AS exact, checks ->> '$[0].saw' AS doubt
    FROM submissions
    QUALIFY submission = max(submission) OVER (PARTITION BY generation_id)
)
SELECT
    r.release,
    i.release AS imported_release,
    i.task,
    i.model,
    i.mode,
    i.attempt,
    i.hidden_status,
    i.status AS recorded,
    r.status,
    r.score,
    w.checks AS failed,
    s.exact,
    s.doubt,
    i.generation_id AS imported_id,
    r.generation_id
FROM results AS r
JOIN generations AS g USING (generation_id)
JOIN imported_closed_loop AS i ON i.generation_id = g.carried_from
LEFT JOIN wrong AS w ON w.evaluation_id = r.evaluation_id
LEFT JOIN last_one AS s ON s.generation_id = g.carried_from
WHERE r.track = 'imported:closed_loop_regraded'
ORDER BY r.release, i.task, i.model, i.mode, i.attempt;

COMMENT ON VIEW regraded_closed_loop IS 'Imported runs of the closed-loop firmware benchmark whose last submission was graded again (firmbench grade closedloop --imported RELEASE): the recorded verdict beside ours, never counted with either.';
COMMENT ON COLUMN regraded_closed_loop.release IS 'What was graded together.';
COMMENT ON COLUMN regraded_closed_loop.imported_release IS 'Where the submissions come from.';
COMMENT ON COLUMN regraded_closed_loop.task IS 'The plant.';
COMMENT ON COLUMN regraded_closed_loop.model IS 'As the paper names it.';
COMMENT ON COLUMN regraded_closed_loop.mode IS 'What the agent was told.';
COMMENT ON COLUMN regraded_closed_loop.attempt IS 'The repetition, from 1.';
COMMENT ON COLUMN regraded_closed_loop.hidden_status IS 'As recorded.';
COMMENT ON COLUMN regraded_closed_loop.recorded IS 'Our reading of it.';
COMMENT ON COLUMN regraded_closed_loop.status IS 'Our verdict on the closed loop alone; the campaign''s host tests are not played again.';
COMMENT ON COLUMN regraded_closed_loop.score IS 'The share of scenarios that pass.';
COMMENT ON COLUMN regraded_closed_loop.failed IS 'The checks that fail.';
COMMENT ON COLUMN regraded_closed_loop.exact IS 'Whether the source is what was handed in, as far as the transcript can show.';
COMMENT ON COLUMN regraded_closed_loop.doubt IS 'Why it may not be.';
COMMENT ON COLUMN regraded_closed_loop.imported_id IS 'The imported run.';
COMMENT ON COLUMN regraded_closed_loop.generation_id IS 'The submission.';
