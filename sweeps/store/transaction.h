/* transaction.h - one transaction of several rows: after the first fault everything else is left
 * out, and entry_finish rolls back. */
#ifndef PLUMB_SWEEPS_STORE_TRANSACTION_H
#define PLUMB_SWEEPS_STORE_TRANSACTION_H

#include "sweeps/store/store_internal.h"

struct entry {
    struct store *store;
    sqlite3_stmt *q;
    int64_t sweep;
    int rc;
};

/* Takes the store's lock until entry_finish. */
struct entry entry_begin(struct store *s, int64_t sweep);
bool entry_finish(struct entry *w, struct error *e);
/* The statement of the following steps; ?1 is the sweep. */
void entry_statement(struct entry *w, const char *sql);
void entry_text(struct entry *w, int at, const char *s); /* NULL: NULL */
void entry_whole(struct entry *w, int at, int64_t v);
void entry_real(struct entry *w, int at, double v); /* NaN: NULL */
void entry_step(struct entry *w);
/* A statement of its own, such as DELETE ... WHERE sweep = ?1. */
void entry_forget(struct entry *w, const char *sql);

#endif
