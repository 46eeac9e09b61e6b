/* detailed_speed.c - speed of the cycle model: whole simulations, start-up included.
 * Usage: detailed_speed MACHINE PROGRAM...   Prints one line per program. */
#include "base/run/progress.h"
#include "bench/support/each.h"
#include "detailed/core/sim.h"
#include "gpu/metrics/metrics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(const struct error *e)
{
    fprintf(stderr, "detailed_speed: %s\n", e->text);
    return 2;
}

static double value(const struct metrics *m, const char *path)
{
    double v = 0;
    return metrics_value(m, path, &v) ? v : 0;
}

static int one(const struct machine *m, const char *spec)
{
    struct error e = {0};
    struct program_opts o = {.warp_width = m->sm.warp_width};
    double start = progress_clock_seconds();
    struct program *p = program_open(spec, &o, &e);
    if (!p) return fail(&e);
    struct sim *s = sim_new(m, p, &e);
    if (!s || sim_run(s, NULL, NULL, NULL, &e) != SIM_DONE) return fail(&e);
    struct metrics r;
    sim_metrics(s, &r);
    double seconds = progress_clock_seconds() - start;
    printf("%-22s cycles %9.0f insts %9.0f l1 %8.0f hits %8.0f l2r %8.0f l2rh %8.0f l2w %8.0f dram "
           "%7.0f/%7.0f lat %6.1f "
           "%7.3f s %9.0f inst/s\n",
           program_name(p), value(&r, "cycles"), value(&r, "warp_instructions"),
           value(&r, "l1.accesses"), value(&r, "l1.hits"), value(&r, "l2.reads"),
           value(&r, "l2.read_hits"), value(&r, "l2.writes"), value(&r, "dram.reads"),
           value(&r, "dram.writes"), value(&r, "latency.load_mean"), seconds,
           value(&r, "warp_instructions") / seconds);
    sim_free(s);
    program_close(p);
    return 0;
}

int main(int argc, char **argv)
{
    return bench_each("detailed_speed", argc, argv, one);
}
