/* sampler_memories.c - does the estimator put random memory designs in the cycle model's order?
 *
 * Usage: sampler_memories CACHE.csv DESIGNS PROGRAM...   (environment: SEED, default 1;
 *        VERBOSE=1: a line per point with what the memory did, simulated and estimated)
 * As sampler_designs, but only dram.* is drawn, on a small chip that is held up by its memory: half
 * around rx540, half around qv100 with 16 SMs.  Every change is tried on its own: what does not go
 * together with those before it is left out. */
#include "bench/support/designs.h"

enum { CHOICES = 10, PER_CHANGE = 6 };

/* Alternatives, each some "path=value" one after the other; "" = as it is. */
struct axis {
    const char *choice[CHOICES];
};
static const struct axis axes[] = {
    {{"dram.set=gddr5-table42", "dram.set=gddr5-gtx480", "dram.set=hbm-qv100", "dram.set=hbm2",
      "dram.set=ddr3", "dram.set=gddr5"}},
    {{"dram.channels=2", "dram.channels=4", "dram.channels=8", "dram.channels=16"}},
    {{"dram.lockstep=2", "dram.lockstep=4", "", "", "", "", ""}},
    {{"dram.clock_mhz=600.0", "dram.clock_mhz=1000.0", "dram.clock_mhz=1500.0", "", ""}},
    {{"dram.banks_per_group=4 dram.mapping=row:bank:column",
      "dram.banks_per_group=8 dram.mapping=row:bank:column",
      "dram.banks_per_group=16 dram.mapping=row:bank:column", "", "", ""}},
    {{"dram.ranks=2 dram.mapping=row:rank:bank:column",
      "dram.ranks=2 dram.mapping=rank:row:bank:column", "", "", "", "", ""}},
    {{"dram.row_bytes=1024", "dram.row_bytes=4096", "dram.row_bytes=8192", "", "", ""}},
    {{"dram.mapping=row:bank:column", "dram.mapping=row:column:bank:column[8]",
      "dram.mapping=row:column[3]:bank:column", "dram.mapping=bank:row:column",
      "dram.mapping=row:bank:bankgroup[1]:column[3]:bankgroup:column",
      "dram.mapping=row:bankgroup:bank:column", "", ""}},
    {{"dram.bank_hash=none", "dram.bank_hash=xor"}},
    {{"dram.scheduler=fr_fcfs", "dram.scheduler=fr_fcfs", "dram.scheduler=fcfs"}},
    {{"dram.page_policy=open", "dram.page_policy=open", "dram.page_policy=closed"}},
    {{"dram.queue=8", "dram.queue=16", "dram.queue=32", "dram.queue=64", "dram.queue=128"}},
    {{"dram.per_bank_queue=0", "dram.per_bank_queue=0", "dram.per_bank_queue=4",
      "dram.per_bank_queue=8"}},
    {{"dram.write_queue=0", "dram.write_queue=0",
      "dram.write_queue=16 dram.write_high=12 dram.write_low=4",
      "dram.write_queue=32 dram.write_high=32 dram.write_low=0",
      "dram.write_queue=64 dram.write_high=48 dram.write_low=16"}},
    {{"dram.timing.tRCDRD=10 dram.timing.tRCDWR=10 dram.timing.tRP=10",
      "dram.timing.tRAS=60 dram.timing.tRC=90 dram.timing.tRCDRD=25 dram.timing.tRCDWR=25"
      " dram.timing.tRP=25",
      "", "", ""}},
    {{"dram.timing.tFAW=0", "dram.timing.tFAW=60", "", "", ""}},
    {{"dram.timing.tWTR_S=16 dram.timing.tWTR_L=16", "dram.timing.tWTR_S=4 dram.timing.tWTR_L=4",
      "", "", ""}},
    {{"dram.timing.tREFI=0", "dram.timing.tREFI=3900 dram.timing.tRFC=260",
      "dram.timing.tREFI=3900 dram.timing.tRFC=260 dram.per_bank_refresh=true", "", ""}},
    {{"dram.timing.tCL=30", "", "", ""}},
    {{"dram.dual_command=true", "dram.dual_command=false", "", ""}},
    {{"dram.extra_latency=0", "dram.extra_latency=40", "dram.extra_latency=120", ""}},
};
enum { AXES = sizeof axes / sizeof axes[0] };

static const char *const base_sets[BASES][5] = {
    {"sm.launch_cycles=0"},
    {"sm.launch_cycles=0", "l1.adaptive=false", "sm.count=16", "l2.banks=16", "l2.bank_kb=48"},
};

/* What is compared; cycles first. */
static const char *const metric[] = {
    "cycles", "dram.reads", "dram.writes", "dram.row_hit_rate", "dram.latency", "dram.utilization"};
enum { METRICS = sizeof metric / sizeof metric[0] };

static bool fail(const struct error *e)
{
    fprintf(stderr, "sampler_memories: %s\n", e->text);
    return false;
}

/* --- designs --- */

/* Sets all of a change, or none of it. */
static bool change(struct design *d, const char *text)
{
    char copy[PER_CHANGE * SET_TEXT];
    const char *sets[PER_CHANGE];
    struct errors all = {0};
    size_t n = 0, used = strlen(d->sets);
    snprintf(copy, sizeof copy, "%s", text);
    for (char *s = strtok(copy, " "); s && n < PER_CHANGE; s = strtok(NULL, " "))
        sets[n++] = s;
    bool ok = machine_set(&d->m, sets, n, &all);
    errors_fini(&all);
    if (ok && *text) snprintf(d->sets + used, sizeof d->sets - used, " %s", text);
    return ok;
}

static bool draw(struct design *d, uint32_t base, struct rng *r)
{
    struct errors all = {0};
    size_t n = 0;
    while (n < 5 && base_sets[base][n])
        n++;
    d->base = base;
    if (!machine_load(&d->m, base_name[base], base_sets[base], n, &all)) {
        fprintf(stderr, "sampler_memories: %s does not take its settings\n", base_name[base]);
        return false;
    }
    for (uint32_t i = 0; i < AXES; i++) {
        uint32_t k = 0;
        while (k < CHOICES && axes[i].choice[k])
            k++;
        change(d, axes[i].choice[rng_below(r, k)]);
    }
    d->key = digest_join(digest_text(base_name[base]), digest_text(d->sets));
    for (uint32_t i = 0; i < n; i++)
        d->key = digest_join(d->key, digest_text(base_sets[base][i]));
    return true;
}

static bool draw_all(uint32_t n, uint64_t seed)
{
    for (uint32_t i = 0; i < n; i++) {
        struct rng r;
        rng_seed(&r, seed, i);
        if (!draw(&designs[i], i % BASES, &r)) return false;
    }
    n_designs = n;
    return true;
}

/* --- what comes out --- */

static void print_point(const struct design *d, uint32_t i, const struct program *p,
                        const double *v, const struct metrics *r, const struct explanation *x)
{
    printf("%s %s %u", program_name(p), base_name[d->base], i);
    for (uint32_t k = 0; k < METRICS; k++) {
        double told = NAN;
        metrics_value(r, metric[k], &told);
        printf("  %s %.4g %.4g", metric[k], v[k], told);
    }
    printf("  ratio %.3f at %s%s\n", r->v[M_cycles] / v[0], x->bottleneck, d->sets);
}

static bool point(uint32_t i, const struct program *p, struct truths *kept, struct point *at,
                  struct error *e)
{
    const struct design *d = &designs[i];
    struct metrics r;
    struct explanation x;
    double v[KEPT_VALUES];
    if (!design_simulated(kept, d->key, &d->m, p, v, e) || !design_estimated(&d->m, p, &r, &x, e))
        return false;
    *at = (struct point){v[0], r.v[M_cycles]};
    if (getenv("VERBOSE")) print_point(d, i, p, v, &r, &x);
    return true;
}

/* One program on all designs around one base. */
static bool one(const char *spec, uint32_t base, struct truths *kept, struct totals *t)
{
    struct point *mine = t->at + t->n;
    uint32_t n = 0;
    struct error e = {0};
    struct program_opts o = {.warp_width = designs[base].m.sm.warp_width};
    struct program *p = program_open(spec, &o, &e);
    if (!p) return fail(&e);
    bool ok = true;
    for (uint32_t i = base; ok && i < n_designs; i += BASES)
        ok = point(i, p, kept, &mine[n++], &e);
    if (!ok) {
        program_close(p);
        return fail(&e);
    }
    totals_add(t, program_name(p), base, n);
    program_close(p);
    return true;
}

int main(int argc, char **argv)
{
    struct totals t = {.least_tau = 1};
    const char *seed_text = getenv("SEED");
    uint64_t seed = seed_text ? strtoull(seed_text, NULL, 10) : 1;
    uint32_t n = argc > 3 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0;
    struct truths kept;
    if (n < BASES || n > MOST_DESIGNS || argc - 3 > MOST_PROGRAMS) {
        fprintf(stderr, "usage: sampler_memories CACHE.csv DESIGNS PROGRAM...\n");
        return 2;
    }
    designs = calloc(n, sizeof *designs);
    t.at = calloc((size_t)n * ((uint32_t)argc - 3), sizeof *t.at);
    bool ok = designs && t.at && draw_all(n, seed);
    ok = truths_open(&kept, argv[1], metric, METRICS) && ok;
    printf("seed %llu, %u designs\n", (unsigned long long)seed, n);
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
