-- about: Khairy 2018 on two models of the TITAN V: bandwidth of STREAM, sparse accesses, the L1's refusals
-- sweeps: khairy-stream-titanv khairy-stream-titanv-gpgpusim3 khairy-sparse-titanv khairy-sparse-titanv-gpgpusim3
-- columns: cycles dram.bandwidth_gbps dram.utilization dram.row_hit_rate l1.reads l1.hit_rate l2.reads l2.writes l2.bytes_from_memory l1.fails_per_kilocycle.mshr l1.fails_per_kilocycle.merge l1.fails_per_kilocycle.line l1.fails_per_kilocycle.queue

-- Both models have 652.8 GB/s.
CREATE VIEW stream AS
SELECT 'new' AS model, program, "sm.count" AS sms, "l1.enabled" AS l1, 100 * "dram.bandwidth_gbps" / 652.8 AS share
FROM khairy_stream_titanv
UNION ALL
SELECT 'old', program, "sm.count", "l1.enabled", 100 * "dram.bandwidth_gbps" / 652.8 FROM khairy_stream_titanv_gpgpusim3;

CREATE VIEW fails AS
SELECT 'new' AS model, program,
       "l1.fails_per_kilocycle.mshr" + "l1.fails_per_kilocycle.merge" + "l1.fails_per_kilocycle.line" AS fails
FROM khairy_sparse_titanv
UNION ALL
SELECT 'old', program,
       "l1.fails_per_kilocycle.mshr" + "l1.fails_per_kilocycle.merge" + "l1.fails_per_kilocycle.line"
FROM khairy_sparse_titanv_gpgpusim3;

-- Change of the triad's bandwidth when the L1 is turned on.
CREATE VIEW turned_on AS
SELECT a.model, a.sms, 100 * (a.share / b.share - 1) AS change
FROM stream a JOIN stream b USING (model, program, sms) WHERE a.l1 = 'true' AND b.l1 = 'false' AND program = 'triad';

-- Does the triad's bandwidth rise with every doubling of the SMs?
CREATE VIEW rising AS
SELECT min(a.share < b.share) AS holds,
       'triad: ' || group_concat(CAST(round(a.share) AS INT) || ' % with ' || CAST(a.sms AS INT), ', ') AS note
FROM stream a JOIN stream b USING (model, program, l1)
WHERE model = 'new' AND program = 'triad' AND l1 = 'true' AND b.sms = 2 * a.sms;

CREATE VIEW claim AS
SELECT 'KH-STREAM-82' AS id, n.share AS value,
    'triad; copy ' || round(c.share, 1) || ' %, triad on the old model ' || round(o.share, 1) || ' % (with what its stores fetch)' AS note
FROM stream n JOIN stream c ON c.model = 'new' AND c.program = 'copy' AND c.sms = n.sms AND c.l1 = n.l1
    JOIN stream o ON o.model = 'old' AND o.program = 'triad' AND o.sms = n.sms AND o.l1 = n.l1
WHERE n.model = 'new' AND n.program = 'triad' AND n.sms = 80 AND n.l1 = 'true'
UNION ALL
SELECT 'KH-STREAM-75', holds, note || '; the SM counts of the paper cannot be meant literally' FROM rising
UNION ALL
SELECT 'KH-STREAM-68', holds, note || '; the SM counts of the paper cannot be meant literally' FROM rising
UNION ALL
SELECT 'KH-STREAML1-NOEFFECT', change, 'largest of 10 to 80 SMs: nothing is used twice, no L1 runs out of MSHRs'
FROM (SELECT change FROM turned_on WHERE model = 'new' ORDER BY abs(change) DESC LIMIT 1)
UNION ALL
SELECT 'KH-OLDL1-DROP', avg(change),
    'mean of ' || group_concat(CAST(round(change) AS INT) || ' % with ' || CAST(sms AS INT) || ' SMs', ', ')
    || '; with many SMs the MSHRs of the L2 [A] bind'
FROM turned_on WHERE model = 'old'
UNION ALL
SELECT 'KH-STREAML1-RESFAIL-0', max(n.fails),
    'most of four programs, over 80 L1s, for want of an MSHR or a line, which the paper names (waits for the way to the L2 do not count); the old model''s ' || group_concat(n.program || ' ' || CAST(round(o.fails) AS INT), ', ')
FROM fails n JOIN fails o USING (program) WHERE n.model = 'new' AND o.model = 'old';

CREATE VIEW figure AS
SELECT '14' AS figure, 'Reservation fails of the L1s' AS title, 'fails / 1000 cycles' AS unit, '' AS axis, 'The new L1 has none, the old one many.' AS says
UNION ALL SELECT '15', 'Bandwidth of STREAM''s triad', '% of the theoretical', '', 'Hardware and the new model reach 82 % with all SMs, L1 on or off; the old model falls far short with its L1 on.';

CREATE VIEW bar AS
SELECT '14' AS figure, program AS x, model || ' model' AS series, fails AS value, NULL AS claim FROM fails
UNION ALL SELECT '14', 'most', 'new model', NULL, 'KH-STREAML1-RESFAIL-0'
UNION ALL SELECT '15', CAST(sms AS INT) || ' SMs', series, share, claim FROM (
    SELECT sms, model || CASE l1 WHEN 'true' THEN ', L1 on' ELSE ', L1 off' END AS series, share, CASE WHEN model = 'new' AND l1 = 'true' AND sms = 80 THEN 'KH-STREAM-82' END AS claim
    FROM stream WHERE program = 'triad' ORDER BY sms DESC, model, l1);
