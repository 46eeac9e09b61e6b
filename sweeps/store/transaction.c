/* transaction.c - see transaction.h. */
#include "sweeps/store/transaction.h"

void transaction_statement(struct transaction *w, const char *sql)
{
    sqlite3_finalize(w->q);
    w->q = NULL;
    if (w->rc == SQLITE_OK) w->rc = sqlite3_prepare_v2(w->store->db, sql, -1, &w->q, NULL);
    if (w->rc == SQLITE_OK) sqlite3_bind_int64(w->q, 1, w->sweep);
}

void transaction_text(struct transaction *w, int at, const char *s)
{
    if (w->rc == SQLITE_OK) store_bind_text(w->q, at, s);
}

void transaction_whole(struct transaction *w, int at, int64_t v)
{
    if (w->rc == SQLITE_OK) sqlite3_bind_int64(w->q, at, v);
}

void transaction_real(struct transaction *w, int at, double v)
{
    if (w->rc == SQLITE_OK) sqlite3_bind_double(w->q, at, v); /* it turns a NaN into NULL */
}

void transaction_step(struct transaction *w)
{
    if (w->rc != SQLITE_OK) return;
    int rc = sqlite3_step(w->q);
    sqlite3_reset(w->q);
    if (rc != SQLITE_DONE && rc != SQLITE_ROW) w->rc = rc;
}

void transaction_forget(struct transaction *w, const char *sql)
{
    transaction_statement(w, sql);
    transaction_step(w);
}

struct transaction transaction_begin(struct store *s, int64_t sweep)
{
    struct transaction w = {.store = s, .sweep = sweep};
    pthread_mutex_lock(&s->lock);
    w.rc = store_run_once(s->stmt[BEGIN_RUN]);
    return w;
}

bool transaction_finish(struct transaction *w, struct error *e)
{
    struct store *s = w->store;
    sqlite3_finalize(w->q);
    if (w->rc == SQLITE_OK) w->rc = store_run_once(s->stmt[COMMIT_RUN]);
    bool ok = w->rc == SQLITE_OK || store_refuse(s, w->rc, e);
    if (!ok) store_run_once(s->stmt[ROLLBACK_RUN]);
    pthread_mutex_unlock(&s->lock);
    return ok;
}
