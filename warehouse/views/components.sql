-- The similarity figures one by one, whether or not they make the headline score.
CREATE VIEW components AS
SELECT
    r.track, r.release, r.category, r.model, r.config, r.scenario, c.check AS component,
    count(*) AS n_checked,
    count(c.score) AS n_scored,
    round(avg(c.score), 12) AS mean_score
FROM results AS r
JOIN checks AS c USING (evaluation_id)
WHERE r.measured AND c.layer = 'similarity'
GROUP BY ALL
ORDER BY ALL;

COMMENT ON VIEW components IS 'Mean of each similarity figure (CodeBLEU, its parts, the package''s own value, edit similarity, exact match).';
COMMENT ON COLUMN components.track IS 'The kind of question.';
COMMENT ON COLUMN components.release IS 'The release.';
COMMENT ON COLUMN components.category IS 'The category of the samples.';
COMMENT ON COLUMN components.model IS 'Who was asked.';
COMMENT ON COLUMN components.config IS 'What the model was shown.';
COMMENT ON COLUMN components.scenario IS 'How the model could work.';
COMMENT ON COLUMN components.component IS 'The figure, by the name of its check.';
COMMENT ON COLUMN components.n_checked IS 'Measured units that were checked for it.';
COMMENT ON COLUMN components.n_scored IS 'Those where it exists (a reference without data flow has no data-flow match). The denominator of mean_score.';
COMMENT ON COLUMN components.mean_score IS 'Mean over n_scored; null when none.';
