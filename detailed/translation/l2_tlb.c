/* l2_tlb.c - the time of the shared TLB: questions of SMs, page walks, and the reads of page-table
 * entries.
 *
 * A question is looked up, answered, joined to the walk of its page, or makes a new walk, which
 * waits for one of the `walkers`. A walk looks up one level after the other in the walk cache; a
 * miss reads the entry's sector through the L2, and walks that need the same sector wait for it
 * together. A read that finds no room at its SM's port is tried again each cycle, in order. Source:
 * Mao table 9; docs/models/translation.md. */
#include "detailed/translation/l2_tlb.h"

#include "base/memory/alloc.h"
#include "detailed/parts/component.h"
#include "detailed/translation/l1_tlb.h"
#include "gpu/cache/tlb_tags.h"
#include "gpu/geometry/page_walk.h"

enum { NONE = UINT32_MAX };

/* --- building --- */

bool l2_tlb_init(struct l2_tlb *t, const struct tlb_params *p, uint32_t sms, const struct wiring *w)
{
    *t = (struct l2_tlb){.p = p,
                         .w = w,
                         .sms = sms,
                         .questions = POOL(struct tlb_question, next),
                         .walks = POOL(struct tlb_walk, next)};
    t->of_sm = mem_new(sms, sizeof *t->of_sm);
    bool ok = t->of_sm && fifo_init(&t->arriving, 0) && fifo_init(&t->queue, 0) &&
              fifo_init(&t->looking, 0) && fifo_init(&t->blocked, 0) && fifo_init(&t->replies, 0);
    ok = ok && cache_init(&t->tags, &p->l2, 1, 0, false) &&
         cache_init(&t->walk_cache, &p->walk_cache, 1, 0, false) &&
         hash_map_init(&t->walk_of, sms * p->l1_misses);
    if (!ok) l2_tlb_fini(t);
    return ok;
}

void l2_tlb_fini(struct l2_tlb *t)
{
    mem_free(t->of_sm);
    mem_free(t->question);
    mem_free(t->walk);
    fifo_fini(&t->arriving);
    fifo_fini(&t->queue);
    fifo_fini(&t->looking);
    fifo_fini(&t->blocked);
    fifo_fini(&t->replies);
    cache_fini(&t->tags);
    cache_fini(&t->walk_cache);
    hash_map_fini(&t->walk_of);
    *t = (struct l2_tlb){0};
}

void l2_tlb_clear(struct l2_tlb *t)
{
    cache_clear(&t->tags);
    cache_clear(&t->walk_cache);
    fifo_clear(&t->arriving);
    fifo_clear(&t->queue);
    fifo_clear(&t->looking);
    fifo_clear(&t->blocked);
    fifo_clear(&t->replies);
    hash_map_clear(&t->walk_of);
    pool_clear(&t->questions, &t->question);
    pool_clear(&t->walks, &t->walk);
    t->busy = 0;
    t->s = (struct l2_tlb_stats){0};
}

/* --- questions --- */

/* Half of the latency, at least a cycle, so that a question never arrives in the cycle in which it
 * was asked. */
static uint32_t way_there(const struct l2_tlb *t)
{
    return t->p->l2_latency - t->p->l2_latency / 2;
}

void l2_tlb_ask(struct l2_tlb *t, uint32_t sm, uint32_t entry, uint64_t page, uint64_t now)
{
    uint64_t at = now + way_there(t);
    uint32_t i = pool_take(&t->questions, &t->question);
    if (i == POOL_NONE) return;
    t->question[i] = (struct tlb_question){.page = page, .sm = sm, .entry = entry, .next = NONE};
    fifo_push(&t->arriving, at, i);
    t->w->wake[KIND_l2_tlb](t->w->sim, 0, at);
}

static void answer_question(struct l2_tlb *t, uint32_t i, bool walked, uint64_t now)
{
    struct tlb_question *q = &t->question[i];
    uint64_t at = now + t->p->l2_latency / 2;
    l1_tlb_answer(t->of_sm[q->sm], q->entry, walked, at);
    t->w->wake[KIND_sm](t->w->sim, q->sm, at);
    pool_give(&t->questions, &t->question, i);
}

/* --- walks --- */

static uint64_t entry_addr(const struct l2_tlb *t, const struct tlb_walk *w)
{
    return page_walk_entry(w->page, w->level, t->p->levels);
}

static void begin_level(struct l2_tlb *t, uint32_t walk, uint64_t now)
{
    t->s.steps++;
    fifo_push(&t->looking, now + t->p->walk_cache_latency, walk);
}

static void give_walkers(struct l2_tlb *t, uint64_t now)
{
    while (t->queue.n && t->busy < t->p->walkers) {
        uint32_t i = fifo_pop(&t->queue);
        t->busy++;
        t->s.walker_wait += now - t->walk[i].since;
        t->walk[i].since = now;
        begin_level(t, i, now);
    }
}

static void end_walk(struct l2_tlb *t, uint32_t i, uint64_t now)
{
    struct tlb_walk *w = &t->walk[i];
    t->s.walks++;
    t->s.walk_cycles += now - w->since;
    tlb_tags_touch(&t->tags, w->page);
    for (uint32_t q = w->first; q != NONE;) {
        uint32_t next = t->question[q].next;
        answer_question(t, q, true, now);
        q = next;
    }
    hash_map_del(&t->walk_of, w->page);
    pool_give(&t->walks, &t->walk, i);
    t->busy--;
}

/* The entry of the walk's level is there. */
static void end_level(struct l2_tlb *t, uint32_t walk, uint64_t now)
{
    if (++t->walk[walk].level == t->p->levels)
        end_walk(t, walk, now);
    else
        begin_level(t, walk, now);
}

static void send_read(struct l2_tlb *t, const struct tlb_walk *w, uint32_t entry, uint64_t now)
{
    uint32_t i = req_new(t->w->reqs), bytes = t->p->walk_cache.sector_bytes;
    if (i == REQ_NONE) return;
    struct req *r = &t->w->reqs->item[i];
    r->addr = entry_addr(t, w) & ~(uint64_t)(bytes - 1);
    r->entry = entry | REQ_OF_WALK;
    r->sm = w->sm & 1023;
    r->bytes = (uint8_t)bytes;
    r->kind = REQ_READ;
    r->scalar = true;
    r->bypass_l1 = true;
    t->s.reads++;
    t->w->port_send(t->w->sim, w->sm, i, now);
}

/* The look-up of a walk's level has ended. */
static void decide_level(struct l2_tlb *t, uint32_t walk, uint64_t now)
{
    const struct tlb_walk *w = &t->walk[walk];
    const struct access look = {.addr = entry_addr(t, w), .kind = ACCESS_READ};
    struct access_plan p = cache_plan(&t->walk_cache, &look);
    struct victim v;
    bool misses = p.verdict == CACHE_MISS;
    if (misses && !t->w->port_has_room(t->w->sim, w->sm)) {
        fifo_push(&t->blocked, now, walk);
        return;
    }
    uint32_t entry = cache_apply(&t->walk_cache, &p, &look, &v);
    if (p.verdict == CACHE_HIT) {
        end_level(t, walk, now);
        return;
    }
    if (!misses) entry = p.entry;
    if (entry == MSHR_NONE || !mshr_wait(&t->walk_cache.mshr, entry, walk)) return;
    if (misses) send_read(t, w, entry, now);
}

static void fill_entries(struct l2_tlb *t, uint32_t req, uint64_t now)
{
    uint32_t entry = t->w->reqs->item[req].entry & ~REQ_OF_WALK, walk;
    struct victim v;
    req_free(t->w->reqs, req);
    cache_fill(&t->walk_cache, entry, &v);
    while (mshr_next_waiter(&t->walk_cache.mshr, entry, &walk))
        end_level(t, walk, now);
    mshr_release(&t->walk_cache.mshr, entry);
}

void l2_tlb_reply(struct l2_tlb *t, uint32_t req, uint64_t now)
{
    fifo_push(&t->replies, now, req);
    t->w->wake[KIND_l2_tlb](t->w->sim, 0, now);
}

/* --- look-ups --- */

static void join_walk(struct l2_tlb *t, uint32_t question, uint32_t walk)
{
    struct tlb_question *q = &t->question[question];
    q->next = t->walk[walk].first;
    t->walk[walk].first = question;
}

static void ask_for_walk(struct l2_tlb *t, uint32_t question, uint64_t now)
{
    const struct tlb_question *q = &t->question[question];
    uint32_t i = pool_take(&t->walks, &t->walk);
    if (i == POOL_NONE) return;
    t->walk[i] = (struct tlb_walk){
        .page = q->page, .since = now, .first = question, .sm = q->sm, .next = NONE};
    hash_map_put(&t->walk_of, q->page, i);
    t->s.asked++;
    fifo_push(&t->queue, now, i);
}

static void look_up(struct l2_tlb *t, uint32_t question, uint64_t now)
{
    uint64_t page = t->question[question].page;
    const uint32_t *walk;
    t->s.lookups++;
    if (tlb_tags_have(&t->tags, page)) {
        tlb_tags_touch(&t->tags, page);
        t->s.hits++;
        answer_question(t, question, false, now);
    } else if ((walk = hash_map_get(&t->walk_of, page)) != NULL) {
        t->s.joins++;
        join_walk(t, question, *walk);
    } else {
        ask_for_walk(t, question, now);
    }
}

/* Walks that found no room try again, in order. */
static void try_again(struct l2_tlb *t, uint64_t now)
{
    for (uint32_t n = t->blocked.n; n > 0; n--)
        decide_level(t, fifo_pop(&t->blocked), now);
}

uint64_t l2_tlb_step(struct l2_tlb *t, uint64_t now)
{
    while (t->replies.due <= now)
        fill_entries(t, fifo_pop(&t->replies), now);
    if (t->blocked.n) try_again(t, now);
    while (t->looking.due <= now)
        decide_level(t, fifo_pop(&t->looking), now);
    for (uint32_t k = 0; k < t->p->l2_ports && t->arriving.due <= now; k++)
        look_up(t, fifo_pop(&t->arriving), now);
    give_walkers(t, now);
    uint64_t next = t->replies.due < t->looking.due ? t->replies.due : t->looking.due;
    if (t->arriving.due < next) next = t->arriving.due;
    if (t->blocked.n) next = now + 1;
    return next > now ? next : now + 1;
}

/* --- what must hold --- */

uint64_t l2_tlb_progress(const struct l2_tlb *t)
{
    return t->s.lookups + t->s.steps;
}

bool l2_tlb_idle(const struct l2_tlb *t)
{
    return !t->questions.used && !t->walk_of.n && !t->busy && !t->walk_cache.mshr.used;
}

bool l2_tlb_check(const struct l2_tlb *t)
{
    const struct l2_tlb_stats *s = &t->s;
    return t->busy <= t->p->walkers && t->walk_of.n == t->busy + t->queue.n &&
           t->questions.used >= t->walk_of.n + t->arriving.n &&
           s->asked == s->walks + t->walk_of.n && s->lookups == s->hits + s->joins + s->asked &&
           t->walk_cache.mshr.used <= t->busy && cache_check(&t->tags) &&
           cache_check(&t->walk_cache);
}

void l2_tlb_stuck(const struct l2_tlb *t, struct text *out)
{
    if (l2_tlb_idle(t)) return;
    text_add(out, "L2 TLB: %u questions, %u of %u walkers at work, %u walks wait for one\n",
             t->questions.used, t->busy, t->p->walkers, t->queue.n);
}
