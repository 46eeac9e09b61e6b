/* sm_pass_sync.c - what acquires, releases and launches make leave the L1 of the functional pass.
 */
#include "estimator/functional/sm_pass_state.h"

/* What was stored is put: the line leaves. */
static void put_stored(struct pass *s)
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
void pass_empty_l1(struct pass *s)
{
    if (s->v.l1_keeps_own) {
        put_stored(s);
        s->t.sums.dropped += chain_forget_if(&s->l1, is_shared, s->sharers);
        return;
    }
    chain_flush(&s->l1);
    if (s->predictor) predictor_empty(s->predictor);
    if (s->keeper) keeper_empty(s->keeper);
}

void pass_note_stored(struct pass *s, uint64_t line)
{
    if (s->v.l1_keeps_own && !hash_map_put(&s->stored, line, 0)) s->l1.failed = true;
}

static bool acquires(const struct profile_view *v, uint8_t cls)
{
    return (cls == OP_ACQUIRE && v->l1_emptied != L1_NEVER) ||
           (cls == OP_FENCE && v->fence_empties);
}

void pass_sync(struct pass *s, uint8_t cls)
{
    if (acquires(&s->v, cls)) {
        pass_empty_l1(s);
        s->acquires++;
    } else if (s->v.l1_keeps_own && (cls == OP_RELEASE || cls == OP_FENCE)) {
        put_stored(s);
    }
}

static bool tell(const struct pass *s)
{
    static const enum sharers_event event[] = {[STREAM_READ] = SHARERS_READ,
                                               [STREAM_WRITE] = SHARERS_STORE,
                                               [STREAM_ATOMIC] = SHARERS_OWN};
    bool ok = true;
    for (size_t i = 0; ok && i < s->out.n; i++) {
        const struct stream_op *op = &s->out.op[i];
        ok = sharers_note(s->sharers, op->addr / s->v.l1_line, s->sm, event[op->kind]);
    }
    return ok;
}

bool pass_tell_sharers(struct pass *const *sm, uint32_t sms)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < sms && sm[i]->v.l1_keeps_own; i++)
        ok = tell(sm[i]);
    return ok;
}
