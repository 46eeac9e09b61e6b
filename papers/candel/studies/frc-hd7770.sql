-- about: Candel 2019, section 5.6: the FRC on the HD 7770
-- sweeps: frc-hd7770
-- columns: cycles opc l2.mpko l2.hit_rate l2.frc_share l2.line_waits l2.set_in_transition l2.miss_latency.eviction l2.miss_latency.memory l2.miss_latency.total l2.bytes_from_memory_per_cycle l2.bytes_to_memory_per_cycle dram.utilization warp_cycles.memory

-- Each configuration against the conventional L2 of the card's own size.
CREATE VIEW gain AS
SELECT a.program, a."l2.frc.entries" AS entries, a."l2.ways" AS ways, a."l2.bank_kb" AS kb, a."l2.vc.entries" AS vc,
    100 * (a.opc / b.opc - 1) AS opc, 100 * (1 - a."l2.mpko" / b."l2.mpko") AS fewer_misses, a."l2.mpko" AS mpko,
    a."l2.miss_latency.eviction" AS eviction, a."l2.miss_latency.total" AS latency, b."l2.miss_latency.total" AS base_latency,
    a."l2.miss_latency.memory" AS waits, a."l2.frc_share" AS share, a.opc AS at_all,
    (a."l2.bytes_from_memory_per_cycle" + a."l2.bytes_to_memory_per_cycle")
        / (b."l2.bytes_from_memory_per_cycle" + b."l2.bytes_to_memory_per_cycle") AS traffic
FROM frc_hd7770 a JOIN frc_hd7770 b USING (program)
WHERE b."l2.frc.entries" = 0 AND b."l2.ways" = 16 AND b."l2.bank_kb" = 128 AND b."l2.vc.entries" = 0;

CREATE VIEW frc AS SELECT * FROM gain WHERE ways = 16 AND kb = 128 AND vc = 0;
CREATE VIEW frc_mean AS SELECT entries, avg(opc) AS opc, avg(fewer_misses) AS fewer_misses FROM frc GROUP BY entries;
CREATE VIEW best AS SELECT program, max(opc) AS opc FROM frc GROUP BY program;
CREATE VIEW larger AS SELECT kb, avg(opc) AS opc FROM gain WHERE entries = 0 AND kb > 128 GROUP BY kb;

CREATE VIEW claim AS
SELECT 'FRC18-OPC-GT25' AS id, max(opc) AS value, 'median of the programs'' best gains; misses by the simulator''s rules: a full memory sends them back. Most: ' || (SELECT program || ' ' || round(max(opc)) || ' %' FROM best) AS note
FROM (SELECT opc, row_number() OVER (ORDER BY opc) AS place, count(*) OVER () AS n FROM best) WHERE place <= (n + 1) / 2
UNION ALL SELECT 'FRC18-OPC-MAX-150', max(opc), program || ', the larger of fwt and mersenne; largest of all: ' || (SELECT program || ', ' || round(max(opc)) || ' %' FROM best) FROM best WHERE program IN ('fwt', 'mersenne')
UNION ALL SELECT 'FRC18-BEST-32-64', min(entries), 'least size within 3 % of 512 entries in most programs: each doubling still serves more of the misses, in the mean ' || round(100 * (SELECT avg(share) FROM frc WHERE entries = 64)) || ' % with 64, ' || round(100 * (SELECT avg(share) FROM frc WHERE entries = 256)) || ' with 256'
    FROM (SELECT a.entries FROM frc a JOIN frc b USING (program) WHERE b.entries = 512 AND a.entries > 0
          GROUP BY a.entries HAVING avg(a.at_all >= 0.97 * b.at_all) > 0.5)
UNION ALL SELECT 'FRC18-BEATS-BIGL2', 100 * (avg(a.at_all > b.at_all) - 0.5), 'points above a half; share of programs in which 64 entries beat an L2 of twice the size: ' || round(avg(a.at_all > b.at_all), 2)
    FROM frc a JOIN gain b USING (program) WHERE a.entries = 64 AND b.kb = 256
UNION ALL SELECT 'FRC18-SMOOTH', min(steps >= 3), 'least number of doublings that gain more than 3 %: ' || program || ', ' || min(steps)
    FROM (SELECT program, sum(b.at_all > 1.03 * a.at_all) AS steps FROM frc a JOIN frc b USING (program)
          WHERE program IN ('fwt', 'mersenne', 'dct') AND b.entries = CASE a.entries WHEN 0 THEN 4 ELSE 2 * a.entries END GROUP BY program)
UNION ALL SELECT 'FRC18-SHARP-MM', CASE WHEN a.at_all >= 0.95 * b.at_all THEN a.opc ELSE 0 END, 'percent with 4 entries; OPC with 4 over that with 512: ' || round(a.at_all / b.at_all, 2) || '; 4 entries serve ' || round(100 * a.share) || ' % of its misses, 512 ' || round(100 * b.share)
    FROM frc a JOIN frc b USING (program) WHERE program = 'matmul' AND a.entries = 4 AND b.entries = 512
UNION ALL SELECT 'FRC18-FLAT', max(abs(opc)), 'largest change: ' || program FROM gain WHERE program IN ('binomial', 'urng')
UNION ALL SELECT 'FRC18-MPKO-INV-CORR', avg(rho), 'mean over the programs of Spearman''s rho over their configurations'
    FROM (SELECT 1 - 6 * sum((r - s) * (r - s)) / (n * (n * n - 1.0)) AS rho FROM
          (SELECT program, rank() OVER (PARTITION BY program ORDER BY at_all) AS r, rank() OVER (PARTITION BY program ORDER BY mpko) AS s,
               count(*) OVER (PARTITION BY program) AS n FROM gain) GROUP BY program)
UNION ALL SELECT 'FRC18-LAT-4E', 100 * (0.5 - avg(a.latency < b.latency)), 'a half of the programs less the share in which 4 entries have less latency than an L2 of twice the size, in points; that share: ' || round(avg(a.latency < b.latency), 2)
    || '; 4 entries serve ' || round(100 * avg(a.share)) || ' % of the misses'
    FROM frc a JOIN gain b USING (program) WHERE a.entries = 4 AND b.kb = 256
UNION ALL SELECT 'FRC18-LAT-RISE', min(b.latency > a.latency AND b.at_all > a.at_all), 'from 8 to 64 entries: the wait for the memory does rise, but that for the victim falls by more: ' || group_concat(program || ' ' || round(a.waits) || ' to ' || round(b.waits) || ' and ' || round(a.eviction) || ' to ' || round(b.eviction), ', ') || ' cycles'
    FROM frc a JOIN frc b USING (program) WHERE program IN ('dwthaar', 'scan') AND a.entries = 8 AND b.entries = 64
UNION ALL SELECT 'FRC18-SERVED-75', 100 * max(share), 'median program, 64 entries'
    FROM (SELECT share, row_number() OVER (ORDER BY share) AS place, count(*) OVER () AS n FROM frc WHERE entries = 64) WHERE place <= (n + 1) / 2
UNION ALL SELECT 'FRC18-SERVED-100', 100 * max(share), program || ', 256 entries' FROM frc WHERE entries = 256
UNION ALL SELECT 'FRC18-LAT-512-ZERO', max(share), 'percent of the baseline''s latency with 512 entries, median program: what is left waits for the memory'
    FROM (SELECT 100 * latency / base_latency AS share, row_number() OVER (ORDER BY latency / base_latency) AS place, count(*) OVER () AS n FROM frc WHERE entries = 512)
    WHERE place <= (n + 1) / 2
UNION ALL SELECT 'FRC18-MPKO-NOEFFECT', count(*) > 0, 'programs that lose a tenth of their misses with 4 or 8 entries and gain less than 5 %: ' || count(*) FROM frc WHERE entries IN (4, 8) AND fewer_misses > 10 AND opc < 5
UNION ALL SELECT 'FRC18-SERVED-SAT', max(100 * (b.share - a.share)), 'points from 64 to 512 entries, the larger of transpose and binomial' FROM frc a JOIN frc b USING (program)
    WHERE program IN ('transpose', 'binomial') AND a.entries = 64 AND b.entries = 512;

CREATE VIEW unmet AS
SELECT 'FRC18-OPC-MAX-150' AS id, 'the largest gain of all belongs to ' || program AS why
FROM (SELECT program, max(opc) AS opc FROM best) WHERE program NOT IN ('fwt', 'mersenne');

CREATE VIEW named AS SELECT *, CASE WHEN entries > 0 THEN '+' || CAST(entries AS INT) || 'e' WHEN kb = 512 THEN '4 x L2' WHEN kb = 256 THEN '2 x L2' WHEN vc > 0 THEN 'FA+VC' WHEN ways > 32 THEN 'FA' ELSE 'L2' END AS series FROM gain
ORDER BY (SELECT min(t.rowid) FROM frc_hd7770 t WHERE t.program = gain.program), series <> 'L2', entries = 0, entries, ways, vc, kb;

CREATE VIEW figure AS
SELECT '5.4' AS figure, 'OPC that FRCs of 4 to 512 entries, and larger L2s, gain' AS title, '% of OPC' AS unit, '' AS axis,
    'Most programs gain more than 25 %, FastWalshTransform and MersenneTwister up to 150 %, with 32 or 64 entries already, and more than with larger L2s.' AS says
UNION ALL SELECT '5.5', 'Misses per thousand operations', 'misses / 1000 operations', 'log', 'FRCs lower it, inversely to OPC; BinomialOption and URNG have next to none.'
UNION ALL SELECT '5.6', 'Mean latency of an L2 miss beyond the uncontended access', 'cycles', '', 'Four entries lower it below that of larger L2s; 512 remove it in most programs.'
UNION ALL SELECT '5.7', 'Misses that FRC entries serve', '% of the misses', '', 'With 64 entries some 75 % in most programs, almost all in some with fewer than 512.';

CREATE VIEW bar AS
SELECT '5.4' AS figure, program AS x, series, opc AS value, NULL AS claim FROM named WHERE entries IN (4, 16, 64, 512) OR kb > 128
UNION ALL SELECT '5.4', 'median of best', '+512e', NULL, 'FRC18-OPC-GT25'
UNION ALL SELECT '5.4', 'fwt, mersenne: best', '+512e', NULL, 'FRC18-OPC-MAX-150'
UNION ALL SELECT '5.5', program, series, mpko, NULL FROM named WHERE entries IN (4, 64, 512) OR entries = 0
UNION ALL SELECT '5.6', program, series, latency, NULL FROM named WHERE entries IN (4, 64, 512) OR entries = 0
UNION ALL SELECT '5.7', program, series, 100 * share, NULL FROM named WHERE entries IN (4, 16, 64, 256, 512)
UNION ALL SELECT '5.7', 'median', '+64e', NULL, 'FRC18-SERVED-75'
UNION ALL SELECT '5.7', 'largest', '+256e', NULL, 'FRC18-SERVED-100';
