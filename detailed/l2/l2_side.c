/* l2_side.c - see l2_side.h. */
#include "detailed/l2/l2_side.h"

#include "gpu/mechanisms/mechanisms.h"

#define ROW(name, ...) [L2_OF_##name] = &l2_side_##name,
const struct l2_side_ops *const l2_side_table[L2_HOLDERS] = {L2_MECHANISMS(ROW, )};

#define ID(name, ...) [L2_OF_##name] = MECHANISM_l2_##name,
static const enum mechanism_id mechanism_id[L2_HOLDERS] = {L2_MECHANISMS(ID, )};

/* Returns whether a structure of the slice answers. */
#define ASK(s, operation, ...)                                  \
    L2_EACH_SIDE(s, o)                                          \
    if (o->operation && o->operation(__VA_ARGS__)) return true; \
    return false

static void tell_replaced(void *slice, uint64_t tag)
{
    struct l2_slice *s = slice;
    L2_EACH_SIDE(s, o)
    if (o->replaced) o->replaced(s, tag);
}

bool l2_side_init(struct l2_slice *s)
{
    for (uint32_t id = L2_HOLDERS - 1; id > L2_OF_MSHR; id--) {
        const struct l2_side_ops *o = l2_side_table[id];
        if (!s->w->mechanisms.has[mechanism_id[id]]) continue;
        s->side[s->sides++] = o;
        uint32_t cycles = o->lookup_cycles ? o->lookup_cycles(s->p) : 0;
        if (cycles > s->side_lookup_cycles) s->side_lookup_cycles = cycles;
        if (o->replaced) {
            s->c.left = tell_replaced;
            s->c.left_ctx = s;
        }
        if (!fifo_init(&s->timed[id], 0) || (o->init && !o->init(s))) return false;
    }
    return true;
}

void l2_side_fini(struct l2_slice *s)
{
    L2_EACH_SIDE(s, o)
    {
        fifo_fini(&s->timed[o->id]);
        if (o->fini) o->fini(s);
    }
}

void l2_side_clear(struct l2_slice *s)
{
    L2_EACH_SIDE(s, o)
    {
        fifo_clear(&s->timed[o->id]);
        if (o->clear) o->clear(s);
    }
}

uint64_t l2_side_bytes(const struct l2_params *p, const struct mechanism_set *on)
{
    uint64_t sum = 0;
    for (uint32_t id = L2_OF_MSHR + 1; id < L2_HOLDERS; id++) {
        const struct l2_side_ops *o = l2_side_table[id];
        if (o->bytes && on->has[mechanism_id[id]]) sum += o->bytes(p);
    }
    return sum;
}

uint32_t l2_side_leaving(const struct l2_slice *s, uint64_t tag)
{
    uint32_t place = LINE_NONE;
    L2_EACH_SIDE(s, o)
    if (place == LINE_NONE && o->leaving) place = o->leaving(s, tag);
    return place;
}

bool l2_side_holds(const struct l2_slice *s, uint64_t tag)
{
    ASK(s, holds, s, tag);
}

void l2_side_missed(struct l2_slice *s, uint32_t req, uint64_t now)
{
    const struct req r = s->w->reqs->item[req]; /* questions to L1s may move the pool */
    L2_EACH_SIDE(s, o)
    if (o->missed && r.kind == REQ_READ) o->missed(s, r.addr, now);
}

bool l2_side_serves(struct l2_slice *s, uint32_t req, const struct access *a, uint64_t now)
{
    ASK(s, serve, s, req, a, now);
}

bool l2_side_takes_miss(struct l2_slice *s, uint32_t req, const struct access *a, uint32_t line,
                        uint64_t now)
{
    ASK(s, take_miss, s, req, a, line, now);
}

bool l2_side_takes_victim(struct l2_slice *s, struct l2_handle h, uint64_t now)
{
    ASK(s, take_victim, s, h, now);
}

bool l2_side_takes_writeback(struct l2_slice *s, uint64_t tag, uint8_t dirty)
{
    ASK(s, take_writeback, s, tag, dirty);
}

bool l2_side_takes_bytes(struct l2_slice *s, uint64_t tag, const struct access *a, uint32_t version,
                         bool leaves)
{
    ASK(s, take_bytes, s, tag, a, version, leaves);
}

bool l2_side_exchanges(const struct l2_slice *s, uint64_t tag)
{
    ASK(s, exchanges, s, tag);
}

void l2_side_line_ready(struct l2_slice *s, uint64_t now)
{
    L2_EACH_SIDE(s, o)
    if (o->line_ready) o->line_ready(s, now);
}

bool l2_side_takes_return(struct l2_slice *s, struct l2_handle h, uint64_t now)
{
    ASK(s, returned, s, h, now);
}

bool l2_side_has_fetched(const struct l2_slice *s, uint64_t tag)
{
    ASK(s, has_fetched, s, tag);
}

void l2_side_fetched(struct l2_slice *s, uint32_t entry, uint32_t version, uint64_t now)
{
    L2_EACH_SIDE(s, o)
    if (o->fetched && o->fetched(s, entry, version, now)) return;
}

void l2_side_wait(struct l2_slice *s, enum l2_holder id, uint32_t cycles, uint32_t value,
                  uint64_t now)
{
    if (!cycles) {
        l2_side_table[id]->due(s, value, now);
        return;
    }
    fifo_push(&s->timed[id], now + cycles, value);
    if (now + cycles < s->timed_due) s->timed_due = now + cycles;
}

void l2_side_step(struct l2_slice *s, uint64_t now)
{
    s->timed_due = UINT64_MAX;
    L2_EACH_SIDE(s, o)
    while (s->timed[o->id].due <= now)
        o->due(s, fifo_pop(&s->timed[o->id]), now);
    L2_EACH_SIDE(s, o)
    if (s->timed[o->id].due < s->timed_due) s->timed_due = s->timed[o->id].due;
}

bool l2_side_is_idle(const struct l2_slice *s)
{
    L2_EACH_SIDE(s, o)
    if (o->is_idle && !o->is_idle(s)) return false;
    return true;
}

bool l2_side_check(const struct l2_slice *s)
{
    L2_EACH_SIDE(s, o)
    if (o->check && !o->check(s)) return false;
    return true;
}
