/* sampler_designs.c - does the estimator put random designs in the cycle model's order?
 *
 * Usage: sampler_designs CACHE.csv DESIGNS PROGRAM...    (environment: SEED, default 1;
 *        VERBOSE=1: a line per point)
 * Draws DESIGNS machines from the choices below, half around rx540, half around qv100, and runs
 * every program on each, simulated and estimated, uncalibrated.  Simulations are kept in CACHE.csv
 * by model version, machine (with all settings) and program: a killed run goes on where it was, and
 * a change of the estimator costs no simulation.
 * A line per program and base: |error| of cycles (mean, median, p90, worst), bias, and Kendall's
 * tau over pairs of designs whose simulated cycles differ by more than 2 %; pairs across bases
 * would be too easy.  Launch overhead is left out (sm.launch_cycles = 0). */
#include "bench/designs.h"

enum { MOST_DESIGNS = 512, MOST_PROGRAMS = 64, SETS = 40, SET_TEXT = 64 };
enum { BASES = 2, CHOICES = 8, TRIES = 1000 };

struct axis {
    const char *path;
    const char *choice[BASES][CHOICES]; /* of rx540, of qv100; none: as the base has it */
};
static const struct axis axes[] = {
    {"clock.core_mhz", {{"800", "1000", "1200", "1600"}, {"800", "1132", "1400"}}},
    {"clock.noc_mhz", {{"800", "1200", "1600"}, {"800", "1132", "1400"}}},
    {"clock.l2_mhz", {{"800", "1200", "1600"}, {"800", "1132", "1400"}}},
    {"sm.scheduler", {{"lrr", "gto"}, {"lrr", "gto"}}},
    {"sm.vmb_entries", {{"0", "16", "32", "64"}, {"0", "0", "16", "64"}}},
    {"sm.memory_latency", {{"1", "4", "8"}, {"2", "4", "8"}}},
    {"l1.kb", {{"8", "16", "32", "64"}, {"16", "32", "64", "128"}}},
    {"l1.ways", {{"4", "8", "16"}, {"4", "16", "64"}}},
    {"l1.replacement",
     {{"lru", "lru", "fifo", "random", "plru"}, {"lru", "lru", "fifo", "random"}}},
    {"l1.mshr.entries", {{"0", "8", "16", "32", "64"}, {"16", "32", "64", "128", "512"}}},
    {"l1.mshr.max_merge", {{"0", "0", "4", "8", "16"}, {"0", "4", "8", "16"}}},
    {"l1.latency", {{"1", "8", "20", "40"}, {"10", "20", "40"}}},
    {"l1.ports", {{"1", "2", "4"}, {"1", "2", "4"}}},
    {"l2.bank_kb", {{"32", "64", "128", "256", "512"}, {"12", "24", "48", "96"}}},
    {"l2.ways", {{"8", "16", "32"}, {"12", "24"}}},
    {"l2.replacement",
     {{"lru", "lru", "fifo", "random", "plru"}, {"lru", "lru", "fifo", "random"}}},
    {"l2.write", {{"back", "back", "through"}, {"back", "back", "through"}}},
    {"l2.write_miss", {{"fetch", "fetch", "validate"}, {"lazy_fetch", "lazy_fetch", "fetch"}}},
    {"l2.mshr.entries", {{"0", "16", "32", "64", "128"}, {"32", "64", "192"}}},
    {"l2.mshr.max_merge", {{"0", "0", "4", "16"}, {"0", "4", "16"}}},
    {"l2.miss_management", {{"conventional", "replace_at_once"}, {NULL}}},
    {"l2.latency", {{"5", "10", "20", "40"}, {"1", "10", "40"}}},
    {"l2.extra_latency", {{"0", "20", "80"}, {"80", "160", "240"}}},
    {"l2.ports", {{"1", "2", "4"}, {"1", "2"}}},
    {"noc.latency", {{"2", "4", "16", "32"}, {"4", "16", "32"}}},
    {"noc.flit_bytes", {{"16", "32", "64"}, {"20", "40", "80"}}},
    {"dram.channels", {{"2", "4", "8"}, {"8", "16", "32"}}},
    {"dram.queue", {{"16", "32", "64"}, {"16", "32", "64"}}},
    {"dram.scheduler", {{"fr_fcfs", "fr_fcfs", "fcfs"}, {NULL}}},
    {"dram.extra_latency", {{"0", "40", "100"}, {"50", "104", "200"}}},
};
enum { AXES = sizeof axes / sizeof axes[0] };
_Static_assert(AXES + 2 <= SETS, "room for every axis");
static const char *const base_name[BASES] = {"rx540", "qv100"};

struct design {
    uint32_t base;
    struct machine m;
    struct digest key;
    char sets[SETS * SET_TEXT];
};
static struct design *designs;
static uint32_t n_designs;

static bool fail(const struct error *e)
{
    fprintf(stderr, "sampler_designs: %s\n", e->text);
    return false;
}

/* --- designs --- */

static uint32_t choices(const char *const c[CHOICES])
{
    uint32_t n = 0;
    while (n < CHOICES && c[n])
        n++;
    return n;
}

/* One draw; false: the parts do not go together. */
static bool draw_once(struct design *d, struct rng *r)
{
    char text[SETS][SET_TEXT];
    const char *sets[SETS];
    struct errors all = {0};
    size_t n = 0, used = 0;
    snprintf(text[n++], SET_TEXT, "sm.launch_cycles=0");
    if (d->base) snprintf(text[n++], SET_TEXT, "l1.adaptive=false");
    for (uint32_t i = 0; i < AXES; i++) {
        const char *const *c = axes[i].choice[d->base];
        uint32_t k = choices(c);
        if (k) snprintf(text[n++], SET_TEXT, "%s=%s", axes[i].path, c[rng_below(r, k)]);
    }
    for (size_t i = 0; i < n; i++) {
        sets[i] = text[i];
        used += (size_t)snprintf(d->sets + used, sizeof d->sets - used, " %s", text[i]);
    }
    d->key = digest_join(digest_text(base_name[d->base]), digest_text(d->sets));
    return machine_load(&d->m, base_name[d->base], sets, n, &all);
}

static bool draw_all(uint32_t n, uint64_t seed)
{
    for (uint32_t i = 0; i < n; i++) {
        struct rng r;
        uint32_t tries = 0;
        rng_seed(&r, seed, i);
        designs[i].base = i % BASES;
        while (!draw_once(&designs[i], &r))
            if (++tries == TRIES) return false;
    }
    n_designs = n;
    return true;
}

struct totals {
    struct point *at; /* of every program */
    uint32_t n;
    struct pairs pairs;
    double least_tau;
};

/* One program on all designs around one base. */
static bool one(const char *spec, uint32_t base, struct truths *kept, struct totals *t)
{
    struct point *mine = t->at + t->n;
    uint32_t n = 0;
    struct error e = {0};
    const struct machine *first = &designs[base].m;
    struct program_opts o = {.warp_width = first->sm.warp_width};
    struct program *p = program_open(spec, &o, &e);
    if (!p) return fail(&e);
    for (uint32_t i = base; i < n_designs; i += BASES) {
        struct point *at = &mine[n];
        struct metrics r;
        if (!simulated(kept, designs[i].key, &designs[i].m, p, &at->simulated, &e) ||
            !estimated(&designs[i].m, p, &r, NULL, &e) ||
            !metrics_value(&r, "cycles", &at->estimated)) {
            program_close(p);
            return fail(&e);
        }
        if (getenv("VERBOSE"))
            printf("%s %u %.0f %.0f %.3f%s\n", program_name(p), i, at->simulated, at->estimated,
                   at->estimated / at->simulated, designs[i].sets);
        n++;
    }
    struct pairs k = pairs_of(mine, n);
    print_errors(program_name(p), base_name[base], mine, n, k);
    fflush(stdout);
    t->n += n;
    t->pairs.n += k.n;
    t->pairs.agree += k.agree;
    if (k.n > 0 && k.agree / k.n < t->least_tau) t->least_tau = k.agree / k.n;
    program_close(p);
    return true;
}

static bool memory(uint32_t n, uint32_t programs, struct totals *t)
{
    designs = calloc(n, sizeof *designs);
    t->at = calloc((size_t)n * programs, sizeof *t->at);
    return designs && t->at;
}

int main(int argc, char **argv)
{
    struct totals t = {.least_tau = 1};
    const char *seed = getenv("SEED");
    uint32_t n = argc > 3 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0;
    if (n < BASES || n > MOST_DESIGNS || argc - 3 > MOST_PROGRAMS) {
        fprintf(stderr, "usage: sampler_designs CACHE.csv DESIGNS PROGRAM...\n");
        return 2;
    }
    if (!memory(n, (uint32_t)argc - 3, &t)) return 1;
    if (!draw_all(n, seed ? strtoull(seed, NULL, 10) : 1)) {
        fprintf(stderr, "sampler_designs: no draw fits together\n");
        return 1;
    }
    static const char *const metric[] = {"cycles"};
    struct truths kept;
    bool ok = truths_open(&kept, argv[1], metric, 1);
    for (int i = 3; ok && i < argc; i++)
        for (uint32_t base = 0; ok && base < BASES; base++)
            ok = one(argv[i], base, &kept, &t);
    truths_close(&kept);
    print_errors("all", "both", t.at, t.n, t.pairs);
    printf("least tau of a program %.3f\n", t.least_tau);
    free(designs);
    free(t.at);
    return ok ? 0 : 1;
}
