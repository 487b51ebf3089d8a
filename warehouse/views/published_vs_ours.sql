-- Figures printed in the paper (tables VIII and X) beside the same ones of ours.
CREATE VIEW published_vs_ours AS
WITH shape ("table", "column", category, config) AS (
    VALUES
        ('table8', 'CodeGen', 'generation', 'full'),
        ('table8', 'CodeComp', 'completion', 'full'),
        ('table10', 'Full', 'generation', 'full'),
        ('table10', 'ImpEsc', 'generation', 'no_imports'),
        ('table10', 'CodeWinEsc', 'generation', 'no_window'),
        ('table10', 'CallDepEsc', 'generation', 'no_calls'),
        ('table10', 'GlobDataEsc', 'generation', 'no_globals'),
        ('table10', 'TypeDepEsc', 'generation', 'no_types'),
        ('table10', 'NoCtx', 'generation', 'no_context')
),
printed AS (
    SELECT s."table", s."column", s.category, s.config, p."row" AS model, p.value AS published
    FROM published AS p
    JOIN shape AS s ON (p."table", p."column") = (s."table", s."column")
    WHERE p.source = 'realembedbench'
),
package AS (
    SELECT evaluation_id, score FROM checks WHERE layer = 'similarity' AND "check" = 'codebleu_package'
),
ours AS (
    SELECT
        r.release,
        s."table", s."column", s.category, s.config,
        r.model AS our_model,
        lower(split_part(r.model, '/', -1)) AS model,
        count(r.score) AS n_scored,
        round(avg(r.score), 12) AS mean_score,
        count(p.score) AS n_package,
        round(avg(p.score), 12) AS codebleu_package
    FROM results AS r
    JOIN shape AS s ON starts_with(r.category, s.category) AND r.config = s.config
    LEFT JOIN package AS p USING (evaluation_id)
    WHERE r.track = 'code' AND r.scenario = 'generation' AND r.score IS NOT NULL
    GROUP BY ALL
)
SELECT
    coalesce(p."table", o."table") AS "table",
    coalesce(p."column", o."column") AS "column",
    coalesce(p.category, o.category) AS category,
    coalesce(p.config, o.config) AS config,
    coalesce(o.our_model, p.model) AS model,
    p.published,
    o.release,
    coalesce(o.n_scored, 0) AS n_scored,
    o.mean_score,
    coalesce(o.n_package, 0) AS n_package,
    o.codebleu_package,
    o.codebleu_package - p.published AS difference
FROM printed AS p
FULL JOIN ours AS o
    ON (lower(p.model), p."table", p."column") = (o.model, o."table", o."column")
ORDER BY 1, 2, 5, o.release;

COMMENT ON VIEW published_vs_ours IS 'Code generation and completion as the paper prints them (tables VIII and X) beside ours, by model name; a figure only one side has stands with null on the other. Other samples, other projects: a comparison of size, not a replication.';
COMMENT ON COLUMN published_vs_ours."table" IS 'The table of the paper.';
COMMENT ON COLUMN published_vs_ours."column" IS 'Its column.';
COMMENT ON COLUMN published_vs_ours.category IS 'What that column is called here.';
COMMENT ON COLUMN published_vs_ours.config IS 'What that column is called here.';
COMMENT ON COLUMN published_vs_ours.model IS 'The model; matched on the last part of its name.';
COMMENT ON COLUMN published_vs_ours.published IS 'As printed.';
COMMENT ON COLUMN published_vs_ours.release IS 'Our release.';
COMMENT ON COLUMN published_vs_ours.n_scored IS 'Our scored units. The denominator of mean_score.';
COMMENT ON COLUMN published_vs_ours.mean_score IS 'Our headline score.';
COMMENT ON COLUMN published_vs_ours.n_package IS 'Units with the package''s CodeBLEU. The denominator of codebleu_package.';
COMMENT ON COLUMN published_vs_ours.codebleu_package IS 'Mean of what codebleu 0.7.0 returns: the figure that compares with the paper.';
COMMENT ON COLUMN published_vs_ours.difference IS 'codebleu_package - published; null unless both are there.';
