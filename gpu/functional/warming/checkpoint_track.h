/* checkpoint_track.h - checkpoints as checkpoints.c makes them and checkpoint_file.c keeps them. */
#ifndef PLUMB_GPU_FUNCTIONAL_WARMING_CHECKPOINT_TRACK_H
#define PLUMB_GPU_FUNCTIONAL_WARMING_CHECKPOINT_TRACK_H

#include "base/io/file.h"
#include "gpu/functional/warming/bounded_warming.h"
#include "gpu/functional/warming/checkpoints.h"
#include "gpu/functional/warming/pass_clock.h"

#include <threads.h>

/* Where a walk stood, and all that it had; of bounded warming: the moment asked for. */
struct checkpoint {
    uint64_t done;
    const unsigned char *state; /* owned unless it is packed */
    size_t bytes;
    size_t
        packed; /* bytes of the frame in the file that `state` points into; 0: it is not packed */
};

struct checkpoints {
    struct functional functional;   /* of who calls checkpoints_reach */
    struct bounded_warming bounded; /* where they serve, nothing is walked but what runners need */
    struct pass_clock clock;        /* of `walk`, as far as it has ever been */
    bool behind;   /* `walk` is not at the last checkpoint yet: that came from a file */
    uint64_t step; /* instructions from one checkpoint to the next */
    uint64_t next; /* when the next is due */
    struct filemap file;
    uint64_t in_file;   /* how far the file goes */
    uint32_t n_in_file; /* checkpoints that came from it */
    size_t marks_in_file;
    /* what all threads see */
    mtx_t lock;
    cnd_t moved;
    struct checkpoint *checkpoint;
    uint32_t n, room;
    uint64_t reached; /* every checkpoint up to here is there */
    bool failed;
    struct error error;
};

/* A checkpoint where the pass stands. */
bool checkpoints_add(struct checkpoints *t, struct error *e);
enum {
    CHECKPOINTS_MAX = 512,           /* at most, beside those of a file */
    CHECKPOINTS_CLOCK_MARKS = 32768, /* inside launches */
};

#endif
