-- about: Chithra and Shashi Kumar 2021 (AGCB): loads that go round the L1 by prediction
-- sweeps: agcb agcb-start agcb-onmiss agcb-mix
-- columns: cycles l1.accesses l1.hits l1.misses l1.bypasses l1.mispredictions l2.reads

CREATE VIEW agcb_baseline AS SELECT program, cycles FROM agcb WHERE "l1.bypass" = 'none';

-- What the predictor gains over no bypass, in percent: means over the programs, by where its counters start and by
-- who is asked first: the tags, as in the flow chart, or the table, as in the report's code.
CREATE VIEW agcb_gain AS
SELECT "l1.agcb.initial" AS initial, "l1.agcb.lookup_first" AS first, 100 * (avg(b.cycles / s.cycles) - 1) AS mean,
    100 * (min(b.cycles / s.cycles) - 1) AS low, 100 * (max(b.cycles / s.cycles) - 1) AS high, count(*) AS n
FROM agcb_start s JOIN agcb_baseline b USING (program) GROUP BY initial, first;

-- Accesses that go round with lines taken at the miss against lines taken at the fill, in percent.
CREATE VIEW agcb_onmiss_more AS
SELECT m."l1.agcb.lookup_first" AS first, 100 * (sum(m."l1.bypasses") / sum(f."l1.bypasses") - 1) AS more
FROM agcb_onmiss m JOIN agcb_start f USING (program, "l1.agcb.lookup_first") WHERE f."l1.agcb.initial" = 15 GROUP BY first;

CREATE VIEW claim AS
SELECT CASE g.initial WHEN 0 THEN 'AGCB-INIT0-NOCHANGE' ELSE 'AGCB-NOSPEEDUP' END AS id, g.mean AS value,
    'flow chart, mean of ' || g.n || ' programs, ' || round(g.low, 1) || ' to ' || round(g.high, 1)
    || ' %; table asked first as in the code: ' || round(r.mean, 1) || ' %, ' || round(r.low, 1) || ' to '
    || round(r.high, 1) || ' %' AS note
FROM agcb_gain g JOIN agcb_gain r USING (initial) WHERE g.first = 'false' AND r.first = 'true'
UNION ALL
SELECT 'AGCB-ONMISS-FEWER', max(CASE first WHEN 'true' THEN more END), 'percent, all programs together, table asked first as in the report''s code; by the flow chart '
    || round(max(CASE first WHEN 'false' THEN more END), 1) || ' %. Here a line taken at the miss is given back when the data are not kept; the report''s hook (figure 12)'
    || ' stands at the fill, when its line is taken already, so that such data stay and are hit'
FROM agcb_onmiss_more
UNION ALL
SELECT 'AGCB-EXPECT', 100 * (p.cycles / n.cycles - 1), 'cycles in percent, a stream beside a table; hits of the L1: ' || round(100 * p."l1.hits" / p."l1.accesses", 1)
    || ' % of accesses, without bypass ' || round(100 * n."l1.hits" / n."l1.accesses", 1) || ' %'
FROM agcb_mix p, agcb_mix n WHERE p."l1.bypass" = 'agcb' AND n."l1.bypass" = 'none';
