/* results_axes.c - reads the axes of a sweep and sorts the machines by their values on them. */
#include "sweeps/analyse/results_internal.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

static bool is_number(const char *s)
{
    char *end;
    strtod(s, &end);
    return end != s && *end == '\0' && strspn(s, "+-.0123456789eE") == strlen(s);
}

static int by_size(const void *a, const void *b)
{
    double x = strtod(*(const char *const *)a, NULL), y = strtod(*(const char *const *)b, NULL);
    return (x > y) - (x < y);
}

static bool read_axis(struct results_reading *x, sqlite3_stmt *q, uint32_t row)
{
    struct result_axis *a = &x->r->axis[row];
    a->path = results_copy(x, q, 0);
    a->value = arena_new(&x->r->arena, results_index(q, 1), sizeof *a->value);
    a->numeric = true;
    return a->path && a->value;
}

static bool read_axis_value(struct results_reading *x, sqlite3_stmt *q, uint32_t row)
{
    (void)row;
    struct result_axis *a = &x->r->axis[results_index(q, 0)];
    const char *s = results_copy(x, q, 1);
    if (!s) return false;
    a->numeric = a->numeric && is_number(s);
    a->value[a->n++] = s;
    return true;
}

static bool read_level(struct results_reading *x, sqlite3_stmt *q, uint32_t row)
{
    (void)row;
    const char *s = (const char *)sqlite3_column_text(q, 2);
    uint32_t axis = results_index(q, 1);
    const struct result_axis *a = &x->r->axis[axis];
    for (uint32_t i = 0; s && i < a->n; i++)
        if (strcmp(a->value[i], s) == 0) x->r->machine[results_index(q, 0)].level[axis] = i;
    return s != NULL;
}

bool results_read_axes(struct results_reading *x)
{
    struct results *r = x->r;
    static const char all[] = "SELECT a.i, p.value FROM place_i p JOIN axis_i a USING(path)"
                              " GROUP BY a.i, p.value ORDER BY a.i, p.value";
    if (!results_each(x, "SELECT path, n FROM axis_i ORDER BY i", read_axis)) return false;
    if (!results_each(x, all, read_axis_value)) return false;
    for (uint32_t a = 0; a < r->n_axes; a++)
        if (r->axis[a].numeric)
            qsort(r->axis[a].value, r->axis[a].n, sizeof *r->axis[a].value, by_size);
    return results_each(
        x, "SELECT p.machine, a.i, p.value FROM place_i p JOIN axis_i a USING(path)", read_level);
}

static int by_axes(const void *a, const void *b, void *ctx)
{
    const struct results *r = ctx;
    const struct result_machine *x = &r->machine[*(const uint32_t *)a];
    const struct result_machine *y = &r->machine[*(const uint32_t *)b];
    if (x->number != y->number) return x->number < y->number ? -1 : 1;
    for (uint32_t i = 0; i < r->n_axes; i++)
        if (x->level[i] != y->level[i]) return x->level[i] < y->level[i] ? -1 : 1;
    int c = strcmp(x->name, y->name);
    return c ? c : strcmp(x->digest, y->digest);
}

bool results_order_machines(struct results_reading *x)
{
    struct results *r = x->r;
    uint32_t n = r->n_machines;
    uint32_t *order = arena_new(&r->arena, n, sizeof *order);
    struct result_machine *sorted = arena_new(&r->arena, n, sizeof *sorted);
    if (!order || !sorted) return error_no_memory(x->e);
    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    qsort_r(order, n, sizeof *order, by_axes, r);
    for (uint32_t i = 0; i < n; i++) {
        sorted[i] = r->machine[order[i]];
        if (sorted[i].number == RESULTS_NONE) sorted[i].number = i;
        x->place[order[i]] = i;
    }
    r->machine = sorted;
    return true;
}
