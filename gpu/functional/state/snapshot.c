/* snapshot.c - frees a snapshot and its warm state; see snapshot.h and warm_state.h. */
#include "gpu/functional/state/snapshot.h"

#include "base/memory/alloc.h"
#include "gpu/functional/state/warm_state.h"

static void free_image(struct cache_image *x)
{
    mem_free(x->served);
    mem_free(x->line);
    l1_memory_fini(&x->memory);
    mem_free(x->state);
    mem_free(x->written);
}

void warm_state_free(struct warm_state *s)
{
    if (!s) return;
    for (uint32_t i = 0; s->l1 && i < s->sms; i++)
        free_image(&s->l1[i]);
    for (uint32_t i = 0; s->shared && i < s->shared_from[SHARED_KINDS]; i++)
        free_image(&s->shared[i]);
    for (uint32_t i = 0; s->slice && i < s->slices; i++)
        free_image(&s->slice[i]);
    for (uint32_t i = 0; s->part && i < s->parts; i++)
        free_image(&s->part[i]);
    for (uint32_t i = 0; s->l1_tlb && i < s->sms; i++)
        free_image(&s->l1_tlb[i]);
    free_image(&s->l2_tlb);
    free_image(&s->walk_cache);
    mem_free(s->l1_tlb);
    mem_free(s->part);
    mem_free(s->l1);
    mem_free(s->shared);
    mem_free(s->slice);
    mem_free(s->row);
    mem_free(s->idle);
    mem_free(s->admission);
    mem_free(s->pages);
    mem_free(s);
}

void snapshot_fini(struct snapshot *s)
{
    mem_free(s->residents);
    mem_free(s->warp_done);
    mem_free(s->next_subcore);
    mem_free(s->name);
    mem_free(s->queues);
    warm_state_free(s->warm);
    *s = (struct snapshot){0};
}
