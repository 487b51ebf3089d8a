-- Input = kept + dropped by reason, a stage at a time.
CREATE VIEW drops AS
WITH counted AS (
    SELECT
        release, stage,
        min(position) AS position,
        CAST(sum(entered) AS BIGINT) AS entered,
        CAST(sum(kept) AS BIGINT) AS kept
    FROM stages
    GROUP BY ALL
),
reasons AS (
    SELECT release, stage, reason, count(*) AS n_dropped FROM dropped GROUP BY ALL
)
SELECT
    coalesce(c.release, r.release) AS release,
    c.position,
    coalesce(c.stage, r.stage) AS stage,
    c.entered,
    c.kept,
    r.reason,
    coalesce(r.n_dropped, 0) AS n_dropped,
    r.n_dropped / nullif(c.entered, 0) AS dropped_share,
    c.entered - c.kept
        - CAST(coalesce(sum(r.n_dropped) OVER (PARTITION BY coalesce(c.release, r.release), coalesce(c.stage, r.stage)), 0)
            AS BIGINT) AS unexplained
FROM counted AS c
FULL JOIN reasons AS r ON c.stage = r.stage AND c.release IS NOT DISTINCT FROM r.release
ORDER BY 1, 2, 3, n_dropped DESC, reason;

COMMENT ON VIEW drops IS 'What each stage of a release let go and why: one row a stage and reason, one with reason null where a stage dropped nothing.';
COMMENT ON COLUMN drops.release IS 'The release; null for stages before one, such as mining.';
COMMENT ON COLUMN drops.position IS 'Order of the stages; null where no count was kept.';
COMMENT ON COLUMN drops.stage IS 'The stage.';
COMMENT ON COLUMN drops.entered IS 'Items that entered the stage.';
COMMENT ON COLUMN drops.kept IS 'Items it kept.';
COMMENT ON COLUMN drops.reason IS 'Why an item was dropped.';
COMMENT ON COLUMN drops.n_dropped IS 'Items dropped for that reason.';
COMMENT ON COLUMN drops.dropped_share IS 'n_dropped / entered.';
COMMENT ON COLUMN drops.unexplained IS 'entered - kept - all drops of the stage: 0, or an item was lost without a reason.';
