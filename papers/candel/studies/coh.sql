-- about: Candel 2019, chapter 2: MOESI, NMOESI and SI over the files of MSHRs in the L1s
-- sweeps: coh
-- columns: cycles opc l1.accesses l1.hits l1.misses latency.max_per_instruction_mean latency.max_per_instruction_p95 coherence.directory_messages coherence.invalidations coherence.nacks

CREATE VIEW runs AS
SELECT program, "coherence.protocol" AS protocol, "l1.mshr.entries" AS entries, opc, cycles,
    "latency.max_per_instruction_mean" AS latency, "l1.hits" / "l1.accesses" AS hit_rate
FROM coh;

-- Figure 2.2: against MOESI with 256 entries.
CREATE VIEW speedup AS
SELECT a.program, a.protocol, a.entries, a.opc / b.opc AS faster FROM runs a JOIN runs b USING (program)
WHERE b.protocol = 'moesi' AND b.entries = 256 AND a.protocol <> 'moesi';

CREATE VIEW most AS SELECT program, protocol, max(faster) AS faster FROM speedup GROUP BY program, protocol;
CREATE VIEW mean AS SELECT protocol, entries, avg(faster) AS faster FROM speedup GROUP BY protocol, entries;

-- How little NMOESI's requests hold each other up.
CREATE VIEW sent_back AS SELECT program, "l1.mshr.entries" AS entries, "coherence.nacks" / "l1.accesses" AS share FROM coh
WHERE "coherence.protocol" = 'nmoesi' AND program NOT IN ('binomial', 'eigenvalue');

-- SI against NMOESI with the same file.
CREATE VIEW pair AS
SELECT a.program, a.entries, a.cycles / b.cycles AS time, a.latency / b.latency AS latency, a.opc AS si, b.opc AS nmoesi
FROM runs a JOIN runs b USING (program, entries) WHERE a.protocol = 'si' AND b.protocol = 'nmoesi';

-- Where each program is slow, relative to its best machine; ranks for Spearman's rho.
CREATE VIEW point AS
SELECT program, latency, cycles / min(cycles) OVER (PARTITION BY program) AS slow FROM runs;
CREATE VIEW ranked AS
SELECT latency > 1000 AS long, rank() OVER (PARTITION BY latency > 1000 ORDER BY latency) AS r,
    rank() OVER (PARTITION BY latency > 1000 ORDER BY slow) AS s, count(*) OVER (PARTITION BY latency > 1000) AS n FROM point;
CREATE VIEW rho AS
SELECT long, 1 - 6 * sum((r - s) * (r - s)) / (n * (n * n - 1.0)) AS rho FROM ranked GROUP BY long;

-- The latency that best parts the points that are within 10 % of their program's best machine from those that are not.
CREATE VIEW knee AS
SELECT t.latency, sum((p.latency <= t.latency) <> (p.slow <= 1.1)) AS wrong, count(*) AS n
FROM (SELECT DISTINCT latency FROM point) t, point p GROUP BY t.latency ORDER BY wrong, t.latency LIMIT 1;

CREATE VIEW claim AS
SELECT 'COH-SI-NMOESI-MAX-4X' AS id, min(faster) AS value, 'the lesser of the two largest: ' || group_concat(protocol || ' ' || program || ' ' || round(faster, 2), ', ') AS note
FROM (SELECT protocol, program, max(faster) AS faster FROM most GROUP BY protocol)
UNION ALL SELECT 'COH-SI-NMOESI-6OF10', 10.0 * sum(both) / count(*), sum(both) || ' of ' || count(*) || ' programs gain more than 10 % under both'
FROM (SELECT min(faster) > 1.1 AS both FROM most GROUP BY program)
UNION ALL SELECT 'COH-NMOESI-WORST-256', max(CASE entries WHEN 256 THEN faster END) < max(CASE WHEN entries IN (32, 64) THEN faster END),
    'mean speed-ups over MOESI at 256: ' || group_concat(CAST(entries AS INT) || ': ' || round(faster, 2), ', ')
    || '; requests are seldom in each other''s way: sent back ' || (SELECT round(avg(share), 3) FROM sent_back WHERE entries = 16) || ' times an access with 16, '
    || (SELECT round(avg(share), 3) FROM sent_back WHERE entries = 256) || ' with 256' FROM mean WHERE protocol = 'nmoesi'
UNION ALL SELECT 'COH-NMOESI-BEST-16-HALF', 10.0 * sum(nmoesi >= si) / count(*), sum(nmoesi >= si) || ' of ' || count(*) || ' programs' || '; NMOESI fetches the blocks that are stored to, SI merges stores in the L2 (coh-ladder)' FROM pair WHERE entries = 16
UNION ALL SELECT 'COH-NMOESI-OPT-16-32', max(entries), 'largest best file: ' || program || '; see COH-NMOESI-WORST-256' FROM
    (SELECT program, entries, max(opc) FROM runs WHERE protocol = 'nmoesi' AND program IN ('transpose', 'mersenne', 'recursivegaussian') GROUP BY program)
UNION ALL SELECT 'COH-CAT-BLACKSCHOLES', 100 * (max(time) - 1), 'largest time under SI against that under NMOESI, percent' FROM pair WHERE program = 'blackscholes'
UNION ALL SELECT 'COH-CAT-REDUCTION', 100 * max(abs(time - 1)), 'percent' FROM pair WHERE program = 'reduction'
UNION ALL SELECT 'COH-CAT-MERSENNE', abs(a.time - 1) < 0.1 AND b.time < 0.9, 'time under SI over that under NMOESI: ' || round(a.time, 2) || ' at 16, ' || round(b.time, 2) || ' at 256'
        || '; NMOESI fetches the blocks that are stored to, SI merges stores in the L2 (coh-ladder)'
    FROM pair a JOIN pair b USING (program) WHERE program = 'mersenne' AND a.entries = 16 AND b.entries = 256
UNION ALL SELECT 'COH-CAT-TRANSPOSE', a.time > 1 AND b.time < 1, 'time under SI over that under NMOESI: ' || round(a.time, 2) || ' at 16, ' || round(b.time, 2) || ' at 256'
        || '; NMOESI fetches the blocks that are stored to, SI merges stores in the L2 (coh-ladder)'
    FROM pair a JOIN pair b USING (program) WHERE program = 'transpose' AND a.entries = 16 AND b.entries = 256
UNION ALL SELECT 'COH-DWT-NMOESI-FEW', min(a.opc, b.opc) < c.opc, 'OPC with 16, 32, 64: ' || round(a.opc, 1) || ', ' || round(b.opc, 1) || ', ' || round(c.opc, 1)
    FROM runs a, runs b, runs c WHERE a.program = 'dwthaar' AND b.program = 'dwthaar' AND c.program = 'dwthaar' AND a.protocol = 'nmoesi'
    AND b.protocol = 'nmoesi' AND c.protocol = 'nmoesi' AND a.entries = 16 AND b.entries = 32 AND c.entries = 64
UNION ALL SELECT 'COH-LAT-CORR-1000', (SELECT rho FROM rho WHERE long = 1) > (SELECT rho FROM rho WHERE long = 0),
    'rho of latency and time over a program''s best: ' || group_concat(CASE long WHEN 1 THEN 'above' ELSE 'below' END || ' 1,000 cycles ' || round(rho, 2), ', ') FROM rho
UNION ALL SELECT 'COH-LAT-HIDE-LIMIT-2K', latency, 'latency up to which runs are within 10 % of their program''s best, above which they are not; ' || wrong || ' of ' || n || ' runs lie on the other side' FROM knee
UNION ALL SELECT 'COH-LAT-8K', avg(latency), 'mean over the programs above 1,000 cycles' FROM runs WHERE latency > 1000
UNION ALL SELECT 'COH-RED-SI-40', 100 * (1 - min(latency)), 'best file; time ' || round(min(time), 2) FROM pair WHERE program = 'reduction'
UNION ALL SELECT 'COH-BINOMIAL-FLAT', 100 * (max(opc) / min(opc) - 1), 'largest OPC over the least, three protocols and four files' FROM runs WHERE program = 'binomial'
UNION ALL SELECT 'COH-SI-NOCOHMSG', 100 * (avg(latency) - 1), 'mean latency under SI against that under NMOESI, percent' FROM pair;

CREATE VIEW figure AS
SELECT '2.2a' AS figure, 'Speedup of SI over MOESI with 256 MSHRs' AS title, 'times' AS unit, '' AS axis,
    'SI gains in 6 of 10 programs, up to four times, and the more the larger the file of MSHRs is.' AS says
UNION ALL SELECT '2.2b', 'Speedup of NMOESI over MOESI with 256 MSHRs', 'times', '',
    'NMOESI gains in the same programs, up to four times; its best file varies with the program, and 256 entries are in general its worst.'
UNION ALL SELECT '2.3', 'Execution time, one program of each category (NMOESI with 16 MSHRs is 1)', 'ratio', '',
    'SI is always faster in BlackScholes, both are alike in Reduction, SI pulls ahead with large files in MersenneTwister, and in MatrixTranspose NMOESI wins with few MSHRs, SI with many.'
UNION ALL SELECT '2.4', 'Mean largest latency of a vector instruction', 'cycles', 'log',
    'A file of 256 entries cuts Reduction''s latency by more than half and SI saves some 40 % more, while the time hardly changes.'
UNION ALL SELECT '2.6', 'OPC under NMOESI (16 MSHRs are 1)', 'ratio', '',
    'MatrixTranspose, MersenneTwister and RecursiveGaussian are fastest with 16 or 32 entries.';

-- The programs of figures 2.3 and 2.4, in their order.
CREATE VIEW category AS
SELECT a.program, CASE a.protocol WHEN 'si' THEN 'SI, ' ELSE 'NMOESI, ' END || CAST(a.entries AS INT) AS series, a.cycles / b.cycles AS time, a.latency
FROM runs a JOIN runs b USING (program) JOIN (SELECT 'blackscholes' AS program, 1 AS place UNION ALL VALUES ('reduction', 2), ('mersenne', 3), ('transpose', 4)) USING (program)
WHERE a.protocol IN ('si', 'nmoesi') AND b.protocol = 'nmoesi' AND b.entries = 16 ORDER BY place, a.protocol, a.entries;

CREATE VIEW bar AS
SELECT CASE protocol WHEN 'si' THEN '2.2a' ELSE '2.2b' END AS figure, program AS x, CAST(entries AS INT) || ' MSHRs' AS series, faster AS value, NULL AS claim FROM speedup
UNION ALL SELECT '2.2b', 'lesser of both largest', '256 MSHRs', NULL, 'COH-SI-NMOESI-MAX-4X'
UNION ALL SELECT '2.3', program, series, time, NULL FROM category
UNION ALL SELECT '2.4', program, series, latency, NULL FROM category
UNION ALL SELECT '2.6', a.program, CAST(a.entries AS INT) || ' MSHRs', a.opc / b.opc, NULL FROM runs a JOIN runs b USING (program, protocol) WHERE protocol = 'nmoesi' AND b.entries = 16;
