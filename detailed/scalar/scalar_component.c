/* scalar_component.c - the scalar caches among a simulation's components. */
#include "detailed/parts/cache_bytes.h"
#include "detailed/parts/component.h"
#include "detailed/scalar/scalar_cache.h"
#include "gpu/functional/state/warm_state.h"
#include "gpu/machine/machine.h"

STATS_ADDER(scalar, SCALAR_STATS)
STATS_SETTER(scalar, SCALAR_STATS)

static uint32_t count(const struct machine *m)
{
    return scalar_caches(&m->scalar, m->sm.count);
}

static uint64_t host_bytes(const struct machine *m)
{
    return count(m) * cache_bytes(&m->scalar.cache, SHADOW_ON);
}

COMPONENT_OF_OBJECTS(scalar, scalar_cache)

static bool idle(const void *object)
{
    return scalar_idle(object);
}

static bool launch(void *object, const struct occupancy *occ, uint64_t now)
{
    (void)occ, (void)now;
    scalar_drop(object);
    return true;
}

static void add_metrics(const struct objects *o, struct metrics *m)
{
    struct scalar_cache *scalar = o->all;
    struct scalar_stats sum = {0};
    for (uint32_t i = 0; i < o->n; i++) {
        scalar_account(&scalar[i], objects_cycle(o, CLOCK_CORE));
        add_scalar(&sum, &scalar[i].s);
    }
    set_scalar(scalar->p, &sum, m);
}

static void load(const struct objects *o, const struct warm_state *w)
{
    struct scalar_cache *scalar = o->all;
    const struct cache_image *x = &w->shared[w->shared_from[SHARED_scalar]];
    for (uint32_t i = 0; i < o->n; i++)
        cache_load(&scalar[i].c, x[i].line, x[i].n);
}

const struct component_ops scalar_component = {.name = "scalar caches",
                                               .size = sizeof(struct scalar_cache),
                                               .count = count,
                                               .host_bytes = host_bytes,
                                               .launch = launch,
                                               .add_metrics = add_metrics,
                                               .load = load,
                                               .idle = idle,
                                               COMPONENT_PASSED};
