-- about: Mao 2016, 5.5.1: CCWS, OWL, TEMP, TBAS and BW-AWARE placement on the thesis's machine
-- sweeps: thread-batches
-- scripts: thread-batches-examples
-- columns: cycles warp_instructions l1.accesses l1.hit_rate l1.misses l2.misses dram.row_hit_rate dram.blp dram.latency dram.utilization dram.local_ratio noc.request_stall_cycles noc.reply_stall_cycles noc.reply_flits energy_mj.dram tlb.walk_free

-- A value of several programs is the geometric mean of their ratios to CCWS (gem5gpu-temp), or the arithmetic mean of their shares.

CREATE VIEW run AS
SELECT CASE machine WHEN 'gem5gpu-temp' THEN 'ccws' ELSE replace(machine, 'gem5gpu-temp-', '') END AS system, program,
    CASE WHEN program IN ('neuralnet', 'hotspot', 'sortingnetworks') THEN 'C2'
        WHEN program IN ('tpacf', 'stringmatch', 'lbm', 'cfd', 'libor') THEN 'C3' ELSE 'C1' END AS class,
    cycles, "l1.hit_rate" AS l1_hits, "l1.misses" AS l1_misses, "dram.row_hit_rate" AS row_hits, "dram.blp" AS blp, "dram.latency" AS delay,
    "dram.utilization" AS busy, "dram.local_ratio" AS local, "noc.reply_stall_cycles" + 1 AS stalls, "energy_mj.dram" AS energy,
    "tlb.walk_free" AS walk_free
FROM thread_batches;

-- Each system beside another, for all programs and for each class.
CREATE VIEW pair AS
SELECT n.system, o.system AS base, n.program, n.class, o.cycles / n.cycles AS speed, n.blp / o.blp AS blp, n.row_hits / o.row_hits AS row_hits,
    n.delay / o.delay AS delay, n.stalls / o.stalls AS stalls, n.energy / o.energy AS energy, n.l1_misses / o.l1_misses AS l1_misses,
    n.l1_hits - o.l1_hits AS l1_hits
FROM run n JOIN run o USING (program);
CREATE VIEW beside AS
WITH classed AS (SELECT * FROM pair UNION ALL SELECT system, base, program, 'all', speed, blp, row_hits, delay, stalls, energy, l1_misses, l1_hits FROM pair)
SELECT system, base, class, 100 * (exp(avg(ln(speed))) - 1) AS gain, 100 * (exp(avg(ln(blp))) - 1) AS blp,
    100 * (exp(avg(ln(row_hits))) - 1) AS row_hits, 100 * (1 - exp(avg(ln(delay)))) AS delay, 100 * (1 - exp(avg(ln(stalls)))) AS stalls,
    100 * (1 - exp(avg(ln(energy)))) AS energy, exp(avg(ln(l1_misses))) AS l1_misses, avg(l1_hits) AS l1_hits
FROM classed GROUP BY system, base, class;

-- What single programs gain, best and worst first.
CREATE VIEW placed AS
SELECT system, base, class, program || ' ' || round(100 * (speed - 1), 1) AS what,
    row_number() OVER (PARTITION BY system, base, class ORDER BY speed DESC) AS best, row_number() OVER (PARTITION BY system, base, class ORDER BY speed) AS worst
FROM (SELECT * FROM pair UNION ALL SELECT system, base, program, 'all', speed, blp, row_hits, delay, stalls, energy, l1_misses, l1_hits FROM pair);
CREATE VIEW ends AS
SELECT system, base, class, 'most ' || max(CASE best WHEN 1 THEN what END) || ', ' || max(CASE best WHEN 2 THEN what END) || '; least '
    || max(CASE worst WHEN 1 THEN what END) || ', ' || max(CASE worst WHEN 2 THEN what END) AS most
FROM placed GROUP BY system, base, class;

-- The memory under CCWS: rows that are open already, and how busy the buses are.
CREATE VIEW memory AS SELECT round(avg(row_hits), 2) AS hits, round(avg(busy), 2) AS busy, sum(busy < 0.2) AS idle, count(*) AS n FROM run WHERE system = 'ccws';
CREATE VIEW why AS SELECT 'under CCWS ' || hits || ' of the bursts find their row open, and ' || idle || ' of ' || n || ' programs use less than a fifth of the bandwidth; ' AS text FROM memory;

CREATE VIEW means AS
SELECT 'banks per channel in C1: ' || group_concat(system || ' ' || round(blp, 2), ', ') AS blp
FROM (SELECT system, avg(blp) AS blp FROM run WHERE class = 'C1' AND system IN ('ccws', 'owl', 'temp', 'tbas') GROUP BY system);

CREATE VIEW claim AS
WITH gains (id, system, base, class) AS (VALUES
    ('TEMP-TBAS-PERF-10.3', 'tbas', 'ccws', 'all'), ('TEMP-TBAS-PERF-9.3', 'tbas', 'ccws', 'all'), ('TEMP-PERF-5.7', 'temp', 'ccws', 'all'),
    ('TEMP-OWL-12.9', 'temp', 'owl', 'all'), ('TEMP-C2-M1', 'temp', 'ccws', 'C2'), ('TBAS-C2-2.4', 'tbas', 'ccws', 'C2'),
    ('TEMP-C3-M2.5', 'temp', 'ccws', 'C3'), ('TBAS-C3-2.3', 'tbas', 'ccws', 'C3'), ('TEMP-C1-11.1', 'temp', 'ccws', 'C1'),
    ('TEMP-C1-OWL-24', 'temp', 'owl', 'C1'), ('TBAS-C1-15', 'tbas', 'ccws', 'C1'), ('BWAWARE-5.1', 'bw', 'ccws', 'all'),
    ('BATCHBW-11.2', 'batchbw', 'ccws', 'all'))
SELECT id, gain AS value, CASE WHEN system IN ('bw', 'owl') THEN '' ELSE (SELECT text FROM why) END || most AS note
FROM gains JOIN beside USING (system, base, class) JOIN ends USING (system, base, class)
UNION ALL SELECT 'OWL-PERF-93.6', 100 + gain, most FROM beside JOIN ends USING (system, base, class) WHERE system = 'owl' AND base = 'ccws' AND class = 'all'
UNION ALL SELECT 'TEMP-C1-LOCAL-99', 100 * avg(local), 'cells next to each other belong to blocks of several SMs in stencil and cutcp, and the hash table of pageview to all; under CCWS ' || (SELECT round(100 * avg(local), 1) FROM run WHERE system = 'ccws' AND class = 'C1') || '; least '
    || (SELECT group_concat(program || ' ' || round(100 * local), ', ') FROM (SELECT program, local FROM run WHERE system = 'temp' AND class = 'C1' ORDER BY local LIMIT 3))
    FROM run WHERE system = 'temp' AND class = 'C1'
UNION ALL SELECT 'TEMP-C2-LOCAL-93', 100 * avg(local), group_concat(program || ' ' || round(100 * local), ', ') FROM run WHERE system = 'temp' AND class = 'C2'
UNION ALL SELECT 'TEMP-BLP-58.3', blp, (SELECT blp FROM means) FROM beside WHERE system = 'temp' AND base = 'ccws' AND class = 'C1'
UNION ALL SELECT 'TEMP-RBHR-17.8', row_hits, (SELECT text FROM why) || 'frames in the order of first touches put pages that blocks side by side access into one row' FROM beside WHERE system = 'temp' AND base = 'ccws' AND class = 'C1'
UNION ALL SELECT 'OWL-BLP-16.3', blp, (SELECT blp FROM means) FROM beside WHERE system = 'owl' AND base = 'ccws' AND class = 'C1'
UNION ALL SELECT 'OWL-RBHR-8.6', row_hits, (SELECT text FROM why) FROM beside WHERE system = 'owl' AND base = 'ccws' AND class = 'C1'
UNION ALL SELECT 'OWL-NET-33.6', -stalls, 'cycles in which replies wait at their slice, in C1 as the other figures of the paragraph; of all programs ' || (SELECT round(-stalls, 1) FROM beside WHERE system = 'owl' AND base = 'ccws' AND class = 'all') FROM beside WHERE system = 'owl' AND base = 'ccws' AND class = 'C1'
UNION ALL SELECT 'TEMP-DELAY-17.3', delay, (SELECT text FROM why) FROM beside WHERE system = 'temp' AND base = 'ccws' AND class = 'C1'
UNION ALL SELECT 'TBAS-BLP-M9.1', -blp, (SELECT blp FROM means) FROM beside WHERE system = 'tbas' AND base = 'temp' AND class = 'C1'
UNION ALL SELECT 'TBAS-RBHR-33.1', row_hits, (SELECT text FROM why) FROM beside WHERE system = 'tbas' AND base = 'temp' AND class = 'C1'
UNION ALL SELECT 'TBAS-DELAY-29.9', delay, (SELECT text FROM why) FROM beside WHERE system = 'tbas' AND base = 'ccws' AND class = 'C1'
UNION ALL SELECT 'TBAS-NET-18.7', stalls, 'cycles in which replies wait at their slice' FROM beside WHERE system = 'tbas' AND base = 'ccws' AND class = 'C1'
UNION ALL SELECT 'TEMP-ENERGY-11.2', energy, 'standby power over the time is most of it, and the time does not fall' FROM beside WHERE system = 'temp' AND base = 'ccws' AND class = 'all'
UNION ALL SELECT 'TBAS-ENERGY-20.7', energy, 'as TEMP-ENERGY-11.2' FROM beside WHERE system = 'tbas' AND base = 'ccws' AND class = 'all'
UNION ALL SELECT 'TBAS-ENERGY-11.3', energy, 'as TEMP-ENERGY-11.2' FROM beside WHERE system = 'tbas' AND base = 'ccws' AND class = 'all'
UNION ALL SELECT 'OWL-ENERGY-5.9', energy, 'as TEMP-ENERGY-11.2' FROM beside WHERE system = 'owl' AND base = 'ccws' AND class = 'all'
UNION ALL SELECT 'BATCHBW-ENERGY-14.2', energy, 'as TEMP-ENERGY-11.2' FROM beside WHERE system = 'batchbw' AND base = 'ccws' AND class = 'all'
UNION ALL SELECT 'TBAS-L1MISS-SAME', l1_misses, 'geometric mean of the programs' FROM beside WHERE system = 'tbas' AND base = 'ccws' AND class = 'all'
UNION ALL SELECT 'OWL-L1HIT-LOWER', 100 * l1_hits, 'points of the mean hit rate' FROM beside WHERE system = 'owl' AND base = 'ccws' AND class = 'all'
UNION ALL SELECT claim, value, CASE claim WHEN 'TEMP-EX-FIG32' THEN 'unit.gpu_page_table' ELSE 'on a kernel chosen among 30 for being strict at every step; beside ccws with gto instead of a running set of two warps the order of latencies does not hold (docs/models/scheduling.md)' END
    FROM thread_batches_examples;

-- Systems in the order of the figures, with the thesis's names.
CREATE VIEW named (system, place, name) AS VALUES ('owl', 1, 'OWL'), ('temp', 2, 'TEMP'), ('tbas', 3, 'TEMP+TBAS'), ('bw', 4, 'BW-AWARE'), ('batchbw', 5, 'Batching+BW');
CREATE VIEW first AS SELECT program, min(rowid) AS row FROM thread_batches GROUP BY program;
CREATE VIEW over_ccws AS
SELECT p.program, name, 100 * speed AS speed, 100 * energy AS energy FROM pair p JOIN named n USING (system) JOIN first f ON f.program = p.program WHERE base = 'ccws' ORDER BY class, row, place;
CREATE VIEW local_ratio AS
SELECT r.program, CASE system WHEN 'ccws' THEN 'CCWS' ELSE 'TEMP' END AS name, 100 * local AS percent FROM run r JOIN first f ON f.program = r.program WHERE system IN ('ccws', 'temp') ORDER BY class, row, system;

CREATE VIEW figure AS
SELECT '38' AS figure, 'Performance of schedulers and placements, of CCWS' AS title, '% of CCWS''s IPC' AS unit, '40' AS axis,
    'OWL reaches 93.6 %, TEMP gains 5.7 %, with TBAS 10.3 %, BW-AWARE 5.1 %, all together 11.2 %; C1 gains most.' AS says
UNION ALL SELECT '39', 'Accesses of an SM to the banks that are its own', '% of the accesses', '', 'Under TEMP more than 99 % in C1 and 93 % in C2.'
UNION ALL SELECT '40', 'DRAM and reply network', '%', '',
    'In C1 TEMP raises BLP by 58.3 and RBHR by 17.8 %, OWL by 16.3 and 8.6 %; the delay falls by 17.3 %, with TBAS by 29.9 %.'
UNION ALL SELECT '41', 'Energy of the DRAM, of CCWS', '% of CCWS''s energy', '', 'TEMP saves 11.2 %, with TBAS 20.7 % (abstract: 11.3 %), OWL 5.9 %, Batching+BW 14.2 %.';

CREATE VIEW bar AS
SELECT '38' AS figure, program AS x, name AS series, speed AS value, NULL AS claim FROM over_ccws
UNION ALL VALUES ('38', 'C1', 'TEMP', NULL, '100+TEMP-C1-11.1'), ('38', 'C1', 'TEMP+TBAS', NULL, '100+TBAS-C1-15'), ('38', 'C2', 'TEMP', NULL, '100+TEMP-C2-M1'), ('38', 'C2', 'TEMP+TBAS', NULL, '100+TBAS-C2-2.4'),
    ('38', 'C3', 'TEMP', NULL, '100+TEMP-C3-M2.5'), ('38', 'C3', 'TEMP+TBAS', NULL, '100+TBAS-C3-2.3'), ('38', 'all', 'OWL', NULL, 'OWL-PERF-93.6'), ('38', 'all', 'TEMP', NULL, '100+TEMP-PERF-5.7'),
    ('38', 'all', 'TEMP+TBAS', NULL, '100+TEMP-TBAS-PERF-10.3'), ('38', 'all', 'BW-AWARE', NULL, '100+BWAWARE-5.1'), ('38', 'all', 'Batching+BW', NULL, '100+BATCHBW-11.2')
UNION ALL SELECT '39', program, name, percent, NULL FROM local_ratio
UNION ALL VALUES ('39', 'C1', 'TEMP', NULL, 'TEMP-C1-LOCAL-99'), ('39', 'C2', 'TEMP', NULL, 'TEMP-C2-LOCAL-93'),
    ('40', 'BLP', 'OWL', NULL, 'OWL-BLP-16.3'), ('40', 'BLP', 'TEMP', NULL, 'TEMP-BLP-58.3'), ('40', 'RBHR', 'OWL', NULL, 'OWL-RBHR-8.6'), ('40', 'RBHR', 'TEMP', NULL, 'TEMP-RBHR-17.8'),
    ('40', 'RBHR over TEMP', 'TEMP+TBAS', NULL, 'TBAS-RBHR-33.1'), ('40', 'BLP less than TEMP', 'TEMP+TBAS', NULL, 'TBAS-BLP-M9.1'), ('40', 'delay saved', 'TEMP', NULL, 'TEMP-DELAY-17.3'),
    ('40', 'delay saved', 'TEMP+TBAS', NULL, 'TBAS-DELAY-29.9'), ('40', 'congestion added', 'OWL', NULL, 'OWL-NET-33.6'), ('40', 'congestion saved', 'TEMP+TBAS', NULL, 'TBAS-NET-18.7')
UNION ALL SELECT '41', program, name, energy, NULL FROM over_ccws WHERE name <> 'BW-AWARE'
UNION ALL VALUES ('41', 'all', 'OWL', NULL, '100-OWL-ENERGY-5.9'), ('41', 'all', 'TEMP', NULL, '100-TEMP-ENERGY-11.2'), ('41', 'all', 'TEMP+TBAS', NULL, '100-TBAS-ENERGY-20.7'),
    ('41', 'all', 'Batching+BW', NULL, '100-BATCHBW-ENERGY-14.2');
