/* components.c - see components.h. */
#include "detailed/core/components.h"

#include "base/memory/alloc.h"

#include <assert.h>
#include <string.h>

#define COMPONENT_OPS(kind, clock) [KIND_##kind] = &kind##_component,
static const struct component_ops *const ops_of[KIND_N] = {COMPONENTS(COMPONENT_OPS)};

static void *object(const struct component *c, uint32_t i)
{
    return (char *)c->all + i * c->ops->size;
}

bool components_make(struct component c[KIND_N], uint64_t **due, const struct machine *m)
{
    size_t steps = 0;
    for (uint32_t k = 0; k < KIND_N; k++) {
        const struct component_ops *o = ops_of[k];
        uint32_t parts = o->steps ? o->steps(m) : 0;
        c[k] = (struct component){.ops = o, .n = o->count ? o->count(m) : parts > 0};
        if (!c[k].n) continue;
        c[k].steps = o->steps ? parts : o->step ? c[k].n : 0;
        c[k].all = mem_new_aligned(c[k].n, o->size, 64);
        if (!c[k].all) return false;
        memset(c[k].all, 0, c[k].n * o->size);
        steps += c[k].steps;
    }
    *due = mem_new(steps, sizeof **due);
    for (uint32_t k = 0, first = 0; *due && k < KIND_N; first += c[k++].steps)
        c[k].due = *due + first;
    if (*due) components_sleep(c);
    return *due != NULL;
}

bool components_build(struct component c[KIND_N], struct wiring *w)
{
    for (uint32_t k = 0; k < KIND_N; k++)
        w->all[k] = c[k].all;
    for (uint32_t k = KIND_N; k-- > 0;)
        if (c[k].n && c[k].ops->build &&
            !c[k].ops->build(&(struct objects){c[k].all, c[k].n, w->clocks, 0}, w))
            return false;
    return true;
}

void components_free(struct component c[KIND_N])
{
    for (uint32_t k = KIND_N; k-- > 0;) {
        for (uint32_t i = 0; c[k].all && c[k].ops->fini && i < c[k].n; i++)
            c[k].ops->fini(object(&c[k], i));
        mem_free(c[k].all);
    }
}

void components_sleep(struct component c[KIND_N])
{
    for (uint32_t k = 0; k < KIND_N; k++)
        for (uint32_t i = 0; i < c[k].steps; i++)
            c[k].due[i] = UINT64_MAX;
}

void components_clear(struct component c[KIND_N])
{
    components_sleep(c);
    for (uint32_t k = 0; k < KIND_N; k++)
        for (uint32_t i = 0; i < c[k].n; i++)
            c[k].ops->clear(object(&c[k], i));
}

bool components_launch(struct component c[KIND_N], const struct occupancy *occ, uint64_t now)
{
    for (uint32_t k = 0; k < KIND_N; k++)
        for (uint32_t i = 0; c[k].ops->launch && i < c[k].n; i++)
            if (!c[k].ops->launch(object(&c[k], i), occ, now)) return false;
    return true;
}

uint64_t components_progress(const struct component c[KIND_N])
{
    uint64_t all = 0;
    for (uint32_t k = 0; k < KIND_N; k++)
        for (uint32_t i = 0; c[k].ops->progress && i < c[k].n; i++)
            all += c[k].ops->progress(object(&c[k], i));
    return all;
}

void components_add_metrics(const struct component c[KIND_N], const struct clocks *clocks,
                            uint64_t tick, struct metrics *m)
{
    for (uint32_t k = 0; k < KIND_N; k++)
        if (c[k].n && c[k].ops->add_metrics)
            c[k].ops->add_metrics(&(struct objects){c[k].all, c[k].n, clocks, tick}, m);
}

void components_load(const struct component c[KIND_N], const struct clocks *clocks, uint64_t tick,
                     const struct warm_state *w)
{
    for (uint32_t k = 0; k < KIND_N; k++)
        if (c[k].n && c[k].ops->load)
            c[k].ops->load(&(struct objects){c[k].all, c[k].n, clocks, tick}, w);
}

void components_check(const struct component c[KIND_N], bool ends)
{
    (void)ends;
    for (uint32_t k = 0; k < KIND_N; k++)
        for (uint32_t i = 0; i < c[k].n; i++) {
            assert(!c[k].ops->check || c[k].ops->check(object(&c[k], i)));
            assert(!ends || !c[k].ops->idle || c[k].ops->idle(object(&c[k], i)));
        }
}

/* From the SMs down; each kind takes at most half of the room that is left. */
void components_stuck(const struct component c[KIND_N], struct text *out)
{
    enum { ROOM = 800 };
    for (uint32_t k = KIND_N; k-- > 0;) {
        size_t until = (out->len + ROOM) / 2;
        for (uint32_t i = 0; c[k].ops->stuck && i < c[k].n && out->len < until; i++)
            c[k].ops->stuck(object(&c[k], i), out);
    }
}

uint64_t components_bytes(const struct machine *m)
{
    uint64_t all = 0;
    for (uint32_t k = 0; k < KIND_N; k++)
        if (ops_of[k]->host_bytes) all += ops_of[k]->host_bytes(m);
    return all;
}
