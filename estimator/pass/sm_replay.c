/* sm_replay.c - see sm_replay.h. */
#include "estimator/pass/sm_replay.h"

#include "base/memory/alloc.h"
#include "estimator/constants.h"
#include "estimator/profile/sector_reuse.h"

#include <string.h>

void sm_replay_init(struct sm_replay *r, const struct profile_view *v,
                    const struct followed_lines *followed, uint32_t number)
{
    r->v = v;
    r->followed = followed;
    r->line_shift = (uint32_t)__builtin_ctz(v->l2_line);
    rng_seed(&r->rng, 1, number);
    r->choice = (struct random_choice){.one_in = followed->one_in, .n = (uint64_t)number << 32};
}

void sm_replay_fini(struct sm_replay *r)
{
    for (size_t i = 0; i < r->warp_cap; i++)
        cursor_release(&r->warp[i].cursor);
    mem_free(r->warp);
    mem_free(r->open);
    mem_free(r->out.op);
}

bool sm_replay_launch(struct sm_replay *r, uint32_t launch, const struct launch *l, uint32_t slots,
                      struct cta_share share)
{
    r->launch = launch;
    r->slots = slots;
    r->warps_per_cta = l->warps_per_cta;
    r->share = share;
    r->ended = false;
    r->longest = 0;
    for (uint32_t i = 0; i < REPLAY_CODES; i++)
        r->known[i] = false;
    memset(r->instructions, 0, sizeof r->instructions);
    memset(r->sectors, 0, sizeof r->sectors);
    memset(r->passed, 0, sizeof r->passed);
    size_t warps = (size_t)slots * l->warps_per_cta;
    if (!mem_grow(&r->warp, &r->warp_cap, warps, sizeof *r->warp) ||
        !mem_grow(&r->open, &r->open_cap, slots, sizeof *r->open))
        return false;
    for (uint32_t i = 0; i < slots; i++)
        r->open[i] = 0;
    for (size_t i = 0; i < warps; i++)
        r->warp[i].behind = 0, r->warp[i].last = 0;
    r->out.n = 0;
    return true;
}

/* --- an access --- */

static enum stream_kind kind_of(uint8_t cls)
{
    return cls == OP_LOAD ? STREAM_READ : cls == OP_STORE ? STREAM_WRITE : STREAM_ATOMIC;
}

/* What the L1 lets through of an access that fares as `like` did; NULL: all of it. */
static void pass_like(struct stream_op *op, const struct stream_op *like)
{
    op->l1 = like ? like->l1 : REUSE_FAR;
    op->far_page = !like || like->far_page;
    op->bypass = like && like->bypass;
    op->pass = !like || like->pass == like->mask ? op->mask : like->pass & op->mask;
    op->pass_twice =
        !like || like->pass_twice == like->mask ? op->mask : like->pass_twice & op->mask;
}

static bool leaves(const struct sm_replay *r, const struct stream_op *op, enum stream_view view)
{
    return op->followed || op->chosen || stream_op_shows(op, view, r->v);
}

static void count_passed(struct sm_replay *r, const struct stream_op *op)
{
    r->passed[stream_class_of(op)] += r->choice.one_in * (double)sector_reuse_count(op->pass);
}

/* How an instruction's accesses leave. */
struct leaving {
    const struct warp_inst *w;
    const struct stream_op *like; /* those of the other SM's instruction; NULL: it had none */
    uint32_t n;                   /* of like */
    uint64_t time;
    bool chosen;
};

/* Makes one access leave, if it is one of those that do. like: NULL, or how it fares. */
static bool emit(struct sm_replay *r, const struct line_access *a, const struct leaving *l,
                 const struct stream_op *like, enum stream_view view)
{
    enum stream_kind kind = kind_of(l->w->si->cls);
    uint64_t addr = a->line * r->v->l1_line;
    bool followed = followed_lines_has(r->followed, addr >> r->line_shift);
    if (!followed && !l->chosen && view == STREAM_SAMPLE) return true;
    struct stream_op op = {.addr = addr,
                           .time = l->time,
                           .kind = (unsigned)kind & 3u,
                           .followed = followed,
                           .chosen = l->chosen,
                           .mask = a->mask,
                           .parts = a->parts,
                           .code = (uint16_t)l->w->code};
    pass_like(&op, like);
    if (l->chosen) count_passed(r, &op);
    if (!leaves(r, &op, view)) return true;
    if (!mem_grow(&r->out.op, &r->out.cap, r->out.n + 1, sizeof *r->out.op)) return false;
    r->out.op[r->out.n++] = op;
    return true;
}

/* An instruction's accesses. */
static bool emit_all(struct sm_replay *r, const struct replay_source *from, struct leaving l,
                     struct error *e)
{
    struct line_accesses *a = from->scratch;
    enum stream_kind kind = kind_of(l.w->si->cls);
    l.chosen = random_choice_takes(&r->choice);
    r->instructions[kind]++;
    line_accesses_find(a, r->v, l.w);
    for (uint32_t i = 0; i < a->n; i++) {
        r->sectors[kind] += sector_reuse_count(a->at[i].mask);
        const struct stream_op *like = l.n ? &l.like[(size_t)i * l.n / a->n] : NULL;
        if (!emit(r, &a->at[i], &l, like, from->view)) return error_no_memory(e);
    }
    return true;
}

/* --- CTAs --- */

static struct replay_warp *warp_of(struct sm_replay *r, uint32_t slot, uint32_t warp)
{
    return &r->warp[(size_t)slot * r->warps_per_cta + warp];
}

/* When the warp does what the other SM's does at `time`: not before its own last access, and not
 * before the present window. */
static uint64_t own_time(const struct sm_replay *r, struct replay_warp *w, uint64_t time)
{
    int64_t at = (int64_t)time + PASS_LAG + w->behind;
    if (at < (int64_t)r->from) at = (int64_t)r->from;
    if (at > (int64_t)w->last) w->last = (uint64_t)at;
    return w->last;
}

/* The warp draws its own latency where the other's was chance. */
static void drift(struct sm_replay *r, struct replay_warp *w, const struct schedule_event *v)
{
    if (v->range) w->behind += (int64_t)rng_below(&r->rng, v->range) - v->chance;
    if (w->behind < -PASS_LAG) w->behind = -2 * PASS_LAG - w->behind;
}

static bool drain_warp(struct sm_replay *r, const struct replay_source *from,
                       struct replay_warp *own, uint64_t time, struct error *e)
{
    struct warp_inst w;
    enum got got;
    while ((got = cursor_next_access(&own->cursor, &w, e)) == GOT_INST) {
        uint32_t k = w.code % REPLAY_CODES;
        uint64_t at = own_time(r, own, time);
        const struct leaving l = {.w = &w, .like = &r->usual[k], .n = r->known[k], .time = at};
        if (!emit_all(r, from, l, e)) return false;
        time += PASS_STEP;
    }
    if (own->cursor.done > r->longest) r->longest = own->cursor.done;
    cursor_release(&own->cursor);
    return got == GOT_END;
}

/* What is left of the CTA in a slot comes now. */
static bool drain_slot(struct sm_replay *r, const struct replay_source *from, uint32_t slot,
                       uint64_t time, struct error *e)
{
    if (!r->open[slot]) return true;
    for (uint32_t i = 0; i < r->warps_per_cta; i++)
        if (!drain_warp(r, from, warp_of(r, slot, i), time, e)) return false;
    r->open[slot] = 0;
    return true;
}

/* The SM's CTA of that number, counted on the SM, takes the slot, if the SM has so many. */
static bool open_cta(struct sm_replay *r, const struct replay_source *from, uint32_t slot,
                     uint32_t number, uint64_t time, struct error *e)
{
    uint64_t cta = cta_share_at(&r->share, number);
    if (!drain_slot(r, from, slot, time, e)) return false;
    if (cta == CTA_SHARE_OVER) return true;
    r->open[slot] = cta + 1;
    for (uint32_t i = 0; i < r->warps_per_cta; i++)
        if (!cursor_seek(&warp_of(r, slot, i)->cursor, from->reader, r->launch, cta, i, 0, e))
            return false;
    return true;
}

/* --- following --- */

static void remember(struct sm_replay *r, const struct schedule_event *v,
                     const struct stream_op *ops)
{
    if (!v->ops) return;
    r->usual[v->code % REPLAY_CODES] = ops[v->ops - 1];
    r->known[v->code % REPLAY_CODES] = true;
}

static bool follow(struct sm_replay *r, const struct replay_source *from,
                   const struct schedule_event *v, struct error *e)
{
    if (v->begins) return open_cta(r, from, v->slot, v->cta, v->time, e);
    if (!r->open[v->slot]) return true;
    const struct stream_op *ops = &from->stream->op[v->op];
    struct replay_warp *own = warp_of(r, v->slot, v->warp);
    struct warp_inst w;
    remember(r, v, ops);
    enum got got = cursor_next_access(&own->cursor, &w, e);
    if (got != GOT_INST) return got == GOT_END;
    uint64_t time = own_time(r, own, v->time);
    drift(r, own, v);
    uint32_t k = w.code % REPLAY_CODES;
    struct leaving l = {.w = &w, .like = ops, .n = v->ops, .time = time};
    if ((uint16_t)w.code != v->code) l.like = &r->usual[k], l.n = r->known[k];
    return emit_all(r, from, l, e);
}

/* Accesses of later windows than the last stay. */
static void begin_window(struct sm_replay *r, uint64_t from)
{
    r->out.n = stream_keep_from(&r->out, from);
    r->from = from;
}

bool sm_replay_run(struct sm_replay *r, const struct replay_source *from, struct error *e)
{
    begin_window(r, from->from);
    for (size_t i = 0; i < from->log->n; i++)
        if (!follow(r, from, from->log->sorted[i], e)) return false;
    return true;
}

bool sm_replay_end(struct sm_replay *r, const struct replay_source *from, uint32_t begun,
                   uint64_t time, struct error *e)
{
    if (r->ended) return true;
    r->ended = true;
    for (uint32_t i = 0; i < r->slots; i++)
        if (!drain_slot(r, from, i, time, e)) return false;
    for (; cta_share_at(&r->share, begun) != CTA_SHARE_OVER; begun++)
        if (!open_cta(r, from, 0, begun, time, e)) return false;
    return drain_slot(r, from, 0, time, e);
}
