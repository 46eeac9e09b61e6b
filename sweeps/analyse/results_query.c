/* results_query.c - reads a database's tables row by row; see results_internal.h. */
#include "sweeps/analyse/results_internal.h"

#include <math.h>

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

const char *results_copy(struct results_reading *x, sqlite3_stmt *q, int column)
{
    const char *s = (const char *)sqlite3_column_text(q, column);
    return s ? arena_strdup(&x->r->arena, s) : NULL;
}

double results_number(sqlite3_stmt *q, int column)
{
    return sqlite3_column_type(q, column) == SQLITE_NULL ? NAN : sqlite3_column_double(q, column);
}
