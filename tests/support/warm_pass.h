/* warm_pass.h - a pass for some moments alone, against which checkpoints are held. */
#pragma once

#include "gpu/functional/warming/checkpoint_track.h"
#include "gpu/functional/warming/checkpoints.h"

/* Takes a snapshot at each of n moments, which ascend; out[n] is filled in their order.  e: may be
 * NULL.  false: out holds nothing. */
bool checkpoints_take_snapshots(const struct machine *m, const struct program *p,
                                const uint64_t *moments, uint32_t n, bool want_warm,
                                struct snapshot *out, struct error *e);
