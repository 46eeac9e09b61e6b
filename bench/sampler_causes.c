/* sampler_causes.c - do explanations name what helps?  Estimates' first cause (of one resource) and
 * the largest of the cycle model's stall_roots, against simulations of a fixed list of knobs.
 *
 * Usage: sampler_causes DRAWS [PROGRAM]...   (environment: SEED, default 1; VERBOSE=1: all knobs)
 * Each draw is a preset with some resources scarcer or more plentiful, and one of the programs or
 * of the generators here.  A draw counts where the best of the list saves a tenth of the simulated
 * time.  "Among the two best" is who saves as much as the second best, but for 0.5 % of the time; a
 * root is right where one of its knobs is. */
#include "base/memory/alloc.h"
#include "base/memory/rng.h"
#include "engine/engine.h"
#include "gpu/machine/machine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Quick ones beside those that are given: each is simulated some fifteen times. */
static const char *const generator[] = {
    "generator = \"gather\"; distribution = \"zipf\"; exponent = 0.8; ctas = 64; warps_per_cta = 4;"
    "iterations = 3; unroll = 2; footprint = \"512KB\";",
    "generator = \"stream\"; kernel = \"triad\"; ctas = 96; warps_per_cta = 4; iterations = 4;",
    "generator = \"stride\"; stride = 4; ctas = 48; warps_per_cta = 4; iterations = 4;",
    "generator = \"transpose\"; kernel = \"naive\"; n = 256; ctas = 16; warps_per_cta = 8;"
    "iterations = 4;",
    "generator = \"stencil\"; n = 512; ctas = 64; warps_per_cta = 4; iterations = 4;"
    "footprint = \"512KB\";",
    "generator = \"reduction\"; ctas = 96; warps_per_cta = 8; iterations = 4;",
};
enum { GENERATORS = sizeof generator / sizeof *generator };

enum { PRESETS = 6, SQUEEZES = 13, FACTORS = 5, LIST_ROOTS = 4 };

static const char *const preset[PRESETS] = {"rx540", "hd7770-fgcs18", "gtx480",
                                            "qv100", "rx570",         "hd7770-hpcs15"};

/* Powers of two; what a machine has no limit of stays so, but for the MSHRs. */
static const struct squeeze {
    const char *path;
    double factor[FACTORS];
    double of_none; /* 0: none stays none */
} squeeze[SQUEEZES] = {{"clock.core_mhz", {0.125, 0.25, 0.5, 1, 1}, 0},
                       {"clock.noc_mhz", {0.0625, 0.125, 0.25, 0.5, 2}, 0},
                       {"clock.l2_mhz", {0.125, 0.25, 0.5, 2, 2}, 0},
                       {"l1.mshr.entries", {0.0625, 0.125, 0.25, 0.5, 4}, 32},
                       {"l1.kb", {0.25, 0.5, 2, 4, 4}, 0},
                       {"l1.ports", {0.5, 0.5, 2, 2, 2}, 0},
                       {"sm.vmb_entries", {0.0625, 0.125, 0.25, 0.5, 2}, 0},
                       {"l2.mshr.entries", {0.03125, 0.0625, 0.125, 0.25, 2}, 64},
                       {"l2.bank_kb", {0.125, 0.25, 0.5, 2, 4}, 0},
                       {"l2.extra_latency", {2, 4, 8, 8, 16}, 10},
                       {"dram.channels", {0.25, 0.5, 0.5, 2, 4}, 0},
                       {"dram.clock_mhz", {0.25, 0.5, 0.5, 2, 4}, 0},
                       {"noc.latency", {0.5, 2, 4, 4, 8}, 0}};

/* Of the list in causes.c, and the roots that they are right for. */
static const struct listed {
    const char *words, *root[LIST_ROOTS];
} list[] = {
    {"twice the core clock", {"compute", "barrier", "l1"}},
    {"twice the vector memory buffer", {"vmb"}},
    {"twice the L1 ports", {"l1"}},
    {"twice the L1 MSHRs", {"l1_mshr"}},
    {"twice the L1, by ways", {"l1_lines"}},
    {"twice the network clock", {"noc"}},
    {"twice the L2 slices, of half the size", {"l2", "l2_mshr", "noc"}},
    {"twice the L2 clock", {"l2"}},
    {"half the L2 latency", {"l2"}},
    {"twice the L2 MSHRs", {"l2_mshr"}},
    {"twice the L2, by sets", {"dram", "l2_lines"}},
    {"twice the DRAM channels", {"dram"}},
    {"twice the DRAM clock", {"dram"}},
    {"half the DRAM latency", {"dram"}},
};
enum { LISTED = sizeof list / sizeof *list };

static const char *const roots[] = {"compute", "barrier",  "vmb", "l1",
                                    "l1_mshr", "l1_lines", "noc", "l2",
                                    "l2_mshr", "l2_lines", "dram"};
enum { ROOTS = sizeof roots / sizeof *roots };

struct draw {
    struct machine m;
    char said[512];
};

struct score {
    uint32_t n, first, root;
    double promised, got;
};

static bool turn(struct machine *m, const char *const *set, uint32_t n)
{
    struct errors all = {0};
    bool ok = machine_set(m, set, n, &all);
    errors_fini(&all);
    return ok;
}

static void scarcer(struct draw *d, const struct squeeze *q, struct rng *r)
{
    const struct param *p = machine_find_param(q->path, NULL, NULL);
    double v, factor = q->factor[rng_below(r, FACTORS)];
    char text[96];
    const char *set = text;
    if (!machine_get_number(&d->m, q->path, &v)) return;
    if (!(v > 0)) v = q->of_none;
    v = p->type == PARAM_REAL ? v * factor : floor(fmax(1, v * factor));
    snprintf(text, sizeof text, "%s=%.15g", q->path, v);
    size_t len = strlen(d->said);
    if (v > 0 && turn(&d->m, &set, 1)) snprintf(d->said + len, sizeof d->said - len, " %s", text);
}

static bool draw(struct draw *d, struct rng *r)
{
    static const char *const small[] = {"sm.count=16"};
    struct errors all = {0};
    const char *name = preset[rng_below(r, PRESETS)];
    if (!machine_load(&d->m, name, NULL, 0, &all)) return false;
    snprintf(d->said, sizeof d->said, "%s", name);
    if (d->m.sm.count > 16) turn(&d->m, small, 1);
    uint32_t n = (uint32_t)rng_below(r, 5);
    for (uint32_t i = 0; i < n; i++)
        scarcer(d, &squeeze[rng_below(r, SQUEEZES)], r);
    return true;
}

static double simulated(const struct machine *m, struct program *p, struct metrics *all)
{
    struct answer *a = mem_new(1, sizeof *a);
    struct run_opts o;
    struct error e = {0};
    double us = NAN;
    run_opts_default(&o);
    if (a && engine_run(ENGINE_SIMULATE, m, p, NULL, NULL, &o, a, &e)) {
        us = a->m.v[M_time_us];
        if (all) *all = a->m;
    }
    if (a) answer_fini(a);
    mem_free(a);
    return us;
}

/* NAN: there is no such machine. */
static double saved(const struct draw *d, struct program *p, const struct cause *c, double base)
{
    const char *sets[CAUSE_SETS];
    struct machine m = d->m;
    for (uint32_t i = 0; i < c->n; i++)
        sets[i] = c->set[i];
    return turn(&m, sets, c->n) ? 1 - simulated(&m, p, NULL) / base : NAN;
}

static const char *largest_root(const struct metrics *m)
{
    const char *best = "";
    double most = 0, v;
    for (uint32_t i = 0; i < ROOTS; i++) {
        char key[64];
        snprintf(key, sizeof key, "stall_roots.%s", roots[i]);
        if (!metrics_value(m, key, &v) || v <= most) continue;
        most = v;
        best = roots[i];
    }
    return best;
}

static bool is_root_of(const char *root, const struct listed *l)
{
    for (uint32_t i = 0; i < LIST_ROOTS && l->root[i]; i++)
        if (strcmp(l->root[i], root) == 0) return true;
    return false;
}

static int falling(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* The best that turns one resource. */
static const struct cause *first_single(const struct causes *c)
{
    uint32_t i = 0;
    while (c->at[i].resources > 1)
        i++;
    return &c->at[i];
}

static void judge(const struct draw *d, const char *name, struct program *p, const struct causes *c,
                  struct score *score)
{
    const struct cause *told = first_single(c);
    static const double LEAST = 0.1, NEAR = 0.005;
    double saves[LISTED], order[LISTED + 2] = {0}, of_root = -INFINITY;
    struct metrics m;
    double base = simulated(&d->m, p, &m);
    uint32_t best = 0;
    const char *root = largest_root(&m);
    for (uint32_t i = 0; i < LISTED; i++) {
        saves[i] = -INFINITY;
        for (uint32_t k = 0; k < c->n; k++)
            if (strcmp(c->at[k].words, list[i].words) == 0) saves[i] = saved(d, p, &c->at[k], base);
        if (!(saves[i] > -INFINITY)) saves[i] = -INFINITY;
        order[i] = saves[i];
        if (saves[i] > saves[best]) best = i;
        if (is_root_of(root, &list[i])) of_root = fmax(of_root, saves[i]);
    }
    qsort(order, LISTED, sizeof *order, falling);
    if (!(order[0] >= LEAST)) return;
    double first = saved(d, p, told, base);
    bool named = first >= order[1] - NEAR, rooted = of_root >= order[1] - NEAR;
    score->n++;
    score->first += named;
    score->root += rooted;
    score->promised += told->saves;
    score->got += first;
    printf(
        "%s%s %s: best %s %.3f, second %.3f; first cause %s %.3f, simulated %.3f; root %s %.3f\n",
        named ? "  " : "F ", rooted ? "  " : "R ", name, list[best].words, order[0], order[1],
        told->words, told->saves, first, root, of_root);
    if (!getenv("VERBOSE")) return;
    printf("      %s\n      ", d->said);
    for (uint32_t i = 0; i < ROOTS; i++) {
        char key[64];
        double v;
        snprintf(key, sizeof key, "stall_roots.%s", roots[i]);
        if (metrics_value(&m, key, &v) && v > 0.01) printf(" %s %.2f", roots[i], v);
    }
    printf("\n");
    for (uint32_t k = 0; k < c->n; k++)
        for (uint32_t i = 0; i < LISTED; i++)
            if (strcmp(c->at[k].words, list[i].words) == 0 &&
                (c->at[k].saves > 0.03 || saves[i] > 0.03))
                printf("      %s: estimated %.3f, simulated %.3f\n", list[i].words, c->at[k].saves,
                       saves[i]);
}

static struct program *open_program(const char *spec, uint32_t width, struct error *e)
{
    const struct program_opts o = {.warp_width = width};
    char path[] = "/tmp/plumb-causes-XXXXXX.cfg";
    int fd = strchr(spec, '=') ? mkstemps(path, 4) : -1;
    if (fd < 0) return program_open(spec, &o, e);
    struct program *p = NULL;
    if (write(fd, spec, strlen(spec)) == (ssize_t)strlen(spec)) p = program_open(path, &o, e);
    close(fd);
    unlink(path);
    return p;
}

/* What a generator's text calls it, or the file. */
static const char *spec_name(const char *spec)
{
    static char name[32];
    const char *slash = strrchr(spec, '/');
    if (!strchr(spec, '=')) return slash ? slash + 1 : spec;
    if (sscanf(spec, "generator = \"%31[a-z]", name) != 1) return "generator";
    return name;
}

static void one(const struct draw *d, const char *spec, struct score *score)
{
    struct answer *a = mem_new(1, sizeof *a);
    struct run_opts o;
    struct error e = {0};
    run_opts_default(&o);
    o.causes = true;
    struct program *p = open_program(spec, d->m.sm.warp_width, &e);
    if (p && a && engine_run(ENGINE_ESTIMATE, &d->m, p, NULL, NULL, &o, a, &e))
        judge(d, spec_name(spec), p, &a->helps, score);
    else
        printf("     %s on %s: %s\n", spec, d->said, e.text);
    if (p) program_close(p);
    if (a) answer_fini(a);
    mem_free(a);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    const char *seed = getenv("SEED");
    struct draw *d = mem_new(1, sizeof *d);
    struct score s = {0};
    struct rng r;
    if (argc < 2 || !d) {
        fprintf(stderr, "usage: sampler_causes DRAWS [PROGRAM]...\n");
        return 2;
    }
    for (uint32_t i = 0; i < strtoul(argv[1], NULL, 10); i++) {
        rng_seed(&r, seed ? strtoull(seed, NULL, 10) : 1, i);
        if (!draw(d, &r)) continue;
        uint32_t k = (uint32_t)rng_below(&r, (uint32_t)argc - 2 + GENERATORS);
        one(d, k < GENERATORS ? generator[k] : argv[2 + k - GENERATORS], &s);
    }
    mem_free(d);
    if (!s.n) return 1;
    printf(
        "%u what-ifs: first cause among the two best %.0f %%, largest root %.0f %%; promised %.3f "
        "of the time in the mean, %.3f in the cycle model\n",
        s.n, 100.0 * s.first / s.n, 100.0 * s.root / s.n, s.promised / s.n, s.got / s.n);
    return 0;
}
