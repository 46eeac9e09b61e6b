/* estimator_speed.c - how fast profiles are made and programs estimated.
 * Usage: estimator_speed MACHINE PROGRAM...    (environment: SEED, default 1)
 * Prints one line per program; all by CPU time of one core.  `same`: one machine again and again;
 * `designs`: so many machines drawn from the choices below, each once, as a sweep asks for them;
 * `explained`: what each station would give, too. */
#include "base/memory/alloc.h"
#include "base/memory/rng.h"
#include "estimator/model/estimate.h"
#include "gpu/machine/machine.h"
#include "sampler/strata/est_params.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { AT_LEAST = 200 }; /* estimates per measurement */
enum { DESIGNS = 1000, AXES = 10, CHOICES = 4, TRIES = 1000, SET_TEXT = 64, VIEWS = 16 };

static const struct {
    const char *path, *choice[CHOICES];
} axes[AXES] = {
    {"l1.kb", {"8", "16", "32", "64"}},
    {"l1.mshr.entries", {"8", "16", "32", "64"}},
    {"l2.bank_kb", {"48", "96", "192", "384"}},
    {"l2.mshr.entries", {"16", "32", "64", "128"}},
    {"l2.latency", {"5", "10", "20", "40"}},
    {"noc.latency", {"2", "4", "8", "16"}},
    {"noc.flit_bytes", {"16", "32", "40", "64"}},
    {"dram.channels", {"2", "4", "8", "16"}},
    {"dram.queue", {"16", "32", "64", "128"}},
    {"clock.core_mhz", {"800", "1000", "1200", "1600"}},
};

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int fail(const char *text)
{
    fprintf(stderr, "estimator_speed: %s\n", text);
    return 2;
}

static double estimates_per_second(const struct profile *f, const struct est_params *p,
                                   struct metrics *r, struct explanation *x, struct error *e)
{
    double start = cpu_seconds(), spent = 0;
    uint32_t n = 0;
    while (n < AT_LEAST && spent < 5) {
        if (!estimate(f, NULL, p, r, x, e)) return -1;
        n++;
        spent = cpu_seconds() - start;
    }
    return n / spent;
}

static bool draw_once(struct machine *d, const struct machine *base, struct rng *r)
{
    char text[AXES][SET_TEXT];
    const char *sets[AXES];
    struct errors all = {0};
    *d = *base;
    for (uint32_t i = 0; i < AXES; i++) {
        snprintf(text[i], SET_TEXT, "%s=%s", axes[i].path, axes[i].choice[rng_below(r, CHOICES)]);
        sets[i] = text[i];
    }
    return machine_set(d, sets, AXES, &all);
}

struct design {
    struct machine m;
    struct est_params p;
    const struct profile *f;
};

static bool draw_all(struct design *d, const struct machine *base, uint64_t seed)
{
    for (uint32_t i = 0; i < DESIGNS; i++) {
        struct rng r;
        uint32_t tries = 0;
        rng_seed(&r, seed, i);
        while (!draw_once(&d[i].m, base, &r))
            if (++tries == TRIES) return false;
    }
    return true;
}

/* One profile per view that the designs need, made before the clock runs. */
struct shelf {
    const struct program *p;
    struct profile *f[VIEWS];
    struct profile_view view[VIEWS];
    uint32_t n;
};

static const struct profile *profile_for(struct shelf *s, const struct machine *m, struct error *e)
{
    struct profile_view view = est_view_of(m);
    for (uint32_t i = 0; i < s->n; i++)
        if (profile_view_equal(&s->view[i], &view)) return s->f[i];
    if (s->n == VIEWS) {
        error_run(e, "the designs need more than %d profiles", VIEWS);
        return NULL;
    }
    s->view[s->n] = view;
    s->f[s->n] = profile_get(s->p, &view, PROFILE_SAMPLED, 1, false, NULL, e);
    return s->f[s->n] ? s->f[s->n++] : NULL;
}

static bool prepare(struct design *d, struct shelf *s, struct error *e)
{
    for (uint32_t i = 0; i < DESIGNS; i++) {
        d[i].p = est_params_of(&d[i].m);
        d[i].f = profile_for(s, &d[i].m, e);
        if (!d[i].f) return false;
    }
    return true;
}

/* 0: the choices do not suit the base; -1: *e. */
static double designs_per_second(struct shelf *s, const struct machine *base, struct metrics *r,
                                 struct error *e)
{
    const char *seed = getenv("SEED");
    struct design *d = mem_new(DESIGNS, sizeof *d);
    bool fits = d && draw_all(d, base, seed ? strtoull(seed, NULL, 10) : 1);
    bool ok = !fits || prepare(d, s, e);
    double start = cpu_seconds();
    for (uint32_t i = 0; fits && ok && i < DESIGNS; i++)
        ok = estimate(d[i].f, NULL, &d[i].p, r, NULL, e);
    double spent = cpu_seconds() - start;
    mem_free(d);
    return !ok ? -1 : fits ? DESIGNS / spent : 0;
}

static int one(const struct machine *m, const char *spec)
{
    struct error e = {0};
    struct program_opts o = {.warp_width = m->sm.warp_width};
    struct program *p = program_open(spec, &o, &e);
    if (!p) return fail(e.text);
    struct shelf shelf = {.p = p};
    double start = cpu_seconds();
    const struct profile *f = profile_for(&shelf, m, &e);
    double seconds = cpu_seconds() - start;
    struct est_params ep = est_params_of(m);
    struct metrics r;
    struct explanation x;
    if (!f) return fail(e.text);
    double plain = estimates_per_second(f, &ep, &r, NULL, &e),
           full = estimates_per_second(f, &ep, &r, &x, &e);
    struct metrics of_design;
    double designs = designs_per_second(&shelf, m, &of_design, &e);
    if (plain < 0 || full < 0 || designs < 0) return fail(e.text);
    printf("%-22s launches %4u  profile %6.3f s %6.2f M insts/s %6.2f M accesses/s  estimates/s: "
           "same %7.0f, designs %7.0f, explained %6.0f  cycles %.0f  %s\n",
           program_name(p), profile_launches(f), seconds, r.v[M_warp_instructions] / seconds / 1e6,
           r.v[M_l1_accesses] / seconds / 1e6, plain, designs, full, r.v[M_cycles], x.bottleneck);
    for (uint32_t i = 0; i < shelf.n; i++)
        profile_free(shelf.f[i]);
    program_close(p);
    return 0;
}

int main(int argc, char **argv)
{
    struct machine m;
    struct errors all = {0};
    if (argc < 3) return fail("usage: estimator_speed MACHINE PROGRAM...");
    if (!machine_load(&m, argv[1], NULL, 0, &all)) return fail(all.item[0].text);
    int worst = 0;
    for (int i = 2; i < argc; i++) {
        int r = one(&m, argv[i]);
        if (r > worst) worst = r;
    }
    return worst;
}
