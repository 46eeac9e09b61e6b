/* work_state.c - see work_state.h. */
#include "sweeps/work/work_state.h"

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

static bool add_batch(struct work_state *s, const struct work_dir *d, uint32_t number,
                      const struct run_batch *b, shared_time now, struct error *e)
{
    struct chunk_claim *claim = mem_new(b->chunks ? b->chunks : 1, sizeof *claim);
    if (!claim) return error_no_memory(e);
    bool ok = work_dir_claims(d, number, claim, b->chunks, e);
    for (size_t i = 0; ok && i < b->chunks; i++) {
        char what[LEASE_WHAT_MAX];
        if (!claim[i].done && claim[i].generations > 0) {
            work_dir_chunk_name(number, i, what);
            bool stale = lease_is_stale(d->claims, what, claim[i].generations - 1, d->lease, now);
            s->stale += stale;
            s->held += !stale;
        }
        s->done += claim[i].done;
    }
    s->chunks += b->chunks;
    s->last = b->last;
    mem_free(claim);
    return ok;
}

bool work_state_read(struct work_state *s, const struct work_dir *d, const struct plan *p,
                     struct error *e)
{
    bool ok = true, there = true;
    shared_time now = clock_of(d);
    *s = (struct work_state){0};
    while (ok && there) {
        struct run_batch b;
        ok = work_dir_batch(d, s->batches, p, &b, &there, e);
        if (ok && there) ok = add_batch(s, d, s->batches++, &b, now, e);
        batch_fini(&b);
    }
    return ok;
}
