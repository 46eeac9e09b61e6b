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

static void free_images(struct cache_image *all, uint32_t n)
{
    for (uint32_t i = 0; all && i < n; i++)
        free_image(&all[i]);
    mem_free(all);
}

void warm_state_free(struct warm_state *s)
{
    if (!s) return;
    free_images(s->l1, s->sms);
    free_images(s->shared, s->shared_from[SHARED_KINDS]);
    free_images(s->slice, s->slices);
    free_images(s->part, s->parts);
    free_images(s->l1_tlb, s->sms);
    free_image(&s->l2_tlb);
    free_image(&s->walk_cache);
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
