-- about: Candel 2019, section 4.6.1: files of MSHRs in the L1s and the L2's slices, all else as in the public Multi2Sim
-- sweeps: mshr18
-- columns: cycles opc l1.hits l1.stall_cycles l2.nacks l2.hit_rate coherence.nacks

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

-- The largest loss of each program from one size of the L2's file to a larger one; what the L1s hit says why.
CREATE VIEW loss AS
SELECT a.program, a.l1, a.l2 AS from_l2, b.l2 AS to_l2, a.opc - b.opc AS lost, m."l1.hits" AS hits, n."l1.hits" AS hits_then,
    row_number() OVER (PARTITION BY a.program ORDER BY a.opc - b.opc DESC) AS place
FROM relative a JOIN relative b USING (program, l1)
JOIN mshr18 m ON m.program = a.program AND m."l1.mshr.entries" = a.l1 AND m."l2.mshr.entries" = a.l2
JOIN mshr18 n ON n.program = b.program AND n."l1.mshr.entries" = a.l1 AND n."l2.mshr.entries" = b.l2
WHERE b.l2 > a.l2;
CREATE VIEW losses AS SELECT *, row_number() OVER (ORDER BY lost DESC) AS nth FROM loss WHERE place = 1;

-- Requests sent back by the L2 and by its directory, where the L2's file is large.
CREATE VIEW nacks AS
SELECT program, "l1.mshr.entries" AS l1, "l2.nacks" + "coherence.nacks" AS n FROM mshr18 WHERE "l2.mshr.entries" = 256;

CREATE VIEW claim AS
SELECT 'MSHR18-L2-16-LT30' AS id, 100 * avg(opc) AS value, 'median of ' || n || ' programs, L1 file of 32' AS note
FROM small WHERE place IN ((n + 1) / 2, n / 2 + 1) GROUP BY n
UNION ALL
SELECT 'MSHR18-MERSENNE-20', 100 * opc, 'L1 file of 32' FROM small WHERE program = 'mersenne'
UNION ALL
SELECT 'MSHR18-5X', max(1 / opc), program || ', L1 ' || CAST(l1 AS INT) || ', L2 ' || CAST(l2 AS INT) FROM relative
UNION ALL
SELECT 'MSHR18-L2-MONO', max(lost) <= 0.01, (SELECT 'largest loss from one size to a larger one: ' || round(100 * lost, 1) || ' % of the baseline: ' || program
        || ', L1 ' || CAST(l1 AS INT) || ', L2 ' || CAST(from_l2 AS INT) || ' to ' || CAST(to_l2 AS INT) || ': ' || CAST(hits AS INT) || ' and ' || CAST(hits_then AS INT)
        || ' L1 hits: which groups run side by side, and so share rows in the L1, changes with every file' FROM losses WHERE nth = 1)
    || (SELECT '; next ' || program || ' ' || round(100 * lost, 1) || ' %' FROM losses WHERE nth = 2)
    || '; ' || sum(lost > 0.01) || ' of ' || count(*) || ' programs lose more than 1 %'
FROM losses
UNION ALL
SELECT 'MSHR18-L2-SAT-96', min(l2), 'least size within 5 % of 256 entries in most programs, L1 file of 32'
FROM saturated WHERE share > 0.5
UNION ALL
SELECT 'MSHR18-L1-MATTERS', coalesce(max(l2), 0), 'largest L2 file at which the L1 file changes the four programs by less than 10 %; at 256: '
    || (SELECT round(100 * mean, 1) FROM spread WHERE l2 = 256) || ' %: a slice''s port takes one message a cycle ([A]), and each line fetched costs two, its request and'
    || ' the word of the copy that leaves; networks of twice the clock take that limit away'
FROM spread WHERE mean < 0.1
UNION ALL
SELECT 'MSHR18-L1-NEG-DWT', min(b.opc < a.opc AND n.n > m.n), 'with L2 files of 256, 64 entries against the better of 16 and 32: '
    || group_concat(program || ' ' || round(100 * (b.opc / a.opc - 1), 1) || ' %, sent back ' || CAST(m.n AS INT) || ' times with 16, ' || CAST(n.n AS INT) || ' with 64', '; ')
FROM (SELECT program, max(opc) AS opc FROM relative WHERE l2 = 256 AND l1 < 64 GROUP BY program) a
JOIN relative b USING (program) JOIN nacks m USING (program) JOIN nacks n USING (program)
WHERE b.l1 = 64 AND b.l2 = 256 AND m.l1 = 16 AND n.l1 = 64 AND program IN ('dwthaar', 'fwt')
UNION ALL
SELECT 'MSHR18-DWT-ABOVE-BASE', 100 * max(opc), 'L1 ' || CAST(l1 AS INT) || ', L2 ' || CAST(l2 AS INT)
FROM relative WHERE program = 'dwthaar';

CREATE VIEW figure AS
SELECT '4.4' AS figure, 'OPC with files of MSHRs in L1s (32 entries) and L2 slices' AS title, '% of OPC without files' AS unit, '' AS axis,
    'With 16 entries in the L2 most programs fall below 30 %, MersenneTwister to 20 %; more than 96 bring little.' AS says;

CREATE VIEW bar AS
SELECT '4.4' AS figure, program AS x, 'L2 ' || CAST(l2 AS INT) AS series, 100 * opc AS value,
    CASE WHEN program = 'mersenne' AND l2 = 16 THEN 'MSHR18-MERSENNE-20' END AS claim FROM relative WHERE l1 = 32
UNION ALL SELECT '4.4', 'median', 'L2 16', NULL, 'MSHR18-L2-16-LT30'
UNION ALL SELECT '4.4', 'dwthaar, best of 18', 'L2 256', NULL, 'MSHR18-DWT-ABOVE-BASE';
