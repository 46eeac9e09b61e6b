/* cache_streams.h - the stream that a profile is made of, kept, and what caches do with it: an
 * exact functional simulation with the cycle model's own tags, and the formulas of public models.
 *
 * Streams are those of the functional pass (estimator/pass/sm_pass.h), SMs merged by time.
 * Both levels see every access at once: no time passes, no fetch is under way.  Partly written
 * sectors are taken to have their first byte written (the stream keeps no more). */
#pragma once

#include "base/memory/alloc.h"
#include "estimator/pass/sm_pass.h"
#include "gpu/cache/cache.h"
#include "gpu/geometry/address_map.h"
#include "gpu/geometry/occupancy.h"
#include "gpu/machine/machine.h"

/* An access of an SM, or a copy. */
struct kept_op {
    uint64_t addr; /* of the L1 line; copies: of the first byte */
    uint32_t sm;   /* COPY: copied[sm] bytes to the device */
    uint8_t kind, mask, whole, pass;
    bool bypass, emptied;
};

enum { KEPT_COPY = STREAM_ATOMIC + 1 };

/* The accesses of a program in order. */
struct kept_stream {
    struct profile_view view;
    struct kept_op *op;
    size_t n, cap;
    uint64_t *copied;
    size_t copies, copied_cap;
};

void kept_fini(struct kept_stream *k);

/* Runs the functional pass over the program.  false: *e, or no memory. */
bool kept_collect(struct kept_stream *k, const struct program *p, const struct profile_view *v,
                  struct error *e);

struct hit_counts { /* sectors; the L2's atomics are reads */
    double l1_reads, l1_hits, l2_reads, l2_hits, l2_writes, l2_write_hits;
};

/* Makes the access; whether the cache serves the sector. */
bool exact_touch(struct cache *c, const struct access *a);

/* What the machine's caches do with the stream.  Lines and sectors must be those of the stream's
 * view.  false: no memory. */
bool exact_run(const struct kept_stream *k, const struct machine *m, struct hit_counts *out);

/* What the profile answers for the machine. */
void modelled_run(const struct profile *f, const struct machine *m, struct hit_counts *out);

/* hits / of; 0 of nothing. */
double hit_share(double hits, double of);
