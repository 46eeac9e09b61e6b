-- about: Candel 2019, section 4.6.2: controllers, channels in lockstep, page policy, memory modelled at all
-- sweeps: mc18-banks mc18-fixed mc18-lockstep
-- columns: cycles opc dram.row_hit_rate dram.utilization

-- OPC relative to the machine whose memory has a fixed latency and no limit of bandwidth.
CREATE VIEW memory AS
SELECT program, a."dram.channels" AS channels, a."dram.page_policy" AS page, a.opc / b.opc AS relative
FROM mc18_banks a JOIN mc18_fixed b USING (program);

CREATE VIEW pages AS
SELECT channels, program, a.relative / b.relative AS ratio FROM memory a JOIN memory b USING (program, channels)
WHERE a.page = 'open' AND b.page = 'closed';

-- Mean over the programs, and what each channel added since the last number of them brings.
CREATE VIEW growth AS
SELECT channels, avg(relative) AS mean,
    (avg(relative) - lag(avg(relative)) OVER (ORDER BY channels)) / (channels - lag(channels) OVER (ORDER BY channels)) AS step
FROM memory WHERE page = 'open' GROUP BY channels;

-- xMC-yPC: performance of a shape relative to another one of the same bandwidth.
CREATE VIEW shape AS
SELECT program, "dram.channels" || 'MC-' || "dram.lockstep" || 'PC' AS name, opc FROM mc18_lockstep;
CREATE VIEW bound AS
SELECT program, a.name AS wide, b.name AS apart, a.opc / b.opc AS ratio
FROM shape a JOIN shape b USING (program)
WHERE (a.name, b.name) IN (VALUES ('1.0MC-2.0PC', '2.0MC-1.0PC'), ('2.0MC-2.0PC', '4.0MC-1.0PC'));

CREATE VIEW claim AS
SELECT 'MC18-OPEN-GT-CLOSED' AS id, 100 * (avg(ratio) - 1) AS value,
    'faster by an open page in ' || sum(ratio > 1) || ' of ' || count(*) || ' cases' AS note
FROM pages
UNION ALL
SELECT 'MC18-SIMPLECONV-FLAT', 100 * (relative - 1), 'four channels; the next program: ' ||
    (SELECT round(100 * (max(relative) - 1), 1) || ' %' FROM memory WHERE channels = 4 AND page = 'open' AND program <> 'convolution')
FROM memory WHERE program = 'convolution' AND channels = 4 AND page = 'open'
UNION ALL
SELECT 'MC18-4CH-ENOUGH', coalesce(min(a.channels), 8), 'least number that twice as many better by less than 5 % in most programs; 8: none of 1, 2, 4; channels of 12 GB/s limit most programs'
FROM (SELECT a.channels, avg(b.relative / a.relative < 1.05) AS share FROM memory a JOIN memory b USING (program, page)
      WHERE page = 'open' AND b.channels = 2 * a.channels GROUP BY a.channels) a WHERE share > 0.5
UNION ALL
SELECT 'MC18-MORE-HELPS', (SELECT min(step) >= 0 FROM growth WHERE channels <= 4)
    AND (SELECT step FROM growth WHERE channels = 4) <= (SELECT step FROM growth WHERE channels = 2),
    'mean performance of the baseline: ' || (SELECT group_concat(round(mean, 2), ', ') FROM growth) || ' with 1, 2, 4, 8 channels: concave in channels, each doubling brings as much'
UNION ALL
SELECT 'MC18-1MC-STRANGLE', 100 * (min(relative) - 1), program || ' with one channel' FROM memory
WHERE channels = 1 AND page = 'open'
UNION ALL
SELECT CASE wide WHEN '1.0MC-2.0PC' THEN 'MC18-1MC2PC-EQ-2MC1PC' ELSE 'MC18-2MC2PC-EQ-4MC1PC' END, avg(ratio),
    'of ' || count(*) || ' programs ' || sum(ratio BETWEEN 0.95 AND 1.05) || ' within 5 %; least ' ||
    (SELECT program FROM bound l WHERE l.wide = o.wide ORDER BY ratio LIMIT 1) || ' ' || round(min(ratio), 2) || ', most ' ||
    (SELECT program FROM bound l WHERE l.wide = o.wide ORDER BY ratio DESC LIMIT 1) || ' ' || round(max(ratio), 2)
FROM bound o GROUP BY wide;

CREATE VIEW unmet AS
SELECT CASE wide WHEN '1.0MC-2.0PC' THEN 'MC18-1MC2PC-EQ-2MC1PC' ELSE 'MC18-2MC2PC-EQ-4MC1PC' END AS id,
    'not each program is within 5 %' AS why
FROM bound GROUP BY wide HAVING min(ratio) < 0.95 OR max(ratio) > 1.05;

CREATE VIEW figure AS
SELECT '4.5a' AS figure, 'OPC with controllers and channels, of a memory of fixed latency' AS title, 'ratio' AS unit, '' AS axis,
    'One controller can strangle performance, each more brings less, four channels are enough, and only SimpleConvolution hardly cares.' AS says
UNION ALL SELECT '4.5b', 'OPC of channels in lockstep over channels apart', 'ratio', '', 'Two channels of one controller perform as two controllers do.';

CREATE VIEW bar AS
SELECT '4.5a' AS figure, program AS x, CAST(channels AS INT) || 'MC-1PC, ' || page AS series, relative AS value, NULL AS claim FROM memory WHERE channels <= 4
UNION ALL SELECT '4.5b', program, replace(wide || ' over ' || apart, '.0', ''), ratio, NULL FROM bound
UNION ALL VALUES ('4.5b', 'mean', '1MC-2PC over 2MC-1PC', NULL, 'MC18-1MC2PC-EQ-2MC1PC'), ('4.5b', 'mean', '2MC-2PC over 4MC-1PC', NULL, 'MC18-2MC2PC-EQ-4MC1PC');
