/* warp_select.c - see warp_select.h. */
#include "estimator/functional/warp_select.h"

#include "base/memory/alloc.h"

static bool less(struct warp_rank a, struct warp_rank b)
{
    return a.key < b.key || (a.key == b.key && a.warp < b.warp);
}

static void push(struct warp_heap *h, struct warp_rank r)
{
    size_t i = h->n++;
    for (; i && less(r, h->at[(i - 1) / 2]); i = (i - 1) / 2)
        h->at[i] = h->at[(i - 1) / 2];
    h->at[i] = r;
}

static uint32_t pop(struct warp_heap *h)
{
    uint32_t top = h->at[0].warp;
    struct warp_rank last = h->at[--h->n];
    size_t i = 0;
    for (;;) {
        size_t c = 2 * i + 1;
        if (c >= h->n) break;
        if (c + 1 < h->n && less(h->at[c + 1], h->at[c])) c++;
        if (!less(h->at[c], last)) break;
        h->at[i] = h->at[c];
        i = c;
    }
    if (h->n) h->at[i] = last;
    return top;
}

bool warp_queue_start(struct warp_queue *q, enum sched_kind rule, uint32_t cores, uint32_t warps)
{
    q->rule = rule;
    q->waiting.n = q->n_ready = 0;
    q->cores = cores;
    q->turn = 1;
    q->next_core = 0;
    q->pressed = false;
    for (uint32_t i = 0; i < WARP_QUEUE_CORES; i++) {
        struct warp_heap *h = &q->ready[i];
        q->last[i] = UINT32_MAX;
        h->n = 0;
        if (!mem_grow(&h->at, &h->cap, warps, sizeof *h->at)) return false;
    }
    return mem_grow(&q->waiting.at, &q->waiting.cap, warps, sizeof *q->waiting.at) &&
           mem_grow(&q->core, &q->core_cap, warps, sizeof *q->core) &&
           mem_grow(&q->age, &q->age_cap, warps, sizeof *q->age);
}

void warp_queue_fini(struct warp_queue *q)
{
    mem_free(q->waiting.at);
    for (uint32_t i = 0; i < WARP_QUEUE_CORES; i++)
        mem_free(q->ready[i].at);
    mem_free(q->age);
    mem_free(q->core);
}

void warp_queue_add(struct warp_queue *q, uint32_t warp, uint64_t time)
{
    push(&q->waiting, (struct warp_rank){time, warp});
}

static uint64_t rank(struct warp_queue *q, uint32_t warp)
{
    if (q->rule == SCHED_LRR) return q->turn++;
    return warp == q->last[q->core[warp]] ? 0 : q->age[warp];
}

static struct warp_rank come(struct warp_queue *q)
{
    bool urgent = q->urgent && q->waiting.at[0].key == q->urgent;
    uint32_t warp = pop(&q->waiting);
    return (struct warp_rank){urgent ? 0 : rank(q, warp), warp};
}

static bool goes_before(const struct warp_queue *q, uint32_t a, uint32_t b)
{
    return q->ready[a].n && (!q->ready[b].n || less(q->ready[a].at[0], q->ready[b].at[0]));
}

/* The sub-core whose turn it is: while the unit is behind the first one after that which had the
 * last turn, else that of the first in rank; one that has an urgent warp goes before. */
static uint32_t core_now(const struct warp_queue *q)
{
    uint32_t best = 0, turn = q->next_core;
    for (uint32_t i = 1; i < q->cores; i++)
        if (goes_before(q, i, best)) best = i;
    if (!q->pressed || (q->urgent && q->ready[best].at[0].key == 0)) return best;
    while (!q->ready[turn].n)
        turn = (turn + 1) % q->cores;
    return turn;
}

uint32_t warp_queue_take(struct warp_queue *q, uint64_t *now)
{
    if (!q->n_ready && q->waiting.at[0].key > *now) *now = q->waiting.at[0].key;
    while (q->waiting.n && q->waiting.at[0].key <= *now) {
        struct warp_rank r = come(q);
        push(&q->ready[q->core[r.warp]], r);
        q->n_ready++;
    }
    uint32_t core = core_now(q), warp = pop(&q->ready[core]);
    q->next_core = (core + 1) % q->cores;
    q->n_ready--;
    warp_queue_taken(q, warp);
    return warp;
}

bool warp_queue_came(struct warp_queue *q, uint64_t now, struct warp_rank *warp, uint64_t *next)
{
    *next = q->waiting.n ? q->waiting.at[0].key : UINT64_MAX;
    if (*next > now) return false;
    *warp = come(q);
    return true;
}

void warp_queue_taken(struct warp_queue *q, uint32_t warp)
{
    q->last[q->core[warp]] = warp;
}

uint64_t warp_queue_due(const struct warp_queue *q, uint64_t now)
{
    return q->n_ready || q->waiting.at[0].key <= now ? now : q->waiting.at[0].key;
}
