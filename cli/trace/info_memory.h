/* info_memory.h - prints the sections of plumb trace info about memory, and the table rows that all
 * sections share. */
#pragma once

#include "cli/print/grid.h"
#include "cli/trace/info.h"

enum { INFO_ROWS_MOST = 12 };

struct kernel_row {
    const struct kernel_summary *s;
    const struct character_kernel *c;
    const struct kernel_pages *pages;
    const struct info *i;
};
typedef void row_fn(struct grid *g, const struct kernel_row *r);

/* info_kernel_rows: prints a row per kernel, and one for the whole program if there are several. */
void info_kernel_rows(struct text *out, const struct info *i, const char *heads, row_fn *row);
void info_name_cell(struct grid *g, const struct kernel_row *r);

void info_coalescing(struct text *out, const struct info *i);
void info_footprint(struct text *out, const struct info *i);
void info_reuse(struct text *out, const struct info *i);
void info_rows(struct text *out, const struct info *i);
void info_sharing(struct text *out, const struct info *i);
void info_pages(struct text *out, const struct info *i);
void info_dependence(struct text *out, const struct info *i);
void info_registers(struct text *out, const struct info *i);
