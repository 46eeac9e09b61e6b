-- What docs/results/classes.md is made of: measures per program, the statements of the papers beside them, classes.
-- Tables: classes_runs, classes_traces, classes_statements, reasons, and the studies mshr15, mshr18, mc18_banks, mc18_fixed.

-- Each run beside the unchanged machine's.
CREATE VIEW speedup AS
SELECT suite, machine, program, v.variant, b.cycles / v.cycles AS value
FROM classes_runs v JOIN classes_runs b USING (suite, machine, program) WHERE b.variant = 'base' AND v.variant <> 'base';

-- OPC with files of MSHRs relative to none (Candel 4.6.1), large L2 files.
CREATE VIEW mshrs AS
SELECT a.program, a."l1.mshr.entries" AS l1, a.opc / b.opc AS opc FROM mshr18 a JOIN mshr18 b USING (program)
WHERE b."l1.mshr.entries" = 0 AND b."l2.mshr.entries" = 0 AND a."l1.mshr.entries" > 0 AND a."l2.mshr.entries" = 128;

CREATE TABLE measured AS
WITH run AS (SELECT * FROM classes_runs WHERE variant = 'base'),
     trace AS (SELECT t.*, r.machine FROM classes_traces t JOIN (SELECT DISTINCT suite, machine FROM classes_runs
               UNION SELECT 'agcb', '-') r USING (suite))
SELECT suite, machine, program, 'l1_hit' AS measure, 100 * "l1.read_hits" / "l1.reads" AS value FROM run
UNION ALL SELECT suite, machine, program, 'apki', 1000 * "l1.accesses" / lane_operations FROM run
UNION ALL SELECT suite, machine, program, 'mpko', 1000 * "l2.misses" / lane_operations FROM run
UNION ALL SELECT suite, machine, program, 'writes', 100 * "l2.writes" / "l2.accesses" FROM run
UNION ALL SELECT suite, machine, program, 'utilization', 100 * "dram.utilization" FROM run
UNION ALL SELECT suite, machine, program, variant, value FROM speedup
UNION ALL SELECT suite, machine, program, 'gain', max(value) FROM speedup GROUP BY 1, 2, 3
UNION ALL SELECT suite, machine, program, 'l2_gain', max(value) FROM speedup WHERE variant <> 'l1x4' GROUP BY 1, 2, 3
UNION ALL SELECT suite, machine, program, 'l2_misses', v."l2.misses" / r."l2.misses" FROM classes_runs v
          JOIN run r USING (suite, machine, program) WHERE v.variant = 'l2x4'
UNION ALL SELECT suite, machine, program, 'larger', max(value) FROM speedup WHERE variant IN ('l1x4', 'l2x4') GROUP BY 1, 2, 3
UNION ALL SELECT suite, machine, program, 'launches', launches FROM trace
UNION ALL SELECT suite, machine, program, 'shared', 100 * shared / warp_instructions FROM trace
UNION ALL SELECT suite, machine, program, 'sync', 1000 * sync / warp_instructions FROM trace
UNION ALL SELECT suite, machine, program, 'scattered', blocks32 / lanes FROM trace
UNION ALL SELECT suite, machine, program, 'ideal', blocks32 / ideal32 FROM trace
UNION ALL SELECT suite, machine, program, 'first', 100 * first / line_accesses FROM trace
UNION ALL SELECT suite, machine, program, 'store_blocks', stores32 / ideal_stores32 FROM trace
UNION ALL SELECT suite, machine, program, 'cta_distance', cta_distance FROM trace
UNION ALL SELECT suite, machine, program, 'access_rank', rank() OVER (ORDER BY lines128 / lane_operations DESC)
          FROM trace WHERE suite = 'agcb'
UNION ALL SELECT 'mshr', 'hd7770-hpcs15', program, 'opc', opc FROM mshr15 WHERE "l1.mshr.entries" = 0
UNION ALL SELECT 'mshr', 'hd7770-fgcs18', program, 'l1_mshr', 100 * (max(opc) - min(opc)) FROM mshrs GROUP BY program
UNION ALL SELECT 'mshr', 'hd7770-fgcs18', program, 'l1_mshr_64', 100 * (max(CASE l1 WHEN 64 THEN opc END)
          - max(CASE WHEN l1 < 64 THEN opc END)) FROM mshrs GROUP BY program
UNION ALL SELECT 'mshr', 'hd7770-fgcs18', program, 'memory_loss', 100 * (1 - a.opc / b.opc) FROM mc18_banks a
          JOIN mc18_fixed b USING (program) WHERE a."dram.channels" = 4 AND a."dram.page_policy" = 'open';

-- Verdicts: nothing is typed in.
CREATE TABLE judged AS
SELECT s.rowid AS place, suite, machine, program, source, statement, measure, round(value, 3) AS value, op, threshold,
    CASE WHEN measure IS NULL OR value IS NULL THEN 'not checkable'
         WHEN op = '>' AND value > threshold OR op = '<' AND value < threshold OR op = '>=' AND value >= threshold
           OR op = '<=' AND value <= threshold OR op = '=' AND value = threshold
           OR op = 'inside' AND value BETWEEN threshold AND 100 - threshold
           OR op = 'outside' AND value NOT BETWEEN threshold AND 100 - threshold THEN 'agrees'
         ELSE 'differs' END AS verdict
FROM classes_statements s LEFT JOIN measured m USING (suite, machine, program, measure);

-- With the reasons found for what does not agree; the first that fits.
CREATE TABLE told AS
SELECT j.*, coalesce((SELECT reason FROM reasons r WHERE j.verdict <> 'agrees' AND j.statement LIKE r.statements
    AND r.program IN (j.program, '') AND (r.measure IN (j.measure, '')) LIMIT 1), '') AS reason FROM judged j;

-- The classes by our thresholds (docs/results/classes.md states them), per suite on its machine.
CREATE TABLE measures AS
SELECT suite, machine, program,
    max(CASE measure WHEN 'l1x4' THEN value END) AS l1x4, max(CASE measure WHEN 'l2x4' THEN value END) AS l2x4,
    max(CASE measure WHEN 'channelsx2' THEN value END) AS channelsx2, max(CASE measure WHEN 'perfect' THEN value END) AS perfect,
    max(CASE measure WHEN 'gain' THEN value END) AS gain, max(CASE measure WHEN 'l2_misses' THEN value END) AS l2_misses,
    max(CASE measure WHEN 'l1_hit' THEN value END) AS l1_hit,
    max(CASE measure WHEN 'apki' THEN value END) AS apki, max(CASE measure WHEN 'mpko' THEN value END) AS mpko,
    max(CASE measure WHEN 'writes' THEN value END) AS writes, max(CASE measure WHEN 'sync' THEN value END) AS sync,
    max(CASE measure WHEN 'utilization' THEN value END) AS utilization,
    max(CASE measure WHEN 'launches' THEN value END) AS launches, max(CASE measure WHEN 'scattered' THEN value END) AS scattered,
    max(CASE measure WHEN 'ideal' THEN value END) AS ideal, max(CASE measure WHEN 'first' THEN value END) AS first
FROM measured GROUP BY 1, 2, 3 HAVING perfect IS NOT NULL;

CREATE TABLE classified AS
SELECT m.*, t.class AS stated, trim(
    CASE WHEN m.first >= 25 THEN 'streaming ' ELSE '' END || CASE WHEN l1x4 >= 1.1 OR l2x4 >= 1.1 AND l2_misses <= 0.8 THEN 'cache-sensitive ' ELSE '' END ||
    CASE WHEN gain < 1.1 AND apki < 20 THEN 'compute-bound ' ELSE '' END || CASE WHEN channelsx2 >= 1.1 THEN 'memory-bound ' ELSE '' END ||
    CASE WHEN scattered >= 0.25 AND ideal >= 2 THEN 'irregular ' ELSE '' END ||
    CASE WHEN writes >= 50 THEN 'write-heavy ' ELSE '' END || CASE WHEN m.sync >= 10 THEN 'synchronising ' ELSE '' END ||
    CASE WHEN m.launches >= 3 THEN 'multi-kernel ' ELSE '' END) AS classes
FROM measures m JOIN classes_traces t USING (suite, program);
