/* hardware_kernel_times.c - the times of launches that workloads/probe/kernel_times.c writes: rows
 * of several programs, and of several runs of each, in one file.  Of the runs of a program the
 * fastest of each launch counts; launch -1 is the empty kernel and none of the program's. */
#include "base/memory/alloc.h"
#include "sweeps/hardware/hardware_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct launch_time {
    const char *kernel, *us; /* us: as the fastest run's row has it */
    double least;
    uint32_t runs, line; /* line: of the last of its rows */
};
struct launch_times {
    struct launch_time *of; /* by launch */
    size_t n, cap;
    int program, device, launch, kernel, us; /* columns */
};

static bool find_columns(const struct hardware_reading *r, struct launch_times *t)
{
    static const char *const names[] = {"program", "device", "launch", "kernel", "us"};
    int *const columns[] = {&t->program, &t->device, &t->launch, &t->kernel, &t->us};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        *columns[i] = hardware_column(r->head, names[i]);
        if (*columns[i] < 0)
            return hardware_refuse(r, r->head->line, "times of launches without the column ",
                                   names[i]);
    }
    for (size_t i = 1; i < r->csv.n; i++)
        if (r->csv.row[i].n != r->head->n)
            return hardware_refuse(r, r->csv.row[i].line, "a row of another length than the header",
                                   "");
    return true;
}

/* The name of the rows to take: the only one that there is, else `program`. */
static const char *name_of_rows(const struct hardware_reading *r, const struct launch_times *t,
                                const char *program)
{
    const char *first = r->csv.n > 1 ? r->csv.row[1].field[t->program] : program;
    for (size_t i = 1; i < r->csv.n; i++)
        if (strcmp(r->csv.row[i].field[t->program], first) != 0) return program;
    return first;
}

/* A launch has no larger number than the file has rows. */
static bool read_launch(const char *s, size_t rows, long *launch)
{
    char *end;
    *launch = strtol(s, &end, 10);
    return end != s && !*end && *launch >= -1 && *launch < (long)rows;
}

static bool read_us(const char *s, double *us)
{
    char *end;
    *us = strtod(s, &end);
    return end != s && !*end && isfinite(*us) && *us >= 0;
}

static bool add_row(struct hardware_reading *r, struct launch_times *t, const struct csv_row *row)
{
    long launch;
    double us;
    const char *kernel = row->field[t->kernel], *device = row->field[t->device];
    if (!read_launch(row->field[t->launch], r->csv.n, &launch))
        return hardware_refuse(r, row->line, "expected the number of a launch, not ",
                               row->field[t->launch]);
    if (!read_us(row->field[t->us], &us))
        return hardware_refuse(r, row->line, "expected microseconds, not ", row->field[t->us]);
    if (*r->h->device && strcmp(device, r->h->device) != 0)
        return hardware_refuse(r, row->line, "the program ran on another device before: ", device);
    if (!*r->h->device) r->h->device = arena_strdup(&r->h->arena, device);
    if (!r->h->device) return error_no_memory(r->e);
    if (launch < 0) return true;
    if (!mem_grow(&t->of, &t->cap, (size_t)launch + 1, sizeof *t->of)) return error_no_memory(r->e);
    while (t->n <= (size_t)launch)
        t->of[t->n++] = (struct launch_time){0};
    struct launch_time *l = &t->of[launch];
    if (l->runs && strcmp(l->kernel, kernel) != 0)
        return hardware_refuse(r, row->line, "in another run this launch was of the kernel ",
                               l->kernel);
    if (!l->runs) l->kernel = arena_strdup(&r->h->arena, kernel);
    if (!l->kernel) return error_no_memory(r->e);
    if (!l->runs || us < l->least) l->us = row->field[t->us], l->least = us;
    l->runs++;
    l->line = row->line;
    return true;
}

static bool add_counters(struct hardware_reading *r, const struct launch_times *t)
{
    for (size_t i = 0; i < t->n; i++) {
        const struct launch_time *l = &t->of[i];
        if (!l->runs || l->runs != t->of[0].runs)
            return hardware_refuse(r, l->line ? l->line : r->head->line,
                                   "the runs do not have the same launches", "");
        r->launch = r->h->launches++;
        r->line = l->line;
        r->marks = MARKS_POINT;
        if (!hardware_add(r, l->kernel, "us", l->us, "", 1)) return false;
    }
    return true;
}

bool hardware_read_kernel_times(struct hardware_reading *r, const char *program)
{
    struct launch_times t = {0};
    bool ok = find_columns(r, &t);
    const char *name = ok ? name_of_rows(r, &t, program) : NULL;
    for (size_t i = 1; i < r->csv.n && ok; i++)
        if (strcmp(r->csv.row[i].field[t.program], name) == 0) ok = add_row(r, &t, &r->csv.row[i]);
    ok = ok && add_counters(r, &t);
    if (ok && !t.n) ok = hardware_refuse(r, r->head->line, "no launches of the program ", name);
    mem_free(t.of);
    return ok;
}
