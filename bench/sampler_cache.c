/* sampler_cache.c - the estimator's cache model alone: hit rates against an exact functional
 * simulation of the same interleaved stream.
 *
 * Usage: sampler_cache GEOMETRIES PROGRAM...    (environment: SEED, default 1; VERBOSE=1: a line
 * per point) Draws GEOMETRIES pairs of L1 and L2 (capacity, ways, slices, index function) on each
 * of two bases, rx540 (64-byte lines) and qv100 (sectored), and runs every program's stream through
 * them.  A line per level and kind of index: mean, p90 and worst absolute error of the hit rate, in
 * points, of plumb's model and of the formulas of public ones (docs/results/accuracy.md says
 * which).  Hit rates are those of reads.  A level that sees fewer than 1,000 reads is left out. */
#include "base/memory/rng.h"
#include "base/memory/sort.h"
#include "sampler/strata/est_params.h"
#include "tests/support/cache_formulas.h"

#include <math.h>
#include <stdio.h>

enum { BASES = 2, LEVELS = 2, INDEXES = 2, SETS = 12, SET_TEXT = 64, TRIES = 1000, LEAST = 1000 };
static const char *const base_name[BASES] = {"rx540", "qv100"};
static const char *const level_name[LEVELS] = {"L1", "L2"};
static const char *const index_name[INDEXES] = {"hashed", "modulo"};

struct errors_of {
    double *at;
    size_t n, cap;
};
static struct errors_of errors_of[LEVELS][INDEXES][FORMULAS];

static int fail(const char *text)
{
    fprintf(stderr, "sampler_cache: %s\n", text);
    return 2;
}

static const char *one_of(struct rng *r, const char *const *of, uint32_t n)
{
    return of[rng_below(r, n)];
}

static bool draw_once(struct machine *m, uint32_t base, bool modulo, struct rng *r)
{
    static const char *const l1_kb[] = {"4", "8", "16", "32", "64", "128"};
    static const char *const l1_ways[] = {"1", "2", "4", "8", "16", "32", "64"};
    static const char *const bank_kb[] = {"8", "16", "32", "64", "128", "256", "512"};
    static const char *const l2_ways[] = {"4", "8", "16", "32"};
    static const char *const banks[] = {"4", "8", "16", "32", "64"};
    static const char *const hashed[] = {"xor", "ipoly"};
    char text[SETS][SET_TEXT];
    const char *sets[SETS];
    struct errors all = {0};
    uint32_t n = 0;
#define DRAW(path, from) \
    snprintf(text[n++], SET_TEXT, path "=%s", one_of(r, from, sizeof(from) / sizeof *(from)))
    DRAW("l1.kb", l1_kb);
    DRAW("l1.ways", l1_ways);
    DRAW("l2.bank_kb", bank_kb);
    DRAW("l2.ways", l2_ways);
    DRAW("l2.banks", banks);
    snprintf(text[n++], SET_TEXT, "l1.index=%s", modulo ? "modulo" : one_of(r, hashed, 2));
    snprintf(text[n++], SET_TEXT, "l2.index=%s", modulo ? "modulo" : one_of(r, hashed, 2));
    snprintf(text[n++], SET_TEXT, "l2.slice_hash=%s", modulo ? "modulo" : "xor");
    snprintf(text[n++], SET_TEXT, "l1.enabled=true");
    if (base) snprintf(text[n++], SET_TEXT, "l1.adaptive=false");
    for (uint32_t i = 0; i < n; i++)
        sets[i] = text[i];
    return machine_load(m, base_name[base], sets, n, &all);
}

static bool draw(struct machine *m, uint32_t base, bool modulo, uint64_t seed, uint32_t i)
{
    struct rng r;
    rng_seed(&r, seed, 4 * i + 2 * base + modulo);
    for (uint32_t t = 0; t < TRIES; t++)
        if (draw_once(m, base, modulo, &r)) return true;
    return false;
}

static bool note(uint32_t level, bool modulo, enum formula f, double is, double said)
{
    struct errors_of *e = &errors_of[level][modulo][f];
    if (isnan(said)) return true;
    if (!mem_grow(&e->at, &e->cap, e->n + 1, sizeof *e->at)) return false;
    e->at[e->n++] = 100 * fabs(said - is);
    return true;
}

static bool compare(const struct machine *m, const char *name, const struct hit_counts *x,
                    const double said[FORMULAS][LEVELS])
{
    const double is[LEVELS] = {hit_share(x->l1_hits, x->l1_reads),
                               hit_share(x->l2_hits, x->l2_reads)};
    const double reads[LEVELS] = {x->l1_reads, x->l2_reads};
    bool modulo = m->l1.cache.index == INDEX_MODULO;
    for (uint32_t l = 0; l < LEVELS; l++)
        for (uint32_t f = 0; f < FORMULAS && reads[l] >= LEAST; f++)
            if (!note(l, modulo, (enum formula)f, is[l], said[f][l])) return false;
    if (!getenv("VERBOSE")) return true;
    printf("%-14s %-12s %-6s L1 %3u x %2u  L2 %2u x %4u x %2u  exact %.3f %.3f  plumb %.3f %.3f\n",
           m->name, name, index_name[modulo], m->l1.cache.sets, m->l1.cache.ways, m->l2.banks,
           m->l2.cache.sets, m->l2.cache.ways, is[0], is[1], said[FORMULA_PLUMB][0],
           said[FORMULA_PLUMB][1]);
    return true;
}

/* One program on one base with one kind of index: one stream, one profile, all geometries. */
static bool run_class(const char *spec, uint32_t base, bool modulo, uint32_t n, uint64_t seed,
                      struct error *e)
{
    struct machine m;
    struct kept_stream k = {0};
    struct distances d = {0};
    struct profile *f = NULL;
    if (!draw(&m, base, modulo, seed, 0)) return error_run(e, "no geometry fits");
    struct program_opts o = {.warp_width = m.sm.warp_width};
    struct program *p = program_open(spec, &o, e);
    struct profile_view v = est_view_of(&m);
    bool ok = p && (f = profile_get(p, &v, PROFILE_EXACT, 1, false, NULL, e)) &&
              kept_collect(&k, p, &v, e) && distances_find(&d, &k);
    for (uint32_t i = 0; ok && i < n; i++) {
        double said[FORMULAS][LEVELS];
        struct hit_counts x;
        ok = draw(&m, base, modulo, seed, i) && exact_run(&k, &m, &x) &&
             formulas_say(said, f, &k, &d, &m) && compare(&m, program_name(p), &x, said);
    }
    profile_free(f);
    kept_fini(&k);
    distances_fini(&d);
    program_close(p);
    return ok;
}

static void print_row(uint32_t level, uint32_t modulo, enum formula f)
{
    struct errors_of *e = &errors_of[level][modulo][f];
    double sum = 0;
    if (!e->n) return;
    sort_doubles(e->at, e->n);
    for (size_t i = 0; i < e->n; i++)
        sum += e->at[i];
    printf("%s %-6s  %-22s %5zu points  mean %6.2f  p90 %6.2f  worst %6.2f\n", level_name[level],
           index_name[modulo], formula_name[f], e->n, sum / (double)e->n, e->at[e->n * 9 / 10],
           e->at[e->n - 1]);
}

int main(int argc, char **argv)
{
    struct error e = {0};
    const char *seed_text = getenv("SEED");
    uint64_t seed = seed_text ? strtoull(seed_text, NULL, 10) : 1;
    uint32_t n = argc > 2 ? (uint32_t)strtoul(argv[1], NULL, 10) : 0;
    if (!n) return fail("usage: sampler_cache GEOMETRIES PROGRAM...");
    for (int i = 2; i < argc; i++)
        for (uint32_t c = 0; c < BASES * INDEXES; c++)
            if (!run_class(argv[i], c / INDEXES, c % INDEXES, n, seed, &e))
                return fail(e.kind == ERROR_NONE ? "no memory" : e.text);
    printf("seed %llu, %u geometries per base and kind of index, %d programs\n",
           (unsigned long long)seed, n, argc - 2);
    for (uint32_t l = 0; l < LEVELS; l++)
        for (uint32_t x = 0; x < INDEXES; x++)
            for (uint32_t f = 0; f < FORMULAS; f++)
                print_row(l, x, (enum formula)f);
    return 0;
}
