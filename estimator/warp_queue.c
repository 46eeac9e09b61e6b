/* warp_queue.c - see warp_queue.h. */
#include "estimator/warp_queue.h"

#include "base/mem.h"

enum { CORE_SHIFT = 56 };

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

bool warp_queue_start(struct warp_queue *q, enum sched_kind rule, uint32_t warps)
{
    q->rule = rule;
    q->waiting.n = q->ready.n = 0;
    q->turn = 1;
    q->pressed = false;
    for (uint32_t i = 0; i < WARP_QUEUE_CORES; i++)
        q->last[i] = UINT32_MAX;
    return mem_grow(&q->waiting.at, &q->waiting.cap, warps, sizeof *q->waiting.at) &&
           mem_grow(&q->ready.at, &q->ready.cap, warps, sizeof *q->ready.at) &&
           mem_grow(&q->core, &q->core_cap, warps, sizeof *q->core) &&
           mem_grow(&q->age, &q->age_cap, warps, sizeof *q->age);
}

void warp_queue_fini(struct warp_queue *q)
{
    mem_free(q->waiting.at);
    mem_free(q->ready.at);
    mem_free(q->age);
    mem_free(q->core);
}

void warp_queue_add(struct warp_queue *q, uint32_t warp, uint64_t time)
{
    push(&q->waiting, (struct warp_rank){time, warp});
}

static uint64_t rank(struct warp_queue *q, uint32_t warp)
{
    uint64_t core = q->pressed ? (uint64_t)q->core[warp] << CORE_SHIFT : 0;
    if (q->rule == SCHED_LRR) return core | q->turn++;
    return core | (warp == q->last[q->core[warp]] ? 0 : q->age[warp]);
}

static struct warp_rank come(struct warp_queue *q)
{
    bool urgent = q->urgent && q->waiting.at[0].key == q->urgent;
    uint32_t warp = pop(&q->waiting);
    return (struct warp_rank){urgent ? 0 : rank(q, warp), warp};
}

uint32_t warp_queue_take(struct warp_queue *q, uint64_t *now)
{
    if (!q->ready.n && q->waiting.at[0].key > *now) *now = q->waiting.at[0].key;
    while (q->waiting.n && q->waiting.at[0].key <= *now)
        push(&q->ready, come(q));
    uint32_t warp = pop(&q->ready);
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
    return q->ready.n || q->waiting.at[0].key <= now ? now : q->waiting.at[0].key;
}
