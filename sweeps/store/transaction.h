/* transaction.h - one transaction of several rows: after the first error the remaining steps do
 * nothing, and transaction_finish rolls back. */
#pragma once

#include "sweeps/store/store_internal.h"

struct transaction {
    struct store *store;
    sqlite3_stmt *q;
    int64_t sweep;
    int rc;
};

/* Takes the store's lock; transaction_finish releases it. */
struct transaction transaction_begin(struct store *s, int64_t sweep);
bool transaction_finish(struct transaction *w, struct error *e);
/* Prepares the statement that the following steps use; ?1 is the sweep. */
void transaction_statement(struct transaction *w, const char *sql);
/* a NULL text binds SQL's NULL */
void transaction_text(struct transaction *w, int at, const char *s);
void transaction_whole(struct transaction *w, int at, int64_t v);
void transaction_real(struct transaction *w, int at, double v); /* a NaN binds SQL's NULL */
void transaction_step(struct transaction *w);
/* Runs one separate statement, such as DELETE ... WHERE sweep = ?1. */
void transaction_forget(struct transaction *w, const char *sql);
