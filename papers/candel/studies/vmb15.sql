-- about: Candel 2019, sections 3.5.3, 3.6.3: time in which the vector memory buffer is full
-- sweeps: vmb15
-- columns: cycles opc vmb.blocked

-- Released in program order, as there: stores that do not block against stores that do.
CREATE VIEW vmb15_full AS
SELECT program, a."vmb.blocked" AS blocking, b."vmb.blocked" AS free FROM vmb15 a JOIN vmb15 b USING (program)
WHERE a."sm.vmb_release" = 'in_order' AND b."sm.vmb_release" = 'in_order'
    AND a."sm.nonblocking_stores" = 'false' AND b."sm.nonblocking_stores" = 'true';

CREATE VIEW claim AS
SELECT 'NBS15-VMB-BLOCKED' AS id, sum(free > blocking) - sum(free < blocking) AS value,
    'programs with a longer time less those with a shorter; longer: ' || sum(free > blocking) || ' of ' || count(*)
    || ', mean share ' || round(100 * avg(blocking), 1) || ' % with stores that block, ' || round(100 * avg(free), 1) || ' % without' AS note
FROM vmb15_full;

CREATE VIEW figure AS
SELECT '3.7' AS figure, 'Time in which the vector memory buffer is full' AS title, '% of the cycles' AS unit, '' AS axis,
    'In most programs it is full for longer when stores do not block.' AS says;

CREATE VIEW bar AS
SELECT '3.7' AS figure, program AS x, 'stores block' AS series, 100 * blocking AS value, NULL AS claim FROM vmb15_full
UNION ALL SELECT '3.7', program, 'stores do not block', 100 * free, NULL FROM vmb15_full;
