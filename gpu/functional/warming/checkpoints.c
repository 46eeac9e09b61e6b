/* checkpoints.c - one functional pass with its checkpoints, and the runners that continue from
 * them; see checkpoints.h. */
#include "gpu/functional/warming/checkpoints.h"

#include "base/memory/alloc.h"
#include "base/text/zstd_frame.h"
#include "gpu/functional/warming/checkpoint_track.h"

#include <string.h>

struct checkpoint_runner {
    struct checkpoints *checkpoints;
    struct warming_pass pass;
    uint64_t moment; /* its last moment; UINT64_MAX: none */
    struct beginning from;
};

/* --- the pass --- */

/* The largest size of a checkpoint: the caches' state as it is now, and fully occupied SMs. */
static size_t bytes_of_milestone(struct functional *w, struct error *e)
{
    struct serializer t = {.mode = SERIALIZE_MEASURE};
    uint32_t registers = 0;
    bool copies = false;
    for (uint32_t i = 0; i < program_launches(w->p); i++) {
        const struct launch *l = program_launch(w->p, i);
        if (l->n_registers > registers) registers = l->n_registers;
        copies |= copy_groups_needed(l->code, l->n_code);
    }
    functional_serialize(w, &t, e);
    size_t warp = sizeof *w->clock + registers * sizeof *w->ready;
    if (copies) warp += sizeof *w->copies;
    return t.bytes + (size_t)w->sms * w->params->max_warps * warp;
}

struct checkpoints *checkpoints_new(const struct machine *m, const struct program *p,
                                    uint64_t instructions, size_t bytes, bool want_warm,
                                    struct error *e)
{
    struct checkpoints *t = mem_new(1, sizeof *t);
    if (!t || mtx_init(&t->lock, mtx_plain) != thrd_success ||
        cnd_init(&t->moved) != thrd_success) {
        mem_free(t);
        error_no_memory(e);
        return NULL;
    }
    if (!warming_pass_init(&t->pass, m, p, want_warm, e) ||
        !bounded_warming_init(&t->bounded, &t->pass, e)) {
        checkpoints_free(t);
        return NULL;
    }
    size_t room = bytes / bytes_of_milestone(&t->pass.functional, e);
    t->room = room < 2 ? 2 : room > CHECKPOINTS_MAX ? CHECKPOINTS_MAX : (uint32_t)room;
    t->step = instructions / t->room + 1;
    t->clock.step = instructions / CHECKPOINTS_CLOCK_MARKS + 1;
    t->room++; /* for the last one, at the pass's end */
    t->checkpoint = mem_new(t->room, sizeof *t->checkpoint);
    if (t->checkpoint) return t;
    checkpoints_free(t);
    error_no_memory(e);
    return NULL;
}

void checkpoints_free(struct checkpoints *t)
{
    if (!t) return;
    warming_pass_fini(&t->pass);
    bounded_warming_fini(&t->bounded);
    for (uint32_t i = 0; i < t->n; i++)
        if (!t->checkpoint[i].packed) mem_free((void *)t->checkpoint[i].state);
    pass_clock_fini(&t->clock);
    filemap_close(&t->file);
    mem_free(t->checkpoint);
    mtx_destroy(&t->lock);
    cnd_destroy(&t->moved);
    mem_free(t);
}

static bool milestone_save(struct checkpoint *m, struct functional *w, uint64_t done,
                           struct error *e)
{
    struct serializer serializer = {.mode = SERIALIZE_MEASURE};
    if (!functional_serialize(w, &serializer, e)) return false;
    size_t bytes = serializer.bytes;
    unsigned char *state = mem_new_unset(bytes, 1);
    if (!state) return error_no_memory(e);
    serializer = (struct serializer){.mode = SERIALIZE_SAVE, .block = state};
    if (!functional_serialize(w, &serializer, e)) {
        mem_free(state);
        return false;
    }
    *m = (struct checkpoint){.done = done, .state = state, .bytes = bytes};
    return true;
}

bool checkpoints_add(struct checkpoints *t, struct error *e)
{
    struct functional *w = &t->pass.functional;
    struct checkpoint m;
    if (!milestone_save(&m, w, w->done, e)) return false;
    while (t->next <= w->done)
        t->next += t->step;
    mtx_lock(&t->lock);
    t->checkpoint[t->n++] = m;
    t->reached = w->done;
    cnd_broadcast(&t->moved);
    mtx_unlock(&t->lock);
    return true;
}

static bool checkpoint_load(const struct checkpoint *m, struct functional *w, struct error *e)
{
    struct serializer t = {.mode = SERIALIZE_LOAD, .block = (unsigned char *)m->state};
    if (!m->packed) return functional_serialize(w, &t, e);
    struct zstd_frame *c = zstd_frame_new();
    t.block = c ? mem_new_unset(m->bytes, 1) : NULL;
    bool ok = t.block || error_no_memory(e);
    if (ok && !zstd_frame_unpack(c, t.block, m->bytes, m->state, m->packed))
        ok = error_run(e, "%s: the cached functional pass is damaged", program_name(w->p));
    ok = ok && functional_serialize(w, &t, e);
    mem_free(t.block);
    zstd_frame_free(c);
    return ok;
}

/* Makes one step of the pass, and a checkpoint where one is due. */
static bool step_on(struct checkpoints *t, struct error *e)
{
    struct functional *w = &t->pass.functional;
    bool inside = w->launch;
    if (!functional_step(w, e)) return false;
    if ((inside || w->launch) && !pass_clock_note(&t->clock, w->done, w->now, inside && !w->launch))
        return error_no_memory(e);
    bool due = functional_can_pause(w) && w->done >= t->next && t->n + 1 < t->room;
    return !due || checkpoints_add(t, e);
}

static bool catch_up(struct checkpoints *t, struct error *e)
{
    bool ok = !t->behind || checkpoint_load(&t->checkpoint[t->n - 1], &t->pass.functional, e);
    t->behind = t->behind && !ok;
    return ok;
}

static bool go_on(struct checkpoints *t, uint64_t moment, struct error *e)
{
    const struct functional *w = &t->pass.functional;
    if (t->n && moment <= t->reached) return true;
    bool ok = catch_up(t, e);
    while (ok && (!functional_can_pause(w) || w->done < moment))
        ok = step_on(t, e);
    return ok;
}

/* Tells waiting runners how far the pass is, or that it failed; *e receives the pass's error. */
static bool tell_waiters(struct checkpoints *t, bool ok, struct error *e)
{
    mtx_lock(&t->lock);
    t->failed = !ok;
    if (!t->behind) t->reached = t->pass.functional.done;
    cnd_broadcast(&t->moved);
    mtx_unlock(&t->lock);
    if (!ok && e) *e = t->error;
    return ok;
}

bool checkpoints_are_bounded(struct checkpoints *t, bool *bounded, struct error *e)
{
    bool ok = bounded_warming_settle(&t->bounded, &t->error);
    *bounded = ok && t->bounded.serves;
    return ok || tell_waiters(t, false, e);
}

double checkpoints_walk(const struct checkpoints *t)
{
    return bounded_warming_mean_length(&t->bounded);
}

bool checkpoints_reach(struct checkpoints *t, uint64_t moment, struct error *e)
{
    bool bounded;
    if (!checkpoints_are_bounded(t, &bounded, e)) return false;
    if (bounded) return true;
    return tell_waiters(t, !t->failed && go_on(t, moment, &t->error), e);
}

bool checkpoints_clock(struct checkpoints *t, const uint64_t *from, const uint64_t *to, uint32_t n,
                       double *cycles, bool *known, struct error *e)
{
    bool bounded;
    if (!checkpoints_are_bounded(t, &bounded, e)) return false;
    *known = !bounded;
    if (bounded || n == 0) return true;
    bool ok = !t->failed;
    if (ok && !pass_clock_knows(&t->clock, to[n - 1])) {
        ok = catch_up(t, &t->error);
        while (ok && !pass_clock_knows(&t->clock, to[n - 1]))
            ok = step_on(t, &t->error);
    }
    for (uint32_t i = 0; ok && i < n; i++)
        cycles[i] = pass_clock_at(&t->clock, to[i]) - pass_clock_at(&t->clock, from[i]);
    return tell_waiters(t, ok, e);
}

/* --- runners --- */

struct checkpoint_runner *checkpoint_runner_new(struct checkpoints *t, struct error *e)
{
    struct checkpoint_runner *w = mem_new(1, sizeof *w);
    if (!w) {
        error_no_memory(e);
        return NULL;
    }
    *w =
        (struct checkpoint_runner){.checkpoints = t, .moment = UINT64_MAX, .from = {UINT32_MAX, 0}};
    if (warming_pass_init(&w->pass, t->pass.m, t->pass.functional.p, t->pass.warm, e)) return w;
    checkpoint_runner_free(w);
    return NULL;
}

void checkpoint_runner_free(struct checkpoint_runner *w)
{
    if (!w) return;
    warming_pass_fini(&w->pass);
    mem_free(w);
}

/* Waits until the pass has reached the moment and returns the last checkpoint before it; false: the
 * pass failed first. */
static bool wait_for(struct checkpoints *t, uint64_t moment, struct checkpoint *m, struct error *e)
{
    mtx_lock(&t->lock);
    while ((t->reached < moment || !t->n) && !t->failed)
        cnd_wait(&t->moved, &t->lock);
    bool ok = t->n && t->reached >= moment;
    if (!ok) *e = t->error;
    *m = (struct checkpoint){0};
    for (uint32_t low = 0, high = t->n; ok && low < high;) {
        uint32_t middle = (low + high) / 2;
        if (t->checkpoint[middle].done <= moment) {
            *m = t->checkpoint[middle];
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    mtx_unlock(&t->lock);
    return ok;
}

/* Finds a checkpoint of exactly that moment: with bounded warming, checkpoints serve only their own
 * moment. */
static bool find_kept(struct checkpoints *t, uint64_t moment, struct checkpoint *m)
{
    *m = (struct checkpoint){0};
    mtx_lock(&t->lock);
    for (uint32_t i = 0; i < t->n && !m->state; i++)
        if (t->checkpoint[i].done == moment) *m = t->checkpoint[i];
    mtx_unlock(&t->lock);
    return m->state != NULL;
}

/* Stores a checkpoint of that moment if there is room. Two runners that reach the same moment at
 * once store it twice, which does no harm. */
static bool keep_checkpoint(struct checkpoints *t, struct functional *w, uint64_t moment,
                            struct error *e)
{
    struct checkpoint m;
    mtx_lock(&t->lock);
    bool room = t->n < t->room;
    mtx_unlock(&t->lock);
    if (!room) return true;
    if (!milestone_save(&m, w, moment, e)) return false;
    mtx_lock(&t->lock);
    room = t->n < t->room;
    if (room) t->checkpoint[t->n++] = m;
    mtx_unlock(&t->lock);
    if (!room) mem_free((void *)m.state);
    return true;
}

static bool stretch_to(struct checkpoint_runner *w, uint64_t moment, struct error *e)
{
    struct checkpoints *t = w->checkpoints;
    struct checkpoint m;
    if (!find_kept(t, moment, &m))
        return bounded_warming_run_to(&t->bounded, &w->pass, &w->from, moment, e) &&
               keep_checkpoint(t, &w->pass.functional, moment, e);
    w->from.launch = UINT32_MAX;
    return checkpoint_load(&m, &w->pass.functional, e);
}

bool checkpoint_runner_snapshot(struct checkpoint_runner *w, uint64_t moment, struct snapshot *out,
                                struct error *e)
{
    struct checkpoint m;
    if (!bounded_warming_settle(&w->checkpoints->bounded, e)) return false;
    if (w->checkpoints->bounded.serves)
        return stretch_to(w, moment, e) && warming_pass_snapshot(&w->pass, out, e);
    if (!wait_for(w->checkpoints, moment, &m, e)) return false;
    bool on_the_way = w->moment <= moment && w->pass.functional.done >= m.done;
    w->moment = UINT64_MAX;
    if (!on_the_way && !checkpoint_load(&m, &w->pass.functional, e)) return false;
    if (!functional_run_until(&w->pass.functional, moment, e) ||
        !warming_pass_snapshot(&w->pass, out, e))
        return false;
    w->moment = moment;
    return true;
}
