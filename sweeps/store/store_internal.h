/* store_internal.h - shared by the store's own files: the connection and its statements.
 *
 * A function that uses the connection must hold the lock (store_put_all takes it itself). */
#pragma once

#include "sweeps/store/metric_columns.h"
#include "sweeps/store/store.h"

#include <pthread.h>
#include <sqlite3.h>

enum statement {
    ADD_MACHINE,
    ADD_PROGRAM,
    ADD_POINT,
    DROP_RUN,
    ADD_RUN,
    ADD_STATION,
    GET_RUN,
    GET_PLACE,
    GET_COLUMNS,
    BEGIN_RUN,
    COMMIT_RUN,
    ROLLBACK_RUN,
    STATEMENTS
};

struct store {
    sqlite3 *db;
    sqlite3_stmt *stmt[STATEMENTS];
    struct metric_columns columns;
    char *path;
    char host[64];
    pthread_mutex_t lock;
};

/* Sets *e to SQLite's message, in the user's terms; returns false. */
bool store_refuse(const struct store *s, int rc, struct error *e);
void store_bind_text(sqlite3_stmt *q, int at, const char *text); /* a NULL text binds SQL's NULL */
/* Steps a statement that returns no rows and resets it; returns SQLITE_OK or the error code. */
int store_run_once(sqlite3_stmt *q);
