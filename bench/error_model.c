/* error_model.c - learns how far estimates are off, with and without runs of a program, and judges
 * it on programs that were not learned from.
 *
 * Usage: error_model [-o FILE] SOURCE...   (-o: write what was learned,
 * configs/calibrations/ranges.cfg) A SOURCE is a database that bench_calibration_runs made, or a
 * calibration, which has the simulations that it was made from.
 * The list bench/error_model.csv says which families of programs and of machines are learned from.
 * Learned are the kernel of errors (calibration/kernel_fit.h), and from errors at runs that a
 * kernel of other programs predicts, the scales and quantiles of ranges (calibration/range_fit.h).
 * Printed are, of programs of the other half: the errors of estimates without a run, with one on
 * the preset, and with eight; the share of cases that 95 % ranges hold, and half of the median
 * range over the value.  Environment: THREADS; MODEL: a file that was learned before is judged
 * instead. */
#include "base/memory/sort.h"
#include "bench/support/known_cases.h"
#include "calibration/calibrate.h"
#include "calibration/constants.h"
#include "calibration/kernel_fit.h"
#include "calibration/range_fit.h"
#include "gpu/metrics/model_version.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double LEVEL = 0.95;
enum { SETS = 4, SET_MOST = 16 };

/* --- runs that correct a case ----------------------------------------------------------------- */

struct run_set {
    uint32_t n;
    const struct known_run *run[SET_MOST];
};

static bool alike(const struct known_cases *all, uint32_t a, uint32_t b)
{
    const struct known_case *x = &all->at[a], *y = &all->at[b];
    return a != b && digest_equal(x->run.program, y->run.program) &&
           strcmp(x->preset, y->preset) == 0;
}

/* Takes at most n runs of the case's program, beginning at a place that depends on the case. */
static void take_runs(const struct known_cases *all, uint32_t of, uint32_t n, struct run_set *s)
{
    for (uint32_t k = 0; k < all->n && s->n < n && s->n < SET_MOST; k++) {
        uint32_t j = (uint32_t)(((uint64_t)of * 7919 + k) % all->n);
        if (alike(all, of, j)) s->run[s->n++] = &all->at[j].run;
    }
}

/* Which runs correct a case: 0: that of the preset; 1: three; 2: eight around the same preset; 3:
 * two others of them. */
static void choose_runs(const struct known_cases *all, uint32_t of, uint32_t set, struct run_set *s)
{
    const struct known_case *c = &all->at[of];
    static const uint32_t size[SETS] = {1, 3, 8, 2};
    s->n = 0;
    if (set < SETS - 1 && c->base != of) s->run[s->n++] = &all->at[c->base].run;
    if (set > 0) take_runs(all, of, size[set], s);
}

/* What a calibration that has only these runs says of a case. */
struct said {
    struct calibration c;
    struct calibrated at;
    struct known_run copy[SET_MOST];
};

static bool ask(struct said *s, const struct known_case *c, const struct run_set *set,
                const struct range_model *model, struct error *e)
{
    s->c = (struct calibration){.run = s->copy, .n = set->n};
    for (uint32_t i = 0; i < set->n; i++)
        s->copy[i] = *set->run[i];
    if (!calibration_prepare(&s->c, model, e)) return false;
    s->at = (struct calibrated){.place = c->run.place};
    memcpy(s->at.feature, c->feature, sizeof s->at.feature);
    calibrate_place(&s->c, &c->run.program, &s->at);
    return true;
}

static void forget(struct said *s)
{
    s->c.run = NULL;
    calibration_fini(&s->c);
}

/* --- learning --------------------------------------------------------------------------------- */

static uint32_t fold_of(const struct known_case *c)
{
    return (uint32_t)(digest_text(c->program->family).lo % 2);
}

static bool fit_kernel(const struct known_cases *all, int left_out, struct error_kernel *out,
                       struct error *e)
{
    struct known_run *run = malloc(all->n * sizeof *run);
    const struct known_run **of = malloc(all->n * sizeof *of);
    const struct error_kernel usual = error_kernel_usual();
    uint32_t n = 0;
    for (uint32_t i = 0; run && of && i < all->n; i++)
        if (is_half(all->at[i].program, "learn") && (int)fold_of(&all->at[i]) != left_out) {
            /* runs of distant machines do not correct each other (engine/bank_recall.h) */
            run[n] = all->at[i].run;
            run[n].program = digest_join(run[n].program, digest_text(all->at[i].preset));
            of[n] = &run[n];
            n++;
        }
    bool ok = run && of && kernel_fit(out, &usual, KERNEL_STEPS, of, n, e);
    free(run);
    free(of);
    fprintf(stderr, "kernel of %u runs: offset %.3f noise %.4f tail %.2f\n", n, out->offset,
            out->noise, out->tail);
    for (uint32_t g = 0; g < PLACE_GROUPS; g++)
        fprintf(stderr, "  %-10s %.4f %.3f\n", place_group_name[g], out->amplitude[g],
                out->length[g]);
    return ok;
}

static void start_point(const struct known_list *l, const struct known_case *c,
                        struct range_point *p)
{
    *p = (struct range_point){.program_family = known_list_family(l, c->program),
                              .machine_family = known_list_family(l, c->machine)};
}

static bool learn_bare(const struct known_list *l, const struct known_cases *all,
                       struct range_model *model, struct error *e)
{
    struct range_point *p = calloc(all->n, sizeof *p);
    uint32_t n = 0;
    for (uint32_t i = 0; p && i < all->n; i++) {
        const struct known_case *c = &all->at[i];
        if (!is_half(c->program, "learn") || !is_half(c->machine, "learn")) continue;
        start_point(l, c, &p[n]);
        memcpy(p[n].feature, c->feature, sizeof p[n].feature);
        memcpy(p[n].error, c->run.error, sizeof p[n].error);
        memcpy(p[n].has, c->run.has, sizeof p[n].has);
        range_model_see(model, &c->m, &c->x);
        n++;
    }
    fprintf(stderr, "bare ranges of %u cases\n", n);
    bool ok = p && range_fit(&model->bare, p, n, e);
    free(p);
    return ok;
}

static void note_known(const struct said *s, const struct known_case *c, struct range_point *p,
                       double (*own)[2])
{
    p->own = (const double(*)[2])own;
    for (uint32_t i = 0; metrics_key(i); i++) {
        double mean, feature[RANGE_FEATURES];
        if (!c->run.has[i] || !calibrate_features(&s->c, &s->at, i, &mean, feature)) continue;
        p->has[i] = true;
        p->error[i] = c->run.error[i] - mean;
        own[i][0] = feature[RANGE_DOUBT];
        own[i][1] = feature[RANGE_CORRECTION];
        memcpy(p->feature, feature, sizeof feature);
    }
}

/* The folds' models have kernels that were learned without the case's family. */
static bool learn_known(const struct known_list *l, const struct known_cases *all,
                        const struct range_model *const fold[2], struct range_model *model,
                        struct error *e)
{
    struct range_point *p = calloc((size_t)SETS * all->n, sizeof *p);
    double(*own)[METRICS_KEYS_MAX][2] = calloc((size_t)SETS * all->n, sizeof *own);
    struct said *s = calloc(1, sizeof *s);
    uint32_t n = 0;
    bool ok = p && s && own;
    for (uint32_t i = 0; ok && i < all->n; i++) {
        const struct known_case *c = &all->at[i];
        if (!is_half(c->program, "learn")) continue;
        for (uint32_t k = 0; ok && k < SETS; k++) {
            struct run_set set;
            choose_runs(all, i, k, &set);
            if (!set.n || !(ok = ask(s, c, &set, fold[fold_of(c)], e))) continue;
            start_point(l, c, &p[n]);
            note_known(s, c, &p[n], own[n]);
            n++;
            forget(s);
        }
    }
    fprintf(stderr, "known ranges of %u cases\n", n);
    ok = ok && range_fit(&model->known, p, n, e);
    free(p);
    free(own);
    free(s);
    return ok;
}

/* Of a case's cycles over those of its preset, with the runs of a set. */
static bool ask_ratio(const struct known_cases *all, const struct known_case *c,
                      const struct run_set *set, const struct range_model *model, struct said *s,
                      double feature[RANGE_FEATURES], double *left, struct error *e)
{
    const struct known_case *base = &all->at[c->base];
    const uint32_t cycles = metrics_key_index("cycles");
    if (!ask(s, c, set, model, e)) return false;
    const struct calibrated_pair pair = {.program = c->run.program,
                                         .a = &base->run.place,
                                         .b = &c->run.place,
                                         .feature_a = base->feature,
                                         .feature_b = c->feature};
    double mean = calibrate_ratio_features(&s->c, &pair, feature);
    *left = c->run.error[cycles] - base->run.error[cycles] - mean;
    forget(s);
    return true;
}

/* Ratios to another case around the preset, which no run of the set is. */
static bool learn_ratio(const struct known_list *l, const struct known_cases *all,
                        const struct range_model *const fold[2], struct range_model *model,
                        struct error *e)
{
    const uint32_t cycles = metrics_key_index("cycles");
    struct range_point *p = calloc((size_t)(SETS + 1) * all->n, sizeof *p);
    struct said *s = calloc(1, sizeof *s);
    uint32_t n = 0;
    bool ok = p && s;
    for (uint32_t i = 0; ok && i < all->n; i++) {
        const struct known_case *c = &all->at[i];
        if (!is_half(c->program, "learn") || c->base == i) continue;
        for (uint32_t k = 0; ok && k <= SETS; k++) {
            struct run_set set = {.n = 0};
            if (k < SETS) choose_runs(all, i, k, &set);
            start_point(l, c, &p[n]);
            ok = ask_ratio(all, c, &set, fold[fold_of(c)], s, p[n].feature, &p[n].error[cycles], e);
            p[n++].has[cycles] = true;
        }
    }
    fprintf(stderr, "ranges of %u ratios\n", n);
    ok = ok && range_fit(&model->ratio, p, n, e);
    free(p);
    free(s);
    return ok;
}

static bool learn(const struct known_list *l, const struct known_cases *all,
                  struct range_model *model, struct error *e)
{
    struct range_model *one = calloc(1, sizeof *one), *two = calloc(1, sizeof *two);
    bool ok = one && two && learn_bare(l, all, model, e);
    model->est_version = EST_MODEL_VERSION;
    model->sim_version = SIM_MODEL_VERSION;
    if (ok) *one = *two = *model;
    const struct range_model *const fold[2] = {one, two};
    ok = ok && fit_kernel(all, 0, &one->kernel, e) && fit_kernel(all, 1, &two->kernel, e) &&
         fit_kernel(all, -1, &model->kernel, e) && learn_known(l, all, fold, model, e);
    ok = ok && learn_ratio(l, all, fold, model, e);
    free(one);
    free(two);
    return ok;
}

/* --- judging ---------------------------------------------------------------------------------- */

struct judged {
    double *error, *half; /* [n] the relative error of the value; half of its range over it */
    uint32_t n, held;
};

static void note_judged(struct judged *j, double left, double range)
{
    if (!isfinite(range)) return;
    j->held += fabs(left) <= range;
    j->error[j->n] = fabs(expm1(-left));
    j->half[j->n++] = sinh(range);
}

static void print_judged(const char *what, struct judged *j)
{
    double sum = 0;
    if (!j->n) return;
    for (uint32_t i = 0; i < j->n; i++)
        sum += j->error[i];
    sort_doubles(j->error, j->n);
    sort_doubles(j->half, j->n);
    printf("%-44s n %5u  error mean %5.3g median %4.1f %%  held %5.1f %%  half width %5.1f %%\n",
           what, j->n, 100 * sum / j->n, 100 * j->error[j->n / 2], 100.0 * j->held / j->n,
           100 * j->half[j->n / 2]);
    j->n = j->held = 0;
}

enum judged_kind { NO_RUN = -1, ONE_RUN = 0, THREE_RUNS = 1, EIGHT_RUNS = 2 };

static void judge_case(const struct known_cases *all, uint32_t i, int set, uint32_t metric,
                       const struct range_model *model, struct said *s, struct judged *out)
{
    const struct known_case *c = &all->at[i];
    struct run_set runs = {.n = 0};
    struct error e;
    double mean, range;
    if (set >= 0) choose_runs(all, i, (uint32_t)set, &runs);
    if ((set >= 0 && !runs.n) || !c->run.has[metric] || !ask(s, c, &runs, model, &e)) return;
    if (calibrate_metric(&s->c, &s->at, metric, LEVEL, &mean, &range))
        note_judged(out, c->run.error[metric] - mean, range);
    forget(s);
}

/* Whether the case is a what-if of one to three parameters. */
static bool is_near(const struct known_cases *all, const struct known_case *c)
{
    const struct known_case *base = &all->at[c->base];
    uint32_t n = 0;
    for (uint32_t k = 0; k < place_params(); k++)
        n += strchr(place_param_name(k), '.') && /* derived numbers have no dot */
             c->run.place.param[k] != base->run.place.param[k];
    return n <= 3;
}

static void judge_set(const char *what, const struct known_cases *all, const char *preset, int set,
                      uint32_t metric, const struct range_model *model, struct said *s,
                      struct judged *j)
{
    char name[128];
    bool near = strstr(what, "near") != NULL;
    for (uint32_t i = 0; i < all->n; i++) {
        const struct known_case *c = &all->at[i];
        if (!is_half(c->program, "judge") || (preset && strcmp(c->preset, preset) != 0)) continue;
        if (near && !is_near(all, c)) continue;
        judge_case(all, i, set, metric, model, s, j);
    }
    snprintf(name, sizeof name, "%s%s%s", what, preset ? ", " : "", preset ? preset : "");
    print_judged(name, j);
}

static void judge_ratios(const struct known_cases *all, int set, const char *what,
                         const struct range_model *model, struct said *s, struct judged *j)
{
    const uint32_t cycles = metrics_key_index("cycles");
    struct error e;
    for (uint32_t i = 0; i < all->n; i++) {
        const struct known_case *c = &all->at[i];
        struct run_set runs = {.n = 0};
        double feature[RANGE_FEATURES], left;
        if (!is_half(c->program, "judge") || c->base == i) continue;
        if (set >= 0) choose_runs(all, i, (uint32_t)set, &runs);
        if (ask_ratio(all, c, &runs, model, s, feature, &left, &e))
            note_judged(j, left, range_of_case(&model->ratio, cycles, feature, LEVEL));
    }
    print_judged(what, j);
}

static void judge(const struct known_cases *all, const struct range_model *model)
{
    static const char *const preset[] = {"rx540", "rx570", "qv100", "hd7770-fgcs18"};
    static const char *const key[] = {"dram.reads",  "dram.writes",       "l1.hit_rate",
                                      "l2.hit_rate", "latency.load_mean", "energy_mj.total"};
    const uint32_t cycles = metrics_key_index("cycles");
    struct judged j = {.error = calloc(all->n, sizeof(double)), .half = calloc(all->n, 8)};
    struct said *s = calloc(1, sizeof *s);
    if (!j.error || !j.half || !s) return;
    judge_set("no run", all, NULL, NO_RUN, cycles, model, s, &j);
    for (uint32_t i = 0; i < sizeof preset / sizeof *preset; i++)
        judge_set("  no run", all, preset[i], NO_RUN, cycles, model, s, &j);
    judge_set("the preset's run", all, NULL, ONE_RUN, cycles, model, s, &j);
    judge_set("no run, near", all, NULL, NO_RUN, cycles, model, s, &j);
    judge_set("the preset's run, near", all, NULL, ONE_RUN, cycles, model, s, &j);
    for (uint32_t i = 0; i < sizeof preset / sizeof *preset; i++)
        judge_set("  the preset's run, near", all, preset[i], ONE_RUN, cycles, model, s, &j);
    judge_set("three runs", all, NULL, THREE_RUNS, cycles, model, s, &j);
    judge_set("eight runs", all, NULL, EIGHT_RUNS, cycles, model, s, &j);
    judge_ratios(all, NO_RUN, "ratio to the preset, no run", model, s, &j);
    judge_ratios(all, ONE_RUN, "ratio to the preset, its run", model, s, &j);
    judge_ratios(all, EIGHT_RUNS, "ratio to the preset, eight runs", model, s, &j);
    for (uint32_t i = 0; i < sizeof key / sizeof *key; i++) {
        uint32_t metric = metrics_key_index(key[i]);
        printf("%s\n", key[i]);
        judge_set("  no run", all, NULL, NO_RUN, metric, model, s, &j);
        judge_set("  the preset's run", all, NULL, ONE_RUN, metric, model, s, &j);
        judge_set("  eight runs", all, NULL, EIGHT_RUNS, metric, model, s, &j);
    }
    free(j.error);
    free(j.half);
    free(s);
}

int main(int argc, char **argv)
{
    static struct known_list list;
    static struct range_model model;
    struct known_cases all = {.n = 0};
    struct error e = {0};
    const char *threads = getenv("THREADS"), *kept = getenv("MODEL");
    const char *out = argc > 2 && strcmp(argv[1], "-o") == 0 ? argv[2] : NULL;
    int first = out ? 3 : 1;
    if (argc <= first) {
        fprintf(stderr, "usage: error_model [-o FILE] SOURCE...\n");
        return 2;
    }
    if (!known_list_read(&list, "bench/error_model.csv")) {
        fprintf(stderr, "error_model: run it from the root of the source tree\n");
        return 1;
    }
    const char *bad =
        known_cases_read(&all, &list, (const char *const *)argv + first, (uint32_t)(argc - first),
                         threads ? (unsigned)atoi(threads) : 0);
    bool ok = !bad || error_input(&e, "%s cannot be read", bad);
    ok = ok && (kept ? range_model_load(&model, kept, &e) : learn(&list, &all, &model, &e));
    if (ok && out) ok = range_model_save(&model, out, &e);
    if (ok) judge(&all, &model);
    if (!ok) fprintf(stderr, "error_model: %s\n", e.text);
    free(all.at);
    return ok ? 0 : 1;
}
