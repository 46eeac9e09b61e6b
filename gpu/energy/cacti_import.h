/* cacti_import.h - imports the user's own CACTI runs as a table. CACTI appends a line per run to
 * out.csv, whose columns are found by name. The file records neither the tags' figures separately,
 * nor how the cache looks up, nor the line size: the bus width is taken as the line size, and a
 * table made from it charges every look-up as a whole access. A file that is already a table is
 * checked and rewritten. Source: CACTI 6.5 and 7. */
#pragma once

#include "base/text/text.h"
#include "gpu/energy/sram_table.h"

struct import_options {
    const char *structure; /* the structure that the rows describe: "cache" */
    enum sram_mode mode;   /* how they look up; fully associative rows (0 ways) are cache_fa */
};

/* Translates `text` of file `name` to a table; false: *e names file and line. */
bool cacti_import(struct sram_table *t, const char *name, const char *text,
                  const struct import_options *o, struct error *e);
/* The table as a file that sram_table_load reads back. */
void sram_table_write(const struct sram_table *t, struct text *out);
