-- about: Candel 2019, section 6.6: the FRC on the RX540
-- sweeps: frc-rx540 frc-rx540-ways frc-rx540-unbounded
-- columns: cycles opc l2.mpko l2.hit_rate l2.frc_share l2.line_waits l2.set_in_transition l2.miss_latency.eviction l2.miss_latency.memory l2.miss_latency.total l2.bytes_from_memory_per_cycle l2.bytes_to_memory_per_cycle dram.utilization warp_cycles.memory warp_cycles.compute l2.misses l2.nacks energy_mj.l2_memory energy_mj.l2_dynamic energy_mj.l2_static energy_mj.frc_static energy_mj.dram_dynamic l2.miss_latency.invalidation

-- Each configuration against the conventional L2 of the card's own size.
CREATE VIEW gain AS
SELECT a.program, a."l2.frc.entries" AS entries, a."l2.ways" AS ways, a."l2.bank_kb" AS kb, a."l2.vc.entries" AS vc,
    100 * (a.opc / b.opc - 1) AS opc, 100 * (1 - a."l2.mpko" / b."l2.mpko") AS fewer_misses, a."l2.mpko" AS mpko,
    a."l2.miss_latency.eviction" AS eviction, a."l2.miss_latency.total" AS latency, b."l2.miss_latency.total" AS base_latency,
    a."l2.frc_share" AS share, a.opc AS at_all,
    100 * (1 - (a."l2.misses" + a."l2.nacks") / (b."l2.misses" + b."l2.nacks")) AS fewer_tries,
    (a."l2.bytes_from_memory_per_cycle" + a."l2.bytes_to_memory_per_cycle")
        / (b."l2.bytes_from_memory_per_cycle" + b."l2.bytes_to_memory_per_cycle") AS traffic
FROM frc_rx540 a JOIN frc_rx540 b USING (program)
WHERE b."l2.frc.entries" = 0 AND b."l2.ways" = 32 AND b."l2.bank_kb" = 256 AND b."l2.vc.entries" = 0;

CREATE VIEW frc AS SELECT * FROM gain WHERE ways = 32 AND kb = 256 AND vc = 0;
CREATE VIEW frc_mean AS SELECT entries, avg(opc) AS opc, avg(fewer_misses) AS fewer_misses FROM frc GROUP BY entries;
CREATE VIEW best AS SELECT program, max(opc) AS opc FROM frc GROUP BY program;
CREATE VIEW larger AS SELECT kb, avg(opc) AS opc FROM gain WHERE entries = 0 AND kb > 256 GROUP BY kb;

-- Ranks of OPC and MPKO over the configurations of each program, for Spearman's rho.
CREATE VIEW ranked AS
SELECT program, rank() OVER (PARTITION BY program ORDER BY at_all) AS r, rank() OVER (PARTITION BY program ORDER BY mpko) AS s,
    count(*) OVER (PARTITION BY program) AS n FROM gain;

-- Counting each request that misses as often as it comes, those that a full MSHR file sends back, too.
CREATE VIEW tries AS SELECT entries, round(avg(fewer_tries)) || ' %' AS fewer FROM frc GROUP BY entries;

-- Without a bound, against the same baseline.
CREATE VIEW unbounded AS
SELECT a.program, a."l2.frc.entries" > 0 AS frc, 100 * (a.opc / b.opc - 1) AS opc FROM frc_rx540_unbounded a JOIN frc_rx540_unbounded b USING (program)
WHERE b."l2.frc.entries" = 0 AND b."l2.ways" = 32 AND b."l2.vc.entries" = 0 AND (a."l2.frc.entries" > 0 OR a."l2.vc.entries" > 0);
-- Cycles that a wavefront of figure 6.3's programs is blocked on memory, where VC and FRC have no bound.
CREATE VIEW blocked AS
SELECT program, max(CASE WHEN "l2.frc.entries" > 0 THEN "warp_cycles.memory" END) AS frc, max(CASE WHEN "l2.vc.entries" > 0 THEN "warp_cycles.memory" END) AS vc,
    max(CASE WHEN "l2.ways" = 4096 AND "l2.vc.entries" = 0 THEN "warp_cycles.memory" END) AS fa,
    max(CASE WHEN "l2.ways" = 32 AND "l2.frc.entries" = 0 THEN "warp_cycles.memory" END) AS base,
    max(CASE WHEN "l2.ways" = 32 AND "l2.frc.entries" = 0 THEN "warp_cycles.compute" END) AS compute
FROM frc_rx540_unbounded WHERE program IN ('color', 'dct') GROUP BY program;

CREATE VIEW claim AS
SELECT 'FRC-RX540-OPC-AVG-4' AS id, opc AS value, 'mean of 20 programs on rx540-tc19' AS note FROM frc_mean WHERE entries = 4
UNION ALL SELECT 'FRC-RX540-OPC-AVG-512', opc, 'mean of 20 programs' FROM frc_mean WHERE entries = 512
UNION ALL SELECT 'FRC-RX540-OPC-L2X2', opc, 'mean of 20 programs: their data are small beside the L2' FROM larger WHERE kb = 512
UNION ALL SELECT 'FRC-RX540-OPC-L2X4', opc, 'mean of 20 programs: their data are small beside the L2' FROM larger WHERE kb = 1024
UNION ALL SELECT 'FRC-RX540-OPC-FA-LT10', max(opc), 'the larger of FA and FA+VC' FROM (SELECT avg(opc) AS opc FROM gain WHERE ways = 4096 GROUP BY vc)
UNION ALL SELECT 'FRC-RX540-14OF16', 16.0 * sum(opc > 10) / count(*), sum(opc > 10) || ' of ' || count(*) || ' programs gain more than 10 %; less: '
    || (SELECT group_concat(program || ' ' || round(opc, 1), ', ') FROM best WHERE opc <= 10) FROM best
UNION ALL SELECT 'FRC-RX540-MAX-200', max(opc), program || '; largest of all: ' || (SELECT program || ', ' || round(max(opc)) || ' %' FROM best) FROM best WHERE program IN ('kmeans', 'pagerank')
UNION ALL SELECT 'FRC-RX540-SAT-64-128', min(entries), 'least size within 5 % of 512 entries in most programs'
    FROM (SELECT a.entries FROM frc a JOIN frc b USING (program) WHERE b.entries = 512 AND a.entries > 0
          GROUP BY a.entries HAVING avg(a.at_all >= 0.95 * b.at_all) > 0.5)
UNION ALL SELECT 'FRC-RX540-SMOOTH', min(b.at_all >= 0.99 * a.at_all), 'largest step down: ' || round(100 * max(1 - b.at_all / a.at_all), 1) || ' %'
    FROM frc a JOIN frc b USING (program) WHERE program IN ('dct', 'transpose', 'scan') AND a.entries >= 4 AND b.entries = 2 * a.entries
UNION ALL SELECT 'FRC-RX540-SHARP-KMEANS', 100 * (a.at_all / b.at_all - 0.9), 'OPC with 4 entries over that with 512, percent, less 90: 4 entries serve ' || round(100 * a.share) || ' % of its misses, 512 ' || round(100 * b.share)
    FROM frc a JOIN frc b USING (program) WHERE program = 'kmeans' AND a.entries = 4 AND b.entries = 512
UNION ALL SELECT 'FRC-RX540-FLAT', max(abs(opc)), 'largest change: ' || program || ', ' || CAST(entries AS INT) || ' entries, ' || CAST(kb AS INT) || ' KB a bank: its misses stay (' || round(mpko, 1)
    || ' per thousand operations, paper below 1), the wait for their victims goes' FROM gain WHERE program IN ('mm3', 'hotspot')
UNION ALL SELECT 'FRC-RX540-MPKO-LT1-FLAT', max(mpko), 'larger of two without an FRC: ' || program
    FROM frc WHERE entries = 0 AND program IN ('mm3', 'hotspot')
UNION ALL SELECT 'FRC-ASSOC-MARGINAL', max(more), '16 ways over 8, percent of OPC in the mean, the larger of 64 and 512 entries: ' || group_concat(CAST(entries AS INT) || ': ' || round(more, 2), ', ')
    FROM (SELECT w."l2.frc.entries" AS entries, 100 * (avg(w.opc / b.opc) - 1) AS more FROM frc_rx540_ways w JOIN frc_rx540 b USING (program, "l2.frc.entries")
          WHERE b."l2.ways" = 32 AND b."l2.bank_kb" = 256 AND b."l2.vc.entries" = 0 GROUP BY w."l2.frc.entries")
UNION ALL SELECT 'FRC-RX540-CAP-GT-ASSOC', 100 * (min(a.at_all / b.at_all) - 1), 'percent of OPC, least of color, pagerank, reduction'
    FROM gain a JOIN gain b USING (program) WHERE program IN ('color', 'pagerank', 'reduction') AND a.kb = 1024 AND b.ways = 4096 AND b.vc = 0
UNION ALL SELECT 'FRC-RX540-MPKO-4', fewer_misses, 'victims that stay longer are hardly used again; counting requests that are sent back as often as they miss: ' || fewer FROM frc_mean JOIN tries USING (entries) WHERE entries = 4
UNION ALL SELECT 'FRC-RX540-MPKO-512', fewer_misses, 'victims that stay longer are hardly used again; counting requests that are sent back as often as they miss: ' || fewer FROM frc_mean JOIN tries USING (entries) WHERE entries = 512
UNION ALL SELECT 'FRC-RX540-MPKO-KM-PRK', min(fewer_misses), 'the lesser of kmeans and pagerank' FROM frc WHERE entries = 512 AND program IN ('kmeans', 'pagerank')
UNION ALL SELECT 'FRC-RX540-LAT-EVICT0', max(eviction), 'median program, cycles'
    FROM (SELECT eviction, row_number() OVER (ORDER BY eviction) AS place, count(*) OVER () AS n FROM frc WHERE entries = 512) WHERE place <= (n + 1) / 2
UNION ALL SELECT 'FRC-RX540-LAT-84', min(100 * (1 - latency / base_latency)), 'least of bc, mersenne, quasirandom with 512 entries' FROM frc WHERE entries = 512 AND program IN ('bc', 'mersenne', 'quasirandom')
UNION ALL SELECT 'FRC-RX540-LAT-93', max(100 * (1 - latency / base_latency)), 'largest of the three: ' || program FROM frc WHERE entries = 512 AND program IN ('bc', 'mersenne', 'quasirandom')
UNION ALL SELECT 'FRC-RX540-LAT-RISE', min(latency > base_latency), 'with 512 entries: the victim''s part goes, and what the memory''s part gains is less; falls most in ' || (SELECT program FROM frc WHERE entries = 512 AND program IN ('conv2d', 'dct', 'dwthaar', 'reduction', 'scan') ORDER BY latency / base_latency LIMIT 1)
    FROM frc WHERE entries = 512 AND program IN ('conv2d', 'dct', 'dwthaar', 'reduction', 'scan')
UNION ALL SELECT 'FRC-RX540-TRAFFIC-RISE', min(traffic > 1), 'with 512 entries; least: ' || round(min(traffic), 2) FROM frc WHERE entries = 512 AND program IN ('conv2d', 'dct', 'dwthaar', 'reduction', 'scan')
UNION ALL SELECT 'FRC-RX540-MPKO-INV', avg(rho), 'mean over the programs of Spearman''s rho over their configurations'
    FROM (SELECT 1 - 6 * sum((r - s) * (r - s)) / (n * (n * n - 1.0)) AS rho FROM ranked GROUP BY program)
UNION ALL SELECT 'FRC-RX540-DCT-FA-6', opc, 'dct has few conflicts here' FROM gain WHERE program = 'dct' AND ways = 4096 AND vc = 0
UNION ALL SELECT 'FRC-RX540-COLOR-FA-0', opc, 'percent' FROM gain WHERE program = 'color' AND ways = 4096 AND vc = 0
UNION ALL SELECT 'FRC-RX540-DCT-VC-SLIGHT', 100 * ((100 + u.opc) / (100 + g.opc) - 1), 'more than slightly: percent over the fully associative L2, with a victim cache without a bound, as in section 6.4.3; of 512 lines a bank '
    || (SELECT round(100 * ((100 + v.opc) / (100 + g.opc) - 1), 1) FROM gain v WHERE v.program = 'dct' AND v.vc = 512)
    FROM unbounded u JOIN gain g USING (program) WHERE program = 'dct' AND NOT frc AND ways = 4096 AND vc = 0
UNION ALL SELECT 'FRC-RX540-COLOR-FAVC-137', opc, 'percent, victim cache without a bound' FROM unbounded WHERE program = 'color' AND NOT frc
UNION ALL SELECT 'FRC-RX540-DCT-FRCINF-29', opc, 'percent, FRC without a bound' FROM unbounded WHERE program = 'dct' AND frc
UNION ALL SELECT 'FRC-RX540-COLOR-FRCINF-163', opc, 'percent, FRC without a bound' FROM unbounded WHERE program = 'color' AND frc
UNION ALL SELECT 'FRC-RX540-OPC-RANGE-LOW', max(opc), 'first quartile of the programs'' best gains'
    FROM (SELECT opc, row_number() OVER (ORDER BY opc) AS place, count(*) OVER () AS n FROM best) WHERE place <= (n + 3) / 4
UNION ALL SELECT 'FRC-RX540-MEMCYCLES', min(frc < vc AND vc <= fa AND fa <= base) AND max(program = 'color' AND base > compute) AND max(program = 'dct' AND compute > base),
    'cycles without, fully associative, with victim cache and FRC without a bound: ' || group_concat(program || ' ' || CAST(round(base) AS INT) || ', ' || CAST(round(fa) AS INT) || ', ' || CAST(round(vc) AS INT) || ', ' || CAST(round(frc) AS INT)
        || '; memory over compute ' || round(base / compute, 1), '; ') FROM blocked;

CREATE VIEW unmet AS
SELECT 'FRC-RX540-OPC-AVG-512' AS id, 'an L2 of four times the size gains ' || round(l.opc, 1) || ' %' AS why
FROM larger l, frc_mean f
WHERE l.kb = 1024 AND f.entries = 512 AND l.opc >= f.opc
UNION ALL SELECT 'FRC-RX540-MPKO-LT1-FLAT', program || ' gains ' || round(max(opc), 1) || ' %' FROM frc
WHERE program IN ('mm3', 'hotspot') HAVING max(opc) >= 3
UNION ALL SELECT 'FRC-RX540-COLOR-FRCINF-163', 'fully associative with a victim cache ' || round(v.opc, 1) || ' %'
FROM unbounded v JOIN unbounded f USING (program) WHERE program = 'color' AND f.frc AND NOT v.frc AND v.opc >= f.opc;

CREATE VIEW named AS SELECT *, CASE WHEN entries > 0 THEN '+' || CAST(entries AS INT) || 'e' WHEN kb = 1024 THEN '4 x L2' WHEN kb = 512 THEN '2 x L2' WHEN vc > 0 THEN 'FA+VC' WHEN ways > 32 THEN 'FA' ELSE 'L2' END AS series FROM gain
ORDER BY (SELECT min(t.rowid) FROM frc_rx540 t WHERE t.program = gain.program), series <> 'L2', entries = 0, entries, ways, vc, kb;

CREATE VIEW figure AS
SELECT '6.3' AS figure, 'OPC that unbounded schemes gain in two programs' AS title, '% of OPC' AS unit, '' AS axis,
    'Full associativity helps DCT alone, a victim cache Color, and the FRC gains most in both.' AS says
UNION ALL SELECT '6.6', 'OPC that FRCs, associativity and larger L2s gain on the RX540', '% of OPC', '',
    'FRCs of 4 and of 512 entries gain 30 and 67 % in the mean, L2s of two and four times the size 20 and 27 %, full associativity less than 10 %.'
UNION ALL SELECT '6.7', 'Misses per thousand operations that are saved on the RX540', '% of MPKO', '', 'FRCs of 4 and of 512 entries save 23 and 31 % in the mean, most or all in Kmeans and PRK.'
UNION ALL SELECT '6.8', 'Latency of L2 misses that is saved on the RX540, without the memory''s own', '% of the latency', '',
    'BC, MersenneTwister and QuasiRandomSequence save 84 to 93 %; in 2DConv, DCT, DwtHaar1D, Reduction and ScanLargeArrays the latency rises.'
UNION ALL SELECT '6.9', 'Traffic between L2 and memory on the RX540 (without an FRC it is 1)', 'ratio', '', 'In those five programs it rises with the entries.';

CREATE VIEW bar AS
SELECT '6.3' AS figure, 'dct' AS x, 'FA' AS series, NULL AS value, 'FRC-RX540-DCT-FA-6' AS claim
UNION ALL SELECT '6.3', program, CASE WHEN frc THEN 'FRC' ELSE 'FA+VC' END, opc, CASE WHEN frc THEN 'FRC-RX540-DCT-FRCINF-29' END FROM (SELECT * FROM unbounded WHERE program = 'dct' ORDER BY frc)
UNION ALL VALUES ('6.3', 'color', 'FA', NULL, 'FRC-RX540-COLOR-FA-0'), ('6.3', 'color', 'FA+VC', NULL, 'FRC-RX540-COLOR-FAVC-137'), ('6.3', 'color', 'FRC', NULL, 'FRC-RX540-COLOR-FRCINF-163')
UNION ALL SELECT '6.6', program, series, opc, NULL FROM named WHERE entries IN (4, 16, 64, 512) OR entries = 0 AND series <> 'L2'
UNION ALL VALUES ('6.6', 'mean', '+4e', NULL, 'FRC-RX540-OPC-AVG-4'), ('6.6', 'mean', '+512e', NULL, 'FRC-RX540-OPC-AVG-512'), ('6.6', 'mean', '2 x L2', NULL, 'FRC-RX540-OPC-L2X2'),
    ('6.6', 'mean', '4 x L2', NULL, 'FRC-RX540-OPC-L2X4'), ('6.6', 'mean, FA or FA+VC', 'FA+VC', NULL, 'FRC-RX540-OPC-FA-LT10'), ('6.6', 'kmeans, pagerank', '+512e', NULL, 'FRC-RX540-MAX-200')
UNION ALL SELECT '6.7', program, series, fewer_misses, NULL FROM named WHERE entries IN (4, 64, 512) OR entries = 0 AND series <> 'L2'
UNION ALL VALUES ('6.7', 'mean', '+4e', NULL, 'FRC-RX540-MPKO-4'), ('6.7', 'mean', '+512e', NULL, 'FRC-RX540-MPKO-512'), ('6.7', 'kmeans, pagerank', '+512e', NULL, 'FRC-RX540-MPKO-KM-PRK')
UNION ALL SELECT '6.8', program, series, 100 * (1 - latency / base_latency), NULL FROM named WHERE entries IN (4, 64, 512)
UNION ALL VALUES ('6.8', 'least of three', '+512e', NULL, 'FRC-RX540-LAT-84'), ('6.8', 'most of three', '+512e', NULL, 'FRC-RX540-LAT-93')
UNION ALL SELECT '6.9', program, series, traffic, NULL FROM named WHERE entries IN (4, 64, 512);
