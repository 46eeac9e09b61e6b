/* checkpoints.c - see checkpoints.h: one pass that is kept on a track, and those who go on from it.
 */
#include "gpu/functional/warming/checkpoints.h"

#include "base/memory/alloc.h"
#include "base/text/zstd_frame.h"
#include "gpu/functional/warming/checkpoint_track.h"

#include <string.h>

struct warm_walker {
    struct warm_track *track;
    struct walk walk;
    uint64_t moment; /* where it last went; UINT64_MAX: nowhere */
    struct beginning from;
};

bool warm_pass(const struct machine *m, const struct program *p, const uint64_t *moments,
               uint32_t n, bool want_warm, struct snapshot *out, struct error *e)
{
    struct walk w;
    struct error scratch;
    if (!e) e = &scratch;
    memset(out, 0, n * sizeof *out);
    bool ok = walk_init(&w, m, p, want_warm, e);
    for (uint32_t i = 0; ok && i < n; i++)
        ok = walk_until(&w, moments[i], e) && walk_snapshot(&w, &out[i], e);
    walk_fini(&w);
    for (uint32_t i = 0; !ok && i < n; i++)
        snapshot_fini(&out[i]);
    return ok;
}

/* --- the track --- */

/* What a milestone takes at most: caches as they are now, and full SMs. */
static size_t bytes_of_milestone(struct walk *w, struct error *e)
{
    struct tape t = {.mode = TAPE_MEASURE};
    uint32_t registers = 0;
    for (uint32_t i = 0; i < program_launches(w->p); i++)
        if (program_launch(w->p, i)->n_registers > registers)
            registers = program_launch(w->p, i)->n_registers;
    walk_tape(w, &t, e);
    size_t warp = sizeof *w->clock + registers * sizeof *w->ready;
    return t.bytes + (size_t)w->sms * w->params->max_warps * warp;
}

struct warm_track *warm_track_new(const struct machine *m, const struct program *p,
                                  uint64_t instructions, size_t bytes, bool want_warm,
                                  struct error *e)
{
    struct warm_track *t = mem_new(1, sizeof *t);
    if (!t || mtx_init(&t->lock, mtx_plain) != thrd_success ||
        cnd_init(&t->moved) != thrd_success) {
        mem_free(t);
        error_no_memory(e);
        return NULL;
    }
    if (!walk_init(&t->walk, m, p, want_warm, e) || !stretches_init(&t->stretches, &t->walk, e)) {
        warm_track_free(t);
        return NULL;
    }
    size_t room = bytes / bytes_of_milestone(&t->walk, e);
    t->room = room < 2 ? 2 : room > TRACK_MILESTONES ? TRACK_MILESTONES : (uint32_t)room;
    t->step = instructions / t->room + 1;
    t->tempo.step = instructions / TRACK_TEMPO_MARKS + 1;
    t->room++; /* for a last one where the walk ends */
    t->milestone = mem_new(t->room, sizeof *t->milestone);
    if (t->milestone) return t;
    warm_track_free(t);
    error_no_memory(e);
    return NULL;
}

void warm_track_free(struct warm_track *t)
{
    if (!t) return;
    walk_fini(&t->walk);
    stretches_fini(&t->stretches);
    for (uint32_t i = 0; i < t->n; i++)
        if (!t->milestone[i].packed) mem_free((void *)t->milestone[i].state);
    tempo_fini(&t->tempo);
    filemap_close(&t->file);
    mem_free(t->milestone);
    mtx_destroy(&t->lock);
    cnd_destroy(&t->moved);
    mem_free(t);
}

static bool milestone_save(struct milestone *m, struct walk *w, uint64_t done, struct error *e)
{
    struct tape tape = {.mode = TAPE_MEASURE};
    walk_tape(w, &tape, e);
    unsigned char *state = mem_new_unset(tape.bytes, 1);
    if (!state) return error_no_memory(e);
    *m = (struct milestone){.done = done, .state = state, .bytes = tape.bytes};
    tape = (struct tape){.mode = TAPE_SAVE, .block = state};
    walk_tape(w, &tape, e);
    return true;
}

bool track_mark(struct warm_track *t, struct error *e)
{
    struct walk *w = &t->walk;
    struct milestone m;
    if (!milestone_save(&m, w, w->done, e)) return false;
    while (t->next <= w->done)
        t->next += t->step;
    mtx_lock(&t->lock);
    t->milestone[t->n++] = m;
    t->reached = w->done;
    cnd_broadcast(&t->moved);
    mtx_unlock(&t->lock);
    return true;
}

bool milestone_load(const struct milestone *m, struct walk *w, struct error *e)
{
    struct tape t = {.mode = TAPE_LOAD, .block = (unsigned char *)m->state};
    if (!m->packed) return walk_tape(w, &t, e);
    struct codec *c = codec_new();
    t.block = c ? mem_new_unset(m->bytes, 1) : NULL;
    bool ok = t.block || error_no_memory(e);
    if (ok && !codec_unpack(c, t.block, m->bytes, m->state, m->packed))
        ok = error_run(e, "%s: the cached functional pass is damaged", program_name(w->p));
    ok = ok && walk_tape(w, &t, e);
    mem_free(t.block);
    codec_free(c);
    return ok;
}

/* One step of the pass, which leaves a milestone where one is due. */
static bool step_on(struct warm_track *t, struct error *e)
{
    struct walk *w = &t->walk;
    bool inside = w->launch;
    if (!walk_step(w, e)) return false;
    if ((inside || w->launch) &&
        !tempo_note(&t->tempo, w->done, w->caches.pace.now, inside && !w->launch))
        return error_no_memory(e);
    bool due = walk_stands(w) && w->done >= t->next && t->n + 1 < t->room;
    return !due || track_mark(t, e);
}

static bool catch_up(struct warm_track *t, struct error *e)
{
    bool ok = !t->behind || milestone_load(&t->milestone[t->n - 1], &t->walk, e);
    t->behind = t->behind && !ok;
    return ok;
}

static bool go_on(struct warm_track *t, uint64_t moment, struct error *e)
{
    const struct walk *w = &t->walk;
    if (t->n && moment <= t->reached) return true;
    bool ok = catch_up(t, e);
    while (ok && (!walk_stands(w) || w->done < moment))
        ok = step_on(t, e);
    return ok;
}

/* Tells those who wait how far the pass is; *e: of what stopped it. */
static bool tell(struct warm_track *t, bool ok, struct error *e)
{
    mtx_lock(&t->lock);
    t->failed = !ok;
    if (!t->behind) t->reached = t->walk.done;
    cnd_broadcast(&t->moved);
    mtx_unlock(&t->lock);
    if (!ok && e) *e = t->error;
    return ok;
}

bool warm_track_reach(struct warm_track *t, uint64_t moment, struct error *e)
{
    if (!stretches_settle(&t->stretches, &t->error)) return tell(t, false, e);
    if (t->stretches.serves) return true;
    return tell(t, !t->failed && go_on(t, moment, &t->error), e);
}

bool warm_track_clock(struct warm_track *t, const uint64_t *from, const uint64_t *to, uint32_t n,
                      double *cycles, bool *known, struct error *e)
{
    if (!stretches_settle(&t->stretches, &t->error)) return tell(t, false, e);
    *known = !t->stretches.serves;
    if (!*known || n == 0) return true;
    bool ok = !t->failed;
    if (ok && !tempo_knows(&t->tempo, to[n - 1])) {
        ok = catch_up(t, &t->error);
        while (ok && !tempo_knows(&t->tempo, to[n - 1]))
            ok = step_on(t, &t->error);
    }
    for (uint32_t i = 0; ok && i < n; i++)
        cycles[i] = tempo_at(&t->tempo, to[i]) - tempo_at(&t->tempo, from[i]);
    return tell(t, ok, e);
}

/* --- those who go on from it --- */

struct warm_walker *warm_walker_new(struct warm_track *t, struct error *e)
{
    struct warm_walker *w = mem_new(1, sizeof *w);
    if (!w) {
        error_no_memory(e);
        return NULL;
    }
    *w = (struct warm_walker){.track = t, .moment = UINT64_MAX, .from = {UINT32_MAX, 0}};
    if (walk_init(&w->walk, t->walk.m, t->walk.p, t->walk.warm, e)) return w;
    warm_walker_free(w);
    return NULL;
}

void warm_walker_free(struct warm_walker *w)
{
    if (!w) return;
    walk_fini(&w->walk);
    mem_free(w);
}

/* The last milestone up to there; false: the pass failed before. */
static bool wait_for(struct warm_track *t, uint64_t moment, struct milestone *m, struct error *e)
{
    mtx_lock(&t->lock);
    while ((t->reached < moment || !t->n) && !t->failed)
        cnd_wait(&t->moved, &t->lock);
    bool ok = t->n && t->reached >= moment;
    if (!ok) *e = t->error;
    *m = (struct milestone){0};
    for (uint32_t low = 0, high = t->n; ok && low < high;) {
        uint32_t middle = (low + high) / 2;
        if (t->milestone[middle].done <= moment) {
            *m = t->milestone[middle];
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    mtx_unlock(&t->lock);
    return ok;
}

/* Where stretches serve, a milestone is what was left at one moment. */
static bool find_kept(struct warm_track *t, uint64_t moment, struct milestone *m)
{
    *m = (struct milestone){0};
    mtx_lock(&t->lock);
    for (uint32_t i = 0; i < t->n && !m->state; i++)
        if (t->milestone[i].done == moment) *m = t->milestone[i];
    mtx_unlock(&t->lock);
    return m->state != NULL;
}

/* Two who walk to one moment at once keep it twice, which does no harm. */
static bool keep(struct warm_track *t, struct walk *w, uint64_t moment, struct error *e)
{
    struct milestone m;
    mtx_lock(&t->lock);
    bool room = t->n < t->room;
    mtx_unlock(&t->lock);
    if (!room) return true;
    if (!milestone_save(&m, w, moment, e)) return false;
    mtx_lock(&t->lock);
    room = t->n < t->room;
    if (room) t->milestone[t->n++] = m;
    mtx_unlock(&t->lock);
    if (!room) mem_free((void *)m.state);
    return true;
}

static bool stretch_to(struct warm_walker *w, uint64_t moment, struct error *e)
{
    struct warm_track *t = w->track;
    struct milestone m;
    if (!find_kept(t, moment, &m))
        return stretches_walk(&t->stretches, &w->walk, &w->from, moment, e) &&
               keep(t, &w->walk, moment, e);
    w->from.launch = UINT32_MAX;
    return milestone_load(&m, &w->walk, e);
}

bool warm_walker_snapshot(struct warm_walker *w, uint64_t moment, struct snapshot *out,
                          struct error *e)
{
    struct milestone m;
    if (!stretches_settle(&w->track->stretches, e)) return false;
    if (w->track->stretches.serves)
        return stretch_to(w, moment, e) && walk_snapshot(&w->walk, out, e);
    if (!wait_for(w->track, moment, &m, e)) return false;
    bool on_the_way = w->moment <= moment && w->walk.done >= m.done;
    w->moment = UINT64_MAX;
    if (!on_the_way && !milestone_load(&m, &w->walk, e)) return false;
    if (!walk_until(&w->walk, moment, e) || !walk_snapshot(&w->walk, out, e)) return false;
    w->moment = moment;
    return true;
}
