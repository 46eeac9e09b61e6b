/* study_tables.h - the tables of a study, filled from databases of sweeps or from kept figures. */
#ifndef PLUMB_SWEEPS_EVIDENCE_STUDY_TABLES_H
#define PLUMB_SWEEPS_EVIDENCE_STUDY_TABLES_H

#include "base/error.h"

#include <sqlite3.h>
#include <stdbool.h>

/* Table `name` of db: from folder/name.db and the sweep file configs/sweeps/name.cfg, or from
 * folder/name.csv.  columns: metrics, apart by blanks. */
bool study_table(sqlite3 *db, const char *study, const char *name, const char *columns,
                 const char *folder, struct error *e);

#endif
