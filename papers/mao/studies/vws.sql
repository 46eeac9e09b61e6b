-- about: Mao 2016, chapter 4: CCWS, IWL, IntraCL, InterCL over loose round robin on the programs of table 5
-- sweeps: vws vws-balanced
-- columns: cycles lane_operations l1.accesses l1.hits l1.misses l1.hit_rate l1.reserved_apki l1.reuse.hits.inter_cta l1.reuse.misses.intra_warp l1.reuse.misses.intra_cta l1.reuse.misses.inter_cta l1.reuse.misses.cold l1.reuse.cta_distance.to_1 l1.reuse.cta_distance.to_8 l1.reuse.cta_distance.to_64 l1.reuse.cta_distance.more l2.accesses l2.hit_rate l2.reuse.hits.intra_core l2.reuse.hits.inter_core

CREATE VIEW run AS SELECT * FROM vws UNION ALL SELECT * FROM vws_balanced;

-- VWS with the queues of sections 4.2.3 and 5.2.2, filled before the launch; sweep vws-balanced has others beside them.
CREATE VIEW t AS
SELECT CASE WHEN "sm.dispatch" = 'balanced' THEN 'balanced_queues' WHEN "sm.dispatch" = 'serial' THEN 'vws' WHEN "sm.throttle" = 'ccws' THEN 'ccws'
            WHEN "sm.throttle" = 'none' THEN "sm.scheduler"
            WHEN "sm.active_set" = 'cta' THEN 'iwlintra' ELSE 'iwl' END AS policy,
    CASE WHEN program IN ('invertedindex', 'pageview', 'similarity', 'kmeans', 'mm', 'bfs',
            'stringmatch')
         THEN 'C1' ELSE 'C2' END AS class, *,
    "l1.reuse.misses.intra_warp" AS warp, "l1.reuse.misses.intra_cta" AS cta, "l1.reuse.misses.inter_cta" AS others,
    "l1.reuse.cta_distance.to_1" AS d1, "l1.reuse.cta_distance.to_1" + "l1.reuse.cta_distance.to_8"
        + "l1.reuse.cta_distance.to_64" + "l1.reuse.cta_distance.more" AS distances
FROM run;

-- Programs over another policy's, in times and percent (geometric means).
CREATE VIEW pair AS
SELECT n.policy, o.policy AS over, n.class, n.program, o.cycles / n.cycles AS times FROM t n JOIN t o USING (program);
CREATE VIEW gain AS
SELECT policy, over, class, 100 * (exp(avg(ln(times))) - 1) AS percent,
    count(*) || ' programs, ' || round(min(times), 2) || ' (' ||
    (SELECT program FROM pair x WHERE x.policy = p.policy AND x.over = p.over AND x.class = p.class ORDER BY times LIMIT 1) || ') to '
    || round(max(times), 2) || ' times (' ||
    (SELECT program FROM pair x WHERE x.policy = p.policy AND x.over = p.over AND x.class = p.class ORDER BY times DESC LIMIT 1) || ')' AS note
FROM pair p GROUP BY policy, over, class
UNION ALL
SELECT policy, over, 'all', 100 * (exp(avg(ln(times))) - 1), count(*) || ' programs' FROM pair GROUP BY policy, over;

-- The three classes of misses of a program, largest first (blocks touched for the first time left out).
CREATE VIEW share AS
SELECT program, class, policy, max(warp, cta, others) / (warp + cta + others) AS first,
    (warp + cta + others - max(warp, cta, others) - min(warp, cta, others)) / (warp + cta + others) AS second,
    warp >= max(cta, others) AS by_warp
FROM t WHERE warp + cta + others > 0;

-- Under serial dispatch, which leaves neighbours on one SM.
CREATE VIEW near AS SELECT program, 100 * d1 / distances AS percent FROM t WHERE policy = 'vws' AND distances > 0;

CREATE VIEW claim AS
WITH wanted (id, policy, over, class) AS (VALUES
    ('VWS-ALL-38.4', 'vws', 'lrr', 'all'), ('VWS-CCWS-9.3', 'vws', 'ccws', 'all'),
    ('VWS-C1-80.7', 'vws', 'lrr', 'C1'), ('VWS-C2-6.0', 'vws', 'lrr', 'C2'), ('VWS-C1-CCWS-17.4', 'vws', 'ccws', 'C1'),
    ('CCWS-C1-53.9', 'ccws', 'lrr', 'C1'), ('CCWS-C2-M1.4', 'ccws', 'lrr', 'C2'),
    ('IWL-C1-57.3', 'iwl', 'lrr', 'C1'), ('IWL-C2-M1.6', 'iwl', 'lrr', 'C2'),
    ('IWLINTRA-C1-60.5', 'iwlintra', 'lrr', 'C1'), ('IWLINTRA-C2-3.8', 'iwlintra', 'lrr', 'C2'))
SELECT id, percent AS value, note || CASE WHEN policy = 'ccws' THEN '; GTO alone ' ||
    (SELECT round(percent, 1) FROM gain g WHERE g.policy = 'gto' AND g.over = 'lrr' AND g.class = wanted.class) || ' %'
    WHEN over = 'ccws' THEN '; CCWS orders its warps as GTO does'
    WHEN policy LIKE 'iwl%' AND class = 'C1' THEN '; under LRR the first wave of warps, a third to a half of them, ends nearly together and before'
        || ' IWL has learnt; a fixed limit from the start gains 1.1 to 3.8 times on four of these (docs/notebook/scheduling.md)'
    WHEN policy = 'vws' AND class = 'C2' THEN '; a greedy order costs programs without reuse (GTO alone the same)'
    WHEN policy = 'vws' THEN '; queues that balance instead '
        || (SELECT round(percent, 1) FROM gain g WHERE g.policy = 'balanced_queues' AND g.over = 'lrr' AND g.class = wanted.class) || ' %'
    ELSE '' END AS note
FROM wanted JOIN gain USING (policy, over, class)
UNION ALL
SELECT 'VWS-ORDER', min(rising), group_concat(policy || ' ' || round(percent, 1) || ' %', ', ')
FROM (SELECT policy, percent, percent > lag(percent, 1, 0) OVER (ORDER BY place) AS rising
      FROM gain JOIN (SELECT 'ccws' AS policy, 1 AS place UNION SELECT 'iwl', 2 UNION SELECT 'iwlintra', 3 UNION SELECT 'vws', 4)
          USING (policy) WHERE over = 'lrr' AND class = 'C1' ORDER BY place)
UNION ALL
SELECT 'CCWS-MISS-66', 100 * (1 - sum(n.warp / n.lane_operations) / sum(o.warp / o.lane_operations)),
    'sum over C1 of intra-warp misses per operation'
FROM t n JOIN t o USING (program) WHERE n.policy = 'ccws' AND o.policy = 'lrr' AND n.class = 'C1'
UNION ALL
SELECT 'CCWS-INTRACTA-UP', 100 * (min(n.cta / o.cta) - 1),
    'least of ' || group_concat(program || ' ' || round(100 * (n.cta / o.cta - 1), 1) || ' %', ', ')
    || '; pagerankview keeps its blocks'
FROM t n JOIN t o USING (program) WHERE n.policy = 'ccws' AND o.policy = 'lrr' AND program IN ('pagerankview', 'heartwall', 'mrigridding')
UNION ALL
SELECT 'VWS-MISS-HALF', 100 * (1 - sum(n."l1.misses" / n.lane_operations) / sum(o."l1.misses" / o.lane_operations)),
    'sum over C1 of misses per operation'
FROM t n JOIN t o USING (program) WHERE n.policy = 'vws' AND o.policy = 'lrr' AND n.class = 'C1'
UNION ALL
SELECT 'VWS-MM-2X', o.cycles / n.cycles, 'L2 hit rate ' || round(o."l2.hit_rate", 2) || ' to ' || round(n."l2.hit_rate", 2)
    || '; A and B fit into the L2 as the small sizes have them'
FROM t n JOIN t o USING (program) WHERE n.policy = 'vws' AND o.policy = 'iwlintra' AND program = 'mm'
UNION ALL
SELECT 'VWS-II-7.9', 100 * (o.cycles / n.cycles - 1), 'L1 hit rate ' || round(o."l1.hit_rate", 2) || ' to ' || round(n."l1.hit_rate", 2)
FROM t n JOIN t o USING (program) WHERE n.policy = 'vws' AND o.policy = 'iwlintra' AND program = 'invertedindex'
UNION ALL
SELECT 'VWS-SHARE-CONSEC', min(percent), 'least of ' || group_concat(program || ' ' || round(percent, 1) || ' %', ', ')
FROM near WHERE program IN ('mm', 'similarity', 'pagerankview')
UNION ALL
SELECT 'VWS-SHARE-RANDOM', max(r.percent) < (SELECT min(percent) FROM near WHERE program IN ('mm', 'similarity', 'pagerankview')),
    'reuse between neighbours: ' || group_concat(program || ' ' || round(percent, 1) || ' %', ', ')
FROM near r WHERE program IN ('invertedindex', 'bfs', 'btree')
UNION ALL
SELECT 'VWS-C1-INTRAWARP-4OF7', sum(by_warp), group_concat(CASE WHEN by_warp THEN program END, ', ')
FROM share WHERE policy = 'lrr' AND class = 'C1'
UNION ALL
SELECT 'VWS-MULTICLASS', 100 * min(second), 'least second class, of ' ||
    (SELECT program FROM share WHERE policy = 'lrr' ORDER BY second LIMIT 1) || '; above 10 % in ' || sum(second > 0.1) || ' of ' || count(*)
FROM share WHERE policy = 'lrr'
UNION ALL
SELECT 'VWS-RESERVED', 100 * (max(n."l1.reserved_apki" / o."l1.reserved_apki") - 1),
    'percent, the worst; fewer in ' || sum(n."l1.reserved_apki" < o."l1.reserved_apki") || ' of ' || count(*)
FROM t n JOIN t o USING (program) WHERE n.policy = 'vws' AND o.policy = 'lrr' AND o."l1.reserved_apki" > 0
UNION ALL
SELECT 'VWS-L2APKI', 100 * (sum(n."l2.accesses" / n.lane_operations) / sum(o."l2.accesses" / o.lane_operations) - 1),
    'percent, sum over all programs; fewer in ' || sum(n."l2.accesses" < o."l2.accesses") || ' of ' || count(*)
FROM t n JOIN t o USING (program) WHERE n.policy = 'vws' AND o.policy = 'lrr';

-- Policies and programs in the order of the figures.
CREATE VIEW named (policy, place, name) AS VALUES ('lrr', 0, 'LRR'), ('ccws', 1, 'CCWS'), ('iwl', 2, 'IWL'), ('iwlintra', 3, 'IWL+IntraCL'), ('vws', 4, 'VWS');
CREATE VIEW shown AS
SELECT t.program, class, name, place, CASE class WHEN 'C1' THEN 'a' ELSE 'b' END AS part, t."l1.misses" / lane_operations * 1000 AS mpki,
    t."l2.accesses" / lane_operations * 1000 AS l2, t."l1.reserved_apki" AS reserved, cycles
FROM t JOIN named USING (policy)
ORDER BY class, (SELECT min(v.rowid) FROM vws v WHERE v.program = t.program), place;
CREATE VIEW over_lrr AS
SELECT s.part, s.program, s.name, s.place, 100 * o.cycles / s.cycles AS speed, 100 * s.reserved / nullif(o.reserved, 0) AS reserved
FROM shown s JOIN shown o USING (program) WHERE o.place = 0 AND s.place > 0 ORDER BY s.class, (SELECT min(v.rowid) FROM vws v WHERE v.program = s.program), s.place;

CREATE VIEW figure AS
SELECT '24a' AS figure, 'IPC of class C1, of LRR' AS title, '% of LRR''s IPC' AS unit, '' AS axis,
    'CCWS gains 53.9 % in the geometric mean, IWL 57.3 %, with IntraCL 60.5 %, VWS 80.7 %.' AS says
UNION ALL SELECT '24b', 'IPC of class C2, of LRR', '% of LRR''s IPC', '', 'CCWS loses 1.4 %, IWL 1.6 %; with IntraCL it gains 3.8 %, VWS 6.0 %.'
UNION ALL SELECT '25', 'L1 misses', 'misses / 1000 operations', 'log', 'CCWS avoids 66 % of the intra-warp misses of C1, VWS more than half of all misses.'
UNION ALL SELECT '26', 'L2 accesses', 'accesses / 1000 operations', 'log', 'They fall along with the L1s'' misses, and MM hits more in the L2 under VWS.'
UNION ALL SELECT '27', 'Accesses of the L1 that had to wait, of LRR', '% of LRR''s', 'log', 'They become far fewer in all programs.';

CREATE VIEW bar AS
SELECT '24' || part AS figure, program AS x, name AS series, speed AS value, NULL AS claim FROM over_lrr
UNION ALL VALUES ('24a', 'geometric mean', 'CCWS', NULL, '100+CCWS-C1-53.9'), ('24a', 'geometric mean', 'IWL', NULL, '100+IWL-C1-57.3'), ('24a', 'geometric mean', 'IWL+IntraCL', NULL, '100+IWLINTRA-C1-60.5'),
    ('24a', 'geometric mean', 'VWS', NULL, '100+VWS-C1-80.7'), ('24a', 'C1 and C2', 'VWS', NULL, '100+VWS-ALL-38.4'),
    ('24b', 'geometric mean', 'CCWS', NULL, '100+CCWS-C2-M1.4'), ('24b', 'geometric mean', 'IWL', NULL, '100+IWL-C2-M1.6'), ('24b', 'geometric mean', 'IWL+IntraCL', NULL, '100+IWLINTRA-C2-3.8'),
    ('24b', 'geometric mean', 'VWS', NULL, '100+VWS-C2-6.0')
UNION ALL SELECT '25', program, name, mpki, NULL FROM shown
UNION ALL SELECT '26', program, name, l2, NULL FROM shown
UNION ALL SELECT '27', program, name, reserved, NULL FROM over_lrr WHERE reserved > 0;
