/* fit.h - fits a machine's latencies to the plateaus of a measured pointer chase.
 *
 * Each plateau belongs to the first level that holds its buffer: L1, L2, the link between
 * partitions of the L2, L3, memory, and memory behind further misses of the TLB.  From the first
 * level on, the chase is run in the middle of the level's longest plateau with two values of the
 * level's latency; the straight line through them gives the whole number that meets the plateau.
 * Where a parameter's range ends before that, the level's next one goes on.  Nothing else is
 * changed, and no other experiment is looked at. */
#pragma once

#include "base/error.h"
#include "base/text/text.h"
#include "cards/probe/curve.h"

struct machine;

enum { PROBE_FITTED = 16 };

struct probe_fit {
    struct probe_fitted {
        const char *path;     /* of the parameter */
        double before, after; /* its values */
        double x, measured;   /* the plateau's middle and value */
        double was, is;       /* the machine's value there */
    } row[PROBE_FITTED];
    uint32_t n;
};

/* Changes *m.  Levels without a plateau are left as they are; false: *e. */
bool probe_fit_latencies(struct machine *m, const struct probe_curve *chase, struct probe_fit *out,
                         struct error *e);
/* A machine file with that base and what was changed; `comment` is its first lines. */
void probe_fit_file(const struct probe_fit *f, const char *base, const char *comment,
                    struct text *out);
