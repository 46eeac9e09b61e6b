/* windows.c - see windows.h. */
#include "sampler/windows.h"

#include "base/mem.h"
#include "base/pool.h"
#include "detailed/sim.h"
#include "detailed/warm.h"
#include "machine/machine.h"

#include <stdlib.h>

/* A tag with its recency, sector states and masks; a resident warp's position. */
enum { LINE_STATE_BYTES = 48, WARP_STATE_BYTES = 32 };

uint32_t windows_snapshots(const struct machine *m, uint64_t bytes)
{
    uint64_t l1_lines =
        m->l1.enabled ? (uint64_t)m->l1.kb * 1024 / m->l1.cache.line_bytes * m->sm.count : 0;
    uint64_t l2_lines = (uint64_t)m->l2.bank_kb * 1024 / m->l2.cache.line_bytes * m->l2.banks;
    uint64_t each = (l1_lines + l2_lines) * LINE_STATE_BYTES;
    each += (uint64_t)m->sm.max_warps * m->sm.count * WARP_STATE_BYTES;
    uint64_t n = each ? bytes / each : UINT32_MAX;
    return n < 1 ? 1 : n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
}

/* Runs sorted by the moment at which they start; equal moments share a snapshot. */
struct slot {
    uint64_t moment;
    uint32_t run, snapshot;
};

struct batch {
    const struct windows *w;
    struct window_run *run;
    struct slot *slot;
    uint64_t *moment;
    struct snapshot *snapshot;
    struct sim **sim;    /* [threads], made by the first job of a worker */
    struct error *error; /* [threads] */
    uint32_t first;      /* slot of job 0 */
};

static int by_moment(const void *a, const void *b)
{
    const struct slot *x = a, *y = b;
    if (x->moment != y->moment) return x->moment < y->moment ? -1 : 1;
    return x->run < y->run ? -1 : x->run > y->run;
}

/* Far beyond any launch, yet safe to add to. */
#define TO_THE_END (UINT64_MAX / 2)

/* The pass moves all warps on by one instruction at a time: a snapshot may lie that much late, at
 * the cost of the warm-up. */
static struct window window_of(const struct snapshot *s, const struct window_run *r)
{
    struct window w = s->window;
    w.warmup_instructions = s->launch_done < r->unit->begin ? r->unit->begin - s->launch_done : 0;
    w.measure_instructions = r->unit->to_end ? TO_THE_END : r->unit->length;
    return w;
}

/* A window stops at the end of the cycle in which it is full, a few instructions late: bring all
 * counts back to the unit's length.  What runs to a launch's end is taken as it is. */
static void scale_to_length(struct window_run *r, uint64_t warmup)
{
    double got = r->m.v[M_warp_instructions];
    struct metrics whole = r->m;
    r->cost = warmup + (uint64_t)got;
    if (!r->unit->to_end && got > 0) {
        r->m = (struct metrics){0};
        metrics_accumulate(&r->m, &whole, (double)r->unit->length / got);
    }
    metrics_finish(&r->m);
}

static bool run_one(size_t i, unsigned worker, void *ctx)
{
    struct batch *b = ctx;
    const struct windows *w = b->w;
    const struct slot *slot = &b->slot[b->first + i];
    struct window_run *r = &b->run[slot->run];
    const struct snapshot *s = &b->snapshot[slot->snapshot];
    struct error *e = &b->error[worker];
    if (!b->sim[worker]) b->sim[worker] = sim_new(w->machine, w->program, e);
    if (!b->sim[worker]) return false;
    if (s->window.launch != r->unit->launch)
        return error_run(e, "the functional pass left launch %u before its last interval",
                         r->unit->launch);
    struct window window = window_of(s, r);
    enum sim_end end = sim_window(b->sim[worker], &window, s->warm, &r->m, e);
    if (end == SIM_INTERRUPTED) {
        error_run(e, "interrupted");
        e->kind = ERROR_INTERRUPTED;
    }
    if (end == SIM_INTERRUPTED || end == SIM_FAILED) return false;
    scale_to_length(r, window.warmup_instructions);
    if (w->progress) progress_add(w->progress, 1);
    return true;
}

/* The slots from `first` on that snapshots_max different moments can serve; fills moment[]. */
static uint32_t take_chunk(struct batch *b, uint32_t first, uint32_t n, uint32_t *moments)
{
    uint32_t at = first;
    for (*moments = 0; at < n; at++) {
        struct slot *s = &b->slot[at];
        bool same = *moments && b->moment[*moments - 1] == s->moment;
        if (!same && *moments == b->w->snapshots_max) break;
        if (!same) b->moment[(*moments)++] = s->moment;
        s->snapshot = *moments - 1;
    }
    return at - first;
}

static void first_error(const struct batch *b, unsigned threads, struct error *e)
{
    for (unsigned t = 0; t < threads; t++) {
        if (b->error[t].kind == ERROR_NONE) continue;
        if (e) *e = b->error[t];
        return;
    }
}

static bool run_chunks(struct batch *b, uint32_t n, unsigned threads, struct error *e)
{
    const struct windows *w = b->w;
    uint32_t moments, taken;
    for (b->first = 0; b->first < n; b->first += taken) {
        taken = take_chunk(b, b->first, n, &moments);
        if (!warm_pass(w->machine, w->program, b->moment, moments, !w->cold, b->snapshot, e))
            return false;
        bool ok = pool_map(threads, taken, run_one, b);
        for (uint32_t i = 0; i < moments; i++)
            snapshot_fini(&b->snapshot[i]);
        if (ok) continue;
        first_error(b, threads, e);
        return false;
    }
    return true;
}

static bool prepare(struct batch *b, uint32_t n, unsigned threads)
{
    b->slot = mem_new(n, sizeof(*b->slot));
    b->moment = mem_new(n, sizeof(*b->moment));
    b->snapshot = mem_new(n, sizeof(*b->snapshot));
    b->sim = mem_new(threads, sizeof(struct sim *));
    b->error = mem_new(threads, sizeof(*b->error));
    if (!b->slot || !b->moment || !b->snapshot || !b->sim || !b->error) return false;
    for (uint32_t i = 0; i < n; i++) {
        const struct unit *u = b->run[i].unit;
        b->slot[i] = (struct slot){.moment = b->w->before[u->launch] + u->begin - b->run[i].warmup,
                                   .run = i};
    }
    qsort(b->slot, n, sizeof(*b->slot), by_moment);
    return true;
}

bool windows_run(const struct windows *w, struct window_run *run, uint32_t n, struct error *e)
{
    unsigned threads = pool_threads(w->threads);
    struct batch b = {.w = w, .run = run};
    bool ok =
        n == 0 || (prepare(&b, n, threads) ? run_chunks(&b, n, threads, e) : error_no_memory(e));
    for (unsigned t = 0; b.sim && t < threads; t++)
        if (b.sim[t]) sim_free(b.sim[t]);
    mem_free(b.slot);
    mem_free(b.moment);
    mem_free(b.snapshot);
    mem_free(b.sim);
    mem_free(b.error);
    return ok;
}
