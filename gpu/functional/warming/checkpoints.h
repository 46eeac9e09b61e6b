/* checkpoints.h - the fast functional pass: executes a program without modelling time in detail and
 * provides, at chosen moments, the state with which the cycle model begins an interval: which CTAs
 * are resident where, how far each warp is, tags and recency of all caches, open rows.
 *
 * Checkpoints hold the pass's whole state at places on its way. A runner (one per thread) continues
 * from the last checkpoint before a moment and arrives with exactly the state that the pass itself
 * would have: results depend neither on the places and the number of checkpoints nor on the order
 * of requests.
 *
 * Moments are positions in warp instructions from the program's beginning. Timing: functional.h,
 * fluid_timing.h. Cost: a few tens of ns per transaction. */
#pragma once

#include "base/error.h"
#include "gpu/functional/state/snapshot.h"
#include "trace/program/program.h"

#include <stdbool.h>

struct machine;

/* Version of the state at a moment and of its layout. It counts up when either changes; otherwise
 * runs would continue from checkpoints of an older model (behaviour.gpu_checkpoint_track has the
 * digests). */
enum { TRACK_VERSION = 16 };

/* In long programs, a runner begins shortly before its moment (bounded_warming.h) instead of at a
 * checkpoint. */
struct checkpoints;
struct checkpoint_runner;

/* instructions: length of the program; bytes: limit for all checkpoints together (two are made in
 * any case). want_warm = false leaves the caches cold (for tests of the warm-up). NULL: *e says
 * why. */
struct checkpoints *checkpoints_new(const struct machine *m, const struct program *p,
                                    uint64_t instructions, size_t bytes, bool want_warm,
                                    struct error *e);
void checkpoints_free(struct checkpoints *t);
/* Advances the pass to that moment unless it has already been there. Only one thread at a time may
 * call it. */
bool checkpoints_reach(struct checkpoints *t, uint64_t moment, struct error *e);

/* *bounded: runners begin shortly before their moments (bounded_warming.h), so that there is no
 * whole pass; the first call measures how far before. */
bool checkpoints_are_bounded(struct checkpoints *t, bool *bounded, struct error *e);
/* The mean number of instructions from there to a moment, over the whole program; call it after
 * checkpoints_are_bounded. */
double checkpoints_walk(const struct checkpoints *t);

/* A digest of everything that the pass depends on: machines of equal keys have the same state at
 * every moment of a program, so that one set of checkpoints serves them all. false: no memory. */
bool checkpoints_key(const struct checkpoints *t, struct digest *key);
/* Gives the time that the pass's clock counts from position from[i] to to[i], for n ascending
 * parts; advances the pass as far as necessary. A launch ends when its last warp issues its last
 * instruction: outstanding accesses do not count. *known: false where no whole pass is made
 * (bounded_warming.h); cycles[] is then unchanged. */
bool checkpoints_clock(struct checkpoints *t, const uint64_t *from, const uint64_t *to, uint32_t n,
                       double *cycles, bool *known, struct error *e);

/* The path of this pass's checkpoints in the cache directory, to be freed with mem_free; NULL:
 * there is no cache directory, or no memory. Machines that differ only in parameters that the pass
 * does not read share one file. */
#define CHECKPOINTS_SUFFIX ".track"
char *checkpoints_path(const struct checkpoints *t);
/* Loads the file's checkpoints into a new set; false: there is no file, or it is damaged. */
bool checkpoints_load(struct checkpoints *t, const char *path);
/* Writes the checkpoints to the file if they reach further than those that were loaded. */
bool checkpoints_save(struct checkpoints *t, const char *path, struct error *e);

/* NULL: *e. */
struct checkpoint_runner *checkpoint_runner_new(struct checkpoints *t, struct error *e);
void checkpoint_runner_free(struct checkpoint_runner *w);
/* Takes a snapshot of the pass at that moment, after waiting until another thread's
 * checkpoints_reach has been there; false: that call failed, or this one did. */
bool checkpoint_runner_snapshot(struct checkpoint_runner *w, uint64_t moment, struct snapshot *out,
                                struct error *e);
