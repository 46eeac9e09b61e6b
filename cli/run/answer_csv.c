/* answer_csv.c - writes answers as CSV; see answer_print.h. */
#include "cli/run/answer_print.h"

#include <math.h>

static double known_or_nan(bool known, double v)
{
    return known ? v : (double)NAN;
}

void answer_print_metrics(struct rows *r, const struct metrics *m)
{
    const char *key;
    for (uint32_t i = 0; (key = metrics_key(i)); i++) {
        double v = (double)NAN;
        if (m) metrics_value(m, key, &v);
        rows_number(r, key, NULL, "", v);
    }
}

/* The confidence interval of an answer for the whole program; NULL: there is none. */
static void confidence_rows(struct rows *r, const struct answer *a)
{
    uint32_t cycles = metrics_key_index("cycles");
    const struct answer none = {0};
    bool known = a != NULL, sampled = a && a->intervals, ranged = a && a->ranges.has[cycles];
    if (!a) a = &none;
    rows_number(r, "confidence.level", NULL, "", known_or_nan(known, a->level));
    rows_number(r, "confidence.low", NULL, "", known_or_nan(ranged, a->ranges.low[cycles]));
    rows_number(r, "confidence.high", NULL, "", known_or_nan(ranged, a->ranges.high[cycles]));
    rows_number(r, "confidence.half_width", NULL, "", known_or_nan(known, a->half_width));
    rows_number(r, "confidence.intervals", NULL, "", known_or_nan(sampled, a->intervals));
    rows_number(r, "confidence.simulated_share", NULL, "",
                known_or_nan(sampled, a->simulated_share));
}

/* kernel: NULL for the whole program. */
static void outcome_rows(struct rows *r, const struct outcome *o,
                         const struct answer_kernel *kernel, const char *machine,
                         const char *engine)
{
    const struct answer *whole = o->ok && !kernel ? &o->a : NULL;
    bool failed = o->e.kind != ERROR_NONE;
    rows_text(r, "program", NULL, o->ok ? o->a.program : o->program);
    rows_text(r, "machine", NULL, machine);
    rows_text(r, "engine", NULL, engine);
    rows_text(r, "status", NULL, !o->ok ? "failed" : failed ? "interrupted" : "done");
    rows_number(r, "launch", NULL, "", kernel ? kernel->launch : (double)NAN);
    rows_text(r, "kernel", NULL, kernel ? kernel->name : NULL);
    answer_print_metrics(r, kernel ? &kernel->m : o->ok ? &o->a.m : NULL);
    confidence_rows(r, whole && whole->has_confidence ? whole : NULL);
    rows_text(r, "bottleneck", NULL, whole && whole->x.n ? whole->x.bottleneck : NULL);
    rows_text(r, "error", NULL, !kernel && failed ? o->e.text : NULL);
}

enum { COLUMNS_MAX = 14 + METRICS_KEYS_MAX };

void answer_print_csv(struct text *out, const struct outcome *o, uint32_t n, const char *machine,
                      enum engine engine)
{
    struct rows r = {0};
    bool used[COLUMNS_MAX] = {true, true, true, true}; /* those that identify the run */
    for (int pass = 0; pass < 2; pass++)               /* finds the columns in use, then prints */
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t k = 0, kernels = o[i].ok ? o[i].a.n_kernels : 0; k <= kernels; k++) {
                rows_clear(&r);
                outcome_rows(&r, &o[i], k < kernels ? &o[i].a.kernel[k] : NULL, machine,
                             engine_name[engine]);
                if (pass == 0) rows_csv_use(&r, used);
                if (pass == 1 && i == 0 && k == 0) rows_csv_head(&r, used, out);
                if (pass == 1) rows_csv(&r, used, out);
            }
    rows_fini(&r);
}
