/* sampler_estimates.c - how far uncalibrated estimates are from the cycle model, program by
 * program.
 *
 * Usage: sampler_estimates MACHINE PROGRAM... [-- PATH=VALUE...]
 * One line per program: cycles of both and their ratio, hit rates and DRAM traffic of both
 * (simulated/estimated). At the end: mean, median, p90 and worst |error| of cycles, and Kendall's
 * tau over pairs of programs whose simulated cycles differ by more than 2 %; and the errors of what
 * an estimate tells besides: latencies and DRAM traffic relative to the simulated ones, shares in
 * points, over the programs that have them. */
#include "base/memory/sort.h"
#include "base/run/progress.h"
#include "detailed/core/sim.h"
#include "engine/engine.h"
#include "estimator/model/estimate.h"
#include "gpu/machine/machine.h"
#include "sampler/strata/est_params.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 256 };

/* What an estimate tells besides cycles: one metric, or the sum of two. */
static const struct told {
    const char *label, *path, *and;
    bool share; /* its error is a difference, in points */
} told[] = {
    {"load latency", "latency.load_mean", NULL, false},
    {"its 95th percentile", "latency.load_p95", NULL, false},
    {"L1 hits", "l1.hit_rate", NULL, true},
    {"L2 hits", "l2.hit_rate", NULL, true},
    {"DRAM traffic", "dram.reads", "dram.writes", false},
    {"DRAM latency", "dram.latency", NULL, false},
    {"row hits", "dram.row_hit_rate", NULL, true},
    {"DRAM busy", "dram.utilization", NULL, true},
};
enum { TOLD_N = sizeof told / sizeof *told };

struct pair {
    double simulated, estimated;
    double off[TOLD_N]; /* |error| of what is told; NAN: one of the two lacks it */
};

static bool fail(const struct error *e)
{
    fprintf(stderr, "sampler_estimates: %s\n", e->text);
    return false;
}

static double value(const struct metrics *m, const char *path)
{
    double v = 0;
    return metrics_value(m, path, &v) ? v : NAN;
}

static bool run_estimate(const struct machine *m, const struct program *p, struct metrics *r,
                         struct explanation *x, struct error *e)
{
    struct est_params ep = est_params_of(m);
    struct profile_view view = est_view_of(m);
    struct profile *f =
        profile_get(p, &view, profile_detail_for(p, &view, PROFILE_TIMES_ONE), 1, false, NULL, e);
    bool ok = f && estimate(f, NULL, &ep, r, x, e);
    profile_free(f);
    return ok;
}

static bool run_simulation(const struct machine *m, const struct program *p, struct metrics *r,
                           struct error *e)
{
    struct sim *s = sim_new(m, p, e);
    bool ok = s && sim_run(s, NULL, NULL, NULL, e) == SIM_DONE;
    if (ok) sim_metrics(s, r);
    sim_free(s);
    return ok;
}

static void print(const char *name, const struct metrics *s, const struct metrics *t,
                  const struct explanation *x)
{
    printf("%-24s cycles %9.0f %9.0f %6.3f", name, value(s, "cycles"), value(t, "cycles"),
           value(t, "cycles") / value(s, "cycles"));
    static const char *const path[] = {"l1.hit_rate", "l2.hit_rate", "dram.row_hit_rate"};
    static const char *const label[] = {"l1", "l2", "row"};
    for (uint32_t i = 0; i < 3; i++)
        printf("  %s %5.3f %5.3f", label[i], value(s, path[i]), value(t, path[i]));
    printf("  reads %8.0f %8.0f  writes %8.0f %8.0f  latency %6.1f %6.1f  %s\n",
           value(s, "dram.reads"), value(t, "dram.reads"), value(s, "dram.writes"),
           value(t, "dram.writes"), value(s, "latency.load_mean"), value(t, "latency.load_mean"),
           x->bottleneck);
}

static double told_value(const struct metrics *m, const struct told *t)
{
    return value(m, t->path) + (t->and ? value(m, t->and) : 0);
}

static void compare_told(const struct metrics *s, const struct metrics *t, double off[TOLD_N])
{
    for (uint32_t i = 0; i < TOLD_N; i++) {
        double truth = told_value(s, &told[i]), gap = fabs(told_value(t, &told[i]) - truth);
        off[i] = told[i].share ? gap : truth > 0 ? gap / truth : NAN;
    }
}

static bool one(const struct machine *m, const char *spec, struct pair *out)
{
    struct error e = {0};
    struct program_opts o = {.warp_width = m->sm.warp_width};
    struct metrics s, t;
    struct explanation x;
    struct program *p = program_open(spec, &o, &e);
    if (!p) return fail(&e);
    bool ok = run_simulation(m, p, &s, &e) && run_estimate(m, p, &t, &x, &e);
    if (ok) {
        print(program_name(p), &s, &t, &x);
        *out = (struct pair){.simulated = value(&s, "cycles"), .estimated = value(&t, "cycles")};
        compare_told(&s, &t, out->off);
    } else {
        fail(&e);
    }
    program_close(p);
    return ok;
}

static double kendall(const struct pair *p, uint32_t n)
{
    double agree = 0, pairs = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < i; j++) {
            double ratio = log(p[i].simulated / p[j].simulated);
            if (fabs(ratio) < log(1.02)) continue;
            pairs++;
            agree += ratio * log(p[i].estimated / p[j].estimated) > 0 ? 1 : -1;
        }
    return pairs > 0 ? agree / pairs : NAN;
}

static void summary(const struct pair *p, uint32_t n)
{
    double error[MOST], sum = 0, bias = 0;
    for (uint32_t i = 0; i < n; i++) {
        error[i] = fabs(p[i].estimated / p[i].simulated - 1);
        sum += error[i];
        bias += log(p[i].estimated / p[i].simulated);
    }
    if (!n) return;
    double mean = sum / n;
    sort_doubles(error, n);
    printf("programs %u  |error| mean %.3f median %.3f p90 %.3f worst %.3f  bias %+.3f  tau %.3f\n",
           n, mean, error[n / 2], error[(uint32_t)(0.9 * (n - 1) + 0.5)], error[n - 1],
           exp(bias / n) - 1, kendall(p, n));
}

static void summary_told(const struct pair *p, uint32_t n)
{
    for (uint32_t i = 0; i < TOLD_N; i++) {
        double off[MOST], sum = 0;
        uint32_t has = 0;
        for (uint32_t k = 0; k < n; k++) {
            if (isnan(p[k].off[i])) continue;
            sum += off[has++] = p[k].off[i];
        }
        if (!has) continue;
        sort_doubles(off, has);
        printf("told: %-20s |error| mean %5.1f median %5.1f worst %6.1f %s, %u programs\n",
               told[i].label, 100 * sum / has, 100 * off[has / 2], 100 * off[has - 1],
               told[i].share ? "points" : "%", has);
    }
}

int main(int argc, char **argv)
{
    static struct pair pairs[MOST];
    struct machine m;
    struct errors all = {0};
    int end = 2;
    uint32_t n = 0;
    if (argc < 3) {
        fprintf(stderr, "usage: sampler_estimates MACHINE PROGRAM... [-- PATH=VALUE...]\n");
        return 2;
    }
    while (end < argc && strcmp(argv[end], "--") != 0)
        end++;
    const char *const *sets = (const char *const *)argv + end + 1;
    if (!machine_load(&m, argv[1], sets, end < argc ? (size_t)(argc - end - 1) : 0, &all)) {
        fail(&all.item[0]);
        return 2;
    }
    for (int i = 2; i < end && n < MOST; i++)
        n += one(&m, argv[i], &pairs[n]);
    summary(pairs, n);
    summary_told(pairs, n);
    return 0;
}
