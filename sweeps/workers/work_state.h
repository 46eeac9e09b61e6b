/* work_state.h - how far the workers of a directory are, for a user who looks at it. */
#pragma once

#include "sweeps/workers/work_dir.h"

struct work_state {
    uint32_t batches;
    bool last; /* no batch follows these */
    uint64_t chunks, done;
    uint64_t held;  /* chunks whose lease is renewed */
    uint64_t stale; /* chunks whose worker has gone or gave them back, for others to take */
    uint64_t left;  /* chunks that have ended WORK_DEATHS workers: nobody takes them any more */
};

bool work_state_read(struct work_state *s, const struct work_dir *d, const struct plan *p,
                     struct error *e);
/* Lets workers take up again, as if it had ended none, what they left: *chunks, and the choice of
 * runs. */
bool work_state_retry(const struct work_dir *d, const struct plan *p, uint64_t *chunks,
                      struct error *e);
