/* l2_victim_cache.c - the victim cache of a slice: fully associative, LRU (Candel 6.4.3, 6.6).
 *
 * An evicted block goes into it. Its LRU block makes room, if necessary, by the usual path to
 * memory; moving in then takes vc.swap_cycles. Room is reserved from the beginning. [A] If all its
 * blocks are being exchanged, the evicted block itself goes to memory. A request that finds its
 * block here is served when block and victim of its set have been exchanged. */
#include "detailed/l2/back_invalidate.h"
#include "detailed/l2/l2_miss_internal.h"

static uint32_t find_block(const struct l2_slice *s, uint64_t tag)
{
    return s->p->vc.entries ? cache_find(&s->victim_cache, tag) : LINE_NONE;
}

/* A host-to-device copy may have filled the L2 with a block that is here. */
static void drop_stale(struct l2_slice *s, uint64_t tag)
{
    uint32_t stale = find_block(s, tag);
    if (stale != LINE_NONE) cache_drop(&s->victim_cache, stale);
}

static void move_in(struct l2_slice *s, struct l2_handle h, uint64_t now)
{
    struct cache_block b = l2_eviction_block(s, h);
    uint32_t at = cache_victim(&s->victim_cache, b.tag, false);
    s->victim_cache_reserved--;
    cache_block_put(&s->victim_cache, at, &b);
    l2_eviction_end(s, h, now);
}

/* Starts the move into the victim cache, which has room. */
static void start_move(struct l2_slice *s, struct l2_handle h, uint64_t now)
{
    l2_eviction_set_stage(s, h, STAGE_MOVE);
    l2_side_wait(s, L2_OF_victim_cache, s->p->vc.swap_cycles, l2_handle_pack(h), now);
}

/* The LRU block of the victim cache among those that are not being exchanged. */
static uint32_t oldest_kept(const struct l2_slice *s)
{
    const struct repl *r = &s->victim_cache.repl;
    for (uint32_t w = r->ops->first(r, 0); w != WAY_NONE; w = r->ops->next(r, 0, w))
        if (s->victim_cache.line[w].resident && !s->victim_cache.line[w].transient) return w;
    return LINE_NONE;
}

/* Reserves room in the victim cache; false: there is none. */
static bool make_room(struct l2_slice *s, struct l2_handle h, uint64_t now)
{
    if (s->victim_cache.index.n + s->victim_cache_reserved < s->victim_cache.n_lines) {
        s->victim_cache_reserved++;
        start_move(s, h, now);
        return true;
    }
    uint32_t line = oldest_kept(s);
    if (line == LINE_NONE) return false;
    const struct cache_line *l = &s->victim_cache.line[line];
    uint64_t tag = l->tag;
    uint8_t dirty = l->dirty;
    cache_drop(&s->victim_cache, line);
    s->victim_cache_reserved++;
    l2_eviction_set_stage(s, h, STAGE_ROOM);
    if (!l2_eviction_sends(s, tag, dirty, h)) start_move(s, h, now);
    return true;
}

static void end_exchange(struct l2_slice *s, uint32_t entry, uint64_t now)
{
    struct mshr_entry *e = &s->c.mshr.entry[entry];
    uint32_t line = e->line, vc_line = cache_find(&s->victim_cache, e->key);
    struct cache_block in = cache_block_copy(&s->victim_cache, vc_line);
    cache_drop(&s->victim_cache, vc_line);
    if (s->c.line[line].resident) {
        struct cache_block victim = cache_block_copy(&s->c, line);
        drop_stale(s, victim.tag);
        cache_block_put(&s->victim_cache, cache_victim(&s->victim_cache, victim.tag, false),
                        &victim);
    }
    l2_set_transient(s, line, false);
    cache_block_put(&s->c, line, &in);
    if (in.partial)
        l2_look_again(s, entry); /* sectors that the block lacks must be fetched first */
    else
        l2_serve_waiters(s, entry, line);
    mshr_release(&s->c.mshr, entry);
    l2_wake_line(s, line, now);
}

static void start_exchange(struct l2_slice *s, uint32_t entry, uint64_t now)
{
    struct l2_handle h = l2_handle_mshr(entry);
    l2_eviction_set_stage(s, h, STAGE_EXCHANGE);
    l2_side_wait(s, L2_OF_victim_cache, s->p->vc.swap_cycles, l2_handle_pack(h), now);
}

/* Exchanges a block, which has an MSHR entry, with the content of the entry's line, now in
 * transition. */
static void begin_exchange(struct l2_slice *s, uint32_t entry, uint32_t vc_line, uint64_t now)
{
    const struct cache_line *victim = &s->c.line[s->c.mshr.entry[entry].line];
    struct l2_handle h = l2_handle_mshr(entry);
    l2_eviction_set_stage(s, h, STAGE_INVALIDATE);
    s->victim_cache.line[vc_line].transient = true;
    if (!victim->resident || !back_invalidate_begin(s, victim->tag, l2_handle_pack(h)))
        start_exchange(s, entry, now);
}

static bool holds_block(const struct l2_slice *s, uint64_t tag)
{
    return find_block(s, tag) != LINE_NONE;
}

static bool serve_request(struct l2_slice *s, uint32_t req, const struct access *a, uint64_t now)
{
    uint64_t tag = cache_tag(&s->c, a->addr);
    uint32_t vc_line = find_block(s, tag);
    if (vc_line == LINE_NONE) return false;
    uint32_t line = l2_find_victim(s, tag);
    if (!mshr_has_room(&s->c.mshr)) {
        l2_nack(s, req);
    } else if (s->c.line[line].transient || s->c.line[line].pending) {
        l2_put_off(s, req, line);
    } else {
        struct access_plan hit = {.verdict = CACHE_HIT};
        uint32_t entry = l2_open_entry(s, req, a, now);
        if (entry == MSHR_NONE) return true;
        l2_count(s, &s->w->reqs->item[req], &hit);
        s->s.vc_hits++;
        l2_claim_line(s, entry, line);
        begin_exchange(s, entry, vc_line, now);
    }
    return true;
}

/* Whether the handle's line is needed for a block of the victim cache. */
static bool is_exchanged(const struct l2_slice *s, struct l2_handle h)
{
    if (h.holder != L2_OF_MSHR) return false;
    uint32_t vc_line = find_block(s, s->c.mshr.entry[h.i].key);
    return vc_line != LINE_NONE && s->victim_cache.line[vc_line].transient;
}

static bool take_victim(struct l2_slice *s, struct l2_handle h, uint64_t now)
{
    if (is_exchanged(s, h)) {
        start_exchange(s, h.i, now);
        return true;
    }
    drop_stale(s, l2_eviction_block(s, h).tag);
    return make_room(s, h, now);
}

static void step_victim(struct l2_slice *s, struct l2_handle h, enum stage stage, uint64_t now)
{
    if (stage == STAGE_ROOM)
        start_move(s, h, now);
    else if (stage == STAGE_MOVE)
        move_in(s, h, now);
    else
        end_exchange(s, h.i, now);
}

static void end_wait(struct l2_slice *s, uint32_t handle, uint64_t now)
{
    l2_eviction_step(s, l2_handle_unpack(handle), now);
}

static uint64_t host_bytes(const struct l2_params *p)
{
    return (uint64_t)p->vc.entries * (sizeof(struct cache_line) + 64);
}

static uint32_t lookup_cycles(const struct l2_params *p)
{
    return p->vc.lookup_cycles;
}

static bool init_lines(struct l2_slice *s)
{
    struct cache_params p = s->p->cache;
    p.sets = 1;
    p.ways = s->p->vc.entries;
    p.repl = REPL_LRU;
    p.index = INDEX_MODULO;
    p.mshr = (struct mshr_params){.entries = 1};
    return cache_init(&s->victim_cache, &p, 1, 0, SHADOW_ON) && cache_keep_notes(&s->victim_cache);
}

static void free_lines(struct l2_slice *s)
{
    cache_fini(&s->victim_cache);
}

static void clear_lines(struct l2_slice *s)
{
    cache_clear(&s->victim_cache);
    s->victim_cache_reserved = 0;
}

static bool is_idle(const struct l2_slice *s)
{
    return !s->victim_cache_reserved;
}

static bool check_lines(const struct l2_slice *s)
{
    return cache_check(&s->victim_cache) &&
           s->victim_cache.index.n + s->victim_cache_reserved <= s->p->vc.entries;
}

static void tell_stuck(const struct l2_slice *s, struct text *out)
{
    text_add(out, ", %u lines of the victim cache reserved", s->victim_cache_reserved);
}

const struct l2_side_ops l2_side_victim_cache = {.id = L2_OF_victim_cache,
                                                 .bytes = host_bytes,
                                                 .lookup_cycles = lookup_cycles,
                                                 .init = init_lines,
                                                 .fini = free_lines,
                                                 .clear = clear_lines,
                                                 .holds = holds_block,
                                                 .serve = serve_request,
                                                 .take_victim = take_victim,
                                                 .step_victim = step_victim,
                                                 .due = end_wait,
                                                 .is_idle = is_idle,
                                                 .check = check_lines,
                                                 .stuck = tell_stuck};
