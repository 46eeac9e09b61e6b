-- about: Candel 2019, sections 6.6.3, 6.6.4 and 6.6.6: the FRC on RX570 and Vega64, energy; inputs beyond their L2s
-- sweeps: frc-rx570-large frc-vega64-large frc-rx540
-- columns: cycles opc l2.mpko l2.hit_rate l2.frc_share l2.line_waits l2.set_in_transition l2.miss_latency.eviction l2.miss_latency.memory l2.miss_latency.total l2.bytes_from_memory_per_cycle l2.bytes_to_memory_per_cycle dram.utilization warp_cycles.memory warp_cycles.compute l2.misses l2.nacks energy_mj.l2_memory energy_mj.l2_dynamic energy_mj.l2_static energy_mj.frc_static energy_mj.dram_dynamic l2.miss_latency.invalidation

-- Each configuration against the conventional L2 of the card's own size.
CREATE VIEW gain AS
SELECT a.program, replace(a.program, '-large', '') AS plain, a."l2.frc.entries" AS entries, a."l2.ways" AS ways, a."l2.bank_kb" AS kb, a."l2.vc.entries" AS vc,
    100 * (a.opc / b.opc - 1) AS opc, 100 * (1 - a."l2.mpko" / b."l2.mpko") AS fewer_misses, a.opc AS at_all, a."l2.mpko" AS mpko,
    100 * a."l2.miss_latency.total" / b."l2.miss_latency.total" AS latency,
    100 * (1 - (a."l2.misses" + a."l2.nacks") / (b."l2.misses" + b."l2.nacks")) AS fewer_tries,
    a."energy_mj.l2_memory" AS energy, b."energy_mj.l2_memory" AS base_energy,
    a."energy_mj.dram_dynamic" / b."energy_mj.dram_dynamic" AS dram, a."energy_mj.l2_static" / b."energy_mj.l2_static" AS static,
    a."energy_mj.dram_dynamic" / a."energy_mj.l2_memory" AS dram_share,
    a."energy_mj.l2_static" + coalesce(a."energy_mj.frc_static", 0) > a."energy_mj.l2_dynamic" AS static_rules
FROM frc_rx570_large a JOIN frc_rx570_large b USING (program)
WHERE b."l2.frc.entries" = 0 AND b."l2.ways" = 32 AND b."l2.bank_kb" = 256 AND b."l2.vc.entries" = 0;

CREATE VIEW vega AS
SELECT a.program, replace(a.program, '-large', '') AS plain, a."l2.frc.entries" AS entries, a."l2.ways" AS ways, a."l2.bank_kb" AS kb, a."l2.vc.entries" AS vc,
    100 * (a.opc / b.opc - 1) AS opc, 100 * (1 - a."l2.mpko" / b."l2.mpko") AS fewer_misses, a.opc AS at_all, a."l2.mpko" AS mpko,
    100 * a."l2.miss_latency.total" / b."l2.miss_latency.total" AS latency,
    100 * (1 - (a."l2.misses" + a."l2.nacks") / (b."l2.misses" + b."l2.nacks")) AS fewer_tries,
    a."energy_mj.l2_memory" AS energy, b."energy_mj.l2_memory" AS base_energy,
    a."energy_mj.dram_dynamic" / b."energy_mj.dram_dynamic" AS dram, a."energy_mj.l2_static" / b."energy_mj.l2_static" AS static,
    a."energy_mj.dram_dynamic" / a."energy_mj.l2_memory" AS dram_share,
    a."energy_mj.l2_static" + coalesce(a."energy_mj.frc_static", 0) > a."energy_mj.l2_dynamic" AS static_rules
FROM frc_vega64_large a JOIN frc_vega64_large b USING (program)
WHERE b."l2.frc.entries" = 0 AND b."l2.ways" = 32 AND b."l2.bank_kb" = 256 AND b."l2.vc.entries" = 0;

CREATE VIEW frc AS SELECT * FROM gain WHERE ways = 32 AND kb = 256;
CREATE VIEW frc_mean AS
SELECT entries, avg(opc) AS opc, avg(fewer_misses) AS fewer_misses, avg(fewer_tries) AS fewer_tries, avg(100 * (1 - energy / base_energy)) AS saved FROM frc GROUP BY entries;
CREATE VIEW vega_mean AS SELECT entries, ways, kb, avg(opc) AS opc FROM vega GROUP BY entries, ways, kb, vc;
CREATE VIEW best AS SELECT program, max(opc) AS opc FROM frc GROUP BY program;
CREATE VIEW larger AS SELECT kb, avg(opc) AS opc FROM gain WHERE entries = 0 AND kb > 256 GROUP BY kb;
CREATE VIEW against_larger AS
SELECT a.program, a.entries, b.kb, a.energy / b.energy AS energy FROM frc a JOIN gain b USING (program) WHERE a.entries > 0 AND b.entries = 0 AND b.kb > 256;
-- The RX540 with the inputs of its own size, the same programs.
CREATE VIEW small AS
SELECT program AS plain, "l2.frc.entries" AS entries, "l2.ways" AS ways, "l2.bank_kb" AS kb, "l2.vc.entries" AS vc, opc AS at_all, "l2.mpko" AS mpko
FROM frc_rx540;
CREATE VIEW side AS SELECT g.*, s.at_all AS small_opc, s.mpko AS small_mpko FROM gain g JOIN small s USING (plain, entries, ways, kb, vc);
CREATE VIEW small_512 AS
SELECT plain, 100 * (a.at_all / b.at_all - 1) AS opc FROM small a JOIN small b USING (plain)
WHERE a.entries = 512 AND b.entries = 0 AND b.ways = 32 AND b.kb = 256 AND a.ways = 32 AND a.vc = 0 AND b.vc = 0;
CREATE VIEW small_gain AS SELECT avg(opc) AS opc FROM small_512 WHERE plain IN (SELECT plain FROM gain);
CREATE VIEW every_small_gain AS SELECT avg(opc) AS opc FROM small_512;

CREATE VIEW claim AS
SELECT 'FRC-RX570-OPC-AVG-4' AS id, opc AS value, 'mean of 11 programs of suite frc-large on rx570-tc19' AS note FROM frc_mean WHERE entries = 4
UNION ALL SELECT 'FRC-RX570-OPC-AVG-512', opc, 'mean of 11 programs' FROM frc_mean WHERE entries = 512
UNION ALL SELECT 'FRC-RX570-OPC-L2X2', opc, 'mean of 11 programs' FROM larger WHERE kb = 512
UNION ALL SELECT 'FRC-RX570-OPC-L2X4', opc, 'mean of 11 programs: 8 MB hold most of their data' FROM larger WHERE kb = 1024
UNION ALL SELECT 'FRC-RX570-OPC-FA-LT10', max(opc), 'the larger of FA and FA+VC, mean of 11 programs' FROM (SELECT avg(opc) AS opc FROM gain WHERE ways = 4096 GROUP BY vc)
UNION ALL SELECT 'FRC-RX570-OPC-RANGE-LOW', max(opc), 'first quartile of the programs'' best gains'
    FROM (SELECT opc, row_number() OVER (ORDER BY opc) AS place, count(*) OVER () AS n FROM best) WHERE place <= (n + 3) / 4
UNION ALL SELECT 'FRC-RX570-OPC-RANGE-HIGH', max(opc), program FROM best
UNION ALL SELECT 'FRC-RX570-SCALE', min(opc > small) AND (SELECT opc FROM frc_mean WHERE entries = 512) > (SELECT opc FROM small_gain),
    'inputs four times as large; least ratio of mean OPC ' || round(min(opc / small), 2) || '; gain of 512 entries on the RX540 with these programs ' || (SELECT round(opc, 1) FROM small_gain) || ' %'
    FROM (SELECT avg(at_all) AS opc, avg(small_opc) AS small FROM side GROUP BY entries, ways, kb, vc)
UNION ALL SELECT 'FRC-RX570-MPKO-11OF16', 16.0 * sum(mpko > small_mpko) / count(*), sum(mpko > small_mpko) || ' of ' || count(*) || ' programs, whose inputs are four times as large' FROM side WHERE entries = 0 AND ways = 32 AND kb = 256
UNION ALL SELECT 'FRC-RX570-MPKO-4', fewer_misses, 'victims that stay longer are hardly used again; counting requests that are sent back as often as they miss: ' || round(fewer_tries) || ' %' FROM frc_mean WHERE entries = 4
UNION ALL SELECT 'FRC-RX570-MPKO-512', fewer_misses, 'victims that stay longer are hardly used again; counting requests that are sent back as often as they miss: ' || round(fewer_tries) || ' %' FROM frc_mean WHERE entries = 512
UNION ALL SELECT 'FRC-RX570-LAT-ZERO', max(latency), 'percent of the baseline''s latency with 512 entries, median program: what is left waits for the memory'
    FROM (SELECT latency, row_number() OVER (ORDER BY latency) AS place, count(*) OVER () AS n FROM frc WHERE entries = 512) WHERE place <= (n + 1) / 2
UNION ALL SELECT 'FRC-RX570-ENERGY-4', saved, 'L2, FRC and the memory''s dynamic energy, mean of 11 programs; accesses to memory do not fall, so that time alone saves' FROM frc_mean WHERE entries = 4
UNION ALL SELECT 'FRC-RX570-ENERGY-512', saved, 'L2, FRC and the memory''s dynamic energy, mean of 11 programs' FROM frc_mean WHERE entries = 512
UNION ALL SELECT 'FRC-RX570-ENERGY-VS2X-4', avg(100 * (1 - energy)), 'mean of 11 programs: the larger L2 saves accesses to the memory, the FRC does not' FROM against_larger WHERE entries = 4 AND kb = 512
UNION ALL SELECT 'FRC-RX570-ENERGY-VS2X-512', avg(100 * (1 - energy)), 'mean of 11 programs: the larger L2 saves accesses to the memory, the FRC does not' FROM against_larger WHERE entries = 512 AND kb = 512
UNION ALL SELECT 'FRC-RX570-ENERGY-STATICDOM', avg(static_rules) > 0.5, 'share of programs with 64 entries: ' || round(avg(static_rules), 2) FROM frc WHERE entries = 64
UNION ALL SELECT 'FRC-RX570-ENERGY-KM-PRK', 100 * dram, 'percent of the baseline''s memory energy, kmeans with 512 entries: its accesses stay' FROM frc WHERE entries = 512 AND plain = 'kmeans'
UNION ALL SELECT 'FRC-RX570-MM-FRACTION', 100 * max(dram_share), 'percent, median program, baseline'
    FROM (SELECT dram_share, row_number() OVER (ORDER BY dram_share) AS place, count(*) OVER () AS n FROM frc WHERE entries = 0) WHERE place <= (n + 1) / 2
UNION ALL SELECT 'FRC-RX570-ENERGY-MMRED', 100 * (max(dram) - 1), 'percent of the baseline''s, the larger of mersenne and reduction' FROM frc WHERE entries = 512 AND plain IN ('mersenne', 'reduction')
UNION ALL SELECT 'FRC-RX570-ENERGY-STATICLOW', 100 * (max(static) - 1), 'percent, the lesser saving of dwthaar and transpose' FROM frc WHERE entries = 512 AND plain IN ('dwthaar', 'transpose')
UNION ALL SELECT 'FRC-RX570-ENERGY-2DCONV', energy / base_energy, 'with 512 entries' FROM frc WHERE entries = 512 AND plain = 'conv2d'
UNION ALL SELECT 'FRC-RX570-ENERGY-NEVER-GT', 100 * (max(energy) - 1), 'percent, the largest: ' || program || ', ' || CAST(entries AS INT) || ' entries, ' || CAST(kb AS INT) || ' KB' FROM against_larger
UNION ALL SELECT 'FRC-VEGA64-OPC-AVG-4', opc, 'mean of 11 programs of suite frc-large' FROM vega_mean WHERE entries = 4
UNION ALL SELECT 'FRC-VEGA64-OPC-AVG-512', opc, 'mean of 11 programs of suite frc-large' FROM vega_mean WHERE entries = 512
UNION ALL SELECT 'FRC-VEGA64-OPC-L2X4', opc, 'mean of 11 programs' FROM vega_mean WHERE kb = 1024
UNION ALL SELECT 'FRC-VEGA64-GT-POLARIS', min(v.at_all > g.at_all), 'against the RX570 with the same inputs; least ratio: ' || round(min(v.at_all / g.at_all), 2)
    FROM vega v JOIN gain g USING (program, entries, ways, kb, vc) WHERE entries = 0 AND ways = 32 AND kb = 256
UNION ALL SELECT 'FRC-VEGA64-LT-POLARIS-GAIN', v.opc < (SELECT opc FROM small_gain) AND v.opc < f.opc,
    'with 512 entries: Vega64 ' || round(v.opc) || ', RX540 ' || (SELECT round(opc) FROM small_gain) || ', RX570 ' || round(f.opc) || ' %'
    FROM vega_mean v, frc_mean f WHERE v.entries = 512 AND f.entries = 512
UNION ALL SELECT 'FRC-THESIS-67', (s.opc + f.opc + v.opc) / 3,
    'mean of three cards with 512 entries: RX540 ' || round(s.opc, 1) || ' (20 programs), RX570 ' || round(f.opc, 1) || ', Vega64 ' || round(v.opc, 1) || ' % (11)'
    FROM vega_mean v, frc_mean f, every_small_gain s WHERE v.entries = 512 AND f.entries = 512;

CREATE VIEW unmet AS
SELECT 'FRC-RX570-ENERGY-2DCONV' AS id, 'mersenne takes ' || round(energy / base_energy, 2) || ' of the baseline''s' AS why
FROM frc WHERE entries = 512 AND plain = 'mersenne' AND energy >= base_energy
UNION ALL SELECT 'FRC-VEGA64-OPC-AVG-512', 'RX540 ' || round((SELECT opc FROM small_gain), 1) || ', RX570 ' || round(f.opc, 1) || ' %'
FROM vega_mean v, frc_mean f WHERE v.entries = 512 AND f.entries = 512
    AND NOT (v.opc < (SELECT opc FROM small_gain) AND (SELECT opc FROM small_gain) < f.opc)
UNION ALL SELECT 'FRC-RX570-OPC-AVG-512', 'RX540 ' || round((SELECT opc FROM small_gain), 1) || ' %'
FROM frc_mean f WHERE f.entries = 512 AND f.opc <= (SELECT opc FROM small_gain);

CREATE VIEW named AS SELECT *, CASE WHEN entries > 0 THEN '+' || CAST(entries AS INT) || 'e' WHEN kb = 1024 THEN '4 x L2' WHEN kb = 512 THEN '2 x L2' WHEN vc > 0 THEN 'FA+VC' WHEN ways > 32 THEN 'FA' ELSE 'L2' END AS series FROM gain
ORDER BY (SELECT min(t.rowid) FROM frc_rx570_large t WHERE t.program = gain.program), series <> 'L2', entries = 0, entries, ways, vc, kb;
CREATE VIEW named_vega AS SELECT *, CASE WHEN entries > 0 THEN '+' || CAST(entries AS INT) || 'e' WHEN kb = 1024 THEN '4 x L2' WHEN kb = 512 THEN '2 x L2' WHEN vc > 0 THEN 'FA+VC' WHEN ways > 32 THEN 'FA' ELSE 'L2' END AS series FROM vega
ORDER BY (SELECT min(t.rowid) FROM frc_vega64_large t WHERE t.program = vega.program), series <> 'L2', entries = 0, entries, ways, vc, kb;

CREATE VIEW figure AS
SELECT '6.10' AS figure, 'OPC that FRCs, associativity and larger L2s gain on the RX570' AS title, '% of OPC' AS unit, '' AS axis,
    'FRCs of 4 and of 512 entries gain 32 and 118 % in the mean, L2s of two and four times the size 22 and 50 %, full associativity less than 10 %; most programs gain 40 to 300 %.' AS says
UNION ALL SELECT '6.11', 'Misses per thousand operations that are saved on the RX570', '% of MPKO', '', 'FRCs of 4 and of 512 entries save 20 and 48 % in the mean.'
UNION ALL SELECT '6.12', 'Latency of L2 misses on the RX570, without the memory''s own', '% of the L2 without an FRC', '', 'In most programs the FRC brings it close to zero.'
UNION ALL SELECT '6.13', 'Energy of L2 and memory that is saved on the RX570', '% of the energy', '',
    'FRCs of 4 and of 512 entries save 49 and 57 % in the mean, and 62 and 67 % beside an L2 of twice the size.'
UNION ALL SELECT '6.15', 'OPC that FRCs, associativity and larger L2s gain on the Vega64', '% of OPC', '',
    'FRCs of 4 and of 512 entries gain 16 and 54 % in the mean, and so much gains an L2 of four times the size.';

CREATE VIEW bar AS
SELECT '6.10' AS figure, plain AS x, series, opc AS value, NULL AS claim FROM named WHERE entries IN (4, 16, 64, 512) OR entries = 0 AND series <> 'L2'
UNION ALL VALUES ('6.10', 'mean', '+4e', NULL, 'FRC-RX570-OPC-AVG-4'), ('6.10', 'mean', '+512e', NULL, 'FRC-RX570-OPC-AVG-512'), ('6.10', 'mean', '2 x L2', NULL, 'FRC-RX570-OPC-L2X2'),
    ('6.10', 'mean', '4 x L2', NULL, 'FRC-RX570-OPC-L2X4'), ('6.10', 'mean, FA or FA+VC', 'FA+VC', NULL, 'FRC-RX570-OPC-FA-LT10'),
    ('6.10', 'first quartile', '+512e', NULL, 'FRC-RX570-OPC-RANGE-LOW'), ('6.10', 'largest', '+512e', NULL, 'FRC-RX570-OPC-RANGE-HIGH')
UNION ALL SELECT '6.11', plain, series, fewer_misses, NULL FROM named WHERE entries IN (4, 64, 512) OR entries = 0 AND series <> 'L2'
UNION ALL VALUES ('6.11', 'mean', '+4e', NULL, 'FRC-RX570-MPKO-4'), ('6.11', 'mean', '+512e', NULL, 'FRC-RX570-MPKO-512')
UNION ALL SELECT '6.12', plain, series, latency, NULL FROM named WHERE entries IN (4, 64, 512) OR kb > 256
UNION ALL SELECT '6.12', 'median', '+512e', NULL, 'FRC-RX570-LAT-ZERO'
UNION ALL SELECT '6.13', plain, series, 100 * (1 - energy / base_energy), NULL FROM named WHERE entries IN (4, 64, 512)
UNION ALL VALUES ('6.13', 'mean', '+4e', NULL, 'FRC-RX570-ENERGY-4'), ('6.13', 'mean', '+512e', NULL, 'FRC-RX570-ENERGY-512'),
    ('6.13', 'mean over 2 x L2', '+4e', NULL, 'FRC-RX570-ENERGY-VS2X-4'), ('6.13', 'mean over 2 x L2', '+512e', NULL, 'FRC-RX570-ENERGY-VS2X-512')
UNION ALL SELECT '6.15', plain, series, opc, NULL FROM named_vega WHERE entries IN (4, 16, 64, 512) OR entries = 0 AND series <> 'L2'
UNION ALL VALUES ('6.15', 'mean', '+4e', NULL, 'FRC-VEGA64-OPC-AVG-4'), ('6.15', 'mean', '+512e', NULL, 'FRC-VEGA64-OPC-AVG-512'), ('6.15', 'mean', '4 x L2', NULL, 'FRC-VEGA64-OPC-L2X4');
