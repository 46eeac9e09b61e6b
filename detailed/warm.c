#include "detailed/warm.h"

#include "base/mem.h"
#include "base/progress.h"
#include "detailed/warm_caches.h"
#include "geometry/occupancy.h"
#include "machine/machine.h"
#include "trace/cursor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static inline double later(double a, double b)
{
    return a > b ? a : b;
}
static inline double sooner(double a, double b)
{
    return a < b ? a : b;
}

/* A warp of the functional machine; its times are core cycles since the pass began. */
struct fwarp {
    struct cursor cursor;
    struct warp_inst inst; /* next */
    uint64_t done;         /* instructions behind it */
    double time;           /* before which the next cannot issue */
    double loads, stores;  /* when the last outstanding one is served */
    double *ready;         /* [registers] */
    bool ended, at_barrier;
};

struct fcta {
    uint64_t cta;
    struct fwarp *warp; /* [warps_per_cta] */
    uint32_t live, arrived;
    uint32_t subcore; /* of its first warp */
    double latest;    /* of its warps' barriers or ends */
    double wake;      /* none of its warps can go on before */
    bool active;
};

/* An SM: its CTAs in the order of their arrival. */
struct fsm {
    uint32_t *slot; /* [slots] of cta[] */
    uint32_t n;
    uint32_t next_subcore,
        used[SM_MAX_SUBCORES]; /* by CTAs, where each has a sub-core of its own */
    double wake;               /* nothing can happen before */
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
    double *registers;            /* of all warps */
    struct fsm *sm;               /* [sms] */
    uint32_t *slot_list;
    uint32_t active;
    uint64_t next_cta, launch_done, done;
    /* what is wanted */
    const uint64_t *moments;
    uint32_t n, at;
    struct snapshot *out;
    struct error *e;
};

/* The end of a stream waits for what is outstanding. */
static bool advance(struct pass *w, struct fcta *c, struct fwarp *f)
{
    switch (cursor_next(&f->cursor, &f->inst, w->e)) {
    case GOT_INST: return true;
    case GOT_ERROR: return false;
    case GOT_END:
        f->ended = true;
        c->live--;
        c->latest = later(c->latest, later(f->time, later(f->loads, f->stores)));
        cursor_release(&f->cursor);
    }
    return true;
}

/* As sm/cta.c assigns them: CTAs that have a sub-core each go to the next that holds the fewest. */
static uint32_t next_subcore(const struct sm_params *p, struct fsm *s, uint32_t warps)
{
    uint32_t at = s->next_subcore;
    if (p->cta_binding == CTA_ONE_SUBCORE) {
        for (uint32_t k = 1; k < p->subcores; k++) {
            uint32_t other = (s->next_subcore + k) % p->subcores;
            if (s->used[other] < s->used[at]) at = other;
        }
        s->used[at]++;
    }
    s->next_subcore = (at + (p->cta_binding == CTA_ONE_SUBCORE ? 1 : warps)) % p->subcores;
    return at;
}

static bool dispatch(struct pass *w, uint32_t sm, uint32_t slot, double time)
{
    struct fcta *c = &w->cta[slot];
    struct fsm *s = &w->sm[sm];
    if (w->next_cta >= w->launch->ctas) return true;
    c->cta = w->next_cta++;
    c->active = true;
    c->live = w->launch->warps_per_cta;
    c->arrived = 0;
    c->latest = c->wake = time;
    c->subcore = next_subcore(&w->m->sm, s, c->live);
    s->slot[s->n++] = slot;
    s->wake = sooner(s->wake, time);
    w->active++;
    for (uint32_t i = 0; i < w->launch->warps_per_cta; i++) {
        struct fwarp *f = &c->warp[i];
        f->done = 0;
        f->ended = f->at_barrier = false;
        f->time = f->loads = f->stores = time;
        for (uint32_t k = 0; k < w->launch->n_registers; k++)
            f->ready[k] = 0;
        if (!cursor_seek(&f->cursor, w->reader, w->launch_index, c->cta, i, 0, w->e)) return false;
        if (!advance(w, c, f)) return false;
    }
    return true;
}

static void count_done(struct pass *w, struct fwarp *f)
{
    f->done++;
    w->done++;
    w->launch_done++;
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
        f->time = c->latest + 1;
        count_done(w, f);
        if (!advance(w, c, f)) return false;
    }
    return true;
}

/* When the next instruction can issue: mechanism 1's rules (machine/sm.h). */
static double can_issue(const struct sm_params *p, const struct fwarp *f)
{
    const struct static_inst *si = f->inst.si;
    uint8_t cls = si->cls;
    double registers = si->dst == REG_NONE ? 0 : f->ready[si->dst];
    for (uint32_t k = 0; k < si->n_src; k++)
        if (si->src[k] != REG_NONE) registers = later(registers, f->ready[si->src[k]]);
    bool drains = cls == OP_FENCE || cls == OP_ACQUIRE || cls == OP_RELEASE ||
                  (cls == OP_BARRIER && p->memory_wait != WAIT_SCOREBOARD);
    if (drains) return later(f->time, later(f->loads, f->stores));
    if (registers <= f->time) return f->time;
    return p->memory_wait == WAIT_ALL_AT_USE && registers <= f->loads ? f->loads : registers;
}

/* Of what has no unit of its own (memory: its issue alone), as of an integer instruction. */
static struct unit_params times_of(const struct sm_params *p, uint8_t cls)
{
    uint8_t unit = sm_unit_of(cls);
    if (unit == UNIT_SHARED) return (struct unit_params){p->shared_latency, 1};
    return *sm_unit_params(p, unit < UNIT_OWN_N ? unit : UNIT_INT);
}

/* Executes the next instruction at that time. */
static void issue(struct pass *w, uint32_t sm, uint32_t k, struct fwarp *f, double now)
{
    const struct sm_params *p = &w->m->sm;
    const struct static_inst *si = f->inst.si;
    struct unit_params unit = times_of(p, si->cls);
    double result = now + unit.latency;
    if (op_is_global(si->cls)) {
        result = warm_caches_execute(&w->caches, sm, &f->inst, now);
        bool load = si->cls == OP_LOAD || (si->cls == OP_ATOMIC && si->dst != REG_NONE);
        double *last = load ? &f->loads : &f->stores;
        *last = later(*last, result);
    } else if (si->cls == OP_ACQUIRE || si->cls == OP_FENCE) {
        warm_caches_execute(&w->caches, sm, &f->inst, now);
    }
    if (si->dst != REG_NONE) f->ready[si->dst] = result;
    f->time = si->cls == OP_BRANCH ? result : now + 1;
    bool blocks = p->memory_wait == WAIT_BLOCK && op_is_global(si->cls);
    if (blocks) f->time = later(f->loads, p->nonblocking_stores ? now + 1 : f->stores);
    w->caches.pace.sm[sm].issue[k] += unit.interval ? unit.interval : 1;
}

/* A warp goes on until the quantum's end, or until its sub-core has no issue slot left in it.  Who
 * finds no room before the L1's door tries again, the oldest first. */
static bool step_warp(struct pass *w, uint32_t sm, uint32_t k, struct fcta *c, struct fwarp *f)
{
    const struct pace *p = &w->caches.pace;
    const double end = p->now + PACE_QUANTUM;
    while (!f->ended && p->sm[sm].issue[k] < PACE_QUANTUM) {
        f->time = later(can_issue(&w->m->sm, f), p->now);
        if (f->time >= end) return true;
        if (op_is_global(f->inst.si->cls) && !pace_has_room(p, sm, end)) return true;
        if (f->inst.si->cls == OP_BARRIER) {
            c->latest = c->arrived++ ? later(c->latest, f->time) : f->time;
            f->at_barrier = true;
            return true;
        }
        issue(w, sm, k, f, f->time);
        count_done(w, f);
        if (!advance(w, c, f)) return false;
    }
    return true;
}

/* The CTA's warps on one sub-core, in their order. */
static bool step_cta(struct pass *w, uint32_t sm, uint32_t k, struct fcta *c)
{
    const struct sm_params *p = &w->m->sm;
    bool one = p->cta_binding == CTA_ONE_SUBCORE;
    if ((one && c->subcore != k) || c->wake >= w->caches.pace.now + PACE_QUANTUM) return true;
    uint32_t first = one ? 0 : (k + p->subcores - c->subcore) % p->subcores;
    for (uint32_t i = first; i < w->launch->warps_per_cta; i += one ? 1 : p->subcores) {
        struct fwarp *f = &c->warp[i];
        if (f->ended || f->at_barrier || f->time >= w->caches.pace.now + PACE_QUANTUM) continue;
        if (!step_warp(w, sm, k, c, f)) return false;
    }
    return true;
}

/* A CTA whose warps have all ended makes room for the next. */
static bool replace_ended(struct pass *w, uint32_t sm)
{
    struct fsm *s = &w->sm[sm];
    for (uint32_t i = 0; i < s->n;) {
        struct fcta *c = &w->cta[s->slot[i]];
        uint32_t slot = s->slot[i];
        if (c->live) {
            i++;
            continue;
        }
        c->active = false;
        w->active--;
        s->used[c->subcore] -= w->m->sm.cta_binding == CTA_ONE_SUBCORE;
        memmove(s->slot + i, s->slot + i + 1, (--s->n - i) * sizeof *s->slot);
        if (!dispatch(w, sm, slot, c->latest + 1)) return false;
    }
    return true;
}

/* When an SM's next warp can go on; barriers open on the way. */
static bool find_wake(struct pass *w, struct fsm *s)
{
    double end = w->caches.pace.now + PACE_QUANTUM;
    s->wake = INFINITY;
    for (uint32_t i = 0; i < s->n; i++) {
        struct fcta *c = &w->cta[s->slot[i]];
        if (c->wake < end) {
            if (!open_barrier(w, c)) return false;
            c->wake = INFINITY;
            for (uint32_t k = 0; k < w->launch->warps_per_cta; k++)
                if (!c->warp[k].ended && !c->warp[k].at_barrier)
                    c->wake = sooner(c->wake, c->warp[k].time);
        }
        s->wake = sooner(s->wake, c->wake);
    }
    return true;
}

/* One quantum of an SM: its sub-cores in order, for that is how they find the L1's door; on each
 * the oldest first, or in turn (sched.h). */
static bool step_sm(struct pass *w, uint32_t sm, uint32_t turn)
{
    struct fsm *s = &w->sm[sm];
    bool in_turn = w->m->sm.scheduler == SCHED_LRR || w->m->sm.scheduler == SCHED_TWO_LEVEL;
    uint32_t n = s->n, first = n && in_turn ? turn % n : 0;
    for (uint32_t k = 0; k < w->m->sm.subcores; k++)
        for (uint32_t i = 0; i < n; i++)
            if (!step_cta(w, sm, k, &w->cta[s->slot[(first + i) % n]])) return false;
    return find_wake(w, s) && replace_ended(w, sm);
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

static bool make_room(struct pass *w)
{
    const struct launch *l = w->launch;
    uint32_t n = w->m->sm.count * w->slots;
    size_t warps = (size_t)n * l->warps_per_cta, registers = l->n_registers ? l->n_registers : 1;
    w->cta = mem_new(n, sizeof *w->cta);
    w->warps = mem_new(warps, sizeof *w->warps);
    w->registers = mem_new(warps * registers, sizeof *w->registers);
    w->slot_list = mem_new(n, sizeof *w->slot_list);
    w->sm = mem_new(w->m->sm.count, sizeof *w->sm);
    if (!w->cta || !w->warps || !w->registers || !w->slot_list || !w->sm)
        return error_no_memory(w->e);
    for (uint32_t i = 0; i < n; i++)
        w->cta[i].warp = w->warps + (size_t)i * l->warps_per_cta;
    for (size_t i = 0; i < warps; i++)
        w->warps[i].ready = w->registers + i * registers;
    for (uint32_t i = 0; i < w->m->sm.count; i++)
        w->sm[i] = (struct fsm){.slot = w->slot_list + (size_t)i * w->slots, .wake = INFINITY};
    return true;
}

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
    if (!make_room(w)) return false;
    return warm_caches_launch(&w->caches, occ.l1_kb) || error_no_memory(w->e);
}

static void end_launch(struct pass *w)
{
    uint32_t n = w->m->sm.count * w->slots;
    for (uint32_t i = 0; w->warps && i < n * w->launch->warps_per_cta; i++)
        cursor_release(&w->warps[i].cursor);
    mem_free(w->cta);
    mem_free(w->warps);
    mem_free(w->registers);
    mem_free(w->slot_list);
    mem_free(w->sm);
    w->cta = NULL;
    w->warps = NULL;
    w->registers = NULL;
    w->slot_list = NULL;
    w->sm = NULL;
}

/* All SMs up to the quantum's end, then time goes on to where the next can do something. */
static bool step_quantum(struct pass *w, uint32_t turn)
{
    double now = w->caches.pace.now, wake = INFINITY;
    uint32_t sms = w->m->sm.count;
    for (uint32_t i = 0; i < sms; i++) {
        uint32_t sm = (turn + i) % sms; /* nobody is always the first to find room */
        if (w->sm[sm].wake < now + PACE_QUANTUM && !step_sm(w, sm, turn)) return false;
        wake = sooner(wake, w->sm[sm].wake);
    }
    double next = now + PACE_QUANTUM;
    if (w->active && wake > next) next = floor(wake / PACE_QUANTUM) * PACE_QUANTUM;
    pace_advance(&w->caches.pace, next);
    return true;
}

static bool take_snapshots(struct pass *w)
{
    while (w->active && w->at < w->n && w->moments[w->at] <= w->done)
        if (!snapshot(w)) return false;
    return true;
}

static bool run_launch(struct pass *w)
{
    /* a moment at the very beginning sees an empty machine: residents are dispatched by the window
     * itself */
    while (w->at < w->n && w->moments[w->at] <= w->done)
        if (!snapshot(w)) return false;
    for (uint32_t k = 0; k < w->slots; k++)
        for (uint32_t sm = 0; sm < w->m->sm.count; sm++)
            if (!dispatch(w, sm, sm * w->slots + k, w->caches.pace.now)) return false;
    for (uint32_t turn = 0; w->active && w->at < w->n; turn++) {
        if (plumb_interrupted) {
            w->e->kind = ERROR_INTERRUPTED;
            return false;
        }
        if (!step_quantum(w, turn) || !take_snapshots(w)) return false;
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
