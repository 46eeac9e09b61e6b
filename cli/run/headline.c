/* headline.c - see headline.h. */
#include "cli/run/headline.h"

#include "base/text/quote.h"
#include "cli/constants.h"
#include "cli/print/table.h"
#include "cli/print/terminal.h"
#include "engine/causes.h"
#include "engine/constants.h"
#include "engine/engine.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { WORDS_COLUMN = 9 }; /* where the text behind "  time" begins */

/* A line of a word and its text, wrapped below the text. */
static void add_line(struct text *out, const char *word, const struct text *t)
{
    if (!t->len) return;
    text_add(out, "  " STYLE_BOLD "%s" STYLE_END "%*s", word,
             (int)(WORDS_COLUMN - 2 - strlen(word)), "");
    terminal_wrap(out, text_str(t), terminal_width(), WORDS_COLUMN, WORDS_COLUMN);
    out->failed |= t->failed;
}

/* --- time --- */

void headline_range(struct text *out, const struct answer *a)
{
    char low[NUMBER_MAX], high[NUMBER_MAX];
    uint32_t cycles = metrics_key_index("cycles");
    if (!a->has_confidence || !a->ranges.has[cycles] || !(a->m.v[M_cycles] > 0)) return;
    double us = a->m.v[M_time_us] / a->m.v[M_cycles];
    table_number_text(us * a->ranges.low[cycles], "us", low);
    table_number_text(us * a->ranges.high[cycles], "us", high);
    text_add(out, "%s to %s", low, high);
}

static void add_time(struct text *out, const struct answer *a)
{
    char time[NUMBER_MAX], cycles[NUMBER_MAX];
    struct text range = {0};
    double v;
    if (!metrics_value(&a->m, "time_us", &v)) return;
    table_number_text(v, "us", time);
    table_number_text(a->m.v[M_cycles], "core cycles", cycles);
    text_add(out, STYLE_BOLD "%s us" STYLE_END, time);
    if (a->engine != ENGINE_ESTIMATE && a->has_confidence && a->half_width > 0)
        text_add(out, " \u00b1 %.1f %% at %.4g %% confidence", 100 * a->half_width, 100 * a->level);
    if (a->engine == ENGINE_ESTIMATE) headline_range(&range, a);
    if (range.len)
        text_add(out, ", %s (-%.1f %%, +%.1f %%) at %.4g %% confidence", text_str(&range),
                 100 * (1 - a->ranges.low[metrics_key_index("cycles")] / a->m.v[M_cycles]),
                 100 * (a->ranges.high[metrics_key_index("cycles")] / a->m.v[M_cycles] - 1),
                 100 * a->level);
    text_add(out, "; %s core cycles", cycles);
    text_fini(&range);
}

/* --- what it rests on --- */

static void add_parts(struct text *out, const struct answer_parts *p)
{
    if (!(p->placing > 0) && !(p->warming > 0)) return;
    text_add(out, "; the range is of sampling %.1f %%, %s %.1f %%", 100 * p->sampling,
             p->warming > 0 ? "warming" : "placing", 100 * (p->placing + p->warming));
    if (p->drain > 0) text_add(out, ", drain %.1f %%", 100 * p->drain);
    if (p->accesses > 0) text_add(out, ", accesses %.1f %%", 100 * p->accesses);
    if (p->phases > 0) text_add(out, ", phases %.1f %%", 100 * p->phases);
}

static void add_value(struct text *out, const char *name, double v)
{
    if (name)
        text_add(out, " %s", name);
    else
        text_add(out, " %.6g", v);
}

/* What differs from the nearest run's machine. */
static void add_nearest(struct text *out, const struct answer_correction *c)
{
    if (!c->apart) return;
    text_add(out, " (the nearest run has");
    for (uint32_t i = 0; i < c->apart && i < BEYOND_MAX; i++) {
        const struct answer_apart *b = &c->beyond[i];
        text_add_shown(out, "%s %s", i ? ";" : "", b->param);
        add_value(out, b->its_name, b->its);
        text_add(out, ", not");
        add_value(out, b->mine_name, b->mine);
    }
    if (c->apart > BEYOND_MAX) text_add(out, "; %u more differ", c->apart - BEYOND_MAX);
    text_add(out, ")");
}

static void add_correction(struct text *out, const struct answer_correction *c)
{
    if (!c->runs && c->file[0])
        text_add_shown(out, "not corrected: %s has not seen this program", c->file);
    else if (!c->runs)
        text_add(out, "not calibrated");
    if (!c->runs) return;
    text_add(out, "corrected by %u %s of this program", c->runs, text_noun(c->runs, "run", "runs"));
    uint32_t filed = c->file[0] ? c->runs - c->banked : 0;
    if (filed && c->banked)
        text_add_shown(out, ": %u in %s, %u in the bank", filed, c->file, c->banked);
    else if (filed)
        text_add_shown(out, " in %s", c->file);
    add_nearest(out, c);
}

static void add_sampled(struct text *out, const struct answer *a)
{
    if (a->half_width == 0 && a->simulated_share >= 1 && !a->partial) {
        text_add(out, "simulated from beginning to end: exact for the model");
        return;
    }
    text_add(out, "%" PRIu32 " intervals of the cycle model, %.1f %% of the instructions",
             a->intervals, 100 * a->simulated_share);
    if (a->partial)
        text_add(out, "; partial: interrupted");
    else
        add_parts(out, &a->parts);
    if (a->control.name && strcmp(a->control.name, "none") != 0)
        text_add_shown(out,
                       "; control variate %s, variance x %.2f (%" PRIu32
                       " intervals instead of %" PRIu32 ")",
                       a->control.name, a->control.variance_ratio, a->control.intervals,
                       a->control.intervals_without);
}

void headline_basis(struct text *out, const struct answer *a)
{
    if (!a->has_confidence) {
        if (a->engine == ENGINE_SIMULATE) text_add(out, "the cycle model over the whole program");
        return;
    }
    if (a->engine != ENGINE_ESTIMATE) {
        add_sampled(out, a);
        return;
    }
    add_correction(out, &a->correction);
    if (a->profile && strcmp(a->profile, "sampled") == 0)
        text_add(out, "; the profile is sampled (--exact-profile)");
}

/* Where one simulation would narrow the range to a third. */
static void add_offer(struct text *out, const struct answer *a, const char *machine,
                      const char *program)
{
    char n[NUMBER_MAX];
    struct text command = {0};
    double with = a->correction.half_width_with_run, instructions;
    if (a->engine != ENGINE_ESTIMATE || !a->has_confidence || !a->correction.bank) return;
    if (!(with > 0) || with > a->half_width / 3) return;
    if (!metrics_value(&a->m, "warp_instructions", &instructions)) return;
    table_number_text(instructions, "instructions", n);
    text_add(out,
             "a run of this program (%s warp instructions) would narrow that to some \u00b1 %.0f "
             "%%, and more on like machines: ",
             n, 100 * with);
    quote_command(&command, "plumb simulate %s %s", machine, program);
    for (uint32_t i = 0; i < a->n_sets; i++)
        quote_command(&command, " --set %s", a->set[i]);
    text_add_shown(out, "%s", text_str(&command));
    out->failed |= command.failed;
    text_fini(&command);
}

/* --- what binds --- */

/* The root of stalls with the largest share of the time below `before`; NULL: it is not worth a
 * word. */
static const char *next_root(const struct answer *a, double before, double *share)
{
    static const char prefix[] = "stall_roots.";
    const char *key, *root = NULL;
    *share = WHY_SHARE;
    for (uint32_t i = 0; (key = metrics_key(i)); i++) {
        double v;
        if (strncmp(key, prefix, strlen(prefix)) != 0 || !metrics_value(&a->m, key, &v)) continue;
        if (v >= before || v < *share) continue;
        *share = v;
        root = key + strlen(prefix);
    }
    return root;
}

static void add_roots(struct text *out, const struct answer *a)
{
    enum { NAMED = 3 };
    double share = (double)INFINITY;
    for (uint32_t i = 0; i < NAMED; i++) {
        const char *root = next_root(a, share, &share);
        if (!root) return;
        bool waits = strcmp(root, "compute") != 0;
        text_add(out, "%s%.1f %% %s%s", i ? ", " : "warps' time: ", 100 * share,
                 waits ? "waiting at " : "computing", waits ? root : "");
    }
}

static const struct station *find_station(const struct answer *a, const char *name)
{
    for (uint32_t i = 0; name && i < a->x.n; i++)
        if (strcmp(a->x.station[i].name, name) == 0) return &a->x.station[i];
    return NULL;
}

/* The bottleneck, or the saturated station that the best of what would help relieves if that saves
 * more than an infinitely fast bottleneck: stations that are saturated together save nothing each.
 */
static const struct station *limiting_station(const struct answer *a)
{
    const struct station *s = find_station(a, a->x.bottleneck),
                         *helps = find_station(a, causes_station(&a->helps));
    bool saturated = helps && helps->utilization >= CAUSE_SATURATED;
    double saves = saturated ? a->helps.at[0].saves : 0;
    return saves >= CAUSE_LEAST && (!s || saves > s->gain) ? helps : s;
}

void headline_limit(struct text *out, const struct answer *a)
{
    const char *name = a->x.bottleneck;
    const struct station *s = limiting_station(a);
    if (s)
        text_add(out, "%s (%s), %.1f %% busy", s->name, estimate_station_meaning(s->name),
                 100 * s->utilization);
    else if (name)
        text_add(out, "%s: no part is busy most of the time", name);
    else
        add_roots(out, a);
}

static void reach(struct reached *list, uint32_t *n, const struct reached *r)
{
    if (r->peak > 0 && r->rate >= WHY_SHARE * r->peak) list[(*n)++] = *r;
}

uint32_t headline_reached(const struct answer *a, const struct machine *m,
                          struct reached out[REACHED_MAX])
{
    static const struct {
        enum unit unit;
        const char *of, *peak;
    } units[] = {{UNIT_FP32, "FP32", "fp32_tflops"}, {UNIT_TENSOR, "matrix", "matrix_tflops"}};
    uint32_t n = 0;
    double gbps, cycles = a->m.v[M_cycles];
    if (metrics_value(&a->m, "dram.bandwidth_gbps", &gbps))
        reach(out, &n,
              &(struct reached){"DRAM", "GB/s", gbps, machine_derived_value(m, "peak_gbps")});
    for (size_t i = 0; i < sizeof units / sizeof *units && cycles > 0; i++) {
        double peak = machine_derived_value(m, units[i].peak);
        double share = a->x.unit_cycles[units[i].unit] / cycles;
        reach(out, &n, &(struct reached){units[i].of, "TFLOP/s", share * peak, peak});
    }
    return n;
}

static void add_rates(struct text *out, const struct answer *a, const struct machine *m)
{
    struct reached r[REACHED_MAX];
    uint32_t n = headline_reached(a, m, r);
    for (uint32_t i = 0; i < n; i++) {
        char rate[NUMBER_MAX], peak[NUMBER_MAX];
        table_number_text(r[i].rate, r[i].unit, rate);
        table_number_text(r[i].peak, r[i].unit, peak);
        text_add(out, "%s%s %s of %s %s", i ? ", " : "", r[i].of, rate, peak, r[i].unit);
    }
    double held, mhz;
    if (metrics_value(&a->m, "clock.held", &held) && held >= WHY_SHARE &&
        machine_get_number(m, "clock.core_mhz", &mhz))
        text_add(out, "%score clock %.0f of %.0f MHz (power limit)", n ? ", " : "",
                 (1 - held) * mhz, mhz);
}

/* --- all --- */

void headline_print(struct text *out, const struct answer *a, const struct machine *m,
                    const char *machine, const char *program)
{
    struct text time = {0}, basis = {0}, offer = {0}, limit = {0}, rates = {0}, kernel = {0};
    add_time(&time, a);
    headline_basis(&basis, a);
    add_offer(&offer, a, machine, program);
    headline_limit(&limit, a);
    if (m) add_rates(&rates, a, m);
    text_add(&kernel, "%s", a->kernel_chosen);
    add_line(out, "time", &time);
    add_line(out, "basis", &basis);
    add_line(out, "", &offer);
    add_line(out, "limit", &limit);
    add_line(out, "rates", &rates);
    add_line(out, "kernel", &kernel);
    text_fini(&time);
    text_fini(&basis);
    text_fini(&offer);
    text_fini(&limit);
    text_fini(&rates);
    text_fini(&kernel);
}
