/* answer_csv.c - writes answers as CSV; see answer_print.h. */
#include "base/memory/alloc.h"
#include "base/text/quote.h"
#include "cli/run/answer_print.h"
#include "sweeps/analyse/export.h"

#include <inttypes.h>
#include <string.h>

struct answer_row {
    const struct outcome *o;
    const struct answer_kernel *kernel; /* NULL: the whole program */
    const char *machine;
    enum engine engine;
};

/* --- cells; an unknown value is an empty cell --- */

typedef void cell_fn(struct text *out, const struct answer_row *r);

static void add_program(struct text *out, const struct answer_row *r)
{
    quote_csv(out, r->o->ok ? r->o->a.program : r->o->program);
}

static void add_machine(struct text *out, const struct answer_row *r)
{
    quote_csv(out, r->machine);
}

static void add_engine(struct text *out, const struct answer_row *r)
{
    text_add(out, "%s", engine_name[r->engine]);
}

static void add_status(struct text *out, const struct answer_row *r)
{
    bool whole = r->o->ok && r->o->e.kind == ERROR_NONE;
    text_add(out, "%s", whole ? "done" : r->o->ok ? "interrupted" : "failed");
}

static void add_launch(struct text *out, const struct answer_row *r)
{
    if (r->kernel) text_add(out, "%" PRIu32, r->kernel->launch);
}

static void add_kernel(struct text *out, const struct answer_row *r)
{
    if (r->kernel) quote_csv(out, r->kernel->name);
}

/* The answer, if it covers the whole program and has a confidence interval. */
static const struct answer *confident_answer(const struct answer_row *r)
{
    return !r->kernel && r->o->ok && r->o->a.has_confidence ? &r->o->a : NULL;
}

static void add_level(struct text *out, const struct answer_row *r)
{
    if (confident_answer(r)) export_csv_number(out, confident_answer(r)->level);
}

static void add_half_width(struct text *out, const struct answer_row *r)
{
    if (confident_answer(r)) export_csv_number(out, confident_answer(r)->half_width);
}

static void add_low(struct text *out, const struct answer_row *r)
{
    const struct answer *a = confident_answer(r);
    uint32_t cycles = metrics_key_index("cycles");
    if (a && a->ranges.has[cycles]) export_csv_number(out, a->ranges.low[cycles]);
}

static void add_high(struct text *out, const struct answer_row *r)
{
    const struct answer *a = confident_answer(r);
    uint32_t cycles = metrics_key_index("cycles");
    if (a && a->ranges.has[cycles]) export_csv_number(out, a->ranges.high[cycles]);
}

static void add_intervals(struct text *out, const struct answer_row *r)
{
    const struct answer *a = confident_answer(r);
    if (a && a->intervals) text_add(out, "%" PRIu32, a->intervals);
}

static void add_share(struct text *out, const struct answer_row *r)
{
    const struct answer *a = confident_answer(r);
    if (a && a->intervals) export_csv_number(out, a->simulated_share);
}

static void add_bottleneck(struct text *out, const struct answer_row *r)
{
    const struct explanation *x = &r->o->a.x;
    if (!r->kernel && r->o->ok && x->n && x->bottleneck) text_add(out, "%s", x->bottleneck);
}

static void add_error(struct text *out, const struct answer_row *r)
{
    if (!r->kernel && r->o->e.kind != ERROR_NONE) quote_csv(out, r->o->e.text);
}

static void add_metric(struct text *out, const struct answer_row *r, const char *key)
{
    const struct metrics *m = r->kernel ? &r->kernel->m : &r->o->a.m;
    double v;
    if (r->o->ok && metrics_value(m, key, &v)) export_csv_number(out, v);
}

/* --- columns: those before the metrics, the metrics, those after them --- */

static const struct {
    const char *name;
    cell_fn *add;
    bool always;
} fixed[] = {
    {"program", add_program, true},
    {"machine", add_machine, true},
    {"engine", add_engine, true},
    {"status", add_status, true},
    {"launch", add_launch, false},
    {"kernel", add_kernel, false},
    {"confidence.level", add_level, false},
    {"confidence.low", add_low, false},
    {"confidence.high", add_high, false},
    {"confidence.half_width", add_half_width, false},
    {"confidence.intervals", add_intervals, false},
    {"confidence.simulated_share", add_share, false},
    {"bottleneck", add_bottleneck, false},
    {"error", add_error, false},
};
enum { FIXED = sizeof fixed / sizeof *fixed, BEFORE = 6, COLUMNS_MAX = FIXED + METRICS_KEYS_MAX };

/* The column's name; NULL past the last. */
static const char *column_name(uint32_t i, uint32_t metrics)
{
    if (i < BEFORE) return fixed[i].name;
    if (i < BEFORE + metrics) return metrics_key(i - BEFORE);
    return i < FIXED + metrics ? fixed[i - metrics].name : NULL;
}

static void add_cell(struct text *out, const struct answer_row *r, uint32_t i, uint32_t metrics)
{
    if (i >= BEFORE && i < BEFORE + metrics)
        add_metric(out, r, metrics_key(i - BEFORE));
    else
        fixed[i < BEFORE ? i : i - metrics].add(out, r);
}

struct answer_csv {
    struct text *out;
    uint32_t metrics;
    bool used[COLUMNS_MAX];
    bool counting; /* true: finds the columns in use; false: writes rows */
};

static void visit_row(struct answer_csv *c, const struct answer_row *r)
{
    const char *before = "";
    for (uint32_t i = 0; column_name(i, c->metrics); i++) {
        struct text cell = {0};
        if (c->counting) {
            add_cell(&cell, r, i, c->metrics);
            c->used[i] |= cell.len > 0;
            text_fini(&cell);
        } else if (c->used[i]) {
            text_add(c->out, "%s", before);
            add_cell(c->out, r, i, c->metrics);
            before = ",";
        }
    }
    if (!c->counting) text_add(c->out, "\n");
}

static void visit(struct answer_csv *c, struct answer_row *r, const struct outcome *o)
{
    r->o = o;
    for (uint32_t k = 0; o->ok && k < o->a.n_kernels; k++) {
        r->kernel = &o->a.kernel[k];
        visit_row(c, r);
    }
    r->kernel = NULL;
    visit_row(c, r);
}

static void add_header(struct answer_csv *c)
{
    const char *name, *before = "";
    for (uint32_t i = 0; (name = column_name(i, c->metrics)); i++) {
        if (!c->used[i]) continue;
        text_add(c->out, "%s%s", before, name);
        before = ",";
    }
    text_add(c->out, "\n");
}

void answer_print_csv(struct text *out, const struct outcome *o, uint32_t n, const char *machine,
                      enum engine engine)
{
    struct answer_csv c = {.out = out, .counting = true};
    struct answer_row r = {.machine = machine, .engine = engine};
    while (metrics_key(c.metrics))
        c.metrics++;
    for (uint32_t i = 0; i < BEFORE; i++)
        c.used[i] = fixed[i].always;
    for (uint32_t i = 0; i < n; i++)
        visit(&c, &r, &o[i]);
    c.counting = false;
    add_header(&c);
    for (uint32_t i = 0; i < n; i++)
        visit(&c, &r, &o[i]);
}
