/* sampler_ranges.c - learns how far estimates may be off, and judges it on programs and machines
 * that were not learned from.
 *
 * Usage: sampler_ranges RUNS.db WHAT_IFS PROGRAM...   (environment: WRITE=FILE: write what was
 * learned, configs/calibrations/ranges.cfg; THREADS) All presets of sampler_ranges.csv run every
 * program, and so do WHAT_IFS machines around each, in which one or two parameters are halved,
 * doubled or made four times as large.  The list says which families of programs and of machines
 * are learned from; judged are the cases where both are of the other half.  Simulations are kept in
 * RUNS.db. Printed are, of the 95 % ranges of cycles: the share of cases that they hold and their
 * half width (half of the range over the value; median), for all, by machine and by thirds of each
 * feature; beside it a constant range that holds as many.  Then the same of each metric, and of the
 * ratio of a what-if to its preset (half widths of rates and parts are in their unit); and of
 * estimates as the calibrations in configs/calibrations correct them: nothing was learned from
 * these what-ifs. */
#include "base/memory/sort.h"
#include "bench/support/range_cases.h"
#include "calibration/calibration_set.h"
#include "calibration/range_fit.h"

static const double LEVEL = 0.95;
enum { CYCLES = 0, DRAWN_RATIOS = 60 };

struct judged {
    double error, range; /* both logarithms, or differences; errors as sizes */
    double half_width;
};

static bool is_half(const struct range_case *c, const char *half)
{
    return strcmp(c->machine->half, half) == 0 && strcmp(c->program->half, half) == 0;
}

static uint32_t family(const struct range_list *l, const char *name)
{
    uint32_t i = 0;
    while (strcmp(l->row[i].family, name) != 0)
        i++;
    return i;
}

static double unit_of(const struct range_case *c, uint32_t metric)
{
    const char *in = range_unit_key(metrics_key(metric));
    return !in || !in[0] ? 1 : record_metric(&c->est, in);
}

static bool error_of(const struct range_case *c, uint32_t metric, double *error)
{
    return c->sim.has[metric] && c->est.has[metric] &&
           range_error(metrics_key(metric), unit_of(c, metric), c->sim.value[metric],
                       c->est.value[metric], error);
}

static void to_point(const struct range_list *l, const struct range_case *c, struct range_point *p)
{
    *p = (struct range_point){.program_family = family(l, c->program->family),
                              .machine_family = family(l, c->machine->family)};
    memcpy(p->feature, c->feature, sizeof p->feature);
    for (uint32_t i = 0; metrics_key(i); i++)
        p->has[i] = error_of(c, i, &p->error[i]);
}

static double change_of(const struct range_cases *all, const struct range_case *c)
{
    return log(c->est.value[CYCLES] / all->at[c->base].est.value[CYCLES]);
}

static struct ratio_point ratio_of(const struct range_cases *all, const struct range_case *c)
{
    double change = change_of(all, c),
           truth = log(c->sim.value[CYCLES] / all->at[c->base].sim.value[CYCLES]);
    return (struct ratio_point){.change = change, .error = truth - change};
}

static bool is_ratio(const struct range_cases *all, const struct range_case *c)
{
    return c->ok && c != &all->at[c->base] && all->at[c->base].ok;
}

static bool learn(const struct range_list *l, const struct range_cases *all,
                  struct range_model *model, struct error *e)
{
    struct range_point *p = calloc(all->n, sizeof *p);
    struct ratio_point *r = calloc(all->n, sizeof *r);
    uint32_t n = 0, ratios = 0;
    for (uint32_t i = 0; p && r && i < all->n; i++) {
        const struct range_case *c = &all->at[i];
        if (!c->ok || !is_half(c, "learn")) continue;
        to_point(l, c, &p[n++]);
        if (is_ratio(all, c)) r[ratios++] = ratio_of(all, c);
    }
    printf("learned from %u cases, %u ratios\n", n, ratios);
    bool ok = p && r && range_fit(model, p, n, e) && range_fit_ratio(model, r, ratios, e);
    for (uint32_t i = 0; ok && i < all->n; i++)
        if (all->at[i].ok && is_half(&all->at[i], "learn"))
            range_model_see(model, &all->at[i].m, &all->at[i].x);
    model->est_version = EST_MODEL_VERSION;
    model->sim_version = SIM_MODEL_VERSION;
    free(p);
    free(r);
    return ok;
}

/* --- judging --- */

static int by_range(const void *a, const void *b)
{
    double x = ((const struct judged *)a)->half_width, y = ((const struct judged *)b)->half_width;
    return (x > y) - (x < y);
}

static int by_error(const void *a, const void *b)
{
    double x = ((const struct judged *)a)->error, y = ((const struct judged *)b)->error;
    return (x > y) - (x < y);
}

/* Sorts v. */
static void print_judged(const char *name, struct judged *v, uint32_t n)
{
    uint32_t holds = 0;
    if (!n) return;
    for (uint32_t i = 0; i < n; i++)
        holds += v[i].error <= v[i].range;
    qsort(v, n, sizeof *v, by_range);
    double median = v[n / 2].half_width;
    qsort(v, n, sizeof *v, by_error);
    double constant = v[holds ? holds - 1 : 0].error;
    printf(
        "%-34s n %4u  holds %5.1f %%  half width %6.1f %%  constant of equal coverage %6.1f %%\n",
        name, n, 100.0 * holds / n, 100 * median, 100 * sinh(constant));
}

static double half_width_of(const char *key, double unit, double value, double range)
{
    double low, high;
    range_around(key, unit, value, range, &low, &high);
    return range_unit_key(key) ? (high - low) / 2 / unit : (high - low) / 2 / value;
}

static bool judge_case(const struct range_model *model, const struct range_case *c, uint32_t metric,
                       struct judged *out)
{
    double error;
    const struct range_scale *s = &model->metric[metric];
    if (!c->ok || !is_half(c, "judge") || !s->cases || !error_of(c, metric, &error)) return false;
    out->error = fabs(error);
    out->range = range_quantile(s->quantile, LEVEL) * range_scale_at(model, s, c->feature);
    out->half_width =
        half_width_of(metrics_key(metric), unit_of(c, metric), c->est.value[metric], out->range);
    return true;
}

/* Of the cases for which `in` is true. */
typedef bool subset_fn(const struct range_case *c, const void *ctx);
static void judge_some(const char *name, const struct range_model *model,
                       const struct range_cases *all, uint32_t metric, subset_fn *in,
                       const void *ctx, struct judged *room)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < all->n; i++)
        if ((!in || in(&all->at[i], ctx)) && judge_case(model, &all->at[i], metric, &room[n])) n++;
    print_judged(name, room, n);
}

static bool is_on(const struct range_case *c, const void *name)
{
    return strcmp(c->machine->name, name) == 0;
}

static bool is_preset(const struct range_case *c, const void *ctx)
{
    (void)ctx;
    return !c->sets[0];
}

struct third {
    enum range_feature feature;
    double from, to;
};

static bool is_in_third(const struct range_case *c, const void *ctx)
{
    const struct third *t = ctx;
    return c->feature[t->feature] >= t->from && c->feature[t->feature] < t->to;
}

static void judge_thirds(const struct range_model *model, const struct range_cases *all,
                         struct judged *room)
{
    double *v = calloc(all->n, sizeof *v);
    for (uint32_t k = 0; v && k < RANGE_FEATURES; k++) {
        uint32_t n = 0;
        for (uint32_t i = 0; i < all->n; i++)
            if (all->at[i].ok && is_half(&all->at[i], "judge")) v[n++] = all->at[i].feature[k];
        if (!n) break;
        sort_doubles(v, n);
        double edge[4] = {-INFINITY, v[n / 3], v[2 * n / 3], INFINITY};
        for (uint32_t t = 0; t < 3; t++) {
            char name[64];
            struct third in = {(enum range_feature)k, edge[t], edge[t + 1]};
            snprintf(name, sizeof name, "  %s %.3g to %.3g", range_feature_name[k],
                     fmax(edge[t], v[0]), fmin(edge[t + 1], v[n - 1]));
            judge_some(name, model, all, CYCLES, is_in_third, &in, room);
        }
    }
    free(v);
}

static void judge_ratios(const struct range_model *model, const struct range_cases *all,
                         struct judged *room)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < all->n; i++) {
        const struct range_case *c = &all->at[i];
        if (!is_half(c, "judge") || !is_ratio(all, c)) continue;
        struct ratio_point r = ratio_of(all, c);
        double range = range_of_ratio(model, r.change, LEVEL);
        room[n++] = (struct judged){fabs(r.error), range, sinh(range)};
    }
    uint32_t step = n / DRAWN_RATIOS;
    struct judged *drawn = room + n;
    for (uint32_t i = 0; step && i < DRAWN_RATIOS; i++)
        drawn[i] = room[i * step];
    if (step) print_judged("drawn ratios", drawn, DRAWN_RATIOS);
    print_judged("all ratios", room, n);
}

/* --- the calibrations that come with plumb --- */

/* A part of the cases; negative: whatever it is. */
struct calibrated_part {
    const char *name;
    int knows;  /* whether the calibration was made from the program */
    int preset; /* the preset itself, which it was made from, too */
    int beyond; /* a parameter was changed that was not varied, or farther than it was */
};
static const struct calibrated_part parts[] = {
    {"trained programs, presets themselves", 1, 1, -1},
    {"trained programs, what-ifs of varied parameters", 1, 0, 0},
    {"trained programs, what-ifs of other parameters", 1, 0, 1},
    {"trained programs, all", 1, -1, -1},
    {"other programs, all", 0, -1, -1},
};
enum { PARTS = sizeof parts / sizeof *parts };

static bool is_part(int wanted, bool is)
{
    return wanted < 0 || is == (wanted > 0);
}

struct calibrated_answer {
    bool ok, knows, beyond;
    struct judged raw, with;
};

static void ask_calibrated(const struct calibration_set *s, const struct range_case *c,
                           struct calibrated_answer *out)
{
    struct error e = {0};
    struct answer a = {0};
    struct run_opts o;
    struct program_opts width = {.warp_width = c->m.sm.warp_width};
    struct program *p = c->ok ? program_open(c->spec, &width, &e) : NULL;
    run_opts_default(&o);
    o.threads = 1;
    out->ok =
        p &&
        engine_run(ENGINE_ESTIMATE, &c->m, p, calibration_set_for(s, &c->m), NULL, &o, &a, &e) &&
        a.correction.file[0] && a.has_confidence;
    if (out->ok) {
        double truth = c->sim.value[CYCLES];
        out->knows = a.correction.knows;
        out->beyond = a.correction.beyond[0] != 0;
        out->with =
            (struct judged){fabs(log(truth / a.m.v[M_cycles])), asinh(a.half_width), a.half_width};
        out->raw = (struct judged){.error = fabs(log(truth / c->est.value[CYCLES]))};
    }
    answer_fini(&a);
    program_close(p);
}

static void judge_part(const struct calibrated_part *part, const struct range_cases *all,
                       const struct calibrated_answer *answers, struct judged *room)
{
    double before = 0, after = 0;
    uint32_t n = 0;
    for (uint32_t i = 0; i < all->n; i++) {
        const struct calibrated_answer *a = &answers[i];
        if (!a->ok || !is_part(part->knows, a->knows) ||
            !is_part(part->preset, i == all->at[i].base) || !is_part(part->beyond, a->beyond))
            continue;
        room[n++] = a->with;
        before += expm1(a->raw.error);
        after += expm1(a->with.error);
    }
    if (!n) return;
    printf("%s: mean error %.1f %% before, %.1f %% after\n", part->name, 100 * before / n,
           100 * after / n);
    print_judged("  their ranges", room, n);
}

static bool open_shipped(struct calibration_set *set, const struct range_cases *all,
                         struct error *e)
{
    const struct machine *machine[LISTED_MAX];
    uint32_t machines = 0;
    for (uint32_t i = 0; i < all->n && machines < LISTED_MAX; i++)
        if (i == 0 || all->at[i].machine != all->at[i - 1].machine)
            machine[machines++] = &all->at[i].m;
    return calibration_set_open(set, NULL, machine, machines, e);
}

static void judge_shipped(const struct range_cases *all, struct judged *room)
{
    struct calibration_set set;
    struct error e = {0};
    struct calibrated_answer *answers = calloc(all->n, sizeof *answers);
    bool ok = answers && open_shipped(&set, all, &e);
    for (uint32_t i = 0; ok && i < all->n; i++)
        ask_calibrated(&set, &all->at[i], &answers[i]);
    for (uint32_t k = 0; ok && k < PARTS; k++)
        judge_part(&parts[k], all, answers, room);
    if (!ok) fprintf(stderr, "sampler_ranges: %s\n", e.text);
    if (answers) calibration_set_close(&set);
    free(answers);
}

static void judge(const struct range_list *l, const struct range_model *model,
                  const struct range_cases *all)
{
    struct judged *room = calloc(2 * all->n, sizeof *room);
    if (!room) return;
    judge_some("cycles", model, all, CYCLES, NULL, NULL, room);
    judge_some("cycles, presets themselves", model, all, CYCLES, is_preset, NULL, room);
    for (uint32_t i = 0; i < l->n; i++)
        if (strcmp(l->row[i].kind, "machine") == 0 && strcmp(l->row[i].half, "judge") == 0)
            judge_some(l->row[i].name, model, all, CYCLES, is_on, l->row[i].name, room);
    judge_thirds(model, all, room);
    judge_ratios(model, all, room);
    judge_shipped(all, room);
    for (uint32_t i = 1; metrics_key(i); i++)
        judge_some(metrics_key(i), model, all, i, NULL, NULL, room);
    free(room);
}

int main(int argc, char **argv)
{
    static struct range_list list;
    static struct range_model model;
    struct range_cases all = {.at = calloc(CASES_MAX, sizeof *all.at),
                              .reading = PTHREAD_MUTEX_INITIALIZER};
    struct error e = {0};
    const char *threads = getenv("THREADS"), *write = getenv("WRITE");
    if (argc < 4) {
        fprintf(stderr, "usage: sampler_ranges RUNS.db WHAT_IFS PROGRAM...\n");
        return 2;
    }
    if (!all.at || !range_list_read(&list, "bench/sampler_ranges.csv")) {
        fprintf(stderr, "sampler_ranges: run it from the root of the source tree\n");
        return 1;
    }
    all.store = store_open(argv[1], true, &e);
    bool ok = all.store != NULL;
    for (uint32_t i = 0; ok && i < list.n; i++)
        for (int k = 3; ok && k < argc && strcmp(list.row[i].kind, "machine") == 0; k++)
            ok = add_cases(&all, &list, &list.row[i], argv[k], (uint32_t)atoi(argv[2]));
    if (ok) parallel_map(threads ? (unsigned)atoi(threads) : 0, all.n, run_case, &all);
    ok = ok && learn(&list, &all, &model, &e);
    if (ok) judge(&list, &model, &all);
    if (ok && write) ok = range_model_save(&model, write, &e);
    if (!ok && e.text[0]) fprintf(stderr, "sampler_ranges: %s\n", e.text);
    store_close(all.store);
    free(all.at);
    return ok ? 0 : 1;
}
