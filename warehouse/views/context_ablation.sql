-- Every config against `full`, paired within sample.
CREATE VIEW context_ablation AS
WITH per_sample AS (
    SELECT
        track, release, category, model, scenario, split_part(config, '@', 1) AS config,
        nullif(split_part(config, '@', 2), '') AS budget, cluster, sample_id,
        avg(score) AS score,
        count(score) AS n_scored
    FROM results
    WHERE score IS NOT NULL
    GROUP BY ALL
),
paired AS (
    SELECT p.*, f.score AS full_score, p.score - f.score AS difference
    FROM per_sample AS p
    LEFT JOIN per_sample AS f
        ON (p.track, p.model, p.scenario, p.sample_id) = (f.track, f.model, f.scenario, f.sample_id)
        AND p.release IS NOT DISTINCT FROM f.release
        AND p.budget IS NOT DISTINCT FROM f.budget
        AND f.config = 'full'
),
per_cluster AS (
    SELECT
        track, release, category, model, scenario, config, budget, cluster,
        count(*) AS n_samples,
        sum(n_scored) AS n_scored,
        sum(score) AS total,
        count(difference) AS n_pairs,
        coalesce(sum(difference), 0) AS difference_total,
        sum(full_score) AS full_total
    FROM paired
    GROUP BY ALL
),
centred AS (
    SELECT
        *,
        sum(difference_total) OVER own / nullif(sum(n_pairs) OVER own, 0) AS difference,
        nullif(sum(n_pairs) OVER own - n_pairs, 0) AS elsewhere
    FROM per_cluster
    WINDOW own AS (PARTITION BY track, release, category, model, scenario, config, budget)
),
grouped AS (
    SELECT
        track, release, category, model, scenario, config, budget,
        sum(n_samples) AS n_samples,
        sum(n_scored) AS n_scored,
        sum(total) / sum(n_samples) AS mean_score,
        sum(n_pairs) AS n_pairs,
        sum(full_total) / nullif(sum(n_pairs), 0) AS mean_full,
        any_value(difference) AS difference,
        sum((difference_total - n_pairs * difference) ** 2 / elsewhere) AS residual,
        sum(n_pairs ** 2) + sum(n_pairs ** 2 / elsewhere) ** 2 - sum((n_pairs ** 2 / elsewhere) ** 2) AS sizes,
        count(*) FILTER (n_pairs > 0) AS n_clusters
    FROM centred
    GROUP BY ALL
)
SELECT
    track, release, category, model, scenario, config, budget,
    CAST(n_samples AS BIGINT) AS n_samples,
    CAST(n_scored AS BIGINT) AS n_scored,
    round(mean_score, 12) AS mean_score,
    CAST(n_pairs AS BIGINT) AS n_pairs,
    CASE WHEN config <> 'full' THEN round(mean_full, 12) END AS mean_full,
    CASE WHEN config <> 'full' THEN round(difference, 12) END AS difference,
    CASE WHEN config <> 'full' AND n_clusters > 1 THEN round(sqrt(residual / n_pairs), 12) END AS difference_se,
    CASE WHEN config <> 'full' AND n_clusters > 1 THEN round(n_pairs ** 2 / sizes, 9) END AS difference_df,
    n_clusters
FROM grouped
ORDER BY track, release, category, model, scenario, budget NULLS FIRST, config <> 'full', config;

COMMENT ON VIEW context_ablation IS 'What leaving context out does: the mean score of each config and its difference to full, paired within sample. Attempts are averaged within a sample first.';
COMMENT ON COLUMN context_ablation.track IS 'The kind of question.';
COMMENT ON COLUMN context_ablation.release IS 'The release.';
COMMENT ON COLUMN context_ablation.category IS 'The category of the samples.';
COMMENT ON COLUMN context_ablation.model IS 'Who was asked.';
COMMENT ON COLUMN context_ablation.scenario IS 'How the model could work.';
COMMENT ON COLUMN context_ablation.config IS 'What the model was shown.';
COMMENT ON COLUMN context_ablation.budget IS 'The token budget where it is not the default, as after the @ of the config; configs are compared within one.';
COMMENT ON COLUMN context_ablation.n_samples IS 'Samples with a score: the denominator of mean_score.';
COMMENT ON COLUMN context_ablation.n_scored IS 'Units with a score, attempts counted.';
COMMENT ON COLUMN context_ablation.mean_score IS 'Mean over samples of the mean score over attempts.';
COMMENT ON COLUMN context_ablation.n_pairs IS 'Samples scored both under this config and under full: the denominator of difference.';
COMMENT ON COLUMN context_ablation.mean_full IS 'Mean score under full of the paired samples; null for full itself.';
COMMENT ON COLUMN context_ablation.difference IS 'Mean of (score under this config minus score under full) over the pairs; null for full itself and without pairs.';
COMMENT ON COLUMN context_ablation.difference_se IS 'Standard error of difference, clustered by n_clusters as in leaderboard; null with fewer than two clusters.';
COMMENT ON COLUMN context_ablation.difference_df IS 'Degrees of freedom of t for difference_se; null where that is.';
COMMENT ON COLUMN context_ablation.n_clusters IS 'Clusters with a pair.';
