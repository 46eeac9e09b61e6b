/* schema.c - see schema.h. */
#include "sweeps/store/schema.h"

#include "sweeps/store/store.h"

static const char version_1[] =
    "CREATE TABLE machine(digest TEXT PRIMARY KEY, name TEXT NOT NULL, config TEXT NOT NULL);"
    "CREATE TABLE program(digest TEXT PRIMARY KEY, name TEXT NOT NULL, spec TEXT NOT NULL);"
    "CREATE TABLE point(machine TEXT NOT NULL REFERENCES machine, path TEXT NOT NULL,"
    " value TEXT NOT NULL, PRIMARY KEY(machine, path)) WITHOUT ROWID;"
    "CREATE TABLE run(id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE,"
    " machine TEXT NOT NULL REFERENCES machine, program TEXT NOT NULL REFERENCES program,"
    " engine TEXT NOT NULL, engine_version INTEGER NOT NULL, calibration TEXT,"
    " calibration_file TEXT, seed INTEGER NOT NULL, settings TEXT NOT NULL,"
    " status TEXT NOT NULL CHECK(status IN ('done', 'failed')), error TEXT,"
    " level REAL, half_width REAL, intervals INTEGER, simulated_share REAL, bottleneck TEXT,"
    " plumb TEXT NOT NULL, host TEXT NOT NULL, host_seconds REAL NOT NULL,"
    " finished TEXT NOT NULL);"
    "CREATE TABLE metric(run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,"
    " name TEXT NOT NULL, value REAL NOT NULL, PRIMARY KEY(run, name)) WITHOUT ROWID;"
    "PRAGMA application_id = 1886154082;"
    "PRAGMA user_version = 1;";

/* The sweep itself: its plan, its answers and the ranking; counters measured on hardware. */
static const char version_2[] =
    "CREATE TABLE station(run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,"
    " position INTEGER NOT NULL, name TEXT NOT NULL, utilization REAL NOT NULL,"
    " queue REAL NOT NULL, latency REAL NOT NULL, gain REAL NOT NULL,"
    " PRIMARY KEY(run, position)) WITHOUT ROWID;"
    "CREATE TABLE sweep(id INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE, file TEXT NOT NULL,"
    " text TEXT NOT NULL, engine TEXT NOT NULL, design TEXT NOT NULL, seed INTEGER NOT NULL,"
    " points INTEGER NOT NULL, plumb TEXT NOT NULL, host TEXT NOT NULL, planned TEXT NOT NULL);"
    "CREATE TABLE axis(sweep INTEGER NOT NULL REFERENCES sweep ON DELETE CASCADE,"
    " position INTEGER NOT NULL, path TEXT NOT NULL, PRIMARY KEY(sweep, position)) WITHOUT ROWID;"
    "CREATE TABLE objective(sweep INTEGER NOT NULL REFERENCES sweep ON DELETE CASCADE,"
    " position INTEGER NOT NULL, name TEXT NOT NULL,"
    " kind TEXT NOT NULL CHECK(kind IN ('metric', 'parameter')),"
    " goal TEXT NOT NULL CHECK(goal IN ('min', 'max')), PRIMARY KEY(sweep, position)) WITHOUT "
    "ROWID;"
    "CREATE TABLE workload(sweep INTEGER NOT NULL REFERENCES sweep ON DELETE CASCADE,"
    " position INTEGER NOT NULL, name TEXT NOT NULL, spec TEXT NOT NULL,"
    " PRIMARY KEY(sweep, position)) WITHOUT ROWID;"
    "CREATE TABLE design(sweep INTEGER NOT NULL REFERENCES sweep ON DELETE CASCADE,"
    " point INTEGER NOT NULL, machine TEXT NOT NULL, PRIMARY KEY(sweep, point)) WITHOUT ROWID;"
    "CREATE TABLE setting(sweep INTEGER NOT NULL REFERENCES sweep ON DELETE CASCADE,"
    " point INTEGER NOT NULL, axis INTEGER NOT NULL, value TEXT NOT NULL,"
    " PRIMARY KEY(sweep, point, axis)) WITHOUT ROWID;"
    "CREATE TABLE task(sweep INTEGER NOT NULL REFERENCES sweep ON DELETE CASCADE,"
    " engine TEXT NOT NULL, point INTEGER NOT NULL, workload INTEGER NOT NULL, key TEXT NOT NULL,"
    " PRIMARY KEY(sweep, engine, point, workload)) WITHOUT ROWID;"
    "CREATE TABLE answer(sweep INTEGER NOT NULL REFERENCES sweep ON DELETE CASCADE,"
    " point INTEGER NOT NULL, workload INTEGER NOT NULL, metric TEXT NOT NULL,"
    " value REAL NOT NULL, log_sd REAL, source TEXT NOT NULL,"
    " PRIMARY KEY(sweep, point, workload, metric)) WITHOUT ROWID;"
    "CREATE TABLE score(sweep INTEGER NOT NULL REFERENCES sweep ON DELETE CASCADE,"
    " point INTEGER NOT NULL, objective INTEGER NOT NULL, value REAL NOT NULL,"
    " low REAL, high REAL, PRIMARY KEY(sweep, point, objective)) WITHOUT ROWID;"
    "CREATE TABLE front(sweep INTEGER NOT NULL REFERENCES sweep ON DELETE CASCADE,"
    " point INTEGER NOT NULL, confirmed INTEGER NOT NULL, PRIMARY KEY(sweep, point)) WITHOUT "
    "ROWID;"
    "CREATE TABLE round(sweep INTEGER NOT NULL REFERENCES sweep ON DELETE CASCADE,"
    " round INTEGER NOT NULL, points INTEGER NOT NULL, runs INTEGER NOT NULL, why TEXT NOT NULL,"
    " error REAL, worst REAL, core_hours REAL NOT NULL, finished TEXT NOT NULL,"
    " PRIMARY KEY(sweep, round)) WITHOUT ROWID;"
    "CREATE TABLE hardware(id INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE, file TEXT NOT "
    "NULL,"
    " tool TEXT NOT NULL, device TEXT NOT NULL, program TEXT NOT NULL, imported TEXT NOT NULL);"
    "CREATE TABLE counter(hardware INTEGER NOT NULL REFERENCES hardware ON DELETE CASCADE,"
    " launch INTEGER NOT NULL, kernel TEXT NOT NULL, name TEXT NOT NULL, metric TEXT,"
    " value REAL NOT NULL, PRIMARY KEY(hardware, launch, name)) WITHOUT ROWID;"
    "CREATE INDEX run_machine ON run(machine, program, engine);"
    "CREATE VIEW result AS SELECT t.sweep, t.point, t.workload, w.name AS program, t.engine,"
    " coalesce(r.status, 'missing') AS status, r.error, r.level, r.half_width, r.intervals,"
    " r.simulated_share, r.bottleneck, r.host_seconds, r.finished, r.id AS run, r.machine"
    " FROM task t JOIN workload w ON w.sweep = t.sweep AND w.position = t.workload"
    " LEFT JOIN run r ON r.key = t.key;"
    "CREATE VIEW value AS SELECT r.sweep, r.point, r.workload, r.program, r.engine, r.run,"
    " m.name AS metric, m.value FROM result r JOIN metric m ON m.run = r.run"
    " WHERE r.status = 'done';"
    "CREATE VIEW place AS SELECT s.sweep, s.point, a.position, a.path, s.value"
    " FROM setting s JOIN axis a ON a.sweep = s.sweep AND a.position = s.axis;"
    "CREATE VIEW progress AS SELECT sweep, engine, count(*) AS planned,"
    " sum(status = 'done') AS done, sum(status = 'failed') AS failed,"
    " sum(status = 'missing') AS missing, sum(host_seconds) AS host_seconds"
    " FROM result GROUP BY sweep, engine;"
    "CREATE VIEW failure AS SELECT sweep, point, program, engine, error, finished"
    " FROM result WHERE status = 'failed';"
    "CREATE VIEW outcome AS SELECT a.sweep, a.point, a.workload, w.name AS program, a.metric,"
    " a.value, a.log_sd, a.source FROM answer a"
    " JOIN workload w ON w.sweep = a.sweep AND w.position = a.workload"
    " UNION ALL SELECT v.sweep, v.point, v.workload, v.program, v.metric, v.value, NULL, v.engine"
    " FROM value v JOIN sweep s ON s.id = v.sweep AND s.engine = v.engine;"
    "CREATE VIEW correlation AS SELECT a.sweep, a.point, a.workload, a.program, a.metric,"
    " a.engine, a.value, b.value AS simulated,"
    " CASE WHEN b.value <> 0 THEN a.value / b.value - 1 END AS error"
    " FROM value a JOIN value b ON b.sweep = a.sweep AND b.point = a.point"
    " AND b.workload = a.workload AND b.metric = a.metric"
    " WHERE b.engine = 'simulate' AND a.engine <> 'simulate';"
    "CREATE VIEW measured AS SELECT h.id AS hardware, h.device, h.program, c.launch, c.kernel,"
    " c.metric, c.name AS counter, c.value FROM counter c JOIN hardware h ON h.id = c.hardware;"
    "PRAGMA user_version = 2;";

/* Measured and simulated programs side by side: counts are summed over the launches, rates and
 * shares averaged. */
static const char version_3[] =
    "CREATE VIEW hardware_correlation AS WITH whole AS (SELECT h.id AS hardware, h.device,"
    " h.program, c.metric, CASE WHEN c.metric LIKE '%rate' OR c.metric LIKE '%utilization'"
    " THEN avg(c.value) ELSE sum(c.value) END AS measured"
    " FROM hardware h JOIN counter c ON c.hardware = h.id WHERE c.metric IS NOT NULL"
    " GROUP BY h.id, c.metric, c.name)"
    " SELECT w.hardware, w.device, v.sweep, v.point, v.program, v.engine, v.metric, w.measured,"
    " v.value, CASE WHEN w.measured <> 0 THEN v.value / w.measured - 1 END AS error"
    " FROM whole w JOIN value v ON v.program = w.program AND v.metric = w.metric;"
    "PRAGMA user_version = 3;";

/* Runs sampled on another run's intervals, and the ratio of the two. */
static const char version_4[] =
    "ALTER TABLE run ADD COLUMN base TEXT;"
    "ALTER TABLE run ADD COLUMN ratio REAL;"
    "ALTER TABLE run ADD COLUMN ratio_half_width REAL;"
    "ALTER TABLE run ADD COLUMN ratio_apart REAL;"
    "CREATE VIEW difference AS SELECT t.sweep, t.point, b.point AS base, t.workload,"
    " w.name AS program, r.ratio, r.ratio_half_width AS half_width,"
    " r.ratio_apart AS half_width_apart FROM task t JOIN run r ON r.key = t.key"
    " JOIN task b ON b.sweep = t.sweep AND b.engine = t.engine AND b.workload = t.workload"
    " AND b.key = r.base JOIN workload w ON w.sweep = t.sweep AND w.position = t.workload"
    " WHERE r.ratio IS NOT NULL;"
    "PRAGMA user_version = 4;";

/* The machines that the sweep file names, before an axis changes them. */
static const char version_5[] =
    "CREATE TABLE base(sweep INTEGER NOT NULL REFERENCES sweep ON DELETE CASCADE,"
    " position INTEGER NOT NULL, machine TEXT NOT NULL REFERENCES machine,"
    " PRIMARY KEY(sweep, position)) WITHOUT ROWID;"
    "PRAGMA user_version = 5;";

/* A rate is averaged, whatever follows in its name. */
static const char version_6[] =
    "DROP VIEW hardware_correlation;"
    "CREATE VIEW hardware_correlation AS WITH whole AS (SELECT h.id AS hardware, h.device,"
    " h.program, c.metric, CASE WHEN c.metric LIKE '%rate%' OR c.metric LIKE '%utilization'"
    " THEN avg(c.value) ELSE sum(c.value) END AS measured"
    " FROM hardware h JOIN counter c ON c.hardware = h.id WHERE c.metric IS NOT NULL"
    " GROUP BY h.id, c.metric, c.name)"
    " SELECT w.hardware, w.device, v.sweep, v.point, v.program, v.engine, v.metric, w.measured,"
    " v.value, CASE WHEN w.measured <> 0 THEN v.value / w.measured - 1 END AS error"
    " FROM whole w JOIN value v ON v.program = w.program AND v.metric = w.metric;"
    "PRAGMA user_version = 6;";

/* Where an estimate lies, and the points that may be better than the best one. */
static const char version_7[] =
    "ALTER TABLE run ADD COLUMN place BLOB;"
    "CREATE TABLE rival(sweep INTEGER NOT NULL REFERENCES sweep ON DELETE CASCADE,"
    " objective INTEGER NOT NULL, point INTEGER NOT NULL, low REAL NOT NULL, high REAL NOT NULL,"
    " PRIMARY KEY(sweep, objective, point)) WITHOUT ROWID;"
    "PRAGMA user_version = 7;";

/* A run's metrics are one row, whose columns metric_columns.c adds as runs bring them; a machine
 * may be the lines in which it differs from another; what a sweep records of its points is kept
 * once. */
static const char version_8[] =
    "CREATE TABLE metric_name(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);"
    "CREATE TABLE metrics(run INTEGER PRIMARY KEY REFERENCES run ON DELETE CASCADE);"
    "ALTER TABLE machine ADD COLUMN base TEXT;"
    "CREATE TABLE lone_point(machine TEXT NOT NULL REFERENCES machine, path TEXT NOT NULL,"
    " value TEXT NOT NULL, PRIMARY KEY(machine, path)) WITHOUT ROWID;"
    "INSERT INTO lone_point SELECT * FROM point;"
    "DROP TABLE point;"
    "CREATE VIEW point AS SELECT machine, path, value FROM lone_point"
    " UNION SELECT d.machine, a.path, s.value FROM design d"
    " JOIN setting s ON s.sweep = d.sweep AND s.point = d.point"
    " JOIN axis a ON a.sweep = s.sweep AND a.position = s.axis;"
    "PRAGMA user_version = 8;";

/* Which points each round of engine auto simulated. */
static const char version_9[] =
    "CREATE TABLE round_point(sweep INTEGER NOT NULL REFERENCES sweep ON DELETE CASCADE,"
    " round INTEGER NOT NULL, point INTEGER NOT NULL, PRIMARY KEY(sweep, round, point))"
    " WITHOUT ROWID;"
    "PRAGMA user_version = 9;";

/* What a file measures of a whole program: counts are summed over its launches, rates averaged.  A
 * rate of accesses is weighted by them, another one by time; where a launch lacks the weight the
 * next one counts (time, cycles), and without any all launches count alike. */
static const char version_10[] =
    "DROP VIEW hardware_correlation;"
    "CREATE VIEW measured_program AS WITH weight(rate, rank, name, metric) AS (VALUES"
    " ('l1.hit_rate', 1, 'accesses', 'l1.accesses'), ('l1.hit_rate', 1, 'accesses', 'l1.reads'),"
    " ('l1.hit_rate', 1, 'accesses', 'l1.writes'),"
    " ('l2.hit_rate_as_ncu', 1, 'accesses', 'l2.reads'),"
    " ('l2.hit_rate_as_ncu', 1, 'accesses', 'l2.writes'),"
    " ('l2.hit_rate_as_rocprof', 1, 'accesses', 'l2.reads'),"
    " ('l2.hit_rate_as_rocprof', 1, 'accesses', 'l2.writes'),"
    " (NULL, 2, 'time', 'time_us'), (NULL, 3, 'cycles', 'cycles')),"
    " amount AS (SELECT hardware, launch, metric, max(value) AS value FROM counter"
    " WHERE metric IS NOT NULL GROUP BY hardware, launch, metric),"
    " rate AS (SELECT *, count(*) OVER (PARTITION BY hardware, name) AS launches FROM counter"
    " WHERE metric LIKE '%rate%' OR metric LIKE '%utilization'),"
    " weighted AS (SELECT r.hardware, r.name, r.launches, r.value, w.rank, w.name AS weight,"
    " sum(a.value) AS amount FROM rate r JOIN weight w ON w.rate = r.metric OR w.rate IS NULL"
    " JOIN amount a ON a.hardware = r.hardware AND a.launch = r.launch AND a.metric = w.metric"
    " GROUP BY r.hardware, r.name, r.launch, w.rank),"
    " mean AS (SELECT hardware, name, rank, weight, sum(value * amount) / sum(amount) AS value"
    " FROM weighted GROUP BY hardware, name, rank"
    " HAVING count(*) = launches AND sum(amount) > 0),"
    " best AS (SELECT hardware, name, min(rank), weight, value FROM mean GROUP BY hardware, name),"
    " whole AS (SELECT hardware, name, metric, metric IS NULL OR metric LIKE '%rate%'"
    " OR metric LIKE '%utilization' AS averaged, avg(value) AS mean, sum(value) AS total"
    " FROM counter GROUP BY hardware, name, metric)"
    " SELECT w.hardware, w.metric, w.name AS counter,"
    " coalesce(b.value, CASE WHEN w.averaged THEN w.mean ELSE w.total END) AS value,"
    " coalesce(b.weight, CASE WHEN w.averaged THEN 'launches' END) AS weight"
    " FROM whole w LEFT JOIN best b ON b.hardware = w.hardware AND b.name = w.name;"
    "CREATE VIEW hardware_correlation AS SELECT w.hardware, h.device, v.sweep, v.point, v.program,"
    " v.engine, v.metric, w.value AS measured, v.value,"
    " CASE WHEN w.value <> 0 THEN v.value / w.value - 1 END AS error, w.weight"
    " FROM measured_program w JOIN hardware h ON h.id = w.hardware"
    " JOIN value v ON v.program = h.program AND v.metric = w.metric;"
    "PRAGMA user_version = 10;";

const char *const schema_step[STORE_SCHEMA] = {version_1, version_2, version_3, version_4,
                                               version_5, version_6, version_7, version_8,
                                               version_9, version_10};
