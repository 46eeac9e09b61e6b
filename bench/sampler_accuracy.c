/* sampler_accuracy.c - how near sample comes to simulate, and at what price.
 *
 *   bench_sampler_accuracy MACHINE PROGRAM...
 * one line each: cycles of both, error, half width, share of the instructions simulated, speed-up.
 * PLUMB_SEEDS=n: that many samples with different seeds (1); the last line tells how many held the
 * truth.  What placing and warming leave: bench_sampler_coverage, which runs every interval. */
#include "engine/engine.h"
#include "gpu/machine/machine.h"
#include "sampler/strata/est_params.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct row_sums {
    unsigned runs, inside;
    double error, worst;
};

static unsigned number(const char *name, unsigned otherwise)
{
    const char *s = getenv(name);
    return s ? (unsigned)strtoul(s, NULL, 10) : otherwise;
}

static bool run(enum engine e, const struct machine *m, const struct program *p,
                const struct profile *profile, const struct run_opts *o, struct answer *a)
{
    struct error error;
    bool ok = engine_run(e, m, p, NULL, profile, o, a, &error);
    if (!ok) fprintf(stderr, "%s: %s\n", program_name(p), error.text);
    return ok;
}

static void report(const struct answer *sample, const struct answer *truth, struct row_sums *t)
{
    double cycles = truth->m.v[M_cycles], error = sample->m.v[M_cycles] / cycles - 1;
    printf("%s %s cycles %.0f sampled %.0f error %+.2f %% half_width %.2f %% share %.1f %% "
           "intervals %u "
           "seconds %.2f of %.2f\n",
           sample->machine, sample->program, cycles, sample->m.v[M_cycles], 100 * error,
           100 * sample->half_width, 100 * sample->simulated_share, sample->intervals,
           sample->seconds, truth->seconds);
    for (uint32_t i = 0; i < sample->n_warnings; i++)
        printf("  warning: %s\n", sample->warnings[i]);
    t->runs++;
    t->inside += fabs(error) <= sample->half_width;
    t->error += fabs(error);
    t->worst = fmax(t->worst, fabs(error));
}

static bool compare(const struct machine *m, const struct program *p, struct row_sums *t)
{
    struct run_opts o;
    struct answer truth, sample;
    struct error error;
    struct profile_view view = est_view_of(m);
    run_opts_default(&o);
    struct profile *profile = profile_get(p, &view, profile_detail_for(p, &view, PROFILE_TIMES_ONE),
                                          0, false, NULL, &error);
    if (!profile) {
        fprintf(stderr, "%s: %s\n", program_name(p), error.text);
        return false;
    }
    bool ok = run(ENGINE_SIMULATE, m, p, NULL, &o, &truth);
    for (unsigned i = 0; ok && i < number("PLUMB_SEEDS", 1); i++, o.seed++) {
        ok = run(ENGINE_SAMPLE, m, p, profile, &o, &sample);
        if (ok) report(&sample, &truth, t);
        answer_fini(&sample);
    }
    answer_fini(&truth);
    profile_free(profile);
    return ok;
}

int main(int argc, char **argv)
{
    struct machine m;
    struct errors all = {0};
    struct row_sums t = {0};
    if (argc < 3 || !machine_load(&m, argv[1], NULL, 0, &all)) {
        fprintf(stderr, "usage: %s MACHINE PROGRAM...\n", argv[0]);
        for (uint32_t i = 0; i < all.n; i++)
            fprintf(stderr, "%s\n", all.item[i].text);
        return 2;
    }
    const struct program_opts wide = {.warp_width = m.sm.warp_width};
    for (int i = 2; i < argc; i++) {
        struct error error;
        struct program *p = program_open(argv[i], &wide, &error);
        if (!p) fprintf(stderr, "%s\n", error.text);
        if (p) compare(&m, p, &t);
        if (p) program_close(p);
    }
    if (t.runs)
        printf("samples %u mean error %.2f %% worst %.2f %% inside the half width %u\n", t.runs,
               100 * t.error / t.runs, 100 * t.worst, t.inside);
    return 0;
}
