/* stored_rows.c - see stored_rows.h. */
#include "calibration/bank/stored_rows.h"

#include "base/memory/alloc.h"
#include "base/text/line_change.h"
#include "gpu/metrics/metrics.h"

#include <string.h>

/* A base may differ from another machine itself; more steps than these lead in a circle. */
enum { BASES_MAX = 32 };

static bool add_at(sqlite3 *db, const char *config, const char *base, int depth, struct text *out,
                   int *rc)
{
    struct text like = {0};
    sqlite3_stmt *q = NULL;
    if (!config || depth > BASES_MAX) return false;
    if (!base) {
        text_add_bytes(out, config, strlen(config));
        return true;
    }
    *rc =
        sqlite3_prepare_v2(db, "SELECT config, base FROM machine WHERE digest = ?1", -1, &q, NULL);
    if (*rc == SQLITE_OK) {
        sqlite3_bind_text(q, 1, base, -1, SQLITE_TRANSIENT);
        int step = sqlite3_step(q);
        if (step != SQLITE_ROW && step != SQLITE_DONE) *rc = step;
    }
    bool ok = *rc == SQLITE_OK &&
              add_at(db, (const char *)sqlite3_column_text(q, 0),
                     (const char *)sqlite3_column_text(q, 1), depth + 1, &like, rc) &&
              line_change_apply(text_str(&like), config, out);
    if (like.failed) *rc = SQLITE_NOMEM;
    sqlite3_finalize(q);
    text_fini(&like);
    return ok && *rc == SQLITE_OK;
}

bool stored_machine_add(sqlite3 *db, const char *config, const char *base, struct text *out,
                        int *rc)
{
    *rc = SQLITE_OK;
    bool ok = add_at(db, config, base, 0, out, rc);
    if (out->failed) *rc = SQLITE_NOMEM;
    return ok && *rc == SQLITE_OK;
}

/* --- metrics --- */

/* The text of the query's first row, to be freed with sqlite3_free; NULL: no row, or SQL's NULL. */
static char *first_text(sqlite3 *db, const char *query, int *rc)
{
    sqlite3_stmt *q = NULL;
    char *s = NULL;
    *rc = sqlite3_prepare_v2(db, query, -1, &q, NULL);
    if (*rc == SQLITE_OK) *rc = sqlite3_step(q);
    const char *text = *rc == SQLITE_ROW ? (const char *)sqlite3_column_text(q, 0) : NULL;
    if (text) s = sqlite3_mprintf("%s", text);
    if (*rc == SQLITE_ROW || *rc == SQLITE_DONE) *rc = text && !s ? SQLITE_NOMEM : SQLITE_OK;
    sqlite3_finalize(q);
    return s;
}

int stored_rows_execute(sqlite3 *db, const char *query)
{
    int rc;
    char *sql = first_text(db, query, &rc);
    if (rc == SQLITE_OK && sql) rc = sqlite3_exec(db, sql, NULL, NULL, NULL);
    sqlite3_free(sql);
    return rc;
}

int stored_rows_prepare(sqlite3 *db, const char *query, sqlite3_stmt **q)
{
    int rc;
    char *sql = first_text(db, query, &rc);
    if (rc == SQLITE_OK)
        rc = sql ? sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, q, NULL)
                 : SQLITE_CORRUPT;
    sqlite3_free(sql);
    return rc;
}

#define COLUMNS "(SELECT name FROM metric_name ORDER BY id)"
#define ROWS "(SELECT DISTINCT name FROM metric ORDER BY name)"

static const char *const names[] = {"SELECT name FROM " COLUMNS, "SELECT name FROM " ROWS};
static const char *const selection[] = {
    "SELECT 'SELECT ' || group_concat('\"' || replace(name, '\"', '\"\"') || '\"') ||"
    " ' FROM metrics WHERE run = ?1' FROM " COLUMNS,
    "SELECT 'SELECT ' || group_concat('(SELECT value FROM metric WHERE run = ?1 AND name = ' ||"
    " quote(name) || ')') FROM " ROWS};

int stored_metrics_open(struct stored_metrics *m, sqlite3 *db, bool in_rows)
{
    sqlite3_stmt *q = NULL;
    size_t cap = 0;
    *m = (struct stored_metrics){0};
    int rc = sqlite3_prepare_v2(db, names[in_rows], -1, &q, NULL);
    while (rc == SQLITE_OK && (rc = sqlite3_step(q)) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(q, 0);
        bool room = mem_grow(&m->key, &cap, m->n + 1, sizeof *m->key);
        if (room) m->key[m->n++] = name ? metrics_key_index(name) : METRICS_KEYS_MAX;
        rc = room ? SQLITE_OK : SQLITE_NOMEM;
    }
    sqlite3_finalize(q);
    if (rc == SQLITE_DONE)
        rc = m->n ? stored_rows_prepare(db, selection[in_rows], &m->get) : SQLITE_OK;
    return rc;
}

void stored_metrics_close(struct stored_metrics *m)
{
    mem_free(m->key);
    sqlite3_finalize(m->get);
    *m = (struct stored_metrics){0};
}

int stored_metrics_read(const struct stored_metrics *m, int64_t run, const bool *wanted,
                        double *value, bool *has)
{
    if (!m->get) return SQLITE_OK;
    sqlite3_bind_int64(m->get, 1, run);
    int rc = sqlite3_step(m->get);
    for (uint32_t i = 0; i < m->n && rc == SQLITE_ROW; i++) {
        uint32_t key = m->key[i];
        if (!wanted[key] || sqlite3_column_type(m->get, (int)i) == SQLITE_NULL) continue;
        has[key] = true;
        value[key] = sqlite3_column_double(m->get, (int)i);
    }
    sqlite3_reset(m->get);
    return rc == SQLITE_ROW || rc == SQLITE_DONE ? SQLITE_OK : rc;
}
