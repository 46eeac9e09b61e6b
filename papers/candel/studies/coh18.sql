-- about: Candel 2019, section 4.6.4: SI against NMOESI
-- sweeps: coh18
-- scripts: coh18-stores
-- columns: cycles opc l1.accesses l1.misses l1.hits l2.nacks

CREATE VIEW pair AS
SELECT a.program, a.opc / b.opc AS faster, a."l1.misses" / b."l1.misses" AS misses FROM coh18 a JOIN coh18 b USING (program)
WHERE a."coherence.protocol" = 'si' AND b."coherence.protocol" = 'nmoesi';

-- A store's time under SI over that under NMOESI, in percent.
CREATE VIEW store AS
SELECT a.program, 100 * (a.latency / b.latency - 1) AS longer, row_number() OVER (ORDER BY a.latency / b.latency) AS place, count(*) OVER () AS n
FROM coh18_stores a JOIN coh18_stores b USING (program) WHERE a.protocol = 'si' AND b.protocol = 'nmoesi';

CREATE VIEW claim AS
SELECT 'COH18-SI-50-HALF' AS id, 100 * (max(faster) - 1) AS value, 'median of the programs' AS note
FROM (SELECT faster, row_number() OVER (ORDER BY faster) AS place, count(*) OVER () AS n FROM pair) WHERE place <= (n + 1) / 2
UNION ALL SELECT 'COH18-SI-2X-TWO', min(faster), 'the second largest; largest: ' || (SELECT program || ', ' || round(max(faster), 2) FROM pair)
FROM (SELECT faster FROM pair ORDER BY faster DESC LIMIT 2)
UNION ALL SELECT 'COH18-NMOESI-WINS-2', sum(faster < 0.95), coalesce(group_concat(CASE WHEN faster < 0.95 THEN program END, ', '), 'none')
    || '; least gain of SI: ' || (SELECT program || ' ' || round(min(faster), 2) FROM pair) || ': its L2 merges stores by masks and fetches nothing' FROM pair
UNION ALL SELECT 'COH18-SI-MORE-L1MISS', sum(misses > 1) - sum(misses < 1), 'programs with more less programs with fewer; of ' || count(*) FROM pair
UNION ALL SELECT 'COH18-WMISS-FASTER', max(longer), 'a store''s time under SI over NMOESI, percent, median of ' || n || ' programs (SI''s stores are all like misses); longer: '
    || (SELECT coalesce(group_concat(program || ' ' || round(longer) || ' %', ', '), 'in none') FROM store WHERE longer > 0)
    || '; least gain: ' || (SELECT program || ' ' || round(longer) || ' %' FROM store WHERE place = n)
FROM store WHERE place <= (n + 1) / 2;

CREATE VIEW figure AS
SELECT '4.8' AS figure, 'OPC that SI gains over NMOESI' AS title, '% of OPC' AS unit, '' AS axis,
    'SI gains 50 % in half of the programs, twice the performance in two; in two others NMOESI is the better one.' AS says;

CREATE VIEW bar AS
SELECT '4.8' AS figure, program AS x, 'SI' AS series, 100 * (faster - 1) AS value, NULL AS claim FROM pair
UNION ALL SELECT '4.8', 'median', 'SI', NULL, 'COH18-SI-50-HALF';
