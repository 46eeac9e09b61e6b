/* walk_state.c - what a walk leaves for a window, and for one who goes on from there; see walk.h.
 */
#include "detailed/walk.h"

#include "base/mem.h"

#include <stdlib.h>

static void save_resident(struct resident *r, uint64_t *done, const struct walk *w, uint32_t slot)
{
    const struct walk_clock *f = walk_clocks(w, slot);
    *r = (struct resident){.cta = w->cta[slot].cta,
                           .sm = slot / w->slots,
                           .subcore = w->cta[slot].subcore,
                           .warp_done = done};
    for (uint32_t i = 0; i < w->launch->warps_per_cta; i++)
        done[i] = f[i].ended ? UINT64_MAX : f[i].done;
}

static int by_cta(const void *a, const void *b)
{
    uint64_t x = ((const struct resident *)a)->cta, y = ((const struct resident *)b)->cta;
    return x < y ? -1 : x > y;
}

/* Residents in the order in which their CTAs were dispatched: the cycle model gives ages in it. */
static uint32_t save_residents(const struct walk *w, struct resident *r, uint64_t *done)
{
    uint32_t n = 0, warps = w->launch->warps_per_cta;
    for (uint32_t i = 0; i < w->sms * w->slots; i++) {
        if (!w->cta[i].active) continue;
        save_resident(&r[n], done + (size_t)n * warps, w, i);
        n++;
    }
    qsort(r, n, sizeof *r, by_cta);
    return n;
}

bool walk_snapshot(const struct walk *w, struct snapshot *s, struct error *e)
{
    struct resident *r = mem_new(w->active + 1, sizeof *r);
    uint64_t *done = mem_new(((size_t)w->active + 1) * w->launch->warps_per_cta, sizeof *done);
    uint32_t *next = mem_new(w->sms, sizeof *next);
    *s = (struct snapshot){
        .launch_done = w->launch_done, .residents = r, .warp_done = done, .next_subcore = next};
    s->window = (struct window){
        .launch = w->launch_index, .next_cta = w->next_cta, .residents = r, .next_subcore = next};
    if (w->warm) s->warm = warm_caches_save(&w->caches);
    if (!r || !done || !next || (w->warm && !s->warm)) {
        snapshot_fini(s);
        return error_no_memory(e);
    }
    s->window.n_residents = save_residents(w, r, done);
    for (uint32_t i = 0; i < w->sms; i++)
        next[i] = w->sm[i].next_subcore;
    return true;
}

void snapshot_fini(struct snapshot *s)
{
    mem_free(s->residents);
    mem_free(s->warp_done);
    mem_free(s->next_subcore);
    warm_state_free(s->warm);
    *s = (struct snapshot){0};
}

/* --- all of it --- */

static bool has_stream(const struct walk *w, size_t warp)
{
    return w->cta[warp / w->launch->warps_per_cta].active && !w->clock[warp].ended;
}

static void note_segments(struct walk *w)
{
    for (size_t i = 0; i < walk_warps(w); i++)
        if (has_stream(w, i)) w->clock[i].segment = w->stream[i].cursor.segment_no;
}

/* The instruction that comes next lies in the segment that was noted. */
static bool find_streams(struct walk *w, struct error *e)
{
    uint32_t warps = w->launch->warps_per_cta;
    for (size_t i = 0; i < walk_warps(w); i++) {
        const struct walk_clock *f = &w->clock[i];
        struct walk_stream *s = &w->stream[i];
        if (!has_stream(w, i)) continue;
        if (!cursor_seek(&s->cursor, w->reader, w->launch_index, w->cta[i / warps].cta,
                         (uint32_t)(i % warps), f->segment, e))
            return false;
        uint64_t behind = f->done - s->cursor.done;
        struct error own = {0};
        if (cursor_skip(&s->cursor, behind, &own) != behind ||
            cursor_next(&s->cursor, &s->inst, &own) != GOT_INST)
            return error_run(e, "%s: %s", program_name(w->p),
                             own.kind == ERROR_NONE ? "a warp's stream is shorter than it was"
                                                    : own.text);
    }
    return true;
}

static void launch_tape(struct walk *w, struct tape *t)
{
    uint32_t n = w->sms * w->slots;
    size_t warps = walk_warps(w);
    TAPE_VALUE(t, w->active);
    TAPE_VALUE(t, w->next_cta);
    TAPE_VALUE(t, w->launch_done);
    tape_data(t, w->cta, n * sizeof *w->cta);
    tape_data(t, w->slot, n * sizeof *w->slot);
    tape_data(t, w->sm, w->sms * sizeof *w->sm);
    tape_data(t, w->clock, warps * sizeof *w->clock);
    tape_data(t, w->ready, warps * w->launch->n_registers * sizeof *w->ready);
}

bool walk_tape(struct walk *w, struct tape *t, struct error *e)
{
    uint32_t launch = w->launch ? w->launch_index : UINT32_MAX;
    bool begun = w->begun;
    if (!warm_caches_tape(&w->caches, t)) return error_no_memory(e);
    TAPE_VALUE(t, w->command);
    TAPE_VALUE(t, w->done);
    TAPE_VALUE(t, launch);
    TAPE_VALUE(t, begun);
    if (t->mode == TAPE_LOAD) {
        walk_leave(w);
        if (launch != UINT32_MAX && !walk_enter(w, launch, e)) return false;
        w->begun = begun;
    }
    if (!w->launch || !w->begun) return true;
    if (t->mode == TAPE_SAVE) note_segments(w);
    launch_tape(w, t);
    return t->mode != TAPE_LOAD || find_streams(w, e);
}
