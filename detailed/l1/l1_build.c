/* l1_build.c - what an L1 consists of: allocated, emptied and freed here, and fitted to a launch.
 *
 * Every L1 has a look-up pipeline, a tag array and the queue to the network. By its parameters one
 * has banks, the owner states of a directory's protocol, and structures beside its lines
 * (l1_side.h). The adaptive L1 takes the ways that a launch's shared memory leaves (Khairy II).
 * What happens in a cycle: l1.c. What it still holds is told here, too. */
#include "detailed/l1/l1_agent.h"
#include "detailed/l1/l1_side.h"

#include "base/memory/alloc.h"

#include <string.h>

static bool init_tags(struct l1 *l, struct cache *c, const struct cache_params *p)
{
    if (!cache_init(c, p, 1, 0, SHADOW_ON)) return false;
    c->left = l->w->left;
    c->left_ctx = l->owner;
    if (!l1_side_attach(l, c)) return false;
    if (!l->w->coherence) cache_chain_fills(c); /* asks what is attached */
    return true;
}

bool l1_init(struct l1 *l, const struct l1_params *p, uint32_t grain_without_cache, uint32_t sm,
             const struct l1_wiring *w, void *owner)
{
    *l = (struct l1){.p = p,
                     .w = w,
                     .owner = owner,
                     .sm = sm,
                     .cache_on = p->enabled,
                     .merges = p->merge_loads || p->merge_stores,
                     .grain = p->enabled ? p->cache.sector_bytes : grain_without_cache,
                     .access_mask = 127,
                     .last_block = UINT64_MAX,
                     .partition = map_partition(w->map, w->sms, sm)};
    const struct l1_rules rules = l1_rules_of(p, w->coherence != NULL);
    l->ways = l1_ways_of(&rules);
    l->access = mem_new_unset(l->access_mask + 1, sizeof *l->access);
    bool ok = l->access && fifo_init(&l->miss_queue, p->miss_queue) && fifo_init(&l->retry, 0) &&
              fifo_init(&l->wake, 0) && l1_side_init(l);
    struct cache_params tags = l1_tag_params(p);
    ok = ok && init_tags(l, &l->c, &tags);
    if (p->enabled && p->banks > 1) {
        l->bank = mem_new(p->banks, sizeof *l->bank);
        ok = ok && l->bank;
    }
    if (w->coherence) ok = ok && l1_agent_init(l);
    l->plain = p->enabled && !l->sides && !l->merges && !p->mshr_wait_aside && !w->coherence;
    if (!ok) l1_fini(l);
    return ok;
}

void l1_fini(struct l1 *l)
{
    mem_free(l->access);
    l1_queues_fini(l);
    fifo_fini(&l->miss_queue);
    fifo_fini(&l->retry);
    fifo_fini(&l->wake);
    mem_free(l->bank);
    mem_free(l->refused.slot);
    l1_side_fini(l);
    l1_agent_fini(l);
    cache_fini(&l->c);
    *l = (struct l1){0};
}

void l1_clear(struct l1 *l)
{
    cache_clear(&l->c);
    l->head = l->entered = l->tail = l->slots_seen = l->lines_seen = 0;
    l1_queues_clear(l);
    fifo_clear(&l->miss_queue);
    l->sending_more = l->before = l->piped = 0;
    l->entries_used = l->ports_used = l->wake_free = 0;
    fifo_clear(&l->retry);
    fifo_clear(&l->wake);
    l->refused.head = l->refused.tail = 0;
    l->refused_stall = L1_GOES;
    l1_side_clear(l);
    l1_agent_clear(l);
    if (l->bank) memset(l->bank, 0, l->p->banks * sizeof *l->bank);
    l->stall = L1_GOES;
    l->settled = false;
    l->s = (struct l1_stats){0};
}

bool l1_resize(struct l1 *l, uint32_t kb, uint64_t now)
{
    /* the adaptive split adds ways (Khairy II) */
    struct cache_params p = l1_tags_of(l->p, kb);
    bool same = p.ways == l->c.p.ways && p.short_sets == l->c.p.short_sets;
    if (same || p.ways == 0) return true;
    l1_flush(l, now);
    if (!l->c.index.n && p.sets * p.ways <= l->c.room)
        return cache_resize(&l->c, p.ways, p.short_sets);
    struct cache fresh;
    if (!init_tags(l, &fresh, &p)) return false;
    cache_fini(&l->c);
    l->c = fresh;
    return true;
}

bool l1_idle(const struct l1 *l)
{
    /* dirty lines and answers may still wait to be sent, or be rejected by the L2: neither a warp
     * nor the launch waits for them */
    bool behind = l->c.p.write == WRITE_BACK || l->sends_behind || l->w->recalls;
    bool sent = !l->miss_queue.n && !l->retry.n && l->refused.head == l->refused.tail;
    bool queued = l->head != l->tail || l->arriving.head != l->arriving.tail || l->waiting;
    if (l->owner_dir) return !queued && !l->c.mshr.used; /* blocks that were put may be in flight */
    return l1_side_is_idle(l) && !queued && (sent || behind) && !l->c.mshr.used;
}

bool l1_check(const struct l1 *l)
{
    const struct l1_stats *s = &l->s;
    return cache_check(&l->c) && l1_side_check(l) &&
           s->accesses == s->hits + s->misses + s->merges + s->bypasses;
}

void l1_stuck(const struct l1 *l, struct text *out)
{
    static const char *const cause[] = {"nothing", "an MSHR", "room in an MSHR", "a line",
                                        "the network"};
    if (l1_idle(l) && !l->miss_queue.n) return;
    text_add(
        out,
        "l1 of SM %u: %llu accesses (head waits for %s), %u aside, %u packets, %u retries, %u MSHRs"
        " in use\n",
        l->sm, (unsigned long long)(l->tail - l->head), cause[l->stall], l->waiting,
        l->miss_queue.n, l->retry.n, l->c.mshr.used);
}
