-- about: Mao 2016, chapter 3: energy of racetrack register files, with the energies of table 3
-- sweeps: register-file register-file-schedulers register-file-buffer
-- columns: cycles warp_instructions l1.accesses l1.hit_rate register_file.reads register_file.writes register_file.bank_reads register_file.bank_writes register_file.bank_accesses register_file.bank_conflicts register_file.wait_cycles register_file.shifts register_file.collectors_full register_file.scores.all register_file.scores.3 register_file.write_buffer.reads register_file.write_buffer.voided register_file.write_buffer.direct register_file.write_buffer.piggyback register_file.write_buffer.overflow register_file.cache.reads register_file.cache.writes register_file.energy_mj.dynamic register_file.energy_mj.shift register_file.energy_mj.static register_file.energy_mj.front energy_mj.register_file

-- Of each program's energy beside its base's, the mean.  Ports other than 4 have no energies: figure 6 shows them without numbers.

CREATE VIEW run AS
SELECT CASE machine WHEN 'fermi-rf' THEN 'sram' ELSE replace(machine, 'fermi-rf-', '') END AS system, program, "register_file.shifts" AS shifts,
    "register_file.writes" AS results, "register_file.bank_accesses" AS accesses, "register_file.energy_mj.dynamic" AS dynamic, "register_file.energy_mj.shift" AS shift,
    "register_file.energy_mj.front" AS front, "energy_mj.register_file" AS total FROM register_file
UNION ALL SELECT 'buffer' || CAST("register_file.write_buffer" AS INTEGER), program, "register_file.shifts", "register_file.writes",
    "register_file.bank_accesses", "register_file.energy_mj.dynamic", "register_file.energy_mj.shift", "register_file.energy_mj.front", "energy_mj.register_file" FROM register_file_buffer
UNION ALL SELECT CASE CAST("sm.subcores" AS INTEGER) WHEN 2 THEN 'dual-' ELSE 'quad-' END
    || CASE WHEN "register_file.cells" = 'sram' THEN 'sram' WHEN "register_file.mapping" = 'remapped' THEN 'rmws' ELSE 'banks' END,
    program, "register_file.shifts", "register_file.writes", "register_file.bank_accesses", "register_file.energy_mj.dynamic", "register_file.energy_mj.shift",
    "register_file.energy_mj.front", "energy_mj.register_file" FROM register_file_schedulers;

-- Beside table 3's 1.8 pJ a shift, with which the study judges, the pJ for which 4P + GTO's shifts cost the 40.3 % of SRAM's energy that
-- section 3.5.1.2 has.
CREATE VIEW contradicting AS
SELECT 0.403 / avg(n.shifts * 1e-9 / o.total) AS pj FROM run n JOIN run o USING (program) WHERE n.system = '4p' AND o.system = 'sram';
CREATE VIEW energy AS SELECT *, total + coalesce(shift * (pj / 1.8 - 1), 0) AS dearer FROM run, contradicting;

-- Percent saved over a base, and with the dearer shifts.
CREATE VIEW compared (system, base) AS VALUES ('4p', 'sram'), ('remapped', 'sram'), ('rmws', 'sram'), ('rfc', 'sram'), ('remapped', '4p'), ('rmws', 'remapped'),
    ('buffer16', 'rmws'), ('buffer256', 'rmws'), ('dual-banks', 'dual-rmws'), ('quad-banks', 'quad-rmws');
CREATE VIEW pair AS
SELECT c.system, c.base, n.program, n.total / o.total AS times, n.dearer / o.dearer AS dearer, n.shifts / nullif(o.shifts, 0) AS shifts,
    n.accesses / o.accesses AS accesses
FROM compared c JOIN energy n ON n.system = c.system JOIN energy o ON o.system = c.base AND o.program = n.program;
CREATE VIEW beside AS
SELECT system, base, 100 * (1 - avg(times)) AS saved, 100 * (1 - avg(dearer)) AS dearer, avg(shifts) AS shifts, avg(accesses) AS accesses FROM pair GROUP BY system, base;
CREATE VIEW most AS
SELECT system, base, group_concat(program || ' ' || round(100 * (times - 1), 1), ', ') AS costs
FROM (SELECT *, row_number() OVER (PARTITION BY system, base ORDER BY times DESC) AS place FROM pair ORDER BY times DESC) WHERE place <= 2
GROUP BY system, base;

-- Radix sort under four schedulers: without and with banks of their own.
CREATE VIEW radix AS
SELECT round(100 * "register_file.write_buffer.direct" / "register_file.writes") AS percent, CAST("register_file.bank_accesses" AS INTEGER) AS banks
FROM register_file_schedulers WHERE program = 'radixsort' AND "sm.subcores" = 4 AND "register_file.cells" = 'racetrack' ORDER BY "register_file.mapping";

CREATE VIEW claim AS
WITH wanted (id, system, base) AS (VALUES ('RM-E-4PGTO-13.4', '4p', 'sram'), ('RM-E-REMAP-11.8', 'remapped', '4p'), ('RM-E-RFC-39.7', 'rfc', 'sram'),
    ('RM-E-RMWS-STEP-13.4', 'rmws', 'remapped'), ('RM-E-RMWS-48.5', 'rmws', 'sram'), ('RM-DUAL-E-3.9', 'dual-banks', 'dual-rmws'),
    ('RM-QUAD-E-5.1', 'quad-banks', 'quad-rmws'))
SELECT id, saved AS value, 'with 1.8 pJ a shift; with ' || (SELECT round(pj, 2) FROM contradicting) || ' pJ ' || round(dearer, 1) || ' %'
    || CASE WHEN id LIKE '%QUAD-E%' THEN '; shifts fall to ' || round(shifts, 2) || ' times, yet ' || costs || ' % cost more: radixsort''s few warps find their '
        || 'registers under a port, so that results leave the buffer at once (direct ' || (SELECT group_concat(percent, ' to ') FROM radix)
        || ' %) and reads go to the banks (' || (SELECT group_concat(banks, ' to ') FROM radix) || ' accesses)' ELSE '' END AS note
FROM wanted JOIN beside USING (system, base) JOIN most USING (system, base)
UNION ALL
SELECT 'RM-E-WB-3', 100 * avg(front / total), 'with table 3''s energies 3 % are not to be had: every result that comes in at 8.09 pJ is ' || round(100 * avg(8.09e-9 * results / total), 1)
    || ' % of the total, the rest is what comes out at 8.34 pJ, to readers and banks, and leakage; with the pJ of RM-E-SHIFT-40.3 a shift ' || round(100 * avg(front / dearer), 1) || ' %'
FROM energy WHERE system = 'rmws'
UNION ALL
SELECT 'RM-WB256-2XE', avg(times), 'the buffer costs more (an access 1.1 times, leakage 5.4 times, by CACTI), but ' || round(avg(accesses), 2)
    || ' times the accesses to banks and ' || round(avg(shifts), 2) || ' times the shifts are left; with the pJ of RM-E-SHIFT-40.3 a shift ' || round(avg(dearer), 2) || ' times'
FROM pair WHERE system = 'buffer256'
UNION ALL
SELECT 'RM-WB16-GT32-E', -saved, 'percent more; ' || (SELECT round(accesses, 2) || ' times the accesses, ' || round(shifts, 2) || ' times the shifts' FROM beside WHERE system = 'buffer16') || '; with the pJ of RM-E-SHIFT-40.3 a shift ' || round(-dearer, 1) || ' %' FROM beside WHERE system = 'buffer16'
UNION ALL
SELECT 'RM-E-DYN-39.1', 100 * (1 - avg(n.dynamic / o.dynamic)), 'no mix of reads and writes saves less than 42.9 % with table 3''s energies (59.34 of 103.88, 50.49 of 102.37 pJ)' FROM energy n JOIN energy o USING (program)
WHERE n.system = '4p' AND o.system = 'sram'
UNION ALL
SELECT 'RM-E-SHIFT-40.3', 100 * avg(n.shift / o.total), '1.8 pJ of table 3 for all tracks of a bank; an access shifts ' || round(avg(n.shifts / n.accesses), 1) || ' bits here and at most 15 anywhere, which is 27 pJ of 103.88; it takes ' || (SELECT round(pj, 2) FROM contradicting) || ' pJ for the 40.3 %'
FROM energy n JOIN energy o USING (program) WHERE n.system = '4p' AND o.system = 'sram';

CREATE VIEW unmet AS
SELECT 'RM-E-RFC-39.7' AS id, 'not between remapping and RMWS' AS why FROM beside n JOIN beside a USING (base) JOIN beside z USING (base)
WHERE base = 'sram' AND n.system = 'rfc' AND a.system = 'remapped' AND z.system = 'rmws' AND (n.saved < a.saved OR n.saved > z.saved)
UNION ALL SELECT 'RM-QUAD-E-5.1', 'less than with two schedulers' FROM beside n, beside o WHERE n.system = 'quad-banks' AND o.system = 'dual-banks' AND n.saved < o.saved;

CREATE VIEW named (system, base, place, name) AS VALUES ('4p', 'sram', 1, '4P+GTO'), ('rfc', 'sram', 2, '4P+RFC'), ('remapped', 'sram', 3, 'remapping'), ('rmws', 'sram', 4, 'RMWS');

CREATE VIEW figure AS
SELECT '16' AS figure, 'Energy of racetrack register files, of GTO over SRAM' AS title, '% of SRAM''s energy' AS unit, '' AS axis,
    '4P+GTO saves 13.4 %, the register-file cache 39.7 %, RMWS 48.5 %.' AS says
UNION ALL SELECT '18b', 'Energy of RMWS with entries of the write buffer (32 entries are 1)', 'ratio', '', '256 entries take twice the energy of 32, and 16 take more than 32.'
UNION ALL SELECT '20', 'Energy that warp-register remapping saves', '% of the energy', '', 'It saves 3.9 % with two schedulers and 5.1 % with four.';

CREATE VIEW bar AS
SELECT '16' AS figure, program AS x, name AS series, percent AS value, NULL AS claim
    FROM (SELECT program, name, 100 * times AS percent FROM pair JOIN named USING (system, base) ORDER BY (SELECT min(r.rowid) FROM register_file r WHERE r.program = pair.program), place)
UNION ALL SELECT '16', 'mean', name, 100 - saved, CASE system WHEN '4p' THEN '100-RM-E-4PGTO-13.4' WHEN 'rfc' THEN '100-RM-E-RFC-39.7' WHEN 'rmws' THEN '100-RM-E-RMWS-48.5' END
    FROM (SELECT * FROM beside JOIN named USING (system, base) ORDER BY place)
UNION ALL SELECT '18b', '16 entries', 'RMWS', 1 - saved / 100, NULL FROM beside WHERE system = 'buffer16'
UNION ALL SELECT '18b', '256 entries', 'RMWS', NULL, 'RM-WB256-2XE'
UNION ALL VALUES ('20', 'dual-RMWS', 'warp-register remapping', NULL, 'RM-DUAL-E-3.9'), ('20', 'quad-RMWS', 'warp-register remapping', NULL, 'RM-QUAD-E-5.1');
