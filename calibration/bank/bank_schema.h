/* bank_schema.h - the tables of a bank.
 *
 *   machines   a machine's configuration, packed; base: the row of a machine of the same name with
 *              which it is packed, NULL: alone
 *   programs   used: when a run of it was last put or found, seconds since 1970
 *   keys       lists of metrics, one name a line: rows of other versions of plumb stay readable
 *   runs       simulated: the metrics (bank_blob.c)
 *   estimates  of the run's program and machine
 * Digests are 16 bytes, the most significant first; the columns `sum` are checksums. */
#pragma once

#include "base/error.h"

#include <sqlite3.h>

enum { BANK_APPLICATION_ID = 1886151275 }; /* "plbk" */

/* Makes the tables in an empty file, or checks that they are those of this version and that
 * nothing else is there: a file with views or triggers, or with tables of another shape, is
 * refused.  SQLITE_OK; SQLITE_MISMATCH: another schema, or no bank, with *e; else an error of
 * SQLite. */
int bank_schema_check(sqlite3 *db, const char *path, bool make, struct error *e);
