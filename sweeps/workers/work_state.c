/* work_state.c - see work_state.h. */
#include "sweeps/workers/work_state.h"

#include "base/memory/alloc.h"

#include <stdio.h>
#include <unistd.h>

/* The server's clock; 0, with which nothing is stale, if nothing may be written there. */
static shared_time clock_of(const struct work_dir *d)
{
    char path[WORK_DIR_MAX + 64];
    shared_time now = 0;
    snprintf(path, sizeof path, "%s/clock-status-%ld", d->claims, (long)getpid());
    if (!shared_file_clock(path, &now, NULL)) return 0;
    unlink(path);
    return now;
}

static bool forgive(const struct work_dir *d, const char *what, uint32_t n, struct error *e)
{
    return lease_forgive(d->claims, what, n) ||
           error_run(e, "%s/%s: cannot be taken up again: it has files of another user", d->claims,
                     what);
}

/* retry: forgives the chunks that are left. */
static bool add_batch(struct work_state *s, const struct work_dir *d, const struct run_batch *b,
                      shared_time now, bool retry, struct error *e)
{
    struct chunk_claim *claim = mem_new(b->chunks ? b->chunks : 1, sizeof *claim);
    if (!claim) return error_no_memory(e);
    bool ok = work_dir_claims(d, s->batches, claim, b->chunks, e);
    for (size_t i = 0; ok && i < b->chunks; i++) {
        char what[LEASE_WHAT_MAX];
        enum chunk_state is = work_dir_chunk(d, s->batches, i, &claim[i], now);
        s->done += is == CHUNK_DONE;
        s->held += is == CHUNK_HELD;
        s->stale += is == CHUNK_STALE;
        s->left += is == CHUNK_LEFT;
        work_dir_chunk_name(s->batches, i, what);
        if (retry && is == CHUNK_LEFT) ok = forgive(d, what, claim[i].generations, e);
    }
    s->chunks += b->chunks;
    s->last = b->last;
    s->batches++;
    mem_free(claim);
    return ok;
}

static bool read_batches(struct work_state *s, const struct work_dir *d, const struct plan *p,
                         shared_time now, bool retry, struct error *e)
{
    bool ok = true, there = true;
    *s = (struct work_state){0};
    while (ok && there) {
        struct run_batch b;
        ok = work_dir_batch(d, s->batches, p, &b, &there, e);
        if (ok && there) ok = add_batch(s, d, &b, now, retry, e);
        batch_fini(&b);
    }
    return ok;
}

bool work_state_read(struct work_state *s, const struct work_dir *d, const struct plan *p,
                     struct error *e)
{
    return read_batches(s, d, p, clock_of(d), false, e);
}

bool work_state_retry(const struct work_dir *d, const struct plan *p, uint64_t *chunks,
                      struct error *e)
{
    struct work_state s;
    shared_time now = clock_of(d);
    uint32_t n = lease_generations(d->claims, WORK_LEADER);
    bool lost = !lease_is_done(d->claims, WORK_LEADER) &&
                lease_is_deadly(d->claims, WORK_LEADER, n) &&
                lease_is_stale(d->claims, WORK_LEADER, n - 1, d->lease, now);
    if (lost && !forgive(d, WORK_LEADER, n, e)) return false;
    if (!read_batches(&s, d, p, now, true, e)) return false;
    *chunks = s.left;
    return true;
}
