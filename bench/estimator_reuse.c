/* estimator_reuse.c - how fast stack distances are found on addresses in memory.
 *
 * Usage: estimator_reuse [ACCESSES]   (default 20,000,000)
 * The stream: 2.57 million lines; a third of the accesses by Zipf's law, a third in strides, a
 * third anywhere (a mix like that on which reference/dram.md measures public programs).  A line per
 * bound: accesses per second of CPU time of one core. */
#include "base/memory/alloc.h"
#include "base/memory/rng.h"
#include "estimator/profile/hit_curve.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LINES = 2570000, LARGEST = 262144, SOON = 24, SOONER = 8 };

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint64_t line_of(uint64_t i, struct rng *r)
{
    uint64_t zipf = (uint64_t)exp(rng_unit(r) * log(LINES)), k = i / 3;
    switch (i % 3) {
    case 0: return rng_splitmix64(zipf) % LINES;
    case 1: return k * 7 % (LINES / 8) + k / 400000 * (LINES / 8) % LINES;
    default: return rng_below(r, LINES);
    }
}

static int time_bound(const uint64_t *line, size_t n, uint32_t bound)
{
    static struct hit_tally t;
    const struct reuse_params p = {.lines = bound};
    struct reuse r;
    t = (struct hit_tally){0};
    if (!reuse_init(&r, &p, NULL, NULL)) return 1;
    double start = cpu_seconds();
    for (size_t i = 0; i < n; i++) {
        struct reuse_distance d;
        if (i + SOON < n) reuse_soon(&r, line[i + SOON]);
        uint32_t id;
        if (i + SOONER < n) reuse_soon_id(&r, line[i + SOONER], &id);
        if (!reuse_touch(&r, line[i], &d)) return 1;
        hit_tally_add(&t, d.fresh ? REUSE_FAR : d.global, NULL, 0);
    }
    double spent = cpu_seconds() - start;
    printf("bound %8u: %6.2f M accesses/s\n", bound, (double)n / spent / 1e6);
    reuse_fini(&r);
    return 0;
}

int main(int argc, char **argv)
{
    mem_large_pages(MEM_LARGE_HEAP); /* as plumb itself */
    size_t n = argc > 1 ? (size_t)strtoull(argv[1], NULL, 10) : 20000000;
    uint64_t *line = mem_new(n, sizeof *line);
    struct rng r;
    rng_seed(&r, 1, 0);
    if (!line) return 1;
    for (size_t i = 0; i < n; i++)
        line[i] = line_of(i, &r);
    int bad =
        time_bound(line, n, 1024) || time_bound(line, n, 65536) || time_bound(line, n, LARGEST);
    mem_free(line);
    return bad;
}
