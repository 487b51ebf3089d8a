-- Every unit beside each thing that its sample says of itself, so that rates can be read by any of them.
CREATE VIEW facet_results AS
WITH said AS (
    SELECT
        release, sample_id,
        unnest([
            {'facet': 'difficulty', 'given': [difficulty]},
            {'facet': 'visibility', 'given': [visibility]},
            {'facet': 'language', 'given': [language]},
            {'facet': 'stratum', 'given': [stratum]},
            {'facet': 'platform', 'given': [json_extract_string(prompt_parts, '$.platform')]},
            {'facet': 'tier', 'given': [json_extract_string(prompt_parts, '$.tier')]},
            {'facet': 'reasoning', 'given': json_extract_string(prompt_parts, '$.reasoning_types[*]')}
        ], recursive := true)
    FROM samples
),
facets AS (
    SELECT release, sample_id, facet, unnest(given) AS value FROM said
)
SELECT
    r.track, r.release, r.category, f.facet, f.value, r.model, r.config, r.scenario, r.attempt, r.sample_id, r.cluster,
    r.generation_id, r.evaluation_id, r.status, r.measured, r.score
FROM results AS r
JOIN facets AS f ON f.sample_id = r.sample_id AND f.release IS NOT DISTINCT FROM r.release
WHERE f.value IS NOT NULL;

COMMENT ON VIEW facet_results IS 'One row a row of results and thing that its sample says of itself (facet, value): what per_facet counts. A sample with several kinds of reasoning is here once for each.';
COMMENT ON COLUMN facet_results.facet IS 'difficulty, visibility, language, stratum, platform, tier or reasoning.';
COMMENT ON COLUMN facet_results.value IS 'What the sample says.';
COMMENT ON COLUMN facet_results.track IS 'The kind of question.';
COMMENT ON COLUMN facet_results.release IS 'The release that holds the sample; a sample in two releases is asked once and counts in both.';
COMMENT ON COLUMN facet_results.category IS 'Of the sample, e.g. generation.';
COMMENT ON COLUMN facet_results.model IS 'Who was asked.';
COMMENT ON COLUMN facet_results.config IS 'What the model was shown.';
COMMENT ON COLUMN facet_results.scenario IS 'How the model could work.';
COMMENT ON COLUMN facet_results.attempt IS 'Which repeat, from 1.';
COMMENT ON COLUMN facet_results.sample_id IS 'The question.';
COMMENT ON COLUMN facet_results.cluster IS 'The sampling unit that standard errors group by; the sample itself where none is declared.';
COMMENT ON COLUMN facet_results.generation_id IS 'The reply.';
COMMENT ON COLUMN facet_results.evaluation_id IS 'The verdict: the newest on this reply.';
COMMENT ON COLUMN facet_results.status IS 'The verdict; without one, infra_error where the provider failed and not_run where nobody graded yet.';
COMMENT ON COLUMN facet_results.measured IS 'Whether the status says something of the model: pass, fail, timeout or no_submission.';
COMMENT ON COLUMN facet_results.score IS 'The headline score in [0, 1]; null where nothing was measured or the reference cannot carry it.';
