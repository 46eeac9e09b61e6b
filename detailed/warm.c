/* warm.c - see warm.h: one pass that is kept on a track, and those who go on from it. */
#include "detailed/warm.h"

#include "base/mem.h"
#include "detailed/walk.h"

#include <string.h>
#include <threads.h>

/* Where a walk stood, and all that it had. */
struct milestone {
    uint64_t done;
    unsigned char *state;
    size_t bytes;
};

struct warm_track {
    struct walk walk; /* of who calls warm_track_reach */
    uint64_t step;    /* instructions from one milestone to the next */
    uint64_t next;    /* when the next is due */
    /* what all threads see */
    mtx_t lock;
    cnd_t moved;
    struct milestone *milestone;
    uint32_t n, room;
    uint64_t reached; /* every milestone up to here is there */
    bool failed;
    struct error error;
};

struct warm_walker {
    struct warm_track *track;
    struct walk walk;
    uint64_t moment; /* where it last went; UINT64_MAX: nowhere */
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
    enum { MOST = 1024 };
    struct warm_track *t = mem_new(1, sizeof *t);
    if (!t || mtx_init(&t->lock, mtx_plain) != thrd_success ||
        cnd_init(&t->moved) != thrd_success) {
        mem_free(t);
        error_no_memory(e);
        return NULL;
    }
    if (!walk_init(&t->walk, m, p, want_warm, e)) {
        warm_track_free(t);
        return NULL;
    }
    size_t room = bytes / bytes_of_milestone(&t->walk, e);
    t->room = room < 2 ? 2 : room > MOST ? MOST : (uint32_t)room;
    t->step = instructions / t->room + 1;
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
    for (uint32_t i = 0; i < t->n; i++)
        mem_free(t->milestone[i].state);
    mem_free(t->milestone);
    mtx_destroy(&t->lock);
    cnd_destroy(&t->moved);
    mem_free(t);
}

static bool set_milestone(struct warm_track *t, struct error *e)
{
    struct walk *w = &t->walk;
    struct tape tape = {.mode = TAPE_MEASURE};
    walk_tape(w, &tape, e);
    struct milestone m = {
        .done = w->done, .state = mem_new_unset(tape.bytes, 1), .bytes = tape.bytes};
    if (!m.state) return error_no_memory(e);
    tape = (struct tape){.mode = TAPE_SAVE, .block = m.state};
    walk_tape(w, &tape, e);
    while (t->next <= w->done)
        t->next += t->step;
    mtx_lock(&t->lock);
    t->milestone[t->n++] = m;
    t->reached = w->done;
    cnd_broadcast(&t->moved);
    mtx_unlock(&t->lock);
    return true;
}

static bool go_on(struct warm_track *t, uint64_t moment, struct error *e)
{
    struct walk *w = &t->walk;
    while (!walk_stands(w) || w->done < moment) {
        if (!walk_step(w, e)) return false;
        if (walk_stands(w) && w->done >= t->next && t->n < t->room && !set_milestone(t, e))
            return false;
    }
    return true;
}

bool warm_track_reach(struct warm_track *t, uint64_t moment, struct error *e)
{
    bool ok = !t->failed && go_on(t, moment, &t->error);
    mtx_lock(&t->lock);
    t->failed = !ok;
    t->reached = t->walk.done;
    cnd_broadcast(&t->moved);
    mtx_unlock(&t->lock);
    if (!ok && e) *e = t->error;
    return ok;
}

/* --- those who go on from it --- */

struct warm_walker *warm_walker_new(struct warm_track *t, struct error *e)
{
    struct warm_walker *w = mem_new(1, sizeof *w);
    if (!w) {
        error_no_memory(e);
        return NULL;
    }
    *w = (struct warm_walker){.track = t, .moment = UINT64_MAX};
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

bool warm_walker_snapshot(struct warm_walker *w, uint64_t moment, struct snapshot *out,
                          struct error *e)
{
    struct milestone m;
    if (!wait_for(w->track, moment, &m, e)) return false;
    bool on_the_way = w->moment <= moment && w->walk.done >= m.done;
    w->moment = UINT64_MAX;
    if (!on_the_way) {
        struct tape t = {.mode = TAPE_LOAD, .block = m.state};
        if (!walk_tape(&w->walk, &t, e)) return false;
    }
    if (!walk_until(&w->walk, moment, e) || !walk_snapshot(&w->walk, out, e)) return false;
    w->moment = moment;
    return true;
}
