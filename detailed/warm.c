#include "detailed/warm.h"

#include "base/mem.h"
#include "base/progress.h"
#include "detailed/warm_caches.h"
#include "geometry/occupancy.h"
#include "machine/machine.h"
#include "trace/cursor.h"

#include <stdlib.h>
#include <string.h>

/* A warp of the functional machine. */
struct fwarp {
    struct cursor cursor;
    struct warp_inst inst; /* next */
    uint64_t done;         /* instructions behind it */
    bool ended, at_barrier;
};

struct fcta {
    uint64_t cta;
    struct fwarp *warp; /* [warps_per_cta] */
    uint32_t live, arrived;
    bool active;
};

struct pass {
    const struct machine *m;
    const struct program *p;
    struct reader *reader;
    struct warm_caches caches;
    bool warm;
    /* the launch under way */
    const struct launch *launch;
    uint32_t launch_index, slots; /* CTA slots per SM */
    struct fcta *cta;             /* [sms * slots] */
    struct fwarp *warps;          /* [sms * slots * warps_per_cta] */
    uint32_t active;
    uint64_t next_cta, launch_done, done;
    /* what is wanted */
    const uint64_t *moments;
    uint32_t n, at;
    struct snapshot *out;
    struct error *e;
};

static bool advance(struct pass *w, struct fcta *c, struct fwarp *f)
{
    switch (cursor_next(&f->cursor, &f->inst, w->e)) {
    case GOT_INST: return true;
    case GOT_ERROR: return false;
    case GOT_END:
        f->ended = true;
        c->live--;
        cursor_release(&f->cursor);
    }
    return true;
}

static bool dispatch(struct pass *w, struct fcta *c)
{
    if (w->next_cta >= w->launch->ctas) return true;
    c->cta = w->next_cta++;
    c->active = true;
    c->live = w->launch->warps_per_cta;
    c->arrived = 0;
    w->active++;
    for (uint32_t i = 0; i < w->launch->warps_per_cta; i++) {
        struct fwarp *f = &c->warp[i];
        f->done = 0;
        f->ended = f->at_barrier = false;
        if (!cursor_seek(&f->cursor, w->reader, w->launch_index, c->cta, i, 0, w->e)) return false;
        if (!advance(w, c, f)) return false;
    }
    return true;
}

/* Everyone who still runs has arrived: the barrier counts as executed by all at once. */
static bool open_barrier(struct pass *w, struct fcta *c)
{
    if (!c->arrived || c->arrived < c->live) return true;
    c->arrived = 0;
    for (uint32_t i = 0; i < w->launch->warps_per_cta; i++) {
        struct fwarp *f = &c->warp[i];
        if (!f->at_barrier) continue;
        f->at_barrier = false;
        f->done++;
        w->done++;
        w->launch_done++;
        if (!advance(w, c, f)) return false;
    }
    return true;
}

static bool step_warp(struct pass *w, uint32_t sm, struct fcta *c, struct fwarp *f)
{
    if (f->inst.si->cls == OP_BARRIER) {
        f->at_barrier = true;
        c->arrived++;
        return true;
    }
    if (w->warm) warm_caches_execute(&w->caches, sm, &f->inst);
    f->done++;
    w->done++;
    w->launch_done++;
    return advance(w, c, f);
}

/* Every warp of the CTA executes one instruction; a finished CTA makes room for the next. */
static bool step_cta(struct pass *w, uint32_t sm, struct fcta *c)
{
    for (uint32_t i = 0; i < w->launch->warps_per_cta; i++) {
        struct fwarp *f = &c->warp[i];
        if (!f->ended && !f->at_barrier && !step_warp(w, sm, c, f)) return false;
    }
    if (!open_barrier(w, c)) return false;
    if (c->live) return true;
    c->active = false;
    w->active--;
    return dispatch(w, c);
}

/* --- snapshots --- */

static void save_resident(struct resident *r, uint64_t *done, const struct pass *w,
                          const struct fcta *c, uint32_t sm)
{
    *r = (struct resident){.cta = c->cta, .sm = sm, .warp_done = done};
    for (uint32_t i = 0; i < w->launch->warps_per_cta; i++)
        done[i] = c->warp[i].ended ? UINT64_MAX : c->warp[i].done;
}

static int by_cta(const void *a, const void *b)
{
    uint64_t x = ((const struct resident *)a)->cta, y = ((const struct resident *)b)->cta;
    return x < y ? -1 : x > y;
}

/* Residents in the order in which their CTAs were dispatched: the cycle model gives ages in it. */
static uint32_t save_residents(const struct pass *w, struct resident *r, uint64_t *done)
{
    uint32_t n = 0, warps = w->launch->warps_per_cta;
    for (uint32_t i = 0; i < w->m->sm.count * w->slots; i++) {
        if (!w->cta[i].active) continue;
        save_resident(&r[n], done + (size_t)n * warps, w, &w->cta[i], i / w->slots);
        n++;
    }
    qsort(r, n, sizeof *r, by_cta);
    return n;
}

static bool snapshot(struct pass *w)
{
    struct snapshot *s = &w->out[w->at];
    struct resident *r = mem_new(w->active + 1, sizeof *r);
    uint64_t *done = mem_new(((size_t)w->active + 1) * w->launch->warps_per_cta, sizeof *done);
    *s = (struct snapshot){.launch_done = w->launch_done, .residents = r, .warp_done = done};
    s->window = (struct window){.launch = w->launch_index, .next_cta = w->next_cta, .residents = r};
    if (w->warm) s->warm = warm_caches_save(&w->caches);
    w->at++; /* what there is of it is freed by the caller */
    if (!r || !done || (w->warm && !s->warm)) return error_no_memory(w->e);
    s->window.n_residents = save_residents(w, r, done);
    return true;
}

void snapshot_fini(struct snapshot *s)
{
    mem_free(s->residents);
    mem_free(s->warp_done);
    warm_state_free(s->warm);
    *s = (struct snapshot){0};
}

/* --- launches --- */

static bool begin_launch(struct pass *w, uint32_t index)
{
    w->launch = program_launch(w->p, index);
    w->launch_index = index;
    struct occupancy occ = occupancy(&w->m->sm, &w->m->l1, w->launch);
    if (!occ.ctas)
        return error_input(w->e, "a CTA of launch %u ('%s') does not fit on an SM", index,
                           w->launch->name);
    w->slots = occ.ctas;
    w->next_cta = w->launch_done = 0;
    w->active = 0;
    uint32_t n = w->m->sm.count * w->slots, warps = w->launch->warps_per_cta;
    w->cta = mem_new(n, sizeof *w->cta);
    w->warps = mem_new((size_t)n * warps, sizeof *w->warps);
    if (!w->cta || !w->warps) return error_no_memory(w->e);
    for (uint32_t i = 0; i < n; i++)
        w->cta[i].warp = w->warps + (size_t)i * warps;
    return warm_caches_launch(&w->caches, occ.l1_kb) || error_no_memory(w->e);
}

static void end_launch(struct pass *w)
{
    uint32_t n = w->m->sm.count * w->slots;
    for (uint32_t i = 0; w->warps && i < n * w->launch->warps_per_cta; i++)
        cursor_release(&w->warps[i].cursor);
    mem_free(w->cta);
    mem_free(w->warps);
    w->cta = NULL;
    w->warps = NULL;
}

static bool run_launch(struct pass *w)
{
    /* a moment at the very beginning sees an empty machine: residents are dispatched by the window
     * itself */
    while (w->at < w->n && w->moments[w->at] <= w->done)
        if (!snapshot(w)) return false;
    for (uint32_t k = 0; k < w->slots; k++)
        for (uint32_t sm = 0; sm < w->m->sm.count; sm++)
            if (!dispatch(w, &w->cta[sm * w->slots + k])) return false;
    while (w->active && w->at < w->n) {
        if (plumb_interrupted) {
            w->e->kind = ERROR_INTERRUPTED;
            return false;
        }
        for (uint32_t i = 0; i < w->m->sm.count * w->slots; i++)
            if (w->cta[i].active && !step_cta(w, i / w->slots, &w->cta[i])) return false;
        while (w->active && w->at < w->n && w->moments[w->at] <= w->done)
            if (!snapshot(w)) return false;
    }
    return true;
}

static bool run_program(struct pass *w)
{
    for (uint32_t i = 0; i < program_commands(w->p) && w->at < w->n; i++) {
        const struct command *c = program_command(w->p, i);
        if (w->warm) warm_caches_copy(&w->caches, c);
        if (c->kind != COMMAND_LAUNCH) continue;
        bool ok = begin_launch(w, c->launch) && run_launch(w);
        end_launch(w);
        if (!ok) return false;
    }
    if (w->at == w->n) return true;
    return error_run(w->e, "%s ends before the last moment asked for", program_name(w->p));
}

bool warm_pass(const struct machine *m, const struct program *p, const uint64_t *moments,
               uint32_t n, bool want_warm, struct snapshot *out, struct error *e)
{
    struct error scratch;
    struct pass w = {.m = m,
                     .p = p,
                     .warm = want_warm,
                     .moments = moments,
                     .n = n,
                     .out = out,
                     .e = e ? e : &scratch};
    memset(out, 0, n * sizeof *out);
    bool ok = warm_caches_init(&w.caches, m, w.e) && (w.reader = reader_new(p, w.e)) != NULL &&
              run_program(&w);
    warm_caches_fini(&w.caches);
    reader_free(w.reader);
    for (uint32_t i = 0; !ok && i < n; i++)
        snapshot_fini(&out[i]);
    return ok;
}

static bool count_launch(const struct program *p, struct reader *r, uint32_t launch, uint64_t *n,
                         struct error *e)
{
    const struct launch *l = program_launch(p, launch);
    struct cursor c = {0};
    *n = 0;
    for (uint64_t cta = 0; cta < l->ctas; cta++)
        for (uint32_t warp = 0; warp < l->warps_per_cta; warp++) {
            struct error own = {0};
            if (!cursor_seek(&c, r, launch, cta, warp, 0, e)) return false;
            *n += cursor_skip(&c, UINT64_MAX, &own);
            cursor_release(&c);
            if (own.kind != ERROR_NONE) {
                *e = own;
                return false;
            }
        }
    return true;
}

bool program_count(const struct program *p, uint64_t *out, struct error *e)
{
    struct reader *r = NULL;
    bool ok = true;
    for (uint32_t i = 0; ok && i < program_launches(p); i++) {
        out[i] = program_launch(p, i)->warp_instructions;
        if (out[i]) continue;
        if (!r && !(r = reader_new(p, e))) return false;
        ok = count_launch(p, r, i, &out[i], e);
    }
    reader_free(r);
    return ok;
}
