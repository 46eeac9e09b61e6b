/* study_tables.h - fills the tables of a study from databases of sweeps or from CSV files. */
#pragma once

#include "base/error.h"

#include <sqlite3.h>
#include <stdbool.h>

/* Fills table `name` of db from folder/name.db and the sweep file configs/sweeps/name.cfg, or from
 * folder/name.csv.  columns: metrics, separated by blanks. */
bool study_table(sqlite3 *db, const char *study, const char *name, const char *columns,
                 const char *folder, struct error *e);
