/* transaction.c - see transaction.h. */
#include "sweeps/store/transaction.h"

void entry_statement(struct entry *w, const char *sql)
{
    sqlite3_finalize(w->q);
    w->q = NULL;
    if (w->rc == SQLITE_OK) w->rc = sqlite3_prepare_v2(w->store->db, sql, -1, &w->q, NULL);
    if (w->rc == SQLITE_OK) sqlite3_bind_int64(w->q, 1, w->sweep);
}

void entry_text(struct entry *w, int at, const char *s)
{
    if (w->rc == SQLITE_OK) store_bind_text(w->q, at, s);
}

void entry_whole(struct entry *w, int at, int64_t v)
{
    if (w->rc == SQLITE_OK) sqlite3_bind_int64(w->q, at, v);
}

void entry_real(struct entry *w, int at, double v)
{
    if (w->rc == SQLITE_OK) sqlite3_bind_double(w->q, at, v); /* which makes a NaN a NULL */
}

void entry_step(struct entry *w)
{
    if (w->rc != SQLITE_OK) return;
    int rc = sqlite3_step(w->q);
    sqlite3_reset(w->q);
    if (rc != SQLITE_DONE && rc != SQLITE_ROW) w->rc = rc;
}

void entry_forget(struct entry *w, const char *sql)
{
    entry_statement(w, sql);
    entry_step(w);
}

struct entry entry_begin(struct store *s, int64_t sweep)
{
    struct entry w = {.store = s, .sweep = sweep};
    pthread_mutex_lock(&s->lock);
    w.rc = store_run_once(s->stmt[BEGIN_RUN]);
    return w;
}

bool entry_finish(struct entry *w, struct error *e)
{
    struct store *s = w->store;
    sqlite3_finalize(w->q);
    if (w->rc == SQLITE_OK) w->rc = store_run_once(s->stmt[COMMIT_RUN]);
    bool ok = w->rc == SQLITE_OK || store_refuse(s, w->rc, e);
    if (!ok) store_run_once(s->stmt[ROLLBACK_RUN]);
    pthread_mutex_unlock(&s->lock);
    return ok;
}
