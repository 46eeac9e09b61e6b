/* checkpoint_track.h - the checkpoints of a functional pass, as checkpoints.c makes them and
 * checkpoint_file.c stores them. */
#pragma once

#include "base/io/file.h"
#include "gpu/functional/warming/bounded_warming.h"
#include "gpu/functional/warming/checkpoints.h"
#include "gpu/functional/warming/pass_clock.h"

#include <threads.h>

/* The serialized state of a pass. done: its position; with bounded warming, the requested moment.
 */
struct checkpoint {
    uint64_t done;
    const unsigned char *state; /* owned by the checkpoint unless it is packed */
    size_t bytes;
    size_t packed; /* size of the zstd frame in the mapped file that `state` points to; 0: not
                      packed */
};

struct checkpoints {
    struct warming_pass pass; /* which checkpoints_reach moves */
    /* Where usable, runners execute what they need, and there is no whole pass. */
    struct bounded_warming bounded;
    struct pass_clock clock; /* of `pass`, as far as it has ever been */
    /* `pass` has not been moved to the last checkpoint, which came from a file */
    bool behind;
    uint64_t step; /* instructions from one checkpoint to the next */
    uint64_t next; /* position at which the next is due */
    struct filemap file;
    uint64_t in_file;   /* position of the last checkpoint in the file */
    uint32_t n_in_file; /* checkpoints that came from the file */
    size_t marks_in_file;
    /* shared by all threads, guarded by `lock` */
    mtx_t lock;
    cnd_t moved;
    struct checkpoint *checkpoint;
    uint32_t n, room;
    uint64_t reached; /* the pass has been up to here, and all checkpoints before exist */
    bool failed;
    struct error error;
};

/* Adds a checkpoint at the pass's position. */
bool checkpoints_add(struct checkpoints *t, struct error *e);
enum {
    CHECKPOINTS_MAX = 512,           /* at most, not counting those from a file */
    CHECKPOINTS_CLOCK_MARKS = 32768, /* marks of the pass clock inside launches, at most */
};
