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
#include "bench/support/drawn.h"

static bool fail(const struct error *e)
{
    fprintf(stderr, "sampler_designs: %s\n", e->text);
    return false;
}

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
        if (!design_simulated(kept, designs[i].key, &designs[i].m, p, &at->simulated, &e) ||
            !design_estimated(&designs[i].m, p, &r, NULL, &e) ||
            !metrics_value(&r, "cycles", &at->estimated)) {
            program_close(p);
            return fail(&e);
        }
        if (getenv("VERBOSE"))
            printf("%s %u %.0f %.0f %.3f%s\n", program_name(p), i, at->simulated, at->estimated,
                   at->estimated / at->simulated, designs[i].sets);
        n++;
    }
    totals_add(t, program_name(p), base, n);
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
