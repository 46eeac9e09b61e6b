/* no_jumps.c - estimates without artefacts: along a knob of the memory they do not jump where
 * the cycle model does not move. */
#include "engine/engine.h"
#include "tests/support/run.h"

#include <math.h>
#include <stdio.h>

#define GATHER                                                                                   \
    "generator = \"gather\"; ctas = 16; warps_per_cta = 4; iterations = 4; footprint = \"2MB\";" \
    "unroll = 2;"
#define STREAM                                                                                 \
    "generator = \"stream\"; kernel = \"copy\"; ctas = 16; warps_per_cta = 4; iterations = 4;" \
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
        bool jumps_here = before > 0 && fabs(now / before - 1) > 0.035;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_jumps_where_nothing_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
