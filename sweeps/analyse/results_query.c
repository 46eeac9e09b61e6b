/* results_query.c - reads a database's tables row by row; see results_internal.h. */
#include "sweeps/analyse/results_internal.h"

#include "base/text/text.h"
#include "calibration/bank/stored_rows.h"

#include <math.h>
#include <string.h>

bool results_refuse(const struct results_reading *x)
{
    return error_run(x->e, "%s: %s", x->path, sqlite3_errmsg(x->db));
}

bool results_each(struct results_reading *x, const char *sql, results_row_fn *fn)
{
    sqlite3_stmt *q = NULL;
    int rc = sqlite3_prepare_v2(x->db, sql, -1, &q, NULL);
    uint32_t row = 0;
    bool ok = rc == SQLITE_OK;
    while (ok && (rc = sqlite3_step(q)) == SQLITE_ROW)
        ok = fn(x, q, row++) || error_no_memory(x->e);
    if (ok && rc != SQLITE_DONE) ok = results_refuse(x);
    if (!q) ok = results_refuse(x);
    sqlite3_finalize(q);
    return ok;
}

/* The first column of the first row. */
static bool read_count(struct results_reading *x, sqlite3_stmt *q, uint32_t row)
{
    (void)row;
    x->counted = (uint64_t)sqlite3_column_int64(q, 0);
    return true;
}

bool results_count(struct results_reading *x, const char *sql, uint64_t *n)
{
    bool ok = results_each(x, sql, read_count);
    *n = x->counted;
    return ok;
}

bool results_table(struct results_reading *x, const char *sql, void *array, uint32_t *n,
                   size_t size, results_row_fn *fn)
{
    struct text count = {0};
    uint64_t rows = 0;
    text_add(&count, "SELECT count(*) FROM (%s)", sql);
    bool ok = count.failed ? error_no_memory(x->e) : results_count(x, text_str(&count), &rows);
    text_fini(&count);
    if (!ok) return false;
    if (rows > RESULTS_RUNS_MAX)
        return error_input(x->e, "%s: more than %d results; a report takes no more", x->path,
                           RESULTS_RUNS_MAX);
    *n = (uint32_t)rows;
    void *space = arena_new(&x->r->arena, rows ? rows : 1, size);
    if (!space) return error_no_memory(x->e);
    memcpy(array, &space, sizeof space);
    return results_each(x, sql, fn);
}

const char *results_copy(struct results_reading *x, sqlite3_stmt *q, int column)
{
    const char *s = (const char *)sqlite3_column_text(q, column);
    return s ? arena_strdup(&x->r->arena, s) : NULL;
}

const char *results_config(struct results_reading *x, sqlite3_stmt *q, int column)
{
    struct text config = {0};
    int rc;
    bool sound = stored_machine_add(x->db, (const char *)sqlite3_column_text(q, column),
                                    (const char *)sqlite3_column_text(q, column + 1), &config, &rc);
    const char *s =
        rc == SQLITE_NOMEM ? NULL : arena_strdup(&x->r->arena, sound ? text_str(&config) : "");
    text_fini(&config);
    return s;
}

double results_number(sqlite3_stmt *q, int column)
{
    return sqlite3_column_type(q, column) == SQLITE_NULL ? NAN : sqlite3_column_double(q, column);
}
