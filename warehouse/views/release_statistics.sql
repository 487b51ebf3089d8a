-- What a release is made of, beside Table V of the paper.
CREATE VIEW release_statistics AS
WITH parts AS (
    SELECT
        track, release, category, project_id, cluster,
        TRY_CAST(json_extract_string(prompt_parts, '$.loc') AS BIGINT) AS loc,
        TRY_CAST(json_extract_string(prompt_parts, '$.counts.calls') AS BIGINT) AS calls,
        TRY_CAST(json_extract_string(prompt_parts, '$.counts.globals') AS BIGINT) AS globals,
        TRY_CAST(json_extract_string(prompt_parts, '$.counts.types') AS BIGINT) AS types
    FROM samples
),
paper AS (
    SELECT
        max(value) FILTER ("row" = 'code generation' AND "column" = 'mean LOC') AS loc_generation,
        max(value) FILTER ("row" = 'code completion' AND "column" = 'mean LOC') AS loc_completion,
        max(value) FILTER ("row" LIKE 'code%' AND "column" = 'mean call dependencies') AS calls,
        max(value) FILTER ("row" LIKE 'code%' AND "column" = 'mean global-variable dependencies') AS globals,
        max(value) FILTER ("row" LIKE 'code%' AND "column" = 'mean type dependencies') AS types
    FROM published
    WHERE source = 'realembedbench' AND "table" = 'table5'
)
SELECT
    s.track, s.release, s.category,
    count(*) AS n_samples,
    count(DISTINCT s.project_id) AS n_projects,
    count(DISTINCT s.cluster) AS n_clusters,
    count(s.loc) AS n_with_loc,
    avg(s.loc) AS mean_loc,
    CASE WHEN s.track <> 'code' THEN NULL WHEN s.category = 'generation' THEN any_value(p.loc_generation)
        ELSE any_value(p.loc_completion) END AS paper_loc,
    count(s.calls) AS n_with_counts,
    avg(s.calls) AS mean_calls,
    CASE WHEN s.track = 'code' THEN any_value(p.calls) END AS paper_calls,
    avg(s.globals) AS mean_globals,
    CASE WHEN s.track = 'code' THEN any_value(p.globals) END AS paper_globals,
    avg(s.types) AS mean_types,
    CASE WHEN s.track = 'code' THEN any_value(p.types) END AS paper_types
FROM parts AS s
CROSS JOIN paper AS p
GROUP BY s.track, s.release, s.category
ORDER BY s.track, s.release, s.category;

COMMENT ON VIEW release_statistics IS 'Means per sample of a release beside Table V of the paper: lines of code, called functions, globals, types.';
COMMENT ON COLUMN release_statistics.track IS 'The kind of question.';
COMMENT ON COLUMN release_statistics.release IS 'The release.';
COMMENT ON COLUMN release_statistics.category IS 'The category of the samples.';
COMMENT ON COLUMN release_statistics.n_samples IS 'Samples.';
COMMENT ON COLUMN release_statistics.n_projects IS 'Projects they come from.';
COMMENT ON COLUMN release_statistics.n_clusters IS 'Clusters that standard errors group by.';
COMMENT ON COLUMN release_statistics.n_with_loc IS 'Samples that say how long they are. The denominator of mean_loc.';
COMMENT ON COLUMN release_statistics.mean_loc IS 'Mean lines of code of the function.';
COMMENT ON COLUMN release_statistics.paper_loc IS 'The same in Table V; null where the published figures are not loaded.';
COMMENT ON COLUMN release_statistics.n_with_counts IS 'Samples that count their dependencies. The denominator of the next three.';
COMMENT ON COLUMN release_statistics.mean_calls IS 'Mean called functions.';
COMMENT ON COLUMN release_statistics.paper_calls IS 'The same in Table V.';
COMMENT ON COLUMN release_statistics.mean_globals IS 'Mean globals.';
COMMENT ON COLUMN release_statistics.paper_globals IS 'The same in Table V.';
COMMENT ON COLUMN release_statistics.mean_types IS 'Mean types.';
COMMENT ON COLUMN release_statistics.paper_types IS 'The same in Table V.';
