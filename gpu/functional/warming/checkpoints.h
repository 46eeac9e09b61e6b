/* checkpoints.h - the fast functional pass: runs a program without time and leaves, at chosen
 * moments, what a window needs: who is resident where, how far each warp is, tags and recency of
 * all caches, open rows.
 *
 * Checkpoints of one pass hold all of its state at places on its way.  Runners, one to a
 * thread, go on from the checkpoint before a moment, which leaves exactly what the pass itself
 * would have left there: nothing depends on where checkpoints lie, on their number, or on who asks
 * first.
 *
 * Moments: positions in warp instructions from the program's beginning.
 * Pace: functional.h, fluid_timing.h.  Cost: a few tens of ns per transaction. */
#ifndef PLUMB_GPU_FUNCTIONAL_WARMING_CHECKPOINTS_H
#define PLUMB_GPU_FUNCTIONAL_WARMING_CHECKPOINTS_H

#include "base/error.h"
#include "gpu/functional/warming/interval.h"
#include "trace/program/program.h"

#include <stdbool.h>

struct machine;

/* Of what a walk leaves at a moment and of the layout of its state: counts up when either changes,
 * or runs would go on from a checkpoint of another model (behaviour.gpu_checkpoint_track holds
 * digests).
 */
enum { TRACK_VERSION = 13 };

struct snapshot {
    struct interval interval; /* launch, next_cta, residents; instruction counts are the caller's */
    struct warm_state *warm;  /* NULL when the pass was asked not to warm */
    uint64_t launch_done;     /* instructions of this launch before this moment */
    struct resident *residents; /* what `window` points to, owned */
    uint64_t *warp_done;
    uint32_t *next_subcore;
    uint16_t *name;           /* of the residents' warps; NULL: nothing is remembered by them */
    struct cta_queue *queues; /* NULL: SMs have none of their own */
};
void snapshot_fini(struct snapshot *s);

/* Long programs are not walked whole: a runner begins not far before its moment
 * (bounded_warming.h). */
struct checkpoints;
struct checkpoint_runner;

/* instructions: of the whole program; bytes: what checkpoints may take together (two there are in
 * any case).  want_warm = false leaves caches cold (tests of the warm-up).  NULL: *e. */
struct checkpoints *checkpoints_new(const struct machine *m, const struct program *p,
                                    uint64_t instructions, size_t bytes, bool want_warm,
                                    struct error *e);
void checkpoints_free(struct checkpoints *t);
/* The pass goes on to that moment, if it has not been there; one thread at a time. */
bool checkpoints_reach(struct checkpoints *t, uint64_t moment, struct error *e);

/* What the pass depends on: machines of equal keys that run one program leave the same at every
 * moment, so that one set of checkpoints serves them all.  false: no memory. */
bool checkpoints_key(const struct checkpoints *t, struct digest *key);
/* What the pass's clock took for each of n parts of the way, from[i] to to[i], ascending; it
 * goes on as far as it must.  A launch ends when its last warp issues its last instruction: what is
 * outstanding then does not count.  *known: false where the pass is not walked whole
 * (bounded_warming.h), and cycles[] is left alone. */
bool checkpoints_clock(struct checkpoints *t, const uint64_t *from, const uint64_t *to, uint32_t n,
                       double *cycles, bool *known, struct error *e);

/* Where the cache has checkpoints of this pass, mem_free it; NULL: there is no cache directory, or
 * no memory.  Machines that differ only in what the pass does not see share one. */
#define CHECKPOINTS_SUFFIX ".track"
char *checkpoints_path(const struct checkpoints *t);
/* A new set takes what the file has of it: false where there is none, or it is not whole. */
bool checkpoints_load(struct checkpoints *t, const char *path);
/* Keeps the checkpoints, if they go further than what was loaded. */
bool checkpoints_save(struct checkpoints *t, const char *path, struct error *e);

struct checkpoint_runner *checkpoint_runner_new(struct checkpoints *t,
                                                struct error *e); /* NULL: *e */
void checkpoint_runner_free(struct checkpoint_runner *w);
/* What the pass leaves at that moment.  Waits until another thread's checkpoints_reach has been
 * there; false: that failed, or this did. */
bool checkpoint_runner_snapshot(struct checkpoint_runner *w, uint64_t moment, struct snapshot *out,
                                struct error *e);

#endif
