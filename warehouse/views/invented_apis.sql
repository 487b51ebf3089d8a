-- Names that replies called and nobody declares.
CREATE VIEW invented_apis AS
WITH checked AS (
    SELECT
        r.track, r.release, r.category, r.model, r.config, r.scenario, c.status, c.saw, r.evaluation_id,
        count(*) OVER own AS n_measured,
        count(*) FILTER (c.status = 'fail') OVER own AS n_with_invented
    FROM results AS r
    JOIN checks AS c USING (evaluation_id)
    WHERE c.layer = 'static' AND c.check = 'known_calls' AND c.status IN ('pass', 'fail')
    WINDOW own AS (PARTITION BY r.track, r.release, r.category, r.model, r.config, r.scenario)
),
named AS (
    SELECT *, unnest(list_distinct(string_split(regexp_replace(saw, '^[^:]*: ', ''), ', '))) AS name
    FROM checked
    WHERE status = 'fail'
)
SELECT
    track, release, category, model, config, scenario, name,
    count(DISTINCT evaluation_id) AS n_replies,
    any_value(n_with_invented) AS n_with_invented,
    any_value(n_measured) AS n_measured,
    any_value(n_with_invented) / any_value(n_measured) AS invented_share
FROM named
GROUP BY track, release, category, model, config, scenario, name
ORDER BY track, release, category, model, config, scenario, n_replies DESC, name;

COMMENT ON VIEW invented_apis IS 'Functions that replies call and neither the project nor its headers nor the C library has, by name: the paper''s most frequent error.';
COMMENT ON COLUMN invented_apis.track IS 'The kind of question.';
COMMENT ON COLUMN invented_apis.release IS 'The release.';
COMMENT ON COLUMN invented_apis.category IS 'The category of the samples.';
COMMENT ON COLUMN invented_apis.model IS 'Who was asked.';
COMMENT ON COLUMN invented_apis.config IS 'What the model was shown.';
COMMENT ON COLUMN invented_apis.scenario IS 'How the model could work.';
COMMENT ON COLUMN invented_apis.name IS 'The invented function.';
COMMENT ON COLUMN invented_apis.n_replies IS 'Replies that call it.';
COMMENT ON COLUMN invented_apis.n_with_invented IS 'Replies of this model and config that call any invented function.';
COMMENT ON COLUMN invented_apis.n_measured IS 'Replies whose calls were checked. The denominator of invented_share.';
COMMENT ON COLUMN invented_apis.invented_share IS 'n_with_invented / n_measured.';
