/* hardware_details.c - reads what `ncu PROGRAM` prints: its details page, as text.
 *
 * Each kernel has a line "NAME (GRID)x(BLOCK), Context 1, Stream 7, Device 0, CC 8.6" (older
 * versions print a time instead of grid and block); below it are sections, each with a table
 *     -------------- ----------- ------------
 *     Metric Name    Metric Unit Metric Value
 *     -------------- ----------- ------------
 *     Elapsed Cycles       cycle   33,013,637
 *     -------------- ----------- ------------
 * whose columns are as wide as the dashes.  Other tables, charts and the rules' advice are skipped.
 *
 * Source: Nsight Compute CLI, "Output Pages" (details) and samples of its output. */
#include "sweeps/hardware/hardware_internal.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { COLUMNS = 3, AWAITED = 1, INSIDE = 2 };

struct details {
    struct hardware_reading *r;
    const char *kernel;
    size_t from[COLUMNS], to[COLUMNS]; /* to: one past the last dash */
    bool marking;                      /* only look at the marks of the numbers */
    int table; /* 0: outside any table; AWAITED: the heading comes next; INSIDE: in the rows */
};

static const struct hardware_layout details = {.tool = PROFILER_NCU, .tool_name = "ncu"};

bool hardware_is_details(const char *text)
{
    const char *kernel = strstr(text, ", Context ");
    return kernel && strstr(kernel, "Section: ") && strstr(kernel, "Metric Value\n");
}

/* --- a kernel's line ---------------------------------------------------------------------------
 */

/* The name ends before the grid, else before the time, else before the context. */
static const char *end_of_name(const char *line, const char *context)
{
    const char *grid = NULL, *time = NULL;
    for (const char *s = line; s < context; s++) {
        if (strncmp(s, ")x(", 3) == 0)
            for (grid = s; grid > line && *grid != '('; grid--) {
            }
        if (strncmp(s, ", 20", 4) == 0 && isdigit((unsigned char)s[4])) time = s;
    }
    const char *end = grid ? grid : time ? time : context;
    while (end > line && isspace((unsigned char)end[-1]))
        end--;
    return end;
}

static bool kernel_line(struct details *d, char *line, const char *context)
{
    struct hardware *h = d->r->h;
    const char *device = strstr(context, ", CC ");
    while (isspace((unsigned char)*line))
        line++;
    line[end_of_name(line, context) - line] = '\0';
    d->kernel = arena_strdup(&h->arena, line);
    d->table = 0;
    d->r->launch = h->launches++;
    if (device && !*h->device) h->device = arena_strdup(&h->arena, device + 2);
    return (d->kernel && h->device) || error_no_memory(d->r->e);
}

/* --- tables ------------------------------------------------------------------------------------
 */

/* Whether the line is a rule, three groups of dashes, and where its columns lie. */
static bool read_rule(struct details *d, const char *line)
{
    uint32_t n = 0;
    size_t from[COLUMNS], to[COLUMNS];
    if (line[strspn(line, " -")] != '\0' || !strchr(line, '-')) return false;
    for (size_t at = strspn(line, " "); line[at] != '\0'; at += strspn(line + at, " ")) {
        size_t dashes = strspn(line + at, "-");
        if (n == COLUMNS) return false;
        from[n] = at;
        to[n++] = at += dashes;
    }
    if (n < COLUMNS) return false;
    memcpy(d->from, from, sizeof from);
    memcpy(d->to, to, sizeof to);
    return true;
}

/* A cell without the blanks around it; the last column reaches to the end of the line. */
static const char *read_cell(const struct details *d, const char *line, uint32_t column)
{
    size_t n = strlen(line), from = d->from[column], to = column + 1 < COLUMNS ? d->to[column] : n;
    if (from > n) from = n;
    if (to > n) to = n;
    while (from < to && line[from] == ' ')
        from++;
    while (to > from && line[to - 1] == ' ')
        to--;
    char *text = arena_new(&d->r->h->arena, to - from + 1, 1);
    if (!text) return NULL;
    memcpy(text, line + from, to - from);
    text[to - from] = '\0';
    return text;
}

static bool table_line(struct details *d, const char *line)
{
    if (d->table == AWAITED) {
        bool ours = strstr(line, "Metric Name") && strstr(line, "Metric Value");
        d->table = ours ? INSIDE : 0;
        return true;
    }
    const char *name = read_cell(d, line, 0), *unit = read_cell(d, line, 1),
               *value = read_cell(d, line, 2);
    if (!name || !unit || !value) return error_no_memory(d->r->e);
    if (!*name || !*value) return true;
    if (d->marking) return hardware_note_marks(d->r, value, unit);
    return hardware_add(d->r, d->kernel, name, value, unit, 1);
}

/* The rule below a table's heading begins its rows, the next one ends them. */
static void rule_met(struct details *d, bool *rows)
{
    if (d->table == INSIDE && *rows)
        d->table = 0;
    else if (d->table == INSIDE)
        *rows = true;
    else
        d->table = AWAITED;
    if (d->table != INSIDE) *rows = false;
}

static bool read_lines(struct hardware_reading *r, char *text, bool marking)
{
    struct details d = {.r = r, .marking = marking};
    bool rows = false, ok = true;
    r->line = r->h->launches = 0;
    for (char *line = text, *next; line && ok; line = next) {
        r->line++;
        next = strchr(line, '\n');
        if (next) *next++ = '\0';
        line[strcspn(line, "\r")] = '\0';
        const char *context = strstr(line, ", Context ");
        if (context && strstr(context, ", Stream "))
            ok = kernel_line(&d, line, context);
        else if (d.kernel && read_rule(&d, line))
            rule_met(&d, &rows);
        else if (d.table && *line)
            ok = table_line(&d, line);
        else if (!*line)
            d.table = 0, rows = false;
    }
    return ok;
}

bool hardware_read_details(struct hardware_reading *r, char *text)
{
    char *copy = arena_strdup(&r->h->arena, text);
    r->h->layout = &details;
    if (!copy) return error_no_memory(r->e);
    if (!read_lines(r, copy, true) || !read_lines(r, text, false)) return false;
    return r->h->n > 0 || error_input(r->e, "%s: no table with metrics", r->h->file);
}
