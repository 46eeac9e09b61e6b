/* estimator_speed.c - how fast profiles are made and programs estimated.
 * Usage: estimator_speed MACHINE PROGRAM...   Prints one line per program; all by CPU time of one
 * core. */
#include "estimator/estimate.h"
#include "machine/machine.h"

#include <stdio.h>
#include <time.h>

enum { AT_LEAST = 200 }; /* estimates per measurement */

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int fail(const char *text)
{
    fprintf(stderr, "estimator_speed: %s\n", text);
    return 2;
}

static bool params_of(const struct machine *m, struct est_params *e)
{
    *e = (struct est_params){.sm = &m->sm,
                             .l1 = &m->l1,
                             .l2 = &m->l2,
                             .coherence = &m->coherence,
                             .noc = &m->noc,
                             .dram = &m->dram};
    return machine_clocks(m, &e->clocks);
}

static double estimates_per_second(const struct profile *f, const struct est_params *p,
                                   struct metrics *r, struct explanation *x, struct error *e)
{
    double start = cpu_seconds(), spent = 0;
    uint32_t n = 0;
    while (n < AT_LEAST && spent < 5) {
        if (!estimate(f, NULL, p, NULL, r, x, e)) return -1;
        n++;
        spent = cpu_seconds() - start;
    }
    return n / spent;
}

static int one(const struct machine *m, const char *spec)
{
    struct error e = {0};
    struct program_opts o = {.warp_width = m->sm.warp_width};
    struct program *p = program_open(spec, &o, &e);
    if (!p) return fail(e.text);
    struct profile_view view = profile_view_of(&m->sm, &m->l1, &m->l2);
    double start = cpu_seconds();
    struct profile *f = profile_get(p, &view, 1, false, &e);
    double seconds = cpu_seconds() - start;
    struct est_params ep;
    struct metrics r;
    struct explanation x;
    if (!f) return fail(e.text);
    if (!params_of(m, &ep)) return fail("the clocks have no common multiple");
    double plain = estimates_per_second(f, &ep, &r, NULL, &e),
           full = estimates_per_second(f, &ep, &r, &x, &e);
    if (plain < 0 || full < 0) return fail(e.text);
    printf("%-22s launches %4u  profile %6.3f s %6.2f M insts/s %6.2f M accesses/s  estimates/s "
           "%7.0f, explained "
           "%6.0f  cycles %.0f  %s\n",
           program_name(p), profile_launches(f), seconds, r.v[M_warp_instructions] / seconds / 1e6,
           r.v[M_l1_accesses] / seconds / 1e6, plain, full, r.v[M_cycles], x.bottleneck);
    profile_free(f);
    program_close(p);
    return 0;
}

int main(int argc, char **argv)
{
    struct machine m;
    struct errors all = {0};
    if (argc < 3) return fail("usage: estimator_speed MACHINE PROGRAM...");
    if (!machine_load(&m, argv[1], NULL, 0, &all)) return fail(all.item[0].text);
    int worst = 0;
    for (int i = 2; i < argc; i++) {
        int r = one(&m, argv[i]);
        if (r > worst) worst = r;
    }
    return worst;
}
