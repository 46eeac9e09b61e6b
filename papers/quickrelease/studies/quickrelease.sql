-- about: QuickRelease (HPCA 2014): no L1, write-through, read for ownership and QuickRelease on its APU
-- sweeps: quickrelease quickrelease-l1 quickrelease-fifo quickrelease-sync quickrelease-scale quickrelease-directory
-- scripts: quickrelease-storage
-- columns: cycles l1.accesses l1.reads l1.read_hits l1.hits l1.merges l1.bypasses coherence.probes coherence.modified_hits coherence.directory_bytes coherence.recalls l3.reads l3.writes l3.bytes_in l3.bytes_out cpu.supplies dram.reads dram.writes

CREATE VIEW run AS
SELECT program, replace(replace(machine, 'apu-quickrelease-', ''), 'apu-quickrelease', 'qr') AS system, cycles,
    "dram.reads" AS dram_reads, "dram.writes" AS dram_writes, "dram.reads" + "dram.writes" AS dram,
    "l1.reads" AS reads, "l1.read_hits" AS read_hits, "l1.read_hits" / "l1.reads" AS reuse,
    -- bytes at an L1: a block and an address for each load that neither hits nor joins, an address for each probe
    72 * ("l1.reads" - "l1.read_hits" - "l1.merges") AS l1_data, 8 * coalesce("coherence.probes", 0) AS l1_probes,
    coalesce("coherence.modified_hits", 0) AS modified_hits,
    "l3.bytes_in" + "l3.bytes_out" + coalesce("coherence.directory_bytes", 0) AS directory_bytes
FROM quickrelease;

-- Each program's four systems in a row; gains are of times.
CREATE VIEW four AS
SELECT n.program, n.cycles AS nol1, w.cycles AS wt, q.cycles AS qr, r.cycles AS rfo,
    w.cycles / q.cycles AS qr_wt, n.cycles / w.cycles AS wt_nol1, n.cycles / r.cycles AS rfo_nol1, r.cycles / q.cycles AS qr_rfo,
    q.directory_bytes / w.directory_bytes AS directory, q.dram / w.dram AS dram, q.dram_writes / w.dram_writes AS writes,
    q.l1_data / w.l1_data AS data, (q.l1_data + q.l1_probes) / w.l1_data AS bytes, r.reuse AS reuse,
    r.modified_hits / r.reads AS raw, r.dram_reads <= q.dram_reads AS rfo_reads_less
FROM run n JOIN run w USING (program) JOIN run q USING (program) JOIN run r USING (program)
WHERE n.system = 'nol1' AND w.system = 'wt' AND q.system = 'qr' AND r.system = 'rfo';

-- The seven programs of the dotted box in figure 5, of which QR gains 6 to 42 % in all but backprop, are named by elimination (5.1): of the
-- fourteen the text says that sort, srad, spmv and nw lie at the extremes, that lud loses, and that kmeans and histogram run alike.
CREATE VIEW ranked AS SELECT *, row_number() OVER (ORDER BY reuse) AS place FROM four;
CREATE VIEW middle AS SELECT * FROM four WHERE program IN ('apsp', 'bfs', 'dct', 'matmul', 'nn', 'reduction');

CREATE VIEW spearman AS
SELECT 1 - 6 * sum((a - b) * (a - b)) / (count(*) * (count(*) * count(*) - 1.0)) AS rho
FROM (SELECT rank() OVER (ORDER BY writes) AS a, rank() OVER (ORDER BY qr_wt DESC) AS b FROM four);

CREATE VIEW sync AS
SELECT q.program, w.cycles / q.cycles AS gain FROM quickrelease_sync q JOIN quickrelease_sync w USING (program)
WHERE q.machine = 'apu-quickrelease' AND w.machine = 'apu-quickrelease-wt';

CREATE VIEW scale AS
SELECT substr(q.program, 1, instr(q.program, '-') - 1) AS what,
    CASE substr(q.program, instr(q.program, '-') + 1) WHEN '16k' THEN 1 WHEN '128k' THEN 2 ELSE 3 END AS size,
    w.cycles / q.cycles AS wt, r.cycles / q.cycles AS rfo
FROM quickrelease_scale q JOIN quickrelease_scale w USING (program) JOIN quickrelease_scale r USING (program)
WHERE q.machine = 'apu-quickrelease' AND w.machine = 'apu-quickrelease-wt' AND r.machine = 'apu-quickrelease-rfo';

CREATE VIEW split AS
SELECT s.program, s."coherence.fifo_scope" AS scope, o.cycles / s.cycles AS gain
FROM quickrelease_fifo s JOIN quickrelease_fifo o USING (program)
WHERE o."coherence.fifo_scope" = 'sm' AND s."coherence.fifo_scope" <> 'sm';

CREATE VIEW claim AS
SELECT 'QR-WT-AVG-7' AS id, 100 * (exp(avg(ln(qr_wt))) - 1) AS value,
    'largest ' || round(100 * (max(qr_wt) - 1), 1) || ' %, smallest ' || round(100 * (min(qr_wt) - 1), 1) || ' %' AS note FROM four
UNION ALL SELECT 'QR-WT-MAX-42', 100 * (qr_wt - 1), 'apsp, the program that synchronises in its kernels' FROM four WHERE program = 'apsp'
UNION ALL SELECT 'QR-WT-SIX-LOW', 100 * (qr_wt - 1), 'what a block that leaves wL2 costs, its next read from memory, is more than the kept L1s save: the sixth of ' || (SELECT group_concat(program || ' ' || round(100 * (qr_wt - 1), 1), ', ') FROM middle)
    FROM (SELECT qr_wt, row_number() OVER (ORDER BY qr_wt DESC) AS k FROM middle) WHERE k = 6
UNION ALL SELECT 'QR-BACKPROP-EXC', qr_wt, 'CPUs stay owners of what they supply, and kept L1s ask them less: ' || (SELECT round("cpu.supplies") FROM quickrelease WHERE program = 'backprop' AND machine = 'apu-quickrelease') || ' blocks supplied' FROM four WHERE program = 'backprop'
UNION ALL SELECT 'QR-WT-NOL1-5', 100 * (exp(avg(ln(wt_nol1))) - 1), 'without dct ' || (SELECT round(100 * (exp(avg(ln(wt_nol1))) - 1), 1) FROM four WHERE program <> 'dct') || ' %' FROM four
UNION ALL SELECT 'QR-RFO-NOL1-M6', 100 * (exp(avg(ln(rfo_nol1))) - 1),
    'written data stay in the L3 under read for ownership, and these programs wait for the memory: ' || (SELECT group_concat(program || ' ' || round(rfo_nol1, 2), ', ') FROM (SELECT * FROM four ORDER BY rfo_nol1 DESC LIMIT 4)) FROM four
UNION ALL SELECT 'QR-RFO-20', 100 * (exp(avg(ln(qr_rfo))) - 1), 'as QR-RFO-NOL1-M6' FROM four
UNION ALL SELECT 'QR-RFO-LT-NOL1', CASE WHEN sum(rfo_nol1 < 1) > count(*) / 2.0 THEN 1 ELSE 0 END, sum(rfo_nol1 < 1) || ' of ' || count(*) || ' programs are slower' FROM four
UNION ALL SELECT 'QR-INT-FACTORS', max(gain), group_concat(program || ' loads: ' || round(gain, 2), ', ') FROM sync
UNION ALL SELECT 'QR-BW-52', 100 * (1 - avg(directory)), 'a store of a warp fills whole blocks in most programs, so that little is left to combine, and blocks that leave wL2 are fetched again; most: ' || (SELECT group_concat(program || ' ' || round(directory, 2), ', ') FROM (SELECT * FROM four ORDER BY directory DESC LIMIT 3)) FROM four
UNION ALL SELECT 'QR-STREAM-3', 100 * (1 - avg(dram)), 'they write whole blocks once: ' || group_concat(program || ' ' || round(dram, 3), ', ') FROM four WHERE program IN ('nn', 'reduction', 'histogram')
UNION ALL SELECT 'QR-L1BYTES-103', 100 * avg(bytes), 'data ' || round(100 * avg(data), 1) || ' %' FROM four
UNION ALL SELECT 'QR-L1BYTES-MAX3X', max(bytes), (SELECT program FROM four ORDER BY bytes DESC LIMIT 1) FROM four
UNION ALL SELECT 'QR-L1DATA-LE', CASE WHEN sum(data > 1.02 AND program <> 'backprop') = 0 THEN 1 ELSE 0 END, coalesce((SELECT group_concat(program || ' ' || round(data, 2), ', ') FROM four WHERE data > 1.02), 'none') || ' get more' FROM four
UNION ALL SELECT 'QR-APSP-WT-0HIT', 100 * read_hits / reads, 'loads between two acquires hit; the paper has none' FROM run WHERE program = 'apsp' AND system = 'wt'
UNION ALL SELECT 'QR-LUD-DEGRADE', 100 * (qr_wt - 1), 'read after write ' || round(100 * raw, 1) || ' % of loads' FROM four WHERE program = 'lud'
UNION ALL SELECT 'QR-LUD-NOL1-BEST', (SELECT group_concat(program) FROM four WHERE min(wt, qr, rfo) > 1.01 * nol1) IS 'lud',
    'no L1 is the fastest by 1 % and more for ' || coalesce((SELECT group_concat(program || ' (' || round(100 * (min(wt, qr, rfo) / nol1 - 1), 1) || ' %)', ', ') FROM four WHERE min(wt, qr, rfo) > 1.01 * nol1), 'none')
UNION ALL SELECT 'QR-BORDER', 100 * (exp(avg(ln(qr_wt))) - 1), 'bfs reads from memory what it has scattered: ' || group_concat(program || ' ' || round(100 * (qr_wt - 1), 1), ', ') FROM four WHERE program IN ('bfs', 'matmul', 'dct')
UNION ALL SELECT 'QR-CPUBOUND', exp(avg(ln(qr_wt))), group_concat(program || ' ' || round(qr_wt, 3), ', ') FROM four WHERE program IN ('kmeans', 'histogram')
UNION ALL SELECT 'QR-EXTREMES', max(max(nol1, wt, qr) / min(nol1, wt, qr)), 'spmv reads its vector again and again, from the CPUs without an L1: ' || group_concat(program || ' ' || round(max(nol1, wt, qr) / min(nol1, wt, qr), 2), ', ') FROM four WHERE program IN ('radixsort', 'srad', 'spmv', 'nw')
UNION ALL SELECT 'QR-DRAMWR-NN-NW', max(writes), group_concat(program || ' ' || round(writes, 3), ', ') FROM four WHERE program IN ('nn', 'nw')
UNION ALL SELECT 'QR-DRAMWR-REDUCE', 100 * (median - 1), 'rank correlation of fewer writes with speed-up ' || (SELECT round(rho, 2) FROM spearman)
    FROM (SELECT avg(writes) AS median FROM (SELECT writes, row_number() OVER (ORDER BY writes) AS k FROM four) WHERE k IN (7, 8))
UNION ALL SELECT 'QR-RFO-READS', CASE WHEN sum(rfo_reads_less) = count(*) THEN 1 ELSE 0 END, sum(rfo_reads_less) || ' of ' || count(*) || ' programs; the others read for ownership what they only write' FROM four
UNION ALL SELECT 'QR-SCALE', CASE WHEN avg(late.wt) > avg(early.wt) AND avg(late.rfo) > avg(early.rfo) THEN 1 ELSE 0 END,
    (SELECT group_concat(what || ' ' || size || ': ' || round(wt, 2) || ' and ' || round(rfo, 2), ', ') FROM scale)
    FROM scale early JOIN scale late USING (what) WHERE early.size = 1 AND late.size = 3
UNION ALL SELECT 'QR-POWER-MEM-5', 30 * (1 - avg(dram)), '30 % of the power by the accesses to memory, which QuickRelease reads more of: ' || (SELECT group_concat(program || ' ' || round(dram, 2), ', ') FROM (SELECT * FROM four ORDER BY dram DESC LIMIT 3)) FROM four
UNION ALL SELECT 'QR-POWER-NET-3', 10 * (avg(bytes) - 1), '10 % of the power by the bytes at the L1s' FROM four
UNION ALL SELECT 'QR-WT-2XL1', 100 * (exp(avg(ln(a.cycles / b.cycles))) - 1), 'kmeans fits into the larger L1s alone; without it ' || round(100 * (exp(avg(CASE WHEN program <> 'kmeans' THEN ln(a.cycles / b.cycles) END)) - 1), 1) || ' %'
    FROM quickrelease_l1 a JOIN quickrelease_l1 b USING (program) WHERE a."l1.kb" = 16 AND b."l1.kb" = 32
UNION ALL SELECT 'QR-RAW-RARE', CASE WHEN sum(raw = 0) >= 3 AND (SELECT program FROM four ORDER BY raw DESC LIMIT 1) = 'lud' THEN 1 ELSE 0 END,
    sum(raw = 0) || ' programs without; most: ' || (SELECT group_concat(program || ' ' || round(100 * raw, 1) || ' %', ', ') FROM (SELECT * FROM four ORDER BY raw DESC LIMIT 3)) FROM four
UNION ALL SELECT 'QR-NOSYNC-OVERHEAD', 100 * (exp(avg(ln(qr_wt))) - 1), group_concat(program || ' ' || round(100 * (qr_wt - 1), 1), ', ') FROM four WHERE program IN ('nn', 'reduction', 'histogram', 'spmv')
UNION ALL SELECT 'QR-SFIFO-SPLIT', 100 * (exp(avg(ln(gain))) - 1), 'largest ' || round(100 * (max(gain) - 1), 1) || ' %' FROM split
UNION ALL SELECT 'QR-STORAGE-80', wl1_kb + wl2_kb + wl3_kb, wl1_kb || ' + ' || wl2_kb || ' + ' || wl3_kb || ' KB' FROM quickrelease_storage
UNION ALL SELECT 'QR-MASK-12.5', 100 * (line_bytes / 8) / line_bytes, 'a bit for each byte of a line' FROM quickrelease_storage
UNION ALL SELECT 'QR-RFO-384', (directory_blocks + 2 * mshrs) * line_bytes / 1024, 'the blocks that the directory covers, and two in each MSHR' FROM quickrelease_storage
UNION ALL SELECT 'QR-WCACHE-RATIO', wl1_kb / l1_kb, 'L2 1/' || round(l2_kb / wl2_kb) || ', L3 1/' || round(l3_kb / wl3_kb) FROM quickrelease_storage;

-- Systems beside the one without an L1, programs by their reuse, as in the figures.
CREATE VIEW ordered AS SELECT r.*, k.place FROM ranked k JOIN run r USING (program);
CREATE VIEW over_nol1 AS
SELECT s.program, upper(s.system) AS system, 100 * n.cycles / s.cycles AS speed, 100 * s.directory_bytes / n.directory_bytes AS directory,
    100 * s.dram_writes / n.dram_writes AS writes, 100 * s.dram / n.dram AS dram
FROM ordered s JOIN run n USING (program) WHERE n.system = 'nol1' AND s.system <> 'nol1' ORDER BY s.place, CASE s.system WHEN 'wt' THEN 1 WHEN 'rfo' THEN 2 ELSE 3 END;

CREATE VIEW figure AS
SELECT '3' AS figure, 'Loads that hit what was written (read for ownership)' AS title, '% of the loads' AS unit, '' AS axis, 'Several programs never read again what they wrote; lud does most.' AS says
UNION ALL SELECT '4', 'Loads that hit in the L1 (read for ownership)', '% of the loads', '', 'Programs stand in the order of their reuse.'
UNION ALL SELECT '5a', 'Performance, of the system without an L1', '% of no L1', '', 'In the geometric mean WT gains 5 %, RFO loses 6 %.'
UNION ALL SELECT '5b', 'Performance that QR gains over WT', '%', '', 'QR gains 7 % in the mean, 6 to 42 % in six of seven programs of intermediate reuse, and loses in lud alone; it is 20 % faster than RFO.'
UNION ALL SELECT '6', 'Bytes between L2 and directory, of the system without an L1', '% of no L1', '', 'QR sends 52 % less than WT in the mean.'
UNION ALL SELECT '7', 'Writes to DRAM, of the system without an L1', '% of no L1', '', 'Most programs have significantly fewer under QR; nn and nw have as many.'
UNION ALL SELECT '8', 'Bytes that reach the L1s under QR, of WT', '% of WT', '', 'With invalidations 103 % in the mean, up to three times; data alone are equal or fewer in all but backprop.'
UNION ALL SELECT '9', 'Accesses of DRAM, of the system without an L1', '% of no L1', '', 'RFO reads less, since written data stay cached between kernels.'
UNION ALL SELECT '10', 'Performance of QR over WT and RFO, by size', 'times', '', 'Small inputs make no difference; with larger ones QR gains on both.';

CREATE VIEW bar AS
SELECT '3' AS figure, program AS x, 'RFO' AS series, 100 * raw AS value, NULL AS claim FROM (SELECT * FROM ranked ORDER BY place)
UNION ALL SELECT '4', program, 'RFO', 100 * reuse, NULL FROM (SELECT * FROM ranked ORDER BY place)
UNION ALL SELECT '5a', program, system, speed, NULL FROM over_nol1
UNION ALL VALUES ('5a', 'geometric mean', 'WT', NULL, '100+QR-WT-NOL1-5'), ('5a', 'geometric mean', 'RFO', NULL, '100+QR-RFO-NOL1-M6')
UNION ALL SELECT '5b', program, 'QR over WT', 100 * (qr_wt - 1), CASE program WHEN 'apsp' THEN 'QR-WT-MAX-42' WHEN 'lud' THEN 'QR-LUD-DEGRADE' END FROM (SELECT * FROM ranked ORDER BY place)
UNION ALL VALUES ('5b', 'least of six', 'QR over WT', NULL, 'QR-WT-SIX-LOW'), ('5b', 'bfs, matmul, dct', 'QR over WT', NULL, 'QR-BORDER'), ('5b', 'mean', 'QR over WT', NULL, 'QR-WT-AVG-7'), ('5b', 'mean', 'QR over RFO', NULL, 'QR-RFO-20')
UNION ALL SELECT '6', program, system, directory, NULL FROM over_nol1
UNION ALL SELECT '6', 'QR, of WT', 'QR', NULL, '100-QR-BW-52'
UNION ALL SELECT '7', program, system, writes, NULL FROM over_nol1 WHERE system <> 'RFO'
UNION ALL SELECT '8', program, 'data', 100 * data, NULL FROM (SELECT * FROM ranked ORDER BY place)
UNION ALL SELECT '8', program, 'with invalidations', 100 * bytes, NULL FROM (SELECT * FROM ranked ORDER BY place)
UNION ALL SELECT '8', 'mean', 'with invalidations', NULL, 'QR-L1BYTES-103'
UNION ALL SELECT '9', program, system, dram, NULL FROM over_nol1
UNION ALL SELECT '10', program, series, gain, NULL FROM (
    SELECT q.program, 'QR over WT' AS series, w.cycles / q.cycles AS gain, q.rowid AS row, 1 AS place FROM quickrelease_scale q JOIN quickrelease_scale w USING (program)
        WHERE q.machine = 'apu-quickrelease' AND w.machine = 'apu-quickrelease-wt'
    UNION ALL SELECT q.program, 'QR over RFO', r.cycles / q.cycles, q.rowid, 2 FROM quickrelease_scale q JOIN quickrelease_scale r USING (program)
        WHERE q.machine = 'apu-quickrelease' AND r.machine = 'apu-quickrelease-rfo' ORDER BY row, place);
