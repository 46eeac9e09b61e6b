/* fit.c - see fit.h. */
#include "cards/probe/fit.h"

#include "base/text/quote.h"
#include "base/text/text.h"
#include "cards/constants.h"
#include "cards/probe/features.h"
#include "cards/probe/measure.h"
#include "cards/probe/programs.h"
#include "gpu/machine/machine.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum fit_level { FIT_L1, FIT_L2, FIT_LINK, FIT_L3, FIT_MEMORY, FIT_TLB, FIT_LEVELS };
enum { FIT_PARAMS = 3 };

/* The parameters that add to a level's latency, in the order in which they are tried. */
static const char *const fit_params[FIT_LEVELS][FIT_PARAMS] = {
    [FIT_L1] = {"l1.latency", "sm.memory_latency"},
    [FIT_L2] = {"l2.extra_latency", "noc.latency", "l2.latency"},
    [FIT_LINK] = {"l2.link_latency"},
    [FIT_L3] = {"l3.latency", "l3.link_latency"},
    [FIT_MEMORY] = {"dram.extra_latency", "dram.fixed_latency"},
    [FIT_TLB] = {"tlb.l2_latency"},
};

struct fitter {
    struct machine *m;
    const struct probe_plateau *plateau;
    struct probe_fit *out;
    struct error *e;
    double value; /* of the machine at the plateau now */
};

/* --- levels --- */

static double number_or(const struct machine *m, const char *path, double other)
{
    double v;
    return machine_get_number(m, path, &v) ? v : other;
}

/* Bytes up to which a buffer lives in a level; 0: the machine has no such level. */
static void level_bytes(const struct machine *m, double bytes[FIT_LEVELS])
{
    uint32_t shared = m->l1.adaptive && m->l1.shared_options_kb.n ? UINT32_MAX : 0;
    for (uint32_t i = 0; i < m->l1.shared_options_kb.n && m->l1.adaptive; i++)
        if (m->l1.shared_options_kb.v[i] < shared) shared = m->l1.shared_options_kb.v[i];
    double l1 = m->l1.adaptive ? (double)m->l1.unified_kb - shared : m->l1.kb;
    double l2 = (double)m->l2.banks * m->l2.bank_kb, partitions = number_or(m, "l2.partitions", 1);
    bytes[FIT_L1] = m->l1.enabled ? l1 * PROBE_KB : 0;
    bytes[FIT_L2] = l2 / partitions * PROBE_KB;
    bytes[FIT_LINK] = partitions > 1 ? l2 * PROBE_KB : 0;
    bytes[FIT_L3] = (double)m->l3.kb * PROBE_KB;
    bytes[FIT_MEMORY] = INFINITY;
    bytes[FIT_TLB] = 0;
}

/* Finds each level's longest plateau; of memory's, the first, and behind a TLB the next. */
static void assign(const struct machine *m, const struct probe_plateau *plateau, uint32_t n,
                   const struct probe_plateau *of[FIT_LEVELS])
{
    double bytes[FIT_LEVELS];
    level_bytes(m, bytes);
    for (uint32_t i = 0; i < n; i++) {
        const struct probe_plateau *p = &plateau[i];
        uint32_t level = FIT_L1;
        while (probe_middle(p) * PROBE_KB > bytes[level])
            level++;
        if (level == FIT_MEMORY && of[level] && m->tlb.l1_entries) level = FIT_TLB;
        const struct probe_plateau *have = of[level];
        bool longer = have && level < FIT_MEMORY && p->high / p->low > have->high / have->low;
        if (!have || longer) of[level] = p;
    }
}

/* --- one parameter --- */

static bool measure(struct fitter *f)
{
    struct probe_point pt = {.id = PROBE_CHASE, .x = probe_middle(f->plateau)};
    if (!probe_measure(f->m, &pt, 1, f->e)) return false;
    f->value = pt.value;
    return true;
}

/* Sets a parameter and measures; *set: the machine allows the value. */
static bool measure_with(struct fitter *f, const char *path, double v, bool *set)
{
    char text[96];
    const char *const sets[] = {text};
    struct errors all = {0};
    snprintf(text, sizeof text, "%s=%.0f", path, v);
    *set = machine_set(f->m, sets, 1, &all);
    errors_fini(&all);
    return !*set || measure(f);
}

static double clamp_to(const struct param *p, double v)
{
    return fmin(fmax(round(v), p->lo), p->hi);
}

static double missing(const struct fitter *f)
{
    return f->plateau->value - f->value;
}

/* Moves one parameter as far as the plateau asks and its range allows. */
static bool fit_param(struct fitter *f, const char *path)
{
    const struct param *p = machine_find_param(path, NULL, NULL);
    double before, was = f->value, wanted = missing(f);
    bool set = false;
    if (!p || !machine_get_number(f->m, path, &before)) return true;
    double step = clamp_to(p, before + wanted + copysign(0.5, wanted)) - before;
    if (!(fabs(step) >= 1)) return true;
    if (!measure_with(f, path, before + step, &set)) return false;
    double slope = (f->value - was) / step;
    if (!set) return true;
    double after = clamp_to(p, slope > PROBE_FIT_SLOPE ? before + wanted / slope : before);
    if (!measure_with(f, path, after, &set)) return false;
    if (after == before || f->out->n == PROBE_FITTED) return true;
    f->out->row[f->out->n++] = (struct probe_fitted){
        path, before, after, probe_middle(f->plateau), f->plateau->value, was, f->value};
    return true;
}

static bool fit_level(struct fitter *f, enum fit_level level)
{
    bool ok = measure(f);
    for (uint32_t i = 0; ok && i < FIT_PARAMS && fit_params[level][i]; i++)
        if (fabs(missing(f)) > PROBE_FIT_CLOSE) ok = fit_param(f, fit_params[level][i]);
    return ok;
}

bool probe_fit_latencies(struct machine *m, const struct probe_curve *chase, struct probe_fit *out,
                         struct error *e)
{
    struct probe_plateau plateau[PROBE_PLATEAUS];
    const struct probe_plateau *of[FIT_LEVELS] = {0};
    struct fitter f = {.m = m, .out = out, .e = e};
    uint32_t n = probe_plateaus(chase, plateau);
    bool ok = true;
    *out = (struct probe_fit){0};
    if (!n)
        return error_input(e, "the pointer chase has no plateau that a latency could follow from");
    assign(m, plateau, n, of);
    for (uint32_t level = 0; level < FIT_LEVELS && ok; level++) {
        f.plateau = of[level];
        if (f.plateau) ok = fit_level(&f, level);
    }
    return ok;
}

/* --- the file --- */

static size_t part_length(const char *path)
{
    return strcspn(path, ".");
}

static bool same_part(const char *a, const char *b)
{
    return part_length(a) == part_length(b) && strncmp(a, b, part_length(a)) == 0;
}

static void add_part(const struct probe_fit *f, uint32_t first, struct text *out)
{
    const char *part = f->row[first].path;
    text_add(out, "\n%.*s : {\n", (int)part_length(part), part);
    for (uint32_t i = first; i < f->n; i++) {
        const struct probe_fitted *r = &f->row[i];
        if (!same_part(r->path, part)) continue;
        text_add(
            out,
            "    %s = %.0f; # was %.0f; the plateau at %.4g KB has %.4g cycles, the machine had "
            "%.4g and has %.4g\n",
            r->path + part_length(part) + 1, r->after, r->before, r->x, r->measured, r->was, r->is);
    }
    text_add(out, "};\n");
}

void probe_fit_file(const struct probe_fit *f, const char *base, const char *comment,
                    struct text *out)
{
    text_add_shown(out, "# %s\nbase = ", comment);
    quote_conf(out, base);
    text_add(out, ";\n");
    for (uint32_t i = 0; i < f->n; i++) {
        bool first = true;
        for (uint32_t k = 0; k < i; k++)
            first = first && !same_part(f->row[k].path, f->row[i].path);
        if (first) add_part(f, i, out);
    }
}
