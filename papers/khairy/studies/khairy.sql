-- about: Khairy 2018 on two models of the TITAN V: coalescing, sectors, write misses, copies, the scheduler
-- sweeps: khairy-counts-titanv khairy-counts-titanv-gpgpusim3 khairy-mb2 khairy-copy khairy-scheduler-titanv khairy-scheduler-titanv-gpgpusim3
-- columns: cycles warp_instructions l1.reads l1.writes l2.reads l2.read_hits l2.writes l2.write_hits l2.misses l2.fetches l2.bytes_from_memory dram.reads dram.writes

-- One load and one store of a warp.
CREATE VIEW per_warp AS
SELECT 'new' AS model, program, "l1.enabled" AS l1, "l1.reads" AS reads, "l1.writes" AS writes,
       "l2.reads" AS l2_reads, "l2.writes" AS l2_writes FROM khairy_counts_titanv WHERE program LIKE 'mb1-%'
UNION ALL
SELECT 'old', program, "l1.enabled", "l1.reads", "l1.writes", "l2.reads", "l2.writes"
FROM khairy_counts_titanv_gpgpusim3 WHERE program LIKE 'mb1-%';

-- What step k of mb2 did: program k minus program k - 1.
CREATE VIEW step AS
SELECT a."l2.write_miss" AS policy, a.program, a."l2.writes" - coalesce(b."l2.writes", 0) AS writes,
       a."l2.write_hits" - coalesce(b."l2.write_hits", 0) AS write_hits,
       a."l2.reads" - coalesce(b."l2.reads", 0) AS reads, a."l2.read_hits" - coalesce(b."l2.read_hits", 0) AS read_hits,
       a."l2.bytes_from_memory" - coalesce(b."l2.bytes_from_memory", 0) AS fetched
FROM khairy_mb2 a LEFT JOIN khairy_mb2 b
    ON b."l2.write_miss" = a."l2.write_miss" AND substr(b.program, 5) + 1 = substr(a.program, 5) + 0;

-- FR-FCFS over first come, first served, on programs larger than the L2 (4.5 MB); the paper's are not named.
CREATE VIEW gain AS
SELECT 'new' AS model, a.program, a.cycles / b.cycles AS ratio
FROM khairy_scheduler_titanv a JOIN khairy_scheduler_titanv b USING (program)
WHERE a."dram.scheduler" = 'fcfs' AND b."dram.scheduler" = 'fr_fcfs'
UNION ALL
SELECT 'old', a.program, a.cycles / b.cycles
FROM khairy_scheduler_titanv_gpgpusim3 a JOIN khairy_scheduler_titanv_gpgpusim3 b USING (program)
WHERE a."dram.scheduler" = 'fcfs' AND b."dram.scheduler" = 'fr_fcfs';
CREATE VIEW gains AS
SELECT model, avg(ratio) AS mean, count(*) || ' programs larger than the L2: ' || round(min(ratio), 2) || ' to ' ||
    round(max(ratio), 2) || ', largest ' || (SELECT program FROM gain x WHERE x.model = g.model ORDER BY ratio DESC LIMIT 1) AS note
FROM gain g GROUP BY model;

CREATE VIEW claim AS
WITH stride (id, model, program) AS (VALUES
    ('KH-COAL-S1-32', 'new', 'mb1-01'), ('KH-COAL-S2-16-DERIVED', 'new', 'mb1-02'),
    ('KH-COAL-S4-8-DERIVED', 'new', 'mb1-04'), ('KH-COAL-S8-4-DERIVED', 'new', 'mb1-08'),
    ('KH-COAL-S16-4-DERIVED', 'new', 'mb1-16'), ('KH-COAL-S32-4', 'new', 'mb1-32'),
    ('KH-COAL-OLD-S32-1-DERIVED', 'old', 'mb1-32'))
SELECT id, reads AS value, 'L1 reads per load, ' || program AS note
FROM stride JOIN per_warp USING (model, program) WHERE l1 = 'true'
UNION ALL
SELECT 'KH-COAL-WRITES', min(r.reads = r.writes AND o.l2_reads = r.reads AND o.l2_writes = r.reads),
    '1: at all strides writes, and reads and writes without the L1, count as the L1''s reads'
FROM per_warp r JOIN per_warp o USING (model, program) WHERE model = 'new' AND r.l1 = 'true' AND o.l1 = 'false'
UNION ALL
SELECT 'KH-DIV-32-SAME', CASE WHEN min(reads) = max(reads) THEN min(reads) ELSE 0 END, 'mb1 at stride 1 on both models'
FROM per_warp WHERE program = 'mb1-01' AND l1 = 'true'
UNION ALL
SELECT 'KH-MB2-L3-WMISS', write_hits, 'fetched bytes: ' || CAST(fetched AS INT) FROM step WHERE policy = 'lazy_fetch' AND program = 'mb2-1'
UNION ALL
SELECT 'KH-MB2-L4-WHIT', write_hits, 'L2 without an L1' FROM step WHERE policy = 'lazy_fetch' AND program = 'mb2-2'
UNION ALL
SELECT 'KH-MB2-L5-RMISS', read_hits, 'fetched bytes: ' || CAST(fetched AS INT) || '; under validate ' ||
    (SELECT CAST(read_hits AS INT) || ' hit' FROM step WHERE policy = 'validate' AND program = 'mb2-3')
FROM step WHERE policy = 'lazy_fetch' AND program = 'mb2-3'
UNION ALL
SELECT 'KH-MB2-L6-RHIT', read_hits / reads, CAST(reads AS INT) || ' reads' FROM step WHERE policy = 'lazy_fetch' AND program = 'mb2-4'
UNION ALL
SELECT 'KH-LAZY-FULLSECTOR', "l2.fetches", CAST("l2.writes" AS INT) || ' stores of whole sectors'
FROM khairy_counts_titanv WHERE program = 'fill' AND "l1.enabled" = 'true'
UNION ALL
SELECT 'KH-OLD-WR-4X32', "l2.bytes_from_memory" / 32 / "l2.misses", '32-byte reads per line missed by a store'
FROM khairy_counts_titanv_gpgpusim3 WHERE program = 'fill' AND "l1.enabled" = 'true'
UNION ALL
SELECT 'KH-MEMCPY-L2', 100 * (sum(b."l2.read_hits") / sum(a."l2.read_hits") - 1),
    '% more L2 read hits; misses of loads fall by ' || CAST(round(100 * (1 - sum(b."l2.fetches") / sum(a."l2.fetches"))) AS INT) || ' %'
FROM khairy_copy a JOIN khairy_copy b USING (program) WHERE a."l2.copy_warms" = 'false' AND b."l2.copy_warms" = 'true'
UNION ALL
SELECT 'KH-FRFCFS-NEW-2X', mean, note FROM gains WHERE model = 'new'
UNION ALL
SELECT 'KH-FRFCFS-OLD-20', 100 * (mean - 1), note FROM gains WHERE model = 'old'
UNION ALL
SELECT 'KH-FRFCFS-INSENS', min(ratio), 'least of all programs' FROM gain WHERE model = 'old';

CREATE VIEW unmet AS
SELECT 'KH-FRFCFS-NEW-2X' AS id, 'the old model gains as much' AS why FROM gains n JOIN gains o
WHERE n.model = 'new' AND o.model = 'old' AND n.mean <= o.mean;

CREATE VIEW figure AS
SELECT '4' AS figure, 'L1 reads of a warp''s load' AS title, 'reads' AS unit, '' AS axis, 'A stride of 1 makes 32 accesses, one of 32, which is fully coalesced, 4: an access has 32 bytes.' AS says
UNION ALL SELECT '13', 'Performance of FR-FCFS over first come, first served', 'times', '', 'It gains 20 % in the mean in the old model, where some programs do not care, and twice the performance in the new one.';

CREATE VIEW bar AS
SELECT '4' AS figure, 'stride ' || CAST(substr(program, 5) AS INT) AS x, model || ' model' AS series, reads AS value, claim FROM (
    SELECT program, model, reads, CASE WHEN model = 'new' THEN CASE program WHEN 'mb1-01' THEN 'KH-COAL-S1-32' WHEN 'mb1-32' THEN 'KH-COAL-S32-4' END END AS claim
    FROM per_warp WHERE l1 = 'true' ORDER BY program, model)
UNION ALL SELECT '13', program, model || ' model', ratio, NULL FROM (SELECT * FROM gain ORDER BY model, program)
UNION ALL VALUES ('13', 'mean', 'new model', NULL, 'KH-FRFCFS-NEW-2X')
UNION ALL SELECT '13', 'mean', 'old model', mean, NULL FROM gains WHERE model = 'old'
UNION ALL VALUES ('13', 'least', 'old model', NULL, 'KH-FRFCFS-INSENS');
