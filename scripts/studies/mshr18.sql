-- about: Candel 2019, section 4.6.1: files of MSHRs in the L1s and the L2's slices
-- sweeps: mshr18
-- columns: cycles opc l1.stall_cycles l2.nacks l2.hit_rate dram.utilization

-- OPC relative to the machine without any file; the three sizes of the L1's that the figure shows.
CREATE VIEW relative AS
SELECT a.program, a."l1.mshr.entries" AS l1, a."l2.mshr.entries" AS l2, a.opc / b.opc AS opc
FROM mshr18 a JOIN mshr18 b USING (program)
WHERE b."l1.mshr.entries" = 0 AND b."l2.mshr.entries" = 0 AND a."l1.mshr.entries" > 0 AND a."l2.mshr.entries" > 0;

-- With an L1 file of 32: the place of each program in the order of its slowdown with 16 entries per slice.
CREATE VIEW small AS
SELECT program, opc, row_number() OVER (ORDER BY opc) AS place, count(*) OVER () AS n FROM relative WHERE l1 = 32 AND l2 = 16;

-- Per program and L2 size: the spread over the sizes of the L1's file.
CREATE VIEW spread AS
SELECT l2, avg(width) AS mean FROM (SELECT program, l2, max(opc) - min(opc) AS width FROM relative
    WHERE program IN ('fwt', 'floydwarshall', 'reduction', 'scan') GROUP BY program, l2) GROUP BY l2;

-- Share of programs for which an L2 file of that size comes within 5 % of the baseline of one of 256.
CREATE VIEW saturated AS
SELECT a.l2, avg(b.opc - a.opc < 0.05) AS share FROM relative a JOIN relative b USING (program)
WHERE a.l1 = 32 AND b.l1 = 32 AND b.l2 = 256 GROUP BY a.l2;

-- The largest loss from one size of the L2's file to a larger one, and its cause.
CREATE VIEW thrashes AS
SELECT a.program || ', L1 ' || CAST(a.l1 AS INT) || ', L2 ' || CAST(a.l2 AS INT) || ' to ' || CAST(b.l2 AS INT) || ': more misses in flight push out lines before all'
    || ' their words are stored (columns a power of two apart share few sets); L2 hit rate ' || round(m."l2.hit_rate", 2) || ' to ' || round(n."l2.hit_rate", 2)
    || '; with l2.index=xor nothing is lost'
FROM relative a JOIN relative b USING (program, l1)
JOIN mshr18 m ON m.program = a.program AND m."l1.mshr.entries" = a.l1 AND m."l2.mshr.entries" = a.l2
JOIN mshr18 n ON n.program = b.program AND n."l1.mshr.entries" = a.l1 AND n."l2.mshr.entries" = b.l2
WHERE b.l2 > a.l2 ORDER BY a.opc - b.opc DESC LIMIT 1;

CREATE VIEW claim AS
SELECT 'MSHR18-L2-16-LT30' AS id, 100 * avg(opc) AS value, 'median of ' || n || ' programs, L1 file of 32' AS note
FROM small WHERE place IN ((n + 1) / 2, n / 2 + 1) GROUP BY n
UNION ALL
SELECT 'MSHR18-MERSENNE-20', 100 * opc, 'L1 file of 32' FROM small WHERE program = 'mersenne'
UNION ALL
SELECT 'MSHR18-5X', max(1 / opc), program || ', L1 ' || CAST(l1 AS INT) || ', L2 ' || CAST(l2 AS INT) FROM relative
UNION ALL
SELECT 'MSHR18-L2-MONO', min(b.opc >= a.opc - 0.01),
    'largest loss from one size to a larger one: ' || round(100 * max(a.opc - b.opc), 1) || ' % of the baseline: ' || (SELECT * FROM thrashes)
FROM relative a JOIN relative b USING (program, l1) WHERE b.l2 > a.l2
UNION ALL
SELECT 'MSHR18-L2-SAT-96', min(l2), 'least size within 5 % of 256 entries in most programs, L1 file of 32'
FROM saturated WHERE share > 0.5
UNION ALL
SELECT 'MSHR18-L1-MATTERS', coalesce(max(l2), 0), 'largest L2 file at which the L1 file changes the four programs by less than 10 %; at 256: '
    || (SELECT round(100 * mean, 1) FROM spread WHERE l2 = 256) || ' %: ten L1 files of 16 are more than the 83 lines in flight that saturate this memory'
FROM spread WHERE mean < 0.1
UNION ALL
SELECT 'MSHR18-L1-NEG-DWT', min(b.opc < a.opc), 'with L2 files of 256: ' || group_concat(program || ' ' || round(100 * (b.opc / a.opc - 1), 1) || ' %', ', ')
    || ': the L2 sends nothing back then ('
    || (SELECT CAST(max("l2.nacks") AS INT) FROM mshr18 WHERE "l2.mshr.entries" = 256 AND program IN ('dwthaar', 'fwt')) || ' NACKs), so that nothing is retried'
FROM (SELECT program, max(opc) AS opc FROM relative WHERE l2 = 256 AND l1 < 64 GROUP BY program) a
JOIN relative b USING (program) WHERE b.l1 = 64 AND b.l2 = 256 AND program IN ('dwthaar', 'fwt')
UNION ALL
SELECT 'MSHR18-DWT-ABOVE-BASE', 100 * max(opc), 'L1 ' || CAST(l1 AS INT) || ', L2 ' || CAST(l2 AS INT)
FROM relative WHERE program = 'dwthaar';
