-- about: what the papers say of the programs themselves: misses, accesses, hits (docs/results/classes.md has more)
-- scripts: classes-runs classes-traces

CREATE VIEW as_it_is AS
SELECT suite, machine, program, 1000 * "l2.misses" / lane_operations AS mpko, 1000 * "l1.accesses" / lane_operations AS apki,
       100 * "l1.read_hits" / "l1.reads" AS l1_hit
FROM classes_runs WHERE variant = 'base';

CREATE VIEW claim AS
WITH c1 (program) AS (VALUES ('invertedindex'), ('pageview'), ('similarity'), ('kmeans'), ('mm'), ('bfs'), ('stringmatch'))
SELECT 'VWS-C1-APKI-10' AS id, min(apki) AS value, 'least of C1: ' || program || '; of C2 below 10: '
    || (SELECT sum(apki < 10) || ' of ' || count(*) FROM as_it_is WHERE suite = 'vws' AND program NOT IN (SELECT program FROM c1)) AS note
FROM as_it_is WHERE suite = 'vws' AND program IN (SELECT program FROM c1)
UNION ALL
SELECT 'FRC18-MPKO-ZERO', max(mpko), 'larger of two: ' || program FROM as_it_is
WHERE machine = 'hd7770-europar18' AND program IN ('binomial', 'urng')
UNION ALL
SELECT 'FRC18-MPKO-LT1.5', max(mpko), 'largest of four: ' || program || '; stores that miss included' FROM as_it_is
WHERE machine = 'hd7770-europar18' AND program IN ('blackscholes', 'dct', 'quasirandom', 'sobel')
UNION ALL
SELECT 'FRC-RX540-MPKO-LT1-GAIN', max(mpko), 'largest of four: ' || program || '; stores that miss included' FROM as_it_is
WHERE suite = 'frc' AND machine = 'rx540' AND program IN ('dct', 'quasirandom', 'mersenne', 'sobel')
UNION ALL
SELECT 'COH-EIGEN-L1HIT', l1_hit, machine || '; one warp per SM, each launch begins with an empty L1' FROM as_it_is
WHERE suite = 'coh' AND program = 'eigenvalue'
UNION ALL
SELECT 'AGCB-BFS-MOSTINT', (SELECT program FROM classes_traces WHERE suite = 'agcb' ORDER BY lines128 DESC LIMIT 1) = 'bfs',
    'lines accessed in all launches at the sizes of suite agcb';
