/* throttle_iwl.c - IWL: as many warps are active as have working sets that fit into the L1 (Mao
 * 4.2.1).
 *
 * The first N_pred warps of a launch run unrestricted on each SM; from then on every warp that ends
 * updates the means of working set and re-reference, and with them the number of active warps. The
 * working set of a warp is the number of blocks on which it misses; each entry of the address miss
 * table counts once until the table is cleared, which happens after every N_pred warps.
 *
 * [A] Blocks are hashed into the table by their number modulo its size; the first sample is the
 * mean; a warp without a miss is no sample; at least one warp is active. */
#include "gpu/policies/throttle.h"

#include "base/memory/alloc.h"
#include "base/memory/serialize.h"

#include <math.h>
#include <string.h>

uint32_t throttle_iwl_n_pred(double alpha, double warps)
{
    return (uint32_t)ceil(alpha * warps - 1e-9);
}

uint32_t throttle_iwl_n_act(double beta, uint32_t l1_blocks, double ws, double rr)
{
    double n = ceil(beta * l1_blocks / (ws * rr) - 1e-9);
    return n < 1 ? 1 : n < THROTTLE_WARPS ? (uint32_t)n : THROTTLE_WARPS;
}

static bool iwl_init(struct throttle *t)
{
    t->iwl = mem_new(1, sizeof *t->iwl);
    if (t->iwl) t->iwl->amt = mem_new(t->p->iwl.amt_entries, 1);
    return t->iwl && t->iwl->amt;
}

static void wipe_table(struct throttle *t)
{
    memset(t->iwl->amt, 0, t->p->iwl.amt_entries);
    t->iwl->since_wipe = 0;
}

static void iwl_launch(struct throttle *t, double warps, uint64_t issued)
{
    (void)issued;
    struct iwl *w = t->iwl;
    w->n_pred = throttle_iwl_n_pred(t->p->iwl.alpha, warps);
    w->known = false;
    w->ended = 0;
    wipe_table(t);
}

static void iwl_born(struct throttle *t, uint32_t warp)
{
    t->iwl->misses[warp] = t->iwl->accesses[warp] = 0;
}

static void count_event(const struct throttle *t, uint32_t *counter)
{
    if (*counter < (UINT32_C(1) << t->p->iwl.counter_bits) - 1) ++*counter;
}

static void iwl_asked(struct throttle *t, uint32_t warp)
{
    if (t->p->iwl.accesses == IWL_INSTRUCTIONS) count_event(t, &t->iwl->accesses[warp]);
}

static bool iwl_access(struct throttle *t, const struct throttle_access *a, uint64_t issued,
                       uint64_t now)
{
    (void)issued, (void)now;
    struct iwl *w = t->iwl;
    if (t->p->iwl.accesses == IWL_TRANSACTIONS) count_event(t, &w->accesses[a->warp]);
    uint8_t *bit = &w->amt[a->block % t->p->iwl.amt_entries];
    if (a->miss && !*bit) {
        *bit = 1;
        count_event(t, &w->misses[a->warp]);
    }
    return false;
}

static void learn_sample(struct iwl *w, double ws, double accesses)
{
    double rr = accesses / ws;                /* 4.5 */
    w->ws = w->known ? (w->ws + ws) / 2 : ws; /* 4.1 */
    w->rr = w->known ? (w->rr + rr) / 2 : rr; /* 4.4 */
    w->known = true;
}

static void iwl_ended(struct throttle *t, uint32_t warp)
{
    struct iwl *w = t->iwl;
    if (w->misses[warp]) learn_sample(w, w->misses[warp], w->accesses[warp]);
    if (++w->since_wipe >= w->n_pred) wipe_table(t);
    if (++w->ended < w->n_pred || !w->known) return;
    t->limit = throttle_iwl_n_act(t->p->iwl.beta, t->l1_blocks, w->ws, w->rr);
}

static bool iwl_serialize(struct throttle *t, struct serializer *serializer)
{
    struct iwl *w = t->iwl;
    SERIALIZE_VALUE(serializer, w->ws);
    SERIALIZE_VALUE(serializer, w->rr);
    SERIALIZE_VALUE(serializer, w->known);
    SERIALIZE_VALUE(serializer, w->n_pred);
    SERIALIZE_VALUE(serializer, w->ended);
    SERIALIZE_VALUE(serializer, w->since_wipe);
    SERIALIZE_VALUE(serializer, w->misses);
    SERIALIZE_VALUE(serializer, w->accesses);
    serialize_data(serializer, w->amt, t->p->iwl.amt_entries);
    return true;
}

const struct throttle_ops throttle_iwl = {.name = "iwl",
                                          .learns = true,
                                          .init = iwl_init,
                                          .launch = iwl_launch,
                                          .born = iwl_born,
                                          .ended = iwl_ended,
                                          .asked = iwl_asked,
                                          .access = iwl_access,
                                          .serialize = iwl_serialize,
                                          .choose = throttle_by_number};
