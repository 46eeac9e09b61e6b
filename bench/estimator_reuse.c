/* estimator_reuse.c - how fast stack distances are found on addresses in memory, exactly and by
 * sampling.
 *
 * Usage: estimator_reuse [ACCESSES]   (default 20,000,000)
 * The stream: 2.57 million lines; a third of the accesses by Zipf's law, a third in strides, a
 * third anywhere (a mix like that on which reference/dram.md measures public programs).  A line per
 * bound and per sampling rate: accesses per second of CPU time of one core; of samples also the
 * lines that memory was taken for and the error of hit rates, in points, at four capacities. */
#include "base/memory/alloc.h"
#include "base/memory/rng.h"
#include "estimator/profile/stack_distance_sampled.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LINES = 2570000, LARGEST = 262144, SOON = 24, SOONER = 8, CAPACITIES = 4 };
static const uint32_t capacity[CAPACITIES] = {8192, 32768, 65536, 131072};
static struct curve whole; /* exact, bound LARGEST */

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

static int exact(const uint64_t *line, size_t n, uint32_t bound)
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
    printf("exact, bound %8u: %6.2f M accesses/s\n", bound, (double)n / spent / 1e6);
    hit_tally_curve(&t, &whole);
    reuse_fini(&r);
    return 0;
}

static int sampled(const uint64_t *line, size_t n, uint32_t one_in)
{
    static struct reuse_sample s;
    static struct curve c;
    if (!reuse_sample_init(&s, LARGEST, 1, one_in)) return 1;
    double start = cpu_seconds();
    if (!reuse_sample_feed(&s, line, n)) return 1;
    double spent = cpu_seconds() - start;
    reuse_sample_curve(&s, &c);
    printf("one line in %4u:       %6.2f M accesses/s, %6zu lines kept, points off:", one_in,
           (double)n / spent / 1e6, s.reuse.line_cap);
    for (uint32_t i = 0; i < CAPACITIES; i++)
        printf(" %+.2f at %u%s",
               100 * (curve_full_hits(&c, capacity[i]) - curve_full_hits(&whole, capacity[i])) /
                   (double)n,
               capacity[i], i + 1 < CAPACITIES ? "," : "\n");
    reuse_sample_fini(&s);
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
    int bad = exact(line, n, 1024) || exact(line, n, 65536) || exact(line, n, LARGEST) ||
              sampled(line, n, 16) || sampled(line, n, 64) || sampled(line, n, 256);
    mem_free(line);
    return bad;
}
