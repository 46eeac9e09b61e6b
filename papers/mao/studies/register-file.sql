-- about: Mao 2016, chapter 3: racetrack register files, remapping, racetrack-aware scheduling, write buffer; performance and counts
-- sweeps: register-file register-file-schedulers register-file-ports register-file-buffer register-file-return register-file-order
-- scripts: register-file-banks register-file-examples
-- columns: cycles warp_instructions l1.accesses l1.hit_rate register_file.reads register_file.writes register_file.bank_reads register_file.bank_writes register_file.bank_accesses register_file.bank_conflicts register_file.wait_cycles register_file.shifts register_file.collectors_full register_file.scores.all register_file.scores.3 register_file.write_buffer.reads register_file.write_buffer.voided register_file.write_buffer.direct register_file.write_buffer.piggyback register_file.write_buffer.overflow register_file.cache.reads register_file.cache.writes register_file.energy_mj.dynamic register_file.energy_mj.shift register_file.energy_mj.static register_file.energy_mj.front energy_mj.register_file

-- Energies stand in study register-file-energy.  A value of several programs is the geometric mean of their cycles' ratios, and the
-- arithmetic mean of their shares and of other ratios, each program once.

-- Table 1's classes.
CREATE VIEW class AS SELECT program, CASE
    WHEN program IN ('cp', 'storegpu', 'mriq', 'hotspot', 'srad', 'blackscholes', 'radixsort', 'scalarproducts', 'sortingnetworks') THEN 'C1'
    WHEN program IN ('wp', 'backprop', 'binomial', 'fwt', 'reduction', 'quasirandom', 'transpose') THEN 'C3' ELSE 'C2' END AS class
FROM register_file WHERE machine = 'fermi-rf';

-- Every run with the name of its system: those of figure 12, ports, buffers, automatic return, schedulers.
CREATE VIEW run AS
SELECT CASE machine WHEN 'fermi-rf' THEN 'sram' ELSE replace(machine, 'fermi-rf-', '') END AS system, program, cycles,
    "register_file.wait_cycles" AS waits, "register_file.bank_accesses" AS accesses, "register_file.shifts" AS shifts FROM register_file
UNION ALL SELECT 'ports' || CAST("register_file.racetrack.ports" AS INTEGER), program, cycles, "register_file.wait_cycles",
    "register_file.bank_accesses", "register_file.shifts" FROM register_file_ports
UNION ALL SELECT 'buffer' || CAST("register_file.write_buffer" AS INTEGER), program, cycles, "register_file.wait_cycles",
    "register_file.bank_accesses", "register_file.shifts" FROM register_file_buffer
UNION ALL SELECT 'rmws-gto', program, cycles, "register_file.wait_cycles", "register_file.bank_accesses", "register_file.shifts"
    FROM register_file_order
UNION ALL SELECT replace(machine, 'fermi-rf-', '') || '-return', program, cycles, "register_file.wait_cycles",
    "register_file.bank_accesses", "register_file.shifts" FROM register_file_return
UNION ALL SELECT CASE CAST("sm.subcores" AS INTEGER) WHEN 2 THEN 'dual-' ELSE 'quad-' END
    || CASE WHEN "register_file.cells" = 'sram' THEN 'sram' WHEN "register_file.mapping" = 'remapped' THEN 'rmws' ELSE 'banks' END,
    program, cycles, "register_file.wait_cycles", "register_file.bank_accesses", "register_file.shifts" FROM register_file_schedulers;

-- A system beside its base.  loss: of performance, in percent; a gain is negative.
CREATE VIEW compared (system, base) AS VALUES ('4p', 'sram'), ('remapped', 'sram'), ('rmws', 'sram'), ('rfc', 'sram'),
    ('rmws-gto', 'sram'), ('remapped', '4p'), ('rmws', '4p'), ('rfc', '4p'), ('4p-return', '4p'), ('rmws-return', 'rmws'),
    ('ports1', 'sram'), ('ports2', 'sram'), ('ports16', 'sram'), ('ports64', 'sram'), ('buffer16', 'sram'), ('buffer256', 'sram'),
    ('dual-rmws', 'dual-sram'), ('dual-banks', 'dual-sram'), ('dual-rmws', 'dual-banks'),
    ('quad-rmws', 'quad-sram'), ('quad-banks', 'quad-sram'), ('quad-rmws', 'quad-banks');
CREATE VIEW pair AS
SELECT c.system, c.base, n.program, class, o.cycles / n.cycles AS times, n.waits / nullif(o.waits, 0) AS waits,
    n.shifts / nullif(o.shifts, 0) AS shifts, n.waits / n.accesses / nullif(o.waits / o.accesses, 0) AS mean_wait
FROM compared c JOIN run n ON n.system = c.system JOIN run o ON o.system = c.base AND o.program = n.program JOIN class ON class.program = n.program;
CREATE VIEW beside AS
SELECT system, base, class, 100 * (1 - exp(avg(ln(times)))) AS loss, avg(waits) AS waits, avg(shifts) AS shifts, avg(mean_wait) AS mean_wait
FROM pair GROUP BY system, base, class
UNION ALL
SELECT system, base, 'all', 100 * (1 - exp(avg(ln(times)))), avg(waits), avg(shifts), avg(mean_wait) FROM pair GROUP BY system, base;

-- What single programs lose, largest first.
CREATE VIEW losses AS
SELECT system, base, class, max(CASE place WHEN 1 THEN what END) || ', ' || max(CASE place WHEN 2 THEN what END) || ', ' ||
    max(CASE place WHEN 3 THEN what END) AS most
FROM (SELECT *, program || ' ' || round(100 * (1 - times), 1) AS what, row_number() OVER (PARTITION BY system, base, class ORDER BY times) AS place
    FROM pair) GROUP BY system, base, class;
CREATE VIEW gains AS SELECT system, base, class, round(100 * (max(times) - 1), 1) AS best FROM pair GROUP BY system, base, class;

-- Shares of instructions that were issued three or more bits away, in percent.
CREATE VIEW score AS
SELECT replace(machine, 'fermi-rf-', '') AS system, program, class, 100 * "register_file.scores.3" / "register_file.scores.all" AS far,
    "register_file.shifts" / "register_file.bank_accesses" AS shift
FROM register_file JOIN class USING (program) WHERE machine <> 'fermi-rf';

-- Where the results of a system with a write buffer went, in percent of them.
CREATE VIEW buffer AS
SELECT entries, ports, avg(100 * voided / results) AS voided, avg(100 * direct / results) AS direct, avg(100 * piggyback / results) AS piggyback,
    avg(100 * overflow / results) AS overflow, 100 * sum(direct) / sum(results) AS direct_of_all, avg(100 * served / reads) AS served
FROM (SELECT 32 AS entries, 4 AS ports, "register_file.writes" AS results, "register_file.write_buffer.voided" AS voided,
        "register_file.write_buffer.direct" AS direct, "register_file.write_buffer.piggyback" AS piggyback,
        "register_file.write_buffer.overflow" AS overflow, "register_file.write_buffer.reads" AS served, "register_file.reads" AS reads
    FROM register_file WHERE machine = 'fermi-rf-rmws'
    UNION ALL SELECT "register_file.write_buffer", 4, "register_file.writes", "register_file.write_buffer.voided",
        "register_file.write_buffer.direct", "register_file.write_buffer.piggyback", "register_file.write_buffer.overflow",
        "register_file.write_buffer.reads", "register_file.reads" FROM register_file_buffer
    UNION ALL SELECT 32, "register_file.racetrack.ports", "register_file.writes", "register_file.write_buffer.voided",
        "register_file.write_buffer.direct", "register_file.write_buffer.piggyback", "register_file.write_buffer.overflow",
        "register_file.write_buffer.reads", "register_file.reads" FROM register_file_ports)
GROUP BY entries, ports;
CREATE VIEW thesis_buffer AS SELECT *, direct + piggyback AS still FROM buffer WHERE entries = 32 AND ports = 4;
CREATE VIEW large_buffer AS SELECT *, direct + piggyback AS still FROM buffer WHERE entries = 256;

-- Accesses to registers for each access to an L1, over SRAM, from the least program to the most.
CREATE VIEW access AS
SELECT program, ("register_file.reads" + "register_file.writes") / "l1.accesses" AS per_l1,
    row_number() OVER (ORDER BY ("register_file.reads" + "register_file.writes") / "l1.accesses") AS place, count(*) OVER () AS n
FROM register_file WHERE machine = 'fermi-rf';

-- Hits in the L1s under GTO over SRAM and under RMWS.
CREATE VIEW kmeans AS SELECT round("l1.hit_rate", 2) AS hits FROM register_file WHERE program = 'kmeans' AND machine IN ('fermi-rf', 'fermi-rf-rmws') ORDER BY machine;

-- Programs of classes C2 and C3 with at most 16 registers (table 1).
CREATE VIEW small AS SELECT program FROM class WHERE program IN
    ('bfs', 'kmeans', 'pathfinder', 'streamcluster', 'histogram', 'vectoradd', 'backprop', 'fwt', 'reduction', 'quasirandom', 'transpose');

CREATE VIEW claim AS
WITH lost (id, system, base, class, note) AS (VALUES
    ('RM-4P-GTO-4.8', '4p', 'sram', 'all', ''),
    ('RM-REMAP-3.4', 'remapped', 'sram', 'all', ''),
    ('RM-RMWS-0.3', 'rmws', 'sram', 'all', ''),
    ('RM-RFC-8.9', 'rfc', 'sram', 'all', ''),
    ('RM-C1-11.7', '4p', 'sram', 'C1', ''),
    ('RM-C2-2.8', '4p', 'sram', 'C2', 'histogram and dct have 16 and 32 registers: register r of every warp is in bank r mod 16, and warps that do the same meet there; '),
    ('RM-DUAL-6.4', 'dual-rmws', 'dual-sram', 'all', ''),
    ('RM-DUAL-WRR-1.9', 'dual-banks', 'dual-sram', 'all', ''),
    ('RM-QUAD-7.2', 'quad-rmws', 'quad-sram', 'all', ''))
SELECT id, loss AS value, note || CASE id WHEN 'RM-RMWS-0.3' THEN 'the order of warps: under gto the same machine loses '
    || (SELECT round(loss, 1) FROM beside WHERE system = 'rmws-gto' AND class = 'all') || ' % ('
    || (SELECT group_concat(program || ' ' || round(100 * (1 - times), 1), ', ') FROM pair WHERE system = 'rmws-gto' AND program IN ('blackscholes', 'kmeans', 'reduction'))
    || '); rmws takes kmeans'' L1 hits from ' || (SELECT group_concat(hits, ' to ') FROM kmeans) || '; ' ELSE '' END || 'C1 ' || (SELECT round(loss, 1) || ' % (' || most || ')' FROM beside b JOIN losses l USING (system, base, class) WHERE b.system = lost.system AND b.base = lost.base AND class = 'C1')
    || ', C2 ' || (SELECT round(loss, 1) || ' % (' || most || ')' FROM beside b JOIN losses l USING (system, base, class) WHERE b.system = lost.system AND b.base = lost.base AND class = 'C2')
    || ', C3 ' || (SELECT round(loss, 1) || ' % (' || most || ')' FROM beside b JOIN losses l USING (system, base, class) WHERE b.system = lost.system AND b.base = lost.base AND class = 'C3') AS note
FROM lost JOIN beside USING (system, base, class)
UNION ALL
SELECT 'RM-C3-2.1', -loss, 'shifts hold up ' || most || '; with registers around their ports C3 loses ' ||
    (SELECT round(loss, 1) FROM beside WHERE system = 'remapped' AND base = 'sram' AND class = 'C3') || ' %; the side effects that the thesis names gain '
    || best || ' % at most'
FROM beside JOIN losses USING (system, base, class) JOIN gains USING (system, base, class) WHERE system = '4p' AND base = 'sram' AND class = 'C3'
UNION ALL
SELECT 'RM-SCORE3-C1-39', avg(far), group_concat(program || ' ' || round(far), ', ') FROM score WHERE system = '4p' AND class = 'C1'
UNION ALL
SELECT 'RM-SCORE3-C2C3-27', avg(far), 'a warp of at most 16 registers, as in ' || (SELECT count(*) FROM small) || ' of the ' || count(*)
    || ', has one row in a bank, so that only changes of warp move it: ' || (SELECT round(avg(far), 1) FROM score JOIN small USING (program) WHERE system = '4p' AND class <> 'C1')
    || ' % far in these; with registers around their ports ' || (SELECT round(avg(far), 1) FROM score WHERE system = 'remapped' AND class <> 'C1')
    || ' % of all; C1 is lower for cp and radixsort alone, which shift less than a bit an access: without them '
    || (SELECT round(avg(far), 1) FROM score WHERE system = '4p' AND class = 'C1' AND program NOT IN ('cp', 'radixsort')) || ' %'
FROM score WHERE system = '4p' AND class <> 'C1'
UNION ALL
SELECT 'RM-SCORE3-RMWS-13', avg(o.far - n.far), round(avg(o.far), 1) || ' to ' || round(avg(n.far), 1) || ' %'
FROM score n JOIN score o USING (program) WHERE n.system = 'rmws' AND o.system = '4p'
UNION ALL
SELECT 'RM-WB-READ-33.3', served, 'mean of the programs; under gto '
    || (SELECT round(avg(100 * "register_file.write_buffer.reads" / "register_file.reads"), 1) FROM register_file_order)
    || ' %: rmws takes what needs no bank first' FROM thesis_buffer
UNION ALL SELECT 'RM-WB-VOID-31.5', voided, 'mean of the programs' FROM thesis_buffer
UNION ALL
SELECT 'RM-WB-NOSHIFT-63.8', b.still, 'entries, two a bank, are needed again before their bank stops at their bit: ' || round(b.overflow, 1)
    || ' % overflow; of 256 entries ' || round(l.overflow, 1) || ' %, yet then ' || round(l.voided, 1)
    || ' % are voided and ' || round(l.still, 1) || ' % need no shift; with 16 ports ' || (SELECT round(direct + piggyback, 1) FROM buffer WHERE ports = 16) || ' %'
FROM thesis_buffer b, large_buffer l
UNION ALL
SELECT 'RM-WB-DIRECT-36.1', direct, 'of all results of all programs ' || round(direct_of_all, 1)
    || ' %; with 64 ports, where every register is under one, ' || (SELECT round(direct, 1) FROM buffer WHERE ports = 64)
    || ' %: banks are seldom busy when a result comes, but stand at another of the 16 bits of a segment' FROM thesis_buffer
UNION ALL
SELECT 'RM-WB-WRBACK-27.7', b.piggyback, 'an entry is needed again (' || round(b.overflow, 1)
    || ' %) before its bank stops at its bit, one of up to 16; of 256 entries ' || round(l.piggyback, 1) || ' %, the rest being voided first'
FROM thesis_buffer b, large_buffer l
UNION ALL
SELECT 'RM-WB-OVERFLOW-5', b.overflow, 'each instruction with a result takes one of two entries of its bank, and ' || round(100 - b.voided - b.direct, 1)
    || ' % of the results neither are voided there nor leave at once; of 16 entries ' || (SELECT round(overflow, 1) FROM buffer WHERE entries = 16)
    || ' %, of 256 ' || round(l.overflow, 1) || ' %' FROM thesis_buffer b, large_buffer l
UNION ALL
SELECT id, 100 * (1 - waits), 'of each program''s register cycles from arrival to port; of an access ' || round(100 * (1 - mean_wait), 1) || ' %'
    || CASE system WHEN 'remapped' THEN '; 16 bits of a segment become as many as are in use, and banks that shift less are free for the next access' ELSE '' END
FROM beside JOIN (SELECT 'RM-WAIT-REMAP-8.3' AS id, 'remapped' AS system UNION ALL VALUES ('RM-WAIT-RFC-16.3', 'rfc'), ('RM-WAIT-RMWS-22.6', 'rmws')) USING (system)
WHERE base = '4p' AND class = 'all'
UNION ALL
SELECT 'RM-SHIFT-52.7', 100 * (1 - shifts), 'remapping alone ' || (SELECT round(100 * (1 - shifts), 1) FROM beside WHERE system = 'remapped' AND base = '4p' AND class = 'all') || ' %'
FROM beside WHERE system = 'rmws' AND base = '4p' AND class = 'all'
UNION ALL
SELECT 'RM-PORTS-PERF-UP', min(less), 'loss of 1, 2, 4, 16, 64 ports: ' || group_concat(round(loss, 1) || ' %', ', ') || '; where scores are equal, as without shifts, the oldest warp went in all but the run of 4 ports (version 5)'
FROM (SELECT place, loss, loss <= lag(loss, 1, loss) OVER (ORDER BY place) AS less
    FROM beside JOIN (SELECT 'ports1' AS system, 1 AS place UNION ALL VALUES ('ports2', 2), ('rmws', 4), ('ports16', 16), ('ports64', 64)) USING (system)
    WHERE base = 'sram' AND class = 'all' ORDER BY place)
UNION ALL
SELECT CASE system WHEN 'buffer16' THEN 'RM-WB16-95' ELSE 'RM-WB32-99' END, 100 - loss, 'of 256 entries '
    || (SELECT round(100 - loss, 1) FROM beside WHERE system = 'buffer256' AND base = 'sram' AND class = 'all')
    || ' %; of 32 under gto ' || (SELECT round(100 - loss, 1) FROM beside WHERE system = 'rmws-gto' AND class = 'all') || ' %'
FROM beside WHERE system IN ('buffer16', 'rmws') AND base = 'sram' AND class = 'all'
UNION ALL
SELECT CASE system WHEN 'dual-rmws' THEN 'RM-DUAL-WRR-4.7' ELSE 'RM-QUAD-WRR-5.1' END, 100 * (1 / (1 - loss / 100) - 1),
    'in C2 ' || most || ' % of the time' FROM beside JOIN losses USING (system, base)
WHERE system IN ('dual-rmws', 'quad-rmws') AND base IN ('dual-banks', 'quad-banks') AND beside.class = 'all' AND losses.class = 'C2'
UNION ALL
SELECT 'RM-QUAD-WRR-97.8', 100 - loss, 'largest losses, C1: ' || (SELECT most FROM losses WHERE system = 'quad-banks' AND base = 'quad-sram' AND class = 'C1')
FROM beside WHERE system = 'quad-banks' AND base = 'quad-sram' AND class = 'all'
UNION ALL
SELECT 'RM-NO-AUTORETURN', -loss, 'of RMWS; shifts ' || round(shifts, 2) || ' times; 4P + GTO '
    || (SELECT round(-loss, 1) || ' %, shifts ' || round(shifts, 2) || ' times' FROM beside WHERE system = '4p-return' AND class = 'all')
FROM beside WHERE system = 'rmws-return' AND class = 'all'
UNION ALL
SELECT 'RM-SAMEBANK-1', avg(100 * three_in_a_bank / instructions), 'two in a bank: mean ' || round(avg(100 * two_in_a_bank / instructions), 1)
    || ' %, most ' || round(max(100 * two_in_a_bank / instructions), 1) || ' %' FROM register_file_banks
UNION ALL
SELECT CASE WHEN place < n / 2 THEN 'RF-ACCESS-10X' ELSE 'RF-ACCESS-30X' END, per_l1, CASE WHEN place < n / 2 THEN 'lower' ELSE 'upper' END
    || ' quartile of ' || CAST(n AS INTEGER) || ' programs (' || program || '); from ' || (SELECT round(min(per_l1), 1) FROM access) || ' to '
    || (SELECT round(max(per_l1)) FROM access) || ', median ' || (SELECT round(avg(per_l1), 1) FROM access WHERE place IN (n / 2, n / 2 + 1))
FROM access WHERE place IN ((n + 2) / 4, n + 1 - (n + 2) / 4)
UNION ALL
SELECT claim, value, 'unit.gpu_rmws: figure 8 in numbers' FROM register_file_examples;

CREATE VIEW unmet AS
SELECT 'RM-REMAP-3.4' AS id, 'not half a point below 4P + GTO' AS why FROM beside n JOIN beside o USING (base, class)
WHERE n.system = 'remapped' AND o.system = '4p' AND base = 'sram' AND class = 'all' AND n.loss > o.loss - 0.5
UNION ALL SELECT 'RM-RMWS-0.3', 'more than 1.5 % apart' FROM beside WHERE system = 'rmws' AND base = 'sram' AND class = 'all' AND abs(loss) >= 1.5
UNION ALL SELECT 'RM-RFC-8.9', 'the cache serves ' || (SELECT round(100 * avg("register_file.cache.reads" / "register_file.reads")) FROM register_file WHERE machine = 'fermi-rf-rfc')
    || ' % of the reads, which saves more than the two-level scheduler costs: 4P + GTO loses ' || round(o.loss, 1) || ' %'
FROM beside n JOIN beside o USING (base, class) WHERE n.system = 'rfc' AND o.system = '4p' AND base = 'sram' AND class = 'all' AND n.loss <= o.loss
UNION ALL SELECT 'RM-C1-11.7', 'not the class that loses most' FROM beside n JOIN beside o USING (system, base)
WHERE system = '4p' AND base = 'sram' AND n.class = 'C1' AND o.class IN ('C2', 'C3') AND o.loss >= n.loss
UNION ALL SELECT 'RM-SCORE3-C2C3-27', 'not below C1''s' WHERE (SELECT avg(far) FROM score WHERE system = '4p' AND class <> 'C1')
    >= (SELECT avg(far) FROM score WHERE system = '4p' AND class = 'C1')
UNION ALL SELECT 'RM-WAIT-RFC-16.3', 'not between remapping and RMWS' FROM beside n JOIN beside a USING (base, class) JOIN beside z USING (base, class)
WHERE base = '4p' AND class = 'all' AND n.system = 'rfc' AND a.system = 'remapped' AND z.system = 'rmws' AND (n.waits > a.waits OR n.waits < z.waits)
UNION ALL SELECT 'RM-QUAD-7.2', 'less than with two schedulers' FROM beside n, beside o
WHERE n.system = 'quad-rmws' AND n.base = 'quad-sram' AND o.system = 'dual-rmws' AND o.base = 'dual-sram' AND n.class = 'all' AND o.class = 'all' AND n.loss < o.loss;

-- Systems in the order of the figures, with the thesis's names.
CREATE VIEW named (system, base, place, name) AS VALUES ('4p', 'sram', 1, '4P+GTO'), ('rfc', 'sram', 2, '4P+RFC'), ('remapped', 'sram', 3, 'remapping'), ('rmws', 'sram', 4, 'RMWS'),
    ('dual-rmws', 'dual-sram', 5, 'dual-RMWS'), ('dual-banks', 'dual-sram', 6, 'dual, warp-register'), ('quad-rmws', 'quad-sram', 7, 'quad-RMWS'), ('quad-banks', 'quad-sram', 8, 'quad, warp-register');
CREATE VIEW first AS SELECT program, class, row_number() OVER () AS place FROM class;
CREATE VIEW normalised AS
SELECT CASE WHEN n.place <= 4 THEN '12' ELSE '19' END AS figure, p.program, n.name, 100 * p.times AS percent
FROM pair p JOIN named n USING (system, base) JOIN first f ON f.program = p.program ORDER BY f.class, f.place, n.place;

CREATE VIEW figure AS
SELECT '12' AS figure, 'Performance with racetrack registers, of GTO over SRAM' AS title, '% of SRAM''s IPC' AS unit, '40' AS axis,
    '4P+GTO loses 4.8 %, remapping 3.4 %, RMWS 0.3 %, the register-file cache 8.9 %; class C1 loses 11.7 % under 4P+GTO, C2 2.8 %, and C3 gains 2.1 %.' AS says
UNION ALL SELECT '13', 'Instructions issued three or more bits from their registers', '% of the instructions', '', '39 % in C1, 27 % in C2 and C3; RMWS takes 13 points off.'
UNION ALL SELECT '14', 'Where reads and results of RMWS go', '% of the reads, or of the results', '',
    'The write buffer serves 33.3 % of the reads and voids 31.5 % of the writes; 36.1 % write at once, 27.7 % as a port passes, fewer than 5 % for want of room.'
UNION ALL SELECT '15', 'Waiting cycles and shifts that are saved over 4P+GTO', '%', '', 'Remapping saves 8.3 % of the waiting, the register-file cache 16.3 %, RMWS 22.6 %, and RMWS 52.7 % of the shifts.'
UNION ALL SELECT '17', 'Performance of RMWS with ports of a track, of GTO over SRAM', '% of SRAM''s IPC', '80', 'It keeps improving as ports are added.'
UNION ALL SELECT '18a', 'Performance of RMWS with entries of the write buffer, of GTO over SRAM', '% of SRAM''s IPC', '80', '16 entries reach 95 %, 32 exceed 99 %, more bring little.'
UNION ALL SELECT '19', 'Performance of several racetrack-aware schedulers, of GTO over SRAM', '% of SRAM''s IPC', '60',
    'Dual-RMWS loses 6.4 % and quad-RMWS 7.2 %; warp-register remapping leaves 1.9 % and 2.2 %.';

CREATE VIEW bar AS
SELECT figure, program AS x, name AS series, percent AS value, NULL AS claim FROM normalised
UNION ALL VALUES ('12', 'C1', '4P+GTO', NULL, '100-RM-C1-11.7'), ('12', 'C2', '4P+GTO', NULL, '100-RM-C2-2.8'), ('12', 'C3', '4P+GTO', NULL, '100+RM-C3-2.1'), ('12', 'all', '4P+GTO', NULL, '100-RM-4P-GTO-4.8'),
    ('12', 'all', '4P+RFC', NULL, '100-RM-RFC-8.9'), ('12', 'all', 'remapping', NULL, '100-RM-REMAP-3.4'), ('12', 'all', 'RMWS', NULL, '100-RM-RMWS-0.3'),
    ('13', 'C1', '4P+GTO', NULL, 'RM-SCORE3-C1-39'), ('13', 'C2 and C3', '4P+GTO', NULL, 'RM-SCORE3-C2C3-27'), ('13', 'points that RMWS takes off', 'RMWS', NULL, 'RM-SCORE3-RMWS-13'),
    ('14', 'reads from the buffer', 'RMWS', NULL, 'RM-WB-READ-33.3'), ('14', 'voided', 'RMWS', NULL, 'RM-WB-VOID-31.5'), ('14', 'written at once', 'RMWS', NULL, 'RM-WB-DIRECT-36.1'),
    ('14', 'as a port passes', 'RMWS', NULL, 'RM-WB-WRBACK-27.7'), ('14', 'without a shift', 'RMWS', NULL, 'RM-WB-NOSHIFT-63.8'), ('14', 'overflow', 'RMWS', NULL, 'RM-WB-OVERFLOW-5'),
    ('15', 'waiting', 'remapping', NULL, 'RM-WAIT-REMAP-8.3'), ('15', 'waiting', '4P+RFC', NULL, 'RM-WAIT-RFC-16.3'), ('15', 'waiting', 'RMWS', NULL, 'RM-WAIT-RMWS-22.6'), ('15', 'shifts', 'RMWS', NULL, 'RM-SHIFT-52.7')
UNION ALL SELECT '17', place || CASE place WHEN 1 THEN ' port' ELSE ' ports' END, 'RMWS', 100 - loss, NULL
    FROM (SELECT place, loss FROM beside JOIN (SELECT 'ports1' AS system, 1 AS place UNION ALL VALUES ('ports2', 2), ('rmws', 4), ('ports16', 16), ('ports64', 64)) USING (system)
          WHERE base = 'sram' AND class = 'all' ORDER BY place)
UNION ALL VALUES ('18a', '16 entries', 'RMWS', NULL, 'RM-WB16-95'), ('18a', '32 entries', 'RMWS', NULL, 'RM-WB32-99')
UNION ALL SELECT '18a', '256 entries', 'RMWS', 100 - loss, NULL FROM beside WHERE system = 'buffer256' AND base = 'sram' AND class = 'all'
UNION ALL VALUES ('19', 'all', 'dual-RMWS', NULL, '100-RM-DUAL-6.4'), ('19', 'all', 'dual, warp-register', NULL, '100-RM-DUAL-WRR-1.9'),
    ('19', 'all', 'quad-RMWS', NULL, '100-RM-QUAD-7.2'), ('19', 'all', 'quad, warp-register', NULL, 'RM-QUAD-WRR-97.8');
