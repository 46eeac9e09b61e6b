/* sched_tbas.c - thread batch-aware scheduling: only a running set of warps issues, and it is
 * filled with thread batches, whose warps are likely to access the same pages (Mao 5.3, figure 37).
 *
 * A thread batch is sm.batch_blocks consecutive CTAs, counted from CTA 0 [A]. Which batch comes
 * into the running set next is sm.tbas.steps. The thesis leaves open what follows [A]:
 *
 *   enough    A batch can be promoted if it has enough runnable warps: as many as the set has
 *             places, or all that could run if none waited for memory. So the warps of a batch
 *             come together. Warps at a barrier or stopped by a throttle do not count: others
 *             would wait for them in vain.
 *   places    A warp that waits gives its place to the oldest runnable warp of the batches in the
 *             set, in the order of their promotion, or else to the next batch.
 *   demoted   A batch leaves when none of its warps is runnable. If it left as soon as one of them
 *             waits, the others would access its page only after other batches had accessed theirs.
 *   nobody    If the set is empty and no batch has enough, the one with the most runnable warps
 *             comes in; among equals the step's order decides. So a sub-core with a runnable warp
 *             never stands still, and a batch is held back at most until its loads are back or the
 *             batches before it wait or end.
 *   successor The batch behind the one that was promoted last; behind the last one comes the first.
 *   issue     The warp that issued last goes on; then the batch that was promoted first has
 *             priority; then the oldest warp. */
#include "gpu/policies/sched.h"

#include <string.h>

struct thread_batch {
    uint64_t number, age; /* age: of its oldest warp */
    uint64_t slots, runnable;
};

/* The batches that have a warp on the sub-core. */
struct batch_list {
    struct thread_batch at[SM_SUBCORE_SLOTS];
    uint32_t n;
};

static uint64_t batch_of(const struct sched *s, uint32_t slot)
{
    return s->v.cta[slot] / s->batch_blocks;
}

static struct thread_batch *find_batch(struct batch_list *l, uint64_t number)
{
    for (uint32_t i = 0; i < l->n; i++)
        if (l->at[i].number == number) return &l->at[i];
    return NULL;
}

static void list_batches(const struct sched *s, uint64_t runnable, struct batch_list *l)
{
    l->n = 0;
    for (uint64_t rest = *s->v.resident; rest; rest &= rest - 1) {
        uint32_t slot = (uint32_t)__builtin_ctzll(rest);
        struct thread_batch *b = find_batch(l, batch_of(s, slot));
        if (!b) {
            b = &l->at[l->n++];
            *b = (struct thread_batch){.number = batch_of(s, slot), .age = s->v.age[slot]};
        }
        b->slots |= rest & -rest;
        b->runnable |= rest & -rest & runnable;
        if (s->v.age[slot] < b->age) b->age = s->v.age[slot];
    }
}

static uint32_t index_of(const uint64_t *number, uint32_t n, uint64_t wanted)
{
    uint32_t i = 0;
    while (i < n && number[i] != wanted)
        i++;
    return i;
}

static bool is_running(const struct sched *s, const struct thread_batch *b)
{
    const struct sched_batches *t = s->v.batches;
    return index_of(t->running, t->n_running, b->number) < t->n_running;
}

static bool has_enough(const struct sched *s, const struct thread_batch *b)
{
    if (!b->runnable) return false;
    return !(b->slots & ~b->runnable & ~s->held_back) ||
           (uint32_t)__builtin_popcountll(b->runnable) >= s->p->tbas_warps;
}

/* Batches without a runnable warp leave the running set. */
static void demote_batches(struct sched *s, struct batch_list *l)
{
    struct sched_batches *t = s->v.batches;
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->n_running; i++) {
        const struct thread_batch *b = find_batch(l, t->running[i]);
        if (b && b->runnable) t->running[n++] = t->running[i];
    }
    t->n_running = n;
}

/* Those that have enough wait behind each other; who comes at the same time, by age. */
static void queue_batches(struct sched *s, struct batch_list *l)
{
    struct sched_batches *t = s->v.batches;
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->n_pending; i++) {
        const struct thread_batch *b = find_batch(l, t->pending[i]);
        if (b && has_enough(s, b) && !is_running(s, b)) t->pending[n++] = t->pending[i];
    }
    t->n_pending = n;
    for (;;) {
        const struct thread_batch *next = NULL;
        for (uint32_t i = 0; i < l->n; i++) {
            const struct thread_batch *b = &l->at[i];
            if ((next && b->age > next->age) || !has_enough(s, b) || is_running(s, b)) continue;
            if (index_of(t->pending, t->n_pending, b->number) == t->n_pending) next = b;
        }
        if (!next) return;
        t->pending[t->n_pending++] = next->number;
    }
}

/* The smaller, the sooner the batch is promoted. */
static uint64_t turn_of(const struct sched *s, const struct thread_batch *b)
{
    const struct sched_batches *t = s->v.batches;
    switch (s->p->tbas_steps) {
    case TBAS_GATHER: return index_of(t->pending, t->n_pending, b->number);
    case TBAS_SUCCESSOR: return b->number - t->promoted - 1; /* behind it, then from the first on */
    case TBAS_OLDER_FIRST:
    case TBAS_STEPS_N: break;
    }
    return b->age;
}

static bool comes_before(const struct sched *s, const struct thread_batch *a,
                         const struct thread_batch *b)
{
    uint64_t one = turn_of(s, a), other = turn_of(s, b);
    return one != other ? one < other : a->age < b->age;
}

static const struct thread_batch *next_batch(const struct sched *s, struct batch_list *l)
{
    const struct sched_batches *t = s->v.batches;
    const struct thread_batch *best = NULL;
    for (uint32_t i = 0; i < t->n_pending; i++) {
        const struct thread_batch *b = find_batch(l, t->pending[i]);
        if (!best || comes_before(s, b, best)) best = b;
    }
    return best;
}

/* The batch with the most runnable warps; NULL: no warp is runnable. */
static const struct thread_batch *fullest_batch(const struct sched *s, const struct batch_list *l)
{
    const struct thread_batch *best = NULL;
    int most = 0;
    for (uint32_t i = 0; i < l->n; i++) {
        int n = __builtin_popcountll(l->at[i].runnable);
        if (n < most || !n || (n == most && !comes_before(s, &l->at[i], best))) continue;
        best = &l->at[i];
        most = n;
    }
    return best;
}

/* Gives free places to the oldest runnable warps of a batch. */
static void take_warps(struct sched *s, const struct thread_batch *b)
{
    uint32_t n = (uint32_t)__builtin_popcountll(s->first);
    uint64_t pending = b->runnable & ~s->first;
    for (; pending && n < s->p->tbas_warps; n++) {
        uint32_t slot = sched_oldest(pending, s->v.age);
        s->first |= UINT64_C(1) << slot;
        pending &= ~(UINT64_C(1) << slot);
    }
}

static void promote_batch(struct sched *s, const struct thread_batch *b)
{
    struct sched_batches *t = s->v.batches;
    uint32_t at = index_of(t->pending, t->n_pending, b->number);
    if (at < t->n_pending)
        memmove(&t->pending[at], &t->pending[at + 1], (--t->n_pending - at) * sizeof *t->pending);
    t->running[t->n_running++] = t->promoted = b->number;
    take_warps(s, b);
}

static bool has_places(const struct sched *s)
{
    return (uint32_t)__builtin_popcountll(s->first) < s->p->tbas_warps;
}

static uint64_t tbas_admit(struct sched *s, uint64_t runnable)
{
    const struct sched_batches *t = s->v.batches;
    struct batch_list l;
    list_batches(s, runnable, &l);
    s->first &= runnable;
    demote_batches(s, &l);
    queue_batches(s, &l);
    for (uint32_t i = 0; i < t->n_running; i++)
        take_warps(s, find_batch(&l, t->running[i]));
    while (has_places(s) && t->n_pending)
        promote_batch(s, next_batch(s, &l));
    const struct thread_batch *any = s->first ? NULL : fullest_batch(s, &l);
    if (any) promote_batch(s, any);
    return s->first;
}

static uint32_t tbas_pick(const struct sched *s, uint64_t ready, const uint64_t *age)
{
    const struct sched_batches *t = s->v.batches;
    uint32_t best = UINT32_MAX, before = UINT32_MAX;
    if (ready >> s->last & 1) return s->last;
    for (uint64_t rest = ready; rest; rest &= rest - 1) {
        uint32_t slot = (uint32_t)__builtin_ctzll(rest);
        uint32_t turn = index_of(t->running, t->n_running, batch_of(s, slot));
        if (turn > before || (turn == before && age[slot] > age[best])) continue;
        best = slot;
        before = turn;
    }
    return best;
}

/* Another warp may come into its slot before the next choice. */
static void tbas_ended(struct sched *s, uint32_t slot)
{
    s->first &= ~(UINT64_C(1) << slot);
}

const struct sched_ops sched_tbas = {
    .name = "tbas", .pick = tbas_pick, .admit = tbas_admit, .ended = tbas_ended};
