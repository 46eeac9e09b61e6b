/* kept_rows.h - the rows of large tables, kept in the cache folder: to parse a table takes longer
 * than an estimate.
 *
 * A file holds the rows as they lie in memory, under the digest of the table's text; it is checked,
 * and ignored if it does not fit.  Without a cache folder tables are parsed each time. */
#pragma once

#include "base/text/digest.h"
#include "gpu/energy/sram_table.h"

/* false: there are none. */
bool kept_rows_find(struct sram_table *t, const char *path, struct digest text);
void kept_rows_store(const struct sram_table *t, struct digest text);
