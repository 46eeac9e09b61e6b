-- about: Candel 2019, section 3.6.2: coalescing against merging in the L1's queue
-- sweeps: coal15
-- columns: cycles opc l1.accesses l1.reads l1.joined l1.accesses_per_request

-- The coalescer's accesses and performance against those of merging alone; of the two transposes that which the claims
-- on MatrixTranspose are about.
CREATE VIEW coal15_pair AS
SELECT program, a."l1.accesses" AS merged, b."l1.accesses" AS coalesced,
    100 * (1 - b."l1.accesses" / a."l1.accesses") AS fewer, b.opc / a.opc AS faster
FROM coal15 a JOIN coal15 b USING (program)
WHERE a."sm.coalesce_loads" = 'false' AND a."sm.coalesce_stores" = 'false'
    AND b."sm.coalesce_loads" = 'true' AND b."sm.coalesce_stores" = 'true' AND program <> 'transpose';

CREATE VIEW claim AS
SELECT 'COAL15-DEV-75' AS id, max(fewer) AS value, 'most of all programs, in accesses: ' || program AS note FROM coal15_pair
UNION ALL
SELECT 'COAL15-GT30', 100 * (min(faster) - 1), 'second largest gain; largest: ' || (SELECT program || ', ' || round(100 * (max(faster) - 1), 1) || ' %' FROM coal15_pair)
FROM (SELECT faster FROM coal15_pair ORDER BY faster DESC LIMIT 2)
UNION ALL
SELECT 'COAL15-SIMILAR-9OF12', 12.0 * sum(abs(fewer) < 5) / count(*), sum(abs(fewer) < 5) || ' of ' || count(*) || ' programs; different: ' || (SELECT group_concat(program || ' ' || round(fewer) || ' %', ', ') FROM coal15_pair WHERE abs(fewer) >= 5)
FROM coal15_pair
UNION ALL
SELECT 'COAL15-GAUSS-ACC-15', fewer, 'its transpose stores down columns, as in AMD''s SDK; the rows of its blur leave nothing to combine' FROM coal15_pair WHERE program = 'recursivegaussian'
UNION ALL
SELECT 'COAL15-MT-ACC-75', fewer, 'from place to place by groups of 16 x 16, as in AMD''s SDK: stores down columns' FROM coal15_pair WHERE program = 'transpose-naive'
UNION ALL
SELECT 'COAL15-GAUSS-OPC-3.4', faster, 'its transpose stores down columns, as in AMD''s SDK; the rows of its blur leave nothing to combine; the thesis pairs 3.4 and 1.6 times with the programs by "respectively", which may be swapped' FROM coal15_pair WHERE program = 'recursivegaussian'
UNION ALL
SELECT 'COAL15-MT-OPC-1.6', faster, 'from place to place by groups of 16 x 16, as in AMD''s SDK: stores down columns; the thesis pairs 3.4 and 1.6 times with the programs by "respectively", which may be swapped' FROM coal15_pair WHERE program = 'transpose-naive';

CREATE VIEW figure AS
SELECT '3.5' AS figure, 'Cache accesses that coalescing saves over merging' AS title, '% of accesses' AS unit, '' AS axis,
    'Nine of twelve programs have about as many; RecursiveGaussian has some 15 % fewer, MatrixTranspose 75 %.' AS says
UNION ALL SELECT '3.6', 'OPC of coalescing over merging', 'times', '', 'RecursiveGaussian is 3.4 times as fast, MatrixTranspose 1.6 times.';

CREATE VIEW bar AS
SELECT '3.5' AS figure, program AS x, 'coalescing' AS series, fewer AS value,
    CASE program WHEN 'recursivegaussian' THEN 'COAL15-GAUSS-ACC-15' WHEN 'transpose-naive' THEN 'COAL15-MT-ACC-75' END AS claim FROM coal15_pair
UNION ALL SELECT '3.6', program, 'coalescing', faster, CASE program WHEN 'recursivegaussian' THEN 'COAL15-GAUSS-OPC-3.4' WHEN 'transpose-naive' THEN 'COAL15-MT-OPC-1.6' END FROM coal15_pair;
