/* results_numbering.c - temporary tables that choose the sweep and number its parts, so that later
 * queries return indices: the last planned sweep with results, its points and its programs, in its
 * order.  Without a sweep they number all machines, by their values on the axes, and all programs
 * by name. */
#include "sweeps/analyse/results_internal.h"

#define LAST "(SELECT id FROM last_sweep)"
#define NO_SWEEP "NOT EXISTS(SELECT 1 FROM last_sweep)"

const char results_numbering[] =
    "CREATE TEMP TABLE last_sweep AS SELECT id FROM sweep s WHERE EXISTS(SELECT 1 FROM design d"
    " JOIN run r ON r.machine = d.machine WHERE d.sweep = s.id)"
    " ORDER BY planned DESC, id DESC LIMIT 1;"
    /* programs: those that the sweep has run; a program read 32 lanes wide and 64 lanes wide, or
     * with the tiles that it chose for several cards, is one program */
    "CREATE TEMP TABLE program_i AS SELECT digest, min(i) AS i FROM"
    " (SELECT r.program AS digest, t.workload AS i FROM task t JOIN run r ON r.key = t.key"
    "  WHERE t.sweep IN " LAST
    "  UNION SELECT p.digest, w.position FROM workload w JOIN program p ON p.name = w.name"
    "  AND p.spec = w.spec WHERE w.sweep IN " LAST " AND NOT EXISTS(SELECT 1 FROM task t JOIN run r"
    "  ON r.key = t.key WHERE t.sweep = w.sweep AND t.workload = w.position)) GROUP BY digest"
    " UNION ALL SELECT digest, dense_rank() OVER (ORDER BY name, spec) - 1 FROM program"
    " WHERE " NO_SWEEP " AND digest IN (SELECT program FROM run);"
    "CREATE TEMP TABLE named AS SELECT position AS i, name, spec FROM workload"
    " WHERE sweep IN " LAST " UNION SELECT i, name, spec FROM program_i JOIN program USING(digest)"
    " WHERE " NO_SWEEP ";"
    "CREATE TEMP VIEW label AS SELECT i, CASE WHEN (SELECT count(*) FROM named q"
    " WHERE q.name = n.name) > 1 THEN name || ' (' || spec || ')' ELSE name END AS label"
    " FROM named n;"
    /* Runs: for engines that the sweep ran, the runs that it requested; for other engines, the
     * newest. */
    "CREATE TEMP TABLE place_of AS SELECT point AS number, machine AS digest FROM design"
    " WHERE sweep IN " LAST " UNION ALL SELECT NULL, digest FROM machine WHERE " NO_SWEEP ";"
    "CREATE TEMP TABLE own AS SELECT DISTINCT key, engine FROM task WHERE sweep IN " LAST ";"
    "CREATE UNIQUE INDEX temp.own_key ON own(key);"
    "CREATE TEMP TABLE taken AS SELECT id, machine, program, engine FROM"
    " (SELECT r.id, r.machine, p.i AS program, r.engine, row_number() OVER"
    "  (PARTITION BY r.machine, p.i, r.engine ORDER BY r.engine_version DESC,"
    "  r.status = 'done' DESC, r.finished DESC, r.id DESC) AS k"
    "  FROM run r JOIN program_i p ON p.digest = r.program"
    "  WHERE r.machine IN (SELECT digest FROM place_of) AND (r.key IN (SELECT key FROM own)"
    "  OR r.engine NOT IN (SELECT engine FROM own))) WHERE k = 1;"
    "CREATE TEMP TABLE machine_of AS SELECT number, digest FROM place_of"
    " WHERE digest IN (SELECT machine FROM taken);"
    /* the machines' values: on the sweep's axes; without a sweep, on every path that any run set;
     * `number` stays a text if it is none */
    "CREATE TEMP TABLE place_i(digest, point, path, value TEXT, number NUMERIC);"
    "INSERT INTO place_i SELECT m.digest, m.number, a.path, s.value, s.value FROM machine_of m"
    " JOIN setting s ON s.point = m.number AND s.sweep IN " LAST
    " JOIN axis a ON a.sweep = s.sweep AND a.position = s.axis"
    " UNION ALL SELECT m.digest, NULL, p.path, p.value, p.value FROM machine_of m"
    " JOIN point p ON p.machine = m.digest WHERE " NO_SWEEP ";"
    "CREATE TEMP TABLE axis_i AS SELECT p.path, row_number() OVER (ORDER BY"
    " min(coalesce(a.position, 1000)), p.path) - 1 AS i, min(typeof(p.number) <> 'text') AS numeric"
    " FROM place_i p LEFT JOIN axis a ON a.path = p.path AND a.sweep IN " LAST " GROUP BY p.path;"
    "CREATE TEMP TABLE level_i AS SELECT a.i AS axis, p.path, p.value, row_number() OVER"
    " (PARTITION BY a.i ORDER BY CASE WHEN a.numeric THEN p.number END, p.value) - 1 AS i"
    " FROM (SELECT DISTINCT path, value, number FROM place_i) p JOIN axis_i a USING(path);"
    "CREATE UNIQUE INDEX temp.level_by_value ON level_i(path, value);"
    /* machines: in the sweep's order; without a sweep by their levels, axis by axis, none last */
    "CREATE TEMP TABLE machine_i AS SELECT number, m.digest,"
    " row_number() OVER (ORDER BY number, levels, name, m.digest) - 1 AS i"
    " FROM machine_of m JOIN machine USING(digest) LEFT JOIN (SELECT digest,"
    "  group_concat(10000000000 + coalesce(i, 9999999999), '') AS levels FROM"
    "  (SELECT m.digest, l.i FROM machine_of m JOIN axis_i a LEFT JOIN place_i p"
    "   ON p.digest = m.digest AND p.path = a.path LEFT JOIN level_i l USING(path, value)"
    "   WHERE " NO_SWEEP " ORDER BY m.digest, a.i) GROUP BY digest) USING(digest);"
    "CREATE TEMP TABLE engine_i AS SELECT engine, row_number() OVER (ORDER BY"
    " CASE engine WHEN 'estimate' THEN 0 WHEN 'sample' THEN 1 WHEN 'simulate' THEN 2 ELSE 3 END,"
    " engine) - 1 AS i FROM taken GROUP BY engine;"
    "CREATE TEMP TABLE run_i AS SELECT t.id, row_number() OVER"
    " (ORDER BY m.number, m.digest, t.program, e.i) - 1 AS i, m.i AS machine, t.program, e.i AS "
    "engine FROM taken t"
    " JOIN machine_i m ON m.digest = t.machine JOIN engine_i e ON e.engine = t.engine;"
    "CREATE TEMP VIEW measure AS SELECT run, name, value FROM metric"
    " UNION ALL SELECT run, 'station.' || name || '.utilization', utilization FROM station"
    " UNION ALL SELECT run, 'station.' || name || '.gain', gain FROM station;"
    "CREATE TEMP TABLE metric_i AS SELECT name, row_number() OVER (ORDER BY name) - 1 AS i"
    " FROM measure WHERE run IN (SELECT id FROM run_i) GROUP BY name;"
    "CREATE UNIQUE INDEX temp.metric_by_name ON metric_i(name);"
    "CREATE TEMP TABLE hardware_i AS SELECT id, row_number() OVER (ORDER BY program, device, tool,"
    " file, digest) - 1 AS i FROM hardware;";
