-- $about Written once, with other keys for each view (warehouse/database.py).
CREATE VIEW $view AS
WITH per_sample AS (
    SELECT
        $keys, cluster, sample_id,
        count(*) AS n_asked,
        count(*) FILTER (measured) AS n_measured,
        count(*) FILTER (status = 'pass') AS n_pass,
        count(*) FILTER (status = 'fail') AS n_fail,
        count(*) FILTER (status = 'no_submission') AS n_no_submission,
        count(*) FILTER (status = 'timeout') AS n_timeout,
        count(*) FILTER (status = 'infra_error') AS n_infra_error,
        count(*) FILTER (status = 'not_run') AS n_not_run,
        count(score) AS n_scored,
        coalesce(sum(score), 0) AS total
    FROM $source
    GROUP BY ALL
),
per_cluster AS (
    SELECT
        $keys, cluster,
        count(*) AS n_samples,
        min(n_asked) AS min_attempts,
        max(n_asked) AS max_attempts,
        sum(COLUMNS('^n_(asked|measured|pass|fail|no_submission|timeout|infra_error|not_run|scored)$$')),
        sum(total) AS total
    FROM per_sample
    GROUP BY ALL
),
centred AS (
    SELECT
        *,
        sum(n_pass) OVER own / nullif(sum(n_measured) OVER own, 0) AS rate,
        sum(total) OVER own / nullif(sum(n_scored) OVER own, 0) AS mean,
        nullif(sum(n_measured) OVER own - n_measured, 0) AS measured_elsewhere,
        nullif(sum(n_scored) OVER own - n_scored, 0) AS scored_elsewhere
    FROM per_cluster
    WINDOW own AS (PARTITION BY $keys)
),
grouped AS (
    SELECT
        $keys,
        sum(n_samples) AS n_samples,
        sum(n_asked) AS n_asked,
        sum(n_measured) AS n_measured,
        sum(n_pass) AS n_pass,
        sum(n_fail) AS n_fail,
        sum(n_no_submission) AS n_no_submission,
        sum(n_timeout) AS n_timeout,
        sum(n_infra_error) AS n_infra_error,
        sum(n_not_run) AS n_not_run,
        sum(n_scored) AS n_scored,
        any_value(rate) AS rate,
        any_value(mean) AS mean,
        count(*) FILTER (n_measured > 0) AS n_clusters,
        count(*) FILTER (n_scored > 0) AS n_scored_clusters,
        sum((n_pass - n_measured * rate) ** 2 / measured_elsewhere) AS rate_residual,
        sum((total - n_scored * mean) ** 2 / scored_elsewhere) AS mean_residual,
        sum(n_measured ** 2) + sum(n_measured ** 2 / measured_elsewhere) ** 2
            - sum((n_measured ** 2 / measured_elsewhere) ** 2) AS rate_sizes,
        sum(n_scored ** 2) + sum(n_scored ** 2 / scored_elsewhere) ** 2
            - sum((n_scored ** 2 / scored_elsewhere) ** 2) AS mean_sizes,
        min(min_attempts) AS min_attempts,
        max(max_attempts) AS max_attempts
    FROM centred
    GROUP BY ALL
)
SELECT
    $keys,
    CAST(n_samples AS BIGINT) AS n_samples,
    CAST(n_asked AS BIGINT) AS n_asked,
    CAST(n_measured AS BIGINT) AS n_measured,
    CAST(n_pass AS BIGINT) AS n_pass,
    CAST(n_fail AS BIGINT) AS n_fail,
    CAST(n_no_submission AS BIGINT) AS n_no_submission,
    CAST(n_timeout AS BIGINT) AS n_timeout,
    CAST(n_infra_error AS BIGINT) AS n_infra_error,
    CAST(n_not_run AS BIGINT) AS n_not_run,
    round(rate, 12) AS pass_rate,
    CASE WHEN n_clusters > 1 THEN round(sqrt(rate_residual / n_measured), 12) END AS pass_rate_se,
    CASE WHEN n_clusters > 1 THEN round(n_measured ** 2 / rate_sizes, 9) END AS pass_rate_df,
    (n_infra_error + n_not_run) / n_asked AS error_share,
    CAST(n_scored AS BIGINT) AS n_scored,
    round(mean, 12) AS mean_score,
    CASE WHEN n_scored_clusters > 1 THEN round(sqrt(mean_residual / n_scored), 12) END AS mean_score_se,
    CASE WHEN n_scored_clusters > 1 THEN round(n_scored ** 2 / mean_sizes, 9) END AS mean_score_df,
    n_clusters,
    n_scored_clusters,
    min_attempts,
    max_attempts,
    nullif(concat_ws('; ',
        CASE WHEN n_measured = 0 THEN 'no pass_rate: nothing was measured' END,
        CASE WHEN n_clusters = 1 THEN 'no pass_rate_se: one cluster carries no standard error' END,
        CASE WHEN n_scored = 0 THEN 'no mean_score: nothing was scored' END,
        CASE WHEN n_scored_clusters = 1 THEN 'no mean_score_se: one cluster carries no standard error' END
    ), '') AS refused
FROM grouped
ORDER BY ALL;

COMMENT ON VIEW $view IS '$about';
COMMENT ON COLUMN $view.refused IS 'Why a figure of this row is null; null where every figure stands.';
COMMENT ON COLUMN $view.n_samples IS 'Different samples asked.';
COMMENT ON COLUMN $view.n_asked IS 'Units asked: samples times attempts.';
COMMENT ON COLUMN $view.n_measured IS 'Units whose status says something of the model: pass, fail, no_submission, timeout. The denominator of pass_rate.';
COMMENT ON COLUMN $view.n_pass IS 'Units that passed.';
COMMENT ON COLUMN $view.n_fail IS 'Units that failed.';
COMMENT ON COLUMN $view.n_no_submission IS 'Units whose reply held no answer; measured, not passed.';
COMMENT ON COLUMN $view.n_timeout IS 'Units whose answer ran out of time; measured, not passed.';
COMMENT ON COLUMN $view.n_infra_error IS 'Units that could not be measured: neither pass nor fail.';
COMMENT ON COLUMN $view.n_not_run IS 'Units not graded, or not by every layer: neither pass nor fail.';
COMMENT ON COLUMN $view.pass_rate IS 'n_pass / n_measured; null when nothing was measured.';
COMMENT ON COLUMN $view.pass_rate_se IS 'Standard error of pass_rate, clustered as mean_score_se is; null with fewer than two clusters.';
COMMENT ON COLUMN $view.pass_rate_df IS 'Degrees of freedom of t for pass_rate_se (Bell and McCaffrey 2002): C - 1 for clusters of one size, fewer for unequal ones.';
COMMENT ON COLUMN $view.error_share IS '(n_infra_error + n_not_run) / n_asked.';
COMMENT ON COLUMN $view.n_scored IS 'Measured units that carry a score. The denominator of mean_score.';
COMMENT ON COLUMN $view.mean_score IS 'Mean headline score over n_scored; null when none carries one.';
COMMENT ON COLUMN $view.mean_score_se IS 'Standard error of mean_score, clustered (CR2, Bell and McCaffrey 2002): sqrt(sum over clusters of (squared residual sum / (1 - n_c/n))) / n; null when C < 2.';
COMMENT ON COLUMN $view.mean_score_df IS 'Degrees of freedom of t for mean_score_se.';
COMMENT ON COLUMN $view.n_clusters IS 'Clusters with a measured unit.';
COMMENT ON COLUMN $view.n_scored_clusters IS 'Clusters with a scored unit: the C of mean_score_se.';
COMMENT ON COLUMN $view.min_attempts IS 'Fewest attempts any sample had.';
COMMENT ON COLUMN $view.max_attempts IS 'Most attempts any sample had.';
