-- What each config shows, what that costs and what comes of it.
CREATE VIEW per_config AS
WITH cost AS (
    SELECT
        track, release, category, model, scenario, config,
        count(prompt_tokens) AS n_counted,
        round(avg(prompt_tokens), 12) AS mean_prompt_tokens,
        round(avg(completion_tokens), 12) AS mean_completion_tokens,
        count(*) FILTER (cut) / count(*) AS cut_share,
        count(cost_usd) AS n_priced,
        round(sum(cost_usd), 12) AS cost_usd,
        round(avg(seconds_s), 12) AS mean_seconds_s
    FROM results
    GROUP BY ALL
)
SELECT
    l.track, l.release, l.category, l.model, l.scenario, l.config,
    l.n_samples, l.n_asked, l.n_measured, l.pass_rate, l.error_share, l.n_scored, l.mean_score, l.mean_score_se,
    l.min_attempts, l.max_attempts, l.refused,
    c.n_counted, c.mean_prompt_tokens, c.mean_completion_tokens, c.cut_share, c.n_priced, c.cost_usd, c.mean_seconds_s
FROM leaderboard AS l
JOIN cost AS c
    ON (l.track, l.model, l.scenario, l.config) = (c.track, c.model, c.scenario, c.config)
    AND l.release IS NOT DISTINCT FROM c.release
    AND l.category IS NOT DISTINCT FROM c.category
ORDER BY ALL;

COMMENT ON VIEW per_config IS 'Configs of one model side by side: what each shows (tokens, share of prompts the budget cut), what it costs, what comes of it.';
COMMENT ON COLUMN per_config.track IS 'The kind of question.';
COMMENT ON COLUMN per_config.release IS 'The release.';
COMMENT ON COLUMN per_config.category IS 'The category of the samples.';
COMMENT ON COLUMN per_config.model IS 'Who was asked.';
COMMENT ON COLUMN per_config.scenario IS 'How the model could work.';
COMMENT ON COLUMN per_config.config IS 'What the model was shown.';
COMMENT ON COLUMN per_config.n_samples IS 'Different samples asked.';
COMMENT ON COLUMN per_config.n_asked IS 'Units asked.';
COMMENT ON COLUMN per_config.n_measured IS 'The denominator of pass_rate.';
COMMENT ON COLUMN per_config.pass_rate IS 'As in leaderboard.';
COMMENT ON COLUMN per_config.error_share IS 'Share of asked units that could not be measured.';
COMMENT ON COLUMN per_config.min_attempts IS 'Fewest replies to a sample.';
COMMENT ON COLUMN per_config.max_attempts IS 'Most replies to a sample.';
COMMENT ON COLUMN per_config.refused IS 'Why a figure of this row is null; null where every figure stands.';
COMMENT ON COLUMN per_config.n_scored IS 'The denominator of mean_score.';
COMMENT ON COLUMN per_config.mean_score IS 'As in leaderboard.';
COMMENT ON COLUMN per_config.mean_score_se IS 'As in leaderboard.';
COMMENT ON COLUMN per_config.n_counted IS 'Replies whose tokens the provider counted: the denominator of the token means.';
COMMENT ON COLUMN per_config.mean_prompt_tokens IS 'Mean tokens of a prompt.';
COMMENT ON COLUMN per_config.mean_completion_tokens IS 'Mean tokens of a reply.';
COMMENT ON COLUMN per_config.cut_share IS 'Share of n_asked whose prompt the token budget cut.';
COMMENT ON COLUMN per_config.n_priced IS 'Replies with a known price.';
COMMENT ON COLUMN per_config.cost_usd IS 'Sum over n_priced; null when none has a price.';
COMMENT ON COLUMN per_config.mean_seconds_s IS 'Mean wall time of a request.';
