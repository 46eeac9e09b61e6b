/* observer_sync.c - what acquires, releases and launches make leave the L1 of the reuse observer.
 */
#include "estimator/reuse/reuse_observer.h"

/* What was stored is put: the line leaves. */
static void put_stored(struct reuse_observer *s)
{
    uint32_t all = (1u << s->l1.p.sectors) - 1;
    for (uint32_t i = 0; s->stored.n && i <= s->stored.mask; i++)
        if (s->stored.slot[i].key != HASH_MAP_EMPTY)
            chain_forget(&s->l1, s->stored.slot[i].key, all);
    if (s->stored.n) hash_map_clear(&s->stored);
}

static bool is_shared(void *ctx, uint64_t line)
{
    return sharers_many(ctx, line);
}

/* Lines that this SM alone has stay, where the protocol says so. */
void reuse_observer_empty_l1(struct reuse_observer *s)
{
    if (s->v->l1_keeps_own) {
        put_stored(s);
        s->t.sums.dropped += chain_forget_if(&s->l1, is_shared, s->sharers);
        return;
    }
    chain_flush(&s->l1);
    if (s->lines.lines) lru_lines_clear(&s->lines);
    if (s->predictor) bypass_predictor_empty(s->predictor);
    if (s->store_lines) l1_store_lines_empty(s->store_lines);
}

void reuse_observer_note_stored(struct reuse_observer *s, uint64_t line)
{
    if (s->v->l1_keeps_own && !hash_map_put(&s->stored, line, 0)) s->l1.failed = true;
}

void reuse_observer_acquire(void *memory, uint32_t sm, double time)
{
    struct reuse_observer *s = memory;
    (void)sm, (void)time;
    if (s->v->l1_emptied == L1_NEVER) return;
    reuse_observer_empty_l1(s);
    s->acquires++;
}

void reuse_observer_release(void *memory, uint32_t sm, double time)
{
    struct reuse_observer *s = memory;
    (void)sm, (void)time;
    if (s->v->l1_keeps_own) put_stored(s);
}
