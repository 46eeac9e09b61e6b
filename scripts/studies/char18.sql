-- about: Candel 2019, section 4.7: all components of the memory hierarchy, and each left out
-- sweeps: char18-all char18-mshr char18-merging char18-stores char18-memory char18-protocol
-- columns: cycles opc dram.utilization

CREATE VIEW char18_without AS
SELECT program, 'MSHR files' AS part, b.opc / a.opc AS ratio FROM char18_all a JOIN char18_mshr b USING (program)
UNION ALL SELECT program, 'coalescing', b.opc / a.opc FROM char18_all a JOIN char18_merging b USING (program)
UNION ALL SELECT program, 'stores that do not block', b.opc / a.opc FROM char18_all a JOIN char18_stores b USING (program)
UNION ALL SELECT program, 'memory', b.opc / a.opc FROM char18_all a JOIN char18_memory b USING (program);

CREATE VIEW char18_deviation AS SELECT program, part, max(ratio, 1 / ratio) AS times FROM char18_without;

-- The protocol, of SI and NMOESI, against every other part, for the two programs that the section names.
CREATE VIEW char18_protocols AS
SELECT program, max(s.opc / n.opc, n.opc / s.opc) AS protocol,
    (SELECT max(times) FROM char18_deviation d WHERE d.program = s.program) AS others
FROM char18_protocol s JOIN char18_protocol n USING (program)
WHERE s."coherence.protocol" = 'si' AND n."coherence.protocol" = 'nmoesi' AND program IN ('mersenne', 'quasirandom');

CREATE VIEW claim AS
SELECT 'MSHR18-3X-ABS' AS id, max(times) AS value, program || ' without ' || part || '; largest without other parts: '
    || (SELECT group_concat(part || ' ' || round(t, 2), ', ') FROM (SELECT part, max(times) AS t FROM char18_deviation GROUP BY part)) AS note
FROM char18_deviation
UNION ALL
SELECT 'CHAR-3X', max(times), 'as MSHR18-3X-ABS: ' || program || ' without ' || part FROM char18_deviation
UNION ALL
SELECT 'VAL18-SI-DOMINANT', sum(protocol > others) = count(*),
    group_concat(program || ': protocol ' || round(protocol, 3) || ', the largest other part ' || round(others, 3), '; ')
FROM char18_protocols;
