/* warp_interleave.c - see warp_interleave.h. */
#include "estimator/characterize/warp_interleave.h"

#include "base/memory/alloc.h"

#include <string.h>

struct turn_warp {
    struct cursor cursor;
    bool ended, waits; /* at a barrier */
};
struct turn_cta {
    uint64_t number;
    uint32_t live, waiting; /* warps that have not ended; those of them that wait at the barrier */
};

bool turns_init(struct turns *t, const struct program *p, uint32_t warps, struct error *e)
{
    *t = (struct turns){.program = p, .warps = warps, .reader = reader_new(p, e)};
    return t->reader != NULL;
}

static void release_turns(struct turns *t)
{
    for (size_t i = 0; i < t->warp_cap; i++)
        if (t->warp[i].cursor.reader) cursor_release(&t->warp[i].cursor);
}

void turns_fini(struct turns *t)
{
    release_turns(t);
    reader_free(t->reader);
    mem_free(t->warp);
    mem_free(t->cta);
    mem_free(t->slot);
    *t = (struct turns){0};
}

static uint32_t slots_of(const struct turns *t, const struct launch *l)
{
    uint32_t fit = l->warps_per_cta ? t->warps / l->warps_per_cta : 1;
    if (fit == 0) fit = 1;
    return l->ctas < fit ? (uint32_t)l->ctas : fit;
}

uint32_t turns_places(const struct turns *t, const struct launch *l)
{
    return slots_of(t, l) * l->warps_per_cta;
}

static bool start_cta(struct turns *t, uint32_t slot, const struct turns_visitor *v,
                      struct error *e)
{
    uint32_t n = t->l->warps_per_cta;
    t->cta[slot] = (struct turn_cta){.number = t->next_cta++, .live = n};
    for (uint32_t i = 0; i < n; i++) {
        struct turn_place p = {t->launch, i, t->cta[slot].number, slot * n + i};
        struct turn_warp *w = &t->warp[p.at];
        w->ended = w->waits = false;
        if (!cursor_seek(&w->cursor, t->reader, t->launch, p.cta, i, 0, e) || !v->start(v->ctx, &p))
            return false;
    }
    return true;
}

enum turn_end { YIELDED, WAITS, ENDED, FAILED };

static enum turn_end run_turn(struct turn_warp *w, const struct turn_place *p,
                              const struct turns_visitor *v, struct error *e)
{
    for (;;) {
        struct warp_inst in;
        enum got got = cursor_next(&w->cursor, &in, e);
        if (got == GOT_ERROR) return FAILED;
        if (got == GOT_END) return ENDED;
        if (!v->inst(v->ctx, p, &in)) return FAILED;
        if (inst_op_is_global(in.si->cls)) return YIELDED;
        if (in.si->cls == OP_BARRIER) return WAITS;
    }
}

static void open_barrier(struct turns *t, uint32_t slot)
{
    struct turn_cta *c = &t->cta[slot];
    if (c->waiting < c->live) return;
    for (uint32_t i = 0; i < t->l->warps_per_cta; i++)
        t->warp[slot * t->l->warps_per_cta + i].waits = false;
    c->waiting = 0;
}

static bool take_turn(struct turns *t, uint32_t slot, uint32_t warp, const struct turns_visitor *v,
                      struct error *e)
{
    struct turn_cta *c = &t->cta[slot];
    struct turn_place p = {t->launch, warp, c->number, slot * t->l->warps_per_cta + warp};
    struct turn_warp *w = &t->warp[p.at];
    if (w->ended || w->waits) return true;
    switch (run_turn(w, &p, v, e)) {
    case YIELDED: return true;
    case FAILED: return false;
    case WAITS:
        w->waits = true;
        c->waiting++;
        break;
    case ENDED:
        w->ended = true;
        c->live--;
        cursor_release(&w->cursor);
        v->end(v->ctx, &p);
        break;
    }
    open_barrier(t, slot);
    return true;
}

/* Runs one turn of every warp; CTAs that have ended make room for others. */
static bool round_of_turns(struct turns *t, const struct turns_visitor *v,
                           struct progress *progress, struct error *e)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < t->live; i++) {
        uint32_t slot = t->slot[i];
        for (uint32_t w = 0; w < t->l->warps_per_cta; w++)
            if (!take_turn(t, slot, w, v, e)) return false;
        bool ended = t->cta[slot].live == 0;
        if (ended && progress) progress_add(progress, 1);
        if (ended && t->next_cta == t->l->ctas) continue;
        if (ended && !start_cta(t, slot, v, e)) return false;
        t->slot[kept++] = slot;
    }
    t->live = kept;
    return true;
}

bool turns_launch(struct turns *t, uint32_t launch, const struct turns_visitor *v,
                  struct progress *progress, struct error *e)
{
    t->launch = launch;
    t->l = program_launch(t->program, launch);
    t->next_cta = 0;
    t->live = slots_of(t, t->l);
    release_turns(t); /* growing the array moves the cursors */
    if (!mem_grow(&t->warp, &t->warp_cap, turns_places(t, t->l), sizeof *t->warp) ||
        !mem_grow(&t->cta, &t->cta_cap, t->live, sizeof *t->cta) ||
        !mem_grow(&t->slot, &t->slot_cap, t->live, sizeof *t->slot))
        return error_no_memory(e);
    for (uint32_t i = 0; i < t->live; i++) {
        t->slot[i] = i;
        if (!start_cta(t, i, v, e)) return false;
    }
    while (t->live) {
        if (!round_of_turns(t, v, progress, e)) return false;
        if (atomic_load(&plumb_interrupted)) return error_interrupted(e, "characterising");
    }
    return true;
}
