/* checkpoint_track.h - a track as checkpoints.c walks it and checkpoint_file.c keeps it. */
#ifndef PLUMB_GPU_FUNCTIONAL_WARMING_CHECKPOINT_TRACK_H
#define PLUMB_GPU_FUNCTIONAL_WARMING_CHECKPOINT_TRACK_H

#include "base/io/file.h"
#include "gpu/functional/warming/bounded_warming.h"
#include "gpu/functional/warming/checkpoints.h"
#include "gpu/functional/warming/pass_clock.h"

#include <threads.h>

/* Where a walk stood, and all that it had; of stretches: the moment asked for. */
struct milestone {
    uint64_t done;
    const unsigned char *state; /* owned unless it is packed */
    size_t bytes;
    size_t
        packed; /* bytes of the frame in the file that `state` points into; 0: it is not packed */
};

struct warm_track {
    struct walk walk;           /* of who calls warm_track_reach */
    struct stretches stretches; /* where they serve, nothing is walked but what walkers need */
    struct tempo tempo;         /* of `walk`, as far as it has ever been */
    bool behind;                /* `walk` is not at the last milestone yet: that came from a file */
    uint64_t step;              /* instructions from one milestone to the next */
    uint64_t next;              /* when the next is due */
    struct filemap file;
    uint64_t in_file;   /* how far the file goes */
    uint32_t n_in_file; /* milestones that came from it */
    size_t marks_in_file;
    /* what all threads see */
    mtx_t lock;
    cnd_t moved;
    struct milestone *milestone;
    uint32_t n, room;
    uint64_t reached; /* every milestone up to here is there */
    bool failed;
    struct error error;
};

/* Puts a walk where the milestone is; a packed one is unpacked on the way. */
bool milestone_load(const struct milestone *m, struct walk *w, struct error *e);
/* A milestone where the track's walk stands. */
bool track_mark(struct warm_track *t, struct error *e);
enum {
    TRACK_MILESTONES = 512,    /* at most, beside those of a file */
    TRACK_TEMPO_MARKS = 32768, /* inside launches */
};

#endif
