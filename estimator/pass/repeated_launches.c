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
           memcmp(a->block, b->block, sizeof a->block) == 0;
}

/* Whether both run the same instructions, whatever they are called. */
static bool same_code(const struct launch *a, const struct launch *b)
{
    if (a->n_code != b->n_code) return false;
    for (uint32_t i = 0; i < a->n_code; i++) {
        const struct static_inst *x = &a->code[i], *y = &b->code[i];
        if (x->cls != y->cls || x->space != y->space || x->width != y->width ||
            x->hint != y->hint || x->dst != y->dst || x->n_src != y->n_src ||
            memcmp(x->src, y->src, x->n_src * sizeof *x->src) != 0)
            return false;
    }
    return true;
}

static bool nearly(uint64_t a, uint64_t b)
{
    return (a > b ? a - b : b - a) <= b / REPEAT_ALIKE;
}

static struct repeated_group *group_of(struct repeated_launches *r, const struct launch *l,
                                       uint64_t instructions)
{
    for (size_t i = r->n; i-- > 0;)
        if (nearly(instructions, r->group[i].instructions) && same_shape(r->group[i].face, l) &&
            same_code(r->group[i].face, l))
            return &r->group[i];
    if (!mem_grow(&r->group, &r->cap, r->n + 1, sizeof *r->group)) return NULL;
    r->group[r->n] =
        (struct repeated_group){.face = l, .instructions = instructions, .equal = true};
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
    g->equal = g->equal && instructions == g->instructions;
    uint32_t from = g->equal ? REPEAT_EQUAL : REPEAT_FROM;
    uint32_t every = g->equal ? REPEAT_FROM : REPEAT_EVERY;
    if (k >= from && k % every) return true;
    *g = (struct repeated_group){l, instructions, launch, g->launches, g->equal};
    return false;
}
