/* detailed_warm.c - speed of the functional pass beside that of the cycle model, in processor time.
 * Usage: detailed_warm MACHINE PROGRAM...   Prints one line per program. */
#include "base/memory/alloc.h"
#include "bench/support/each.h"
#include "detailed/core/sim.h"
#include "gpu/functional/warming/checkpoints.h"
#include "tests/support/warm_pass.h"

#include <stdio.h>
#include <time.h>

static int fail(const struct error *e)
{
    fprintf(stderr, "detailed_warm: %s\n", e->text);
    return 2;
}

static double processor_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static uint64_t instructions_of(const struct program *p, struct error *e)
{
    uint64_t *count = mem_new(program_launches(p), sizeof *count), all = 0;
    if (count && program_count(p, count, e))
        for (uint32_t i = 0; i < program_launches(p); i++)
            all += count[i];
    mem_free(count);
    return all;
}

/* Seconds of one pass to the last instruction but a few; negative: it failed. */
static double pass_seconds(const struct machine *m, const struct program *p, uint64_t n,
                           struct error *e)
{
    uint64_t last = n - n / 1000 - 1;
    struct snapshot s;
    double start = processor_seconds();
    if (!checkpoints_take_snapshots(m, p, &last, 1, true, &s, e)) return -1;
    snapshot_fini(&s);
    return processor_seconds() - start;
}

static double simulate_seconds(const struct machine *m, const struct program *p, struct error *e)
{
    double start = processor_seconds();
    struct sim *s = sim_new(m, p, e);
    bool ok = s && sim_run(s, NULL, NULL, NULL, e) == SIM_DONE;
    sim_free(s);
    return ok ? processor_seconds() - start : -1;
}

static int one(const struct machine *m, const char *spec)
{
    struct error e = {0};
    struct program_opts o = {.warp_width = m->sm.warp_width};
    struct program *p = program_open(spec, &o, &e);
    if (!p) return fail(&e);
    uint64_t n = instructions_of(p, &e);
    double pass = n ? pass_seconds(m, p, n, &e) : -1;
    double whole = pass < 0 ? -1 : simulate_seconds(m, p, &e);
    if (whole >= 0)
        printf("%-20s %10llu instructions, pass %7.3f s, simulate %7.3f s, %5.1f times as fast\n",
               program_name(p), (unsigned long long)n, pass, whole, whole / pass);
    program_close(p);
    return whole < 0 ? fail(&e) : 0;
}

int main(int argc, char **argv)
{
    return bench_each("detailed_warm", argc, argv, one);
}
