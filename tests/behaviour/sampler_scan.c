/* sampler_scan.c - estimates without artefacts: along a knob of the memory they do not jump where
 * the cycle model does not move; and the cycle model's cycles lie within the bounds that estimates
 * state, on machines drawn from the parameter tables. */
#include "sampler/engine.h"
#include "tests/behaviour/random_machine.h"

#define GATHER                                                                                   \
    "generator = \"gather\"; ctas = 16; warps_per_cta = 4; iterations = 4; footprint = \"2MB\";" \
    "unroll = 2;"
#define STREAM                                                                                 \
    "generator = \"stream\"; kernel = \"copy\"; ctas = 16; warps_per_cta = 4; iterations = 4;" \
    "unroll = 2;"
#define PORTS                                                                                     \
    "generator = \"gather\"; ctas = 96; warps_per_cta = 4; iterations = 4; footprint = \"64KB\";" \
    "unroll = 2;"

static bool answers(enum engine engine, const struct machine *m, struct program *p,
                    struct answer *a, struct error *e)
{
    struct run_opts o;
    run_opts_default(&o);
    o.no_cache = true;
    o.threads = 1;
    return engine_run(engine, m, p, NULL, NULL, &o, a, e);
}

static double cycles_of(enum engine engine, const struct machine *m, struct program *p)
{
    struct answer a;
    struct error e = {0};
    if (!answers(engine, m, p, &a, &e)) fail_msg("%s", e.text);
    double cycles = run_value(&a.m, "cycles");
    answer_fini(&a);
    return cycles;
}

/* --- scans --- */

static const struct scan {
    const char *path;
    double from, to, step; /* step: added if above 1, else the ratio's excess over 1 */
} SCANS[] = {
    {"dram.clock_mhz", 700, 1800, 0.03}, {"dram.queue", 4, 64, 4},
    {"dram.timing.tRP", 10, 40, 3},      {"dram.timing.tRCDRD", 10, 40, 3},
    {"dram.timing.tCL", 10, 40, 3},      {"dram.timing.tFAW", 10, 60, 5},
    {"dram.timing.tWTR_S", 2, 16, 1.5},  {"dram.extra_latency", 0, 120, 12},
    {"dram.timing.tRFC", 100, 500, 40},  {"l2.extra_latency", 0, 120, 12},
};

static struct machine at(const char *path, double value)
{
    char text[2][96];
    const char *sets[2] = {text[0], text[1]};
    bool real = strcmp(path, "dram.clock_mhz") == 0, both = strcmp(path, "dram.timing.tWTR_S") == 0;
    snprintf(text[0], sizeof text[0], real ? "%s=%.1f" : "%s=%.0f", path,
             real ? value : floor(value));
    snprintf(text[1], sizeof text[1], "dram.timing.tWTR_L=%.0f", floor(value));
    const char *rp[] = {text[0], "dram.timing.tRC=0", "dram.timing.tRAS=60"};
    if (strncmp(path, "dram.timing.tR", 14) == 0) return run_machine("rx540", rp, 3);
    return run_machine("rx540", sets, both ? 2 : 1);
}

static uint32_t scan(const struct scan *s, struct program *p)
{
    double before = 0, last = 0;
    uint32_t jumps = 0;
    for (double v = s->from; v <= s->to; v = s->step < 1 ? v * (1 + s->step) : v + s->step) {
        struct machine m = at(s->path, v), old = at(s->path, before > 0 ? last : v);
        double now = cycles_of(ENGINE_ESTIMATE, &m, p);
        bool jumps_here = before > 0 && fabs(now / before - 1) > 0.03;
        if (jumps_here) {
            double a = cycles_of(ENGINE_SIMULATE, &old, p), b = cycles_of(ENGINE_SIMULATE, &m, p);
            bool moves = fabs(b / a - 1) >= 0.01;
            if (!moves)
                printf("%s %.0f to %.0f: estimate %+.1f %%, simulation %+.1f %%\n", s->path, last,
                       v, 100 * (now / before - 1), 100 * (b / a - 1));
            jumps += !moves;
        }
        before = now;
        last = v;
    }
    return jumps;
}

static void no_jumps_where_nothing_moves(void **state)
{
    (void)state;
    const char *const programs[] = {GATHER, STREAM};
    uint32_t jumps = 0;
    for (uint32_t k = 0; k < 2; k++) {
        struct program *p = run_program(programs[k], 64);
        for (uint32_t i = 0; i < sizeof SCANS / sizeof *SCANS; i++)
            jumps += scan(&SCANS[i], p);
        program_close(p);
    }
    assert_int_equal(jumps, 0);
}

/* --- bounds --- */

enum { MACHINES = 60 };

/* false: the bounds do not hold; *n counts machines on which the program fits.  width: high / low,
 * as seen; may be NULL. */
static bool inside(const struct machine *m, const char *preset, const char *text, uint32_t *n,
                   double *width)
{
    struct program *p = run_program(text, m->sm.warp_width);
    struct answer a;
    struct error e = {0};
    bool in = true;
    if (answers(ENGINE_ESTIMATE, m, p, &a, &e)) {
        double cycles = cycles_of(ENGINE_SIMULATE, m, p);
        in = a.x.bound_low <= cycles && cycles <= a.x.bound_high;
        if (!in)
            printf("%s: %.0f cycles, bounds %.0f and %.0f\n", preset, cycles, a.x.bound_low,
                   a.x.bound_high);
        assert_true(a.x.bound_low > 0 && isfinite(a.x.bound_high));
        if (width) width[*n] = a.x.bound_high / a.x.bound_low;
        ++*n;
        answer_fini(&a);
    }
    program_close(p);
    return in;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* ... and the bounds say something: half of them are no wider than WIDE. */
static const double WIDE = 12;

static void simulations_lie_within_the_bounds(void **state)
{
    (void)state;
    const char *const programs[] = {GATHER, STREAM};
    struct atlas atlas;
    struct rng r;
    uint32_t outside = 0, n = 0;
    double width[MACHINES];
    atlas_init(&atlas);
    for (uint32_t i = 0; i < MACHINES; i++) {
        struct drawn d;
        rng_seed(&r, 20261122, i);
        struct machine m = draw_machine(&atlas, &r, &d);
        bool in = inside(&m, d.preset, programs[i % 2], &n, width);
        for (uint32_t k = 0; !in && k < d.n; k++)
            printf("  --set %s\n", d.set[k]);
        outside += !in;
    }
    atlas_fini(&atlas);
    assert_true(n >= MACHINES / 2);
    qsort(width, n, sizeof *width, by_size);
    printf("%u of %u machines outside; median of high / low %.1f\n", outside, n, width[n / 2]);
    assert_true(outside <= 0.01 * n && width[n / 2] <= WIDE);
}

/* Memory is never busy here: what takes time is the heads of the L1s, waiting for merge lists. */
static void full_merge_lists_lie_within_the_bounds(void **state)
{
    (void)state;
    const char *sets[] = {"sm.count=5",       "sm.coalesce_lanes=2",   "l1.mshr.max_merge=1",
                          "sm.scheduler=gto", "noc.topology=crossbar", "l1.latency=1",
                          "l1.bank_ports=1",  "l1.access_queue=4096",  "dram.fixed_gbps=0"};
    struct machine m = run_machine("hd7770-hpcs15", sets, sizeof sets / sizeof *sets);
    uint32_t n = 0;
    assert_true(inside(&m, "hd7770-hpcs15", STREAM, &n, NULL));
    assert_int_equal(n, 1);
}

/* Three SMs share two ports: what two of them ask for goes through one, but never all of it. */
static void shared_ports_lie_within_the_bounds(void **state)
{
    (void)state;
    const char *sets[] = {"sm.count=3",      "noc.sms_per_port=2",   "l1.enabled=false",
                          "l2.banks=16",     "noc.header_bytes=256", "noc.flit_bytes=32",
                          "l1.fill_ports=4", "sm.launch_cycles=0"};
    struct machine m = run_machine("rx540", sets, sizeof sets / sizeof *sets);
    uint32_t n = 0;
    assert_true(inside(&m, "rx540", PORTS, &n, NULL));
    assert_int_equal(n, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_jumps_where_nothing_moves),
        cmocka_unit_test(simulations_lie_within_the_bounds),
        cmocka_unit_test(full_merge_lists_lie_within_the_bounds),
        cmocka_unit_test(shared_ports_lie_within_the_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
