-- about: Candel 2019, section 4.6.3: coalescing against merging in the L1's queue
-- sweeps: coal18 coal18-bytes
-- columns: cycles opc l1.accesses l1.reads l1.joined l1.accesses_per_request

-- The coalescer's accesses and performance against those of merging alone; of the two transposes that which the claims
-- on MatrixTranspose are about.
CREATE VIEW coal18_pair AS
SELECT program, a."l1.accesses" AS merged, b."l1.accesses" AS coalesced,
    100 * (1 - b."l1.accesses" / a."l1.accesses") AS fewer, b.opc / a.opc AS faster
FROM coal18 a JOIN coal18 b USING (program)
WHERE a."sm.coalesce_loads" = 'false' AND a."sm.coalesce_stores" = 'false'
    AND b."sm.coalesce_loads" = 'true' AND b."sm.coalesce_stores" = 'true' AND program <> 'transpose';

CREATE VIEW claim AS
SELECT 'COAL18-SIMILAR-9OF12' AS id, 12.0 * sum(abs(fewer) < 5) / count(*) AS value,
    sum(abs(fewer) < 5) || ' of ' || count(*) || ' programs; different: ' || (SELECT group_concat(program || ' ' || round(fewer) || ' %', ', ') FROM coal18_pair WHERE abs(fewer) >= 5) AS note
FROM coal18_pair
UNION ALL
SELECT 'COAL18-RGAUSS-15', fewer, 'its transpose stores down columns, as in AMD''s SDK; the rows of its blur leave nothing to combine' FROM coal18_pair WHERE program = 'recursivegaussian'
UNION ALL
SELECT 'COAL18-MT-75', fewer, 'from place to place by groups of 16 x 16, as in AMD''s SDK: stores down columns' FROM coal18_pair WHERE program = 'transpose-naive'
UNION ALL
SELECT 'COAL18-RGAUSS-3.4X', faster, 'its transpose stores down columns, as in AMD''s SDK; the rows of its blur leave nothing to combine; the thesis pairs 3.4 and 1.6 times with the programs by "respectively", which may be swapped' FROM coal18_pair WHERE program = 'recursivegaussian'
UNION ALL
SELECT 'COAL18-MT-1.6X', faster, 'from place to place by groups of 16 x 16, as in AMD''s SDK: stores down columns; the thesis pairs 3.4 and 1.6 times with the programs by "respectively", which may be swapped' FROM coal18_pair WHERE program = 'transpose-naive'
UNION ALL
SELECT 'COAL18-MAX4', a."l1.reads", 'one load of 64 bytes in a row; coalesced: ' || CAST(b."l1.reads" AS INT)
FROM coal18_bytes a JOIN coal18_bytes b WHERE a."sm.coalesce_loads" = 'false' AND b."sm.coalesce_loads" = 'true';

CREATE VIEW figure AS
SELECT '4.6' AS figure, 'Cache accesses that coalescing saves over merging' AS title, '% of accesses' AS unit, '' AS axis,
    'Nine of twelve programs have about as many; RecursiveGaussian has some 15 % fewer, MatrixTranspose 75 %.' AS says
UNION ALL SELECT '4.7', 'OPC of coalescing over merging', 'times', '', 'RecursiveGaussian is 3.4 times as fast, MatrixTranspose 1.6 times.';

CREATE VIEW bar AS
SELECT '4.6' AS figure, program AS x, 'coalescing' AS series, fewer AS value,
    CASE program WHEN 'recursivegaussian' THEN 'COAL18-RGAUSS-15' WHEN 'transpose-naive' THEN 'COAL18-MT-75' END AS claim FROM coal18_pair
UNION ALL SELECT '4.7', program, 'coalescing', faster, CASE program WHEN 'recursivegaussian' THEN 'COAL18-RGAUSS-3.4X' WHEN 'transpose-naive' THEN 'COAL18-MT-1.6X' END FROM coal18_pair;
