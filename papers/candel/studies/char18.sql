-- about: Candel 2019, section 4.7: all components of the memory hierarchy, and each left out
-- sweeps: char18-all char18-mshr char18-merging char18-stores char18-memory
-- columns: cycles opc dram.utilization

CREATE VIEW char18_without AS
SELECT program, 'MSHR files' AS part, b.opc / a.opc AS ratio FROM char18_all a JOIN char18_mshr b USING (program)
UNION ALL SELECT program, 'coalescing', b.opc / a.opc FROM char18_all a JOIN char18_merging b USING (program)
UNION ALL SELECT program, 'stores that do not block', b.opc / a.opc FROM char18_all a JOIN char18_stores b USING (program)
UNION ALL SELECT program, 'memory', b.opc / a.opc FROM char18_all a JOIN char18_memory b USING (program);

CREATE VIEW char18_deviation AS SELECT program, part, max(ratio, 1 / ratio) AS times FROM char18_without;

CREATE VIEW claim AS
SELECT 'MSHR18-3X-ABS' AS id, max(times) AS value, program || ' without ' || part || '; largest without other parts: '
    || (SELECT group_concat(part || ' ' || round(t, 2), ', ') FROM (SELECT part, max(times) AS t FROM char18_deviation GROUP BY part)) AS note
FROM char18_deviation
UNION ALL
SELECT 'CHAR-3X', max(times), 'as MSHR18-3X-ABS: ' || program || ' without ' || part FROM char18_deviation;
