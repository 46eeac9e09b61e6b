-- about: Candel 2019, section 3.6.1: files of MSHRs in the L1s, fixed memory
-- sweeps: mshr15
-- columns: cycles opc l1.accesses l1.hits l1.stall_cycles

-- OPC with a file of that many entries, of that without one.
CREATE VIEW limited AS
SELECT program, a."l1.mshr.entries" AS entries, a.opc / b.opc AS relative, b.opc AS unbounded
FROM mshr15 a JOIN mshr15 b USING (program) WHERE a."l1.mshr.entries" > 0 AND b."l1.mshr.entries" = 0;

CREATE VIEW claim AS
SELECT 'MSHR15-DEV-70' AS id, 100 * max(1 - relative) AS value, program || ', ' || CAST(entries AS INT) || ' entries' AS note
FROM limited
UNION ALL
SELECT 'MSHR15-3X', max(1 / relative), program || ', ' || CAST(entries AS INT) || ' entries' FROM limited WHERE unbounded < 200
UNION ALL
SELECT 'MSHR15-BLACKS-20', 100 * (1 - relative), 'OPC ' || round(unbounded) || ' without a file'
FROM limited WHERE program = 'blackscholes' AND entries = 4
UNION ALL
SELECT 'MSHR15-HIGHOPC-SMALL', 100 * (min(relative) - 1), 'worst of ' || count(*) || ' programs of OPC 200 and more: ' || program
    || ', whose warps load 16 lines at once (and more the shorter its run: warps begin in step); the next loses '
    || (SELECT round(100 * (1 - relative), 1) || ' % (' || program || ')' FROM limited WHERE unbounded >= 200 AND entries = 16 ORDER BY relative LIMIT 1 OFFSET 1)
FROM limited WHERE unbounded >= 200 AND entries = 16;

CREATE VIEW unmet AS
SELECT 'MSHR15-BLACKS-20' AS id, program || ' loses ' || round(100 * (1 - min(relative)), 1) || ' %' AS why FROM limited
WHERE entries = 4 AND unbounded >= 200 AND program <> 'blackscholes'
HAVING min(relative) <= (SELECT relative FROM limited WHERE program = 'blackscholes' AND entries = 4);

CREATE VIEW figure AS
SELECT '3.3' AS figure, 'OPC that a file of MSHRs costs, programs of OPC 200 and more' AS title, '% of OPC without a file' AS unit, '' AS axis,
    'Files of 8 or 16 entries hardly cost anything, and of 4 entries BlackScholes loses most, some 20 %.' AS says
UNION ALL SELECT '3.4', 'OPC that a file of MSHRs costs, programs of OPC below 200', '% of OPC without a file', '',
    'Without a file some programs are more than three times as fast; ignoring it is up to 70 % off.';

CREATE VIEW bar AS
SELECT CASE WHEN unbounded >= 200 THEN '3.3' ELSE '3.4' END AS figure, program AS x, CAST(entries AS INT) || ' MSHRs' AS series, 100 * (1 - relative) AS value,
    CASE WHEN program = 'blackscholes' AND entries = 4 THEN 'MSHR15-BLACKS-20' END AS claim FROM limited
UNION ALL SELECT '3.4', 'largest', '4 MSHRs', NULL, 'MSHR15-DEV-70';
