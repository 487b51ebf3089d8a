-- Every submission of an imported campaign that was graded again: what the agent was told beside our verdict.
CREATE VIEW regraded_submissions AS
SELECT
    g.release,
    i.release AS imported_release,
    i.task,
    i.model,
    i.mode,
    i.attempt,
    own.submission,
    theirs.status AS told,
    own.status,
    own.score,
    theirs.checks ->> '$[0].status' = 'pass' AS exact,
    theirs.checks ->> '$[0].saw' AS doubt,
    i.generation_id AS imported_id,
    g.generation_id
FROM generations AS g
JOIN submissions AS own USING (generation_id)
JOIN imported_closed_loop AS i ON i.generation_id = g.carried_from
JOIN submissions AS theirs ON (theirs.generation_id, theirs.submission) = (g.carried_from, own.submission)
WHERE g.track = 'imported:closed_loop_regraded'
ORDER BY g.release, i.task, i.model, i.mode, i.attempt, own.submission;

COMMENT ON VIEW regraded_submissions IS 'Every submission of an imported campaign that was graded again: what the agent was told beside our verdict on the closed loop, never counted with either.';
COMMENT ON COLUMN regraded_submissions.release IS 'What was graded together.';
COMMENT ON COLUMN regraded_submissions.imported_release IS 'Where the submissions come from.';
COMMENT ON COLUMN regraded_submissions.task IS 'The plant.';
COMMENT ON COLUMN regraded_submissions.model IS 'As the paper names it.';
COMMENT ON COLUMN regraded_submissions.mode IS 'What the agent was told to do.';
COMMENT ON COLUMN regraded_submissions.attempt IS 'The repetition, from 1.';
COMMENT ON COLUMN regraded_submissions.submission IS 'Which of the run, from 1.';
COMMENT ON COLUMN regraded_submissions.told IS 'What the output of the evaluation said, in our words; null where it said nothing.';
COMMENT ON COLUMN regraded_submissions.status IS 'Our verdict on the closed loop alone.';
COMMENT ON COLUMN regraded_submissions.score IS 'The share of scenarios that pass.';
COMMENT ON COLUMN regraded_submissions.exact IS 'Whether the source is what was handed in, as far as the transcript can show.';
COMMENT ON COLUMN regraded_submissions.doubt IS 'Why it may not be.';
COMMENT ON COLUMN regraded_submissions.imported_id IS 'The imported run.';
COMMENT ON COLUMN regraded_submissions.generation_id IS 'The run as graded again.';
