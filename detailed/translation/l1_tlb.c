/* l1_tlb.c - the time of an SM's TLB: answers of the shared TLB send on what waits for their page,
 * then arriving accesses are looked up in order.
 *
 * A page that waits has an entry with the chain of its accesses; the first of them asks the shared
 * TLB, later ones join. An access to another missing page finds no entry when `l1_misses` pages
 * wait, and holds up all behind it. An access's physical address is known from the start:
 * translation here is time alone. Source: Mao table 9; docs/models/translation.md. */
#include "detailed/translation/l1_tlb.h"

#include "base/memory/alloc.h"
#include "gpu/cache/tlb_tags.h"

enum { NONE = UINT32_MAX };

static void free_all(struct l1_tlb *t)
{
    uint32_t pages = t->p->l1_misses;
    for (uint32_t i = 0; i < pages; i++)
        t->page[i].next = i + 1 < pages ? i + 1 : NONE;
    t->page_free = 0;
    t->pages = 0;
    pool_clear(&t->waiters, &t->waiter);
}

bool l1_tlb_init(struct l1_tlb *t, uint32_t sm, const struct tlb_params *p, struct l2_tlb *shared)
{
    *t = (struct l1_tlb){
        .p = p, .shared = shared, .sm = sm, .waiters = POOL(struct tlb_waiter, next)};
    shared->of_sm[sm] = t;
    t->page = mem_new(p->l1_misses, sizeof *t->page);
    bool ok = t->page && fifo_init(&t->answers, 0) && cache_init(&t->tags, &p->l1, 1, 0, false);
    ok = ok && hash_map_init(&t->entry_of, p->l1_misses);
    if (ok)
        free_all(t);
    else
        l1_tlb_fini(t);
    return ok;
}

void l1_tlb_fini(struct l1_tlb *t)
{
    mem_free(t->page);
    mem_free(t->waiter);
    mem_free(t->arriving);
    fifo_fini(&t->answers);
    hash_map_fini(&t->entry_of);
    cache_fini(&t->tags);
    *t = (struct l1_tlb){0};
}

void l1_tlb_clear(struct l1_tlb *t)
{
    cache_clear(&t->tags);
    t->head = t->tail = t->queued = 0;
    fifo_clear(&t->answers);
    hash_map_clear(&t->entry_of);
    free_all(t);
    t->stalled = false;
    t->s = (struct l1_tlb_stats){0};
}

void l1_tlb_push(struct l1_tlb *t, const struct l1_access *a, uint64_t virtual_addr)
{
    bool full = !t->arriving || t->tail - t->head > t->mask;
    if (full && !mem_grow_ring(&t->arriving, &t->mask, t->head, t->tail, sizeof *t->arriving))
        return;
    t->queued += 1u + a->more;
    t->arriving[t->tail++ & t->mask] =
        (struct tlb_access){.access = *a, .page = virtual_addr >> t->p->page_shift};
}

void l1_tlb_answer(struct l1_tlb *t, uint32_t entry, bool walked, uint64_t at)
{
    fifo_push(&t->answers, at, entry * 2 + walked);
}

/* --- what waits aside --- */

static void wait_for(struct l1_tlb *t, struct tlb_page *page, const struct l1_access *a)
{
    uint32_t i = pool_take(&t->waiters, &t->waiter);
    if (i == NONE) return;
    t->waiter[i] = (struct tlb_waiter){.access = *a, .next = NONE};
    if (page->first == NONE)
        page->first = i;
    else
        t->waiter[page->last].next = i;
    page->last = i;
}

/* The entry of a page that is not in the TLB, a new one if no access has missed it; NONE: there is
 * none. n: sectors that ask for it. */
static uint32_t entry_for(struct l1_tlb *t, uint64_t page, uint32_t n, uint64_t now)
{
    const uint32_t *known = hash_map_get(&t->entry_of, page);
    if (known) {
        t->s.joins += n;
        return *known;
    }
    uint32_t i = t->page_free;
    if (i == NONE) return NONE;
    hash_map_put(&t->entry_of, page, i);
    t->page_free = t->page[i].next;
    t->page[i] = (struct tlb_page){.page = page, .first = NONE, .last = NONE, .next = NONE};
    t->pages++;
    t->s.misses++;
    t->s.joins += n - 1;
    l2_tlb_ask(t->shared, t->sm, i, page, now);
    return i;
}

/* Sends everything that has waited for an entry's page to the L1, and frees the entry. */
static void send_waiters(struct l1_tlb *t, struct l1 *l1, uint32_t entry, bool walked, uint64_t now)
{
    struct tlb_page *page = &t->page[entry];
    tlb_tags_touch(&t->tags, page->page);
    for (uint32_t i = page->first; i != NONE;) {
        struct tlb_waiter *w = &t->waiter[i];
        uint32_t next = w->next;
        uint32_t n = 1u + w->access.more;
        t->s.wait_cycles += n * (now - w->access.ready);
        t->s.free_of_walks += walked ? 0 : n;
        w->access.ready = now;
        l1_push(l1, &w->access);
        pool_give(&t->waiters, &t->waiter, i);
        i = next;
    }
    hash_map_del(&t->entry_of, page->page);
    page->next = t->page_free;
    t->page_free = entry;
    t->pages--;
}

/* --- time --- */

void l1_tlb_account(struct l1_tlb *t, uint64_t now)
{
    if (t->stalled) t->s.stall_cycles += now - t->stalled_since;
    t->stalled_since = now;
}

static void set_stalled(struct l1_tlb *t, bool stalled, uint64_t now)
{
    if (stalled == t->stalled) return;
    l1_tlb_account(t, now);
    t->stalled = stalled;
}

/* Looks up the oldest access; false: it stays. */
static bool look_up(struct l1_tlb *t, struct l1 *l1, const struct tlb_access *a, uint64_t now)
{
    uint32_t n = 1u + a->access.more;
    if (tlb_tags_have(&t->tags, a->page)) {
        tlb_tags_touch(&t->tags, a->page);
        l1_push(l1, &a->access);
        t->s.hits += n;
        t->s.free_of_walks += n;
    } else {
        uint32_t entry = entry_for(t, a->page, n, now);
        if (entry == NONE) return false;
        wait_for(t, &t->page[entry], &a->access);
    }
    t->s.lookups += n;
    return true;
}

static const struct tlb_access *oldest(const struct l1_tlb *t)
{
    return &t->arriving[t->head & t->mask];
}

bool l1_tlb_step(struct l1_tlb *t, struct l1 *l1, uint64_t now)
{
    uint64_t before = l1->tail + l1->arriving.tail;
    while (t->answers.due <= now) {
        uint32_t v = fifo_pop(&t->answers);
        send_waiters(t, l1, v / 2, v & 1, now);
    }
    while (t->head != t->tail && oldest(t)->access.ready <= now) {
        bool goes = look_up(t, l1, oldest(t), now);
        set_stalled(t, !goes, now);
        if (!goes) break;
        t->queued -= 1u + oldest(t)->access.more;
        t->head++;
    }
    return l1->tail + l1->arriving.tail != before;
}

uint64_t l1_tlb_due(const struct l1_tlb *t)
{
    bool looks = t->head != t->tail && !t->stalled;
    uint64_t at = looks ? oldest(t)->access.ready : UINT64_MAX;
    return at < t->answers.due ? at : t->answers.due;
}

bool l1_tlb_idle(const struct l1_tlb *t)
{
    return !t->pages && !t->waiters.used && t->head == t->tail;
}

bool l1_tlb_check(const struct l1_tlb *t)
{
    const struct l1_tlb_stats *s = &t->s;
    return t->pages <= t->p->l1_misses && t->entry_of.n == t->pages &&
           t->waiters.used >= t->pages && t->answers.n <= t->pages &&
           s->lookups == s->hits + s->misses + s->joins && cache_check(&t->tags);
}

void l1_tlb_stuck(const struct l1_tlb *t, struct text *out)
{
    if (l1_tlb_idle(t)) return;
    text_add(out, "SM %u TLB: %u accesses wait for %u pages, %llu before it%s\n", t->sm,
             t->waiters.used, t->pages, (unsigned long long)l1_tlb_queued(t),
             t->stalled ? " (stalled)" : "");
}
