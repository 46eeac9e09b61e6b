-- about: Candel 2019, section 4.7: the part that changes the time of the HD 7870 most
-- scripts: val18

CREATE VIEW parts AS
SELECT program, l.part, max(l.cycles / w.cycles, w.cycles / l.cycles) AS times
FROM val18 l JOIN val18 w USING (program) WHERE w.part = 'none' AND l.part <> 'none';

CREATE VIEW claim AS
SELECT 'VAL18-SI-DOMINANT' AS id, min(protocol > others) AS value,
    group_concat(program || ': protocol ' || round(protocol, 3) || ', the largest other part ' || round(others, 3), '; ') AS note
FROM (SELECT program, max(CASE WHEN part = 'protocol' THEN times END) AS protocol,
    max(CASE WHEN part <> 'protocol' THEN times END) AS others FROM parts GROUP BY program);
