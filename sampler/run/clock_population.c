/* clock_population.c - what the sampler measures before any interval runs: the functional pass's
 * clock and the program's accesses.  The pass uses one thread; the other threads count accesses
 * meanwhile. */
#include "sampler/run/sampling.h"

#include "base/memory/alloc.h"
#include "gpu/functional/warming/checkpoints.h"
#include "sampler/constants.h"

struct clock_population {
    struct sampling *s;
    uint64_t *from, *to; /* instructions of the program at which each unit begins and ends */
    double *cycles;
    struct error error; /* of the functional pass */
};

static void clock_population_fini(struct clock_population *k)
{
    mem_free(k->from);
    mem_free(k->to);
    mem_free(k->cycles);
}

static bool clock_population_init(struct clock_population *k, struct sampling *s, struct error *e)
{
    uint32_t n = s->pop.units;
    *k = (struct clock_population){.s = s,
                                   .from = mem_new(n, sizeof *k->from),
                                   .to = mem_new(n, sizeof *k->to),
                                   .cycles = mem_new(n, sizeof *k->cycles)};
    if (!k->from || !k->to || !k->cycles) return error_no_memory(e);
    for (uint32_t i = 0; i < n; i++) {
        const struct sample_unit *u = &s->pop.unit[i];
        k->from[i] = s->before[u->launch] + u->begin;
        k->to[i] = k->from[i] + u->length;
    }
    return s->pass.track || sampling_open_pass(s, s->m, &s->pass, e);
}

static bool walk(void *ctx)
{
    struct clock_population *k = ctx;
    struct sampling *s = k->s;
    return checkpoints_clock(s->pass.track, k->from, k->to, s->pop.units, k->cycles, &s->pop.timed,
                             &k->error);
}

/* If only part of a launch is covered, its accesses are not known. */
static bool count_beside_walk(struct clock_population *k, struct error *e)
{
    struct sampling *s = k->s;
    bool counted = true;
    for (uint32_t l = 0; l < s->launches; l++)
        counted = counted && !s->size[l].truncated;
    bool ok = counted ? access_count_run(s->m, s->p, s->selected, ACCESS_COUNT_READ, s->o->threads,
                                         walk, k, &s->pop.accesses, e)
                      : walk(k);
    if (!ok && k->error.kind != ERROR_NONE) *e = k->error;
    return ok;
}

static bool refine_strata(struct clock_population *k, struct error *e)
{
    struct sampling *s = k->s;
    for (uint32_t i = 0; i < s->pop.units; i++)
        s->pop.unit[i].pass = k->cycles[i];
    rounds_fini(&s->r);
    if (!population_refine(&s->pop, s->size, &s->cutting, e)) return false;
    sampling_set_budget(s);
    return rounds_start(&s->r, e);
}

bool sampling_look(struct sampling *s, struct error *e)
{
    struct clock_population k;
    bool ok = clock_population_init(&k, s, e) && count_beside_walk(&k, e);
    if (ok && s->pop.timed) ok = refine_strata(&k, e);
    clock_population_fini(&k);
    return ok;
}
