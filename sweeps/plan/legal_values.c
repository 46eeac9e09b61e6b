/* legal_values.c - see legal_values.h. */
#include "sweeps/plan/legal_values.h"

#include "base/memory/alloc.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The most values that are tried; of a longer range those that a power of two divides. */
enum { TRIED_MOST = 1 << 14, DECIMALS_MOST = 5 };

static bool is_legal(const struct plan *p, const char *path, const char *value)
{
    char set[2 * PARAM_TEXT_MAX + 2];
    bool legal = false;
    snprintf(set, sizeof set, "%s=%s", path, value);
    for (uint32_t i = 0; i < p->n_machines && !legal; i++) {
        struct machine m = p->base[i];
        struct errors found = {0};
        legal = machine_set(&m, (const char *const[]){set}, 1, &found);
        errors_fini(&found);
    }
    return legal;
}

static bool find_whole(struct plan *p, struct axis *a, struct error *e)
{
    char text[40];
    double step = 1;
    while ((a->hi - a->lo) / step >= TRIED_MOST)
        step *= 2;
    double *legal = arena_new(&p->arena, TRIED_MOST + 1, sizeof *legal);
    if (!legal) return error_no_memory(e);
    for (double v = ceil(a->lo / step) * step; v <= a->hi; v += step) {
        snprintf(text, sizeof text, "%.0f", v);
        if (is_legal(p, a->path, text)) legal[a->n_legal++] = v;
    }
    a->legal = legal;
    return true;
}

static void find_decimals(struct plan *p, struct axis *a)
{
    const double inside = 0.381966; /* no simple share of the range */
    char text[40];
    for (int d = DECIMALS_MOST; d >= 0; d--) {
        snprintf(text, sizeof text, "%.*f", d, a->lo + inside * (a->hi - a->lo));
        if (!is_legal(p, a->path, text)) continue;
        a->rounded = true;
        a->decimals = (uint32_t)d;
        return;
    }
}

bool legal_values_find(struct plan *p, struct axis *a, struct error *e)
{
    if (a->legal || a->rounded) return true;
    if (a->whole) return find_whole(p, a, e);
    find_decimals(p, a);
    return true;
}

static double on_scale(const struct axis *a, double v)
{
    return a->log2 ? log2(v) : v;
}

double legal_value_at(const struct axis *a, double t)
{
    uint32_t n = a->n_legal, i = 0;
    if (n == 1) return a->legal[0];
    double first = on_scale(a, a->legal[0]), last = on_scale(a, a->legal[n - 1]);
    /* the ends reach as far outside as inside */
    double from = first - (on_scale(a, a->legal[1]) - first) / 2;
    double to = last + (last - on_scale(a, a->legal[n - 2])) / 2;
    double x = from + t * (to - from);
    while (i + 1 < n && x >= (on_scale(a, a->legal[i]) + on_scale(a, a->legal[i + 1])) / 2)
        i++;
    return a->legal[i];
}

void legal_values_say(const struct axis *a, struct text *out)
{
    enum { TOLD = 3 };
    if (a->rounded)
        text_add(out, "%s: values are drawn with at most %u decimals, as the machine takes them",
                 a->path, a->decimals);
    if (!a->n_legal) return;
    text_add(out, "%s: values are drawn from the %u legal ones from %.0f to %.0f (", a->path,
             a->n_legal, a->lo, a->hi);
    for (uint32_t i = 0; i < a->n_legal && i < TOLD; i++)
        text_add(out, "%s%.0f", i ? ", " : "", a->legal[i]);
    text_add(out, a->n_legal > TOLD ? ", ...)" : ")");
}
