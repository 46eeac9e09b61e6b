/* schema.h - the tables and views of a result database; docs/guide/database.md describes them. */
#pragma once

enum {
    STORE_APPLICATION_ID = 0x706c6d62, /* "plmb" */
    SCHEMA_OF_COLUMNS = 8              /* since then metrics are columns (metric_columns.h) */
};

/* schema_step[v] takes a database from version v to v + 1; step 0 starts with an empty file.  Each
 * step sets PRAGMA user_version at its end and runs inside the caller's transaction. */
extern const char *const schema_step[];
