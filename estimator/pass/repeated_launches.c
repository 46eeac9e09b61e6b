/* repeated_launches.c - see repeated_launches.h. */
#include "estimator/pass/repeated_launches.h"

#include "base/memory/alloc.h"
#include "estimator/constants.h"

#include <string.h>

void repeated_launches_fini(struct repeated_launches *r)
{
    mem_free(r->group);
}

static bool same_shape(const struct launch *a, const struct launch *b)
{
    return a->shared_bytes == b->shared_bytes && a->registers_per_lane == b->registers_per_lane &&
           a->resident_warps == b->resident_warps &&
           memcmp(a->grid, b->grid, sizeof a->grid) == 0 &&
           memcmp(a->block, b->block, sizeof a->block) == 0 && strcmp(a->name, b->name) == 0;
}

static bool nearly(uint64_t a, uint64_t b)
{
    return (a > b ? a - b : b - a) <= b / REPEAT_ALIKE;
}

static struct repeated_group *group_of(struct repeated_launches *r, const struct launch *l,
                                       uint64_t instructions)
{
    for (size_t i = r->n; i-- > 0;)
        if (nearly(instructions, r->group[i].instructions) && same_shape(r->group[i].face, l))
            return &r->group[i];
    if (!mem_grow(&r->group, &r->cap, r->n + 1, sizeof *r->group)) return NULL;
    r->group[r->n] = (struct repeated_group){.face = l, .instructions = instructions};
    return &r->group[r->n++];
}

bool repeated_launches_find(struct repeated_launches *r, uint32_t launch, uint32_t *as,
                            bool *failed)
{
    const struct launch *l = program_launch(r->p, launch);
    uint64_t instructions = program_cta_start(r->p, launch, l->ctas);
    struct repeated_group *g = group_of(r, l, instructions);
    *failed = !g;
    if (!g) return false;
    uint32_t k = g->launches++;
    *as = g->index;
    if (k >= REPEAT_FROM && k % REPEAT_EVERY) return true;
    *g = (struct repeated_group){l, instructions, launch, g->launches};
    return false;
}
