/* merge.c - see merge.h. */
#include "sweeps/store/merge.h"

#include "sweeps/store/store_internal.h"

#include <sys/stat.h>

#define RUN_COLUMNS                                                                           \
    "key, machine, program, engine, engine_version, calibration, calibration_file, seed, "    \
    "settings,"                                                                               \
    " status, error, level, half_width, intervals, simulated_share, bottleneck, plumb, host," \
    " host_seconds, base, ratio, ratio_half_width, ratio_apart, place, finished"

/* Steps of the transaction; the table `fresh` lists the runs to copy.  The first write takes the
 * output alone: BEGIN IMMEDIATE would take the shard, too, whose worker may be writing to it. */
static const char *const steps[] = {
    "BEGIN",
    "DELETE FROM main.run WHERE key IS NULL",
    "CREATE TEMP TABLE fresh AS SELECT s.id, s.key FROM shard.run s LEFT JOIN main.run m"
    " ON m.key = s.key WHERE m.key IS NULL OR (m.status = 'failed' AND s.status = 'done')",
    "INSERT OR IGNORE INTO main.machine SELECT * FROM shard.machine",
    "INSERT OR IGNORE INTO main.program SELECT * FROM shard.program",
    "INSERT OR IGNORE INTO main.lone_point SELECT * FROM shard.point",
    "DELETE FROM main.run WHERE key IN (SELECT key FROM fresh)",
    "INSERT INTO main.run(" RUN_COLUMNS ") SELECT " RUN_COLUMNS
    " FROM shard.run WHERE id IN (SELECT id FROM fresh) ORDER BY id",
    "INSERT INTO main.station SELECT r.id, t.position, t.name, t.utilization, t.queue, t.latency,"
    " t.gain FROM fresh f JOIN main.run r ON r.key = f.key JOIN shard.station t ON t.run = f.id",
};
enum { STEPS = sizeof steps / sizeof steps[0] };

/* Rows that are copied belong together as they did; many shards share one write of the output's WAL
 * (64 MB of it) into its file. */
static const char before[] = "PRAGMA foreign_keys = OFF; PRAGMA wal_autocheckpoint = 16384";

static int count_rows(struct store *s, const char *sql, uint64_t *v)
{
    sqlite3_stmt *q = NULL;
    int rc = sqlite3_prepare_v2(s->db, sql, -1, &q, NULL);
    if (rc == SQLITE_OK) rc = sqlite3_step(q);
    if (rc == SQLITE_ROW) *v = (uint64_t)sqlite3_column_int64(q, 0);
    sqlite3_finalize(q);
    return rc == SQLITE_ROW ? SQLITE_OK : rc;
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Reports SQLite's error; names the shard where only the shard can be the cause. */
static bool refuse_merge(const struct store *into, const char *from, int rc, struct error *e)
{
    int kind = rc & 0xff;
    if (kind == SQLITE_CANTOPEN || kind == SQLITE_READONLY)
        return error_input(e,
                           "%s: cannot be read; SQLite writes beside it: copy it to a directory "
                           "that you may write to",
                           from);
    return store_refuse(into, rc, e);
}

static int attach_shard(struct store *s, const char *from)
{
    sqlite3_stmt *q = NULL;
    int rc = sqlite3_prepare_v2(s->db, "ATTACH ?1 AS shard", -1, &q, NULL);
    if (rc != SQLITE_OK) return rc;
    store_bind_text(q, 1, from);
    rc = sqlite3_step(q);
    sqlite3_finalize(q);
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

static int take_rows(struct store *s, struct merge_result *r)
{
    uint64_t all = 0;
    int rc = sqlite3_exec(s->db, before, NULL, NULL, NULL);
    for (int i = 0; i < STEPS && rc == SQLITE_OK; i++)
        rc = sqlite3_exec(s->db, steps[i], NULL, NULL, NULL);
    if (rc == SQLITE_OK) rc = metric_columns_copy(s->db);
    if (rc == SQLITE_OK) rc = count_rows(s, "SELECT count(*) FROM fresh", &r->taken);
    if (rc == SQLITE_OK) rc = count_rows(s, "SELECT count(*) FROM shard.run", &all);
    if (rc == SQLITE_OK) rc = sqlite3_exec(s->db, "DROP TABLE fresh; COMMIT", NULL, NULL, NULL);
    if (rc != SQLITE_OK) sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    sqlite3_exec(s->db, "PRAGMA foreign_keys = ON", NULL, NULL, NULL);
    r->known = all - r->taken;
    return rc;
}

bool merge_database(struct store *into, const char *from, struct merge_result *r, struct error *e)
{
    *r = (struct merge_result){0};
    if (is_same_file(into->path, from))
        return error_input(e, "%s: is the output itself; name its shards", from);
    struct store *check = store_open(from, false, e);
    if (!check) return false;
    store_close(check);
    pthread_mutex_lock(&into->lock);
    int rc = attach_shard(into, from);
    bool ok = rc == SQLITE_OK;
    if (ok) {
        rc = take_rows(into, r);
        ok = rc == SQLITE_OK;
    }
    if (!ok) refuse_merge(into, from, rc, e); /* before DETACH, which would change the message */
    sqlite3_exec(into->db, "DETACH shard", NULL, NULL, NULL);
    pthread_mutex_unlock(&into->lock);
    return ok;
}
