/* throttle.c - the table of throttles, and the two ways to pick the active warps by number: the
 * first ones of the roster (ACTIVE_CTA: CTA after CTA), or one of each CTA in turn. Warps at a
 * barrier do not count. `fixed` always lets sm.active_warps issue; IWL and CCWS have files of their
 * own. Source: Mao 4.2.1, 4.2.2; Rogers 2012. */
#include "gpu/policies/throttle.h"

#include "base/memory/alloc.h"
#include "base/memory/serialize.h"

#include <string.h>

const struct throttle_ops *const throttle_table[THROTTLE_N] = {[THROTTLE_NONE] = NULL,
                                                               [THROTTLE_FIXED] = &throttle_fixed,
                                                               [THROTTLE_IWL] = &throttle_iwl,
                                                               [THROTTLE_CCWS] = &throttle_ccws};

bool throttle_init(struct throttle *t, const struct sm_params *p, uint32_t l1_blocks)
{
    *t = (struct throttle){.ops = throttle_table[p->throttle],
                           .p = p,
                           .l1_blocks = l1_blocks,
                           .limit = UINT32_MAX,
                           .due = UINT64_MAX};
    return !t->ops || !t->ops->init || t->ops->init(t);
}

void throttle_fini(struct throttle *t)
{
    if (t->iwl) mem_free(t->iwl->amt);
    if (t->ccws) {
        mem_free(t->ccws->tag);
        hash_map_fini(&t->ccws->owner);
    }
    mem_free(t->iwl);
    mem_free(t->ccws);
    *t = (struct throttle){0};
}

void throttle_launch(struct throttle *t, double warps, uint64_t issued)
{
    t->limit = UINT32_MAX;
    memset(t->barred, 0, sizeof t->barred);
    memset(t->no_loads, 0, sizeof t->no_loads);
    t->due = UINT64_MAX;
    if (t->ops && t->ops->launch) t->ops->launch(t, warps, issued);
}

bool throttle_serialize(struct throttle *t, struct serializer *serializer)
{
    SERIALIZE_VALUE(serializer, t->l1_blocks);
    SERIALIZE_VALUE(serializer, t->limit);
    SERIALIZE_VALUE(serializer, t->barred);
    SERIALIZE_VALUE(serializer, t->no_loads);
    SERIALIZE_VALUE(serializer, t->due);
    return !t->ops || !t->ops->serialize || t->ops->serialize(t, serializer);
}

void throttle_moved(struct throttle *t, uint64_t issued, uint64_t then, uint64_t now)
{
    if (!t->ops) return;
    if (t->ops->moved) t->ops->moved(t, issued, then, now);
    t->due = 0;
}

/* Activates the first warps in the roster's order and bars the others. */
static void bar_behind(struct throttle *t, const struct rostered *r, uint32_t n)
{
    uint32_t taken = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (r[i].waits) continue;
        if (taken++ >= t->limit) throttle_set(t->barred, r[i].warp);
    }
}

/* Activates one warp of each CTA in turn and bars the others. */
static void bar_spread(struct throttle *t, const struct rostered *r, uint32_t n)
{
    uint32_t round = 0, taken = 0, in_round = 1;
    for (; in_round; round++) {
        uint32_t nth = 0;
        in_round = 0;
        for (uint32_t i = 0; i < n; i++) {
            if (r[i].cta_first) nth = 0;
            if (r[i].waits || nth++ != round) continue;
            in_round++;
            if (taken++ >= t->limit) throttle_set(t->barred, r[i].warp);
        }
    }
}

void throttle_by_number(struct throttle *t, const struct rostered *r, uint32_t n, uint64_t now)
{
    (void)now;
    t->due = UINT64_MAX;
    memset(t->barred, 0, sizeof t->barred);
    if (t->limit >= n) return;
    if (t->p->active_set == ACTIVE_CTA)
        bar_behind(t, r, n);
    else
        bar_spread(t, r, n);
}

static void fixed_launch(struct throttle *t, double warps, uint64_t issued)
{
    (void)warps, (void)issued;
    t->limit = t->p->active_warps;
}

const struct throttle_ops throttle_fixed = {
    .name = "fixed", .launch = fixed_launch, .choose = throttle_by_number};
