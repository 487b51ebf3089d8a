-- Table X of the paper: one row a model, one column a config, code generation only.
CREATE VIEW context_ablation_wide AS
SELECT
    track, release, model, scenario, budget,
    CAST(coalesce(max(n_samples) FILTER (config = 'full'), 0) AS BIGINT) AS n_full,
    CAST(coalesce(min(n_pairs), 0) AS BIGINT) AS min_pairs,
    max(mean_score) FILTER (config = 'full') AS "full",
    max(mean_score) FILTER (config = 'no_imports') AS no_imports,
    max(mean_score) FILTER (config = 'no_window') AS no_window,
    max(mean_score) FILTER (config = 'no_calls') AS no_calls,
    max(mean_score) FILTER (config = 'no_globals') AS no_globals,
    max(mean_score) FILTER (config = 'no_types') AS no_types,
    max(mean_score) FILTER (config = 'no_context') AS no_context
FROM context_ablation
WHERE category = 'generation'
    AND config IN ('full', 'no_imports', 'no_window', 'no_calls', 'no_globals', 'no_types', 'no_context')
GROUP BY ALL
ORDER BY track, release, model, scenario, budget NULLS FIRST;

COMMENT ON VIEW context_ablation_wide IS 'The shape of Table X of the paper: mean score of code generation, one row a model, one column a config. context_ablation holds the paired differences and their errors.';
COMMENT ON COLUMN context_ablation_wide.track IS 'The kind of question.';
COMMENT ON COLUMN context_ablation_wide.release IS 'The release.';
COMMENT ON COLUMN context_ablation_wide.model IS 'Who was asked.';
COMMENT ON COLUMN context_ablation_wide.scenario IS 'How the model could work.';
COMMENT ON COLUMN context_ablation_wide.budget IS 'The token budget where it is not the default.';
COMMENT ON COLUMN context_ablation_wide.n_full IS 'Samples scored under full.';
COMMENT ON COLUMN context_ablation_wide.min_pairs IS 'Fewest samples any other config shares with full; below n_full the columns are means over different samples.';
COMMENT ON COLUMN context_ablation_wide."full" IS 'All five kinds of context; paper: Full.';
COMMENT ON COLUMN context_ablation_wide.no_imports IS 'Without imports; paper: ImpEsc.';
COMMENT ON COLUMN context_ablation_wide.no_window IS 'Without the code before and after; paper: CodeWinEsc.';
COMMENT ON COLUMN context_ablation_wide.no_calls IS 'Without called functions; paper: CallDepEsc.';
COMMENT ON COLUMN context_ablation_wide.no_globals IS 'Without globals; paper: GlobDataEsc.';
COMMENT ON COLUMN context_ablation_wide.no_types IS 'Without types; paper: TypeDepEsc.';
COMMENT ON COLUMN context_ablation_wide.no_context IS 'Without any; paper: NoCtx.';
