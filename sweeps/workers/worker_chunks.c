/* worker_chunks.c - claims chunks of a batch and makes their runs; see worker.h. */
#include "sweeps/workers/worker_internal.h"

#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "base/run/parallel.h"
#include "sweeps/constants.h"

#include <inttypes.h>
#include <string.h>

/* --- claiming ----------------------------------------------------------------------------------
 */

/* Looks at the claims of the batch. */
static bool look_at_claims(struct sweep_worker *w, struct error *e)
{
    size_t n = w->batch.chunks;
    memset(w->claim, 0, n * sizeof *w->claim);
    if (!work_dir_claims(&w->dir, w->number, w->claim, n, e)) return false;
    w->n_fresh = 0;
    for (size_t i = 0; i < n; i++)
        if (!w->claim[i].done && w->claim[i].generations == 0) w->fresh[w->n_fresh++] = i;
    return true;
}

/* *got: it is ours. */
static bool claim_chunk(struct sweep_worker *w, size_t chunk, uint32_t generation, bool *got,
                        struct error *e)
{
    char what[LEASE_WHAT_MAX];
    struct lease *x;
    work_dir_chunk_name(w->number, chunk, what);
    if (!lease_claim(&w->leases, what, generation, &x, e)) return false;
    *got = x != NULL;
    if (!x) return true;
    w->chunk[w->n_chunks] = chunk;
    w->lease[w->n_chunks++] = x;
    return true;
}

/* Claims one of the first chunks that nobody has; which one differs from worker to worker, so that
 * they rarely meet. */
static bool claim_fresh(struct sweep_worker *w, bool *got, struct error *e)
{
    int misses = 0, looks = 0;
    *got = false;
    while (w->n_fresh && looks < WORK_CLAIM_LOOKS) {
        uint64_t window = (uint64_t)WORK_SHARE * w->dir.workers;
        size_t i = (size_t)rng_below(&w->rng, window < w->n_fresh ? window : w->n_fresh);
        size_t chunk = w->fresh[i];
        memmove(&w->fresh[i], &w->fresh[i + 1], (--w->n_fresh - i) * sizeof *w->fresh);
        if (!claim_chunk(w, chunk, 0, got, e)) return false;
        if (*got) return true;
        if (++misses < WORK_CLAIM_MISSES) continue;
        if (!look_at_claims(w, e)) return false;
        misses = 0;
        looks++;
    }
    return true;
}

/* What others have. */
struct others {
    uint32_t held; /* chunks that somebody makes */
    uint32_t left; /* chunks that nobody takes any more */
};

/* Takes over a chunk whose lease is stale. */
static bool claim_stale(struct sweep_worker *w, bool *got, struct others *o, struct error *e)
{
    shared_time now;
    *o = (struct others){0};
    *got = false;
    if (!lease_clock(&w->leases, &now, e)) return false;
    for (size_t i = 0; i < w->batch.chunks && !*got; i++) {
        const struct chunk_claim *c = &w->claim[i];
        enum chunk_state is = work_dir_chunk(&w->dir, w->number, i, c, now);
        o->held += is != CHUNK_DONE && is != CHUNK_LEFT;
        o->left += is == CHUNK_LEFT;
        if (is == CHUNK_STALE && !claim_chunk(w, i, c->generations, got, e)) return false;
    }
    return true;
}

static uint64_t runs_claimed(const struct sweep_worker *w)
{
    uint64_t n = 0;
    for (int i = 0; i < w->n_chunks; i++)
        n += w->batch.start[w->chunk[i] + 1] - w->batch.start[w->chunk[i]];
    return n;
}

/* Claims chunks until each thread has some runs.  w->n_chunks = 0: none is free, *o says why. */
static bool claim_chunks(struct sweep_worker *w, struct others *o, struct error *e)
{
    bool got;
    unsigned threads = parallel_threads(w->request->threads);
    uint64_t enough = threads > 1 ? (uint64_t)WORK_THREAD_RUNS * threads : 1;
    w->n_chunks = 0;
    if (!claim_fresh(w, &got, e)) return false;
    if (!got && (!look_at_claims(w, e) || !claim_stale(w, &got, o, e))) return false;
    while (got && w->n_chunks < CHUNKS_HELD_MAX && runs_claimed(w) < enough)
        if (!claim_fresh(w, &got, e)) return false;
    return true;
}

/* --- the chunks under way ----------------------------------------------------------------------
 */

struct chunk_runs {
    uint32_t *point;
    bool *wanted; /* [n][workloads] */
    uint32_t n;
    size_t cap_points, cap_wanted;
};

static void free_runs(struct chunk_runs *c)
{
    mem_free(c->point);
    mem_free(c->wanted);
}

/* The runs of a point follow each other; two chunks may share one. */
static bool list_runs(const struct sweep_worker *w, size_t chunk, struct chunk_runs *c,
                      struct error *e)
{
    const struct run_batch *b = &w->batch;
    uint32_t width = w->plan->n_workloads;
    for (uint64_t i = b->start[chunk]; i < b->start[chunk + 1]; i++) {
        uint64_t run = batch_run(b, i);
        uint32_t point = (uint32_t)(run / width);
        if (c->n == 0 || c->point[c->n - 1] != point) {
            size_t cells = (size_t)(c->n + 1) * width;
            if (!mem_grow(&c->point, &c->cap_points, c->n + 1, sizeof *c->point) ||
                !mem_grow(&c->wanted, &c->cap_wanted, cells, sizeof *c->wanted))
                return error_no_memory(e);
            c->point[c->n++] = point;
        }
        c->wanted[(size_t)(c->n - 1) * width + run % width] = true;
    }
    return true;
}

/* Takes the runs out that are stored in that database. */
static void leave_out_stored(const struct sweep_worker *w, const char *database,
                             struct chunk_runs *c)
{
    struct error e = {0};
    uint32_t width = w->plan->n_workloads;
    struct store *s = file_exists(database) ? store_open(database, false, &e) : NULL;
    for (uint32_t i = 0; s && i < c->n * width; i++)
        if (c->wanted[i] && runner_get(w->plan, s, c->point[i / width], i % width, w->batch.engine,
                                       NULL, &e) == STORED_DONE)
            c->wanted[i] = false;
    store_close(s);
}

/* What earlier holders of a chunk have stored need not be made again.  A database that cannot be
 * read counts as empty. */
static void leave_out_earlier(const struct sweep_worker *w, const struct lease *x,
                              struct chunk_runs *c)
{
    for (uint32_t g = 0; g < x->generation; g++) {
        char holder[LEASE_HOLDER_MAX], path[WORK_DIR_MAX + LEASE_HOLDER_MAX + 16];
        lease_holder(w->dir.claims, x->what, g, holder);
        work_dir_database(&w->dir, holder, path, sizeof path);
        if (holder[0] && !strchr(holder, '/')) leave_out_stored(w, path, c);
    }
}

static bool list_chunks(const struct sweep_worker *w, struct chunk_runs *c, struct error *e)
{
    *c = (struct chunk_runs){0};
    for (int i = 0; i < w->n_chunks; i++)
        if (!list_runs(w, w->chunk[i], c, e)) return false;
    for (int i = 0; i < w->n_chunks; i++)
        leave_out_earlier(w, w->lease[i], c);
    return true;
}

static bool chunks_are_stopped(void *of)
{
    const struct sweep_worker *w = of;
    bool lost = false;
    for (int i = 0; i < w->n_chunks && !lost; i++)
        lost = atomic_load(&w->lease[i]->lost);
    return lost || worker_is_stopped(w);
}

/* complete: all of its runs are stored. */
static bool end_chunk(struct sweep_worker *w, struct lease *x, bool complete, struct error *e)
{
    struct work_result *r = w->result;
    char what[LEASE_WHAT_MAX];
    uint32_t generation = x->generation;
    bool lost = false, ok = true;
    memcpy(what, x->what, sizeof what);
    if (complete) {
        ok = lease_finish(&w->leases, x, &lost, e);
    } else {
        lost = lease_is_lost(&w->leases, x);
        lease_give_back(&w->leases, x);
    }
    r->lost += lost;
    r->given += !complete && !lost;
    r->chunks += ok && complete && !lost;
    r->taken += ok && complete && !lost && generation > 0;
    if (lost)
        worker_say(w, "chunk %s was taken over, as this worker did not renew its lease for %g s",
                   what, w->dir.lease);
    return ok;
}

static bool run_chunks(struct sweep_worker *w, struct error *e)
{
    struct chunk_runs c;
    struct run_result ran = {0};
    struct error later;
    double start = progress_clock_seconds();
    bool ok = list_chunks(w, &c, e) && worker_open_store(w, e);
    struct run_request q = {.engine = w->batch.engine,
                            .point = c.point,
                            .n_points = c.n,
                            .wanted = c.wanted,
                            .runs_only = true,
                            .stop = chunks_are_stopped,
                            .ctx = w,
                            .profiles = &w->profiles,
                            .first_group = w->first_group,
                            .threads = w->request->threads};
    ok = ok && runner_run(w->plan, w->store, &q, &ran, e);
    free_runs(&c);
    w->result->running += progress_clock_seconds() - start;
    w->result->done += ran.done;
    w->result->failed += ran.failed;
    bool complete = ok && ran.done + ran.failed == ran.left;
    for (int i = 0; i < w->n_chunks; i++)
        ok = end_chunk(w, w->lease[i], complete, ok ? e : &later) && ok;
    w->n_chunks = 0;
    return ok;
}

/* --- a batch -----------------------------------------------------------------------------------
 */

static bool make_room(struct sweep_worker *w, struct error *e)
{
    size_t n = w->batch.chunks ? w->batch.chunks : 1;
    mem_free(w->claim);
    mem_free(w->fresh);
    w->claim = mem_new(n, sizeof *w->claim);
    w->fresh = mem_new(n, sizeof *w->fresh);
    return (w->claim && w->fresh) || error_no_memory(e);
}

bool worker_batch(struct sweep_worker *w, bool *over, struct error *e)
{
    *over = false;
    if (!make_room(w, e) || !look_at_claims(w, e)) return false;
    while (!worker_is_stopped(w)) {
        struct others o = {0};
        if (!claim_chunks(w, &o, e)) return false;
        if (w->n_chunks) {
            w->pause = 0;
            if (!run_chunks(w, e)) return false;
            continue;
        }
        if (o.held == 0) {
            *over = true;
            w->number++;
            w->result->left += o.left;
            return true;
        }
        if ((w->request->leave && !w->leader) || !worker_wait(w)) return true;
    }
    return true;
}
