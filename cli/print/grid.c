/* grid.c - see grid.h. */
#include "cli/print/grid.h"

#include "base/memory/alloc.h"
#include "cli/print/table.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static char *next_cell(struct grid *g)
{
    if (!mem_grow(&g->cell, &g->cap, g->n + 1, sizeof *g->cell)) {
        g->failed = true;
        return NULL;
    }
    return g->cell[g->n++];
}

void grid_start(struct grid *g, const char *heads)
{
    *g = (struct grid){0};
    for (const char *at = heads;; at++) {
        size_t n = strcspn(at, "|");
        grid_add(g, "%.*s", (int)n, at);
        g->columns++;
        at += n;
        if (*at == '\0') return;
    }
}

void grid_add(struct grid *g, const char *fmt, ...)
{
    va_list args;
    char *cell = next_cell(g);
    if (!cell) return;
    va_start(args, fmt);
    vsnprintf(cell, GRID_CELL, fmt, args);
    va_end(args);
}

void grid_count(struct grid *g, double v)
{
    char s[NUMBER_MAX];
    table_number_text(v, "", s);
    grid_add(g, "%s", s);
}

void grid_share(struct grid *g, double a, double b)
{
    if (b > 0)
        grid_add(g, "%.1f %%", 100 * a / b);
    else
        grid_add(g, "-");
}

void grid_ratio(struct grid *g, double a, double b)
{
    if (b > 0)
        grid_add(g, "%.2f", a / b);
    else
        grid_add(g, "-");
}

void grid_bytes(struct grid *g, double v)
{
    static const char *const prefix[] = {"B", "KB", "MB", "GB", "TB"};
    unsigned p = 0;
    for (; v >= 1024 && p < 4; p++)
        v /= 1024;
    grid_add(g, "%.4g %s", v, prefix[p]);
}

void grid_spark(struct grid *g, const double *v, uint32_t n, double most)
{
    static const char *const bar[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    char *cell = next_cell(g);
    size_t at = 0;
    if (!cell) return;
    for (uint32_t i = 0; i < n && at + 4 < GRID_CELL; i++) {
        double share = most > 0 ? v[i] / most : 0;
        unsigned level = share <= 0 ? 0 : share >= 1 ? 8 : 1 + (unsigned)(share * 8);
        if (level > 8) level = 8;
        size_t length = strlen(bar[level]);
        memcpy(cell + at, bar[level], length + 1);
        at += length;
    }
}

void grid_print(struct grid *g, struct text *out)
{
    const char **at = mem_new(g->n, sizeof *at);
    for (size_t i = 0; at && i < g->n; i++)
        at[i] = g->cell[i];
    if (at && !g->failed)
        table_cells(out, at, (uint32_t)(g->n / g->columns), g->columns);
    else
        out->failed = true;
    mem_free(at);
    mem_free(g->cell);
}
