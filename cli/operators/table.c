/* table.c - the table of rows, in memory and as CSV; see operators.h. */
#include "cli/operators/operators.h"

#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "base/text/csv.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    C_CARD,
    C_MODEL,
    C_VERSION,
    C_PART,
    C_OPERATOR,
    C_TOKENS,
    C_BATCH,
    C_CONTEXT,
    C_TIMES,
    C_US,
    C_LOW,
    C_HIGH,
    C_PROGRAM,
    COLUMNS
};
static const char *const columns[COLUMNS] = {"card",   "model",   "version", "part",  "operator",
                                             "tokens", "batch",   "context", "times", "us",
                                             "us_low", "us_high", "program"};

/* --- rows --- */

bool operators_table_add(struct operators_table *t, const struct operators_row *row)
{
    if (!mem_grow(&t->row, &t->cap_rows, t->n_rows + 1, sizeof *t->row)) return false;
    struct operators_row *r = &t->row[t->n_rows];
    *r = *row;
    r->order = t->n_rows;
    r->name = arena_strdup(&t->arena, row->name);
    r->program = arena_strdup(&t->arena, row->program);
    if (!r->name || !r->program) return false;
    t->n_rows++;
    return true;
}

bool operators_table_has(const struct operators_table *t, const struct operators_point *at)
{
    for (size_t i = 0; i < t->n_rows; i++)
        if (operators_same_point(&t->row[i].at, at)) return true;
    return false;
}

static int compare_rows(const void *a, const void *b)
{
    const struct operators_row *x = a, *y = b;
    const uint32_t xs[] = {(uint32_t)x->at.part, x->at.tokens, x->at.batch, x->at.context},
                   ys[] = {(uint32_t)y->at.part, y->at.tokens, y->at.batch, y->at.context};
    for (size_t i = 0; i < sizeof xs / sizeof *xs; i++)
        if (xs[i] != ys[i]) return xs[i] < ys[i] ? -1 : 1;
    return x->order < y->order ? -1 : 1;
}

void operators_table_sort(struct operators_table *t)
{
    if (t->n_rows) qsort(t->row, t->n_rows, sizeof *t->row, compare_rows);
}

static bool is_word(const char *words, const char *word)
{
    size_t n = strlen(word);
    for (const char *w = words; *w; w += strspn(w, " ")) {
        size_t length = strcspn(w, " ");
        if (length == n && strncmp(w, word, n) == 0) return true;
        w += length;
    }
    return false;
}

bool operators_table_time(const struct operators_table *t, const struct operators_point *at,
                          const char *names, struct operators_time *sum)
{
    bool any = false;
    for (size_t i = 0; i < t->n_rows; i++) {
        const struct operators_row *r = &t->row[i];
        if (!operators_same_point(&r->at, at) || (names && !is_word(names, r->name))) continue;
        sum->us += r->us;
        sum->low += r->us_low;
        sum->high += r->us_high;
        any = true;
    }
    return any;
}

void operators_table_fini(struct operators_table *t)
{
    arena_fini(&t->arena);
    mem_free(t->point);
    mem_free(t->row);
}

/* --- CSV --- */

static uint32_t times_of(const struct operators_table *t, enum operators_part part)
{
    return part == PART_EDGES || part == PART_HEAD ? 1 : t->model.layers;
}

void operators_table_csv(const struct operators_table *t, struct text *out)
{
    for (uint32_t i = 0; i < COLUMNS; i++)
        text_add(out, "%s%s", i ? "," : "", columns[i]);
    text_add(out, "\n");
    for (size_t i = 0; i < t->n_rows; i++) {
        const struct operators_row *r = &t->row[i];
        text_add(out, "%s,%s,%s,%s,%s,%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32, t->card,
                 t->model.name, t->version, operators_part_name[r->at.part], r->name, r->at.tokens,
                 r->at.batch, r->at.context, times_of(t, r->at.part));
        text_add(out, ",%.9g,%.9g,%.9g,%s\n", r->us, r->us_low, r->us_high, r->program);
    }
}

bool operators_table_write(const struct operators_table *t, const char *path, struct error *e)
{
    struct text out = {0};
    operators_table_csv(t, &out);
    struct outfile *f = out.failed ? NULL : outfile_open(path, e);
    bool ok = f != NULL || (out.failed && error_no_memory(e));
    if (ok) outfile_printf(f, "%s", text_str(&out));
    text_fini(&out);
    return ok && outfile_commit(f, e);
}

static bool is_of(const struct operators_table *t, const char *const *field, const char *path,
                  struct error *e)
{
    const struct {
        int column;
        const char *mine;
    } must[] = {{C_CARD, t->card}, {C_MODEL, t->model.name}, {C_VERSION, t->version}};
    for (size_t i = 0; i < sizeof must / sizeof *must; i++)
        if (strcmp(field[must[i].column], must[i].mine) != 0)
            return error_input(e,
                               "%s has rows of %s %s, and these would be of %s; say another -o, or "
                               "remove it",
                               path, columns[must[i].column], field[must[i].column], must[i].mine);
    return true;
}

static bool read_number(const char *s, double *v)
{
    char *end;
    *v = strtod(s, &end);
    return end != s && !*end && *v >= 0 && *v < 1e15;
}

static bool read_row(struct operators_row *r, const char *const *field)
{
    uint32_t *const whole[] = {&r->at.tokens, &r->at.batch, &r->at.context};
    double *const real[] = {&r->us, &r->us_low, &r->us_high};
    int part = 0;
    while (part < PARTS && strcmp(operators_part_name[part], field[C_PART]) != 0)
        part++;
    if (part == PARTS) return false;
    *r = (struct operators_row){.name = field[C_OPERATOR], .program = field[C_PROGRAM]};
    r->at.part = (enum operators_part)part;
    for (int i = 0; i < 3; i++) {
        double x;
        if (!read_number(field[C_TOKENS + i], &x) || x > UINT32_MAX) return false;
        *whole[i] = (uint32_t)x;
        if (!read_number(field[C_US + i], real[i])) return false;
    }
    return true;
}

static bool read_rows(struct operators_table *t, const struct csv *c, const char *path,
                      struct error *e)
{
    for (size_t i = 0; i < c->n; i++) {
        const struct csv_row *row = &c->row[i];
        struct operators_row r;
        bool head = i == 0, ok = row->n == COLUMNS;
        for (uint32_t k = 0; ok && head && k < COLUMNS; k++)
            ok = strcmp(row->field[k], columns[k]) == 0;
        if (ok && head) continue;
        if (ok && !is_of(t, row->field, path, e)) return false;
        if (!ok || !read_row(&r, row->field))
            return error_input(e, "%s:%" PRIu32 ": no row of such a table; say another -o", path,
                               row->line);
        if (!operators_table_add(t, &r)) return error_no_memory(e);
    }
    return true;
}

bool operators_table_read(struct operators_table *t, const char *path, struct error *e)
{
    struct csv c = {0};
    struct arena arena = {0};
    char *text = NULL;
    size_t n;
    if (!file_exists(path)) return true;
    bool ok = file_read(path, &text, &n, e) && csv_read(&c, path, text, &arena, e) &&
              read_rows(t, &c, path, e);
    csv_fini(&c);
    arena_fini(&arena);
    mem_free(text);
    return ok;
}
