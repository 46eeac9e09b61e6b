/* bank_schema.c - see bank_schema.h. */
#include "calibration/bank/bank_schema.h"

#include "calibration/bank/bank_internal.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* In the order of their names; the table behind AUTOINCREMENT, which SQLite makes, is the last. */
static const char *const table[] = {
    "CREATE TABLE estimates(id INTEGER PRIMARY KEY, run INTEGER NOT NULL, version TEXT NOT NULL,"
    " keys INTEGER NOT NULL, estimated BLOB NOT NULL, features BLOB NOT NULL, sum INTEGER NOT NULL,"
    " UNIQUE(run, version))",
    "CREATE TABLE keys(id INTEGER PRIMARY KEY AUTOINCREMENT, digest BLOB NOT NULL UNIQUE,"
    " names TEXT NOT NULL)",
    "CREATE TABLE machines(id INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE, name TEXT NOT NULL,"
    " preset TEXT NOT NULL, base INTEGER, bytes INTEGER NOT NULL, config BLOB NOT NULL,"
    " sum INTEGER NOT NULL)",
    "CREATE INDEX machines_name ON machines(name) WHERE base IS NULL",
    "CREATE TABLE programs(id INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE, name TEXT NOT NULL,"
    " used INTEGER NOT NULL)",
    "CREATE TABLE runs(id INTEGER PRIMARY KEY AUTOINCREMENT, program INTEGER NOT NULL,"
    " machine INTEGER NOT NULL, engine TEXT NOT NULL, version INTEGER NOT NULL,"
    " log_sd REAL NOT NULL, keys INTEGER NOT NULL, simulated BLOB NOT NULL, sum INTEGER NOT NULL,"
    " UNIQUE(program, machine, engine, version))",
    "CREATE INDEX runs_machine ON runs(machine)",
    "CREATE INDEX runs_program ON runs(program)",
    "CREATE TABLE sqlite_sequence(name,seq)",
};
enum { TABLES = sizeof table / sizeof *table };

/* Whether the file has these tables and no others; the indices of UNIQUE have no text. */
static int compare_tables(sqlite3 *db, bool *same)
{
    sqlite3_stmt *q = NULL;
    size_t n = 0;
    int rc = sqlite3_prepare_v2(
        db, "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name LIMIT 64", -1, &q,
        NULL);
    *same = true;
    while (rc == SQLITE_OK && sqlite3_step(q) == SQLITE_ROW) {
        const char *text = (const char *)sqlite3_column_text(q, 0);
        *same = *same && text && n < TABLES && strcmp(text, table[n]) == 0;
        n++;
    }
    int end = sqlite3_finalize(q);
    *same = *same && n == TABLES;
    return rc == SQLITE_OK ? end : rc;
}

static int make_tables(sqlite3 *db)
{
    char stamp[96];
    int rc = sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    int64_t there = 0;
    if (rc == SQLITE_OK) rc = bank_number(db, "SELECT count(*) FROM sqlite_master", &there);
    /* another process may have made them meanwhile */
    for (size_t i = 0; rc == SQLITE_OK && there == 0 && i + 1 < TABLES; i++)
        rc = sqlite3_exec(db, table[i], NULL, NULL, NULL);
    snprintf(stamp, sizeof stamp, "PRAGMA application_id = %d; PRAGMA user_version = %d",
             BANK_APPLICATION_ID, BANK_SCHEMA);
    if (rc == SQLITE_OK && there == 0) rc = sqlite3_exec(db, stamp, NULL, NULL, NULL);
    if (rc == SQLITE_OK) rc = sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
    if (rc != SQLITE_OK) sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    return rc;
}

static int refuse_schema(const char *path, int64_t id, int64_t version, struct error *e)
{
    if (id != BANK_APPLICATION_ID)
        error_input(e, "%s: a database, but no bank of plumb's; name another file", path);
    else if (version != BANK_SCHEMA)
        error_input(e,
                    "%s: a bank of schema version %d, this plumb reads version %d; name another "
                    "file, or move it away",
                    path, (int)version, BANK_SCHEMA);
    else
        error_input(e, "%s: its tables are not those of a bank; move it away", path);
    return SQLITE_MISMATCH;
}

int bank_schema_check(sqlite3 *db, const char *path, bool make, struct error *e)
{
    int64_t id = 0, version = 0, tables = 0;
    bool same = false;
    int rc = bank_number(db, "SELECT count(*) FROM sqlite_master", &tables);
    if (rc == SQLITE_OK && tables == 0 && make) rc = make_tables(db);
    if (rc == SQLITE_OK) rc = bank_number(db, "PRAGMA application_id", &id);
    if (rc == SQLITE_OK) rc = bank_number(db, "PRAGMA user_version", &version);
    if (rc != SQLITE_OK) return rc;
    if (id != BANK_APPLICATION_ID || version != BANK_SCHEMA)
        return refuse_schema(path, id, version, e);
    rc = compare_tables(db, &same);
    return rc != SQLITE_OK ? rc : same ? SQLITE_OK : refuse_schema(path, id, version, e);
}
