/* config_table.c - see config_table.h.  All machines of a sweep list their parameters in the same
 * order, so the next row is nearly always the one that follows the last one found. */
#include "sweeps/analyse/config_table.h"

#include "base/memory/alloc.h"

#include <stdio.h>
#include <string.h>

enum { PATH_BYTES = 256 };

struct config_reader {
    struct configs *c;
    uint32_t machine, machines;
    uint32_t next;          /* the row expected next */
    char group[PATH_BYTES]; /* such as "sm.units." */
};

static const char *keep_text(struct configs *c, const char *s, size_t n)
{
    char *copy = arena_new(&c->arena, n + 1, 1);
    if (copy) memcpy(copy, s, n);
    return copy;
}

static struct config_row *new_row(struct config_reader *x, const char *path, const char *unit,
                                  size_t unit_n)
{
    struct configs *c = x->c;
    if (!mem_grow(&c->row, &c->cap, (size_t)c->n + 1, sizeof *c->row)) return NULL;
    struct config_row *row = &c->row[c->n];
    *row = (struct config_row){.path = keep_text(c, path, strlen(path)),
                               .unit = keep_text(c, unit, unit_n)};
    row->of = arena_new(&c->arena, x->machines, sizeof *row->of);
    if (!row->path || !row->unit || !row->of) return NULL;
    for (uint32_t m = 0; m < x->machines; m++)
        row->of[m] = RESULTS_NONE;
    x->next = ++c->n;
    return row;
}

static struct config_row *find_row(struct config_reader *x, const char *path)
{
    struct configs *c = x->c;
    for (uint32_t i = 0; i < c->n; i++) {
        uint32_t at = (x->next + i) % c->n;
        if (strcmp(c->row[at].path, path) != 0) continue;
        x->next = at + 1;
        return &c->row[at];
    }
    return NULL;
}

static bool add_value(struct configs *c, struct config_row *row, const char *s, size_t n)
{
    if (row->n == row->cap) {
        uint32_t cap = row->cap ? 2 * row->cap : 4;
        const char **more = arena_new(&c->arena, cap, sizeof *more);
        if (!more) return false;
        if (row->n) memcpy(more, row->value, row->n * sizeof *more);
        row->value = more;
        row->cap = cap;
    }
    row->value[row->n] = keep_text(c, s, n);
    return row->value[row->n++] != NULL;
}

static bool set_value(struct config_reader *x, struct config_row *row, const char *s, size_t n)
{
    uint32_t i = 0;
    while (i < row->n && (strncmp(row->value[i], s, n) != 0 || row->value[i][n] != '\0'))
        i++;
    if (i == row->n && !add_value(x->c, row, s, n)) return false;
    row->of[x->machine] = i;
    return true;
}

/* Reads "key = value; # unit", between s and end. */
static bool read_setting(struct config_reader *x, const char *s, const char *equals,
                         const char *end)
{
    char path[2 * PATH_BYTES];
    const char *value = equals + 3, *stop = end, *unit = end;
    for (const char *p = value; p + 3 < end; p++)
        if (strncmp(p, "; # ", 4) == 0) {
            stop = p;
            unit = p + 4;
        }
    if (stop == end && stop > value && stop[-1] == ';') stop--;
    snprintf(path, sizeof path, "%s%.*s", x->group, (int)(equals - s), s);
    struct config_row *row = find_row(x, path);
    if (!row) row = new_row(x, path, unit, (size_t)(end - unit));
    return row && set_value(x, row, value, (size_t)(stop - value));
}

static void leave_group(struct config_reader *x)
{
    size_t n = strlen(x->group);
    if (n) x->group[--n] = '\0';
    while (n && x->group[n - 1] != '.')
        x->group[--n] = '\0';
}

static void enter_group(struct config_reader *x, const char *s, size_t n)
{
    size_t had = strlen(x->group);
    if (had + n + 2 > sizeof x->group) return;
    memcpy(x->group + had, s, n);
    memcpy(x->group + had + n, ".", 2);
}

static bool read_line(struct config_reader *x, const char *s, const char *end)
{
    s += strspn(s, " ");
    size_t n = (size_t)(end - s);
    const char *equals = strstr(s, " = ");
    if (s >= end || *s == '#') return true;
    if (n > 4 && strncmp(end - 4, " : {", 4) == 0) {
        enter_group(x, s, n - 4);
    } else if (*s == '}') {
        leave_group(x);
    } else if (equals && equals < end) {
        return read_setting(x, s, equals, end);
    }
    return true;
}

static bool read_config(struct config_reader *x, const char *config)
{
    x->next = 0;
    x->group[0] = '\0';
    for (const char *s = config; *s;) {
        const char *end = s + strcspn(s, "\n");
        if (!read_line(x, s, end)) return false;
        s = *end ? end + 1 : end;
    }
    return true;
}

bool configs_read(struct configs *c, const struct results *r)
{
    *c = (struct configs){0};
    struct config_reader x = {.c = c, .machines = r->n_machines};
    for (; x.machine < r->n_machines; x.machine++)
        if (!read_config(&x, r->machine[x.machine].config)) return false;
    return true;
}

void configs_fini(struct configs *c)
{
    mem_free(c->row);
    arena_fini(&c->arena);
    *c = (struct configs){0};
}
